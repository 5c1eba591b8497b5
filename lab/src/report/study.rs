//! The field's own studies, in their own shape: what they published, and the same measured here.
//!
//! Published figures are of other machines. They stand in tables of their own, under a title that says so, and are typed
//! in from the studies (`lab/published`). Below each stands, for every CPU with records, a table that has its columns and
//! its rows, and ours with them. [`calls`] gathers what takes one item.

mod calls;
mod endomorphism;
mod msm;
mod ppad;
mod signer;
mod verkle;

use super::{cpus::Cpu, table::Table};
use clap::ValueEnum;

pub(super) use verkle::{COMMITMENTS, SWEEP};

/// A study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Study {
    /// Sums of products and affine additions, by n
    Msm,
    /// Public keys, signatures and ECDH by signers in Go
    Signer,
    /// Commitments over the Verkle basis
    Verkle,
    /// Verification with and without the endomorphism
    Endomorphism,
    /// ppad-secp256k1
    Ppad,
}

impl Study {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [Self::Msm, Self::Signer, Self::Verkle, Self::Endomorphism, Self::Ppad];

    /// Its name in titles.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Msm => "Sums of products",
            Self::Signer => "Signers",
            Self::Verkle => "Commitments for Verkle trees",
            Self::Endomorphism => "The endomorphism",
            Self::Ppad => "Constant time in Haskell",
        }
    }

    /// Its tables.
    pub(crate) fn tables(self, cpus: &[Cpu]) -> Vec<Table> {
        match self {
            Self::Msm => msm::tables(cpus),
            Self::Signer => signer::tables(cpus),
            Self::Verkle => verkle::tables(cpus),
            Self::Endomorphism => endomorphism::tables(cpus),
            Self::Ppad => ppad::tables(cpus),
        }
    }
}

/// The title of a table of our own measurements.
fn here(cpu: &Cpu, what: &str) -> String {
    format!("Measured here, {}: {what}.", cpu.short_name())
}

/// In place of a table of which a CPU has no figure.
fn not_here(cpu: &Cpu, what: &str) -> Table {
    Table::new(format!("Not measured on {}: {what}.", cpu.short_name()), &[])
}

#[cfg(test)]
mod tests;
