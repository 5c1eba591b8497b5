//! Bad input, class by class: the documented verdict or error, and never a panic, on every surface, in every lane, with
//! good rows beside it that stay good.
//!
//! Single and bulk calls get every class at every place of a vector of eight; of lists of more than a hundred classes,
//! every class at two places, other ones for the next class. In calls of 1, 7, 9, 15, 16 and 17 rows each place gets one
//! class, and the next place the next class. In the large tier every place gets every class. A batch puts the rows among
//! forty good ones of its own. Batches get every class at one of the eight places, and in the large tier at every place
//! of every length.
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
