//! No disagreement with two independent implementations, libsecp256k1 and k256: every operation, on numbers of which at
//! least half lie on edges, over every surface of the library.
//!
//! | file | holds |
//! |---|---|
//! | `operation` | what an operation is and how its cases run on all cores |
//! | `keys`, `tweaks`, `ecdsa`, `schnorr`, `ecdh` | the operations |
//!
//! The operations are: the public key; ECDSA signing with its recovery id, verification under both policies, and
//! recovery; Schnorr signing and verification; ECDH; tweaks of secret keys and of public keys (add, multiply), of
//! x-only keys and of pairs. Half of the ECDSA signatures come from chosen u1 and u2, so that both factors of the
//! equation lie on edges.
//!
//! Each surface answers each case. Emulated words answer a part of the cases where the CPU has vector words. Operations
//! without a bulk form run as single calls alone: tweaks by multiplication, and tweaks of x-only keys.
//!
//! `PHALANX_CASES` sets the number of cases of each operation (5,000 in the short tier, 100,000 in the large one),
//! `PHALANX_SEED` the seed, which each operation prints.

mod ecdh;
mod ecdsa;
mod keys;
mod operation;
mod schnorr;
mod tweaks;
