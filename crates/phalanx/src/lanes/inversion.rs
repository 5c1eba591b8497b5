//! The inverses of eight lanes by one inversion: the engine's, which leaves no secret behind here.

use super::memory::Machine;
use crate::wipe::{overwrite, wipe};
use phalanx_engine::{
    lanes::{self, FeX8Mem},
    word::Mask8,
};

pub(crate) use phalanx_engine::lanes::{BatchStep, divide};

/// As [`divide`], in constant time. Lanes with a zero denominator come back as secrets; most steps have none.
pub(crate) fn divide_secret<M: Machine, D: BatchStep>(machine: M, step: &mut D) -> Mask8 {
    lanes::divide_secret(machine, step, |inverse, factors| {
        wipe(inverse);
        overwrite(factors, FeX8Mem::ZERO);
    })
}

/// Makes a type that borrows nothing of words a [`BatchStep`]: there are divisions unless its list is empty.
macro_rules! step_of_any_word {
    ($step:ident, $field:ty, $list:ident) => {
        impl BatchStep for $step<'_> {
            type Field = $field;
            type ForWord<'b, W: Word>
                = &'b mut Self
            where
                Self: 'b;

            #[inline(always)]
            fn for_word<W: Word>(&mut self) -> &mut Self {
                self
            }
            fn is_empty(&self) -> bool {
                self.$list.is_empty()
            }
        }
    };
}
pub(crate) use step_of_any_word;
