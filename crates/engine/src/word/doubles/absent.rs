//! Doubles of a machine on which nothing is computed in them.

use super::{Double, Doubles, Lanewise, Split, Step};
use crate::mask::Mask8;
use core::{convert::Infallible, marker::PhantomData};

/// Doubles of which there are none, beside the words `W`.
#[derive(Clone, Copy, Debug)]
pub struct NoDoubles<W>(Infallible, PhantomData<W>);

const NONE: &str = "a word that computes in doubles has some";

impl<W: Copy + 'static> Double for NoDoubles<W> {
    fn splat(_: f64) -> Self {
        unreachable!("{NONE}")
    }
    fn add(self, _: Self) -> Self {
        self
    }
    fn sub(self, _: Self) -> Self {
        self
    }
    fn times(self, _: f64) -> Self {
        self
    }
    fn add_product(self, _: Self, _: Self) -> Self {
        self
    }
    fn negate(self) -> Self {
        self
    }
    fn plus_product(self, _: Self, _: Self) -> Step<Self> {
        match self.0 {}
    }
    fn minus_product(self, _: Self, _: Self) -> Step<Self> {
        match self.0 {}
    }
    fn plus(self, _: Self) -> Step<Self> {
        match self.0 {}
    }
    fn split(self, _: i32) -> Split<Self> {
        match self.0 {}
    }
    fn split_multiple(self, _: f64, _: i32) -> Split<Self> {
        match self.0 {}
    }
    fn fold(self, _: Self, _: f64, _: i32) -> Split<Self> {
        match self.0 {}
    }
}

impl<W: Copy + 'static> Doubles for NoDoubles<W> {
    const NAME: &'static str = "none";

    type Word = W;

    fn to_bits(self) -> W {
        match self.0 {}
    }
    fn from_bits(_: W) -> Self {
        unreachable!("{NONE}")
    }
    fn to_integers(self, _: i32) -> W {
        match self.0 {}
    }
    fn from_integers(_: W, _: u64, _: i32) -> Self {
        unreachable!("{NONE}")
    }
    fn select(_: Mask8, if_set: Self, _: Self) -> Self {
        if_set
    }
    fn negate_where(self, _: Mask8) -> Self {
        self
    }
    fn apply<L: Lanewise>(_: &mut [Self; 5], _: &[Self; 5], _: &[Self; 5]) {
        unreachable!("{NONE}")
    }
}
