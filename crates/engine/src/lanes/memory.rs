//! Numbers and points of eight lanes in memory, independent of the words they are worked on with; and rows of tables.
//!
//! A row is a point of one lane on a cache line: x, then y, each as the four words of [`FieldX1::to_row`].

use crate::{
    curve::{Affine, Curve, Jacobian},
    field::{BaseField, FieldX1, FieldX8},
    word::{CacheLine, Kernel, LANES, Word},
};
use core::marker::PhantomData;

/// One 64-bit word of each lane, on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct LaneWords(pub [u64; LANES]);

impl LaneWords {
    /// All zero.
    pub const ZERO: LaneWords = LaneWords([0; LANES]);

    /// The words in a register.
    #[inline(always)]
    pub fn load<W: Word>(&self) -> W {
        W::from_lanes(self.0)
    }

    /// Writes a register's words.
    #[inline(always)]
    pub fn store<W: Word>(&mut self, word: W) {
        self.0 = word.to_lanes();
    }

    /// Takes over a lane of others.
    pub fn take_lane(&mut self, lane: usize, others: &Self, from: usize) {
        self.0[lane] = others.0[from];
    }
}

/// A 256-bit number in each lane as four 64-bit words, least significant first.
#[derive(Debug, Clone, Copy)]
pub struct U256x8(pub [LaneWords; 4]);

impl U256x8 {
    /// All zero.
    pub const ZERO: U256x8 = U256x8([LaneWords::ZERO; 4]);

    /// Puts a number into a lane.
    pub fn set(&mut self, lane: usize, number: [u64; 4]) {
        for (line, word) in self.0.iter_mut().zip(number) {
            line.0[lane] = word;
        }
    }

    /// The number of a lane.
    pub fn get(&self, lane: usize) -> [u64; 4] {
        let [a, b, c, d] = &self.0;
        [a.0[lane], b.0[lane], c.0[lane], d.0[lane]]
    }

    /// The numbers in registers.
    #[inline(always)]
    pub fn load<W: Word>(&self) -> [W; 4] {
        let [a, b, c, d] = &self.0;
        [a.load(), b.load(), c.load(), d.load()]
    }

    /// Writes the registers' numbers.
    #[inline(always)]
    pub fn store<W: Word>(&mut self, [a, b, c, d]: [W; 4]) {
        let lines = &mut self.0;
        lines[0].store(a);
        lines[1].store(b);
        lines[2].store(c);
        lines[3].store(d);
    }

    /// Takes over a lane of others.
    pub fn take_lane(&mut self, lane: usize, others: &Self, from: usize) {
        self.0.iter_mut().zip(&others.0).for_each(|(line, others)| line.take_lane(lane, others, from));
    }
}

/// Five lines in registers.
struct LoadLines<'a, W>(&'a [LaneWords; 5], PhantomData<W>);

impl<W: Word> Kernel for LoadLines<'_, W> {
    type Output = [W; 5];

    #[inline(always)]
    fn run(self) -> [W; 5] {
        let [a, b, c, d, e] = self.0;
        [a.load(), b.load(), c.load(), d.load(), e.load()]
    }
}

/// An element of the field `F` in each of eight lanes, in the form in which the words that wrote it work on it. Words
/// of one machine read it back; for one lane there is [`super::AffineLanes`].
#[derive(Debug, Clone, Copy)]
pub struct FeX8Mem<F>([LaneWords; 5], PhantomData<F>);

impl<F: BaseField> FeX8Mem<F> {
    /// All zero, which is the number zero in every form.
    pub const ZERO: Self = Self([LaneWords::ZERO; 5], PhantomData);

    /// The element in registers.
    #[inline(always)]
    pub fn load<W: Word>(&self) -> F::X8<W> {
        F::X8::from_memory(W::kernel(LoadLines(&self.0, PhantomData)))
    }

    /// Writes the registers' element, carried and of magnitude 1.
    #[inline(always)]
    pub fn store<W: Word>(&mut self, element: F::X8<W>) {
        for (line, word) in self.0.iter_mut().zip(element.to_memory()) {
            line.store(word);
        }
    }

    /// Takes over a lane of others, which words of the same machine wrote.
    pub fn take_lane(&mut self, lane: usize, others: &Self, from: usize) {
        self.0.iter_mut().zip(&others.0).for_each(|(line, others)| line.take_lane(lane, others, from));
    }
}

/// A finite point of the curve `C` in each lane.
#[derive(Debug, Clone, Copy)]
pub struct AffineX8<C: Curve> {
    /// The abscissa.
    pub x: FeX8Mem<C::Field>,
    /// The ordinate.
    pub y: FeX8Mem<C::Field>,
}

impl<C: Curve> AffineX8<C> {
    /// All zero, which is no point.
    pub const ZERO: Self = Self { x: FeX8Mem::ZERO, y: FeX8Mem::ZERO };

    /// The points in registers.
    #[inline(always)]
    pub fn load<W: Word>(&self) -> Affine<<C::Field as BaseField>::X8<W>> {
        Affine { x: self.x.load(), y: self.y.load() }
    }

    /// Writes the registers' points.
    #[inline(always)]
    pub fn store<W: Word>(&mut self, point: Affine<<C::Field as BaseField>::X8<W>>) {
        self.x.store(point.x);
        self.y.store(point.y);
    }

    /// Takes over a lane of others, which words of the same machine wrote.
    pub fn take_lane(&mut self, lane: usize, others: &Self, from: usize) {
        self.x.take_lane(lane, &others.x, from);
        self.y.take_lane(lane, &others.y, from);
    }
}

/// A point of the curve `C`, or infinity, in each lane.
#[derive(Debug, Clone, Copy)]
pub struct JacobianX8<C: Curve> {
    /// X, with x = X / Z^2.
    pub x: FeX8Mem<C::Field>,
    /// Y, with y = Y / Z^3.
    pub y: FeX8Mem<C::Field>,
    /// Z, zero for infinity.
    pub z: FeX8Mem<C::Field>,
}

impl<C: Curve> JacobianX8<C> {
    /// All zero.
    pub const ZERO: Self = Self { x: FeX8Mem::ZERO, y: FeX8Mem::ZERO, z: FeX8Mem::ZERO };

    /// The points in registers.
    #[inline(always)]
    pub fn load<W: Word>(&self) -> Jacobian<<C::Field as BaseField>::X8<W>> {
        Jacobian { x: self.x.load(), y: self.y.load(), z: self.z.load() }
    }

    /// Writes the registers' points.
    #[inline(always)]
    pub fn store<W: Word>(&mut self, point: Jacobian<<C::Field as BaseField>::X8<W>>) {
        self.x.store(point.x);
        self.y.store(point.y);
        self.z.store(point.z);
    }

    /// Takes over a lane of others, which words of the same machine wrote.
    pub fn take_lane(&mut self, lane: usize, others: &Self, from: usize) {
        self.x.take_lane(lane, &others.x, from);
        self.y.take_lane(lane, &others.y, from);
        self.z.take_lane(lane, &others.z, from);
    }
}

/// Lane `index[i]` in lane `i`.
#[inline(always)]
pub fn permute<F: FieldX8>(element: F, index: F::Word) -> F {
    let [a, b, c, d, e] = element.to_memory();
    F::from_memory([a.permute(index), b.permute(index), c.permute(index), d.permute(index), e.permute(index)])
}

/// Exchanges lanes and points: lane `i` of point `j` becomes lane `j` of point `i`. There are eight points.
#[inline(always)]
#[cfg(feature = "sums")]
pub(crate) fn exchange_lanes<C: Curve, W: Word>(points: &mut [AffineX8<C>]) {
    for word in 0..5 {
        let at = |lane: usize| &points[lane].x.0[word].0;
        let columns = W::transpose([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
        points.iter_mut().zip(columns).for_each(|(point, column)| point.x.0[word].store(column));
        let at = |lane: usize| &points[lane].y.0[word].0;
        let columns = W::transpose([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
        points.iter_mut().zip(columns).for_each(|(point, column)| point.y.0[word].store(column));
    }
}

/// The row of infinity.
pub const INFINITY: CacheLine = CacheLine([0; LANES]);

/// Whether a row is infinity: no point of the curve has y = 0.
#[inline]
pub fn is_infinity(row: &CacheLine) -> bool {
    row.0[4..] == [0; 4]
}

/// The point of a row that is finite.
#[inline(always)]
pub fn read_entry<F: FieldX1>(row: &CacheLine) -> Affine<F> {
    let [x0, x1, x2, x3, y0, y1, y2, y3] = row.0;
    Affine { x: F::from_row([x0, x1, x2, x3]), y: F::from_row([y0, y1, y2, y3]) }
}

/// The row of a normalised point.
#[inline(always)]
pub fn write_entry<F: FieldX1>(point: &Affine<F>) -> CacheLine {
    let ([x0, x1, x2, x3], [y0, y1, y2, y3]) = (point.x.to_row(), point.y.to_row());
    CacheLine([x0, x1, x2, x3, y0, y1, y2, y3])
}

/// The point of a row that is finite, on the curve's [`RowModel`](crate::curve::RowModel). Variable time.
#[inline(always)]
pub fn read_model_vartime<F: FieldX1>(row: &CacheLine) -> Affine<F> {
    let [_, _, _, _, y0, y1, y2, y3] = row.0;
    let y = F::from_row_as_it_stands_vartime([y0, y1, y2, y3]).times_row_root();
    Affine { x: read_model_x_vartime(row), y }
}

/// The x of that point. Variable time.
#[inline(always)]
pub fn read_model_x_vartime<F: FieldX1>(row: &CacheLine) -> F {
    let [x0, x1, x2, x3, ..] = row.0;
    F::from_row_as_it_stands_vartime([x0, x1, x2, x3])
}

/// The row of a normalised point of that model.
#[inline(always)]
pub fn write_model<F: FieldX1>(point: &Affine<F>) -> CacheLine {
    let [x0, x1, x2, x3] = point.x.to_row_as_it_stands();
    let [y0, y1, y2, y3] = point.y.divide_by_row_root().to_row_as_it_stands();
    CacheLine([x0, x1, x2, x3, y0, y1, y2, y3])
}

/// The points of a row for each lane.
#[inline(always)]
pub fn read_entries<F: FieldX8>(entries: [&CacheLine; LANES]) -> Affine<F> {
    let [a, b, c, d, e, f, g, h] = entries;
    let [x0, x1, x2, x3, y0, y1, y2, y3] = F::Word::transpose([&a.0, &b.0, &c.0, &d.0, &e.0, &f.0, &g.0, &h.0]);
    Affine { x: F::from_row([x0, x1, x2, x3]), y: F::from_row([y0, y1, y2, y3]) }
}

/// Writes a point of each lane as that lane's row, lane `i` at `entries[i * stride]`, with canonical coordinates.
#[inline(always)]
pub fn write_entries<F: FieldX8>(point: Affine<F>, entries: &mut [CacheLine], stride: usize) {
    let Affine { x, y } = point.normalize();
    write_rows::<F>([x.to_row(), y.to_row()], entries, stride);
}

/// As [`write_entries`], with coordinates that need not be below p, of a point whose coordinates a reduction of
/// products or [`Field::weaken`](crate::field::Field::weaken) left. For public points.
#[inline(always)]
pub fn write_weak_entries<F: FieldX8>(point: Affine<F>, entries: &mut [CacheLine], stride: usize) {
    write_rows::<F>(F::to_weak_rows([point.x, point.y]), entries, stride);
}

#[inline(always)]
fn write_rows<F: FieldX8>(words: [[F::Word; 4]; 2], entries: &mut [CacheLine], stride: usize) {
    let [[x0, x1, x2, x3], [y0, y1, y2, y3]] = words;
    let words = [x0.to_lanes(), x1.to_lanes(), x2.to_lanes(), x3.to_lanes()];
    let others = [y0.to_lanes(), y1.to_lanes(), y2.to_lanes(), y3.to_lanes()];
    let ([a, b, c, d], [e, f, g, h]) = (&words, &others);
    let rows = F::Word::transpose([a, b, c, d, e, f, g, h]);
    for (lane, row) in rows.into_iter().enumerate() {
        entries[lane * stride].0 = row.to_lanes();
    }
}
