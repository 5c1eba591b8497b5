//! libsecp256k1's own binary interface, computed by Phalanx.
//!
//! `cargo build --release -p phalanx-libsecp256k1` makes `target/release/libsecp256k1.so`, whose soname is
//! `libsecp256k1.so.7`. It has the 82 functions and 8 data symbols that the headers of libsecp256k1 0.8
//! declare. A program that was linked with the original runs on this file in its place.
//! The headers of the original are the reference; `docs/use/libsecp256k1.md` of the repository says what a program may
//! notice where they leave something open, and how it is tested.
//!
//! The crate has no interface for Rust. Rust programs use the crate `phalanx`.
//!
//! | file | holds |
//! |---|---|
//! | `wipe` | overwriting of the stack |
//! | `callbacks` | the interface: functions of the caller, which this crate trusts, as `phalanx-ffi` its memory |
//! | `sha256`, `rfc6979` | SHA-256 with the caller's compression function; nonces |
//! | `context`, `declassify` | what a context lends to computations; what becomes public |
//! | `lifecycle` | making, copying, changing and ending contexts |
//! | `opaque`, `secret` | the bytes of the structures; scalars of secret keys |
//! | `seckey`, `pubkey`, `order`, `sum` | keys |
//! | `der`, `signature`, `ecdsa`, `sign`, `recovery` | ECDSA |
//! | `ecdh`, `ellswift` | Diffie-Hellman; keys in 64 bytes that look like noise |
//! | `xonly`, `keypair`, `nonce`, `schnorrsig` | BIP-340 |
//! | `musig` | MuSig2 |
//! | `silentpayments` | silent payments |
//! | `tagged` | tagged hashes |

mod wipe;

mod callbacks;

mod sha256;

mod rfc6979;

mod context;

mod declassify;

mod lifecycle;

mod opaque;

mod secret;

mod seckey;

mod pubkey;

mod order;
mod sum;

mod der;

mod ecdsa;
mod sign;
mod signature;

mod recovery;

mod ecdh;

mod ellswift;

mod xonly;

mod keypair;

mod nonce;

mod schnorrsig;

mod musig;

mod silentpayments;

mod tagged;
