//! The link step: what the entry reaches, laid out flat, with every address resolved.

use crate::{
    object::{Objects, Place, Relocation, Target},
    relocate::{Architecture, Resolved},
};
use std::collections::{HashMap, HashSet, VecDeque};

/// The alignment of an image, and of its constants at most.
pub(crate) const ALIGNMENT: u64 = 64;

/// The distance of one entry from the next: each is a jump.
pub(crate) const ENTRY_BYTES: u64 = 16;

/// Code and constants at any address that is a multiple of [`ALIGNMENT`]. The entries are at its beginning.
pub(crate) struct Image {
    pub(crate) bytes: Vec<u8>,
    /// Bytes of code, which come first.
    pub(crate) code: usize,
    pub(crate) functions: Vec<Function>,
    /// The addresses of functions that code takes, beside those that it calls.
    pub(crate) taken: HashSet<u64>,
}

impl Image {
    /// The function that begins at an address.
    pub(crate) fn function(&self, start: u64) -> Option<&Function> {
        self.functions.binary_search_by_key(&start, |function| function.start).ok().map(|i| &self.functions[i])
    }
}

/// A function of an image.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) name: String,
}

/// Links what the entries reach.
pub(crate) fn link(objects: &Objects, entries: &[&str], architecture: Architecture) -> Result<Image, String> {
    let resolve = |target: &Target| match target {
        Target::Place(place, offset) => Ok((*place, *offset)),
        Target::Name(name) => objects.names.get(name).copied().ok_or_else(|| format!("{name} is nowhere")),
    };
    let entries: Vec<(Place, u64)> =
        entries.iter().map(|entry| resolve(&Target::Name((*entry).to_owned()))).collect::<Result<_, _>>()?;
    let reached = reach(objects, &entries, resolve)?;
    let mut starts = HashMap::new();
    let mut bytes = Vec::new();
    entries.iter().for_each(|_| bytes.resize(bytes.len() + ENTRY_BYTES as usize, 0));
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
    for (i, (place, offset)) in entries.iter().enumerate() {
        let start = i as u64 * ENTRY_BYTES;
        let jump = architecture.jump(starts[place] + offset - start);
        bytes[start as usize..][..jump.len()].copy_from_slice(&jump);
        functions.push(Function { start, end: start + ENTRY_BYTES, name: format!("entry {i}") });
    }
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

/// The sections that the entries reach, in the order in which they are found.
fn reach(
    objects: &Objects,
    entries: &[(Place, u64)],
    resolve: impl Fn(&Target) -> Result<(Place, u64), String>,
) -> Result<Vec<Place>, String> {
    let (mut order, mut seen, mut queue) = (Vec::new(), HashSet::new(), VecDeque::new());
    queue.extend(entries.iter().map(|(place, _)| *place).filter(|place| seen.insert(*place)));
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
