//! No disagreement with two independent implementations, libsecp256k1 and k256: every operation, on numbers of which at
//! least half lie on edges, over every surface of the library.
//!
//! | file | holds |
//! |---|---|
//! | `operation` | what an operation is and how its cases run on all cores |
//! | `keys`, `tweaks`, `ecdsa`, `schnorr`, `ecdh` | the operations |
//!
//! `PHALANX_CASES` sets the number of cases of each operation (5,000 in the short tier, 100,000 in the large one),
//! `PHALANX_SEED` the seed, which each operation prints.

mod ecdh;
mod ecdsa;
mod keys;
mod operation;
mod schnorr;
mod tweaks;
