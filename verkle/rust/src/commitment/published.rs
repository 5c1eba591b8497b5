//! Published configurations over the Verkle basis, to compare with. They count 96 bytes per entry; ours has 64.
//!
//! Source: <https://hackmd.io/@jsign/vkt-another-iteration-of-vkt-msms>.

use super::Tables;
use crate::{Basis, Scalar};
use phalanx_engine::fixed_base::{Configuration, Rule, Scheme, ShortList, TableSpec};

const POINTS: usize = Basis::VERKLE_LENGTH;
/// Both tables of the baseline.
const BASELINE: [usize; 2] = [0, 1];

/// The baseline for up to so many non-zero scalars, and for longer vectors one table after another, each with the
/// greatest number that it serves.
fn hybrid(baseline: usize, more: &[(Scheme, usize)]) -> Configuration {
    let spec = |scheme, places| TableSpec { scheme, places };
    let windows = |b, places| spec(Scheme::SignedWindows { b }, places);
    let mut tables = ShortList::from([windows(16, 0..5), windows(8, 5..POINTS)]);
    let mut rules = ShortList::from([Rule { nonzero: baseline, tables: BASELINE.into() }]);
    for (scheme, nonzero) in more {
        rules.push(Rule { nonzero: *nonzero, tables: [tables.len()].into() });
        tables.push(spec(*scheme, 0..POINTS));
    }
    Configuration { points: POINTS, order: Scalar::ORDER, tables, rules }
}

impl Tables {
    /// The published baseline, which go-ipa has: signed windows of 16 bits for the first five elements, and of 8 bits
    /// for the others. 334 MiB as published, 223 MiB here.
    ///
    /// Sixteen entries for each of five scalars and 32 for each of 251 are 8,112 additions at most. About one in
    /// 2^b digits is zero and costs none.
    pub fn published_baseline() -> Configuration {
        hybrid(POINTS, &[])
    }

    /// The published hybrid with 144 MiB more than the baseline: the baseline for up to 8 non-zero scalars, subsets
    /// with (t, b) = (16, 12) for 9 to 32, and with (128, 12) for more. 478 MiB as published, 319 MiB here.
    pub fn published_hybrid_144() -> Configuration {
        let subsets = |t| Scheme::Subsets { t, b: 12 };
        hybrid(8, &[(subsets(16), 32), (subsets(128), POINTS)])
    }

    /// The published hybrid with 16 MiB more than the baseline: subsets with (t, b) = (128, 12) for long vectors. 350
    /// MiB as published, 234 MiB here.
    ///
    /// Its published times are those of the baseline at 16 non-zero scalars, and of the subsets at 32. Where between
    /// them it changes was not published. Here it changes behind 16: the baseline's 32 additions for each of n scalars
    /// stand against 128 ceil(n / 6) additions and 127 doublings, which is 512 against 511 at 16 and 544 against 511 at
    /// 17.
    pub fn published_hybrid_16() -> Configuration {
        hybrid(16, &[(Scheme::Subsets { t: 128, b: 12 }, POINTS)])
    }
}
