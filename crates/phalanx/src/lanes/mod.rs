//! Eight computations side by side: the parts of schedules in eight lanes. The multiplications are in `mul`.
//!
//! | file | holds |
//! |---|---|
//! | `memory` | numbers and points of eight lanes in memory |
//! | `inversion` | the inverses of eight lanes by one inversion |
//! | `lift` | points from their x coordinates |
//! | `image` | images of points by their x coordinates |
//! | `fractions` | divisions modulo the group order |
//! | `to_affine` | coordinates without a denominator |
//! | `addition` | sums of two points; constant time |
//! | `key_sums` | the x of points plus shared keys; constant time |
//! | `sha256` | hashes, sixteen at a time |
//! | `schedule` | what SHA-256 and SHA-512 have in common |
//! | `hmac_sha512` | codes of short messages, eight at a time; constant time |
//! | `ripemd160` | hashes, sixteen at a time |
//! | `key_payloads` | what scripts hold of public keys |
//! | `nonces` | the nonces of signatures; constant time |
//!
//! Work is cut into steps. A step is an [`Op`](phalanx_engine::word::Op) that runs over all groups of a chunk. A group
//! is eight rows. A step is compiled as a root: everything that it calls is inlined into it. Ordinary code runs between
//! steps, on one lane: it parses, and it computes the one inversion that the divisions of a step share.
//!
//! Functions are variable time, for public values, unless they say otherwise.
//!
//! The room uses `group`, `glv`, `scalar`, `field`, `hash` and `tables`.

mod addition;
mod fractions;
mod hmac_sha512;
mod image;
pub(crate) mod inversion;
mod key_payloads;
mod key_sums;
mod lift;
pub(crate) mod memory;
mod nonces;
mod ripemd160;
mod schedule;
mod sha256;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod to_affine;

pub(crate) use addition::{PointPairs, add_points};
pub(crate) use fractions::{Fractions, divide_fractions};
pub(crate) use hmac_sha512::{MacLanes, macs};
pub(crate) use image::images;
pub(crate) use key_payloads::{key_hashes, script_hashes, taproot_tweaks};
pub(crate) use key_sums::{KeyTerms, key_sums};
pub(crate) use lift::{Lift, lift};
pub(crate) use memory::{AffineLanes, JacobianX8, Machine, U256x8};
pub(crate) use nonces::{bip340_nonces, rfc6979_candidates};
pub(crate) use sha256::{HashLanes, challenges, compressed_points, output_tweaks};
pub(crate) use to_affine::{to_affine, to_affine_secret};
