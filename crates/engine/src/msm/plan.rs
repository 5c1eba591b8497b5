//! Which method with which window for how many terms, and what it costs.

use super::terms::{EISENSTEIN_WINDOWS, MAX_WIDTH, Recoding};

/// How a sum is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Straus' method: odd multiples of each point in a table, from which the digits of a non-adjacent form choose.
    Tables,
    /// Pippenger's method: the points of each window put into buckets by digit.
    Buckets,
    /// The same with Eisenstein integers as digits, for curves with an endomorphism that is a cube root of one: a third of the
    /// buckets.
    Eisenstein,
}

/// A method and its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// Bits of a window; of Eisenstein integers the number of windows instead.
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
    /// Bytes for entries of `entry_bytes`.
    pub bytes: usize,
}

impl Plan {
    /// The windows that numbers below `2^bits` have: of table methods each place is one.
    pub fn windows(&self, bits: u32) -> usize {
        match self.method {
            Method::Tables => bits as usize + 1,
            Method::Buckets | Method::Eisenstein => self.recoding().count(bits),
        }
    }

    /// How the numbers become digits where they go to buckets.
    pub fn recoding(&self) -> Recoding {
        match self.method {
            Method::Eisenstein => Recoding::Eisenstein(self.width),
            _ => Recoding::Signed(self.width),
        }
    }

    /// The cheapest of the plans for so many terms of so many bits, gone through in so many pieces, that takes at most `memory` bytes with
    /// entries of `entry_bytes`, or else the one that takes least.
    ///
    /// # Panics
    /// If there are no plans to choose from.
    pub fn choose(
        plans: impl Iterator<Item = Plan>,
        terms: usize,
        pieces: usize,
        bits: u32,
        costs: &Costs,
        entry_bytes: usize,
        memory: usize,
    ) -> Plan {
        let mut best: Option<(bool, f64, Plan)> = None;
        for plan in plans {
            let estimate = plan.estimate(terms, pieces, bits, costs, entry_bytes);
            let fits = estimate.bytes <= memory;
            let rank = if fits { estimate.nanoseconds } else { estimate.bytes as f64 };
            if best.is_none_or(|(other_fits, other, _)| (fits, -rank) > (other_fits, -other)) {
                best = Some((fits, rank, plan));
            }
        }
        best.expect("a plan to choose from").2
    }

    /// Every plan worth a thought for so many terms of so many bits. Those of 128 bits are halves by the endomorphism.
    pub fn all(terms: usize, bits: u32) -> impl Iterator<Item = Plan> {
        let tables = (3..=7).filter(move |_| terms <= 1 << 12).map(|width| Plan { method: Method::Tables, width });
        let buckets = (3..=MAX_WIDTH).map(|width| Plan { method: Method::Buckets, width });
        let eisenstein = EISENSTEIN_WINDOWS.filter(move |_| bits == 128);
        tables.chain(buckets).chain(eisenstein.map(|width| Plan { method: Method::Eisenstein, width }))
    }

    /// What the plan takes for so many terms of so many bits, gone through in so many pieces, if digits and points are random.
    pub fn estimate(&self, terms: usize, pieces: usize, bits: u32, costs: &Costs, entry_bytes: usize) -> Estimate {
        let (n, p) = (terms as f64, pieces as f64);
        let steps = match self.method {
            Method::Tables => self.tables(n, p, bits),
            Method::Buckets | Method::Eisenstein => self.buckets(n, p, bits),
        };
        let Steps { additions, rounds, digits, buckets, visits, parts, entries, references } = steps;
        let chain = f64::from(bits) * costs.doubling + parts * costs.part;
        let sorting = digits * costs.digit + buckets * costs.bucket + visits * costs.window;
        let nanoseconds = additions * costs.addition + rounds * costs.round + sorting + chain;
        // A number and its sign have 24 bytes.
        let bytes = entries * entry_bytes as f64 + 24.0 * (n / p).max(1.0) + references;
        Estimate { additions, rounds, nanoseconds, bytes: bytes as usize }
    }

    fn tables(&self, n: f64, p: f64, bits: u32) -> Steps {
        let length = (n / p).max(1.0);
        // One digit in `width + 1` is not zero, and an image of a multiple costs a third of an addition.
        let (places, multiples) = (f64::from(bits) + 1.0, 0.25 * power(self.width));
        let (odd, images) = if bits == 128 { (0.5 * n, 0.15 * n) } else { (n, 0.0) };
        let members = n * f64::from(bits) / f64::from(self.width + 1);
        let parts = p * places.min(members);
        let load = (members / p / places).max(1.0);
        let batches = (members / p / TOGETHER as f64).max(1.0);
        Steps {
            // Doublings cost more.
            additions: odd * (multiples + 3.0 * f64::from(self.width)) + images * multiples + members - parts,
            rounds: p * (2.5 * f64::from(self.width - 1) + batches * log2(load + 2.0 * root(load))),
            digits: 2.0 * members,
            buckets: 0.0,
            visits: 0.0,
            parts,
            entries: length * multiples + (members / p).min(TOGETHER as f64),
            // A digit with its place and its point has eight bytes, and so has a pair.
            references: 16.0 * (members / p + 2.0 * length),
        }
    }

    fn buckets(&self, n: f64, p: f64, bits: u32) -> Steps {
        let windows = self.recoding().count(bits) as f64;
        // Windows of one width, and of the next one. Eisenstein integers take two numbers a term.
        let (terms, kinds) = match self.method {
            Method::Eisenstein => {
                let (least, wider) = (bits / self.width, f64::from(bits % self.width));
                (0.5 * n, [(windows - wider, Self::hexagon(least)), (wider, Self::hexagon(least + 1))])
            }
            _ => (n, [(windows, Self::line(self.width)), (0.0, Self::line(self.width))]),
        };
        let length = (terms / p).max(1.0);
        let sum =
            |of: fn(&Kind, f64) -> f64| -> f64 { kinds.iter().map(|(count, kind)| count * of(kind, terms)).sum() };
        let members = sum(|kind, terms| terms * (1.0 - 1.0 / kind.digits));
        let full = sum(occupied);
        let weighing = sum(|kind, terms| (2.0 * occupied(kind, terms) + kind.lines).max(0.0));
        let all = sum(|kind, _| kind.buckets);
        let places = sum(|kind, _| kind.places);
        let in_place = places >= (IN_PLACE * ROUND) as f64;
        let (filling, visited) = if in_place {
            (1.1 * members / p / ROUND as f64 + 2.0, 0.0)
        } else {
            let load = length * windows / all;
            let batches = (windows * length / TOGETHER as f64).max(1.0);
            (batches * log2(load + 3.0 * root(load) + 2.0), p * places)
        };
        let width = f64::from(kinds[0].1.width);
        let batches = (all / TOGETHER as f64).max(1.0);
        let together = length.max(TOGETHER as f64).min(length * windows);
        let images = if self.method == Method::Eisenstein { 3.0 } else { 1.0 };
        Steps {
            additions: (members - full).max(0.0) + weighing,
            rounds: p * filling + batches * (width + 1.0),
            digits: terms * windows,
            buckets: places + visited,
            visits: p * windows,
            parts: sum(|kind, _| kind.parts),
            entries: images * length + places + if in_place { TOGETHER as f64 } else { together },
            // A digit has four bytes, a reference too, a pair eight.
            references: 4.0 * windows * length + 8.0 * together + 5.0 * places,
        }
    }

    /// A window of signed digits.
    fn line(width: u32) -> Kind {
        let half = 0.5 * power(width);
        let lines = -f64::from(width);
        Kind { width, digits: 2.0 * half, buckets: half, places: half + 1.0, lines, parts: f64::from(width) }
    }

    /// A window of Eisenstein digits.
    fn hexagon(width: u32) -> Kind {
        let side = 0.5 * power(width) + 2.0;
        let digits = power(2 * width);
        let parts = 2.0 * f64::from(width);
        let (buckets, places) = (digits / 6.0 + 0.5 * side, digits / 6.0 + 5.0 * side);
        Kind { width, digits, buckets, places, lines: 2.0 * side, parts }
    }
}

/// The steps of a sum.
struct Steps {
    additions: f64,
    rounds: f64,
    digits: f64,
    buckets: f64,
    visits: f64,
    parts: f64,
    entries: f64,
    /// Bytes of digits and references.
    references: f64,
}

/// Windows of one width.
struct Kind {
    width: u32,
    /// Digits that there are.
    digits: f64,
    /// Buckets that have one, and all that there are in memory.
    buckets: f64,
    places: f64,
    /// Additions that weighing takes besides two for each bucket.
    lines: f64,
    parts: f64,
}

impl Estimate {
    /// Of so many threads that do the same at a time.
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

/// Of these buckets those that some of so many terms are in: 1 - e^-load of them, or near enough.
fn occupied(kind: &Kind, terms: f64) -> f64 {
    let load = terms / kind.buckets;
    if load < 0.5 { kind.buckets * load } else { kind.buckets * load / (load + 0.5).max(1.0).max(load) }
}

/// Two to a power.
fn power(exponent: u32) -> f64 {
    (1u64 << exponent) as f64
}

/// Members of sets summed side by side: enough for an inversion to be little among its additions, and few enough for their
/// points to stay in a level-2 cache.
pub(super) const TOGETHER: usize = 1 << 14;

/// Pairs of a round in place: their points and products fit a level-2 cache.
pub(super) const ROUND: usize = 1 << 12;

/// Buckets for each of a round's pairs from which on terms are added in place: fewer would make most of them wait.
pub(super) const IN_PLACE: usize = 4;

/// The logarithm to base two, rounded up, of a number from 1 on.
fn log2(number: f64) -> f64 {
    let whole = (number + 0.5) as u64;
    f64::from(u64::BITS - whole.leading_zeros())
}

/// The square root of a number from 0 on, within a thousandth, by Newton's steps from half the exponent.
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
            assert_eq!(log2(number), logarithm, "{number}");
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
        };
        for terms in [0, 1, 2, 50, 5000, 1 << 20] {
            let free = Plan::choose(Plan::all(terms, 128), terms, 1, 128, &costs, 64, usize::MAX);
            let least = Plan::all(terms, 128).map(|plan| plan.estimate(terms, 1, 128, &costs, 64).bytes).min().unwrap();
            for memory in [0, least, 2 * least, 1 << 30] {
                let plan = Plan::choose(Plan::all(terms, 128), terms, 1, 128, &costs, 64, memory);
                let estimate = plan.estimate(terms, 1, 128, &costs, 64);
                assert!(estimate.bytes <= memory.max(least), "{terms} terms in {memory} bytes: {plan:?}");
                let best = free.estimate(terms, 1, 128, &costs, 64);
                assert!(estimate.nanoseconds >= best.nanoseconds);
            }
        }
    }
}
