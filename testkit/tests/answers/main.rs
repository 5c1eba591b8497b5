//! The library's answers beside those of others: of published vectors, other libraries and real data.
//!
//! | file | holds |
//! |---|---|
//! | `wycheproof`, `bips`, `rfc6979` | published vectors |
//! | `chain_data`, `sample_files` | real signatures, and the files of the sample |
//! | `bad_input` | bad rows, class by class |
//! | `differential` | random cases beside libsecp256k1 and k256 |
//! | `traits` | code that is generic over other people's traits |

mod bad_input;
mod bips;
mod chain_data;
mod differential;
mod rfc6979;
mod sample_files;
mod traits;
mod wycheproof;
