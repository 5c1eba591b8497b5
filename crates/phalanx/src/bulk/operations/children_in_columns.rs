//! Children of extended public keys whose parents stand in columns, as other languages pass them. Variable time.

use super::DeriveChildren;
use crate::bulk::{
    columns::{Answers, ColumnCall, ColumnOperation, write_key},
    operation::RowOperation,
};
use crate::{
    Column, Error, PublicKey,
    children::{ChildRow, Parent},
    tuning::SECRET_ROWS_ON_STACK as ROWS,
};
use core::array;

/// [`Parent::child`] of each row: key, chain code and payload, which is empty where no payload is asked for. A parent is
/// checked before the index.
impl ColumnOperation for DeriveChildren {
    fn in_columns(call: ColumnCall<'_>, mut answer: impl Answers) -> Result<(), Error> {
        let [keys, codes, indices] = call.columns()?;
        let options = call.options;
        let mut parents = Parents { keys, codes, bytes: [&[]; 2], last: Err(Error::BadPublicKey) };
        // Stands where a row has no parent.
        let none = Parent::new(PublicKey::GENERATOR, &[0; 32]);
        call.blocks::<Self, 3>(|block| {
            let (first, count) = (block.first, block.verdicts.len());
            let read: [_; ROWS] =
                array::from_fn(|i| if i < count { parents.of(first + i) } else { Err(Error::BadPublicKey) });
            let rows: [_; ROWS] = array::from_fn(|i| ChildRow {
                parent: read[i].as_ref().unwrap_or(&none),
                index: if i < count { number(indices.get(first + i)) } else { 0 },
            });
            let found = &mut [Self::NONE; ROWS][..count];
            block.run(DeriveChildren(options.payload), &rows[..count], found);
            for (parent, found) in read.iter().zip(found.iter_mut()) {
                if let Err(error) = parent {
                    *found = Err(*error);
                }
            }
            block.sort_out(found, |i, child| {
                write_key(options, first + i, &child.public_key, &mut answer);
                answer(first + i, 1, &child.chain_code);
                answer(first + i, 2, child.payload.as_bytes());
            });
        })
    }
}

/// The parents of rows, which stand in columns.
struct Parents<'a> {
    keys: Column<'a>,
    codes: Column<'a>,
    /// The bytes of the parent that was read last.
    bytes: [&'a [u8]; 2],
    last: Result<Parent, Error>,
}

impl Parents<'_> {
    /// The parent of a row.
    fn of(&mut self, row: usize) -> Result<Parent, Error> {
        let bytes = [self.keys.get(row), self.codes.get(row)];
        if self.bytes != bytes {
            let code = bytes[1].try_into().map_err(|_| Error::BadColumn)?;
            self.last = PublicKey::from_bytes(bytes[0]).map(|key| Parent::new(key, code));
            self.bytes = bytes;
        }
        self.last.clone()
    }
}

/// The number in four bytes, in the order of this machine.
fn number(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Backend, Bulk, OneThread, SecretKey, Verdict,
        bulk::{Operation, columns::ColumnOptions},
        children::PayloadKind,
        hash::sha256,
    };
    use alloc::{vec, vec::Vec};
    use phalanx_engine::word::CacheLine;

    const NONE: CacheLine = CacheLine([0; 8]);
    const CHILDREN: Operation = Operation::DeriveChildren;

    /// Rows of which some share parents, have none, or ask for a hardened child.
    #[test]
    fn children_are_those_of_the_parents() {
        const COUNT: usize = 150;
        let key = |i: usize| SecretKey::from_bytes(&sha256(&[(i / 7) as u8])).unwrap().public_key();
        let (mut keys, mut codes) = ([[0; 33]; COUNT], [[0; 32]; COUNT]);
        let mut indices = [[0; 4]; COUNT];
        for i in 0..COUNT {
            (keys[i], codes[i]) = (key(i).to_bytes(), sha256(&[(i / 5) as u8, 1]));
            indices[i] = (i as u32 * 3).to_ne_bytes();
            match i % 11 {
                3 => indices[i] = (1u32 << 31 | i as u32).to_ne_bytes(),
                5 => keys[i][0] = 9,
                8 => (keys[i][0], indices[i]) = (0, u32::MAX.to_ne_bytes()),
                _ => {}
            }
        }
        let whole: Vec<[u8; 65]> = keys
            .iter()
            .map(|key| PublicKey::from_bytes(key).map_or([9; 65], |key| key.to_bytes_uncompressed()))
            .collect();
        let [codes_column, index_column] = [Column::of(&codes), Column::of(&indices)];
        let mut failures = 0;
        for backend in Backend::available() {
            let bulk = Bulk::builder().backend(*backend).threads(1).build().unwrap();
            let (one, kinds) = (bulk.one_thread(), PayloadKind::ALL);
            let mut workspace = vec![NONE; one.workspace_lines()];
            for (payload, key_column) in
                kinds.into_iter().zip([Column::of(&keys), Column::of(&whole)].into_iter().cycle())
            {
                let mut verdicts = [Verdict::Valid; COUNT];
                let mut children = vec![[vec![], vec![], vec![]]; COUNT];
                let columns = [key_column, codes_column, index_column];
                let options = ColumnOptions { payload, uncompressed: true, ..ColumnOptions::default() };
                let answer = |row: usize, output: usize, value: &[u8]| {
                    assert!(children[row][output].is_empty());
                    children[row][output] = value.to_vec();
                };
                one.in_columns(CHILDREN, &columns, options, &mut verdicts, &mut workspace, answer).unwrap();
                for (i, child) in children.into_iter().enumerate() {
                    let expected = PublicKey::from_bytes(&keys[i])
                        .and_then(|key| Parent::new(key, &codes[i]).child(number(&indices[i]), payload));
                    assert_eq!(verdicts[i], expected.map_or_else(Verdict::from, |_| Verdict::Valid), "row {i}");
                    failures += usize::from(expected.is_err());
                    let expected = expected.map_or_else(
                        |_| Default::default(),
                        |child| {
                            let key = child.public_key.to_bytes_uncompressed().to_vec();
                            [key, child.chain_code.to_vec(), child.payload.as_bytes().to_vec()]
                        },
                    );
                    assert_eq!(child, expected, "row {i}");
                }
            }
        }
        assert!(failures > 4 * 20);
    }

    #[test]
    fn columns_that_cannot_be_are_refused() {
        let one = OneThread::PORTABLE;
        let (keys, codes, indices) = ([[0; 33]; 2], [[0; 32]; 2], [[0; 4]; 2]);
        let good = [Column::of(&keys), Column::of(&codes), Column::of(&indices)];
        let mut workspace = vec![NONE; one.workspace_lines()];
        let mut call = |columns: [Column<'_>; 3], rows: usize, lines: usize| {
            let mut verdicts = vec![Verdict::Valid; rows];
            let answer = |_: usize, _: usize, _: &[u8]| panic!("no row has an answer");
            let memory = &mut workspace[..lines];
            let done = one.in_columns(CHILDREN, &columns, ColumnOptions::default(), &mut verdicts, memory, answer);
            let expected = if done.is_ok() { Verdict::BadPublicKey } else { Verdict::InvalidSignature };
            assert!(verdicts.iter().all(|verdict| *verdict == expected));
            done
        };
        let lines = one.workspace_lines();
        assert_eq!(call(good, 2, lines), Ok(()));
        assert_eq!(call(good, 3, lines), Err(Error::LengthMismatch { left: 2, right: 3 }));
        assert!(matches!(call(good, 2, lines - 1), Err(Error::WorkspaceTooSmall { .. })));
        for i in 0..3 {
            let mut columns = good;
            columns[i] = Column::of(&[[0; 31]; 2]);
            assert_eq!(call(columns, 2, lines), Err(Error::BadColumn));
        }
    }
}
