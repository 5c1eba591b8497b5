//! Points times scalars.
//!
//! | file | computes | for |
//! |---|---|---|
//! | `generator` | k G | secrets: constant time |
//! | `point` | k P | secrets: constant time |
//! | `double` | a P + b G | verification: variable time, any [`crate::group::Group`] |
//! | `model` | small multiples of a point, affine on one model of the curve | the two above |
//! | `unit` | what a multiplication runs on | all |
//!
//! On a vector unit `crate::lanes` computes the same points, one multiplication spread over eight lanes.
//!
//! Looks at `group`, `tables`, `glv` and `lanes`.

mod double;
mod generator;
mod model;
mod point;
mod unit;

pub(crate) use double::Combine;
#[cfg(feature = "std")]
pub(crate) use double::{Endomorphism, Multiples};
pub(crate) use generator::generator_mul;
#[cfg(feature = "std")]
pub(crate) use model::Model;
pub(crate) use point::point_mul;
pub(crate) use unit::Unit;
