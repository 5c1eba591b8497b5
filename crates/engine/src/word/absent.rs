//! What stands for the vector units in builds that have no code for them, so that nothing above this room has to ask.

use super::Op;
use core::convert::Infallible;

/// No machine: a type without a value.
macro_rules! absent {
    ($name:ident) => {
        /// No machine: there is no value of this type.
        #[derive(Clone, Copy, Debug)]
        pub struct $name(Infallible);

        impl $name {
            /// None: this build has no code for the unit.
            pub fn detect() -> Option<Self> {
                None
            }

            /// Runs nothing.
            pub fn run<O: Op>(self, _: O) -> O::Output {
                match self.0 {}
            }
        }
    };
}

#[cfg(not(all(target_arch = "x86_64", feature = "vectors")))]
absent!(Fma);
#[cfg(not(all(target_arch = "x86_64", feature = "vectors", feature = "std")))]
absent!(Fma512);
#[cfg(not(all(target_arch = "x86_64", feature = "vectors")))]
absent!(Ifma);

#[cfg(not(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon", feature = "vectors")))]
absent!(Neon);
