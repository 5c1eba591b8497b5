//! What crosses the interface: one structure, and numbers. `bindings/go/internal/ffi/ffi.go` has the same structure; a
//! test of this crate, `go_files`, writes the numbers of Go's side.

use phalanx_engine::word::CacheLine;

/// Values of one kind, one a row: that of row `i` is the `width` bytes from `data + i * stride` on.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Input {
    /// The value of row 0. May be null where there is no byte to read.
    pub data: *const u8,
    /// Bytes from the value of a row to that of the next one.
    pub stride: usize,
    /// Bytes of a value.
    pub width: usize,
}

/// Room for values of one kind, one a row.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// The place of row 0.
    pub data: *mut u8,
    /// Bytes from the place of a row to that of the next one.
    pub stride: usize,
    /// Bytes of a value.
    pub width: usize,
}

/// A call: what to compute, on which machine, from what, and where to.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// One of the operations below.
    pub operation: u32,
    /// One of the machines below. The CPU must have it.
    pub machine: u32,
    /// What an operation lets choose.
    pub flags: u32,
    /// Zero.
    pub reserved: u32,
    /// The number of rows; not read by operations on one item.
    pub rows: usize,
    /// What the operation reads.
    pub inputs: [Input; 5],
    /// What the operation writes.
    pub outputs: [Output; 2],
    /// Room for a verdict of each row.
    pub verdicts: *mut u8,
    /// Memory to compute in.
    pub workspace: *mut CacheLine,
    /// The length of the workspace.
    pub lines: usize,
}

/// Any CPU.
pub const MACHINE_PORTABLE: u32 = 0;
/// AVX2, FMA and BMI2.
pub const MACHINE_FMA: u32 = 1;
/// AVX-512 F, DQ, BW, VL and IFMA, BMI2 and ADX.
pub const MACHINE_IFMA: u32 = 2;

/// Answers the size of [`Call`]: what a call costs that does nothing.
pub const NOTHING: u32 = 0;
/// Secret key to public key (65 bytes).
pub const PUBLIC_KEY: u32 = 1;
/// An encoding of SEC 1 to a public key (65 bytes).
pub const READ_PUBLIC_KEY: u32 = 2;
/// An x coordinate to the public key (65 bytes) with even y.
pub const READ_X_ONLY: u32 = 3;
/// DER, by [`FLAG_LAX`] as before BIP-66, to 64 bytes.
pub const READ_DER: u32 = 4;
/// 64 bytes, checked to be a signature of ECDSA.
pub const READ_COMPACT: u32 = 5;
/// Digest and secret key to a signature and its recovery id.
pub const SIGN_ECDSA: u32 = 6;
/// Digest, signature and public key (65 bytes) to a verdict.
pub const VERIFY_ECDSA: u32 = 7;
/// Digest, signature and recovery id to a public key (65 bytes).
pub const RECOVER: u32 = 8;
/// Message of any width, secret key and randomness to a signature of BIP-340.
pub const SIGN_SCHNORR: u32 = 9;
/// Message of any width, signature and public key (65 bytes, of which x counts) to a verdict.
pub const VERIFY_SCHNORR: u32 = 10;
/// Public key (65 bytes) and secret key to a shared secret.
pub const SHARED_SECRET: u32 = 11;
/// Public key (65 bytes) plus a tweak times the generator.
pub const TWEAK_PUBLIC: u32 = 12;
/// Secret key plus a tweak.
pub const TWEAK_SECRET: u32 = 13;
/// The negative of a secret key.
pub const NEGATE_SECRET: u32 = 14;
/// Secret key and auxiliary randomness to an ElligatorSwift encoding (64 bytes) of its public key.
pub const ELLSWIFT_CREATE: u32 = 15;
/// Public key (65 bytes) and randomness to an ElligatorSwift encoding (64 bytes).
pub const ELLSWIFT_ENCODE: u32 = 16;
/// An ElligatorSwift encoding to a public key (65 bytes).
pub const ELLSWIFT_DECODE: u32 = 17;
/// The encodings of the initiator and of the responder, and a secret key, by [`FLAG_RESPONDER`] the responder's, to the
/// secret of BIP-324.
pub const ELLSWIFT_SECRET: u32 = 18;
/// Randomness, a secret key (32 bytes or none) and what else a nonce of MuSig2 is hashed from, to its two numbers (64 bytes)
/// and its public half (66 bytes).
pub const MUSIG_NONCE: u32 = 19;
/// The two numbers of a nonce, a secret key, the coefficient of the nonce and the factor of the key, to a partial signature
/// of MuSig2; by [`FLAG_NEGATE`] with the negative of the nonce.
pub const MUSIG_SIGN: u32 = 20;

/// Scan secret and the number of a label (4 bytes, of this machine's order) to the label's tweak.
pub const SILENT_LABEL: u32 = 25;
/// Tweak point (33, 64 or 65 bytes), scan secret and k (4 bytes, of this machine's order) to the tweak of output k.
pub const SILENT_TWEAK: u32 = 26;

/// Answers the lines of workspace that the operation in the flags takes.
pub const LINES: u32 = 31;
/// Batches of ECDSA, by the number that Go calls them by until the images are made from the list. The last input is 32 bytes
/// of randomness.
pub const ROWS_BATCH_ECDSA: u32 = 32;
/// The same for batches of Schnorr signatures.
pub const ROWS_BATCH_SCHNORR: u32 = 33;
/// Scalars and points (33 or 65 bytes, all zero for infinity) to the sum of their products, of 33 bytes. Answers a
/// verdict: that of what is wrong with a row.
pub const SUM_OF_PRODUCTS: u32 = 34;

/// Points (33 or 65 bytes, all zero for infinity) to the lines of a basis, 64 bytes each. Answers a verdict: that of what is
/// wrong with a row.
pub const FIXED_BASIS: u32 = 35;
/// Answers the number of lines of tables. Here and below input 4 says which: its stride is the number of points, its width
/// the bits of a window.
pub const FIXED_LINES: u32 = 36;
/// Answers the number of parts in which tables are built.
pub const FIXED_PARTS: u32 = 37;
/// Answers the first line of the part whose number is in the rows. Behind the last part it is the number of lines.
pub const FIXED_PART_LINE: u32 = 38;
/// The lines of a basis to the lines of the part of its tables whose number is in the rows. Answers 1 where it met infinity,
/// else 0.
pub const FIXED_BUILD: u32 = 39;
/// Tables (input 0), terms of a place and a scalar (input 1, and input 2 their ends: see `vectors`) to a sum of 33 bytes for
/// each vector. Answers a verdict. For [`LINES`] input 1 says how many terms there are, all of them by its width, and by its
/// stride how many the longest vector has.
pub const FIXED_SUMS: u32 = 40;

/// Senders, by the number that Go calls them by until the images are made from the list.
pub const ROWS_SENDERS: u32 = 41;

/// Derivation of children, by the number that Go calls it by until the images are made from the list. The kind of payload
/// is in the flags, and a child is 129 bytes: key, chain code, and the payload with zeros behind it.
pub const ROWS_DERIVE_CHILDREN: u32 = 48;
/// Tweak points (33, 64 or 65 bytes) to verdicts, and for each row 1 byte: 1 where it has the first output of the receiver.
/// Input 1 is outputs of many rows, whose stride says what they are: 8 for prefixes, 32 for keys. Input 2 is where those of
/// each row begin and where the last ones end, in words. Input 3 is the scan secret, and input 4 the spend keys of 65 bytes,
/// all of them by its width, for [`LINES`] too. A scan secret that is none makes all rows malformed.
pub const ROWS_SILENT: u32 = 49;

/// Rows in columns to outputs and verdicts: this number and the operation's place in the library's list.
pub const ROWS_FIRST: u32 = 64;

/// High s is no fault.
pub const FLAG_ALLOW_HIGH_S: u32 = 1;
/// DER as before BIP-66.
pub const FLAG_LAX: u32 = 2;
/// Some part of the tables met infinity.
pub const FLAG_INFINITY: u32 = 4;
/// The secret key is that of who answered.
pub const FLAG_RESPONDER: u32 = 8;
/// The nonce is negated.
pub const FLAG_NEGATE: u32 = 16;

/// The answer to a call that cannot be: a number, a width or a pointer is wrong. Go's side checks them, so that this is
/// an error of its own.
pub const MISUSED: u32 = 1 << 31;
