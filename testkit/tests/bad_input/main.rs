//! Bad input, class by class: the documented verdict or error, and never a panic, on every surface, in every lane, with
//! good rows beside it that stay good.
//!
//! | file | holds |
//! |---|---|
//! | `lanes` | puts one bad row at each place among good ones |
//! | `signatures`, `der`, `recovery`, `schnorr` | rows |
//! | `keys`, `tweaks` | encodings of keys, and what is added to them |
//! | `group` | P + P, P - P and infinity inside every addition |
//! | `elsewhere` | what went wrong in other libraries |

mod der;
mod elsewhere;
mod group;
mod keys;
mod lanes;
mod recovery;
mod schnorr;
mod signatures;
mod tweaks;
