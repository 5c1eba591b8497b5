//! `phalanx fixed-base sweep`: what sums over a fixed basis cost by which tables.
//!
//! - `plan`: the tables and the lengths that are asked for;
//! - `ground`: a curve with a basis, and what computes on it;
//! - `measure`: sums, checked, counted and timed;
//! - `report`: the table and the lines of JSON.
//!
//! Each knows only those before it.

mod ground;
mod measure;
mod plan;
mod report;

use std::io::{IsTerminal, stderr};

use phalanx::Backend;

use self::ground::{Banderwagon, Ground, Random, Secp256k1};
use self::plan::Sweep;
use super::backend;
use crate::args::{FixedCurve, SweepArgs};
use crate::exit::{ALL_VALID, RunError};
use crate::process::{interrupt, standard};

/// Measures and reports; returns the exit status.
pub(super) fn sweep(args: &SweepArgs) -> Result<u8, RunError> {
    interrupt::install()?;
    let backend = backend::asked(args.backend.as_deref())?.unwrap_or_else(best);
    let plan = Sweep::new(args)?;
    let mut random = Random::new();
    let rows = match args.curve {
        FixedCurve::Banderwagon => run(args, &plan, &Banderwagon::new(backend, plan.points)?, &mut random)?,
        FixedCurve::Secp256k1 => {
            let ground = Secp256k1::new(backend, plan.points, &mut random)?;
            run(args, &plan, &ground, &mut random)?
        }
    };
    let report =
        report::SweepReport { curve: args.curve, points: plan.points, positions: plan.positions, backend, rows };
    standard::explain(&if args.json { report.json() } else { report.text() })?;
    Ok(ALL_VALID)
}

fn run(
    args: &SweepArgs,
    plan: &Sweep,
    ground: &impl Ground,
    random: &mut Random,
) -> Result<Vec<measure::MeasuredSum>, RunError> {
    let mut rows = Vec::new();
    for (number, tables) in plan.tables.iter().enumerate() {
        if stderr().is_terminal() {
            let bytes = report::mebibytes(tables.configuration.bytes());
            let of = plan.tables.len();
            standard::remark(format_args!("tables {} of {of}: {}, {bytes} MiB ...", number + 1, tables.kind));
        }
        rows.extend(measure::rows(ground, tables, plan, args.seconds / plan.tables.len() as u32, random)?);
    }
    Ok(rows)
}

/// The fastest backend.
fn best() -> Backend {
    Backend::available().last().copied().unwrap_or(Backend::Portable)
}
