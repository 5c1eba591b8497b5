//! The method and the window width for a sum of some length, and what a plan is expected to cost.

use super::{
    in_lanes::{InLanesSize, WIDTH},
    limits::{IN_PLACE_FROM, MAX_WIDTH, PAIRS_PER_ROUND, POINTS_FOR_CHAIN, POINTS_PER_BATCH},
    signed_digits::DigitMatrix,
};
use crate::word::{CacheLine, LANES};

/// How a sum is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Straus' method: a table has odd multiples of each point, and the digits of a non-adjacent form choose from it.
    Straus,
    /// Straus' method in eight lanes, each of which sums the digits of an eighth of the bits, in windows of four bits.
    /// Points have an order of at least 32. On one lane there is no such sum.
    Lanes,
    /// Pippenger's method: in each window the digit of a term puts its point into a bucket.
    Pippenger,
}

/// A method and its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumPlan {
    /// The method.
    pub method: Method,
    /// Bits of a window.
    pub width: u32,
}

/// What the steps of a sum cost on some machine, in nanoseconds; only their proportions matter.
#[derive(Debug, Clone, Copy)]
pub struct Costs {
    /// Addition of a pair in a round.
    pub addition: f64,
    /// A round, whatever its length: an inversion and what goes with it.
    pub round: f64,
    /// A digit: extracting and placing it.
    pub digit: f64,
    /// A bucket: going through it once, empty or not.
    pub bucket: f64,
    /// A window, whatever is in it.
    pub window: f64,
    /// A part added in the last chain.
    pub part: f64,
    /// A doubling of the last chain.
    pub doubling: f64,
    /// A product in eight lanes. `None` rules out [`Method::Lanes`].
    pub lanes: Option<f64>,
}

/// What a plan is expected to take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Additions of pairs.
    pub additions: f64,
    /// Rounds, each with an inversion.
    pub rounds: f64,
    /// Nanoseconds of one thread.
    pub nanoseconds: f64,
    /// Bytes of tables, numbers and references.
    pub bytes: usize,
}

impl SumPlan {
    /// The number of windows of numbers below `2^bits`. In Straus' method each place of the non-adjacent form is a
    /// window.
    pub fn windows(&self, bits: u32) -> usize {
        match self.method {
            Method::Straus => bits as usize + 1,
            Method::Lanes => 1,
            Method::Pippenger => DigitMatrix::windows_of(self.width, bits),
        }
    }

    /// The plan for `terms` terms with numbers below `2^bits`, divided into `pieces` pieces. Of the plans that need at
    /// most `memory` bytes it is the one that takes least time; if there are none, it is the plan that needs least
    /// memory. A table entry has `entry_bytes` bytes.
    pub fn choose(terms: usize, pieces: usize, bits: u32, costs: &Costs, entry_bytes: usize, memory: usize) -> SumPlan {
        let mut best: Option<(bool, f64, SumPlan)> = None;
        for plan in Self::all(terms, costs) {
            let estimate = plan.estimate(terms, pieces, bits, costs, entry_bytes);
            let fits = estimate.bytes <= memory;
            let rank = if fits { estimate.nanoseconds } else { estimate.bytes as f64 };
            if best.is_none_or(|(other_fits, other, _)| (fits, -rank) > (other_fits, -other)) {
                best = Some((fits, rank, plan));
            }
        }
        best.expect("there is a plan for any number of terms").2
    }

    /// The plans among which [`Self::choose`] chooses for `terms` terms.
    pub fn all(terms: usize, costs: &Costs) -> impl Iterator<Item = SumPlan> {
        let lanes =
            (terms <= 1 << 10 && costs.lanes.is_some()).then_some(SumPlan { method: Method::Lanes, width: WIDTH });
        let tables = (3..=7).filter(move |_| terms <= 1 << 12).map(|width| SumPlan { method: Method::Straus, width });
        let buckets = (3..=MAX_WIDTH).map(|width| SumPlan { method: Method::Pippenger, width });
        lanes.into_iter().chain(tables).chain(buckets)
    }

    /// What the plan is expected to take for `terms` terms with numbers below `2^bits`, divided into `pieces` pieces,
    /// if digits and points are random. A table entry has `entry_bytes` bytes.
    ///
    /// Factors that a comment derives are counts. The others (rounds of a doubling, rounds in place, visits of a
    /// bucket, a sorted digit) were fitted by hand to the plans' times: `lab/trials.md`, "Sums of products".
    pub fn estimate(&self, terms: usize, pieces: usize, bits: u32, costs: &Costs, entry_bytes: usize) -> Estimate {
        let windows = DigitMatrix::windows_of(self.width, bits);
        let (n, w, p) = (terms as f64, windows as f64, pieces as f64);
        let half = (1usize << (self.width - 1)) as f64;
        // The terms of one piece.
        let length = (n / p).max(1.0);
        let (members, additions, rounds, digits, buckets, visits, parts, entries, references);
        match self.method {
            Method::Straus => {
                // One place in `width + 1` has a digit that is not zero. The image of a multiple costs a third of an
                // addition.
                let (places, multiples) = (f64::from(bits) + 1.0, 0.5 * half);
                let (odd, images) = if bits == 128 { (0.5 * n, 0.15 * n) } else { (n, 0.0) };
                members = n * f64::from(bits) / f64::from(self.width + 1);
                parts = p * places.min(members);
                // `3 width` stands for a point's doublings, whose rounds take complete additions.
                additions = odd * (multiples + 3.0 * f64::from(self.width)) + images * multiples + members - parts;
                let load = (members / p / places).max(1.0);
                let batches = (members / p / POINTS_PER_BATCH as f64).max(1.0);
                rounds = p * (2.5 * f64::from(self.width - 1) + batches * bit_length(load + 2.0 * root(load)));
                (digits, buckets, visits) = (3.0 * members, 0.0, 0.0);
                entries = length * multiples + (members / p).min(POINTS_PER_BATCH as f64);
                references = 16.0 * (members / p + 2.0 * length);
            }
            Method::Lanes => return in_lanes(terms, pieces, bits, costs),
            Method::Pippenger => {
                // One digit in `2^width` is zero.
                members = n * w * (1.0 - 0.5 / half);
                let full = full(half, n / half);
                // A window's weights take additions of neighbours, and a sum for each of the `width` bits of the index.
                let weighted = (2.0 * full - f64::from(self.width)).max(0.0);
                additions = (members - w * full).max(0.0) + w * weighted;
                let load = length / half;
                let deepest = load + 3.0 * root(load) + 2.0;
                let weighing = (w * half / POINTS_PER_BATCH as f64).max(1.0);
                // Where `width` divides `bits`, the last window's digits reach `2^width`, and it has twice as many
                // buckets.
                let all = if bits.is_multiple_of(self.width) { (w + 1.0) * half } else { w * half };
                // In place there are some more rounds than if no term had to wait. Buckets are gone through only to
                // weight them, but they are in no cache then.
                let in_place = all >= (IN_PLACE_FROM * PAIRS_PER_ROUND) as f64;
                let (filling, visited) = if in_place {
                    (1.1 * w * length / PAIRS_PER_ROUND as f64 + 2.0, 2.5)
                } else {
                    ((w * length / POINTS_PER_BATCH as f64).max(1.0) * bit_length(deepest), 1.0 + p)
                };
                rounds = p * filling + weighing * (f64::from(self.width) + 1.0);
                // To sort a term takes longer than to add it in place.
                digits = if in_place { n * w } else { 1.8 * n * w };
                (buckets, visits) = (visited * all, p * w);
                parts = w * f64::from(self.width);
                let batch = length.max(POINTS_PER_BATCH as f64).min(length * w);
                entries = length + all + batch;
                references = 4.0 * w * length + 8.0 * batch + 40.0 * half;
            }
        }
        let chain = f64::from(bits) * costs.doubling + parts * costs.part;
        let sorting = digits * costs.digit + buckets * costs.bucket + visits * costs.window;
        let nanoseconds = additions * costs.addition + rounds * costs.round + sorting + chain;
        // Bytes: 24 for a number with its sign; four for a digit, or eight with its place and its point; four for a
        // reference; eight for a pair.
        let bytes = entries * entry_bytes as f64 + 24.0 * length + references;
        Estimate { additions, rounds, nanoseconds, bytes: bytes as usize }
    }
}

impl Estimate {
    /// What `threads` threads take together if each of them takes this, all at the same time.
    #[must_use]
    pub fn times(self, threads: usize) -> Estimate {
        Estimate {
            additions: self.additions * threads as f64,
            rounds: self.rounds * threads as f64,
            nanoseconds: self.nanoseconds,
            bytes: self.bytes.saturating_mul(threads),
        }
    }
}

/// What a sum in lanes is expected to take. Of numbers of 128 bits every other one is for an image.
fn in_lanes(terms: usize, pieces: usize, bits: u32, costs: &Costs) -> Estimate {
    // Products in eight lanes: for the tables of eight points, an affine addition with its division, a mixed addition, a
    // doubling.
    const TABLES: f64 = 92.0;
    const ADDITION: f64 = 6.0;
    const MIXED: f64 = 11.0;
    const DOUBLING: f64 = 7.0;
    let length = terms.div_ceil(pieces);
    let images = if bits == 128 { length / 2 } else { 0 };
    let size = InLanesSize::new(bits, length - images, images);
    // An inversion is for the tables, one for the first round.
    let (mut left, mut rounds) = (length.div_ceil(2), 2);
    while left > POINTS_FOR_CHAIN {
        (left, rounds) = (left.div_ceil(2), rounds + 1);
    }
    let each_step = |count: usize| (size.steps * count) as f64;
    let products = TABLES * size.groups as f64
        + size.images as f64
        + ADDITION * each_step(length - left)
        + MIXED * each_step(left)
        + DOUBLING * each_step(WIDTH as usize);
    // One lane puts eight sums together, each of which takes about three times as long as a part. To cut a number into
    // digits takes about as long as eight digits elsewhere.
    let chain = each_step((LANES - 1) * WIDTH as usize) * costs.doubling + 3.0 * LANES as f64 * costs.part;
    let digits = 8.0 * length as f64 * costs.digit;
    let nanoseconds =
        products * costs.lanes.unwrap_or(f64::INFINITY) + f64::from(rounds) * costs.round + chain + digits;
    let p = pieces as f64;
    Estimate {
        additions: p * LANES as f64 * each_step(length - left),
        rounds: p * f64::from(rounds),
        nanoseconds: p * nanoseconds,
        bytes: size.lines() * size_of::<CacheLine>() + 32 * length,
    }
}

/// The expected number of buckets that are not empty, of `half` buckets with `load` members each on average: about
/// `half (1 - e^-load)`.
fn full(half: f64, load: f64) -> f64 {
    if load < 0.5 { half * load } else { half * load / (load + 0.5) }
}

/// The bit length of `number` rounded to an integer, `floor(log2(number)) + 1`, for a number from 1 on.
fn bit_length(number: f64) -> f64 {
    let whole = (number + 0.5) as u64;
    f64::from(u64::BITS - whole.leading_zeros())
}

/// The square root of `number`, from 0 on, to within a thousandth. Halving the exponent gives a first guess, and
/// Newton's steps improve it.
fn root(number: f64) -> f64 {
    let mut root = f64::from_bits((number.to_bits() >> 1) + (1023 << 51));
    for _ in 0..3 {
        root = 0.5 * (root + number / root);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_roots() {
        for (number, logarithm) in [(1.0, 1.0), (1.4, 1.0), (2.0, 2.0), (3.0, 2.0), (4.0, 3.0), (1000.0, 10.0)] {
            assert_eq!(bit_length(number), logarithm, "{number}");
        }
        for number in [0.0, 1e-3, 0.5, 1.0, 2.0, 3.0, 100.0, 12_345.6, 1e12] {
            assert!((root(number) - number.sqrt()).abs() <= 1e-3 * number.sqrt() + 1e-9, "{number}");
        }
    }

    #[test]
    fn plans_obey_memory_where_they_can() {
        let costs = Costs {
            addition: 10.0,
            round: 1000.0,
            digit: 5.0,
            bucket: 5.0,
            window: 100.0,
            part: 100.0,
            doubling: 50.0,
            lanes: Some(20.0),
        };
        for terms in [0, 1, 2, 50, 5000, 1 << 20] {
            let free = SumPlan::choose(terms, 1, 128, &costs, 64, usize::MAX);
            let least =
                SumPlan::all(terms, &costs).map(|plan| plan.estimate(terms, 1, 128, &costs, 64).bytes).min().unwrap();
            for memory in [0, least, 2 * least, 1 << 30] {
                let plan = SumPlan::choose(terms, 1, 128, &costs, 64, memory);
                let estimate = plan.estimate(terms, 1, 128, &costs, 64);
                assert!(estimate.bytes <= memory.max(least), "{terms} terms in {memory} bytes: {plan:?}");
                let best = free.estimate(terms, 1, 128, &costs, 64);
                assert!(estimate.nanoseconds >= best.nanoseconds);
            }
        }
    }
}
