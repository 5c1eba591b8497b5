//! A file of one block, and the one beside it that has what the block spends: their names, and the forms of their bytes.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use phalanx_bitcoin::{Block, Network, Output, decode_outputs, reversed_hex};

use super::block_json::{self, JsonBlock, JsonContent, MOST_BLOCK};
use super::spent_json;
use crate::exit::RunError;

/// The longest file of what a block spends, once it is unpacked: as long as a record of a node may be.
const MOST_SPENT: u64 = 1 << 28;
/// The longest file in JSON, once it is unpacked: several times that in memory.
const MOST_JSON: u64 = 1 << 26;
/// What a file that begins so is packed with.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The bytes that tell a form. A block has zeros among them, in place of what its first input spends; text has none.
const FORM_BYTES: usize = 256;
/// The bytes of a header.
const HEADER_BYTES: usize = 80;

/// Endings of what a block spends, behind its name.
const SPENT_ENDINGS: [&str; 4] = ["undo.raw", "undo.raw.zst", "spent-outputs.json", "spent-outputs.json.zst"];

/// Files that are there.
pub(super) struct BlockFile {
    block: PathBuf,
    /// None where the block's own file says what it spends, or it spends nothing.
    spent: Option<PathBuf>,
    pub(super) size: u64,
}

/// How a block, or what it spends, is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Bytes,
    Hex,
    Json,
}

/// What the files hold.
pub(super) struct FileBytes {
    block: Vec<u8>,
    /// With whether the name says that it is JSON.
    spent: Option<(Vec<u8>, bool)>,
}

/// A block as bytes, with what else its file says.
pub(super) struct FileContent<'f> {
    bytes: Cow<'f, [u8]>,
    form: Form,
    pub(super) height: Option<u32>,
    spent: FileSpent<'f>,
}

/// What a block spends, as it was found.
enum FileSpent<'f> {
    Nothing,
    Bytes(Cow<'f, [u8]>),
    Json(&'f [u8]),
    OfBlock(Result<Vec<Output<'static>>, String>),
}

impl BlockFile {
    /// Finds the file beside a block's.
    pub(super) fn open(path: &Path, size: u64) -> Result<BlockFile, RunError> {
        if let Some(said) = node_file(path) {
            return Err(RunError::new(said));
        }
        let spent = spent_file(path)?;
        let start = prefix(path);
        if let Some(network) = Network::ALL.into_iter().find(|network| start.starts_with(&network.magic())) {
            let marks = format!("has blocks behind the mark of the network {network}: ");
            return Err(RunError::new(marks + "name it blk00000.dat in a folder of its own, and give the folder"));
        }
        let base = base(path);
        if spent.is_none() && needs_outputs(&start) {
            let beside = format!("beside it there is neither {base}.undo.raw nor {base}.spent-outputs.json");
            return Err(RunError::new(format!(
                "{beside}, nor either as .zst; `bitcoin-cli getblock HASH 3` prints a block with what it spends"
            )));
        }
        Ok(BlockFile { block: path.to_owned(), spent, size })
    }

    /// Reads both files.
    pub(super) fn read(&self) -> Result<FileBytes, RunError> {
        let block = unpacked(&self.block, MOST_JSON)?;
        let most = match form(&block) {
            Form::Bytes => MOST_BLOCK,
            Form::Hex => 2 * MOST_BLOCK + FORM_BYTES,
            Form::Json => block.len(),
        };
        if block.len() > most {
            return Err(RunError::new(format!("has more than {most} bytes")).about(&self.block.display().to_string()));
        }
        let spent = match &self.spent {
            None => None,
            Some(path) => {
                let json = stem(path).is_some_and(|stem| stem.ends_with(".json"));
                Some((unpacked(path, if json { MOST_JSON } else { MOST_SPENT })?, json))
            }
        };
        Ok(FileBytes { block, spent })
    }
}

impl FileBytes {
    pub(super) fn size(&self) -> usize {
        self.block.len() + self.spent.as_ref().map_or(0, |(spent, _)| spent.len())
    }

    /// The size of the block's file, once it is unpacked.
    pub(super) fn block_size(&self) -> usize {
        self.block.len()
    }

    /// The block as bytes. What it spends is read when it is known.
    pub(super) fn decode(&self) -> Result<FileContent<'_>, String> {
        let form = form(&self.block);
        let (bytes, height, of_block) = match form {
            Form::Bytes => (Cow::Borrowed(&self.block[..]), None, None),
            Form::Hex => (Cow::Owned(unhex(&self.block)?), None, None),
            Form::Json => match block_json::read(&self.block).map_err(|fault| format!("{}{fault}", form.name()))? {
                JsonContent::Bytes(bytes) => (Cow::Owned(bytes), None, None),
                JsonContent::Block(JsonBlock { bytes, height, spent, .. }) => (Cow::Owned(bytes), height, Some(spent)),
            },
        };
        let spent = match (&self.spent, of_block) {
            (None, None) => FileSpent::Nothing,
            (None, Some(of_block)) => FileSpent::OfBlock(of_block),
            (Some((spent, json)), _) => match self::form(spent) {
                Form::Json => FileSpent::Json(spent),
                _ if *json => FileSpent::Json(spent),
                Form::Hex => FileSpent::Bytes(Cow::Owned(unhex(spent)?)),
                Form::Bytes => FileSpent::Bytes(Cow::Borrowed(spent)),
            },
        };
        Ok(FileContent { bytes, form, height, spent })
    }
}

impl Form {
    /// What is said in front of a fault.
    fn name(self) -> &'static str {
        match self {
            Form::Bytes => "",
            Form::Hex => "in hex: ",
            Form::Json => "in JSON: ",
        }
    }
}

impl FileContent<'_> {
    /// The block of the bytes.
    pub(super) fn block(&self) -> Result<Block<'_>, String> {
        Block::decode(&self.bytes).map_err(|fault| format!("{}{fault}", self.form.name()))
    }

    /// The outputs that the block spends.
    pub(super) fn spent(&self, block: &Block<'_>) -> Result<Vec<Output<'_>>, String> {
        match &self.spent {
            FileSpent::Nothing => Ok(Vec::new()),
            FileSpent::Bytes(bytes) => decode_outputs(bytes).map_err(|error| error.to_string()),
            FileSpent::OfBlock(Ok(spent)) => Ok(spent.iter().map(borrowed).collect()),
            FileSpent::OfBlock(Err(fault)) => Err(fault.clone()),
            FileSpent::Json(text) if text.trim_ascii_start().starts_with(b"{") => match block_json::read(text)? {
                JsonContent::Block(JsonBlock { hash, spent, .. }) if hash == block.header.hash() => spent,
                JsonContent::Block(other) => Err(format!("it is that of block {}", reversed_hex(&other.hash))),
                JsonContent::Bytes(_) => Err("a block, and not what it spends".into()),
            },
            FileSpent::Json(text) => {
                let inputs = block.transactions.iter().skip(1).map(|transaction| transaction.inputs.len());
                spent_json::outputs(text, &inputs.collect::<Vec<_>>())
            }
        }
    }
}

/// An output whose script stays where it is.
fn borrowed<'o>(output: &'o Output<'_>) -> Output<'o> {
    Output { value: output.value, script: Cow::Borrowed(&output.script) }
}

/// The form of bytes that begin so.
fn form(bytes: &[u8]) -> Form {
    let start = &bytes[..bytes.len().min(FORM_BYTES)];
    let text = start.trim_ascii();
    let digits = text.strip_prefix(b"\"").unwrap_or(text);
    match text.first() {
        _ if start.contains(&0) => Form::Bytes,
        Some(b'{' | b'[') => Form::Json,
        Some(_) if digits.iter().all(|digit| digit.is_ascii_hexdigit() || *digit == b'"') => Form::Hex,
        _ => Form::Bytes,
    }
}

/// The bytes of digits, as a node prints them, on one line, in quotes or not.
fn unhex(text: &[u8]) -> Result<Vec<u8>, String> {
    let text = text.trim_ascii();
    let digits = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text);
    const_hex::decode(digits).map_err(|error| format!("{}{error}", Form::Hex.name()))
}

/// Whether what a block spends must stand in another file. What begins so is a block that has more than a coinbase.
fn needs_outputs(start: &[u8]) -> bool {
    let count = match form(start) {
        Form::Json => return false,
        Form::Bytes => start.get(HEADER_BYTES).copied(),
        Form::Hex => {
            let digits = start.trim_ascii().strip_prefix(b"\"").unwrap_or(start.trim_ascii());
            let count = digits.get(2 * HEADER_BYTES..2 * HEADER_BYTES + 2);
            count.and_then(|digits| const_hex::decode_to_array::<_, 1>(digits).ok()).map(|[count]| count)
        }
    };
    // Of one that ends before, its end is said later.
    count.is_some_and(|count| count != 1)
}

/// What is said of a file that a node keeps in its folder of blocks.
fn node_file(path: &Path) -> Option<String> {
    let name = stem(path)?;
    let number = |kind: &str| name.strip_prefix(kind)?.strip_suffix(".dat")?.parse::<u32>().ok();
    if name != "xor.dat" && number("blk").or(number("rev")).is_none() {
        return None;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(format!("a file of a node's folder: give the folder, {}", folder.display()))
}

/// A file's name without the ending of what packs it.
fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    Some(name.strip_suffix(".zst").unwrap_or(name))
}

/// The name of a block, which begins that of what it spends.
fn base(path: &Path) -> &str {
    let name = stem(path).unwrap_or_default();
    [".raw", ".hex", ".json"].into_iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// The file beside a block's that holds what the block spends. Fails if there are two.
pub(super) fn spent_file(block: &Path) -> Result<Option<PathBuf>, RunError> {
    let name = stem(block).unwrap_or_default();
    if SPENT_ENDINGS.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
        return Err(RunError::new("holds what a block spends: give the file of the block"));
    }
    let mut found = spent_names(block).filter(|path| path.exists());
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => {
            let [first, second] = [first, second].map(|path| path.display().to_string());
            Err(RunError::new(format!("both {first} and {second} say what it spends: keep one of them")))
        }
        (found, _) => Ok(found),
    }
}

/// The names that the file of what a block spends may have.
pub(super) fn spent_names(block: &Path) -> impl Iterator<Item = PathBuf> {
    SPENT_ENDINGS.iter().map(|ending| block.with_file_name(format!("{}.{ending}", base(block))))
}

/// Opens a regular file, or a link to one: to open a pipe would wait for its writer.
fn open_regular(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(path)
}

/// The bytes of a file, unpacked, up to a number.
fn some_unpacked(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = open_regular(path)?;
    (&mut file).take(most).read_to_end(&mut bytes)?;
    if bytes.starts_with(&ZSTD_MAGIC) {
        let packed = std::mem::take(&mut bytes);
        let decoder = zstd::stream::read::Decoder::new((&packed[..]).chain(file))?;
        decoder.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The first bytes of a file, unpacked. What keeps it from being read is said when it is read.
fn prefix(path: &Path) -> Vec<u8> {
    some_unpacked(path, FORM_BYTES as u64).unwrap_or_default()
}

/// A file's bytes, unpacked. Fails if they are more than `most`.
fn unpacked(path: &Path, most: u64) -> Result<Vec<u8>, RunError> {
    let name = path.display().to_string();
    let bytes = some_unpacked(path, most + 1).map_err(|error| RunError::of(error).about(&name))?;
    if bytes.len() as u64 > most {
        return Err(RunError::new(format!("has more than {most} bytes")).about(&name));
    }
    Ok(bytes)
}
