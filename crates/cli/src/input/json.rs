//! JSON lines: one object a line, read from the line's own bytes; Nostr events among them.

use std::fmt;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::DataType;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{KeptColumn, nostr};
use crate::batch::{Batch, Numbers, Origin};
use crate::cells::{Cells, Packed};
use crate::columns::{Job, Names, Role};
use crate::fault::{Fault, Outcome};
use crate::recovery_id;

/// The keys of a Nostr event beside those that have a role.
const EVENT_KEYS: [&str; 4] = ["created_at", "kind", "tags", "content"];

/// Which keys matter.
pub(super) struct Keys {
    names: Names,
    /// The keys whose values are passed through: the id's, then those of `--keep` unless they are there already.
    kept: Vec<Option<String>>,
}

impl Keys {
    /// Learns from a first line by which names the roles go, as far as it shows them.
    pub(super) fn new(names: &Names, first: &[u8], columns: &mut [String; Role::COUNT]) -> Keys {
        let mut keys = Keys { names: names.clone(), kept: Vec::new() };
        let mut recent = Recent::default();
        let mut line = Line::default();
        if let Ok(text) = std::str::from_utf8(first)
            && line.read(text, &keys, &mut recent).is_ok()
        {
            let mut best = [usize::MAX; Role::COUNT];
            for (name, key) in &recent.known {
                if let Some((role, rank)) = key.role
                    && rank < best[role as usize]
                {
                    best[role as usize] = rank;
                    name.clone_into(&mut columns[role as usize]);
                }
            }
        }
        keys.kept.push(Some(columns[Role::Id as usize].clone()));
        for name in &names.keep {
            let known = keys.kept.iter().flatten().any(|kept| kept == name);
            keys.kept.push((!known).then(|| name.clone()));
        }
        keys
    }

    pub(super) fn kept(&self) -> Vec<Option<KeptColumn>> {
        let column = |name: &String| KeptColumn { name: name.clone(), data_type: DataType::Utf8 };
        self.kept.iter().map(|name| name.as_ref().map(column)).collect()
    }

    fn key(&self, name: &str) -> Key {
        Key {
            role: self.names.role_of(name),
            kept: self.kept.iter().position(|kept| kept.as_deref() == Some(name)),
            event: EVENT_KEYS.iter().position(|key| *key == name),
        }
    }
}

/// What a key is to us.
#[derive(Clone, Copy)]
struct Key {
    role: Option<(Role, usize)>,
    kept: Option<usize>,
    event: Option<usize>,
}

/// The keys of the last line, in its order: the next line most likely has the same.
#[derive(Default)]
struct Recent {
    known: Vec<(String, Key)>,
}

impl Recent {
    fn find(&mut self, place: usize, name: &str, keys: &Keys) -> Key {
        match self.known.get(place) {
            Some((known, key)) if known == name => *key,
            _ => {
                let key = keys.key(name);
                self.known.truncate(place);
                if self.known.len() == place {
                    self.known.push((name.to_owned(), key));
                }
                key
            }
        }
    }
}

/// The tokens of one object that matter.
#[derive(Default)]
struct Line<'a> {
    roles: [Option<(&'a str, usize)>; Role::COUNT],
    event: [Option<&'a str>; EVENT_KEYS.len()],
    kept: Vec<Option<&'a str>>,
    twice: Option<Outcome>,
}

impl<'a> Line<'a> {
    /// Reads an object; fails when the text is anything else.
    fn read(&mut self, text: &'a str, keys: &Keys, recent: &mut Recent) -> Result<(), serde_json::Error> {
        self.roles = [None; Role::COUNT];
        self.event = [None; EVENT_KEYS.len()];
        self.twice = None;
        self.kept.clear();
        self.kept.resize(keys.kept.len(), None);
        let mut json = serde_json::Deserializer::from_str(text);
        json.deserialize_map(Object { line: self, keys, recent })?;
        json.end()
    }

    fn take(&mut self, key: Key, token: &'a str) {
        if let Some((role, rank)) = key.role {
            let slot = &mut self.roles[role as usize];
            match slot {
                Some((_, known)) if *known < rank => {}
                Some((_, known)) if *known == rank => self.twice = Some(Outcome::malformed(Some(role), Fault::Twice)),
                _ => *slot = Some((token, rank)),
            }
        }
        if let Some(part) = key.event
            && self.event[part].replace(token).is_some()
        {
            self.twice = Some(Outcome::malformed(None, Fault::Twice));
        }
        if let Some(kept) = key.kept {
            self.kept[kept] = Some(token);
        }
    }

    fn token(&self, role: Role) -> Option<&'a str> {
        self.roles[role as usize].map(|(token, _)| token)
    }

    /// The line as a Nostr event, if it is meant to be one.
    fn nostr(&self) -> Option<Result<nostr::Event<'a>, Fault>> {
        let signed = self.token(Role::Digest).is_some() || self.token(Role::Message).is_some();
        if signed || self.event.iter().all(Option::is_none) {
            return None;
        }
        let [Some(created_at), Some(kind), Some(tags), Some(content)] = self.event else {
            return Some(Err(Fault::NotEvent));
        };
        let pubkey = self.token(Role::PublicKey)?;
        Some(Ok(nostr::Event { pubkey, created_at, kind, tags, content }))
    }
}

struct Object<'l, 'k, 'a> {
    line: &'l mut Line<'a>,
    keys: &'k Keys,
    recent: &'k mut Recent,
}

impl<'de> Visitor<'de> for Object<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let Object { line, keys, recent } = self;
        let mut place = 0;
        while let Some(key) = map.next_key_seed(KeyName { place, keys, recent })? {
            place += 1;
            if key.role.is_some() || key.kept.is_some() || key.event.is_some() {
                line.take(key, map.next_value::<&RawValue>()?.get());
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct KeyName<'k> {
    place: usize,
    keys: &'k Keys,
    recent: &'k mut Recent,
}

impl<'de> DeserializeSeed<'de> for KeyName<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Key, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyName<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, name: &str) -> Result<Key, E> {
        Ok(self.recent.find(self.place, name, self.keys))
    }
}

/// Columns that grow line by line.
struct Columns {
    rows: usize,
    roles: Vec<(Role, Packed)>,
    kept: Vec<StringBuilder>,
    settled: Vec<(usize, Outcome)>,
    stale: Vec<usize>,
    scratch: Vec<u8>,
}

impl Columns {
    fn push(&mut self, line: &Line<'_>, job: Job) {
        let mut signed = None;
        if let (Job::Verify, Some(event)) = (job, line.nostr()) {
            match event.map_err(|fault| (None, fault)).and_then(|event| self.event(line, event)) {
                Ok(id) => signed = Some(id),
                Err((column, fault)) => self.settled.push((self.rows, Outcome::malformed(column, fault))),
            }
        }
        if let Some(outcome) = line.twice {
            match self.settled.last_mut() {
                Some((row, settled)) if *row == self.rows => *settled = outcome,
                _ => self.settled.push((self.rows, outcome)),
            }
        }
        for (role, column) in &mut self.roles {
            match (*role, &signed) {
                (Role::Scheme, Some(_)) => column.push(b"schnorr"),
                (Role::Digest, Some(id)) => column.push(id),
                _ => push(column, *role, line.token(*role)),
            }
        }
        for (column, token) in self.kept.iter_mut().zip(&line.kept) {
            column.append_option(token.filter(|token| *token != "null"));
        }
        self.rows += 1;
    }

    /// The event's true id; notes when the declared one differs.
    fn event(&mut self, line: &Line<'_>, event: nostr::Event<'_>) -> Result<[u8; 32], (Option<Role>, Fault)> {
        let mut declared = Packed::default();
        push(&mut declared, Role::Id, line.token(Role::Id));
        let declared = declared.get(0).map_err(|fault| (Some(Role::Id), fault))?;
        if declared.len() != 32 {
            return Err((Some(Role::Id), Fault::WrongLength));
        }
        let id = nostr::id(event, declared, &mut self.scratch).map_err(|fault| (None, fault))?;
        if id != *declared {
            self.stale.push(self.rows);
        }
        Ok(id)
    }

    fn push_broken(&mut self, fault: Fault) {
        self.settled.push((self.rows, Outcome::malformed(None, fault)));
        for (_, column) in &mut self.roles {
            column.push_fault(fault);
        }
        for column in &mut self.kept {
            column.append_null();
        }
        self.rows += 1;
    }
}

fn push(column: &mut Packed, role: Role, token: Option<&str>) {
    let Some(token) = token else {
        return column.push_fault(Fault::Absent);
    };
    let string = token.strip_prefix('"').and_then(|token| token.strip_suffix('"'));
    match (role, string) {
        _ if token == "null" => column.push_fault(Fault::Null),
        (_, Some(escaped)) if escaped.contains('\\') => match serde_json::from_str::<String>(token) {
            Ok(text) => push_text(column, role, &text),
            Err(_) => column.push_fault(Fault::NotText),
        },
        (_, Some(text)) => push_text(column, role, text),
        (Role::V, None) => column.push_id(recovery_id::from_text(token.as_bytes())),
        _ => column.push_fault(Fault::WrongType),
    }
}

fn push_text(column: &mut Packed, role: Role, text: &str) {
    match role {
        Role::Scheme => column.push(text.as_bytes()),
        Role::V => column.push_id(recovery_id::from_text(text.as_bytes())),
        _ => column.push_hex(role, text.as_bytes()),
    }
}

/// Turns lines into rows; empty lines are none.
pub(super) fn decode(text: &[u8], keys: &Keys, origin: Arc<Origin>, first_line: u64, job: Job) -> Batch {
    let roles = Role::ALL.into_iter().filter(|role| job.reads(*role));
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text).chain([text.len()]).collect();
    let expected = ends.len();
    let mut columns = Columns {
        rows: 0,
        roles: roles.map(|role| (role, Packed::with_capacity(expected))).collect(),
        kept: keys.kept.iter().map(|_| StringBuilder::with_capacity(expected, expected * 64)).collect(),
        settled: Vec::new(),
        stale: Vec::new(),
        scratch: Vec::new(),
    };
    let mut recent = Recent::default();
    let mut line = Line::default();
    let mut numbers = Vec::with_capacity(expected);
    let mut start = 0;
    for (number, end) in (first_line..).zip(ends) {
        let bytes = &text[start..end];
        start = (end + 1).min(text.len());
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        numbers.push(number);
        match std::str::from_utf8(bytes) {
            Err(_) => columns.push_broken(Fault::NotText),
            Ok(text) => match line.read(text, keys, &mut recent) {
                Ok(()) => columns.push(&line, job),
                Err(_) => columns.push_broken(Fault::NotObject),
            },
        }
    }
    let mut cells = Role::ALL.map(|_| Cells::Absent);
    for (role, column) in columns.roles {
        cells[role as usize] = Cells::Packed(column);
    }
    Batch {
        origin,
        rows: columns.rows,
        numbers: Numbers::Listed(numbers),
        cells,
        kept: columns.kept.iter_mut().map(|column| Some(Arc::new(column.finish()) as ArrayRef)).collect(),
        settled: columns.settled,
        stale: columns.stale,
    }
}
