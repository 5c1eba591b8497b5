//! Sums of products by a plan, on one thread, for any curve, in memory that the caller lends.

use super::{
    horner::{ShiftedPoint, Sum, horner},
    in_lanes::{InLanes, InLanesSize, WIDTH},
    pippenger::{self, Pippenger},
    plan::{Method, SumPlan},
    signed_digits::SignedInt,
    straus::{self, OddMultiples, Straus},
    workspace::SumMemory,
};
use crate::{
    affine_add::{AffineAdder, ArenaProducts, RoundsOf},
    arena::{Arena, List},
    curve::{Curve, GlvCurve},
    word::CacheLine,
};
use core::ops::Range;

/// What a thread sums, and how: from this follows what memory it takes.
#[derive(Debug, Clone)]
pub struct Extent {
    /// Method and window.
    pub plan: SumPlan,
    /// Numbers are below `2^bits` in absolute value.
    pub bits: u32,
    /// The windows of the numbers that are summed: of all [`SumPlan::windows`], or of some of them.
    pub windows: Range<usize>,
    /// Points of a piece at most.
    pub known: usize,
    /// Points behind these at most, which are images of the first of them.
    pub images: usize,
    /// Pieces at most.
    pub pieces: usize,
}

/// The sizes of either method's lists.
enum MethodSize {
    Straus(straus::StrausSize),
    Lanes(InLanesSize),
    Pippenger(pippenger::PippengerSize),
}

impl MethodSize {
    /// The size; and rows of points, pairs of a round, and parts.
    fn of(extent: &Extent) -> (MethodSize, [usize; 3]) {
        let Extent { plan: SumPlan { method, width }, bits, ref windows, known, images, pieces } = *extent;
        match method {
            Method::Straus => {
                let size = straus::StrausSize::new(width, windows.len(), known, images);
                (MethodSize::Straus(size), [size.rows, size.pairs, windows.len().saturating_mul(pieces)])
            }
            Method::Lanes => {
                assert!(width == WIDTH, "windows of {width} bits in lanes");
                // Without its window there is nothing to sum.
                let bits = if windows.is_empty() { 0 } else { bits };
                (MethodSize::Lanes(InLanesSize::new(bits, known, images)), [known, 0, windows.len()])
            }
            Method::Pippenger => {
                let size = pippenger::PippengerSize::new(width, bits, windows.clone(), known + images);
                (MethodSize::Pippenger(size), [size.rows, size.pairs, size.parts])
            }
        }
    }
}

impl Extent {
    /// The cache lines that [`Summation::run`] takes for numbers of `N` words. It does not fall when there are more
    /// points or more pieces.
    pub fn lines<A: AffineAdder, const N: usize>(&self) -> usize {
        Arena::count(|arena| {
            SumLists::<A, N>::new(self, arena);
        })
    }
}

/// A sum of products whose terms come in pieces. Variable time.
///
/// ```
/// use phalanx_engine::{
///     affine_add::OneLane,
///     curve::{Affine, Curve},
///     field::{BaseField, Field, FieldX1, Montgomery, MontgomeryPrime},
///     lanes::write_entry,
///     msm::{Extent, Method, SumPlan, SignedInt, Summation},
///     word::CacheLine,
/// };
///
/// // secq256k1: y^2 = x^3 + 7 modulo the order of secp256k1's group.
/// #[derive(Clone, Copy)]
/// struct N;
/// impl MontgomeryPrime for N {
///     const MODULUS: [u64; 4] = [0xbfd2_5e8c_d036_4141, 0xbaae_dce6_af48_a03b, 0xffff_ffff_ffff_fffe, u64::MAX];
/// }
/// #[derive(Clone, Copy)]
/// struct Secq256k1;
/// impl Curve for Secq256k1 {
///     type Field = Montgomery<N>;
///     const B: [u64; 4] = [7, 0, 0, 0];
///     const GENERATOR: [[u64; 4]; 2] = [
///         [1, 0, 0, 0],
///         [0xc1b8_00d1_ffc2_78c0, 0x4891_6189_041f_2af0, 0x4909_abdf_82c9_bd02, 0x0c7c_9704_5a20_7463],
///     ];
/// }
///
/// let generator = Affine::<<Montgomery<N> as BaseField>::X1>::generator::<Secq256k1>();
/// let adder = OneLane::<Secq256k1>::new();
/// let plan = SumPlan { method: Method::Pippenger, width: 4 };
/// let extent = Extent { plan, bits: 64, windows: 0..plan.windows(64), known: 3, images: 0, pieces: 1 };
/// let mut memory = vec![CacheLine([0; 8]); extent.lines::<OneLane<Secq256k1>, 1>()];
/// let wipe = |lines: &mut [CacheLine]| lines.fill(CacheLine([0; 8]));
/// let sum = Summation::<_, 1>::run(&adder, &extent, &mut memory, wipe, |sum| {
///     sum.add(3, |table, numbers| {
///         table.fill(write_entry(&generator));
///         numbers.copy_from_slice(&[1, 2, 4].map(|number| SignedInt { magnitude: [number], negative: false }));
///     });
///     sum.finish()
/// });
/// let seven = (1..7).fold(generator.to_jacobian(), |sum, _| sum.add_mixed_complete(generator));
/// assert!(sum.equals(seven) == phalanx_engine::word::Mask::ALL);
/// ```
pub struct Summation<'m, 'a, A: AffineAdder, const N: usize> {
    adder: &'a A,
    memory: SumLists<'m, A, N>,
}

/// The memory of a sum.
struct SumLists<'m, A: AffineAdder, const N: usize> {
    products: ArenaProducts<'m, A::Kept>,
    workspace: SumMemory<'m>,
    terms: List<'m, SignedInt<N>>,
    method: MethodLists<'m, A::Curve>,
    parts: List<'m, ShiftedPoint>,
    order: &'m mut [u32],
}

impl<'m, A: AffineAdder, const N: usize> SumLists<'m, A, N> {
    /// Of a sum of nothing.
    fn new<'env: 'm>(extent: &Extent, arena: &mut Arena<'m, 'env>) -> Self
    where
        A::Kept: 'env,
    {
        let Extent { plan: SumPlan { width, .. }, bits, ref windows, known, images, .. } = *extent;
        let (size, [rows, pairs, parts]) = MethodSize::of(extent);
        let products = A::arena_products(pairs, arena);
        let mut workspace = SumMemory::new(arena.numbers(rows), arena.number_list(pairs));
        workspace.reset(known + images);
        let windows = windows.clone();
        let method = match size {
            MethodSize::Straus(size) => MethodLists::Straus(Straus::new(size, width, windows, arena)),
            MethodSize::Lanes(size) => MethodLists::Lanes(InLanes::new(size, arena)),
            MethodSize::Pippenger(size) => {
                MethodLists::Pippenger(Pippenger::new(size, width, bits, windows, arena, &mut workspace))
            }
        };
        SumLists {
            products,
            workspace,
            terms: arena.filled(known + images, SignedInt { magnitude: [0; N], negative: false }),
            method,
            parts: arena.list(parts),
            order: arena.numbers(parts),
        }
    }
}

enum MethodLists<'m, C: Curve> {
    Straus(Straus<'m>),
    Lanes(InLanes<'m, C>),
    Pippenger(Pippenger<'m>),
}

impl<'a, A: AffineAdder, const N: usize> Summation<'_, 'a, A, N> {
    /// Calls `work` with a sum of nothing, which computes in `memory`: at least [`Extent::lines`] lines. `wipe`
    /// overwrites some of them afterwards, with any values.
    ///
    /// # Panics
    /// If there are fewer lines; if a number of `bits` bits does not fit `N` words, or `N` is more than four; if the
    /// plan's width is not from 2 to [`super::MAX_WIDTH`], for Straus' method to 10; if the windows go beyond those
    /// that such numbers have.
    pub fn run<T>(
        adder: &'a A,
        extent: &Extent,
        memory: &mut [CacheLine],
        wipe: impl Fn(&mut [CacheLine]),
        work: impl for<'m> FnOnce(&mut Summation<'m, 'a, A, N>) -> T,
    ) -> T
    where
        A::Kept: 'a,
    {
        assert!(extent.bits as usize <= 64 * N && extent.windows.end <= extent.plan.windows(extent.bits));
        Arena::over(memory, wipe, |arena| work(&mut Summation { adder, memory: SumLists::new(extent, arena) }))
    }

    /// What adds points.
    pub fn adder(&self) -> &'a A {
        self.adder
    }

    /// Adds the products of a piece. `load` writes its points, and the numbers that multiply them. Points are finite.
    ///
    /// # Panics
    /// If there are more points than the extent says; by [`Method::Lanes`] on one lane, or if the order of a point is
    /// below 32.
    pub fn add(&mut self, points: usize, load: impl FnOnce(&mut [CacheLine], &mut [SignedInt<N>])) {
        self.add_terms([points, 0], None, load, |_, rounds, width, workspace| {
            OddMultiples::new(rounds, width, points, workspace)
        });
    }

    /// As [`Self::add`], where the last points are images of the first ones: see [`AffineAdder::images`]. By
    /// [`Method::Lanes`] `load` gets no rows for images.
    ///
    /// # Panics
    /// As [`Self::add`], and if there are more images than the extent says.
    pub fn add_with_images(
        &mut self,
        known: usize,
        images: usize,
        load: impl FnOnce(&mut [CacheLine], &mut [SignedInt<N>]),
    ) where
        A::Curve: GlvCurve,
    {
        self.add_terms([known, images], Some(A::Curve::BETA), load, |adder, rounds, width, workspace| {
            OddMultiples::with_images(adder, rounds, width, known, images, workspace)
        });
    }

    fn add_terms(
        &mut self,
        [known, images]: [usize; 2],
        beta: Option<[u64; 4]>,
        load: impl FnOnce(&mut [CacheLine], &mut [SignedInt<N>]),
        odd_multiples: impl FnOnce(&A, &mut RoundsOf<'_, '_, A>, u32, &mut SumMemory<'_>) -> OddMultiples,
    ) {
        let Summation { adder, memory: SumLists { products, workspace, terms, method, parts, .. } } = self;
        let points = known + images;
        let terms = &mut terms[..points];
        match method {
            MethodLists::Straus(straus) => {
                products.begin();
                load(workspace.begin(points), terms);
                let rounds = &mut RoundsOf { adder: *adder, work: products };
                let multiples = odd_multiples(adder, rounds, straus.width(), workspace);
                straus.sums(rounds, terms, &multiples, workspace, parts);
            }
            MethodLists::Lanes(lanes) => {
                let rows = workspace.begin(known);
                load(rows, terms);
                // Known when this is compiled: one lane has no code of eight.
                if const { A::LANES == 1 } {
                    panic!("a sum in lanes, on one lane");
                } else {
                    lanes.add(adder.machine(), rows, terms, beta);
                }
            }
            MethodLists::Pippenger(pippenger) => {
                load(workspace.points(points), terms);
                pippenger.digits.set(adder.machine(), terms);
                pippenger.add(&mut RoundsOf { adder: *adder, work: products }, workspace);
            }
        }
    }

    /// The sum of all pieces, as points times powers of two that are yet to be added up by [`horner`].
    pub fn parts(&mut self) -> &[ShiftedPoint] {
        let Summation { adder, memory: SumLists { products, workspace, method, parts, .. } } = self;
        match method {
            MethodLists::Straus(_) => (),
            MethodLists::Lanes(lanes) => {
                parts.clear();
                lanes.parts(parts);
            }
            MethodLists::Pippenger(pippenger) => {
                parts.clear();
                pippenger.weighted_sums(&mut RoundsOf { adder: *adder, work: products }, workspace, parts);
            }
        }
        parts
    }

    /// The sum of all pieces.
    pub fn finish(&mut self) -> Sum<A::Curve> {
        if let MethodLists::Lanes(lanes) = &self.memory.method {
            return lanes.sum();
        }
        self.parts();
        horner(self.adder, &self.memory.parts, self.memory.order)
    }
}
