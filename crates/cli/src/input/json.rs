//! JSON lines: one object a line, read from the line's own bytes; Nostr events among them, alone or in messages of
//! relays.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use phalanx_rows::{Cells, Outcome, Packed, Role, RowBlock, RowFault, RowJob, recovery_id_of};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::decoded::WithKept;
use super::keys::{Key, KeyName, Keys, Recent};
use super::lines::blank_lines;
use super::non_finite::{as_json, finite, original};
use super::readable::readable;
use super::relay::RelayMessage;
use super::tokens::Tokens;
use super::{ROW_BYTES, nostr, relay};

/// The tokens of one object that matter.
#[derive(Default)]
struct Line<'a> {
    roles: [Option<Named<'a>>; Role::COUNT],
    event: Tokens<'a>,
    /// Whether the object stands in an event's place, whatever its keys.
    in_message: bool,
    kept: Vec<Option<&'a str>>,
    /// A role that the object contradicts itself about.
    refused: Option<(Role, RowFault)>,
    /// Whether some tokens may be no JSON.
    has_words: bool,
}

/// What an object says of a role.
#[derive(Clone, Copy)]
struct Named<'a> {
    token: &'a str,
    /// A bit for each rank of the names under which it stands.
    ranks: u32,
}

/// A text that is neither an object nor a message.
#[derive(Debug)]
struct NotRead;

impl<'a> Line<'a> {
    /// Reads an object, or the event in a message where a line may be one. `false` is a message without an event.
    ///
    /// Fails when the text is anything else.
    fn read(&mut self, text: &'a str, keys: &Keys, recent: &mut Recent) -> Result<bool, NotRead> {
        self.in_message = keys.asked().is_some() && relay::is_array(text.as_bytes());
        // A parser that fails takes as long as for a row, and a file may be full of such lines.
        let ends = if self.in_message { ['[', ']'] } else { ['{', '}'] };
        let inside = text.trim_ascii();
        if inside.len() < 2 || !inside.starts_with(ends[0]) || !inside.ends_with(ends[1]) {
            return Err(NotRead);
        }
        match self.parse(text, text, keys, recent) {
            Err(NotRead) => {
                let json = finite(text).ok_or(NotRead)?;
                let read = self.parse(text, &json, keys, recent);
                self.has_words = true;
                read
            }
            read => read,
        }
    }

    /// Reads a text by way of `json`, which is the same, or what [`finite`] makes of it.
    fn parse(&mut self, text: &'a str, json: &str, keys: &Keys, recent: &mut Recent) -> Result<bool, NotRead> {
        let object = match self.in_message.then(|| relay::read(json)).transpose().map_err(|_| NotRead)? {
            Some(RelayMessage::Other) => return Ok(false),
            Some(RelayMessage::Event(event)) => event,
            None => json,
        };
        self.roles = [None; Role::COUNT];
        self.event = Tokens::default();
        self.refused = None;
        self.has_words = false;
        self.kept.clear();
        self.kept.resize(keys.kept.len(), None);
        let mut object = serde_json::Deserializer::from_str(object);
        let visitor = Object { line: self, text, json, keys, recent };
        let read = object.deserialize_map(visitor).and_then(|()| object.end());
        read.map(|()| true).map_err(|_| NotRead)
    }

    fn take(&mut self, key: Key, token: &'a str, keys: &Keys) {
        if let Some((role, rank)) = key.role {
            let (slot, rank) = (&mut self.roles[role as usize], 1 << rank);
            *slot = Some(match *slot {
                None => Named { token, ranks: rank },
                Some(known) => {
                    // The name with the lower rank comes first in the list of names.
                    let preferred = if rank < known.ranks & known.ranks.wrapping_neg() { token } else { known.token };
                    let said = if keys.reads(role) { agreed(role, known.token, token) } else { Some(preferred) };
                    if known.ranks & rank == rank {
                        self.refused.get_or_insert((role, RowFault::Twice));
                    } else if said.is_none() {
                        self.refused.get_or_insert((role, RowFault::TwoNames));
                    }
                    Named { token: said.unwrap_or(preferred), ranks: known.ranks | rank }
                }
            });
        }
        if let Some(key) = key.event {
            self.event.put(key, token);
        }
        if let Some(kept) = key.kept {
            self.kept[kept] = Some(token);
        }
    }

    fn token(&self, role: Role) -> Option<&'a str> {
        self.roles[role as usize].map(|named| named.token)
    }

    fn is_event(&self) -> bool {
        self.in_message || self.event.are_an_event()
    }
}

/// What two tokens say of a role. Null says nothing; `None` if the tokens say different things.
fn agreed<'a>(role: Role, one: &'a str, other: &'a str) -> Option<&'a str> {
    let mut values = Packed::default();
    push(&mut values, role, Some(one));
    push(&mut values, role, Some(other));
    match (values.get(0), values.get(1)) {
        (Err(RowFault::Null), _) => Some(other),
        (_, Err(RowFault::Null)) => Some(one),
        // 27 and 0 are one recovery id.
        (Ok(&[said]), Ok(&[also])) if role == Role::V => (recovery_id_of(said) == recovery_id_of(also)).then_some(one),
        (said, also) => (said == also).then_some(one),
    }
}

struct Object<'l, 'a, 'j, 'k> {
    line: &'l mut Line<'a>,
    text: &'a str,
    json: &'j str,
    keys: &'k Keys,
    recent: &'k mut Recent,
}

impl<'de> Visitor<'de> for Object<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let Object { line, text, json, keys, recent } = self;
        let mut place = 0;
        while let Some(key) = map.next_key_seed(KeyName { place, keys, recent })? {
            place += 1;
            if key.role.is_some() || key.kept.is_some() || key.event.is_some() {
                line.take(key, original(text, json, map.next_value::<&RawValue>()?.get()), keys);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Columns that grow line by line.
struct Columns {
    rows: usize,
    roles: Vec<(Role, Packed)>,
    kept: Vec<StringBuilder>,
    predecided: Vec<(usize, Outcome)>,
    id_mismatches: Vec<usize>,
    scratch: Vec<u8>,
}

impl Columns {
    fn push(&mut self, line: &Line<'_>, keys: &Keys) {
        match keys.asked().filter(|_| line.is_event()) {
            None => self.push_row(line),
            Some(RowJob::Verify) => match nostr::Event::read(&line.event, &mut self.scratch) {
                Ok(event) => self.push_event(&event),
                Err((key, fault)) => self.decide(Outcome::malformed_event(key, fault)),
            },
            Some(RowJob::Recover) => self.decide(Outcome::malformed(None, RowFault::EventWithoutKey)),
        }
        for (column, token) in self.kept.iter_mut().zip(&line.kept) {
            let token = token.filter(|token| *token != "null");
            column.append_option(token.map(|token| if line.has_words { as_json(token) } else { Cow::Borrowed(token) }));
        }
        self.rows += 1;
    }

    /// An object that is judged by the columns of its roles.
    fn push_row(&mut self, line: &Line<'_>) {
        if let Some((role, fault)) = line.refused {
            return self.decide(Outcome::malformed(Some(role), fault));
        }
        self.pad();
        for (role, column) in &mut self.roles {
            push(column, *role, line.token(*role));
        }
    }

    /// An event: of what it holds under other keys nothing is read.
    fn push_event(&mut self, event: &nostr::Event<'_>) {
        if !event.is_named {
            self.id_mismatches.push(self.rows);
        }
        self.pad();
        for (role, column) in &mut self.roles {
            match role {
                Role::Scheme => column.push(b"schnorr"),
                Role::Digest => column.push(&event.id),
                Role::PublicKey => column.push_text(*role, event.public_key.as_bytes()),
                Role::Signature => column.push_text(*role, event.signature.as_bytes()),
                _ => column.push_fault(RowFault::Absent),
            }
        }
    }

    /// A row whose outcome is known before anything is computed. It has no values: [`Self::pad`] makes up for that.
    fn decide(&mut self, outcome: Outcome) {
        self.predecided.push((self.rows, outcome));
    }

    /// Gives the rows before this one that have no values a place in every column.
    fn pad(&mut self) {
        for (_, column) in &mut self.roles {
            column.pad(self.rows);
        }
    }

    /// Reads a line that is not UTF-8. Values that are passed through may have other bytes. What is judged may not: hex
    /// has none, and an event is hashed with all that its content holds.
    fn push_readable(&mut self, bytes: &[u8], keys: &Keys, recent: &mut Recent) -> Result<bool, RowFault> {
        // In a string of JSON the backslash is escaped.
        let text = readable(bytes, "\\\\x").ok_or(RowFault::NotText)?;
        let mut line = Line::default();
        match line.read(&text, keys, recent) {
            Ok(true) if !line.is_event() => {
                self.push(&line, keys);
                Ok(true)
            }
            _ => Err(RowFault::NotText),
        }
    }

    fn push_broken(&mut self, fault: RowFault) {
        self.decide(Outcome::malformed(None, fault));
        for column in &mut self.kept {
            column.append_null();
        }
        self.rows += 1;
    }
}

fn push(column: &mut Packed, role: Role, token: Option<&str>) {
    let Some(token) = token else {
        return column.push_fault(RowFault::Absent);
    };
    let string = token.strip_prefix('"').and_then(|token| token.strip_suffix('"'));
    match (role, string) {
        // Python writes NaN for what is missing.
        _ if token == "null" || token == "NaN" => column.push_fault(RowFault::Null),
        (_, Some(escaped)) if escaped.contains('\\') => match serde_json::from_str::<String>(token) {
            Ok(text) => column.push_text(role, text.as_bytes()),
            Err(_) => column.push_fault(RowFault::NotText),
        },
        (_, Some(text)) => column.push_text(role, text.as_bytes()),
        (Role::V, None) => column.push_text(role, token.as_bytes()),
        (Role::R | Role::S, None) => column.push_number(role, token.as_bytes()),
        _ => column.push_fault(RowFault::WrongType),
    }
}

/// Turns lines into rows, each with the number of its line; blank lines and messages without an event are none.
/// `expected` lines are not blank.
pub(super) fn decode(text: &[u8], expected: usize, keys: &Keys, first_line: u64) -> (WithKept<'static>, Vec<u64>) {
    let roles = Role::ALL.into_iter().filter(|role| keys.reads(*role));
    let mut columns = Columns {
        rows: 0,
        roles: roles.map(|role| (role, Packed::with_capacity(expected))).collect(),
        kept: keys.kept.iter().map(|_| StringBuilder::with_capacity(expected, expected * 64)).collect(),
        predecided: Vec::new(),
        id_mismatches: Vec::new(),
        scratch: Vec::new(),
    };
    let mut recent = Recent::default();
    let mut line = Line::default();
    let mut numbers = Vec::with_capacity(expected);
    let (mut rest, mut next) = (text, first_line);
    loop {
        let (blank, lines) = blank_lines(rest);
        let number = next + lines;
        rest = &rest[blank..];
        if rest.is_empty() {
            break;
        }
        let end = memchr::memchr(b'\n', rest);
        let bytes = &rest[..end.unwrap_or(rest.len())];
        rest = end.map_or(&[], |end| &rest[end + 1..]);
        next = number + 1;
        if bytes.trim_ascii().is_empty() && bytes.len() <= ROW_BYTES {
            continue;
        }
        let is_row = match std::str::from_utf8(bytes) {
            _ if bytes.len() > ROW_BYTES => Err(RowFault::TooLong),
            Err(_) => columns.push_readable(bytes, keys, &mut recent),
            Ok(text) => match line.read(text, keys, &mut recent) {
                Ok(true) => {
                    columns.push(&line, keys);
                    Ok(true)
                }
                Ok(false) => Ok(false),
                Err(NotRead) if relay::is_array(bytes) && keys.asked().is_some() => Err(RowFault::NotMessage),
                Err(NotRead) => Err(RowFault::NotObject),
            },
        };
        match is_row {
            Ok(true) => {}
            Ok(false) => continue,
            Err(fault) => columns.push_broken(fault),
        }
        numbers.push(number);
    }
    columns.pad();
    let mut cells = Role::ALL.map(|_| Cells::Absent);
    for (role, column) in columns.roles {
        cells[role as usize] = Cells::Packed(column);
    }
    let rows = RowBlock::new(columns.rows, cells).with_predecided(columns.predecided);
    let kept = columns.kept.iter_mut().map(|column| Some(Arc::new(column.finish()) as ArrayRef));
    ((rows.with_id_mismatches(columns.id_mismatches), kept.collect()), numbers)
}
