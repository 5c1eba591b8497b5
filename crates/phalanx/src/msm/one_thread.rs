//! Sums of products on the calling thread, in the caller's memory.

use super::{
    costs,
    points::FinitePoints,
    sum::{Layout, Products, add_halves},
    workspace::Adder,
};
use crate::{
    Column, Error, OneThread, Point, PublicKey, Scalar,
    backend::{Eight, Lanes},
    group::{Jacobian, Secp256k1},
    tables::Entry,
    tuning::{ROWS_PER_CHUNK_MAX, TERMS_PER_PIECE_MIN},
};
use phalanx_engine::{
    affine_add::{EightLanes, OneLane},
    arena::{Arena, List},
    msm::{SumPlan, Summation},
    word::CacheLine,
};

/// The point of a row, or why there is none.
type PointOrFault = Result<PublicKey, Error>;

/// Sums of products ([`crate::msm`]).
///
/// ```
/// use phalanx::{Point, PublicKey, Scalar, bindings::{CacheLine, Column, OneThread}};
/// let scalars = [1u64, 2, 3].map(|k| Scalar::from(k).to_bytes());
/// let (points, one) = ([PublicKey::GENERATOR.to_bytes(); 3], OneThread::PORTABLE);
/// let mut workspace = vec![CacheLine([0; 8]); one.lines_of_sum_in_columns(3)];
/// let sum = one.sum_of_products_in_columns(Column::of(&scalars), Column::of(&points), &mut workspace)?;
/// assert_eq!(sum, Point::mul_generator(&Scalar::from(6u64)));
/// # Ok::<(), phalanx::Error>(())
/// ```
impl OneThread {
    /// The number of cache lines of workspace with which [`OneThread::sum_of_products_in_columns`] is fastest for so
    /// many rows. It may do with fewer, and does for fewer rows.
    pub fn lines_of_sum_in_columns(self, rows: usize) -> usize {
        lines_of_columns(rows).saturating_add(lines_of_sum(self, rows, 0).max(self.workspace_lines()))
    }

    /// The sum of a scalar times a point in each row: scalars of 32 bytes, big-endian, below the group order; points as
    /// [`PublicKey::from_bytes`] reads them, or all zero for infinity. Variable time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many scalars as points, [`Error::BadColumn`] if scalars are not 32
    /// bytes wide, [`Error::OutOfRange`] if a scalar is not below the order, [`Error::BadPublicKey`] for what is no
    /// point, [`Error::WorkspaceTooSmall`] if the sum cannot be computed in the workspace.
    pub fn sum_of_products_in_columns(
        self,
        scalars: Column<'_>,
        points: Column<'_>,
        workspace: &mut [CacheLine],
    ) -> Result<Point, Error> {
        Error::check_lengths(scalars.len(), points.len())?;
        if scalars.width() != 32 {
            return Err(Error::BadColumn);
        }
        let (rows, given) = (scalars.len(), workspace.len());
        let lines = lines_of_columns(rows);
        if given < lines.saturating_add(self.workspace_lines()) {
            return Err(Error::WorkspaceTooSmall { needed: self.lines_of_sum_in_columns(rows), given });
        }
        Arena::over(
            workspace,
            |_| (),
            |arena| {
                let ColumnLists { mut factors, mut keys, mut encoded, mut found } = ColumnLists::with_room(rows, arena);
                let memory = arena.spare();
                for first in (0..rows).step_by(ROWS_PER_CHUNK_MAX) {
                    encoded.clear();
                    for row in first..rows.min(first + ROWS_PER_CHUNK_MAX) {
                        let scalar = Scalar::from_bytes(scalars.get(row)).ok();
                        let (scalar, point) = (scalar.ok_or(Error::OutOfRange)?, points.get(row));
                        // Infinity adds nothing, but its scalar is checked too.
                        if point.iter().any(|byte| *byte != 0) {
                            factors.push(scalar);
                            encoded.push(point);
                        }
                    }
                    let found = &mut found[..encoded.len()];
                    self.read_keys(&encoded, found, memory)?;
                    for key in found.iter() {
                        keys.push((*key)?);
                    }
                }
                let points = FinitePoints::Keys(&keys);
                let sum = sum_in(self, Products { scalars: &factors, points, short: &[], short_points: &[] }, memory);
                sum.map(Point::from_jacobian).map_err(|error| match error {
                    Error::WorkspaceTooSmall { .. } => {
                        Error::WorkspaceTooSmall { needed: self.lines_of_sum_in_columns(rows), given }
                    }
                    other => other,
                })
            },
        )
    }
}

/// What is read from columns.
struct ColumnLists<'m, 'c> {
    factors: List<'m, Scalar>,
    keys: List<'m, PublicKey>,
    /// The points of a chunk, and what they are.
    encoded: List<'m, &'c [u8]>,
    found: List<'m, PointOrFault>,
}

impl<'m, 'c: 'm> ColumnLists<'m, 'c> {
    fn with_room(rows: usize, arena: &mut Arena<'m, 'c>) -> Self {
        let chunk = rows.min(ROWS_PER_CHUNK_MAX);
        ColumnLists {
            factors: arena.list(rows),
            keys: arena.list(rows),
            encoded: arena.list(chunk),
            found: arena.filled(chunk, Err(Error::BadPublicKey)),
        }
    }
}

fn lines_of_columns(rows: usize) -> usize {
    Arena::count(|arena| {
        ColumnLists::with_room(rows, arena);
    })
}

/// The lines with which a sum of a given number of long and short products is fastest.
pub(crate) fn lines_of_sum(bulk: OneThread, long: usize, short: usize) -> usize {
    match bulk.lanes() {
        Lanes::Eight(_) => lines_by::<EightLanes<Eight, Secp256k1>>(bulk, long, short),
        Lanes::One => lines_by::<OneLane<Secp256k1>>(bulk, long, short),
    }
}

fn lines_by<A: Adder>(bulk: OneThread, long: usize, short: usize) -> usize {
    let terms = long.saturating_mul(2).saturating_add(short);
    let layout = Layout::new(bulk.backend(), usize::MAX, 1, terms);
    layout.extent_of([long, short], 0..layout.windows(), layout.pieces).lines::<A, 2>()
}

/// Whether a sum of a given number of long and short products, and of fewer, can be computed in so many lines.
pub(crate) fn sum_fits(bulk: OneThread, long: usize, short: usize, lines: usize) -> bool {
    match bulk.lanes() {
        Lanes::Eight(_) => fitting::<EightLanes<Eight, Secp256k1>>(bulk, [long, short], lines).is_some(),
        Lanes::One => fitting::<OneLane<Secp256k1>>(bulk, [long, short], lines).is_some(),
    }
}

/// The sum of the products, in this memory.
///
/// # Errors
/// [`Error::WorkspaceTooSmall`].
pub(crate) fn sum_in(bulk: OneThread, products: Products<'_>, memory: &mut [CacheLine]) -> Result<Jacobian, Error> {
    if let Some(sum) = products.dedicated(bulk.unit()) {
        return Ok(sum);
    }
    match bulk.lanes() {
        Lanes::Eight(machine) => sum_by(&EightLanes::new(machine), bulk, products, memory),
        Lanes::One => sum_by(&OneLane::new(), bulk, products, memory),
    }
}

fn sum_by<A: Adder>(
    adder: &A,
    bulk: OneThread,
    products: Products<'_>,
    memory: &mut [CacheLine],
) -> Result<Jacobian, Error> {
    let count = [products.scalars.len(), products.short.len()];
    let Some(layout) = fitting::<A>(bulk, count, memory.len()) else {
        let needed = lines_of_sum(bulk, products.scalars.len(), products.short.len());
        return Err(Error::WorkspaceTooSmall { needed, given: memory.len() });
    };
    let extent = layout.extent(&products, 0..layout.windows(), layout.pieces);
    Ok(Summation::run(
        adder,
        &extent,
        memory,
        |_| (),
        |sum| {
            for piece in 0..layout.pieces {
                add_halves(sum, products.piece(piece, layout.pieces));
            }
            sum.finish()
        },
    ))
}

/// The way to sum these products that costs least, or the one that costs least of those that so many lines are enough
/// for. None if they are enough for no way.
fn fitting<A: Adder>(bulk: OneThread, [long, short]: [usize; 2], lines: usize) -> Option<Layout> {
    let terms = 2 * long + short;
    let best = Layout::new(bulk.backend(), usize::MAX, 1, terms);
    let fits =
        |layout: &Layout| layout.extent_of([long, short], 0..layout.windows(), layout.pieces).lines::<A, 2>() <= lines;
    if fits(&best) {
        return Some(best);
    }
    let costs = costs::of(bulk.backend());
    let mut pieces = best.pieces;
    loop {
        let mut found: Option<Layout> = None;
        for plan in SumPlan::all(terms, &costs) {
            let estimate = plan.estimate(terms, pieces, best.bits, &costs, size_of::<Entry>());
            let layout = best.by(plan, pieces, estimate);
            let is_cheaper = found.is_none_or(|found| estimate.nanoseconds < found.estimate.nanoseconds);
            if is_cheaper && fits(&layout) {
                found = Some(layout);
            }
        }
        if found.is_some() || terms <= pieces * TERMS_PER_PIECE_MIN {
            return found;
        }
        pieces *= 2;
    }
}
