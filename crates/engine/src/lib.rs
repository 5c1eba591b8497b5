//! The arithmetic of Phalanx for any curve. This crate knows no signature and no particular curve.
//!
//! These are its rooms, the highest first. A room knows the rooms under it and none above.
//!
//! - [`fixed_base`]: sums over a basis that never changes, by tables;
//! - [`msm`]: sums of many products, over any curve;
//! - [`affine_add`]: many additions of affine points that share one inversion, in one lane and in eight;
//! - [`large_pages`]: memory in large pages, for tables;
//! - [`arena`]: memory that a caller lends, dealt out as slices;
//! - [`lanes`]: numbers and points of eight lanes in memory, and the inversion that they share;
//! - [`curve`]: points and the only copy of the point formulas, generic over the field;
//! - [`field`]: the trait [`field::Field`], and prime fields on one lane and on eight;
//! - [`safegcd`]: inversion and the Jacobi symbol modulo any odd 256-bit number;
//! - [`word`]: the words that limbs are made of, such as a `u64`, a vector register, eight `u64` side by side, or an
//!   interval for proofs. [`word::Machine`] runs work on them;
//! - [`limbs`]: numbers of four limbs;
//! - [`recode`]: scalars as digits;
//! - [`mask`]: secret truth values as words that the optimiser cannot see through.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "sums")]
pub mod affine_add;
pub mod arena;
pub mod curve;
pub mod field;
#[cfg(feature = "sums")]
pub mod fixed_base;
pub mod lanes;
#[cfg(feature = "sums")]
pub mod large_pages;
pub mod limbs;
pub mod mask;
#[cfg(feature = "sums")]
pub mod msm;
pub mod recode;
pub mod safegcd;
pub mod word;
