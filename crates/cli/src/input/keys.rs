//! Which keys of JSON lines matter, and by which names the roles go.

use std::borrow::Cow;
use std::fmt;

use arrow_schema::DataType;
use phalanx_rows::{ColumnNames, EventKey, Job, Names, Role, RowJob};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::non_finite::finite;
use super::readable::readable;
use super::relay::RelayMessage;
use super::{KeptColumn, relay};

/// How many keys of a line are remembered for the next one. A line may have a million.
const REMEMBERED: usize = 64;

/// How long a name may be to be remembered.
const REMEMBERED_NAME: usize = 64;

/// Which keys matter.
pub(crate) struct Keys {
    names: Names,
    /// What rows are for, if they are judged by roles at all.
    job: Option<Job>,
    /// The keys whose values are passed through: the id's, then those of `--keep` unless they are there already.
    pub(super) kept: Vec<Option<String>>,
}

impl Keys {
    /// Learns from a first line by which names the roles go, as far as it shows them.
    pub(super) fn new(names: &Names, job: Option<Job>, first: &[u8], columns: &mut ColumnNames) -> Keys {
        let first = readable(first, "\\\\x").unwrap_or_default();
        let first = finite(&first).map_or(first, Cow::Owned);
        let first = match relay::is_array(first.as_bytes()) {
            false => Some(&*first),
            true => match relay::read(&first) {
                Ok(RelayMessage::Event(event)) => Some(event),
                _ => None,
            },
        };
        let mut found = Found { names, columns: columns.clone(), best: [(usize::MAX, true); Role::COUNT] };
        if let Some(text) = first
            && serde_json::Deserializer::from_str(text).deserialize_map(&mut found).is_ok()
        {
            *columns = found.columns;
        }
        let mut keys = Keys { names: names.clone(), job, kept: Vec::new() };
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

    /// Whether rows are judged by what stands in this role.
    pub(super) fn reads(&self, role: Role) -> bool {
        self.job.is_some_and(|job| job.reads(role))
    }

    /// What is asked of each row. Only then may a line be an event.
    pub(super) fn asked(&self) -> Option<RowJob> {
        match self.job {
            Some(Job::Rows(asked)) => Some(asked),
            Some(Job::Sum) | None => None,
        }
    }

    fn key(&self, name: &str) -> Key {
        Key {
            role: self.names.role_of(name),
            kept: self.kept.iter().position(|kept| kept.as_deref() == Some(name)),
            event: EventKey::called(name),
        }
    }
}

/// What a key is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) role: Option<(Role, usize)>,
    pub(super) kept: Option<usize>,
    pub(super) event: Option<EventKey>,
}

/// The names by which the roles go in one object.
struct Found<'n> {
    names: &'n Names,
    columns: ColumnNames,
    /// How much each of them is preferred; of equals, a name in the common case of letters.
    best: [(usize, bool); Role::COUNT],
}

impl<'de> Visitor<'de> for &mut Found<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some((name, IgnoredAny)) = map.next_entry::<String, _>()? {
            if let Some((role, rank)) = self.names.role_of(&name)
                && let preference = (rank, !role.names().contains(&name.as_str()))
                && preference < self.best[role as usize]
            {
                self.best[role as usize] = preference;
                self.columns[role as usize] = name;
            }
        }
        Ok(())
    }
}

/// The first keys of the last line, in its order: the next line most likely has the same.
#[derive(Default)]
pub(super) struct Recent {
    known: Vec<(String, Key)>,
}

impl Recent {
    fn find(&mut self, place: usize, name: &str, keys: &Keys) -> Key {
        if let Some((known, key)) = self.known.get(place)
            && known == name
        {
            return *key;
        }
        let key = keys.key(name);
        if name.len() <= REMEMBERED_NAME {
            if let Some(known) = self.known.get_mut(place) {
                *known = (name.to_owned(), key);
            } else if place == self.known.len() && place < REMEMBERED {
                self.known.push((name.to_owned(), key));
            }
        }
        key
    }
}

/// Reads the name of a key and says what the key is to us.
pub(super) struct KeyName<'k> {
    /// How many keys stand before it.
    pub(super) place: usize,
    pub(super) keys: &'k Keys,
    pub(super) recent: &'k mut Recent,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(first: &str) -> (Keys, ColumnNames) {
        let mut columns = Role::ALL.map(|role| role.name().to_owned());
        (Keys::new(&Names::default(), Some(Job::VERIFY), first.as_bytes(), &mut columns), columns)
    }

    #[test]
    fn what_is_remembered_of_a_line_is_bounded() {
        let (keys, _) = keys("");
        let mut recent = Recent::default();
        let long = "x".repeat(1 << 20);
        for round in 0..3 {
            for place in 0..10_000 {
                let name = if place % 7 == 3 { &long } else { &format!("{round} {place}") };
                assert_eq!(recent.find(place, name, &keys), keys.key(name));
                assert_eq!(recent.find(place, "SIG", &keys).role, Some((Role::Signature, 0)));
            }
        }
        let bytes: usize = recent.known.iter().map(|(name, _)| name.capacity()).sum();
        assert!(recent.known.len() <= REMEMBERED && bytes <= REMEMBERED * REMEMBERED_NAME, "{bytes} bytes");
    }

    #[test]
    fn names_are_learned_from_an_object_or_a_message() {
        for first in [
            "\n{\"ID\":1,\"hash\":1,\"signature\":\"\",\"id\":2}",
            "[\"EVENT\",{\"signature\":[],\"hash\":1,\"id\":2,\"Id\":3}]",
        ] {
            let (keys, columns) = keys(first);
            assert_eq!((&*columns[Role::Id as usize], &*columns[Role::Signature as usize]), ("id", "signature"));
            assert_eq!(keys.kept, [Some("id".to_owned())]);
        }
        for first in ["", "{\"hash\":1", "[\"NOTICE\",{\"hash\":1}]", "[{\"hash\":1}]", "\"hash\""] {
            assert_eq!(keys(first).1[Role::Id as usize], "id", "{first}");
        }
        assert_eq!(keys("{\"Hash\":1}").1[Role::Id as usize], "Hash");
    }
}
