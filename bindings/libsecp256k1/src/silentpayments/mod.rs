//! Silent payments (BIP-352), with the structures of the original.
//!
//! | file | holds |
//! |---|---|
//! | `structures` | the bytes of the structures; arrays of pointers that may be absent |
//! | `hashes` | the hashes of the BIP, and the secret that sender and recipient share |
//! | `labels` | labels, and keys with labels |
//! | `sender` | outputs for recipients |
//! | `summary`, `scan` | what a recipient makes of a transaction's inputs and outputs |

mod hashes;
mod labels;
mod scan;
mod sender;
mod structures;
mod summary;
