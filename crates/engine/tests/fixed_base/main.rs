//! What holds sums over fixed bases to their contract: every scheme and every way of summing, on one lane and on eight,
//! over a tiny group, over a real one whose A is zero, and over one whose A is not.
//!
//! Basis points are known multiples of the generator, so that a sum is known by one number. Among them are equal and
//! opposite points and infinity.

#[path = "../engine/backends.rs"]
#[allow(dead_code, unused_macros, unused_imports)]
mod backends;
#[path = "../engine/groups.rs"]
#[allow(dead_code)]
mod groups;
#[path = "../engine/moduli.rs"]
mod moduli;
mod naive;
mod planner;
#[path = "../engine/reference.rs"]
#[allow(dead_code)]
mod reference;
#[path = "../engine/samples.rs"]
#[allow(dead_code)]
mod samples;
mod saved;
mod schemes;
#[path = "../engine/secp256k1.rs"]
#[allow(dead_code)]
mod secp256k1;
mod sums;
