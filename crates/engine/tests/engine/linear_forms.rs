//! Integers as linear forms of what may be any number: what [`super::symbols`] computes with.
//!
//! A form is a sum of *atoms*, each times a fraction, and a constant. An atom may be any integer of its range. Equations
//! say what was chosen on the way: a bound of a form is the best of those of the form and of its sums with multiples of an
//! equation.

use num_bigint::{BigInt, Sign};
use std::collections::BTreeMap;

/// Fractions have so many bits: those of 32 digits.
const FRACTION: usize = 32 * 64;

/// 2^64.
pub(crate) fn base() -> BigInt {
    BigInt::from(1) << 64u32
}

/// An integer: a constant and some atoms times numbers, all over `2^FRACTION`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    constant: BigInt,
    atoms: BTreeMap<usize, BigInt>,
}

impl Form {
    pub(crate) fn integer(value: BigInt) -> Self {
        Self { constant: value << FRACTION, atoms: BTreeMap::new() }
    }
    fn atom(atom: usize) -> Self {
        Self { constant: BigInt::ZERO, atoms: [(atom, BigInt::from(1) << FRACTION)].into() }
    }
    /// `factor * self + other_factor * other`.
    fn combined(&self, factor: &BigInt, other: &Self, other_factor: &BigInt) -> Self {
        let mut atoms: BTreeMap<_, _> = self.atoms.iter().map(|(atom, times)| (*atom, times * factor)).collect();
        for (atom, times) in &other.atoms {
            *atoms.entry(*atom).or_default() += times * other_factor;
        }
        atoms.retain(|_, times| *times != BigInt::ZERO);
        Self { constant: &self.constant * factor + &other.constant * other_factor, atoms }
    }
    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.combined(&1.into(), other, &1.into())
    }
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.combined(&1.into(), other, &(-1).into())
    }
    pub(crate) fn times(&self, factor: &BigInt) -> Self {
        self.combined(factor, &Self::default(), &BigInt::ZERO)
    }
    /// Over 2^64.
    pub(crate) fn moved_down(mut self) -> Self {
        for number in self.atoms.values_mut().chain([&mut self.constant]) {
            let moved = &*number >> 64u32;
            assert!(&moved << 64u32 == *number, "a fraction has more bits than there is room for");
            *number = moved;
        }
        self
    }
    /// The atom that this is, if it is one.
    fn as_atom(&self) -> Option<usize> {
        let (atom, times) = self.atoms.first_key_value()?;
        let is_one = self.atoms.len() == 1 && self.constant == BigInt::ZERO && *times == BigInt::from(1) << FRACTION;
        is_one.then_some(*atom)
    }
}

/// An integer of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol(usize);

impl Symbol {
    pub(crate) const ZERO: Self = Self(0);
}

/// What is known of an integer.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) form: Form,
    low: BigInt,
    high: BigInt,
}

/// One run: all of its integers, and what was chosen.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) trusts: bool,
    atoms: Vec<[BigInt; 2]>,
    values: Vec<Value>,
    /// Forms that are zero.
    equations: Vec<Form>,
    products: BTreeMap<[usize; 2], usize>,
    /// The choices: which one of how many was taken.
    pub(crate) path: Vec<[usize; 2]>,
    /// How many of them have been met.
    met: usize,
}

/// `number / divisor` rounded down, for a divisor above zero.
fn floor(number: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient = number / divisor;
    let is_rounded_up = number.sign() == Sign::Minus && &quotient * divisor != *number;
    if is_rounded_up { quotient - 1 } else { quotient }
}

impl Run {
    pub(crate) fn new(trusts: bool, path: Vec<[usize; 2]>) -> Self {
        let mut run = Self { trusts, path, ..Self::default() };
        let zero = run.exact(0.into());
        assert_eq!(zero, Symbol::ZERO);
        run
    }

    fn put(&mut self, form: Form, [low, high]: [BigInt; 2]) -> Symbol {
        assert!(low <= high, "an integer from {low:x} to {high:x}");
        self.values.push(Value { form, low, high });
        Symbol(self.values.len() - 1)
    }
    pub(crate) fn exact(&mut self, value: BigInt) -> Symbol {
        self.put(Form::integer(value.clone()), [value.clone(), value])
    }
    pub(crate) fn any(&mut self, range: [BigInt; 2]) -> Symbol {
        self.atoms.push(range.clone());
        self.put(Form::atom(self.atoms.len() - 1), range)
    }
    pub(crate) fn any_digit(&mut self) -> Symbol {
        self.any([0.into(), base() - 1])
    }
    /// The integer of a form that lies within these bounds, and perhaps within closer ones.
    pub(crate) fn within(&mut self, form: Form, [low, high]: [BigInt; 2]) -> Symbol {
        let [least, greatest] = self.plain_range(&form);
        self.put(form, [least.max(low), greatest.min(high)])
    }

    /// The least and the greatest integer that the form can be.
    fn range(&self, form: &Form) -> [BigInt; 2] {
        let [mut low, mut high] = self.plain_range(form);
        for equation in &self.equations {
            for (atom, times) in &equation.atoms {
                let Some(here) = form.atoms.get(atom) else { continue };
                // Without this atom: positive |times| of the form, and as much of the equation as takes it away.
                let (factor, other) =
                    if times.sign() == Sign::Minus { (-times, here.clone()) } else { (times.clone(), -here) };
                let [least, greatest] = self.range_over(&form.combined(&factor, equation, &other), &factor);
                (low, high) = (low.max(least), high.min(greatest));
            }
        }
        [low, high]
    }

    /// The same by the ranges of the atoms alone.
    fn plain_range(&self, form: &Form) -> [BigInt; 2] {
        self.range_over(form, &1.into())
    }
    fn range_over(&self, form: &Form, divisor: &BigInt) -> [BigInt; 2] {
        let (mut low, mut high) = (form.constant.clone(), form.constant.clone());
        for (atom, times) in &form.atoms {
            let ends = self.atoms[*atom].each_ref().map(|end| end * times);
            low += ends.iter().min().expect("two ends");
            high += ends.iter().max().expect("two ends");
        }
        let divisor = divisor << FRACTION;
        [-floor(&-low, &divisor), floor(&high, &divisor)]
    }

    pub(crate) fn value(&self, symbol: Symbol) -> &Value {
        &self.values[symbol.0]
    }
    pub(crate) fn ends(&self, symbol: Symbol) -> [BigInt; 2] {
        let Value { low, high, .. } = self.value(symbol);
        [low.clone(), high.clone()]
    }
    /// Whether this is at most this size, of either sign.
    pub(crate) fn is_up_to(&self, symbol: Symbol, size: u64) -> bool {
        let [low, high] = self.ends(symbol);
        low >= -BigInt::from(size) && high <= size.into()
    }
    /// The one integer that this can be, if it is one.
    pub(crate) fn known(&self, symbol: Symbol) -> Option<BigInt> {
        let Value { low, high, .. } = self.value(symbol);
        (low == high).then(|| low.clone())
    }

    /// Which of so many choices this path takes.
    fn choose(&mut self, choices: usize) -> usize {
        if self.met == self.path.len() {
            self.path.push([0, choices]);
        }
        let [choice, of] = self.path[self.met];
        assert_eq!(of, choices, "a path is run as before");
        self.met += 1;
        choice
    }
    /// Chooses which integer this is. From then on it is.
    pub(crate) fn decide(&mut self, symbol: Symbol) -> BigInt {
        if let Some(known) = self.known(symbol) {
            return known;
        }
        let [low, high] = self.ends(symbol);
        let choices = usize::try_from(&high - &low).expect("a choice among few") + 1;
        let chosen = low + self.choose(choices);
        let form = self.value(symbol).form.minus(&Form::integer(chosen.clone()));
        self.equations.push(form);
        self.values[symbol.0] =
            Value { form: Form::integer(chosen.clone()), low: chosen.clone(), high: chosen.clone() };
        chosen
    }
    /// Chooses whether this is below zero.
    pub(crate) fn is_negative(&mut self, symbol: Symbol) -> bool {
        let [low, high] = self.ends(symbol);
        let (can_be, must_be) = (low < BigInt::ZERO, high < BigInt::ZERO);
        let is = must_be || can_be && self.choose(2) == 1;
        let value = &mut self.values[symbol.0];
        if is {
            value.high = high.min((-1).into())
        } else {
            value.low = low.max(0.into())
        }
        is
    }
    /// The digit that has the bits of this, which may be signed.
    pub(crate) fn unsigned(&mut self, symbol: Symbol) -> Symbol {
        let [low, high] = self.ends(symbol);
        if low >= BigInt::ZERO {
            return symbol;
        }
        if self.trusts && high >= BigInt::ZERO {
            return self.any_digit();
        }
        if !self.is_negative(symbol) {
            return symbol;
        }
        let form = self.value(symbol).form.plus(&Form::integer(base()));
        let [low, high] = self.ends(symbol);
        self.within(form, [low + base(), high + base()])
    }
    /// Asserts that this is a signed digit.
    pub(crate) fn signed(&self, symbol: Symbol) {
        let [low, high] = self.ends(symbol);
        let half = base() >> 1u32;
        assert!(low >= -&half && high < half, "a signed digit may be from {low:x} to {high:x}");
    }
    /// The integer of a form that lies within these bounds, and must be a signed digit.
    pub(crate) fn signed_digit(&mut self, form: Form, bounds: [BigInt; 2]) -> Symbol {
        let symbol = self.within(form, bounds);
        self.signed(symbol);
        symbol
    }
    /// The integer of a form that lies within these bounds, and must be a digit.
    pub(crate) fn last_digit(&mut self, form: Form, [least, greatest]: [BigInt; 2]) -> Symbol {
        let is_digit = |[low, high]: &[BigInt; 2]| *low >= BigInt::ZERO && *high < base();
        let within = |[low, high]: [BigInt; 2]| [low.max(least.clone()), high.min(greatest.clone())];
        let plain = within(self.plain_range(&form));
        let [low, high] = if is_digit(&plain) { plain } else { within(self.range(&form)) };
        if !is_digit(&[low.clone(), high.clone()]) {
            assert!(self.trusts, "the last digit of a chain may be from {low:x} to {high:x}");
            return self.any_digit();
        }
        self.put(form, [low, high])
    }
    /// The sum or difference of digits as a digit and what is carried out of it: `sign` times one.
    pub(crate) fn carried(&mut self, sum: Form, sign: i32) -> (Symbol, Symbol) {
        let [low, high] = self.plain_range(&sum);
        if low >= BigInt::ZERO && high < base() {
            return (self.put(sum, [low, high]), Symbol::ZERO);
        }
        let digit = self.any_digit();
        let carry = sum.minus(&self.value(digit).form).moved_down().times(&sign.into());
        (digit, self.within(carry, [0.into(), 1.into()]))
    }
    /// A product of two digits or of a constant and a signed one.
    pub(crate) fn product(&mut self, a: Symbol, b: Symbol) -> Form {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => Form::integer(a * b),
            (Some(a), None) => Form::atom(self.atom(b)).times(&a),
            (None, Some(b)) => Form::atom(self.atom(a)).times(&b),
            (None, None) => {
                let mut pair = [self.atom(a), self.atom(b)];
                pair.sort_unstable();
                let [[low, high], [other_low, other_high]] = pair.map(|atom| self.atoms[atom].clone());
                assert!(low >= BigInt::ZERO && other_low >= BigInt::ZERO, "a factor may be negative");
                let next = self.atoms.len();
                let atom = *self.products.entry(pair).or_insert(next);
                if atom == next {
                    self.atoms.push([low * other_low, high * other_high]);
                }
                Form::atom(atom)
            }
        }
    }
    /// The atom that this is, or one of the same range, which is an integer where a form may be a little off.
    fn atom(&mut self, symbol: Symbol) -> usize {
        if let Some(atom) = self.value(symbol).form.as_atom() {
            return atom;
        }
        let range = self.ends(symbol);
        self.any(range);
        self.atoms.len() - 1
    }
    /// The low digit and what is above it.
    pub(crate) fn in_two(&mut self, product: Form) -> (Symbol, Symbol) {
        let [least, greatest] = self.plain_range(&product);
        if least >= BigInt::ZERO && greatest < base() {
            return (self.put(product, [least, greatest]), Symbol::ZERO);
        }
        let low = self.any_digit();
        let high = product.minus(&self.value(low).form).moved_down();
        let range = self.plain_range(&high);
        (low, self.put(high, range))
    }
    pub(crate) fn sum(&self, symbols: &[Symbol]) -> Form {
        symbols.iter().fold(Form::default(), |sum, symbol| sum.plus(&self.value(*symbol).form))
    }
    /// The sum of the least of what these can be, and of the greatest.
    pub(crate) fn sum_of_ends(&self, symbols: &[Symbol]) -> [BigInt; 2] {
        [0, 1].map(|end| symbols.iter().map(|symbol| self.ends(*symbol)[end].clone()).sum())
    }
}
