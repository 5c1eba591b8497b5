//! Children of extended public keys whose parents stand in columns, as other languages pass them. Variable time.

use crate::{
    Column, Error, OneThread, PublicKey, Verdict,
    children::{Child, ChildRow, Parent, PayloadKind},
    tuning::SECRET_ROWS_ON_STACK as ROWS,
};
use core::array;
use phalanx_engine::word::CacheLine;

impl OneThread {
    /// [`Parent::child`] of each row in columns: parents' keys (33 or 65 bytes), their chain codes (32 bytes) and
    /// indices (4 bytes, in the order of this machine). A parent is read once for rows that follow each other.
    ///
    /// Every row gets a verdict: [`Verdict::Valid`], [`Verdict::BadPublicKey`], or [`Verdict::MalformedRow`] for an
    /// index of 2^31 or more, and for one without a child. `answer` is called for each valid row, in their order, with
    /// its number. Variable time. The workspace is of [`OneThread::workspace_lines`].
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows in every column, [`Error::BadColumn`] if a
    /// column has another width, [`Error::WorkspaceTooSmall`] for a smaller workspace. Then every verdict is
    /// [`Verdict::InvalidSignature`], and there is no answer.
    ///
    /// ```
    /// use phalanx::{Error, SecretKey, Verdict, children::{Parent, PayloadKind}};
    /// use phalanx::bindings::{CacheLine, Column, OneThread};
    /// let (one, key) = (OneThread::PORTABLE, SecretKey::from_bytes(&[7; 32])?.public_key());
    /// let (keys, codes) = ([key.to_bytes(); 2], [[9; 32]; 2]);
    /// let indices = [5u32.to_ne_bytes(), (1u32 << 31).to_ne_bytes()];
    /// let columns = [Column::of(&keys), Column::of(&codes), Column::of(&indices)];
    /// let (mut verdicts, mut children) = ([Verdict::InvalidSignature; 2], Vec::new());
    /// let mut workspace = vec![CacheLine([0; 8]); one.workspace_lines()];
    /// one.derive_children_in_columns(columns, PayloadKind::KeyHash, &mut verdicts, &mut workspace, |row, child| {
    ///     children.push((row, *child));
    /// })?;
    /// assert_eq!(children, [(0, Parent::new(key, &[9; 32]).child(5, PayloadKind::KeyHash)?)]);
    /// assert_eq!(verdicts, [Verdict::Valid, Verdict::MalformedRow]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn derive_children_in_columns(
        self,
        columns: [Column<'_>; 3],
        payload: PayloadKind,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        mut answer: impl FnMut(usize, &Child),
    ) -> Result<(), Error> {
        verdicts.fill(Verdict::InvalidSignature);
        let [keys, codes, indices] = columns;
        for column in columns {
            Error::check_lengths(column.len(), verdicts.len())?;
        }
        if ![33, 65].contains(&keys.width()) || codes.width() != 32 || indices.width() != 4 {
            return Err(Error::BadColumn);
        }
        self.lanes().enough(workspace)?;
        let mut parents = Parents { keys, codes, bytes: [&[]; 2], last: Err(Error::BadPublicKey) };
        // Stands where a row has no parent.
        let none = Parent::new(PublicKey::GENERATOR, &[0; 32]);
        for first in (0..verdicts.len()).step_by(ROWS) {
            let count = ROWS.min(verdicts.len() - first);
            let read: [_; ROWS] =
                array::from_fn(|i| if i < count { parents.of(first + i) } else { Err(Error::BadPublicKey) });
            let rows: [_; ROWS] = array::from_fn(|i| ChildRow {
                parent: read[i].as_ref().unwrap_or(&none),
                index: if i < count { number(indices.get(first + i)) } else { 0 },
            });
            let found = &mut [const { Err(Error::BadTweak) }; ROWS][..count];
            self.derive_children(&rows[..count], payload, found, workspace)?;
            for (i, (parent, child)) in read.iter().zip(found.iter()).enumerate() {
                verdicts[first + i] = match parent.as_ref().map_err(|error| *error).and(child.as_ref().map_err(|e| *e))
                {
                    Ok(child) => {
                        answer(first + i, child);
                        Verdict::Valid
                    }
                    Err(error) => error.into(),
                };
            }
        }
        Ok(())
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
    use crate::{Backend, Bulk, SecretKey, hash::sha256};
    use alloc::{vec, vec::Vec};

    const NONE: CacheLine = CacheLine([0; 8]);

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
                let mut children = vec![None; COUNT];
                let columns = [key_column, codes_column, index_column];
                one.derive_children_in_columns(columns, payload, &mut verdicts, &mut workspace, |row, child| {
                    assert_eq!(children[row].replace(*child), None);
                })
                .unwrap();
                for (i, child) in children.into_iter().enumerate() {
                    let expected = PublicKey::from_bytes(&keys[i])
                        .and_then(|key| Parent::new(key, &codes[i]).child(number(&indices[i]), payload));
                    assert_eq!(verdicts[i], expected.map_or_else(Verdict::from, |_| Verdict::Valid), "row {i}");
                    assert_eq!(child, expected.ok(), "row {i}");
                    failures += usize::from(child.is_none());
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
        let mut call = |columns, rows: usize, lines| {
            let mut verdicts = vec![Verdict::Valid; rows];
            let answer = |_, _: &Child| panic!("no row has an answer");
            let done = one.derive_children_in_columns(
                columns,
                PayloadKind::None,
                &mut verdicts,
                &mut workspace[..lines],
                answer,
            );
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
