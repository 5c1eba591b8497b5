//! Where the tree keeps an account's header, code and storage (EIP-6800, "Tree embedding").

/// An address of 32 bytes; an address of 20 bytes stands behind twelve zeroes.
pub type Address = [u8; 32];

/// A place in an account's part of the tree.
///
/// ```
/// use phalanx_banderwagon::verkle::Position;
///
/// // Of the storage, the slots 0 to 63 are beside the header; code begins at 128.
/// assert_eq!(Position::storage_slot(&[0; 32]), Position { tree_index: [0; 32], sub_index: 64 });
/// assert_eq!(Position::code_chunk(0), Position { tree_index: [0; 32], sub_index: 128 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Which leaf of the account, in 32 little-endian bytes.
    pub tree_index: [u8; 32],
    /// Which value of that leaf.
    pub sub_index: u8,
}

/// HEADER_STORAGE_OFFSET.
const HEADER_STORAGE: u8 = 64;
/// CODE_OFFSET.
const CODE: u8 = 128;

impl Position {
    /// BASIC_DATA_LEAF_KEY: version, code size, nonce and balance.
    pub const BASIC_DATA: Position = Position::header(0);
    /// CODE_HASH_LEAF_KEY.
    pub const CODE_HASH: Position = Position::header(1);

    /// A value of the header's leaf.
    pub const fn header(sub_index: u8) -> Position {
        Position { tree_index: [0; 32], sub_index }
    }

    /// A chunk of 31 bytes of code.
    pub fn code_chunk(chunk: u64) -> Position {
        let place = u128::from(chunk) + u128::from(CODE);
        let mut tree_index = [0; 32];
        tree_index[..16].copy_from_slice(&(place >> 8).to_le_bytes());
        Position { tree_index, sub_index: place as u8 }
    }

    /// A slot of the storage, by its number in 32 big-endian bytes as the Ethereum virtual machine has it.
    pub fn storage_slot(slot: &[u8; 32]) -> Position {
        let (high, last) = (&slot[..31], slot[31]);
        if high.iter().all(|byte| *byte == 0) && last < CODE - HEADER_STORAGE {
            return Position::header(HEADER_STORAGE + last);
        }
        // MAIN_STORAGE_OFFSET is 256^31: the place is slot + 256^31, and the tree index that without its last byte,
        // slot / 256 + 256^30, which is below 2^249.
        let mut tree_index = [0; 32];
        for (byte, of_slot) in tree_index.iter_mut().zip(high.iter().rev()) {
            *byte = *of_slot;
        }
        let (top, carry) = tree_index[30].overflowing_add(1);
        (tree_index[30], tree_index[31]) = (top, u8::from(carry));
        Position { tree_index, sub_index: last }
    }
}
