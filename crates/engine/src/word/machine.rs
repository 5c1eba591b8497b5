//! Machines: the tokens by which work gets to the words it runs on.

use super::{Emulated, Fma, Fma512, Ifma, Neon, Op, Word};
use core::convert::Infallible;

/// What runs work on words. Whoever holds a machine may run its instructions: a machine that needs some CPU is made by
/// detection of that CPU only.
pub trait Machine: Copy + Sync {
    /// Runs the work in a root of its own (see [`Word::root`]).
    fn run<O: Op>(self, op: O) -> O::Output;
}

/// The machine that any CPU can be: it runs work on [`Emulated`] words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Emulation;

impl Machine for Emulation {
    fn run<O: Op>(self, op: O) -> O::Output {
        Emulated::root(op)
    }
}

/// No machine: it stands where a build has none.
impl Machine for Infallible {
    fn run<O: Op>(self, _: O) -> O::Output {
        match self {}
    }
}

/// The machine whose token can do so by itself.
macro_rules! machine {
    ($token:ident) => {
        impl Machine for $token {
            #[inline(always)]
            fn run<O: Op>(self, op: O) -> O::Output {
                self.run(op)
            }
        }
    };
}

machine!(Fma);
machine!(Fma512);
machine!(Ifma);
machine!(Neon);

/// The machine of some vector unit. It tells the units apart at each root, so that what lies between roots is compiled
/// once for all.
#[derive(Clone, Copy, Debug)]
pub enum VectorUnit {
    /// Four registers of 128 bits that multiply doubles.
    Neon(Neon),
    /// Two registers of 256 bits that multiply doubles.
    Fma(Fma),
    /// Registers of 512 bits that multiply doubles.
    Fma512(Fma512),
    /// Registers of 512 bits that multiply 52 bits.
    Ifma(Ifma),
}

impl VectorUnit {
    /// The names of all units, on any CPU, the fastest last: it is the default where it is there.
    pub const NAMES: [&str; 4] = ["neon", "fma", "fma512", "ifma"];

    /// The names of the units that a CPU of this architecture may have.
    pub const NAMES_HERE: &[&str] = match () {
        _ if cfg!(target_arch = "aarch64") => &["neon"],
        _ if cfg!(target_arch = "x86_64") => &["fma", "fma512", "ifma"],
        _ => &[],
    };

    /// The unit of this name, if the CPU has it and this build has code for it: `neon`, `fma`, `fma512` or `ifma`.
    ///
    /// Not to be run in a build without optimisation ([`OPTIMISED`](super::OPTIMISED)).
    pub fn detect(name: &str) -> Option<VectorUnit> {
        match name {
            "neon" => Neon::detect().map(VectorUnit::Neon),
            "fma" => Fma::detect().map(VectorUnit::Fma),
            "fma512" => Fma512::detect().map(VectorUnit::Fma512),
            "ifma" => Ifma::detect().map(VectorUnit::Ifma),
            _ => None,
        }
    }

    /// The units that the CPU has, the fastest first, of those whose code was tested on a CPU.
    pub fn tested() -> impl Iterator<Item = VectorUnit> {
        let units = Self::NAMES.into_iter().rev().filter_map(VectorUnit::detect);
        units.filter(|unit| unit.is_tested())
    }

    /// The name by which [`VectorUnit::detect`] knows it.
    pub const fn name(self) -> &'static str {
        match self {
            VectorUnit::Neon(_) => "neon",
            VectorUnit::Fma(_) => "fma",
            VectorUnit::Fma512(_) => "fma512",
            VectorUnit::Ifma(_) => "ifma",
        }
    }

    /// Whether this code has run on a CPU and been tested there: all but [`Neon`], which has run under emulation only.
    pub fn is_tested(self) -> bool {
        !matches!(self, VectorUnit::Neon(_))
    }
}

impl Machine for VectorUnit {
    #[inline(always)]
    fn run<O: Op>(self, op: O) -> O::Output {
        match self {
            VectorUnit::Neon(machine) => machine.run(op),
            VectorUnit::Fma(machine) => machine.run(op),
            VectorUnit::Fma512(machine) => machine.run(op),
            VectorUnit::Ifma(machine) => machine.run(op),
        }
    }
}
