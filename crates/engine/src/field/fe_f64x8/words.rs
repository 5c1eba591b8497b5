//! Numbers in doubles from words, and back, by way of *fields*: five integers of the weights of the digits,
//! of 52, 51, 51, 51 and 51 bits.

use super::{FeF64X8, Field, GRIDS, Prime};
use crate::word::doubles::{Doubles, Split};
use crate::word::{Kernel, Mask8, Word, kernels};
use core::marker::PhantomData;

const FULL: u64 = (1 << 51) - 1;
const FULL_BOTTOM: u64 = (1 << 52) - 1;

/// Half a gap.
const HALF: u64 = 1 << 50;
const HALF_BOTTOM: u64 = 1 << 51;

kernels! {
    /// The fields of four words.
    pub(super) fn fields_of_words<W>(words: [W; 4]) -> [W; 5] {
        let [a, b, c, d] = words;
        let full = W::splat(FULL);
        [
            a.and(W::splat(FULL_BOTTOM)),
            a.shr::<52>().or(b.shl::<12>()).and(full),
            b.shr::<39>().or(c.shl::<25>()).and(full),
            c.shr::<26>().or(d.shl::<38>()).and(full),
            d.shr::<13>(),
        ]
    }
}

kernels! {
    /// The four words of fields that are full at most.
    pub(super) fn words_of_fields<W>(fields: [W; 5]) -> [W; 4] {
        let [a, b, c, d, e] = fields;
        [
            a.or(b.shl::<52>()),
            b.shr::<12>().or(c.shl::<39>()),
            c.shr::<25>().or(d.shl::<26>()),
            d.shr::<38>().or(e.shl::<13>()),
        ]
    }
}

impl<P: Prime, D: Doubles<Word: Word>> FeF64X8<P, D> {
    /// From fields of which the last one may have a bit more. The result is carried.
    #[inline(always)]
    pub(super) fn from_fields(fields: [D::Word; 5]) -> Self {
        D::Word::kernel(FromFields(fields, PhantomData))
    }

    /// From full fields, each of which becomes a digit as it is. The result is not carried.
    #[inline(always)]
    pub(super) fn from_fields_as_digits(fields: [D::Word; 5]) -> Self {
        D::Word::kernel(FieldsAsDigits(fields, PhantomData))
    }

    /// The fields of a carried number, or of p more: a number from 0 to 2^256 - 1. And the lanes in which the fields are
    /// void, which seldom occurs.
    #[inline(always)]
    pub(super) fn weak(self) -> ([D::Word; 5], u8) {
        let (fields, void) = D::Word::call(Weak(self));
        (fields, void.0)
    }

    /// The fields of the canonical number.
    #[inline(always)]
    pub(super) fn canonical(self) -> [D::Word; 5] {
        D::Word::call(Canonical(self))
    }
}

/// The work of [`FeF64X8::from_fields`].
struct FromFields<P, D: Doubles>([D::Word; 5], PhantomData<(P, D)>);

impl<P: Prime, D: Doubles<Word: Word>> Kernel for FromFields<P, D> {
    type Output = FeF64X8<P, D>;

    /// The upper half of a field's range stands for negative digits, and one more in the next field: a field and half
    /// of its range have the top bit flipped, and are the digit and half of the range.
    #[inline(always)]
    fn run(self) -> FeF64X8<P, D> {
        let [a, b, c, d, e] = self.0;
        let half = D::Word::splat(HALF);
        let raised = e.add(half);
        let over = raised.shr::<51>();
        let bottom = D::from_integers(a.xor(D::Word::splat(HALF_BOTTOM)), HALF_BOTTOM, GRIDS[0]);
        let digit = |field: D::Word, carry: D::Word, at: usize| D::from_integers(field.add(carry), HALF, GRIDS[at]);
        FeF64X8::from_digits([
            bottom.add_product(D::from_integers(over, 0, 0), D::splat(P::C as f64)),
            digit(b.xor(half), a.shr::<51>(), 1),
            digit(c.xor(half), b.shr::<50>(), 2),
            digit(d.xor(half), c.shr::<50>(), 3),
            digit(raised.and(D::Word::splat(FULL)), d.shr::<50>(), 4),
        ])
    }
}

/// The work of [`FeF64X8::from_fields_as_digits`].
struct FieldsAsDigits<P, D: Doubles>([D::Word; 5], PhantomData<(P, D)>);

impl<P: Prime, D: Doubles<Word: Word>> Kernel for FieldsAsDigits<P, D> {
    type Output = FeF64X8<P, D>;

    #[inline(always)]
    fn run(self) -> FeF64X8<P, D> {
        let [a, b, c, d, e] = self.0;
        let digit = |field, at: usize| D::from_integers(field, 0, GRIDS[at]);
        FeF64X8::from_digits([digit(a, 0), digit(b, 1), digit(c, 2), digit(d, 3), digit(e, 4)])
    }
}

/// The work of [`FeF64X8::weak`].
struct Weak<P, D>(FeF64X8<P, D>);

impl<P: Prime, D: Doubles<Word: Word>> Kernel for Weak<P, D> {
    type Output = ([D::Word; 5], Mask8);

    /// A number is negative where its top two digits are, taken together: then p is added. Where both are zero, the sign
    /// is that of lower digits, which are not looked at. Then the top field shows that it went wrong, by being negative.
    ///
    /// Each field is raised, so that no carry is negative. A carry is one too many for that, which the next field takes
    /// away.
    #[inline(always)]
    fn run(self) -> ([D::Word; 5], Mask8) {
        let splat = D::Word::splat;
        let [a, b, c, d, e] = self.0.digits();
        let (b, c) = (b.to_integers(GRIDS[1]), c.to_integers(GRIDS[2]));
        let (d, e) = (d.to_integers(GRIDS[3]), e.to_integers(GRIDS[4]));
        let sign = e.mul_pow2::<12>().add(d.add(splat(FULL + 1)).shr::<40>()).sub(splat(1 << 11)).negative();
        let zero = splat(0);
        let a = bottom(a).add(splat(FULL_BOTTOM + 1)).sub(D::Word::select(sign, splat(P::C), zero));
        let e = e.sub(D::Word::select(sign, zero, splat(FULL + 1))).add(splat(FULL));
        let full = splat(FULL);
        let b = b.add(full).add(a.shr::<52>());
        let c = c.add(full).add(b.shr::<51>());
        let d = d.add(full).add(c.shr::<51>());
        let e = e.add(d.shr::<51>());
        ([a.and(splat(FULL_BOTTOM)), b.and(full), c.and(full), d.and(full), e.and(full)], e.negative())
    }
}

/// The work of [`FeF64X8::canonical`].
struct Canonical<P, D>(FeF64X8<P, D>);

impl<P: Prime, D: Doubles<Word: Word>> Kernel for Canonical<P, D> {
    type Output = [D::Word; 5];

    /// The digits of a carried number are at most a little more than half a gap, so that the number lies between -p and
    /// p: where it is negative, p is added. The top field shows its sign once the others are not negative.
    #[inline(always)]
    fn run(self) -> [D::Word; 5] {
        let [a, b, c, d, e] = self.0.carry().digits();
        let fields = [
            bottom(a),
            b.to_integers(GRIDS[1]),
            c.to_integers(GRIDS[2]),
            d.to_integers(GRIDS[3]),
            e.to_integers(GRIDS[4]),
        ];
        let [a, b, c, d, e] = carry_up(fields);
        let (negative, zero) = (e.negative(), D::Word::splat(0));
        let a = a.sub(D::Word::select(negative, D::Word::splat(P::C), zero));
        let e = e.add(D::Word::select(negative, D::Word::splat(FULL + 1), zero));
        let [a, b, c, d, e] = carry_up([a, b, c, d, e]);
        // From 0 to p - 1, by the above.
        [a, b, c, d, e.proved_at_most(FULL)]
    }
}

/// The lowest digit as an integer. It may be a little beyond 2^51, which an integer is not.
#[inline(always)]
fn bottom<D: Doubles<Word: Word>>(digit: D) -> D::Word {
    let Split { carry, rest } = digit.split(26);
    carry.to_integers(26).mul_pow2::<26>().add(rest.to_integers(0))
}

/// One carry chain of fields that may be negative, up to the last one.
#[inline(always)]
fn carry_up<W: Word>(fields: [W; 5]) -> [W; 5] {
    let [a, b, c, d, e] = fields;
    let full = W::splat(FULL);
    let b = b.add(a.sar::<52>());
    let c = c.add(b.sar::<51>());
    let d = d.add(c.sar::<51>());
    let e = e.add(d.sar::<51>());
    [a.and(W::splat(FULL_BOTTOM)), b.and(full), c.and(full), d.and(full), e]
}
