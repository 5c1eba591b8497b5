//! Curve-generic machinery of Phalanx: it knows no signature and no particular curve.
//!
//! The rooms, from the bottom up. A room knows the rooms under it, which this list names earlier, and none above:
//!
//! - [`mask`]: secret truth values as words that the optimiser cannot see through;
//! - [`limbs`]: numbers of four limbs;
//! - [`word`]: what limbs are made of: a `u64`, eight of them side by side, a vector register, an interval (for
//!   proofs); and [`word::Machine`], by which work gets to them;
//! - [`safegcd`]: inversion and quadratic character modulo any odd 256-bit number;
//! - [`field`]: the trait [`field::Field`] and its implementors, one lane and eight;
//! - [`curve`]: points and the only copy of the point formulas, generic over the field;
//! - [`lanes`]: numbers and points of eight lanes in memory, and the inversion that they share;
//! - [`arena`]: memory that a caller lends, dealt out as slices;
//! - [`large_pages`]: room for rows that are read in no order;
//! - [`affine_add`]: additions of affine points, many for one inversion, in one lane and in eight;
//! - [`recode`]: scalars as digits;
//! - [`msm`]: sums of many products, over any curve;
//! - [`fixed_base`]: sums over a basis that never changes, by tables.

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
