//! What a call can say, as C's header numbers it.

/// All went well. Rows may still have been refused: each has its verdict.
pub const PHALANX_OK: i32 = 0;
/// A pointer is NULL that must not be.
pub const PHALANX_NULL_POINTER: i32 = 1;
/// A pointer is not aligned as what it points to.
pub const PHALANX_MISALIGNED: i32 = 2;
/// A column or an output has a width that the call does not take, a stride that lets outputs overlap, or more bytes
/// than there can be.
pub const PHALANX_BAD_COLUMN: i32 = 3;
/// An output lies within another output, an input or the workspace; from its first byte to its last one.
pub const PHALANX_OVERLAP: i32 = 4;
/// The workspace is smaller than phalanx_workspace_bytes says.
pub const PHALANX_WORKSPACE_TOO_SMALL: i32 = 5;
/// This build or this CPU does not have the backend.
pub const PHALANX_BACKEND_UNAVAILABLE: i32 = 6;
/// The threads asked for could not be started.
pub const PHALANX_THREADS_UNAVAILABLE: i32 = 7;
/// The program cancelled the call.
pub const PHALANX_CANCELLED: i32 = 8;
/// A flag, another number or a key is none that the call takes.
pub const PHALANX_BAD_ARGUMENT: i32 = 9;
/// A scalar is not below the order of the group, or is zero and cannot be.
pub const PHALANX_BAD_SCALAR: i32 = 10;
/// A point is not the encoding of one.
pub const PHALANX_BAD_POINT: i32 = 11;
/// The tables are damaged, or of another basis or width.
pub const PHALANX_BAD_TABLES: i32 = 12;
/// An error of the library itself. Nothing that the call wrote may be used.
pub const PHALANX_INTERNAL_ERROR: i32 = 13;
/// Some row is not good, and so the answer is zeros or NULL. The row's verdict says what is wrong.
pub const PHALANX_BAD_ROW: i32 = 14;
/// The secret nonce has been used up, or its randomness was used before and is zero.
pub const PHALANX_USED_NONCE: i32 = 15;
/// The program's memory has no room for all matches. Their number is told, and nothing else.
pub const PHALANX_CAPACITY_TOO_SMALL: i32 = 16;
