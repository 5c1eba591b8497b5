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

use phalanx::{Backend, Secp256k1};
use phalanx_banderwagon::Bandersnatch;
use phalanx_engine::affine_add::{AffineAdder, EightLanes, OneLane};
use phalanx_engine::word::Ifma;

use self::ground::{Ground, Random};
use self::plan::Plan;
use super::backend;
use crate::args::{FixedCurve, SweepArgs};
use crate::exit::{ALL_VALID, RunError};
use crate::process::{interrupt, standard};

/// Measures and reports; returns the exit status.
pub(super) fn sweep(args: &SweepArgs) -> Result<u8, RunError> {
    interrupt::install()?;
    let ifma = lanes(args.backend.as_deref())?;
    let plan = Plan::new(args)?;
    let mut random = Random::new();
    let name = if ifma.is_some() { Backend::Ifma } else { Backend::Portable };
    let rows = match (args.curve, ifma) {
        (FixedCurve::Banderwagon, None) => {
            run(args, &plan, &Ground::banderwagon(OneLane::<Bandersnatch>::new(), plan.points), &mut random)
        }
        (FixedCurve::Banderwagon, Some(machine)) => {
            let adder = EightLanes::<_, Bandersnatch>::new(machine);
            run(args, &plan, &Ground::banderwagon(adder, plan.points), &mut random)
        }
        (FixedCurve::Secp256k1, None) => {
            run(args, &plan, &Ground::secp256k1(OneLane::<Secp256k1>::new(), plan.points, &mut random), &mut random)
        }
        (FixedCurve::Secp256k1, Some(machine)) => {
            let adder = EightLanes::<_, Secp256k1>::new(machine);
            run(args, &plan, &Ground::secp256k1(adder, plan.points, &mut random), &mut random)
        }
    }?;
    let report = report::Report { curve: args.curve, points: plan.points, backend: name, rows };
    standard::explain(&if args.json { report.json() } else { report.text() })?;
    Ok(ALL_VALID)
}

fn run<A: AffineAdder>(
    args: &SweepArgs,
    plan: &Plan,
    ground: &Ground<A>,
    random: &mut Random,
) -> Result<Vec<measure::Row>, RunError> {
    let mut rows = Vec::new();
    for (number, tables) in plan.tables.iter().enumerate() {
        if stderr().is_terminal() {
            let bytes = report::mebibytes(tables.configuration.bytes());
            let of = plan.tables.len();
            standard::remark(format_args!("tables {} of {of}: {}, {bytes} MiB ...", number + 1, tables.kind));
        }
        rows.extend(measure::rows(ground, tables, &plan.lengths, args.seconds / plan.tables.len() as u32, random)?);
    }
    Ok(rows)
}

/// The lanes of AVX-512 IFMA, unless the option or the environment asks for another backend, or the CPU has none.
///
/// Sums over a fixed basis run on these or on one lane. A backend that the environment names and that is neither takes
/// one lane.
fn lanes(option: Option<&str>) -> Result<Option<Ifma>, RunError> {
    let asked = backend::asked(option)?;
    if let (Some(name), Some(backend)) = (option, asked)
        && !matches!(backend, Backend::Portable | Backend::Ifma)
    {
        let wrong = "--backend: a sweep computes with portable or ifma";
        return Err(RunError::new(format!("{wrong}, not with {name:?}")));
    }
    let lanes = match asked {
        None => Backend::available().contains(&Backend::Ifma),
        Some(backend) => backend == Backend::Ifma,
    };
    Ok(Ifma::detect().filter(|_| lanes))
}
