//! Points times scalars.
//!
//! | file | computes | for |
//! |---|---|---|
//! | `generator` | k G | secrets: constant time |
//! | `point` | k P | secrets: constant time |
//! | `double` | a P + b G | verification: variable time, any [`crate::group::Group`] |
//! | `model` | small multiples of a point, affine on one model of the curve | the two above |
//!
//! Looks at `group`, `tables` and `glv`.

mod double;
mod generator;
mod model;
mod point;

pub(crate) use double::double_mul_vartime;
pub(crate) use generator::generator_mul;
pub(crate) use point::point_mul;
