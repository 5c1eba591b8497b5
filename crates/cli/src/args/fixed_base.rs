//! `phalanx fixed-base`: what its options may be, and its longer texts.

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use super::{choices::seconds, joined};

#[derive(Debug, Subcommand)]
pub(crate) enum FixedBase {
    /// Measure sums of n products by tables of each kind asked for: time, additions and doublings, bytes, build time.
    ///
    /// A line for each table and each n. The points of a sum are n of the basis, by --positions, and the scalars are
    /// random numbers below the order of the group. Sums are computed one at a time on one thread. Each is checked
    /// against Straus' method before it is timed.
    #[command(after_help = STATUSES, after_long_help = joined(&[SCHEMES, JSON, STATUSES, EXAMPLES]))]
    Sweep(SweepArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    /// The curve. Over Banderwagon the basis is that of Verkle trees, over secp256k1 random multiples of the generator.
    #[arg(long, value_name = "CURVE", default_value = "banderwagon")]
    pub(crate) curve: FixedCurve,

    /// How many points the basis has.
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) basis: u32,

    /// What a table holds.
    #[arg(long, value_name = "SCHEME", default_value = "subsets")]
    pub(crate) scheme: FixedScheme,

    /// Columns of the tables: a sum takes t - 1 doublings. Signed windows have one. [default: 1,2,4,8,16,32,64,128,256]
    #[arg(long = "t", value_name = "LIST", value_parser = numbers)]
    pub(crate) columns: Option<NumberList>,

    /// Bits of a window.
    #[arg(long = "b", value_name = "LIST", default_value = "8", value_parser = numbers)]
    pub(crate) window: NumberList,

    /// How many products are summed, at most as many as the basis has points. [default: 1,2,4 to 256]
    #[arg(long = "n", value_name = "LIST", value_parser = numbers)]
    pub(crate) lengths: Option<NumberList>,

    /// Which points are summed.
    #[arg(long, value_name = "WHICH", default_value = "first")]
    pub(crate) positions: Positions,

    /// Tables that have a name, instead of --scheme, --t and --b; over the 256 points of Banderwagon.
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with_all = ["scheme", "columns", "window"])]
    pub(crate) configuration: Vec<NamedTables>,

    /// The implementation to compute with; by default the fastest that this CPU has.
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,

    /// About how long to time sums in all, from 0.1 to 3600 s. Each sum is timed once at least; tables are built
    /// besides.
    #[arg(long, value_name = "N", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: Duration,

    /// The most memory that one table may take, in MiB. A run that needs more is refused before it starts.
    #[arg(long, value_name = "MIB", default_value = "512", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) memory: u32,

    /// Also save the tables, in memory, and report how long it takes to read them back, checked. Takes three times the
    /// memory.
    #[arg(long)]
    pub(crate) check_files: bool,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A curve that sums are measured over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixedCurve {
    /// The group of Verkle trees.
    Banderwagon,
    /// The curve of Bitcoin and Ethereum.
    Secp256k1,
}

/// Which points of the basis a sum of n has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Positions {
    /// The first n.
    First,
    /// The first n from the sixth on, behind those for which the published baseline has larger tables.
    Rest,
    /// N i / n for i from 0 on, of N points.
    Spread,
}

/// What tables hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixedScheme {
    /// All sums of b elements, as in the published (t, b) scheme.
    Subsets,
    /// Multiples 1 to 2^(b-1), for signed digits of b bits.
    SignedWindows,
    /// Sums of plus and minus b elements, for signed digits in t columns.
    SignedComb,
}

/// Tables that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NamedTables {
    /// The published baseline, which go-ipa has: windows of 16 bits for five points, of 8 bits for the others.
    Baseline,
    /// The published hybrid with 144 MiB more than the baseline.
    #[value(name = "hybrid-144")]
    Hybrid144,
    /// The published hybrid with 16 MiB more than the baseline.
    #[value(name = "hybrid-16")]
    Hybrid16,
    /// The tables that the Banderwagon library suggests for Verkle trees.
    Verkle,
}

/// Different numbers in the order of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberList(pub(crate) Vec<u32>);

/// The greatest number of a list.
const GREATEST: u32 = 4096;

/// Numbers and ranges between commas: `1,2,8-11`.
fn numbers(text: &str) -> Result<NumberList, String> {
    let wrong = || format!("not a list of numbers and ranges from 1 to {GREATEST}, such as 1,2,8-11");
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| digits && (1..=GREATEST).contains(number)).ok_or_else(wrong)
    };
    let mut numbers = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(wrong());
        }
        for number in first..=last {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
    }
    Ok(NumberList(numbers))
}

const STATUSES: &str = "\
Exit status:
  0    the table or the lines are printed
  2    wrong usage, tables that cannot be or take more than --memory, an output
       error, or a wrong sum
  130  interrupted";

const SCHEMES: &str = "\
Lists are numbers and ranges between commas: 1,2,8-11. Every t is measured with every b.

Schemes, for N points and scalars of L bits, s = ceil(L / t):
  subsets         ceil(N s / b) windows of 2^b entries
  signed-windows  N ceil(L / b) windows of 2^(b-1) entries, t = 1
  signed-comb     N ceil(s / b) windows of at most 2^(b-1) entries";

const JSON: &str = "\
Each JSON object has the columns of the published sweep over Banderwagon:
  msm_length       n
  t, b             null for tables with a name
  ns_per_op        nanoseconds of a sum, the median
  add_plus_double  additions and doublings of a sum, counted, the mean over 128
                   random vectors. Every entry that is added counts, also the
                   first
  table_mib        the tables by the published accounting: 96 bytes per entry
                   and, in subsets and combs, 2^b entries per window

and besides:
  curve, basis     the curve, and how many points its basis has
  positions        first, rest or spread
  backend          the one that computed
  scheme           subsets, signed-windows or signed-comb; null for tables with
                   a name
  configuration    the name, or null
  additions        a part of add_plus_double
  doublings        the other part
  table_bytes      the tables as they are, at 64 bytes per entry
  build_ns         nanoseconds that it took to build them, once
  read_ns          nanoseconds that it took to read a file of them, once; null
                   without --check-files
  samples          how many times ns_per_op is the median of";

const EXAMPLES: &str = "\
Examples:
  phalanx fixed-base sweep
  phalanx fixed-base sweep --t 16,32,64 --b 8-12 --n 4,256 --seconds 30 --json
  phalanx fixed-base sweep --configuration baseline,hybrid-144,hybrid-16,verkle
  phalanx fixed-base sweep --curve secp256k1 --scheme signed-comb --t 20 --b 13";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_numbers_and_ranges() {
        for (text, expected) in [
            ("7", &[7][..]),
            ("1,2,8-11", &[1, 2, 8, 9, 10, 11][..]),
            ("4,2-4,4", &[4, 2, 3][..]),
            ("4096", &[4096][..]),
        ] {
            assert_eq!(numbers(text), Ok(NumberList(expected.to_vec())), "{text}");
        }
        for text in ["", ",", "1,", "0", "4097", "1-", "-1", "3-2", "1-2-3", "+1", "1 ,2", "x", "1..3"] {
            assert!(numbers(text).is_err(), "{text}");
        }
    }
}
