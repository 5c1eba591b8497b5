//! The planner: which tables to build for what is to be summed, within a budget of memory.
//!
//! Every signed scheme over the whole basis is a candidate, alone, or in a pair of which one serves shorter vectors and
//! the other longer ones. The cheapest by expected operations is taken. Tables over parts of the basis are not planned,
//! nor subsets, which are never better than the comb: who knows that some positions are used more than others writes a
//! [`Configuration`] by hand.

use super::{
    configuration::{Configuration, Rule, TableSpec},
    limits::{DOUBLING_ALONE, DOUBLING_SIDE_BY_SIDE},
    scheme::{Layout, MAX_COLUMNS, MAX_GROUP, MAX_WINDOW, Scheme},
};
use crate::word::{LANES, PointRef};
use alloc::vec::Vec;

/// How often vectors with a given number of non-zero scalars, each of full length, are summed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The number of non-zero scalars.
    pub nonzero: usize,
    /// How often, in any unit.
    pub weight: f64,
}

/// What is to be planned for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The number of basis points.
    pub points: usize,
    /// The odd order of the group.
    pub order: [u64; 4],
    /// The most bytes of all tables.
    pub budget: usize,
    /// What is summed.
    pub loads: &'a [Load],
    /// How many vectors are summed side by side.
    pub batch: usize,
}

/// What a vector is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The number of non-zero scalars.
    pub nonzero: usize,
    /// Entries that are added.
    pub additions: f64,
    /// Doublings between columns.
    pub doublings: f64,
}

/// A configuration, and what it is expected to cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The tables and rules.
    pub configuration: Configuration,
    /// The bytes of all tables.
    pub bytes: usize,
    /// One entry for each of the loads.
    pub expected: Vec<Expected>,
}

impl Layout {
    /// What a vector with a given number of non-zero scalars costs: random ones of full length, at the first places for
    /// [`Scheme::Subsets`], and spread over as many groups as they can be for [`Scheme::SignedComb`].
    pub fn expected(&self, nonzero: usize) -> Expected {
        let used = |b: u32| 1.0 - 1.0 / (1u64 << b) as f64;
        let (t, elements) = (self.columns() as f64, self.elements());
        let additions = match self.scheme {
            Scheme::Subsets { b, .. } => t * (nonzero * elements).div_ceil(b as usize) as f64 * used(b),
            Scheme::SignedWindows { b } => (nonzero * elements) as f64 * used(b),
            Scheme::SignedComb { group, .. } => {
                let all = nonzero >= self.points.div_ceil(group as usize);
                t * if all { self.windows() } else { nonzero * self.entries_per_scalar() } as f64
            }
        };
        Expected { nonzero, additions, doublings: if nonzero == 0 { 0.0 } else { t - 1.0 } }
    }
}

/// A scheme with its bytes and what it costs, in additions.
#[derive(Clone, Copy)]
struct Candidate {
    scheme: Scheme,
    bytes: usize,
    cost: f64,
}

impl Request<'_> {
    fn layout(&self, scheme: Scheme) -> Layout {
        Configuration::single(self.points, self.order, scheme).layout(0)
    }

    fn cost(&self, layout: &Layout, loads: &[Load]) -> f64 {
        let doubling = if self.batch < LANES { DOUBLING_ALONE } else { DOUBLING_SIDE_BY_SIDE };
        let cost = |load: &Load| {
            let Expected { additions, doublings, .. } = layout.expected(load.nonzero);
            load.weight * (additions + doubling * doublings)
        };
        loads.iter().map(cost).sum()
    }

    /// The schemes within the budget that no smaller one beats, by rising bytes and falling cost.
    fn candidates(&self, loads: &[Load]) -> Vec<Candidate> {
        let bits = self.layout(Scheme::SignedWindows { b: 1 }).bits;
        let windows = (1..=MAX_WINDOW).map(|b| Scheme::SignedWindows { b });
        // Fewer columns with as many elements are never worse.
        let columns = (1..=MAX_COLUMNS).filter(|t| *t == bits.div_ceil(bits.div_ceil(*t)));
        let combs = columns.flat_map(|t| {
            let with = move |group| (1..=MAX_WINDOW).map(move |b| Scheme::SignedComb { t, b, group });
            (1..=MAX_GROUP).flat_map(with)
        });
        let mut all: Vec<_> = windows
            .chain(combs)
            .map(|scheme| {
                let layout = self.layout(scheme);
                Candidate { scheme, bytes: layout.bytes(), cost: self.cost(&layout, loads) }
            })
            .filter(|candidate| candidate.bytes <= self.budget.min((PointRef::LIMIT / 2 - 1) * 64))
            .collect();
        all.sort_by(|a, b| a.bytes.cmp(&b.bytes).then(a.cost.total_cmp(&b.cost)));
        let mut least = f64::INFINITY;
        all.retain(|candidate| {
            candidate.cost < least && {
                least = candidate.cost;
                true
            }
        });
        all
    }

    /// The plan; none if no table at all is within the budget, or there are no points.
    #[must_use]
    pub fn plan(&self) -> Option<Planned> {
        if self.points == 0 {
            return None;
        }
        let mut loads = self.loads.to_vec();
        loads.sort_by_key(|load| load.nonzero);
        let mut best = *self.candidates(&loads).last()?;
        let mut pair = None;
        for split in 1..loads.len() {
            let (short, long) = (self.candidates(&loads[..split]), self.candidates(&loads[split..]));
            for one in short {
                let left = self.budget - one.bytes;
                let within = long.partition_point(|other| other.bytes <= left);
                let Some(other) = within.checked_sub(1).map(|last| long[last]) else { continue };
                if one.cost + other.cost < best.cost && one.scheme != other.scheme {
                    best.cost = one.cost + other.cost;
                    pair = Some((loads[split - 1].nonzero, one.scheme, other.scheme));
                }
            }
        }
        let configuration = match pair {
            None => Configuration::single(self.points, self.order, best.scheme),
            Some((nonzero, short, long)) => {
                let table = |scheme| TableSpec { scheme, places: 0..self.points };
                let rule = |nonzero, table| Rule { nonzero, tables: [table].into() };
                Configuration {
                    points: self.points,
                    order: self.order,
                    tables: [table(short), table(long)].into(),
                    rules: [rule(nonzero, 0), rule(self.points, 1)].into(),
                }
            }
        };
        let expected = self.loads.iter().map(|load| {
            let table = configuration.rule(load.nonzero.min(self.points)).tables[0];
            configuration.layout(table).expected(load.nonzero)
        });
        let (bytes, expected) = (configuration.bytes(), expected.collect());
        Some(Planned { configuration, bytes, expected })
    }
}
