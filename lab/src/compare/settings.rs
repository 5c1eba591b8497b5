//! What a comparison is asked, on the command line, and what that asks of both libraries.

use crate::{
    Failure,
    inputs::{BASIS, Positions, Rows},
    library::{Build, OURS},
};
use clap::{Args, ValueEnum};
use lab_abi::{Clock, Op, Request, Shape, Tables, op::Kind};

/// What to compare.
#[derive(Debug, Clone, PartialEq, Args)]
pub(crate) struct Settings {
    /// The operation
    #[arg(long)]
    pub(crate) op: String,
    /// Rows of a bulk call, points of a sum, signatures of a batch; with --single the number of distinct rows
    #[arg(long)]
    pub(crate) n: Option<usize>,
    /// Rows in all: smaller groups are repeated with fresh rows until there are about so many
    #[arg(long, default_value_t = 4096)]
    pub(crate) pool: usize,
    /// The peer: a name of `lab peers`, or `phalanx@COMMIT`
    ///
    /// `phalanx@COMMIT` is our side at an earlier commit, built from that commit's sources. COMMIT is what git takes: a
    /// hash, a tag, HEAD~3. The options --backend, --tables, --parsed and --build then hold for both sides.
    /// NAME-as-shipped is a peer without our flags for this CPU, NAME-parsed gives the peer parsed inputs.
    #[arg(long)]
    pub(crate) peer: String,
    /// Threads on both sides
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// How long to sample
    #[arg(long, default_value_t = 3.0)]
    pub(crate) seconds: f64,
    /// One call at a time, through the call for single items
    #[arg(long)]
    pub(crate) single: bool,
    /// Lanes of field and point operations
    #[arg(long, default_value_t = 1)]
    pub(crate) lanes: usize,
    /// Field and point operations row by row (throughput), or in chains, each step from the one before (latency)
    #[arg(long, value_parser = ["stream", "chain"], default_value = "stream")]
    pub(crate) shape: String,
    /// Forces a backend of ours, and of `phalanx@COMMIT`
    #[arg(long)]
    pub(crate) backend: Option<String>,
    /// Forces another backend of a peer that is ours: with `--peer phalanx` two backends stand side by side
    #[arg(long)]
    pub(crate) peer_backend: Option<String>,
    /// What the rows of a verification are
    #[arg(long, value_enum, default_value_t = Rows::Valid)]
    pub(crate) rows: Rows,
    /// Distinct keys among the rows of a verification; without this each row has its own
    #[arg(long)]
    pub(crate) keys: Option<usize>,
    /// Our tables for keys that repeat stay from call to call, every call makes them anew, or none are made
    #[arg(long, value_parser = Tables::ALL.map(Tables::name), default_value = "kept")]
    pub(crate) tables: String,
    /// Non-zero scalars of a vector over the fixed basis
    #[arg(long, default_value_t = BASIS)]
    pub(crate) nonzero: usize,
    /// Where these scalars are
    #[arg(long, value_enum, default_value_t = Positions::First)]
    pub(crate) positions: Positions,
    /// One bulk call for `n` vectors over the fixed basis; without this one call a vector
    #[arg(long)]
    pub(crate) bulk: bool,
    /// A technique that the peer leaves out; with `--peer phalanx` both sides are ours
    #[arg(long)]
    pub(crate) without: Option<String>,
    /// The peer computes each row of `msm` or `affine-add` by itself; with `--peer phalanx` both sides are ours
    #[arg(long)]
    pub(crate) apart: bool,
    /// How our side and `phalanx@COMMIT` are built; other peers are built as `native`, or as they ship
    #[arg(long, value_enum, default_value_t = Build::Native)]
    pub(crate) build: Build,
    /// Gives our side parsed inputs too, and `phalanx@COMMIT`
    #[arg(long)]
    pub(crate) parsed: bool,
    /// Makes the rows of an earlier run again
    #[arg(long, value_parser = seed_from_hex)]
    pub(crate) seed: Option<u64>,
    /// Puts another library in our place: a peer, or `phalanx@COMMIT`
    #[arg(long, default_value = OURS)]
    pub(crate) ours: String,
    /// Times one thread by the time that passes too, not by the process's CPU time
    #[arg(long)]
    pub(crate) wall: bool,
    /// One line of JSON instead of a table row
    #[arg(long)]
    pub(crate) json: bool,
}

fn seed_from_hex(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| "a seed is up to 16 hexadecimal digits".into())
}

/// What the rows are, in a word or three.
pub(super) fn row_class(settings: &Settings, op: Op) -> String {
    let name = |value: Option<clap::builder::PossibleValue>| {
        value.map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    if op == Op::MsmFixed {
        return format!("{} non-zero, {}", settings.nonzero, name(settings.positions.to_possible_value()));
    }
    name(settings.rows.to_possible_value())
}

/// The n of a record: all rows where each stands by itself, else those of a group.
pub(super) fn number(request: &Request) -> usize {
    if request.single || request.op.kind() == Kind::Arithmetic { request.rows } else { request.group }
}

/// What the settings ask of both libraries.
pub(super) fn request(settings: &Settings) -> Result<Request, Failure> {
    let no = |reason: String| Err(Failure::NotThere(reason));
    let Some(op) = Op::from_name(&settings.op) else {
        return no(format!("no operation named {}; there are {}", settings.op, Op::names().join(", ")));
    };
    let is_fixed = op == Op::MsmFixed;
    let n = settings.n.unwrap_or(if op == Op::TableBuild {
        1
    } else if op.kind() == Kind::Scheme && !is_fixed {
        settings.pool
    } else {
        1024.min(settings.pool)
    });
    if n == 0 || settings.threads == 0 || settings.keys == Some(0) || ![1, 8].contains(&settings.lanes) {
        return no("--n, --threads and --keys are at least 1, --lanes is 1 or 8".into());
    }
    if settings.nonzero == 0 || settings.nonzero > BASIS {
        return no(format!("--nonzero is from 1 to {BASIS}"));
    }
    let shape = if settings.shape == "chain" { Shape::Chain } else { Shape::Stream };
    // An inversion would go back and forth between two numbers, and sums are not reduced.
    if [Op::FieldInvert, Op::FieldAdd].contains(&op) && shape == Shape::Chain {
        return no(format!("{} has no chain", op.name()));
    }
    // Each of these is a call of its own.
    let alone = settings.single || [Op::TableBuild, Op::Challenge].contains(&op);
    let single = if is_fixed { !settings.bulk } else { alone } && op.kind() == Kind::Scheme;
    let (rows, group) = match op.kind() {
        Kind::Arithmetic => (n.next_multiple_of(8), 1),
        Kind::Scheme if single => (n, 1),
        _ if is_fixed => (n, n),
        // The time of a signer grows with the number of signers.
        _ if op == Op::FrostAggregate => (n * (settings.pool / n.saturating_mul(n)).max(1), n),
        _ => (n * (settings.pool / n).max(1), n),
    };
    Ok(Request {
        group,
        threads: settings.threads,
        lanes: settings.lanes,
        single,
        shape,
        clock: if settings.threads == 1 && !settings.wall { Clock::Cpu } else { Clock::Wall },
        backend: settings.backend.clone(),
        tables: Tables::from_name(&settings.tables).unwrap_or(Tables::Kept),
        ..Request::new(op, rows)
    })
}

/// The same rows and results, each row computed by itself.
pub(super) fn apart(request: &Request) -> Result<Request, Failure> {
    match request.op {
        Op::Msm => Ok(Request { op: Op::MsmNaive, ..request.clone() }),
        Op::AffineAdd => Ok(Request { group: 1, ..request.clone() }),
        op => Err(Failure::NotThere(format!("{} has no rows that --apart computes by themselves", op.name()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::compare;
    use clap::Parser;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line {
        #[command(flatten)]
        settings: Settings,
    }

    fn settings(line: &str) -> Settings {
        Line::parse_from(line.split(' ')).settings
    }

    #[test]
    fn rows_groups_and_the_n_of_a_record_follow_the_kind_of_operation() {
        for (line, rows, group, n) in [
            ("verify-ecdsa", 4096, 4096, 4096),
            ("verify-ecdsa --n 1", 4096, 1, 1),
            ("verify-ecdsa --n 100 --single", 100, 1, 100),
            ("recover --n 8", 4096, 8, 8),
            ("field-mul --n 100", 104, 1, 104),
            ("affine-add --n 1", 4096, 1, 1),
            ("msm --n 3", 4095, 3, 3),
            ("msm --n 5000", 5000, 5000, 5000),
            ("frost-aggregate --n 3", 1365, 3, 3),
            ("frost-aggregate --n 667", 667, 667, 667),
        ] {
            let request = request(&settings(&format!("--peer x --op {line}"))).unwrap();
            assert_eq!((request.rows, request.group, number(&request)), (rows, group, n), "{line}");
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        for (line, reason) in [
            ("--peer libsecp256k1 --op verify", "no operation named verify"),
            ("--peer libsecp256k1 --op msm --n 0", "at least 1"),
            ("--peer libsecp256k1 --op field-mul --lanes 4", "--lanes is 1 or 8"),
            ("--peer libsecp256k1 --op field-invert --shape chain", "field-invert has no chain"),
            ("--peer nobody --op recover", "no peer named nobody"),
            ("--peer k256 --ours nobody --op recover", "no peer named nobody"),
            ("--peer phalanx@ --op recover", "no commit is named"),
            ("--peer phalanx --apart --op recover --n 1 --pool 1", "recover has no rows that --apart"),
            ("--peer phalanx@-parsed --op recover", "no commit is named"),
        ] {
            match compare(&settings(line)) {
                Err(Failure::NotThere(said)) => assert!(said.contains(reason), "{said}"),
                _ => panic!("{line} is not refused"),
            }
        }
    }
}
