//! Points on their way between one lane and eight.
//!
//! The elements of [`super::FeX8Mem`] are in whatever form some words work on, which one lane cannot read. What goes
//! from one lane to eight, or back, goes through these: coordinates as the four words of a row, a lane each.

use super::memory::U256x8;
use crate::{
    curve::{Affine, Curve, Jacobian},
    field::{BaseField, Field, FieldX1, FieldX8},
    word::{LANES, Word},
};
use core::marker::PhantomData;

/// A finite point of the curve `C` in each lane, for one lane to set and get.
#[derive(Debug, Clone, Copy)]
pub struct AffineLanes<C> {
    x: U256x8,
    y: U256x8,
    curve: PhantomData<C>,
}

impl<C: Curve> AffineLanes<C> {
    /// The generator in every lane.
    pub fn generator() -> Self {
        let mut points = Self::of_rows(U256x8::ZERO, U256x8::ZERO);
        let generator = Affine::generator::<C>();
        (0..LANES).for_each(|lane| points.set(lane, &generator));
        points
    }

    /// The points of these rows.
    pub fn of_rows(x: U256x8, y: U256x8) -> Self {
        Self { x, y, curve: PhantomData }
    }

    /// Puts a normalised point into a lane.
    pub fn set(&mut self, lane: usize, point: &Affine<<C::Field as BaseField>::X1>) {
        self.x.set(lane, point.x.to_row());
        self.y.set(lane, point.y.to_row());
    }

    /// The point of a lane.
    pub fn get(&self, lane: usize) -> Affine<<C::Field as BaseField>::X1> {
        Affine { x: FieldX1::from_row(self.x.get(lane)), y: FieldX1::from_row(self.y.get(lane)) }
    }

    /// The points in registers.
    #[inline(always)]
    pub fn load<W: Word>(&self) -> Affine<<C::Field as BaseField>::X8<W>> {
        Affine { x: FieldX8::from_row(self.x.load()), y: FieldX8::from_row(self.y.load()) }
    }

    /// Writes the registers' points, which are normalised.
    #[inline(always)]
    pub fn store<W: Word>(&mut self, point: Affine<<C::Field as BaseField>::X8<W>>) {
        self.x.store(point.x.to_row());
        self.y.store(point.y.to_row());
    }
}

/// A point of the curve `C`, or infinity, in each lane, for one lane to get.
#[derive(Debug, Clone, Copy)]
pub struct JacobianLanes<C> {
    x: U256x8,
    y: U256x8,
    z: U256x8,
    curve: PhantomData<C>,
}

impl<C: Curve> JacobianLanes<C> {
    /// All zero.
    pub const ZERO: Self = Self { x: U256x8::ZERO, y: U256x8::ZERO, z: U256x8::ZERO, curve: PhantomData };

    /// The point of a lane.
    pub fn get(&self, lane: usize) -> Jacobian<<C::Field as BaseField>::X1> {
        Jacobian {
            x: FieldX1::from_row(self.x.get(lane)),
            y: FieldX1::from_row(self.y.get(lane)),
            z: FieldX1::from_row(self.z.get(lane)),
        }
    }

    /// Writes the registers' points.
    #[inline(always)]
    pub fn store<W: Word>(&mut self, point: Jacobian<<C::Field as BaseField>::X8<W>>) {
        self.x.store(point.x.normalize().to_row());
        self.y.store(point.y.normalize().to_row());
        self.z.store(point.z.normalize().to_row());
    }
}
