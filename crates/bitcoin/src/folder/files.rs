//! The files of a folder: their names and numbers, the key, the network.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::fault::FolderFault;
use super::records::{Key, RecordFile, open_regular};
use crate::network::Network;

/// The file with the key, and its bytes.
const KEY_NAME: &str = "xor.dat";
const KEY_BYTES: u64 = 8;

/// Files by their numbers.
pub(super) type Numbered = BTreeMap<u32, PathBuf>;

/// The key that a folder of blocks is obfuscated with. Zeros if the folder has no file with a key.
pub(super) fn key(folder: &Path) -> Result<Key, FolderFault> {
    let path = folder.join(KEY_NAME);
    let mut bytes = Vec::new();
    match open_regular(&path).and_then(|file| file.take(KEY_BYTES + 1).read_to_end(&mut bytes)) {
        Ok(_) => bytes.try_into().map_err(|_| FolderFault::BadKey(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok([0; 8]),
        Err(error) => Err(FolderFault::Io(path, error)),
    }
}

/// What is wrong with the key of a folder of blocks with which nothing can be read.
pub(super) fn key_fault(folder: &Path) -> FolderFault {
    let fault = if folder.join(KEY_NAME).exists() { FolderFault::WrongKey } else { FolderFault::MissingKey };
    fault(folder.to_owned())
}

/// The folder in a data folder that has the blocks of a network: of the one that is asked for, or of any.
pub(super) fn elsewhere(path: &Path, network: Option<Network>) -> Option<FolderFault> {
    let asked = Network::ALL.into_iter().filter(|other| network.is_none_or(|network| network == *other));
    let mut folders = asked.filter_map(|network| Some((path.join(network.folder_name()?), network)));
    let (folder, network) = folders.find(|(folder, _)| folder.join("blocks").is_dir())?;
    Some(FolderFault::OtherNetwork(folder, network))
}

/// The files of a kind by their numbers, and those whose names have a number that is written in another way.
fn numbered(folder: &Path, kind: &str) -> Result<(Numbered, Vec<PathBuf>), FolderFault> {
    let failed = |error| FolderFault::Io(folder.to_owned(), error);
    let (mut files, mut others) = (Numbered::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let digits = name.strip_prefix(kind).and_then(|name| name.strip_suffix(".dat"));
        let Some(number) = digits.and_then(|digits| digits.parse().ok()) else { continue };
        // Two names of one number cannot both be read, and a node writes but one.
        if name == format!("{kind}{number:05}.dat") {
            files.insert(number, path);
        } else {
            others.push(path);
        }
    }
    others.sort();
    Ok((files, others))
}

/// The files of blocks by their numbers, and what is wrong with the files of a folder.
pub(super) fn files(folder: &Path) -> Result<(Numbered, Vec<FolderFault>), FolderFault> {
    let (blocks, mut others) = numbered(folder, "blk")?;
    let (undo, more) = numbered(folder, "rev")?;
    others.extend(more);
    let gaps = blocks.keys().zip(blocks.keys().skip(1)).filter(|(before, number)| *before + 1 < **number);
    let gaps = gaps.map(|(before, number)| FolderFault::MissingFiles(folder.to_owned(), before + 1, number - 1));
    let alone = undo.into_iter().filter(|(number, _)| !blocks.contains_key(number));
    let alone = alone.map(|(_, path)| FolderFault::NoBlocksOf(path));
    let faults = gaps.chain(alone).chain(others.into_iter().map(FolderFault::OtherName)).collect();
    Ok((blocks, faults))
}

/// The file that undoes the blocks of a file.
pub(super) fn undo_path(blocks: &Path) -> PathBuf {
    let name = blocks.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    blocks.with_file_name(name.replacen("blk", "rev", 1))
}

/// The network whose mark a file begins with, and that file. A file that cannot be read, or is too short, says nothing.
pub(super) fn find_network(files: &Numbered, key: Key) -> Result<Option<(Network, PathBuf)>, FolderFault> {
    let mut failed = None;
    for path in files.values() {
        match RecordFile::open(path, key).and_then(|mut file| file.network()) {
            Ok(None) => {}
            Ok(Some(network)) => return Ok(Some((network, path.clone()))),
            Err(error) => drop(failed.get_or_insert(FolderFault::Io(path.clone(), error))),
        }
    }
    failed.map_or(Ok(None), Err)
}
