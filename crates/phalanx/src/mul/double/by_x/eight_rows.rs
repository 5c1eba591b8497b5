//! The equations of a chunk in eight lanes. All rows share two inversions.

use crate::{
    group::Coordinates,
    lanes::{
        AffineLanes, Lift,
        inversion::{BatchStep, divide, step_of_any_word},
        memory::{AffineX8, CacheLine, FeX8, FeX8Mem, JacobianX8, Machine, Numbers, U256x8},
    },
    mul::pair_sums::{Adding, PairSums},
};
use phalanx_engine::{
    curve::{Affine, AskedOfY, Jacobian, SumEquation},
    field::{Field, batch_inversion::BatchInverted},
    word::{Mask, Mask8, Op, Word},
};

/// The equations of a chunk, in groups of eight rows.
pub(crate) struct EquationsByX<'a> {
    /// What is known of the keys. Known points (`keep`) have d = 1.
    pub(crate) keys: &'a [Lift],
    pub(crate) d: &'a [FeX8Mem],
    /// The images of a P.
    pub(crate) products: &'a [JacobianX8],
    /// Two points whose sum is b G.
    pub(crate) partial: &'a [[AffineX8; 2]],
    /// r, below p.
    pub(crate) x: &'a [U256x8],
    /// Whether y of the sum has to be even.
    pub(crate) even: bool,
    /// The lanes in which a P is what it should be. Those in which the equation says nothing are taken out.
    pub(crate) sound: &'a mut [Mask8],
    /// The lanes whose equation holds, as is proved.
    pub(crate) holds: &'a mut [Mask8],
}

/// Finds the rows whose equation holds, where it is conclusive.
pub(crate) fn prove_rows_by_x<M: Machine>(machine: M, work: EquationsByX<'_>, memory: &mut [CacheLine]) {
    let EquationsByX { keys, d, products, partial, x, even, sound, holds } = work;
    let mut numbers = Numbers::new(memory);
    let multiples: &mut [AffineX8] = numbers.take(partial.len());
    let kept: &mut [KeptEquation] = numbers.take(partial.len());
    let chords = Chords { partial, sums: &mut *multiples, kept: &mut *kept, sound: &mut *sound };
    divide(machine, &mut Adding(chords));
    divide(machine, &mut RowProofs { keys, d, products, multiples, x, even, kept, sound, holds });
}

/// The numbers of an equation between the two passes: a product of denominators, the equation's denominator, and what
/// [`SumEquation`] holds.
type KeptEquation = [FeX8Mem; 5];

/// The sums of both partial sums of b G, where they have a chord.
struct Chords<'a> {
    partial: &'a [[AffineX8; 2]],
    sums: &'a mut [AffineX8],
    kept: &'a mut [KeptEquation],
    sound: &'a mut [Mask8],
}

impl Chords<'_> {
    /// The points of a pair, and the lanes in which they have no chord. There the second x is replaced, so that the
    /// shared inversion stays valid. The sum is garbage, and the lane is not sound.
    #[inline(always)]
    fn moved<W: Word>(&self, group: usize) -> ([Affine<FeX8<W>>; 2], Mask8) {
        let [a, b] = &self.partial[group];
        let (a, b): (Affine<FeX8<W>>, Affine<FeX8<W>>) = (a.load(), b.load());
        let none = a.x.equals(b.x);
        let aside = a.x.add(FeX8::one()).weaken();
        ([a, Affine { x: FeX8::select(none, aside, b.x), y: b.y }], none)
    }
}

impl PairSums for Chords<'_> {
    type State<W: Word> = ();

    const LONG: bool = true;

    #[inline(always)]
    fn state<W: Word>() {}
    #[inline(always)]
    fn count(&self) -> usize {
        self.partial.len()
    }
    #[inline(always)]
    fn pair<W: Word>(&self, index: usize) -> [Affine<FeX8<W>>; 2] {
        self.moved(index).0
    }
    #[inline(always)]
    fn first_x<W: Word>(&mut self, index: usize) -> [FeX8<W>; 2] {
        let ([a, b], none) = self.moved(index);
        self.sound[index] = self.sound[index].and(none.not());
        [a.x, b.x]
    }
    #[inline(always)]
    fn spare(&self, index: usize) -> &FeX8Mem {
        &self.kept[index][0]
    }
    #[inline(always)]
    fn spare_mut(&mut self, index: usize) -> &mut FeX8Mem {
        &mut self.kept[index][0]
    }
    #[inline(always)]
    fn put<W: Word>(&mut self, _: &mut (), index: usize, sum: Affine<FeX8<W>>) {
        self.sums[index].store(sum);
    }
}

/// The equations.
struct RowProofs<'a> {
    keys: &'a [Lift],
    d: &'a [FeX8Mem],
    products: &'a [JacobianX8],
    /// b G.
    multiples: &'a [AffineX8],
    x: &'a [U256x8],
    even: bool,
    kept: &'a mut [KeptEquation],
    sound: &'a mut [Mask8],
    holds: &'a mut [Mask8],
}

step_of_any_word!(RowProofs, Coordinates, keys);

impl<W: Word> BatchInverted<FeX8<W>> for &mut RowProofs<'_> {
    /// An equation, its denominator, and what is asked of it.
    type Operands = (SumEquation<FeX8<W>>, FeX8<W>, AskedOfY<FeX8<W>>);
    type Result = Mask8;

    const SELDOM: bool = true;

    #[inline(always)]
    fn count(&self) -> usize {
        self.products.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        let [_, denominator, width, height, divisor] = &self.kept[index];
        let key = &self.keys[index];
        let equation = SumEquation { width: width.load(), height: height.load(), divisor: divisor.load() };
        let asked = AskedOfY {
            product_y: self.products[index].y.load(),
            d: self.d[index].load(),
            // The y of a key that stays is 1 here.
            odd: key.odd.or(key.keep),
            other: self.multiples[index].load(),
            r: FeX8::from_words(self.x[index].load()),
            even: self.even,
        };
        (equation, denominator.load(), asked)
    }
    #[inline(always)]
    fn denominator((_, denominator, _): &Self::Operands) -> FeX8<W> {
        *denominator
    }
    #[inline(always)]
    fn first_denominator(&mut self, index: usize) -> FeX8<W> {
        let product: Jacobian<FeX8<W>> = self.products[index].load();
        let r = FeX8::from_words(self.x[index].load());
        let equation = SumEquation::new(product, self.d[index].load(), self.multiples[index].load(), r);
        let denominator = equation.denominator();
        let says_nothing = denominator.is_zero();
        self.sound[index] = self.sound[index].and(says_nothing.not());
        let denominator = FeX8::select(says_nothing, FeX8::one(), denominator);
        let [_, kept, width, height, divisor] = &mut self.kept[index];
        kept.store(denominator);
        width.store(equation.width);
        height.store(equation.height);
        divisor.store(equation.divisor);
        denominator
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: FeX8<W>) {
        self.kept[index][0].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> FeX8<W> {
        self.kept[index][0].load()
    }
    #[inline(always)]
    fn solve((equation, _, asked): &Self::Operands, inverse: FeX8<W>) -> Mask8 {
        equation.holds(asked, inverse)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, holds: Mask8) {
        self.holds[index] = self.sound[index].and(holds);
    }
}

/// Turns images of a P into a P itself, in place: `keys` are the keys' points. Those that stay are no images.
pub(crate) fn leave_images<M: Machine>(machine: M, keys: &[Lift], points: &[AffineLanes], products: &mut [JacobianX8]) {
    machine.run(LeaveImages { keys, points, products });
}

struct LeaveImages<'a> {
    keys: &'a [Lift],
    points: &'a [AffineLanes],
    products: &'a mut [JacobianX8],
}

impl Op for LeaveImages<'_> {
    type Output = ();

    /// The map divides X by y^2 and Y by y^3.
    #[inline(always)]
    fn call<W: Word>(self) {
        for ((key, point), product) in self.keys.iter().zip(self.points).zip(self.products) {
            let y = FeX8::select(key.keep, FeX8::one(), point.load().y);
            let z = product.z.load().mul(y);
            product.z.store::<W>(z);
        }
    }
}
