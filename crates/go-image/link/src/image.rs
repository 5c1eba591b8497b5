//! The link step: what the entry reaches, laid out flat, with every address resolved.

use crate::{
    object::{Objects, Place, Relocation, Target},
    relocate::{Architecture, Resolved},
};
use std::collections::{HashMap, HashSet, VecDeque};

/// The alignment of an image, and of its constants at most.
pub(crate) const ALIGNMENT: u64 = 64;

/// Code and constants at any address that is a multiple of [`ALIGNMENT`]. The entry is at its beginning.
pub(crate) struct Image {
    pub(crate) bytes: Vec<u8>,
    /// Bytes of code, which come first.
    pub(crate) code: usize,
    pub(crate) functions: Vec<Function>,
    /// The addresses of functions that code takes, beside those that it calls.
    pub(crate) taken: HashSet<u64>,
}

/// A function of an image.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) name: String,
}

/// Links what `entry` reaches.
pub(crate) fn link(objects: &Objects, entry: &str, architecture: Architecture) -> Result<Image, String> {
    let resolve = |target: &Target| match target {
        Target::Place(place, offset) => Ok((*place, *offset)),
        Target::Name(name) => objects.names.get(name).copied().ok_or_else(|| format!("{name} is nowhere")),
    };
    let reached = reach(objects, resolve(&Target::Name(entry.to_owned()))?, resolve)?;
    let mut starts = HashMap::new();
    let mut bytes = Vec::new();
    let (code, constants): (Vec<Place>, Vec<Place>) =
        reached.iter().partition(|place| objects.sections[**place].is_code);
    for place in code {
        put(objects, place, &mut bytes, &mut starts, architecture.filler())?;
    }
    pad(&mut bytes, ALIGNMENT, architecture.filler());
    let code = bytes.len();
    for place in constants {
        put(objects, place, &mut bytes, &mut starts, &[0])?;
    }
    pad(&mut bytes, 8, &[0]);

    let mut functions = Vec::new();
    for place in &reached {
        let section = &objects.sections[*place];
        functions.extend(section.functions.iter().map(|(offset, length, name)| {
            let start = starts[place] + offset;
            Function { start, end: start + length, name: name.clone() }
        }));
    }
    functions.sort_by(|a, b| (a.start, &a.name).cmp(&(b.start, &b.name)));
    functions.dedup_by_key(|function| function.start);
    let mut taken = HashSet::new();
    for place in &reached {
        let section = &objects.sections[*place];
        for Relocation { offset, kind, target, addend } in &section.relocations {
            let (to, at) = resolve(target)?;
            let place = Resolved { place: starts[place] + offset, target: starts[&to] + at, addend: *addend };
            let is_call = architecture
                .relocate(&mut bytes, *kind, place)
                .map_err(|error| format!("{}+{offset:#x}: {error}", section.name))?;
            let target = place.target.wrapping_add_signed(architecture.distance(*kind, *addend));
            if !is_call && functions.iter().any(|function| function.start == target) {
                taken.insert(target);
            }
        }
    }
    Ok(Image { bytes, code, functions, taken })
}

/// The sections that the entry's section reaches, in the order in which they are found.
fn reach(
    objects: &Objects,
    (entry, offset): (Place, u64),
    resolve: impl Fn(&Target) -> Result<(Place, u64), String>,
) -> Result<Vec<Place>, String> {
    if offset != 0 {
        return Err("the entry is not at the beginning of its section".into());
    }
    let (mut order, mut seen, mut queue) = (Vec::new(), HashSet::from([entry]), VecDeque::from([entry]));
    while let Some(place) = queue.pop_front() {
        if let Some(reason) = objects.refused.get(&place) {
            return Err(reason.clone());
        }
        order.push(place);
        let section = &objects.sections[place];
        for relocation in &section.relocations {
            let (target, _) = resolve(&relocation.target).map_err(|error| format!("{error}: {} asks", section.name))?;
            if seen.insert(target) {
                queue.push_back(target);
            }
        }
    }
    Ok(order)
}

fn put(
    objects: &Objects,
    place: Place,
    bytes: &mut Vec<u8>,
    starts: &mut HashMap<Place, u64>,
    filler: &[u8],
) -> Result<(), String> {
    let section = &objects.sections[place];
    if section.alignment > ALIGNMENT {
        return Err(format!("{} is aligned to {} bytes", section.name, section.alignment));
    }
    pad(bytes, section.alignment, filler);
    starts.insert(place, bytes.len() as u64);
    bytes.extend_from_slice(&section.bytes);
    Ok(())
}

fn pad(bytes: &mut Vec<u8>, alignment: u64, filler: &[u8]) {
    while !(bytes.len() as u64).is_multiple_of(alignment) {
        bytes.push(filler[bytes.len() % filler.len()]);
    }
}
