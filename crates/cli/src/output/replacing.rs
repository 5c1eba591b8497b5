//! Outputs that would replace an input, by whatever name: refused before anything is read.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::file::followed;
use crate::exit::RunError;
use crate::process::standard;

/// Something that a command reads.
pub(crate) enum ReadPlace {
    /// Standard input.
    Standard,
    File(PathBuf),
    /// A node's folder: the files in `blocks`, or those in the folder itself.
    Folder(PathBuf),
}

impl ReadPlace {
    /// The file of a name; `-` is standard input.
    pub(crate) fn of_name(name: impl AsRef<Path>) -> ReadPlace {
        let path = name.as_ref();
        if path == Path::new("-") { ReadPlace::Standard } else { ReadPlace::File(path.to_owned()) }
    }
}

/// Fails if an output would replace an input or another output, or lie among the blocks of a node. To be called by each
/// command before it reads anything.
///
/// An output is an option with its path; `-` is standard output. Standard output itself is looked at in any case: what is
/// appended to a file while that is read would be read too. Symbolic links, hard links and other spellings of a path
/// are one file.
pub(crate) fn refuse_replacing(outputs: &[(&str, &Path)], inputs: &[ReadPlace]) -> Result<(), RunError> {
    let outputs: Vec<_> = outputs.iter().map(|(option, path)| (*option, WrittenPlace::new(path))).collect();
    for (at, (option, output)) in outputs.iter().enumerate() {
        if let Some((other_option, other)) = outputs[..at].iter().find(|(_, other)| output.is(other)) {
            let same = format!("{other_option} and {option} are the same file: {} and {}", other.name, output.name);
            return Err(RunError::new(same));
        }
    }
    let outputs = outputs.into_iter().map(|(_, output)| output).chain([WrittenPlace::new(Path::new("-"))]);
    for output in outputs {
        if let Some(refused) = inputs.iter().find_map(|input| output.would_replace(input)) {
            return Err(RunError::new(refused).about(&output.name));
        }
    }
    Ok(())
}

/// Something that a command writes.
struct WrittenPlace {
    name: String,
    identity: Option<Identity>,
    /// Where the name leads, whether or not a file is there.
    path: Option<PathBuf>,
}

impl WrittenPlace {
    fn new(path: &Path) -> WrittenPlace {
        if path == Path::new("-") {
            let file = standard::output().and_then(|output| output.metadata());
            let identity = file.ok().and_then(|file| identity(&file, None));
            return WrittenPlace { name: standard::OUTPUT.to_owned(), identity, path: None };
        }
        let end = followed(path).ok().and_then(|end| {
            let folder = end.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(folder.canonicalize().ok()?.join(end.file_name()?))
        });
        WrittenPlace { name: path.display().to_string(), identity: of_path(path), path: end }
    }

    /// Whether both are one file, or one standard output.
    fn is(&self, other: &WrittenPlace) -> bool {
        let same_path = self.path.is_some() && self.path == other.path;
        let both_standard = [self, other].iter().all(|place| place.name == standard::OUTPUT);
        same_path || both_standard || self.has(other.identity.as_ref())
    }

    fn has(&self, identity: Option<&Identity>) -> bool {
        identity.is_some() && self.identity.as_ref() == identity
    }

    /// What is wrong with the place, if it would replace this input.
    fn would_replace(&self, input: &ReadPlace) -> Option<String> {
        let (taken, name) = match input {
            ReadPlace::Standard => {
                let file = standard::input().and_then(|input| input.metadata()).ok();
                (self.has(file.and_then(|file| identity(&file, None)).as_ref()), "standard input".to_owned())
            }
            ReadPlace::File(path) => (self.has(of_path(path).as_ref()), path.display().to_string()),
            ReadPlace::Folder(folder) => {
                let taken = block_folders(folder).iter().any(|blocks| self.lies_in(blocks));
                return taken.then(|| {
                    let folder = folder.display();
                    format!("the output would replace an input, or lie among the blocks of a node: {folder}")
                });
            }
        };
        taken.then(|| format!("the output would replace an input, {name}; name another file"))
    }

    /// Whether the place is in a folder, or a second name of a file there.
    fn lies_in(&self, folder: &Path) -> bool {
        let inside =
            folder.canonicalize().ok().zip(self.path.as_ref()).is_some_and(|(in_it, at)| at.starts_with(in_it));
        // Only a file that is there has a second name.
        inside || self.identity.is_some() && entries(folder).any(|entry| self.has(of_path(&entry).as_ref()))
    }
}

/// The folders of blocks that a node's folder has: its own, or those of its networks. Without any, it is one itself.
fn block_folders(folder: &Path) -> Vec<PathBuf> {
    let found = [folder.to_owned()].into_iter().chain(entries(folder)).map(|place| place.join("blocks"));
    let found: Vec<PathBuf> = found.filter(|blocks| blocks.is_dir()).collect();
    if found.is_empty() { vec![folder.to_owned()] } else { found }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// What tells a file from all others, by whatever name.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// None for what keeps nothing that is written to it, such as a terminal.
#[cfg(unix)]
fn identity(file: &Metadata, _: Option<&Path>) -> Option<Identity> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let kind = file.file_type();
    let keeps = kind.is_file() || kind.is_block_device() || kind.is_fifo();
    keeps.then(|| (file.dev(), file.ino()))
}

/// Standard streams have no path to be told by.
#[cfg(not(unix))]
fn identity(file: &Metadata, path: Option<&Path>) -> Option<Identity> {
    path.filter(|_| file.is_file())?.canonicalize().ok()
}

fn of_path(path: &Path) -> Option<Identity> {
    identity(&fs::metadata(path).ok()?, Some(path))
}
