//! Where the recovery ids of signatures of 65 bytes seem to stand, over the rows of a table.
//!
//! A signature has its id behind r and s or, as Bitcoin's messages have it (BIP-137), in a header in front. Some programs
//! put an id of 0 to 3 in front as it is. Read in the wrong way, a signature has another r and s, and recovery finds a
//! key that is not the signer's. One row cannot tell: of signatures with the id behind, one in 13 begins with a byte that
//! could be a header or an id, and of those with it in front, one in 32 ends with a byte that could be an id. So rows are
//! read as the caller says, each by itself, and counted:
//!
//! - rows that can be read only as the caller says;
//! - rows that can be read only the other way, whose verdict is `out_of_range`;
//! - rows that can be read both ways, whose key was found, and which do not say what key or address to expect.
//!
//! A table is refused as a whole if it has rows of the third kind, and rows of the second kind, at least as many as of
//! the first. If all rows are of the third kind, nothing decides, and a hint says so unless the caller has named a place.

use crate::policy::RecoveryIds;

/// How many signatures of 65 bytes can be read in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdPlaces {
    /// Only as the caller says.
    as_said: u64,
    /// Only with the id at the other end.
    elsewhere: u64,
    /// Both ways, where a key was found and nothing says whether it is the right one.
    either: u64,
    /// By EIP-155 alone, with the id behind.
    eip155: u64,
}

/// In which ways one signature of 65 bytes can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdPlace {
    AsSaid,
    Elsewhere,
    Either,
    Eip155,
    /// In none.
    Nowhere,
}

/// Who reads a message: options are written as the command or as Python has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// `--der lax`
    Command,
    /// `der="lax"`
    Python,
}

impl Reader {
    /// An option and its value.
    pub fn option(self, name: &str, value: &str) -> String {
        match self {
            Reader::Command => format!("--{name} {value}"),
            Reader::Python => format!("{name}=\"{value}\""),
        }
    }
}

impl IdPlace {
    /// Of a signature of 65 bytes.
    pub(crate) fn of(signature: &[u8; 65], ids: RecoveryIds) -> IdPlace {
        let [front, .., behind] = *signature;
        let front_is_header = matches!(front, 0..=3 | 27..=42);
        let behind_is_id = matches!(behind, 0..=3 | 27..=30) || (ids == RecoveryIds::Eip155 && behind >= 35);
        let (said, other) = match ids {
            RecoveryIds::Header => (front_is_header, behind_is_id),
            _ => (behind_is_id, front_is_header),
        };
        match (said, other) {
            (true, true) => IdPlace::Either,
            (true, false) => IdPlace::AsSaid,
            (false, true) => IdPlace::Elsewhere,
            (false, false) if behind >= 35 => IdPlace::Eip155,
            (false, false) => IdPlace::Nowhere,
        }
    }

    /// The same, where the key that was found is the one that the row expects.
    pub(crate) fn confirmed(self) -> IdPlace {
        if self == IdPlace::Either { IdPlace::AsSaid } else { self }
    }
}

impl IdPlaces {
    /// Counts a row; one that can be read both ways only if it is `answered` by a key.
    pub(crate) fn count(&mut self, place: IdPlace, answered: bool) {
        match place {
            IdPlace::AsSaid => self.as_said += 1,
            IdPlace::Elsewhere => self.elsewhere += 1,
            IdPlace::Either => self.either += u64::from(answered),
            IdPlace::Eip155 => self.eip155 += 1,
            IdPlace::Nowhere => {}
        }
    }

    /// Counts the rows of another part of the table too.
    pub fn add(&mut self, more: &IdPlaces) {
        self.as_said += more.as_said;
        self.elsewhere += more.elsewhere;
        self.either += more.either;
        self.eip155 += more.eip155;
    }

    /// Why the table is refused as a whole, if it is: keys that were found would likely be wrong.
    pub fn refusal(&self, ids: RecoveryIds, reader: Reader) -> Option<String> {
        (self.either > 0 && self.elsewhere > 0 && self.elsewhere >= self.as_said).then(|| self.elsewhere(ids, reader))
    }

    /// What to say of the table as a whole, if anything: which option may read rows that were refused, or that nothing
    /// tells where the ids stand, if the caller has not `told` it.
    pub fn hint(&self, ids: RecoveryIds, told: bool, reader: Reader) -> Option<String> {
        let eip155 = self.eip155 > self.elsewhere && ids != RecoveryIds::Header;
        if eip155 {
            let option = reader.option("v", "eip155");
            let rows = signatures(self.eip155);
            return Some(format!("the last byte of {rows} of 65 bytes is 35 or above: {option} accepts it"));
        }
        if self.elsewhere > 0 {
            return Some(self.elsewhere(ids, reader));
        }
        (self.either > 0 && self.as_said == 0 && !told).then(|| {
            let (last, header) = (reader.option("v", "last"), reader.option("v", "header"));
            format!(
                "{} of 65 bytes can be read both with the recovery id at the end ({last}) and with a header in front \
                 ({header}), and each gives another key",
                signatures(self.either)
            )
        })
    }

    fn elsewhere(&self, ids: RecoveryIds, reader: Reader) -> String {
        let rows = signatures(self.elsewhere);
        let text = match ids {
            RecoveryIds::Header => {
                let option = reader.option("v", "last");
                format!("the recovery id seems to stand at the end of {rows} of 65 bytes: try {option}")
            }
            _ => {
                let option = reader.option("v", "header");
                format!("the recovery id seems to stand in front of {rows} of 65 bytes (BIP-137): try {option}")
            }
        };
        match self.either {
            0 => text,
            1 => format!("{text}; 1 valid row can be read both ways, and its key may be wrong"),
            either => format!("{text}; {either} valid rows can be read both ways, and their keys may be wrong"),
        }
    }
}

fn signatures(count: u64) -> String {
    if count == 1 { "1 signature".to_owned() } else { format!("{count} signatures") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(front: u8, behind: u8, ids: RecoveryIds) -> IdPlace {
        let mut signature = [77; 65];
        (signature[0], signature[64]) = (front, behind);
        IdPlace::of(&signature, ids)
    }

    #[test]
    fn either_end_may_hold_the_id() {
        use IdPlace::*;
        for (front, behind, last, eip155, header) in [
            (26, 0, AsSaid, AsSaid, Elsewhere),
            (4, 0, AsSaid, AsSaid, Elsewhere),
            (3, 0, Either, Either, Either),
            (43, 30, AsSaid, AsSaid, Elsewhere),
            (27, 4, Elsewhere, Elsewhere, AsSaid),
            (42, 34, Elsewhere, Elsewhere, AsSaid),
            (31, 35, Elsewhere, Either, AsSaid),
            (31, 3, Either, Either, Either),
            (0, 35, Elsewhere, Either, AsSaid),
            (0, 34, Elsewhere, Elsewhere, AsSaid),
            (4, 35, Eip155, AsSaid, Eip155),
            (4, 34, Nowhere, Nowhere, Nowhere),
        ] {
            let found =
                [RecoveryIds::Last, RecoveryIds::Eip155, RecoveryIds::Header].map(|ids| place(front, behind, ids));
            assert_eq!(found, [last, eip155, header], "{front}, {behind}");
            assert_eq!(place(front, behind, RecoveryIds::Eip2098), last);
        }
    }

    #[test]
    fn a_table_is_refused_if_most_rows_say_so_and_some_key_is_in_doubt() {
        let of = |as_said, elsewhere, either| IdPlaces { as_said, elsewhere, either, eip155: 0 };
        let refused = |places: IdPlaces| places.refusal(RecoveryIds::Last, Reader::Command).is_some();
        assert!(refused(of(0, 1, 1)) && refused(of(5, 5, 1)));
        for places in [of(0, 0, 1), of(9, 0, 9), of(6, 5, 9), of(0, 9, 0), of(0, 0, 0)] {
            assert!(!refused(places), "{places:?}");
        }
    }

    #[test]
    fn hints_name_the_option_that_helps() {
        let hint = |places: IdPlaces, ids| places.hint(ids, false, Reader::Command).unwrap_or_default();
        let none = IdPlaces::default();
        for (places, ids, option) in [
            (IdPlaces { elsewhere: 2, eip155: 2, ..none }, RecoveryIds::Last, "--v header"),
            (IdPlaces { elsewhere: 1, eip155: 2, ..none }, RecoveryIds::Last, "--v eip155"),
            (IdPlaces { elsewhere: 1, as_said: 9, ..none }, RecoveryIds::Header, "--v last"),
            (IdPlaces { either: 1, ..none }, RecoveryIds::Last, "--v header"),
        ] {
            assert!(hint(places, ids).contains(option), "{places:?}: {}", hint(places, ids));
        }
        for places in [none, IdPlaces { either: 1, as_said: 1, ..none }, IdPlaces { as_said: 9, ..none }] {
            assert_eq!(hint(places, RecoveryIds::Last), "", "{places:?}");
        }
        let undecided = IdPlaces { either: 1, ..none };
        assert_eq!(undecided.hint(RecoveryIds::Last, true, Reader::Command), None);
        let places = IdPlaces { elsewhere: 1, ..none };
        assert!(places.hint(RecoveryIds::Last, false, Reader::Python).unwrap().contains("v=\"header\""));
    }
}
