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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Section;
    use object::elf::{R_X86_64_64, R_X86_64_PC32, R_X86_64_PLT32, R_X86_64_REX_GOTPCRELX};

    fn section(name: &str, bytes: &[u8], is_code: bool, relocations: Vec<Relocation>) -> Section {
        let functions = if is_code { vec![(0, bytes.len() as u64, name.to_owned())] } else { Vec::new() };
        Section { name: name.into(), bytes: bytes.to_vec(), alignment: 16, is_code, relocations, functions }
    }

    /// An entry that calls `f` and reads a constant, by these relocations.
    fn objects(call: object::elf::RelocationType, read: object::elf::RelocationType) -> Objects {
        let relocations = vec![
            Relocation { offset: 1, kind: call, target: Target::Name("f".into()), addend: -4 },
            Relocation { offset: 8, kind: read, target: Target::Place(2, 0), addend: -4 },
        ];
        // call f; lea rax, [constant]; ret
        let entry = [0xe8, 0, 0, 0, 0, 0x48, 0x8d, 0x05, 0, 0, 0, 0, 0xc3];
        let sections = vec![
            section("entry", &entry, true, relocations),
            section("f", &[0xc3], true, Vec::new()),
            section("constant", &[7; 8], false, Vec::new()),
            section("unused", &[0; 64], true, Vec::new()),
        ];
        let names = HashMap::from([("entry".into(), (0, 0)), ("f".into(), (1, 0)), ("unused".into(), (3, 0))]);
        Objects { sections, refused: HashMap::new(), names }
    }

    #[test]
    fn what_is_reached_is_laid_out_flat() {
        let image = link(&objects(R_X86_64_PLT32, R_X86_64_PC32), &["entry"], Architecture::Amd64).unwrap();
        // A jump of 11 bytes to the entry at 16; f at 32; the constant behind the code, at 64.
        assert_eq!(image.bytes[..5], [0xe9, 11, 0, 0, 0]);
        assert_eq!(image.bytes[16..29], [0xe8, 11, 0, 0, 0, 0x48, 0x8d, 0x05, 36, 0, 0, 0, 0xc3]);
        assert_eq!((image.bytes[32], image.code, &image.bytes[64..72]), (0xc3, 64, &[7; 8][..]));
        assert_eq!((image.bytes.len(), image.taken.len()), (72, 0));
    }

    #[test]
    fn what_an_image_cannot_have_is_refused() {
        let refused = |objects: Objects| match link(&objects, &["entry"], Architecture::Amd64) {
            Ok(_) => panic!("it was linked"),
            Err(error) => error,
        };
        assert!(refused(objects(R_X86_64_PLT32, R_X86_64_64)).contains("no distance"));
        assert!(refused(objects(R_X86_64_REX_GOTPCRELX, R_X86_64_PC32)).contains("table of addresses"));
        let mut nowhere = objects(R_X86_64_PLT32, R_X86_64_PC32);
        nowhere.names.remove("f");
        assert_eq!(refused(nowhere), "f is nowhere: entry asks");
        let mut writable = objects(R_X86_64_PLT32, R_X86_64_PC32);
        writable.refused.insert(2, "section constant is writable".into());
        assert_eq!(refused(writable), "section constant is writable");
        let mut unused = objects(R_X86_64_PLT32, R_X86_64_PC32);
        unused.refused.insert(3, "section unused is writable".into());
        assert!(link(&unused, &["entry"], Architecture::Amd64).is_ok());
    }
}
