//! Leaves: up to 256 values under one stem (EIP-6800, `extension_and_suffix_tree`).
//!
//! Two halves, C1 and C2, commit to 128 values each. A value is two scalars, its lower 16 bytes with 2^128 added, which
//! tells a zero from an empty place, and its upper 16 bytes. The leaf commits to 1, the stem, and the images of C1 and
//! C2 among the scalars.

use super::commitment::{Commitment, added_vartime};
use crate::{Commit, Scalar, Term, TermLists};
use alloc::vec::Vec;

/// The first 31 bytes of a key: which leaf.
pub type Stem = [u8; 31];

/// A value of the tree.
pub type Value = [u8; 32];

/// The commitments of a leaf. The caller keeps its stem and its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    halves: [Commitment; 2],
    commitment: Commitment,
}

/// A value that is written, overwritten or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// The last byte of the key.
    pub suffix: u8,
    /// The value before, `None` for an empty place. It must be the one that the leaf commits to.
    pub old: Option<Value>,
    /// The value from now on, `None` to empty the place.
    pub new: Option<Value>,
}

/// The position of C1 among what a leaf commits to; C2 follows.
const FIRST_HALF: usize = 2;

impl Leaf {
    /// The leaf of commitments that were computed before, as a tree finds them in its storage: C1, C2, and the leaf's own.
    /// Nothing is checked: they must be those of one leaf.
    ///
    /// ```
    /// use phalanx_banderwagon::{Basis, Element, Obvious, verkle::{Commitment, Leaf, ValueChange}};
    ///
    /// let basis = Basis::verkle();
    /// let leaf = Leaf::new_vartime(&mut Obvious(&basis), &[7; 31], &[(3, [1; 32])]);
    /// let stored = [leaf.c1(), leaf.c2(), leaf.commitment()].map(|commitment| commitment.element().to_bytes());
    ///
    /// let elements = [Element::from_bytes(&stored[0])?, Element::from_bytes(&stored[1])?, Element::from_bytes(&stored[2])?];
    /// let [c1, c2, commitment] = elements.map(Commitment::new_vartime);
    /// let mut again = Leaf::of(c1, c2, commitment);
    /// assert_eq!(again, leaf);
    /// again.update_vartime(&mut Obvious(&basis), &[ValueChange { suffix: 3, old: Some([1; 32]), new: None }]);
    /// assert_eq!(again, Leaf::new_vartime(&mut Obvious(&basis), &[7; 31], &[]));
    /// # Ok::<(), phalanx_banderwagon::DecodeError>(())
    /// ```
    pub fn of(c1: Commitment, c2: Commitment, commitment: Commitment) -> Leaf {
        Leaf { halves: [c1, c2], commitment }
    }

    /// The leaf of these values, each with the last byte of its key.
    ///
    /// # Panics
    /// If a suffix stands there twice, or the basis has fewer than 256 elements.
    pub fn new_vartime<C: Commit + ?Sized>(committer: &mut C, stem: &Stem, values: &[(u8, Value)]) -> Leaf {
        let mut leaves = Leaf::new_many_vartime(committer, &[(*stem, values)]);
        leaves.pop().expect("one leaf was asked for")
    }

    /// The leaf of each stem and its values.
    ///
    /// # Panics
    /// If a suffix stands twice in one leaf, or the basis has fewer than 256 elements.
    pub fn new_many_vartime<C: Commit + ?Sized>(committer: &mut C, leaves: &[(Stem, &[(u8, Value)])]) -> Vec<Leaf> {
        let mut lists = TermLists::new();
        for (_, values) in leaves {
            let mut seen = [false; 256];
            for (suffix, _) in *values {
                assert!(!core::mem::replace(&mut seen[usize::from(*suffix)], true), "a suffix stands there once");
            }
            for half in 0..2 {
                let of_half = values.iter().filter(|(suffix, _)| half_of(*suffix) == half);
                lists.push(of_half.flat_map(|(suffix, value)| terms(*suffix, scalars(Some(value)))));
            }
        }
        let halves = added_vartime(committer, &lists, core::iter::empty());
        lists.clear();
        let (halves, _) = halves.as_chunks::<2>();
        for ((stem, _), halves) in leaves.iter().zip(halves) {
            let stem = Term { position: 1, scalar: stem_scalar(stem) };
            lists.push([stem].into_iter().chain([0, 1].map(|i| half_term(i, halves[i].scalar()))));
        }
        // The marker of a leaf is 1.
        let marker = committer.basis().elements()[0];
        let whole = added_vartime(committer, &lists, core::iter::repeat(marker));
        whole.iter().zip(halves).map(|(commitment, halves)| Leaf { halves: *halves, commitment: *commitment }).collect()
    }

    /// The leaf's commitment, with what its parent commits to.
    pub fn commitment(&self) -> Commitment {
        self.commitment
    }

    /// C1, the commitment to the values of the suffixes 0 to 127.
    pub fn c1(&self) -> Commitment {
        self.halves[0]
    }

    /// C2, the commitment to the values of the suffixes 128 to 255.
    pub fn c2(&self) -> Commitment {
        self.halves[1]
    }

    /// Changes values, by the differences that they make. A suffix may change more than once, in order.
    ///
    /// # Panics
    /// If the basis is too short for a change; one of 256 elements never is.
    pub fn update_vartime<C: Commit + ?Sized>(&mut self, committer: &mut C, changes: &[ValueChange]) {
        Leaf::update_many_vartime(committer, core::slice::from_mut(self), &[changes]);
    }

    /// Changes values of many leaves: `changes[i]` are those of `leaves[i]`.
    ///
    /// # Panics
    /// If the slices differ in length, or the basis is too short for a change; one of 256 elements never is.
    pub fn update_many_vartime<C: Commit + ?Sized>(committer: &mut C, leaves: &mut [Leaf], changes: &[&[ValueChange]]) {
        assert_eq!(leaves.len(), changes.len(), "a list of changes per leaf");
        let mut lists = TermLists::new();
        // Which half of which leaf each list belongs to.
        let mut places = Vec::new();
        for (leaf, changes) in changes.iter().enumerate() {
            for half in 0..2 {
                let of_half = changes.iter().filter(|change| half_of(change.suffix) == half);
                if of_half.clone().next().is_none() {
                    continue;
                }
                lists.push(of_half.flat_map(|change| {
                    let (old, new) = (scalars(change.old.as_ref()), scalars(change.new.as_ref()));
                    terms(change.suffix, [new[0] - old[0], new[1] - old[1]])
                }));
                places.push((leaf, half));
            }
        }
        let before = places.iter().map(|(leaf, half)| leaves[*leaf].halves[*half].element());
        let halves = added_vartime(committer, &lists, before);
        lists.clear();
        // The lists of one leaf stand side by side: they become one list.
        let mut touched: Vec<usize> = Vec::new();
        for group in places.iter().zip(&halves).collect::<Vec<_>>().chunk_by(|(a, _), (b, _)| a.0 == b.0) {
            let leaf = group[0].0.0;
            lists.push(
                group
                    .iter()
                    .map(|((_, half), new)| half_term(*half, new.scalar() - leaves[leaf].halves[*half].scalar())),
            );
            touched.push(leaf);
        }
        for ((leaf, half), new) in places.iter().zip(halves) {
            leaves[*leaf].halves[*half] = new;
        }
        let before = touched.iter().map(|leaf| leaves[*leaf].commitment.element());
        let whole = added_vartime(committer, &lists, before);
        for (commitment, leaf) in whole.into_iter().zip(touched) {
            leaves[leaf].commitment = commitment;
        }
    }
}

/// Which half a suffix belongs to.
fn half_of(suffix: u8) -> usize {
    usize::from(suffix / 128)
}

/// The two scalars of a value; those of an empty place are zero.
fn scalars(value: Option<&Value>) -> [Scalar; 2] {
    let Some(value) = value else { return [Scalar::ZERO; 2] };
    let (halves, _) = value.as_chunks::<16>();
    let [low, high] = [halves[0], halves[1]].map(|bytes| u128::from_le_bytes(bytes).into());
    // 2^128 tells a value of zero from an empty place.
    [low + Scalar::TWO_TO_128, high]
}

/// The terms of a value's scalars in its half. Zeroes are left out.
fn terms(suffix: u8, scalars: [Scalar; 2]) -> impl Iterator<Item = Term> {
    let position = 2 * usize::from(suffix % 128);
    let terms = [0, 1].map(|i| Term { position: position + i, scalar: scalars[i] });
    terms.into_iter().filter(|term| !term.scalar.is_zero_vartime())
}

/// The term of C1 (0) or C2 (1) among what a leaf commits to.
fn half_term(half: usize, scalar: Scalar) -> Term {
    Term { position: FIRST_HALF + half, scalar }
}

/// A stem as a little-endian number, below 2^248.
fn stem_scalar(stem: &Stem) -> Scalar {
    let mut bytes = [0; 32];
    bytes[..31].copy_from_slice(stem);
    Scalar::from_le_bytes_reduced(&bytes)
}
