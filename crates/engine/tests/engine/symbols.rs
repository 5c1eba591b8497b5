//! Digits that know how they came about: the proof by running, for the arithmetic of one lane.
//!
//! A range alone does not tell that a product of two numbers of four digits has no ninth digit: the ranges of its parts
//! do not add up to that. So a [`Symbol`] is an integer as a *linear form*: a sum of *atoms*, each times a fraction. Atoms
//! are what may be any number of a range: digits of inputs, products of two digits, and the low digit of what is longer
//! than one. The carry out of a sum x + y is then (x + y - r) / 2^64 for the atom r that is the low digit, and nothing is
//! forgotten: what ends in the last digit of a chain is the form of the whole number, less its lower digits, over a power
//! of 2^64, and the ranges of its atoms bound it.
//!
//! Where the code chooses by a carry or a sign, it is run once for each choice, with an equation that says what was
//! chosen. A bound of a form is then the best of those of the form and of its sums with multiples of an equation.
//!
//! Formulas close some twenty numbers, and would be run once for each of all choices. There a run *trusts*: it does not
//! choose, and a closed number is any four digits. What it trusts in is what the runs of single operations show, up to
//! the top [`TOP`]; it refuses what goes beyond that.

pub(crate) use crate::linear_forms::Symbol;
use crate::linear_forms::{Form, Run, base};
use num_bigint::BigInt;
use phalanx_engine::word::{Digit, Mask, Mask1};
use std::cell::RefCell;

/// The greatest top of a sum, of either sign, that a run takes which trusts: twice the greatest magnitude of a sum. The
/// tops of products and what is added to them may be any signed digits, as `carries::closings` shows.
pub(crate) const TOP: u64 = 48;

std::thread_local! {
    static RUN: RefCell<Run> = RefCell::default();
}

fn run<T>(work: impl FnOnce(&mut Run) -> T) -> T {
    RUN.with_borrow_mut(work)
}

/// Runs work once for each way to choose, and returns how many there are.
pub(crate) fn on_all_paths(work: impl Fn()) -> usize {
    let (mut path, mut paths) = (Vec::new(), 0);
    loop {
        RUN.set(Run::new(false, path));
        work();
        paths += 1;
        path = RUN.take().path;
        while let Some([choice, choices]) = path.pop() {
            if choice + 1 < choices {
                path.push([choice + 1, choices]);
                break;
            }
        }
        if path.is_empty() {
            return paths;
        }
    }
}

/// Runs work that does not choose.
pub(crate) fn trusting(work: impl Fn()) {
    RUN.set(Run::new(true, Vec::new()));
    work();
}

/// As digits, signed or not, and as carries.
impl Symbol {
    /// Any digit.
    pub(crate) fn digit() -> Self {
        run(Run::any_digit)
    }
    /// Any signed digit of at most this size.
    pub(crate) fn up_to(size: u64) -> Self {
        run(|run| run.any([-BigInt::from(size), size.into()]))
    }
    /// Whether this is at most this size, of either sign.
    pub(crate) fn is_up_to(self, size: u64) -> bool {
        run(|run| run.is_up_to(self, size))
    }
    /// What is known of the bits of two digits, in either order; else any digit.
    fn by_bits(self, other: Self, known: impl Fn(Self, Self) -> Option<Self>) -> Self {
        known(self, other).or_else(|| known(other, self)).unwrap_or_else(Self::digit)
    }
    fn is(self, value: &BigInt) -> bool {
        run(|run| run.known(self)).as_ref() == Some(value)
    }
    fn is_none(self) -> bool {
        self.is(&BigInt::ZERO)
    }
    fn is_all(self) -> bool {
        self.is(&(base() - 1))
    }
}

impl Digit for Symbol {
    type Carry = Symbol;
    const NO_CARRY: Symbol = Symbol::ZERO;

    fn literal(value: u64) -> Self {
        run(|run| run.exact(value.into()))
    }
    fn carrying_add(self, other: Self, carry: Self) -> (Self, Self) {
        run(|run| {
            let operands = [run.unsigned(self), run.unsigned(other), carry];
            run.carried(run.sum(&operands), 1)
        })
    }
    fn borrowing_sub(self, other: Self, borrow: Self) -> (Self, Self) {
        run(|run| {
            let (a, b) = (run.unsigned(self), run.unsigned(other));
            run.carried(run.sum(&[a]).minus(&run.sum(&[b, borrow])), -1)
        })
    }
    fn last_add(self, carry: Self) -> Self {
        run(|run| run.last_digit(run.sum(&[self, carry]), run.sum_of_ends(&[self, carry])))
    }
    fn last_sub(self, other: Self) -> Self {
        run(|run| {
            let ([low, high], [least, greatest]) = (run.ends(self), run.ends(other));
            run.last_digit(run.sum(&[self]).minus(&run.sum(&[other])), [low - greatest, high - least])
        })
    }
    fn last_signed_add(self, sign: Self, carry: Self) -> Self {
        let operands = [self, sign, carry];
        run(|run| run.last_digit(run.sum(&operands), run.sum_of_ends(&operands)))
    }
    fn product(self, other: Self) -> (Self, Self) {
        run(|run| {
            let least = run.ends(self)[0].clone().min(run.ends(other)[0].clone());
            assert!(least >= BigInt::ZERO, "a factor may be {least:x}");
            let product = run.product(self, other);
            run.in_two(product)
        })
    }
    fn signed_product(self, other: Self) -> (Self, Self) {
        run(|run| {
            run.signed(self);
            run.signed(other);
            let product = run.product(self, other);
            let (low, high) = run.in_two(product);
            run.signed(high);
            (low, high)
        })
    }
    fn small_product(self, other: Self) -> Self {
        run(|run| {
            run.signed(self);
            run.signed(other);
            assert!(!run.trusts || run.is_up_to(self, TOP), "a top may be {:?}", run.ends(self));
            let constant = run.known(other).expect("C is a constant");
            let bounds = run.ends(self).map(|end| end * &constant);
            let product = run.product(self, other);
            run.signed_digit(product, bounds)
        })
    }
    fn signed_add(self, other: Self, carry: Self) -> Self {
        run(|run| {
            run.signed(self);
            run.signed(other);
            let operands = [self, other, carry];
            run.signed_digit(run.sum(&operands), run.sum_of_ends(&operands))
        })
    }
    fn signed_sub(self, other: Self, borrow: Self) -> Self {
        run(|run| {
            run.signed(self);
            run.signed(other);
            let ([low, high], [least, greatest]) = (run.ends(self), run.sum_of_ends(&[other, borrow]));
            run.signed_digit(run.sum(&[self]).minus(&run.sum(&[other, borrow])), [low - greatest, high - least])
        })
    }
    fn sign(self) -> Self {
        run(|run| {
            run.signed(self);
            let [low, high] = run.ends(self);
            if run.trusts && low < BigInt::ZERO && high >= BigInt::ZERO {
                return run.any([(-1).into(), 0.into()]);
            }
            let sign = -i32::from(run.is_negative(self));
            run.exact(sign.into())
        })
    }
    fn mask(carry: Self) -> Self {
        run(|run| {
            if run.trusts && run.known(carry).is_none() {
                return run.any_digit();
            }
            let ones = run.decide(carry) * (base() - 1);
            run.exact(ones)
        })
    }
    fn opaque(self) -> Self {
        run(|run| {
            if run.trusts {
                let range = run.ends(self);
                return run.any(range);
            }
            run.decide(self);
            self
        })
    }
    fn and(self, other: Self) -> Self {
        self.by_bits(other, |a, b| if a.is_none() { Some(a) } else { a.is_all().then_some(b) })
    }
    fn or(self, other: Self) -> Self {
        self.by_bits(other, |a, b| if a.is_all() { Some(a) } else { a.is_none().then_some(b) })
    }
    fn xor(self, other: Self) -> Self {
        self.by_bits(other, |a, b| a.is_none().then_some(b))
    }
    fn not(self) -> Self {
        run(|run| {
            let form = Form::integer(base() - 1).minus(&run.value(self).form);
            run.last_digit(form, [0.into(), base() - 1])
        })
    }
    fn select(_: Mask1, if_set: Self, if_clear: Self) -> Self {
        run(|run| {
            let ([a, b], [c, d]) = (run.ends(if_set), run.ends(if_clear));
            run.any([a.min(c), b.max(d)])
        })
    }
    /// Whether it is zero whatever it stands for.
    fn is_zero(self) -> Mask1 {
        if self.is_none() { Mask1::ALL } else { Mask1::NONE }
    }
    fn is_odd(self) -> Mask1 {
        Mask1::NONE
    }
}
