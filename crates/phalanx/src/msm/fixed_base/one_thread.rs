//! Tables and sums in memory that the caller lends: nothing is allocated.

use super::lanes::{ChosenAdder, on};
use crate::{Error, OneThread, Point, PublicKey, Scalar, group::Secp256k1};
use core::ops::Range;
use phalanx_engine::{
    affine_add::AffineAdder,
    fixed_base::{Configuration, Part, Scheme, Tables},
    lanes::INFINITY,
    word::CacheLine,
};

/// Points of a part at most: building it takes some milliseconds.
const POINTS_OF_PART: usize = 16;

/// The bits of a window at most.
const MAX_BITS: u32 = 16;

/// Tables have fewer lines: as many as can be told apart.
const MAX_LINES: u64 = 1 << 26;

/// Tables over points that never change, for who brings their memory: how large they are, and the parts in which they are
/// built, in any order and on any threads.
///
/// ```
/// use phalanx::{Backend, Point, Scalar, SecretKey, bindings::{CacheLine, FixedBasePlan, OneThread}};
/// let secret = |i: u64| SecretKey::from_bytes(&Scalar::from(i).to_bytes());
/// let line = |i: u64| Ok(FixedBasePlan::line_of(Some(&secret(i)?.public_key())));
/// let basis: Vec<CacheLine> = (1..=20).map(line).collect::<Result<_, phalanx::Error>>()?; // G, 2 G, ... 20 G
/// let (bulk, plan) = (OneThread::of(Backend::Portable)?, FixedBasePlan::windows(20, 4).expect("small tables"));
/// let (mut lines, mut infinity) = (vec![CacheLine([0; 8]); plan.lines()], false);
/// let mut workspace = vec![CacheLine([0; 8]); bulk.lines_to_build(&plan)];
/// for part in 0..plan.parts() {
///     let lines = &mut lines[plan.part(part).expect("one of the parts")];
///     infinity |= bulk.build_part(&plan, part, &basis, lines, &mut workspace)?;
/// }
///
/// let tables = plan.tables(&lines, infinity)?;
/// let terms = [(19, Scalar::from(3u64)), (0, Scalar::ONE)]; // three times 20 G, and G
/// let mut workspace = vec![CacheLine([0; 8]); bulk.lines_of_fixed_base_sums(&plan, 1, 2, 2)];
/// let vectors = [terms].into_iter().map(IntoIterator::into_iter);
/// bulk.fixed_base_sums_vartime(&tables, vectors, &mut workspace, |_, sum| {
///     assert_eq!(*sum, Point::mul_generator(&Scalar::from(61u64)));
/// })?;
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedBasePlan(Configuration);

/// Tables in the caller's memory: see [`FixedBasePlan::tables`].
pub struct FixedBaseTables<'a>(Tables<Secp256k1, &'a [CacheLine]>);

impl FixedBasePlan {
    /// Tables with windows of so many bits, 1 to 16; 8 is a good start. More bits take more memory and less time: 2^(bits - 1)
    /// lines for each of the 256 / bits windows (rounded up) of each point.
    ///
    /// None for other bits, for no points, and where there would be 2^26 lines or more.
    pub fn windows(points: usize, bits: u32) -> Option<FixedBasePlan> {
        if !(1..=MAX_BITS).contains(&bits) {
            return None;
        }
        // Counted first, so that no number overflows, whatever a `usize` holds.
        let lines = (points as u64).checked_mul(u64::from(256_u32.div_ceil(bits)) << (bits - 1))?;
        if lines >= MAX_LINES {
            return None;
        }
        let configuration = Configuration::single(points, Scalar::ORDER, Scheme::SignedWindows { b: bits });
        configuration.check().ok().map(|()| FixedBasePlan(configuration))
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.0.points
    }

    /// The number of lines of the tables.
    pub fn lines(&self) -> usize {
        self.0.rows()
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.0.parts(POINTS_OF_PART).count()
    }

    /// The lines of the tables that a part fills; none for a number behind the last part.
    pub fn part(&self, part: usize) -> Option<Range<usize>> {
        self.part_numbered(part).map(|part| part.rows)
    }

    fn part_numbered(&self, part: usize) -> Option<Part> {
        self.0.parts(POINTS_OF_PART).nth(part)
    }

    /// A point as a line of the basis that tables are built over; without one the line of infinity.
    pub fn line_of(point: Option<&PublicKey>) -> CacheLine {
        point.map_or(INFINITY, PublicKey::entry)
    }

    /// The tables whose parts [`OneThread::build_part`] has written to these lines. `infinity` is whether some part met
    /// infinity. Of other lines the sums are wrong.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many lines as [`FixedBasePlan::lines`] says.
    pub fn tables<'a>(&self, lines: &'a [CacheLine], infinity: bool) -> Result<FixedBaseTables<'a>, Error> {
        Error::check_lengths(lines.len(), self.lines())?;
        let tables = Tables::of_parts(self.0.clone(), lines, infinity);
        tables.map(FixedBaseTables).map_err(|_| Error::TooManyPoints)
    }
}

/// Sums over points that never change, by tables in the caller's memory ([`FixedBasePlan`]).
impl OneThread {
    /// The number of cache lines of workspace that [`OneThread::build_part`] takes for any part.
    pub fn lines_to_build(self, plan: &FixedBasePlan) -> usize {
        let parts = || plan.0.parts(POINTS_OF_PART);
        on!(&ChosenAdder::of(self.lanes()), adder => parts().map(|part| lines_of_part(adder, plan, &part)).max().unwrap_or(0))
    }

    /// Writes the lines of a part of the tables over a basis, whose lines [`FixedBasePlan::line_of`] makes. Says whether it
    /// met infinity. Variable time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is no such part, if the basis does not have as many lines as the plan has points,
    /// or if there are not as many lines as the part has; [`Error::WorkspaceTooSmall`].
    pub fn build_part(
        self,
        plan: &FixedBasePlan,
        part: usize,
        basis: &[CacheLine],
        lines: &mut [CacheLine],
        workspace: &mut [CacheLine],
    ) -> Result<bool, Error> {
        let number = part;
        let part = plan.part_numbered(number).ok_or(Error::LengthMismatch { left: number, right: plan.parts() })?;
        Error::check_lengths(basis.len(), plan.points())?;
        Error::check_lengths(lines.len(), part.rows.len())?;
        on!(&ChosenAdder::of(self.lanes()), adder => {
            let (needed, given) = (lines_of_part(adder, plan, &part), workspace.len());
            if given < needed {
                return Err(Error::WorkspaceTooSmall { needed, given });
            }
            Ok(plan.0.build_part(adder, &part, basis, lines, workspace))
        })
    }

    /// The number of cache lines of workspace that [`OneThread::fixed_base_sums_vartime`] takes for so many vectors of at
    /// most `longest` terms each, and `all` together. It takes fewer for fewer.
    pub fn lines_of_fixed_base_sums(self, plan: &FixedBasePlan, vectors: usize, longest: usize, all: usize) -> usize {
        on!(&ChosenAdder::of(self.lanes()), adder => lines_of_sums(adder, &plan.0, vectors, longest, all))
    }

    /// Calls `out` with the number of each vector and its sum, of each scalar times the point of that number. Numbers may
    /// come in any order, and repeat. The vectors are gone through three times. Variable time, for public scalars.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is no such point, [`Error::WorkspaceTooSmall`] for a workspace of fewer lines than
    /// [`OneThread::lines_of_fixed_base_sums`] says. Then `out` is not called.
    pub fn fixed_base_sums_vartime<V: ExactSizeIterator<Item = (usize, Scalar)>>(
        self,
        tables: &FixedBaseTables<'_>,
        vectors: impl ExactSizeIterator<Item = V> + Clone,
        workspace: &mut [CacheLine],
        mut out: impl FnMut(usize, &Point),
    ) -> Result<(), Error> {
        let (configuration, given) = (tables.0.configuration(), workspace.len());
        let (mut longest, mut all) = (0, 0);
        for vector in vectors.clone() {
            (longest, all) = (vector.len().max(longest), vector.len() + all);
            for (point, _) in vector {
                if point >= configuration.points {
                    return Err(Error::LengthMismatch { left: point, right: configuration.points });
                }
            }
        }
        on!(&ChosenAdder::of(self.lanes()), adder => {
            let needed = lines_of_sums(adder, configuration, vectors.len(), longest, all);
            if given < needed {
                return Err(Error::WorkspaceTooSmall { needed, given });
            }
            let words = vectors.map(|vector| vector.map(|(point, scalar)| (point, scalar.limbs())));
            tables.0.sums_of_terms_in_vartime(adder, all, words, workspace, |i, sum| out(i, &Point::from_jacobian(*sum)));
            Ok(())
        })
    }
}

fn lines_of_part<A: AffineAdder<Curve = Secp256k1>>(_: &A, plan: &FixedBasePlan, part: &Part) -> usize {
    plan.0.lines_of_part::<A>(part)
}

fn lines_of_sums<A: AffineAdder<Curve = Secp256k1>>(
    _: &A,
    configuration: &Configuration,
    vectors: usize,
    longest: usize,
    all: usize,
) -> usize {
    configuration.lines_of_terms::<A>(vectors, longest.min(configuration.points), all)
}
