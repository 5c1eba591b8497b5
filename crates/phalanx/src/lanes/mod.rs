//! Eight computations side by side: what the bulk operations on public data are made of.
//!
//! | file | holds |
//! |---|---|
//! | `memory` | numbers and points of eight lanes in memory, and the machines that work on them |
//! | `lift` | points from their x coordinates |
//! | `digits` | scalars as digits that are never zero |
//! | `fractions` | divisions modulo the group order |
//! | `inversion` | the inverses of eight lanes by one inversion |
//! | `generator` | multiples of the generator, as two partial sums |
//! | `multiples` | the odd multiples of eight points |
//! | `combination` | a P + b G |
//! | `prepared` | a P + b G for points with tables |
//! | `affine` | coordinates without a denominator |
//! | `rounds` | rounds of additions of affine points |
//! | `sha256` | hashes, sixteen at a time |
//! | `secret` | multiples by secrets, in constant time |
//! | `spread` | one multiplication spread over the lanes |
//!
//! Work is cut into stages. A stage is an [`Op`](phalanx_engine::word::Op) that runs over all groups of a chunk, a group
//! being eight rows, and is compiled as a root: everything under it is inlined into it. Between stages ordinary code
//! runs, on one lane: parsing, and the one inversion that a stage's divisions share.
//!
//! Everything but `secret` is variable time, for public values, unless it says otherwise.
//!
//! Looks at `group`, `glv`, `scalar`, `field`, `hash`, `tables` and `rounds`.

mod affine;
mod combination;
mod digits;
mod fractions;
mod generator;
mod inversion;
mod lift;
mod memory;
mod multiples;
mod prepared;
mod rounds;
mod secret;
mod sha256;
mod spread;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use affine::to_affine;
pub(crate) use combination::{Combination, combine, same_x};
pub(crate) use digits::{Digits, Windows};
pub(crate) use fractions::{Fractions, divide_fractions};
pub(crate) use lift::{Lift, lift};
#[cfg(feature = "internals")]
pub(crate) use memory::Anywhere;
pub(crate) use memory::{AffineLines, JacobianLines, Machine, Numbers, Scratch};
pub(crate) use prepared::{Prepared, TABLE_BYTES, Table, combine_prepared, prepare};
pub(crate) use rounds::EightLanes;
#[cfg(test)]
pub(crate) use secret::terms_of_windows;
pub(crate) use secret::{
    GeneratorDigits, PointDigits, bip340_nonces, generator_multiples, point_multiples, rfc6979_candidates,
};
pub(crate) use sha256::{Batch, challenges, compressed_points};
#[cfg(target_arch = "x86_64")]
pub(crate) use spread::{combination, generator_multiple, point_multiple};
