//! MuSig2 (BIP-327), with the structures of the original.
//!
//! | file | holds |
//! |---|---|
//! | `structures` | the bytes of the structures, with what is reported where they hold something else |
//! | `encodings` | reading and writing of nonces and partial signatures |
//! | `keys` | aggregation of keys, and tweaks |
//! | `nonce` | nonces of one signer, and their sum |
//! | `session` | signing, verification and aggregation |

mod encodings;
mod keys;
mod nonce;
mod session;
mod structures;
