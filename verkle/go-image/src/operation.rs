//! The numbers that cross the interface. The test `go_files` of `phalanx-go-image` writes those of Go's side. The structure
//! of a call is that of all images.

/// Answers the size of a call: what one costs that does nothing.
pub const NOTHING: u32 = 0;
/// 32 bytes to an element.
pub const DECODE: u32 = 1;
/// 64 bytes to an element.
pub const DECODE_UNCOMPRESSED: u32 = 2;
/// An element to 64 bytes.
pub const ENCODE_UNCOMPRESSED: u32 = 3;
/// The sum of two elements.
pub const ADD: u32 = 4;
/// The first element less the second one.
pub const SUBTRACT: u32 = 5;
/// Answers 1 where two elements are the same, else 0.
pub const EQUAL: u32 = 6;
/// An element times a scalar of 32 little-endian bytes, in constant time.
pub const MULTIPLY: u32 = 7;
/// The same in variable time.
pub const MULTIPLY_VARTIME: u32 = 8;

/// Answers the lines of workspace that [`BUILD`] or [`COMMIT`], named in the rows, takes; for [`COMMIT`] with as many
/// vectors as the flags say above their tenth bit, of terms as input 1 says: all of them by its width, the longest vector by
/// its stride.
pub const LINES: u32 = 31;
/// Elements to 32 bytes each.
pub const ENCODE: u32 = 32;
/// Elements to scalars of 32 little-endian bytes each.
pub const MAP: u32 = 33;
/// Elements to the lines of a basis, 64 bytes each.
pub const BASIS: u32 = 34;
/// Answers the number of lines of tables.
pub const TABLE_LINES: u32 = 35;
/// Answers the number of parts in which tables are built.
pub const PARTS: u32 = 36;
/// Answers the first line of the part whose number is in the rows, in all tables. Behind the last part it is their number.
pub const PART_LINE: u32 = 39;
/// The lines of a basis to the lines of one part of its tables, whose number is in the rows. Answers 1 where it met
/// infinity, else 0.
pub const BUILD: u32 = 37;
/// Tables (input 0), terms of a place and a scalar in words (input 1, and input 2 their ends: see `vectors` of
/// `phalanx-go-image`), and elements to add (input 3, or none) to elements (output 0, or none) and their
/// images among the scalars (output 1, or none).
pub const COMMIT: u32 = 38;

/// The bits of a window of tables, in the lowest byte of the flags; 0 for those of Verkle trees. The number of elements of
/// the basis is the stride of input 0.
pub const FLAG_WINDOW: u32 = 0xff;
/// Some part of the tables met infinity.
pub const FLAG_INFINITY: u32 = 1 << 8;

/// The bytes of an element on the interface.
pub const ELEMENT: usize = 128;
/// The most vectors of a call.
pub const VECTORS_AT_ONCE: usize = 256;
/// The most elements of a basis.
pub const MAX_ELEMENTS: usize = 1 << 16;

/// The answers to bytes that are no element: a coordinate is not below p.
pub const NOT_CANONICAL: u32 = 1;
/// No point has these coordinates.
pub const NOT_ON_CURVE: u32 = 2;
/// The point is not in the group.
pub const NOT_IN_GROUP: u32 = 3;
/// The answer to 32 bytes that are no scalar.
pub const NOT_A_SCALAR: u32 = 4;
