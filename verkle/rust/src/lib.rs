//! Banderwagon, the group of Ethereum's Verkle trees (EIP-6800): elements, the 256-point basis, commitments, and the
//! work of a tree over them.
//!
//! ```
//! use phalanx_banderwagon::{Basis, Commit, Obvious, Scalar};
//!
//! let basis = Basis::verkle();
//! let commitment = Obvious(&basis).commit_vartime(&[Scalar::from(1u64), Scalar::from(2u64)]);
//! assert_eq!(commitment, basis.elements()[0] + basis.elements()[1].double());
//! assert_eq!(commitment.to_bytes().len(), 32);
//! ```
//!
//! The rooms, from the bottom up. A room knows the rooms under it, which this list names earlier, and none above:
//!
//! - `field`: the field of the coordinates;
//! - `hash`: SHA-256;
//! - `operator`: a binary operator with its assigning form;
//! - `scalar`: [`Scalar`], an integer modulo the order of the group;
//! - `element`: [`Element`], with its encoding and its map to the scalar field;
//! - `basis`: [`Basis`], with the 256 points of the Verkle basis;
//! - `commitment`: commitments over a basis, [`Commit`] for public scalars and [`Basis::commit`] for secret ones;
//! - [`verkle`]: tree keys, leaves, inner nodes and migrations.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod basis;
mod commitment;
mod element;
mod field;
mod hash;
mod operator;
mod scalar;
pub mod verkle;

pub use basis::Basis;
#[cfg(feature = "std")]
pub use commitment::ThreadsCommitter;
pub use commitment::{Commit, Committer, Lanes, LanesCommitter, Obvious, Tables, Term, TermLists, commit_in_vartime};
pub use element::{Bandersnatch, DecodeError, Element};
pub use field::{Fp, P};
pub use scalar::Scalar;

/// What the engine's tables are described by, for who builds, plans, saves or reads them: from the crate
/// `phalanx-engine`, in the version that this crate is built with.
pub mod tables {
    #[cfg(feature = "mmap")]
    pub use phalanx_engine::fixed_base::MapError;
    pub use phalanx_engine::fixed_base::{
        Configuration, ConfigurationError, Expected, Layout, Load, Planned, Request, Rule, SavedError, Scheme,
        TableSpec,
    };
}

/// The README's program runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
