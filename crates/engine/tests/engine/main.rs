//! What holds the engine's arithmetic to its contracts.
//!
//! | file | holds |
//! |---|---|
//! | `secp256k1` | the curve on which the tests run |
//! | `reference` | the same arithmetic by big integers and school formulas: slow and obvious |
//! | `backends` | one test body over every implementor of `Field`, each lane on data of its own |
//! | `samples` | random numbers biased towards edges |
//! | `field`, `curve` | every operation and every formula against the reference |
//! | `fiat` | the field against fiat-crypto's proved code, a second oracle |
//! | `montgomery` | the Montgomery field against the reference, for two moduli |
//! | `intervals` | absence of overflow for every input, and how far each bound could be loosened before it fails |
//! | `counts` | what each formula costs |
//! | `memory` | how words come from rows in memory |
//! | `twice` | two elements at once against each alone |

mod backends;
mod counts;
mod curve;
mod fiat;
mod field;
mod intervals;
mod memory;
mod montgomery;
mod reference;
mod samples;
mod secp256k1;
mod twice;
