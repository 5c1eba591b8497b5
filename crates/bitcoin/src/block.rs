//! Blocks, borrowed from the bytes that they are read from.

use crate::bytes::{DecodeError, Reader, compact_size_length, double_sha256};
use crate::transaction::Transaction;

/// The bytes of a header.
pub(crate) const HEADER_BYTES: usize = 80;
/// The least bytes of a transaction: version, no inputs, no outputs, lock time.
const TRANSACTION_BYTES: usize = 10;
/// How the script of the output begins that commits to a block's witnesses: OP_RETURN, 36 bytes, four of which are a
/// mark (BIP-141).
const WITNESS_COMMITMENT: [u8; 6] = [0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed];

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version.
    pub version: u32,
    /// The hash of the block before, in the order in which it is hashed. Text shows it backwards.
    pub previous: [u8; 32],
    /// The root of the tree of transaction ids.
    pub merkle_root: [u8; 32],
    /// Seconds since 1970.
    pub time: u32,
    /// The target of the work, in short form.
    pub bits: u32,
    /// What the work has found.
    pub nonce: u32,
    hash: [u8; 32],
}

impl Header {
    /// Reads a header.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Header, DecodeError> {
        let bytes: [u8; HEADER_BYTES] = reader.array()?;
        let mut reader = Reader::new(&bytes);
        Ok(Header {
            version: reader.u32()?,
            previous: reader.array()?,
            merkle_root: reader.array()?,
            time: reader.u32()?,
            bits: reader.u32()?,
            nonce: reader.u32()?,
            hash: double_sha256(&bytes),
        })
    }

    /// The hash of the block, in the order in which the next block names it. Text shows it backwards.
    pub fn hash(&self) -> [u8; 32] {
        self.hash
    }
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The header.
    pub header: Header,
    /// The transactions. The first spends nothing.
    pub transactions: Vec<Transaction<'a>>,
}

impl<'a> Block<'a> {
    /// Reads a block that ends where the bytes end. The memory that it takes is at most 32 times theirs.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn decode(bytes: &'a [u8]) -> Result<Block<'a>, DecodeError> {
        let mut reader = Reader::new(bytes);
        let header = Header::read(&mut reader)?;
        let transactions = reader.list(TRANSACTION_BYTES, Transaction::read)?;
        reader.end()?;
        Ok(Block { header, transactions })
    }

    /// The number of inputs that spend something.
    pub fn spending_inputs(&self) -> usize {
        self.transactions.iter().skip(1).map(|transaction| transaction.inputs.len()).sum()
    }

    /// The Merkle root of the ids of these transactions. None if there is no transaction, or if a shorter list has the same
    /// root: one that ends in the same transactions twice.
    pub fn merkle_root(&self) -> Option<[u8; 32]> {
        let (root, repeats) = tree_root(self.transactions.iter().map(Transaction::txid).collect());
        root.filter(|_| !repeats)
    }

    /// Whether the witnesses are those that the first transaction commits to, and no transaction has a witness without
    /// such a commitment: what Bitcoin Core's `CheckWitnessMalleation` asks. Before `segwit` a block without witnesses
    /// may have an output that looks like a commitment.
    pub(crate) fn commits_to_witnesses(&self, segwit: bool) -> bool {
        let Some(coinbase) = self.transactions.first() else { return true };
        let mut inputs = self.transactions.iter().flat_map(|transaction| &transaction.inputs);
        let has_witness = inputs.any(|input| !input.witness.is_empty());
        // The last such output counts.
        let commitment = |script: &[u8]| script.strip_prefix(&WITNESS_COMMITMENT)?.first_chunk::<32>().copied();
        let Some(commitment) = coinbase.outputs.iter().rev().find_map(|output| commitment(&output.script)) else {
            return !has_witness;
        };
        if !segwit && !has_witness {
            return true;
        }
        let [input] = &coinbase.inputs[..] else { return false };
        let [reserved] = &input.witness[..] else { return false };
        let others = self.transactions.iter().skip(1).map(Transaction::wtxid);
        let (root, _) = tree_root([[0; 32]].into_iter().chain(others).collect());
        reserved.len() == 32 && root.is_some_and(|root| double_sha256(&[&root, *reserved].concat()) == commitment)
    }

    /// The height that the first transaction names, if it begins with a number.
    pub(crate) fn named_height(&self) -> Option<u32> {
        let script = self.transactions.first()?.inputs.first()?.script;
        let (opcode, rest) = script.split_first()?;
        match opcode {
            0x51..=0x60 => Some(u32::from(opcode - 0x50)),
            0 => Some(0),
            1..=4 => {
                let number = crate::number::read(rest.get(..usize::from(*opcode))?, 4, true).ok()?;
                u32::try_from(number).ok()
            }
            _ => None,
        }
    }

    pub(crate) fn weight(&self) -> usize {
        4 * self.head_size() + self.transactions.iter().map(Transaction::weight).sum::<usize>()
    }

    /// The bytes in front of the first transaction.
    pub(crate) fn head_size(&self) -> usize {
        HEADER_BYTES + compact_size_length(self.transactions.len())
    }
}

/// The root of a Merkle tree, if it has leaves, and whether two equal nodes are a pair: then a shorter list of leaves
/// has the same root (CVE-2012-2459).
fn tree_root(mut nodes: Vec<[u8; 32]>) -> (Option<[u8; 32]>, bool) {
    let mut repeats = false;
    while nodes.len() > 1 {
        repeats |= nodes.as_chunks::<2>().0.iter().any(|[left, right]| left == right);
        nodes = nodes.chunks(2).map(|pair| double_sha256(&[pair[0], pair[pair.len() - 1]].concat())).collect();
    }
    (nodes.pop(), repeats)
}
