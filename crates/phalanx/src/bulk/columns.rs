//! Rows in columns: bytes in, answers out, and a verdict for each row.
//!
//! Answers stand on the stack, a block of rows at a time. So do secret keys, in types that are wiped when they are
//! dropped. Moves leave copies on the stack. Where rows are secret, the stack that a block used is overwritten after
//! it, also after a panic.

use super::{
    memory::Lines,
    operation::{OnRows, RowOperation},
    rows::Rows,
};
use crate::{
    Column, Error, LowS, PublicKey, SecretKey, Verdict, backend::Lanes, children::PayloadKind,
    tuning::SECRET_ROWS_ON_STACK as ROWS, wipe::SecretBlockStack,
};
use core::{array, fmt};

/// What some operations on columns let choose.
#[derive(Debug, Clone, Copy)]
pub struct ColumnOptions<'a> {
    /// Whether ECDSA verification refuses high s.
    pub low_s: LowS,
    /// Whether ECDSA signing gives recovery ids.
    pub recovery_ids: bool,
    /// Whether public keys are written in 65 bytes, and not in 33.
    pub uncompressed: bool,
    /// What derivation of children gives of each key, beside the key itself.
    pub payload: PayloadKind,
    /// 32 bytes that all rows share, and nobody else may know. An operation that shares such bytes refuses a call without
    /// them.
    pub secret: Option<&'a [u8; 32]>,
}

impl Default for ColumnOptions<'_> {
    /// Low s alone, no recovery ids, public keys of 33 bytes, no payloads, and no secret.
    fn default() -> Self {
        ColumnOptions {
            low_s: LowS::Require,
            recovery_ids: false,
            uncompressed: false,
            payload: PayloadKind::None,
            secret: None,
        }
    }
}

impl<'a> ColumnOptions<'a> {
    /// The secret, or the randomness, that all rows share.
    ///
    /// # Errors
    /// [`Error::BadColumn`] if the caller gave no bytes.
    pub fn shared_secret(&self) -> Result<&'a [u8; 32], Error> {
        self.secret.ok_or(Error::BadColumn)
    }
}

/// What the values of a column are.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Messages of any number of bytes, the same in each row.
    Message,
    /// Digests of 32 bytes.
    Digest,
    /// ECDSA signatures of 64 bytes: r and s.
    Signature,
    /// Signatures of BIP-340, of 64 bytes.
    SchnorrSignature,
    /// Public keys of SEC 1, of 33 or 65 bytes.
    PublicKey,
    /// Public keys of BIP-340, of 32 bytes.
    XOnlyPublicKey,
    /// Secret keys of 32 bytes.
    SecretKey,
    /// Recovery ids of 1 byte.
    RecoveryId,
    /// Parities of 1 byte: 1 where the y of a point is odd, and 0 where it is even.
    Parity,
    /// Chain codes of BIP-32, of 32 bytes.
    ChainCode,
    /// Numbers of 4 bytes, in the order of this machine.
    Number,
    /// What scripts hold of keys: as many bytes as [`PayloadKind::width`] says.
    Payload,
    /// So many bytes.
    Bytes(usize),
}

impl ColumnKind {
    /// The two widths that a value may have, which may be the same; none where every width may be.
    pub const fn widths(self) -> Option<[usize; 2]> {
        match self {
            ColumnKind::Message => None,
            ColumnKind::PublicKey => Some([33, 65]),
            ColumnKind::Signature | ColumnKind::SchnorrSignature => Some([64, 64]),
            ColumnKind::Digest | ColumnKind::XOnlyPublicKey | ColumnKind::SecretKey | ColumnKind::ChainCode => {
                Some([32, 32])
            }
            ColumnKind::Number => Some([4, 4]),
            ColumnKind::Payload => Some([20, 32]),
            ColumnKind::RecoveryId | ColumnKind::Parity => Some([1, 1]),
            ColumnKind::Bytes(bytes) => Some([bytes, bytes]),
        }
    }

    fn allows(self, width: usize) -> bool {
        self.widths().is_none_or(|widths| widths.contains(&width))
    }
}

impl fmt::Display for ColumnKind {
    /// The bytes of a value, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.widths() {
            None => f.write_str("any one width"),
            Some([1, 1]) => f.write_str("1 byte"),
            Some([one, other]) if one != other => write!(f, "{one} or {other} bytes"),
            Some([bytes, _]) => write!(f, "{bytes} bytes"),
        }
    }
}

/// What all rows of a call share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedKind {
    /// Whether high s is refused: [`ColumnOptions::low_s`].
    LowS,
    /// What is wanted of children: [`ColumnOptions::payload`].
    PayloadKind,
    /// What nobody could know when the rows were chosen: [`ColumnOptions::secret`]. It is drawn where a caller has none.
    Randomness,
    /// A secret key of 32 bytes, which the operation checks: [`ColumnOptions::secret`].
    SecretKey,
}

/// An operation's name, the names and kinds of its columns, and what all rows share.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// The name.
    pub name: &'static str,
    /// What it computes, in a sentence or some, and whether in constant time.
    pub about: &'static str,
    /// What it reads.
    pub inputs: &'static [(&'static str, ColumnKind)],
    /// What it writes beside verdicts.
    pub outputs: &'static [(&'static str, ColumnKind)],
    /// The number of outputs, the last ones, that may be left out.
    pub optional_outputs: usize,
    /// Where the outputs of a row make one value: the name of many such values, and that of their type.
    pub record: Option<[&'static str; 2]>,
    /// What all rows share.
    pub shared: &'static [(&'static str, SharedKind)],
}

impl Declaration {
    /// Whether all rows share such an argument.
    pub const fn shares(&self, kind: SharedKind) -> bool {
        let mut i = 0;
        while i < self.shared.len() {
            if self.shared[i].1 as u8 == kind as u8 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether all rows share 32 secret bytes: [`ColumnOptions::secret`].
    pub const fn shares_secret(&self) -> bool {
        self.shares(SharedKind::Randomness) || self.shares(SharedKind::SecretKey)
    }

    /// The outputs of a call. Those that may be left out are among them where they are asked for, and where the outputs
    /// of a row are one value.
    pub fn outputs_of_call(&self, with_optional: bool) -> &'static [(&'static str, ColumnKind)] {
        let left_out = if with_optional || self.record.is_some() { 0 } else { self.optional_outputs };
        &self.outputs[..self.outputs.len() - left_out]
    }
}

/// What is given the number of a row, the number of an output, and the row's value there.
pub(super) trait Answers: FnMut(usize, usize, &[u8]) {}

impl<F: FnMut(usize, usize, &[u8])> Answers for F {}

/// What an operation on columns has.
pub(super) trait ColumnOperation: RowOperation {
    /// Writes the verdicts of the rows, and gives `answer` what each valid row has for outputs.
    fn in_columns(call: ColumnCall<'_>, answer: impl Answers) -> Result<(), Error>;
}

/// A call on columns.
pub(super) struct ColumnCall<'c> {
    pub(super) lanes: Lanes,
    /// What the columns hold that the operation takes.
    pub(super) kinds: &'c [ColumnKind],
    pub(super) columns: &'c [Column<'c>],
    pub(super) options: ColumnOptions<'c>,
    pub(super) verdicts: &'c mut [Verdict],
    pub(super) workspace: &'c mut Lines,
}

impl<'c> ColumnCall<'c> {
    /// The call of an operation that takes columns of these kinds.
    pub(super) fn of(self, kinds: &'c [ColumnKind]) -> Self {
        ColumnCall { kinds, ..self }
    }

    /// The columns, if they are those of the operation, and of as many rows as there are verdicts.
    pub(super) fn columns<const N: usize>(&self) -> Result<[Column<'c>; N], Error> {
        let columns: [Column<'c>; N] = self.columns.try_into().map_err(|_| Error::BadColumn)?;
        assert_eq!(self.kinds.len(), N, "a kind for each column");
        for (column, kind) in columns.iter().zip(self.kinds) {
            Error::check_lengths(column.len(), self.verdicts.len())?;
            if !kind.allows(column.width()) {
                return Err(Error::BadColumn);
            }
        }
        Ok(columns)
    }

    /// Writes the verdicts that are an operation's only answers.
    pub(super) fn verify<R: Copy>(
        self,
        operation: impl OnRows<R, Out = Verdict>,
        rows: impl Rows<R>,
    ) -> Result<(), Error> {
        self.lanes.on_rows(operation, rows, self.verdicts, self.workspace)
    }

    /// Calls `work` with each block of rows. The verdict of a row is valid at first.
    pub(super) fn blocks<O: RowOperation, const N: usize>(
        self,
        mut work: impl FnMut(&mut Block<'_, N>),
    ) -> Result<(), Error> {
        let columns = self.columns()?;
        let memory = self.lanes.enough(self.workspace)?;
        for (first, verdicts) in (0..).step_by(ROWS).zip(self.verdicts.chunks_mut(ROWS)) {
            let columns = columns.map(|column| column.part(first..first + verdicts.len()));
            // Not the caller's verdicts: a panic in this block must not leave one of those valid.
            let found = &mut [Verdict::Valid; ROWS][..verdicts.len()];
            let (lanes, options) = (self.lanes, self.options);
            let mut block = Block { lanes, options, first, columns, verdicts: found, memory };
            if O::SECRET {
                SecretBlockStack::cleared(|| work(&mut block))
            } else {
                work(&mut block)
            }
            verdicts.copy_from_slice(found);
        }
        Ok(())
    }
}

/// Some rows of a call on columns, at most [`ROWS`].
pub(super) struct Block<'b, const N: usize> {
    lanes: Lanes,
    pub(super) options: ColumnOptions<'b>,
    /// The number of the first row.
    pub(super) first: usize,
    pub(super) columns: [Column<'b>; N],
    pub(super) verdicts: &'b mut [Verdict],
    memory: &'b mut Lines,
}

impl<'b, const N: usize> Block<'b, N> {
    /// Computes the answers of the block's rows, one place of `out` for each.
    pub(super) fn run<O: RowOperation>(&mut self, operation: O, rows: O::Rows<'_>, out: &mut [O::Out]) {
        self.lanes.run(operation, rows, out, self.memory);
    }

    /// The same of rows that may have to be gathered.
    pub(super) fn on_rows<R: Copy, O: OnRows<R>>(&mut self, operation: O, rows: impl Rows<R>, out: &mut [O::Out]) {
        let done = self.lanes.on_rows(operation, rows, out, self.memory);
        done.expect("a place for each row of the block, and memory for them");
    }

    /// The secret keys of a column. The key 1 stands where the bytes are no key, and beyond the last row. A row whose
    /// bytes are no key is malformed.
    #[inline(always)]
    pub(super) fn secret_keys(&mut self, column: usize) -> [SecretKey; ROWS] {
        array::from_fn(|i| {
            let bytes = if i < self.verdicts.len() { self.columns[column].get(i) } else { &ONE };
            SecretKey::from_bytes(bytes).unwrap_or_else(|_| {
                self.fail(i, Verdict::MalformedRow);
                SecretKey::from_bytes(&ONE).expect("one is a secret key")
            })
        })
    }

    /// Says what is wrong with a row, of which nothing has been found wrong before.
    fn fail(&mut self, row: usize, verdict: Verdict) {
        if self.verdicts[row].is_valid() {
            self.verdicts[row] = verdict;
        }
    }

    /// The 32 bytes of each row of a column; zeros beyond the rows.
    #[inline(always)]
    pub(super) fn words(&self, column: usize) -> [[u8; 32]; ROWS] {
        let mut words = [[0; 32]; ROWS];
        let rows = words[..self.verdicts.len()].iter_mut().enumerate();
        rows.for_each(|(i, word)| word.copy_from_slice(self.columns[column].get(i)));
        words
    }

    /// The bytes of each row of a column; none beyond the rows.
    pub(super) fn bytes(&self, column: usize) -> [&'b [u8]; ROWS] {
        array::from_fn(|i| if i < self.verdicts.len() { self.columns[column].get(i) } else { &[] })
    }

    /// Takes the errors of rows as their verdicts, and gives `take` the values of the rows that are still valid.
    pub(super) fn sort_out<T>(&mut self, found: &[Result<T, Error>], mut take: impl FnMut(usize, &T)) {
        for (i, found) in found.iter().enumerate() {
            match found {
                Ok(value) if self.verdicts[i].is_valid() => take(i, value),
                Ok(_) => {}
                Err(error) => self.fail(i, (*error).into()),
            }
        }
    }

    /// Gives `answer` the key of a row, in the form that is asked for.
    pub(super) fn answer_key(&self, row: usize, key: &PublicKey, answer: &mut impl Answers) {
        write_key(self.options, self.first + row, key, answer);
    }

    /// Takes the errors of rows as their verdicts, and gives `answer` the keys of the others.
    pub(super) fn answer_keys(&mut self, found: &[Result<PublicKey, Error>], answer: &mut impl Answers) {
        let (options, first) = (self.options, self.first);
        self.sort_out(found, |i, key| write_key(options, first + i, key, answer));
    }

    /// The rows that are valid so far.
    pub(super) fn valid(&self) -> impl Iterator<Item = usize> {
        self.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.is_valid()).map(|(i, _)| i)
    }
}

/// Gives `answer` a key, in the form that is asked for.
pub(super) fn write_key(options: ColumnOptions<'_>, row: usize, key: &PublicKey, answer: &mut impl Answers) {
    if options.uncompressed {
        answer(row, 0, &key.to_bytes_uncompressed());
    } else {
        answer(row, 0, &key.to_bytes());
    }
}

/// What a row that has no answer is computed with.
const ONE: [u8; 32] = {
    let mut one = [0; 32];
    one[31] = 1;
    one
};
