//! Records of CSV, cut into fields and turned into rows by whoever computes on them.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use phalanx_rows::{Cells, ColumnPlaces, Outcome, Packed, Role, RowBlock, RowFault};

use super::decoded::{Decoded, Origin, RowNumbers};

/// Which fields of a record are read.
pub(super) struct Fields {
    /// How many the header names.
    pub(super) count: usize,
    /// What stands between them.
    pub(super) delimiter: u8,
    /// Those that are needed, ascending.
    pub(super) needed: Vec<usize>,
}

/// Some thousand records.
pub(super) enum Records {
    /// As they stood in a text without quotes, where a record is a line, a field ends at a delimiter, and an empty line
    /// is no record. The last line, too, ends in a line feed.
    Lines(Vec<u8>),
    /// The needed fields, their quotes taken off.
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
}

#[cfg(test)]
impl Records {
    /// The needed fields of each row, and whether the row has as many fields as the header.
    pub(super) fn listed(&self, fields: &Fields) -> Vec<(Vec<Option<Vec<u8>>>, bool)> {
        let list = |columns: &[ColumnFields<'_>], rows: usize, uneven: &[usize]| {
            let field = |column: &ColumnFields<'_>, row| column.get(row).ok().map(<[u8]>::to_vec);
            let row = |row| (columns.iter().map(|column| field(column, row)).collect(), !uneven.contains(&row));
            (0..rows).map(row).collect()
        };
        match self {
            Records::Lines(text) => {
                let split = Split::new(text, fields);
                let columns: Vec<_> = split.columns.iter().map(|spans| ColumnFields::Spans(text, spans)).collect();
                list(&columns, split.rows, &split.uneven)
            }
            Records::Parsed(parsed) => {
                let columns: Vec<_> = parsed.columns.iter().map(ColumnFields::Packed).collect();
                list(&columns, parsed.rows, &parsed.uneven)
            }
        }
    }
}

/// Records that a CSV reader has taken apart.
pub(super) struct Parsed {
    pub(super) rows: usize,
    pub(super) columns: Vec<Packed>,
    /// Rows with more or fewer fields than the header, ascending.
    pub(super) uneven: Vec<usize>,
}

/// Where a field stands in its text: first byte and end. A field that a short record lacks is [`LACKING`].
type Span = (u32, u32);

/// Blocks are shorter than 2^32 bytes, so no field begins here.
const LACKING: Span = (u32::MAX, u32::MAX);

/// The needed fields of lines.
struct Split {
    rows: usize,
    columns: Vec<Vec<Span>>,
    uneven: Vec<usize>,
}

impl Split {
    fn new(text: &[u8], fields: &Fields) -> Split {
        let mut slots = vec![None; fields.count];
        for (slot, field) in fields.needed.iter().enumerate() {
            slots[*field] = Some(slot);
        }
        let mut split = Split { rows: 0, columns: vec![Vec::new(); fields.needed.len()], uneven: Vec::new() };
        let (mut field, mut start) = (0, 0);
        for end in memchr::memchr2_iter(fields.delimiter, b'\n', text) {
            let last = text[end] == b'\n';
            let stop = if last && text[start..end].ends_with(b"\r") { end - 1 } else { end };
            if last && field == 0 && start == stop {
                start = end + 1;
                continue;
            }
            if let Some(Some(slot)) = slots.get(field) {
                split.columns[*slot].push((start as u32, stop as u32));
            }
            (field, start) = (field + 1, end + 1);
            if last {
                split.end_row(field == fields.count);
                field = 0;
            }
        }
        split
    }

    fn end_row(&mut self, even: bool) {
        if !even {
            self.uneven.push(self.rows);
        }
        self.rows += 1;
        for column in &mut self.columns {
            column.resize(self.rows, LACKING);
        }
    }
}

/// The fields of one column.
#[derive(Clone, Copy)]
enum ColumnFields<'a> {
    Spans(&'a [u8], &'a [Span]),
    Packed(&'a Packed),
}

impl<'a> ColumnFields<'a> {
    fn len(self) -> usize {
        match self {
            ColumnFields::Spans(_, spans) => spans.len(),
            ColumnFields::Packed(packed) => packed.len(),
        }
    }

    /// The field in a row, or why there is none.
    #[inline]
    fn get(self, row: usize) -> Result<&'a [u8], RowFault> {
        match self {
            ColumnFields::Spans(_, spans) if spans[row] == LACKING => Err(RowFault::Absent),
            ColumnFields::Spans(text, spans) => Ok(&text[spans[row].0 as usize..spans[row].1 as usize]),
            ColumnFields::Packed(packed) => packed.get(row),
        }
    }
}

/// Turns records into rows. An empty field is null, except an empty message, which is one.
pub(super) fn decode(
    records: &Records,
    fields: &Fields,
    layout: &ColumnPlaces,
    origin: Arc<Origin>,
    first_row: u64,
) -> Decoded<'static> {
    match records {
        Records::Lines(text) => {
            let split = Split::new(text, fields);
            let columns: Vec<_> = split.columns.iter().map(|spans| ColumnFields::Spans(text, spans)).collect();
            rows(&columns, split.rows, &split.uneven, layout, origin, first_row)
        }
        Records::Parsed(parsed) => {
            let columns: Vec<_> = parsed.columns.iter().map(ColumnFields::Packed).collect();
            rows(&columns, parsed.rows, &parsed.uneven, layout, origin, first_row)
        }
    }
}

fn rows(
    columns: &[ColumnFields<'_>],
    rows: usize,
    uneven: &[usize],
    layout: &ColumnPlaces,
    origin: Arc<Origin>,
    first_row: u64,
) -> Decoded<'static> {
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
        kept.push(column.map(|column| text(columns[column], |row| unreadable(row, role))));
    }
    let cells = Role::ALL.map(|role| match layout.roles[role as usize] {
        Some(column) => cells(role, columns[column]),
        None => Cells::Absent,
    });
    let rows = RowBlock::new(rows, cells).with_predecided(predecided);
    Decoded { origin, rows, numbers: RowNumbers::From(first_row), kept }
}

fn cells(role: Role, column: ColumnFields<'_>) -> Cells<'static> {
    let mut packed = Packed::with_capacity(column.len());
    for row in 0..column.len() {
        match column.get(row) {
            Err(fault) => packed.push_fault(fault),
            Ok(b"") if role != Role::Message => packed.push_fault(RowFault::Null),
            Ok(text) => packed.push_text(role, text),
        }
    }
    Cells::Packed(packed)
}

/// A kept column as text; a value that is not UTF-8 is null and told to `unreadable`.
fn text(column: ColumnFields<'_>, mut unreadable: impl FnMut(usize)) -> ArrayRef {
    let mut builder = StringBuilder::new();
    for row in 0..column.len() {
        match column.get(row).map(std::str::from_utf8) {
            Ok(Ok(value)) => builder.append_value(value),
            Ok(Err(_)) => {
                builder.append_null();
                unreadable(row);
            }
            Err(_) => builder.append_null(),
        }
    }
    Arc::new(builder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fall_into_their_fields() {
        let text = b"a,b,c\r\n\r\n\n,,\nonly\n1,2,3,4\n x ,,\r\n";
        let split = Split::new(text, &Fields { count: 3, delimiter: b',', needed: vec![0, 2] });
        let fields = |column: usize| {
            let column = ColumnFields::Spans(text, &split.columns[column]);
            (0..column.len()).map(|row| column.get(row)).collect::<Vec<_>>()
        };
        assert_eq!(fields(0), [Ok(&b"a"[..]), Ok(b""), Ok(b"only"), Ok(b"1"), Ok(b" x ")]);
        assert_eq!(fields(1), [Ok(&b"c"[..]), Ok(b""), Err(RowFault::Absent), Ok(b"3"), Ok(b"")]);
        assert_eq!((split.rows, &split.uneven[..]), (5, &[2, 3][..]));
    }
}
