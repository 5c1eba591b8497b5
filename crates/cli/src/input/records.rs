//! Records of CSV, cut into fields and turned into rows by whoever computes on them.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use phalanx_rows::{Cells, ColumnPlaces, Outcome, Packed, Role, RowBlock, RowFault};

use super::decoded::WithKept;
use super::readable::readable;

/// Which fields of a record are read.
pub(crate) struct Fields {
    /// How many the header names.
    pub(super) count: usize,
    /// What stands between them.
    pub(super) delimiter: u8,
    /// Where each of them stands among those that are needed.
    slots: Vec<Option<usize>>,
    /// How many are needed.
    needed: usize,
    /// Where those stand that have a role or are passed through.
    pub(super) places: ColumnPlaces,
}

impl Fields {
    /// The fields of a header of `count` columns, of which some are needed, ascending.
    pub(super) fn new(count: usize, delimiter: u8, needed: &[usize], places: ColumnPlaces) -> Fields {
        let mut slots = vec![None; count];
        for (slot, field) in needed.iter().enumerate() {
            slots[*field] = Some(slot);
        }
        Fields { count, delimiter, slots, needed: needed.len(), places }
    }
}

/// Some thousand records.
pub(crate) enum Records {
    /// As they stood in a text without quotes, where a record is a line, a field ends at a delimiter, and an empty line
    /// is no record. The last line, too, ends in a line feed.
    Lines(Vec<u8>),
    /// Taken apart, their quotes taken off.
    Parsed(Parsed),
}

impl Records {
    /// The bytes of the records.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Records::Lines(text) => text.len(),
            Records::Parsed(parsed) => parsed.columns.iter().map(Packed::bytes).sum(),
        }
    }

    pub(super) fn parsed(&self, fields: &Fields) -> Cow<'_, Parsed> {
        match self {
            Records::Lines(text) => Cow::Owned(Parsed::of_lines(text, fields)),
            Records::Parsed(parsed) => Cow::Borrowed(parsed),
        }
    }
}

/// The needed fields of records, column by column. Short records lack fields.
#[derive(Clone)]
pub(crate) struct Parsed {
    pub(super) rows: usize,
    pub(super) columns: Vec<Packed>,
    /// Rows with more or fewer fields than the header, ascending.
    pub(super) uneven: Vec<usize>,
}

impl Parsed {
    /// No records yet, with room for some.
    pub(super) fn with_capacity(rows: usize, fields: &Fields) -> Parsed {
        let columns = (0..fields.needed).map(|_| Packed::with_capacity(rows)).collect();
        Parsed { rows: 0, columns, uneven: Vec::new() }
    }

    fn of_lines(text: &[u8], fields: &Fields) -> Parsed {
        let mut parsed = Parsed::with_capacity(0, fields);
        let (mut field, mut start) = (0, 0);
        for end in memchr::memchr2_iter(fields.delimiter, b'\n', text) {
            let last = text[end] == b'\n';
            let stop = if last && text[start..end].ends_with(b"\r") { end - 1 } else { end };
            if last && field == 0 && start == stop {
                start = end + 1;
                continue;
            }
            parsed.push(fields, field, &text[start..stop]);
            (field, start) = (field + 1, end + 1);
            if last {
                parsed.end_row(field == fields.count);
                field = 0;
            }
        }
        parsed
    }

    /// Takes a field of the record that is being read, if it is needed.
    pub(super) fn push(&mut self, fields: &Fields, place: usize, value: &[u8]) {
        if let Some(Some(slot)) = fields.slots.get(place) {
            self.columns[*slot].push(value);
        }
    }

    /// Drops the fields of a record that cannot be read to its end.
    pub(super) fn abandon_row(&mut self) {
        for column in &mut self.columns {
            column.truncate(self.rows);
        }
    }

    /// Ends a record, some of whose fields have been pushed; says whether it has as many as the header.
    pub(super) fn end_row(&mut self, even: bool) {
        if !even {
            self.uneven.push(self.rows);
        }
        self.rows += 1;
        for column in &mut self.columns {
            column.pad(self.rows);
        }
    }
}

/// Turns records into rows. An empty field is null, except an empty message, which is one. Spaces around a value that
/// is judged do not count.
pub(super) fn decode(records: &Records, fields: &Fields) -> WithKept<'static> {
    let layout = &fields.places;
    let parsed = records.parsed(fields);
    let Parsed { rows, columns, uneven } = &*parsed;
    let mut predecided: Vec<_> =
        uneven.iter().map(|row| (*row, Outcome::malformed(None, RowFault::FieldCount))).collect();
    let mut unreadable = |row: usize, role: Option<Role>| {
        if let Err(place) = predecided.binary_search_by_key(&row, |(row, _)| *row) {
            predecided.insert(place, (row, Outcome::malformed(role, RowFault::NotText)));
        }
    };
    let mut kept = Vec::with_capacity(layout.kept.len());
    for (place, column) in layout.kept.iter().enumerate() {
        // The id stands first; the columns of `--keep` have no role by which to name them.
        let role = (place == 0).then_some(Role::Id);
        kept.push(column.map(|column| text(&columns[column], |row| unreadable(row, role))));
    }
    let cells = Role::ALL.map(|role| match layout.roles[role as usize] {
        Some(column) => cells(role, &columns[column]),
        None => Cells::Absent,
    });
    (RowBlock::new(*rows, cells).with_predecided(predecided), kept)
}

/// The columns that are passed through, as text. A value that is not text is null.
pub(super) fn kept(parsed: &Parsed, fields: &Fields) -> Vec<Option<ArrayRef>> {
    fields.places.kept.iter().map(|place| Some(text(&parsed.columns[(*place)?], |_| {}))).collect()
}

fn cells(role: Role, column: &Packed) -> Cells<'static> {
    let mut packed = Packed::with_capacity(column.len());
    for row in 0..column.len() {
        match column.get(row).map(<[u8]>::trim_ascii) {
            Err(fault) => packed.push_fault(fault),
            Ok(b"") if role != Role::Message => packed.push_fault(RowFault::Null),
            Ok(text) => packed.push_text(role, text),
        }
    }
    Cells::Packed(packed)
}

/// A kept column as text. A value that is not text is null, and its row is given to `unreadable`.
fn text(column: &Packed, mut unreadable: impl FnMut(usize)) -> ArrayRef {
    let mut builder = StringBuilder::new();
    for row in 0..column.len() {
        let text = column.get(row).ok().map(|value| readable(value, "\\x"));
        if text == Some(None) {
            unreadable(row);
        }
        builder.append_option(text.flatten());
    }
    Arc::new(builder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fall_into_their_fields() {
        let text = b"a,b,c\r\n\r\n\n,,\nonly\n1,2,3,4\n x ,,\r\n";
        let places = ColumnPlaces { roles: [None; Role::COUNT], kept: Vec::new() };
        let parsed = Parsed::of_lines(text, &Fields::new(3, b',', &[0, 2], places));
        let fields = |column: usize| (0..parsed.rows).map(|row| parsed.columns[column].get(row)).collect::<Vec<_>>();
        assert_eq!(fields(0), [Ok(&b"a"[..]), Ok(b""), Ok(b"only"), Ok(b"1"), Ok(b" x ")]);
        assert_eq!(fields(1), [Ok(&b"c"[..]), Ok(b""), Err(RowFault::Absent), Ok(b"3"), Ok(b"")]);
        assert_eq!((parsed.rows, &parsed.uneven[..]), (5, &[2, 3][..]));
    }
}
