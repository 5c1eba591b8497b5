//! The keys of the tree: Pedersen hashes of an address and a tree index (EIP-6800, `get_tree_key`).

use super::{
    commitment::added_vartime,
    position::{Address, Position},
};
use crate::{Commit, Element, Scalar, Term, TermLists};
use alloc::vec::Vec;

/// 2 + 256 * 64, the first scalar of a hash of 64 bytes.
const LENGTH_MARKER: u64 = 2 + 256 * 64;

/// Computes keys over the basis of the committer that it was made with. The first of the five terms of a hash is the
/// same for all and is kept.
///
/// **Every method must be given a committer over that same basis.** Over another one keys come out that are no keys of
/// any tree, and nothing says so. Over a basis of fewer than five elements methods panic.
///
/// ```
/// use phalanx_banderwagon::{Basis, Obvious, verkle::{Position, TreeKeys}};
///
/// let basis = Basis::verkle();
/// let committer = &mut Obvious(&basis);
/// let keys = TreeKeys::new_vartime(committer);
/// let key = keys.key_vartime(committer, &[0; 32], &Position::CODE_HASH);
/// assert_eq!(key[..4], [0x1a, 0x10, 0x06, 0x84]);
/// assert_eq!(key[31], 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TreeKeys {
    first: Element,
}

/// What an address adds to the hashes of all its keys: kept for an account, it leaves two terms of five for each key,
/// and none for the keys of the header.
#[derive(Clone, Copy, Debug)]
pub struct AddressSum(Element);

impl TreeKeys {
    /// Prepares the first term.
    ///
    /// # Panics
    /// If the basis has fewer than five elements.
    pub fn new_vartime<C: Commit + ?Sized>(committer: &mut C) -> Self {
        assert!(committer.basis().len() >= 5, "five scalars are committed to");
        let first = committer.commit_vartime(&[Scalar::from(LENGTH_MARKER)]);
        TreeKeys { first }
    }

    /// The hash of an address and a tree index, of which a key has the first 31 bytes.
    ///
    /// # Panics
    /// If the committer's basis has fewer than five elements, as all methods below.
    pub fn hash_vartime<C: Commit + ?Sized>(
        &self,
        committer: &mut C,
        address: &Address,
        tree_index: &[u8; 32],
    ) -> [u8; 32] {
        let terms: Vec<Term> = halves(address, 1).chain(halves(tree_index, 3)).collect();
        let sum = committer.commit_sparse_vartime(&terms);
        (self.first + sum).map_to_scalar_field_vartime().to_le_bytes()
    }

    /// The key of a place in the account of `address`.
    pub fn key_vartime<C: Commit + ?Sized>(
        &self,
        committer: &mut C,
        address: &Address,
        position: &Position,
    ) -> [u8; 32] {
        with_sub_index(self.hash_vartime(committer, address, &position.tree_index), position.sub_index)
    }

    /// Writes the key of each address and place.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn keys_vartime<C: Commit + ?Sized>(
        &self,
        committer: &mut C,
        places: &[(Address, Position)],
        out: &mut [[u8; 32]],
    ) {
        let mut lists = TermLists::new();
        for (address, position) in places {
            lists.push(halves(address, 1).chain(halves(&position.tree_index, 3)));
        }
        write_keys(committer, &lists, places, |_| self.first, out);
    }

    /// What an address adds to the hashes of all its keys.
    pub fn address_vartime<C: Commit + ?Sized>(&self, committer: &mut C, address: &Address) -> AddressSum {
        let terms: Vec<Term> = halves(address, 1).collect();
        AddressSum(self.first + committer.commit_sparse_vartime(&terms))
    }

    /// As [`Self::key_vartime`], for an address whose sum is known.
    pub fn key_of_vartime<C: Commit + ?Sized>(
        &self,
        committer: &mut C,
        address: &AddressSum,
        position: &Position,
    ) -> [u8; 32] {
        let terms: Vec<Term> = halves(&position.tree_index, 3).collect();
        let sum = committer.update_vartime(&address.0, &terms);
        with_sub_index(sum.map_to_scalar_field_vartime().to_le_bytes(), position.sub_index)
    }

    /// As [`Self::keys_vartime`], for addresses whose sums are known.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn keys_of_vartime<C: Commit + ?Sized>(
        &self,
        committer: &mut C,
        places: &[(AddressSum, Position)],
        out: &mut [[u8; 32]],
    ) {
        let mut lists = TermLists::new();
        for (_, position) in places {
            lists.push(halves(&position.tree_index, 3));
        }
        write_keys(committer, &lists, places, |address| address.0, out);
    }
}

/// Writes the key of each place, by its terms and what is added to their sum.
fn write_keys<C: Commit + ?Sized, A>(
    committer: &mut C,
    lists: &TermLists,
    places: &[(A, Position)],
    offset: impl Fn(&A) -> Element,
    out: &mut [[u8; 32]],
) {
    assert_eq!(places.len(), out.len(), "a key per place");
    let offsets = places.iter().map(|(address, _)| offset(address));
    for ((out, hash), (_, position)) in out.iter_mut().zip(added_vartime(committer, lists, offsets)).zip(places) {
        *out = with_sub_index(hash.scalar().to_le_bytes(), position.sub_index);
    }
}

/// Two terms, from `position` on: 32 bytes as two little-endian numbers of 16. A zero is left out.
fn halves(bytes: &[u8; 32], position: usize) -> impl Iterator<Item = Term> {
    let (halves, _) = bytes.as_chunks::<16>();
    let scalars = [u128::from_le_bytes(halves[0]), u128::from_le_bytes(halves[1])];
    let terms = [0, 1].map(|i| Term { position: position + i, scalar: Scalar::from(scalars[i]) });
    terms.into_iter().filter(|term| !term.scalar.is_zero_vartime())
}

fn with_sub_index(hash: [u8; 32], sub_index: u8) -> [u8; 32] {
    let mut key = hash;
    key[31] = sub_index;
    key
}
