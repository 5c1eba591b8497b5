//! Bad input, class by class: the documented verdict or error, and never a panic, on every surface, in every lane, with
//! good rows beside it that stay good.
//!
//! All classes stand in one call. Besides, single and bulk calls get every class at every place of a vector of eight; of
//! more than a hundred classes, a fourth at each place. Batches put rows among forty good ones of their own, and get every
//! class at one place; of more than a hundred classes, a fourth. In calls of 1, 7, 9, 15, 16 and 17 rows each place gets
//! one class, and the next place the next class. In the large tier every place gets every class.
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
