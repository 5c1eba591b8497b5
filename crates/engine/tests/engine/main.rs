//! What holds the engine's arithmetic to its contracts.
//!
//! | file | holds |
//! |---|---|
//! | `secp256k1` | the curve on which the tests run |
//! | `reference` | the same arithmetic by big integers and school formulas: slow and obvious |
//! | `moduli` | the primes of fields in Montgomery's form |
//! | `operations` | the operations of a field and the formulas of points that tests run |
//! | `backends` | one test body over every implementor of `Field`, each lane on data of its own |
//! | `samples` | random numbers biased towards edges |
//! | `field`, `curve` | every operation and every formula against the reference |
//! | `sloped` | the formulas of curves with A != 0, on all pairs of points of tiny groups |
//! | `every_x` | what an equation proves of a point by its x, on a curve over a field small enough to try every x |
//! | `fiat` | the field against fiat-crypto's proved code, a second oracle |
//! | `montgomery` | the Montgomery field of eight lanes against the reference, for two moduli |
//! | `one_lane` | the Montgomery field of one lane on all edge values, for moduli of 193 to 256 bits |
//! | `groups` | groups to sum in: tiny ones with A = 0 and others, secp256k1, secq256k1 over another prime, Bandersnatch |
//! | `additions` | every pair of a round of affine additions, on one lane and on eight |
//! | `sums` | sums of products by both methods against discrete logarithms and the slow obvious sum |
//! | `bounds` | how far a bound can be loosened, beside what is stated |
//! | `doubles` | absence of rounding for every input, and how far each bound could be loosened before it fails |
//! | `intervals` | absence of overflow for every input, and how far each bound could be loosened before it fails |
//! | `carries` | no carry of the field of four digits is lost, for any input, and how far each bound could be loosened |
//! | `symbols`, `linear_forms` | the digits that this is proved on: integers of which it is known how they came about |
//! | `digits` | results of the field of four digits, on models that can be tried out |
//! | `counts` | what each formula costs |
//! | `memory` | how words come from rows in memory |
//! | `twice` | two elements at once against each alone |

mod additions;
mod backends;
mod bounds;
mod carries;
mod counts;
mod curve;
mod digits;
mod divisions;
mod doubles;
mod every_x;
mod fiat;
mod field;
mod groups;
mod intervals;
mod linear_forms;
mod memory;
mod moduli;
mod montgomery;
mod one_lane;
mod operations;
mod reference;
mod samples;
mod secp256k1;
mod sloped;
mod sums;
mod symbols;
mod twice;
mod words;
