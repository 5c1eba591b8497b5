//! The tables and the lengths of a sweep.

use std::fmt;

use phalanx::Scalar as OrderN;
use phalanx_banderwagon::{Basis, Scalar as OrderR, Tables};
use phalanx_engine::fixed_base::{Configuration, Scheme};

use crate::args::{FixedCurve, FixedScheme, NamedTables, Positions, SweepArgs};
use crate::exit::RunError;

/// The columns, and the lengths, of a sweep that is asked for none.
const POWERS: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// How tables are called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TablesName {
    /// One table.
    One(Scheme),
    /// Tables with a name.
    Named(&'static str),
}

impl TablesName {
    /// The scheme's name, t and b.
    pub(super) fn scheme(self) -> Option<(&'static str, u32, u32)> {
        match self {
            TablesName::One(Scheme::Subsets { t, b }) => Some(("subsets", t, b)),
            TablesName::One(Scheme::SignedWindows { b }) => Some(("signed-windows", 1, b)),
            TablesName::One(Scheme::SignedComb { t, b, .. }) => Some(("signed-comb", t, b)),
            TablesName::Named(_) => None,
        }
    }

    /// The name of tables that have one.
    pub(super) fn name(self) -> Option<&'static str> {
        if let TablesName::Named(name) = self { Some(name) } else { None }
    }
}

impl fmt::Display for TablesName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme() {
            Some((name, t, b)) => write!(f, "{name} with t = {t}, b = {b}"),
            None => f.write_str(self.name().unwrap_or_default()),
        }
    }
}

/// Tables to measure.
pub(super) struct Asked {
    pub(super) kind: TablesName,
    pub(super) configuration: Configuration,
}

/// A sweep that can be run.
pub(super) struct Sweep {
    /// How many points the basis has.
    pub(super) points: usize,
    pub(super) tables: Vec<Asked>,
    /// How many products are summed.
    pub(super) lengths: Vec<usize>,
    /// Of which points.
    pub(super) positions: Positions,
    /// Whether tables are also saved and read back.
    pub(super) check_files: bool,
}

impl Positions {
    /// The most points that a sum can have, of so many.
    fn most(self, points: usize) -> usize {
        match self {
            Positions::First | Positions::Spread => points,
            Positions::Rest => points.saturating_sub(FIRST),
        }
    }

    /// The positions of a sum of so many of the points, at most as many as there are.
    pub(super) fn of(self, count: usize, points: usize) -> impl Iterator<Item = usize> {
        (0..count).map(move |i| match self {
            Positions::First => i,
            Positions::Rest => FIRST + i,
            Positions::Spread => i * points / count,
        })
    }
}

/// The points for which the published baseline has larger tables.
const FIRST: usize = 5;

impl Sweep {
    /// What the command line asks for. Fails if some tables cannot be, or take too much memory.
    pub(super) fn new(args: &SweepArgs) -> Result<Sweep, RunError> {
        let points = args.basis as usize;
        let tables = if args.configuration.is_empty() { schemes(args)? } else { named(args)? };
        for Asked { kind, configuration } in &tables {
            configuration.check().map_err(|error| RunError::new(format!("{kind}: {error}")))?;
            let (mebibytes, most) = (configuration.bytes().div_ceil(1 << 20), args.memory as usize);
            if mebibytes > most {
                let wrong = format!("{kind}: the tables take {mebibytes} MiB, and --memory allows {most}");
                return Err(RunError::new(wrong));
            }
        }
        let (positions, check_files) = (args.positions, args.check_files);
        let most = positions.most(points);
        let lengths: Vec<usize> = match &args.lengths {
            Some(asked) => asked.0.iter().map(|n| *n as usize).collect(),
            None => POWERS.iter().map(|n| *n as usize).filter(|n| *n <= most).collect(),
        };
        match lengths.iter().find(|n| **n > most) {
            _ if most == 0 => Err(RunError::new(format!("--positions: the basis has {points} points; see --basis"))),
            Some(n) if most == points => {
                Err(RunError::new(format!("--n {n}: the basis has {points} points; see --basis")))
            }
            Some(n) => Err(RunError::new(format!("--n {n}: the basis has {most} points from the sixth on"))),
            None => Ok(Sweep { points, tables, lengths, positions, check_files }),
        }
    }
}

fn schemes(args: &SweepArgs) -> Result<Vec<Asked>, RunError> {
    let columns: &[u32] = match (&args.columns, args.scheme) {
        (None, FixedScheme::SignedWindows) => &[1],
        (None, _) => &POWERS,
        (Some(columns), _) => &columns.0,
    };
    if args.scheme == FixedScheme::SignedWindows && columns != [1] {
        return Err(RunError::new("--t: signed windows have one column; leave --t out"));
    }
    let order = match args.curve {
        FixedCurve::Banderwagon => OrderR::ORDER,
        FixedCurve::Secp256k1 => OrderN::ORDER,
    };
    let scheme = |t, b| match args.scheme {
        FixedScheme::Subsets => Scheme::Subsets { t, b },
        FixedScheme::SignedWindows => Scheme::SignedWindows { b },
        FixedScheme::SignedComb => Scheme::SignedComb { t, b, group: 1 },
    };
    let pairs = args.window.0.iter().flat_map(|b| columns.iter().map(move |t| (*t, *b)));
    let asked = pairs.map(|(t, b)| Asked {
        kind: TablesName::One(scheme(t, b)),
        configuration: Configuration::single(args.basis as usize, order, scheme(t, b)),
    });
    Ok(asked.collect())
}

fn named(args: &SweepArgs) -> Result<Vec<Asked>, RunError> {
    if args.curve != FixedCurve::Banderwagon || args.basis as usize != Basis::VERKLE_LENGTH {
        return Err(RunError::new("--configuration: tables with a name are over the 256 points of Banderwagon alone"));
    }
    let asked = args.configuration.iter().map(|name| {
        let (name, configuration) = match name {
            NamedTables::Baseline => ("baseline", Tables::published_baseline()),
            NamedTables::Hybrid144 => ("hybrid-144", Tables::published_hybrid_144()),
            NamedTables::Hybrid16 => ("hybrid-16", Tables::published_hybrid_16()),
            NamedTables::Verkle => ("verkle", Tables::verkle_configuration()),
        };
        Asked { kind: TablesName::Named(name), configuration }
    });
    Ok(asked.collect())
}
