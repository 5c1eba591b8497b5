//! What the compiler made: sections, symbols and relocations of an archive, as the link step takes them.

use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags, SymbolKind,
    elf,
    read::{File, archive::ArchiveFile},
};
use std::collections::HashMap;

/// A number of a section among all sections of all objects.
pub(crate) type Place = usize;

/// Code or constants.
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) alignment: u64,
    pub(crate) is_code: bool,
    pub(crate) relocations: Vec<Relocation>,
    /// Functions: where each begins in the section, its length and its name.
    pub(crate) functions: Vec<(u64, u64, String)>,
}

/// A place of a section that needs an address.
pub(crate) struct Relocation {
    pub(crate) offset: u64,
    pub(crate) kind: elf::RelocationType,
    pub(crate) target: Target,
    pub(crate) addend: i64,
}

/// What an address is asked of.
#[derive(Clone)]
pub(crate) enum Target {
    /// A place in a section.
    Place(Place, u64),
    /// A name that another object may define.
    Name(String),
}

/// All objects of an archive.
pub(crate) struct Objects {
    pub(crate) sections: Vec<Section>,
    /// Why a section cannot be part of an image, where it cannot.
    pub(crate) refused: HashMap<Place, String>,
    /// What each outward name stands for.
    pub(crate) names: HashMap<String, (Place, u64)>,
}

impl Objects {
    /// Reads the archive of a static library.
    pub(crate) fn read(archive: &[u8], architecture: Architecture) -> Result<Objects, String> {
        let mut objects = Objects { sections: Vec::new(), refused: HashMap::new(), names: HashMap::new() };
        let members = ArchiveFile::parse(archive).map_err(|error| error.to_string())?;
        for member in members.members() {
            let member = member.map_err(|error| error.to_string())?;
            let data = member.data(archive).map_err(|error| error.to_string())?;
            let name = String::from_utf8_lossy(member.name()).into_owned();
            let file = match File::parse(data) {
                Ok(file) if file.architecture() == architecture => file,
                // Metadata of Rust.
                _ if name.ends_with(".rmeta") => continue,
                _ => return Err(format!("{name} is no object for {architecture:?}")),
            };
            objects.add(&file)?;
        }
        Ok(objects)
    }

    fn add(&mut self, file: &File<'_>) -> Result<(), String> {
        let error = |error: object::Error| error.to_string();
        let first = self.sections.len();
        let mut places = HashMap::new();
        for section in file.sections() {
            let place = first + places.len();
            places.insert(section.index(), place);
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return Err("not ELF".into()) };
            let flag = |flag: elf::SectionFlags| sh_flags.contains(flag);
            let name = section.name().map_err(error)?.to_owned();
            if flag(elf::SHF_WRITE) || flag(elf::SHF_TLS) {
                self.refused.insert(place, format!("section {name} is writable"));
            } else if !flag(elf::SHF_ALLOC) {
                self.refused.insert(place, format!("section {name} is not loaded"));
            }
            self.sections.push(Section {
                bytes: section.data().map_err(error)?.to_vec(),
                alignment: section.align().max(1),
                is_code: flag(elf::SHF_EXECINSTR),
                relocations: Vec::new(),
                functions: Vec::new(),
                name,
            });
        }
        let target_of = |symbol: object::SymbolIndex| -> Result<Target, String> {
            let symbol = file.symbol_by_index(symbol).map_err(error)?;
            match symbol.section_index().and_then(|section| places.get(&section)) {
                // A weak name that somebody else may define better is not asked for here: it is defined, and taken.
                Some(place) => Ok(Target::Place(*place, symbol.address())),
                None => Ok(Target::Name(symbol.name().map_err(error)?.to_owned())),
            }
        };
        for section in file.sections() {
            let place = places[&section.index()];
            for (offset, relocation) in section.relocations() {
                let RelocationFlags::Elf { r_type } = relocation.flags() else { return Err("not ELF".into()) };
                let target = match relocation.target() {
                    RelocationTarget::Symbol(symbol) => target_of(symbol)?,
                    RelocationTarget::Section(section) => Target::Place(places[&section], 0),
                    other => return Err(format!("a relocation to {other:?}")),
                };
                let addend = relocation.addend();
                self.sections[place].relocations.push(Relocation { offset, kind: r_type, target, addend });
            }
        }
        for symbol in file.symbols() {
            let Some(place) = symbol.section_index().and_then(|section| places.get(&section)) else { continue };
            let name = symbol.name().map_err(error)?.to_owned();
            if symbol.kind() == SymbolKind::Text {
                self.sections[*place].functions.push((symbol.address(), symbol.size(), name.clone()));
            }
            if symbol.is_global() && (!symbol.is_weak() || !self.names.contains_key(&name)) {
                self.names.insert(name, (*place, symbol.address()));
            }
        }
        Ok(())
    }
}
