//! The inverses of eight lanes by one inversion: the engine's, which leaves no secret behind here.

use super::memory::{FeX8Mem, Machine};
use crate::{
    group::Coordinates,
    wipe::{overwrite, wipe},
};
use phalanx_engine::lanes;

pub(crate) use phalanx_engine::lanes::{BatchStep, divide};

/// As [`divide`], in constant time, for steps of which no denominator can be zero.
pub(crate) fn divide_secret<M: Machine, D: BatchStep<Field = Coordinates>>(machine: M, step: &mut D) {
    lanes::divide_secret(machine, step, |inverse, factors| {
        wipe(inverse);
        overwrite(factors, FeX8Mem::ZERO);
    });
}
