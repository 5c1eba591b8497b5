//! Sums by tables, on the adder of a handle's backend, with the memory that they take.

use phalanx_banderwagon::Bandersnatch;
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes, OneLane},
    fixed_base::{SavedRows, Tables, Vector},
    msm::Sum,
    word::{CacheLine, VectorUnit},
};
use phalanx_ffi::{BulkHead, status::PHALANX_BACKEND_UNAVAILABLE};

/// Tables in the caller's memory.
pub(crate) type BorrowedTables = Tables<Bandersnatch, SavedRows<&'static [CacheLine]>>;

/// The vector unit of a handle's backend, if it has one.
pub(crate) fn unit(handle: &BulkHead) -> Result<Option<VectorUnit>, i32> {
    match handle.backend() {
        "portable" => Ok(None),
        name => VectorUnit::detect(name).map(Some).ok_or(PHALANX_BACKEND_UNAVAILABLE),
    }
}

/// Tables with an adder and its memory.
pub(crate) enum Committer {
    Portable(Over<OneLane<Bandersnatch>>),
    Vectors(Over<EightLanes<VectorUnit, Bandersnatch>>),
}

impl Committer {
    pub(crate) fn new(unit: Option<VectorUnit>, tables: BorrowedTables) -> Self {
        match unit {
            None => Committer::Portable(Over::new(OneLane::new(), tables)),
            Some(unit) => Committer::Vectors(Over::new(EightLanes::new(unit), tables)),
        }
    }

    /// The sums of so many rows, of `length` scalars each.
    pub(crate) fn sums(&mut self, scalars: &[[u64; 4]], length: usize, rows: usize) -> &[Sum<Bandersnatch>] {
        match self {
            Committer::Portable(over) => over.sums(scalars, length, rows),
            Committer::Vectors(over) => over.sums(scalars, length, rows),
        }
    }
}

pub(crate) struct Over<A: AffineAdder<Curve = Bandersnatch>> {
    adder: A,
    tables: BorrowedTables,
    lines: Vec<CacheLine>,
    sums: Vec<Sum<Bandersnatch>>,
}

impl<A: AffineAdder<Curve = Bandersnatch>> Over<A> {
    fn new(adder: A, tables: BorrowedTables) -> Self {
        Over { adder, tables, lines: Vec::new(), sums: Vec::new() }
    }

    fn sums(&mut self, scalars: &[[u64; 4]], length: usize, rows: usize) -> &[Sum<Bandersnatch>] {
        let needed = self.tables.configuration().lines::<A>(rows, length).max(self.lines.len());
        self.lines.resize(needed, CacheLine([0; 8]));
        self.sums.clear();
        self.sums.resize(rows, Sum::<Bandersnatch>::infinity());
        let vector = |row| Vector::Dense(&scalars[row * length..][..length]);
        self.tables.sums_in_vartime(&self.adder, vector, &mut self.sums, &mut self.lines);
        &self.sums
    }
}
