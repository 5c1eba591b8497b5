//! Where extended keys come from: the command line, for public keys alone; and files, a key a line.

use std::fs::File;
use std::io;
use std::sync::Arc;

use phalanx_bip32::{DerivationPath, Error, ExtendedPublicKey, KeyExpression, ScriptKind};

use super::DeriveAnswer;
use super::key_lines::{KeyLine, KeyLines};
use super::options::IndexRange;
use crate::exit::RunError;
use crate::pipeline::Feed;
use crate::process::{HiddenInput, standard};

/// Children that are derived together.
const MOST_CHILDREN: u32 = 4096;
/// About the bytes that a child takes in all its forms, while it waits.
const CHILD_BYTES: usize = 512;
/// The fewest letters of what is meant as a key: most of one.
const KEY_LETTERS: usize = 40;
/// What a terminal is asked for.
const PROMPT: &str = "extended keys, one a line (not shown), and Ctrl-D at the end:\n";

pub(super) type KeyFeed = Feed<ChildJob, DeriveAnswer, ()>;

/// Some children of a key.
pub(super) struct Part {
    /// The number of the key in the order of the input.
    pub(super) number: u64,
    pub(super) key: Arc<ExtendedPublicKey>,
    pub(super) range: IndexRange,
    /// Whether these are the first that are asked of the key.
    pub(super) first: bool,
}

/// Children to derive together.
pub(super) struct ChildJob(pub(super) Vec<Part>);

/// What is asked of each key.
pub(super) struct Wanted {
    pub(super) path: DerivationPath,
    pub(super) range: IndexRange,
    pub(super) kind: Option<ScriptKind>,
}

impl Wanted {
    /// The number of children of a key.
    pub(super) fn count(&self) -> u64 {
        u64::from(self.range.last - self.range.first) + 1
    }
}

/// A place that keys come from.
pub(super) enum KeySource {
    /// A key, and how it was written.
    Key(Box<KeyExpression>, String),
    File(String, HiddenInput),
}

impl KeySource {
    /// Reads an extended public key, or opens the file of this name.
    pub(super) fn open(text: &str) -> Result<KeySource, RunError> {
        let wrong = match text.parse::<KeyExpression>() {
            // Refused before.
            Ok(key) => return Ok(KeySource::Key(Box::new(key), text.to_owned())),
            Err(wrong) => wrong,
        };
        let (name, file) = match text {
            "-" => ("standard input", standard::input_to_read()),
            path => (path, File::open(path)),
        };
        match file.and_then(|file| HiddenInput::new(file, PROMPT)) {
            Ok(file) => Ok(KeySource::File(name.to_owned(), file)),
            Err(error)
                if error.kind() == io::ErrorKind::NotFound && (wrong != Error::BadText || has_key(text, "pub")) =>
            {
                Err(RunError::of(wrong).about(text))
            }
            Err(error) => Err(RunError::of(error).about(name)),
        }
    }

    /// Whether it is one key.
    pub(super) fn is_key(&self) -> bool {
        matches!(self, KeySource::Key(..))
    }
}

/// Whether some letters and digits in a row begin as an extended key of this kind, whatever the first letter is.
fn has_key(text: &str, kind: &str) -> bool {
    let mut runs = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    runs.any(|run| run.len() >= KEY_LETTERS && run.get(1..4).is_some_and(|letters| letters.eq_ignore_ascii_case(kind)))
}

/// Fails if a secret key is on the command line, or standard input is named twice.
pub(super) fn refuse(keys: &[String]) -> Result<(), RunError> {
    let is_secret = |key: &String| has_key(key, "prv") || key.parse().is_ok_and(|key: KeyExpression| key.is_secret());
    if keys.iter().any(is_secret) {
        let refused = "an extended secret key is read from a file or standard input, and never taken from the command \
                       line, which others can see";
        return Err(RunError::new(refused));
    }
    if keys.iter().filter(|key| *key == "-").count() > 1 {
        return Err(RunError::new("standard input can be read only once"));
    }
    Ok(())
}

/// Reads the keys of all places, and hands on the children that are asked of them, until nobody takes them.
pub(super) fn feed(sources: Vec<KeySource>, wanted: &Wanted, feed: &mut KeyFeed) {
    let mut feeding = Feeding { feed, wanted, number: 0, parts: Vec::new(), children: 0, hinted: false };
    let done = sources.into_iter().try_for_each(|source| match source {
        KeySource::Key(key, text) => feeding.key(Ok(*key), || text.clone()),
        KeySource::File(name, file) => feeding.file(&name, KeyLines::new(file)),
    });
    if done.is_some() {
        let _ = feeding.hand_on();
    }
}

struct Feeding<'a> {
    feed: &'a mut KeyFeed,
    wanted: &'a Wanted,
    /// The number of the next key.
    number: u64,
    /// What waits to be handed on, and how many children these are.
    parts: Vec<Part>,
    children: u32,
    /// Whether it has been said that keys name kinds of addresses, and none was asked for.
    hinted: bool,
}

impl Feeding<'_> {
    /// The keys of a file. None when nobody takes them.
    fn file(&mut self, name: &str, mut lines: KeyLines) -> Option<()> {
        let mut line = 0u64;
        loop {
            line += 1;
            let key = match lines.next() {
                Ok(None) => return Some(()),
                Ok(Some(KeyLine::Text(text))) => {
                    let text = text.trim_ascii();
                    if text.is_empty() || text[0] == b'#' {
                        continue;
                    }
                    str::from_utf8(text).map_err(|_| Error::BadText).and_then(str::parse)
                }
                Ok(Some(KeyLine::TooLong)) => Err(Error::BadText),
                Err(error) => {
                    let failure = RunError::of(error).about(name);
                    return self.feed.answer(DeriveAnswer::Failed(failure)).then_some(());
                }
            };
            self.key(key, || format!("{name}, line {line}"))?;
        }
    }

    /// The children of a key that are asked for, or what is wrong with it.
    fn key(&mut self, key: Result<KeyExpression, Error>, place: impl Fn() -> String) -> Option<()> {
        let number = self.number;
        self.number += 1;
        let IndexRange { first, last } = self.wanted.range;
        if let (Ok(Some(kind)), None, false) = (key.as_ref().map(KeyExpression::kind), self.wanted.kind, self.hinted) {
            self.hinted = true;
            let (place, kind) = (place(), kind.name());
            let hint = format!("{place}: is for {kind} addresses; --address {kind} prints them");
            self.feed.answer(DeriveAnswer::Hint(hint)).then_some(())?;
        }
        let parent = key.and_then(|key| key.parent(&self.wanted.path, self.wanted.kind));
        let key = match parent.and_then(|key| key.rows(first..last + 1).map(drop).map(|()| key)) {
            Ok(key) => Arc::new(key),
            Err(error) => return self.feed.answer(DeriveAnswer::Fault(format!("{}: {error}", place()))).then_some(()),
        };
        let mut next = first;
        loop {
            let count = (last - next + 1).min(MOST_CHILDREN - self.children);
            let range = IndexRange { first: next, last: next + (count - 1) };
            self.parts.push(Part { number, key: Arc::clone(&key), range, first: next == first });
            self.children += count;
            if self.children == MOST_CHILDREN {
                self.hand_on()?;
            }
            if range.last == last {
                return Some(());
            }
            next = range.last + 1;
        }
    }

    /// Hands on what waits.
    fn hand_on(&mut self) -> Option<()> {
        let weight = self.children as usize * CHILD_BYTES;
        self.children = 0;
        let parts = std::mem::take(&mut self.parts);
        (parts.is_empty() || self.feed.put(ChildJob(parts), weight)).then_some(())
    }
}
