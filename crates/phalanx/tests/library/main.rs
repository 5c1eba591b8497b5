//! The library as its callers meet it: published vectors, libsecp256k1 beside it, and every documented answer.
//!
//! | file | holds |
//! |---|---|
//! | `backends` | the backends that tests run on |
//! | `bulk`, `verdicts` | bulk calls beside single calls; which check of a row speaks first |
//! | `one_thread` | rows in columns in the caller's memory |
//! | `batch` | batches beside the verdicts of single rows |
//! | `msm`, `fixed_base` | sums of products; sums over points that never change, and files of their tables |
//! | `libsecp256k1`, `ellswift` | both libraries on the same numbers |
//! | `serde` | values in other people's formats |
//! | `environment`, `no_randomness` | processes whose environment or system differs |

mod backends;
mod batch;
mod bulk;
mod ellswift;
mod environment;
mod fixed_base;
mod libsecp256k1;
mod msm;
#[cfg(target_os = "linux")]
mod no_randomness;
mod one_thread;
#[cfg(feature = "serde")]
mod serde;
mod verdicts;
