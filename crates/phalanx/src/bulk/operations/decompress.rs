//! Public keys from their encodings.

use crate::bulk::{
    Bulk,
    columns::{Answers, Block, ColumnCall, ColumnOperation},
    eight_lanes::KeyPoints,
    memory::{Lines, with_arena},
    operation::RowOperation,
};
use crate::tuning::SECRET_ROWS_ON_STACK as ROWS;
use crate::{Error, OneThread, PublicKey, keys::RowKey, lanes::Machine};
use alloc::vec::Vec;

/// [`PublicKey::from_bytes`] of each encoding.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct Decompress;

impl Bulk {
    /// [`PublicKey::from_bytes`] of each encoding. Variable time.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// assert_eq!(Bulk::new().decompress(&[&key.to_bytes(), &[]]), [Ok(key), Err(Error::BadPublicKey)]);
    /// ```
    pub fn decompress(&self, encoded: &[&[u8]]) -> Vec<Result<PublicKey, Error>> {
        self.answers(Decompress, encoded).expect("one slice")
    }
}

impl OneThread {
    /// The keys of encodings, for sums.
    pub(crate) fn read_keys(
        self,
        encoded: &[&[u8]],
        out: &mut [Result<PublicKey, Error>],
        workspace: &mut Lines,
    ) -> Result<(), Error> {
        self.run(Decompress, encoded, out, workspace)
    }
}

impl RowOperation for Decompress {
    type Rows<'a> = &'a [&'a [u8]];
    type Out = Result<PublicKey, Error>;

    const NONE: Self::Out = Err(Error::BadPublicKey);
    const SECRET: bool = false;

    fn one_lane(self, encoded: &[&[u8]], out: &mut [Self::Out], _: &mut Lines) {
        assert_eq!(encoded.len(), out.len(), "an answer for each key");
        for (bytes, out) in encoded.iter().zip(out) {
            *out = PublicKey::from_bytes(bytes);
        }
    }

    fn eight_lanes<M: Machine>(self, machine: M, encoded: &[&[u8]], out: &mut [Self::Out], memory: &mut Lines) {
        assert_eq!(encoded.len(), out.len(), "an answer for each key");
        with_arena(memory, |arena| {
            let mut points = KeyPoints::new(encoded.len(), arena);
            let read = arena.collect(
                encoded
                    .iter()
                    .enumerate()
                    .map(|(row, bytes)| RowKey::read_bytes(bytes, false).map(|key| points.set(row, &key))),
            );
            points.lift(machine);
            for (row, (read, out)) in read.iter().zip(out).enumerate() {
                *out = read.and_then(|()| points.check(row)).map(|()| points.get(row));
            }
        });
    }
}

impl ColumnOperation for Decompress {
    fn in_columns(call: ColumnCall<'_>, mut answer: impl Answers) -> Result<(), Error> {
        call.blocks::<Self, 1>(|block| {
            let points = points_or_generator(block, 0);
            block.valid().for_each(|i| block.answer_key(i, &points[i], &mut answer));
        })
    }
}

/// The public keys of a column of a block. The generator stands where the bytes are no key, and the row's verdict says
/// why.
pub(super) fn points_or_generator<const N: usize>(block: &mut Block<'_, N>, column: usize) -> [PublicKey; ROWS] {
    let (encoded, rows) = (block.bytes(column), ..block.verdicts.len());
    let mut read = [Decompress::NONE; ROWS];
    block.run(Decompress, &encoded[rows], &mut read[rows]);
    let mut points = [PublicKey::GENERATOR; ROWS];
    block.sort_out(&read[rows], |i, key| points[i] = *key);
    points
}
