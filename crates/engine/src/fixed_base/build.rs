//! Tables are built in rounds of affine additions: powers of two times the points by doublings, then the sums of each
//! window level by level, one addition an entry.
//!
//! A window is a base and steps: entry i is the base plus the steps at the bits of i. The base is infinity and steps are
//! elements, but in the comb the base is the last element less all others, and steps are the others doubled.

use super::configuration::Configuration;
use super::scheme::{Layout, MAX_WINDOW, Scheme, Window};
use crate::{
    affine_add::{AffineAdder, Work},
    curve::{Affine, Curve},
    field::{BaseField, Field},
    lanes::{INFINITY, is_infinity, read_entry, write_entry},
    word::{CacheLine, PointPair, PointRef},
};
use alloc::{vec, vec::Vec};

/// Entries, about, that are built side by side. With their steps they stay in a level-2 cache.
const ENTRIES_PER_BATCH: usize = 1 << 13;

/// Multiples by powers of two, about, that are held at once: those of as many points as this allows, and of no fewer than
/// the windows need that end where a point ends. References reach all of them, and a batch of entries behind them: a
/// batch is below `ENTRIES_PER_BATCH` and one window of 2^`MAX_WINDOW`, and a window's points have at most 2^13.
const POWERS_AT_ONCE: usize = 1 << 17;
const _: () = assert!(4 * POWERS_AT_ONCE + ENTRIES_PER_BATCH + (2 << MAX_WINDOW) < PointRef::LIMIT);

/// A point to build with: none is infinity.
type Maybe = Option<PointRef>;

fn negated(point: Maybe) -> Maybe {
    point.map(|point| PointRef::new(point.index(), !point.is_negated()))
}

/// The row that a reference means.
pub(super) fn signed_row<C: Curve>(rows: &[CacheLine], reference: PointRef) -> CacheLine {
    let row = rows[reference.index()];
    if !reference.is_negated() || is_infinity(&row) {
        return row;
    }
    let point: Affine<<C::Field as BaseField>::X1> = read_entry(&row);
    write_entry(&Affine { x: point.x, y: point.y.negate(1) }.normalize())
}

/// Points in memory, to which rounds append sums.
struct Memory<'a, A: AffineAdder> {
    adder: &'a A,
    /// The points, and behind them rows to write to.
    rows: Vec<CacheLine>,
    /// The number of points.
    used: usize,
    pairs: Vec<PointPair>,
    work: A::Work,
    /// Whether some point is infinity.
    infinity: bool,
}

impl<A: AffineAdder> Memory<'_, A> {
    /// The sum, once the round is run. What needs no addition is known at once.
    fn pair(&mut self, a: Maybe, b: Maybe) -> Maybe {
        let (Some(first), Some(second)) = (a, b) else { return a.or(b) };
        let row = self.used + self.pairs.len();
        // A reference wraps around beyond its limit: sums would be wrong, and nobody would see it.
        assert!(row < PointRef::LIMIT, "more rows at once than references can tell apart");
        self.pairs.push([first, second]);
        Some(PointRef::new(row, false))
    }

    /// Adds the pairs noted, of which any number may be doublings.
    fn round(&mut self, doublings: bool) {
        let count = self.pairs.len();
        self.rows.resize(self.rows.len().max(self.used + count), INFINITY);
        let (rows, sums) = self.rows.split_at_mut(self.used);
        // No point at infinity is in a pair.
        self.work.begin();
        self.adder.add(rows, &self.pairs, &mut sums[..count], doublings, &mut self.work);
        self.infinity |= self.work.met_infinity();
        self.used += count;
        self.pairs.clear();
    }

    /// The point, unless a round has made it infinity.
    fn finite(&self, point: Maybe) -> Maybe {
        point.filter(|point| !is_infinity(&self.rows[point.index()]))
    }

    /// Replaces each of these points that a round has made infinity.
    fn settle(&self, points: &mut [Maybe]) {
        if self.infinity {
            points.iter_mut().for_each(|point| *point = self.finite(*point));
        }
    }
}

/// The powers of two by which a layout's points are multiplied, 2^exponent for each exponent, in rising order.
fn exponents(layout: &Layout) -> Vec<usize> {
    let mut exponents: Vec<usize> = match layout.scheme {
        Scheme::Subsets { t, .. } => (0..layout.elements()).map(|j| j * t as usize).collect(),
        Scheme::SignedWindows { b } => (0..layout.elements() * b as usize).collect(),
        Scheme::SignedComb { t, .. } => {
            (0..layout.elements()).flat_map(|j| [j * t as usize, j * t as usize + 1]).collect()
        }
    };
    exponents.dedup();
    exponents
}

/// Appends the rows of a layout over the points, all of which have the rows' own order. Says whether some point on the way
/// there is infinity; if none is, no entry is that is ever asked for.
///
/// The points are taken in parts, so that the memory beside the rows does not grow with their number.
pub(super) fn fill<A: AffineAdder>(
    adder: &A,
    layout: &Layout,
    points: &[CacheLine],
    rows: &mut Vec<CacheLine>,
) -> bool {
    let whole = layout.points_of_whole_windows();
    let each = (POWERS_AT_ONCE / exponents(layout).len() / whole).max(1) * whole;
    points.chunks(each).fold(false, |infinity, points| {
        let part = Layout { points: points.len(), ..*layout };
        fill_part(adder, &part, points, rows) || infinity
    })
}

fn fill_part<A: AffineAdder>(adder: &A, layout: &Layout, points: &[CacheLine], rows: &mut Vec<CacheLine>) -> bool {
    let (pairs, work, infinity) = (Vec::new(), A::Work::default(), points.iter().any(is_infinity));
    let mut memory = Memory { adder, rows: points.to_vec(), used: points.len(), pairs, work, infinity };
    let exponents = exponents(layout);
    // `powers[place][i]` is 2^exponents[i] times a point.
    let mut current: Vec<Maybe> = (0..points.len()).map(|place| Some(PointRef::new(place, false))).collect();
    memory.settle(&mut current);
    let mut powers = vec![None; points.len() * exponents.len()];
    let (mut done, mut kept) = (0, points.len());
    for (index, exponent) in exponents.iter().enumerate() {
        while done < *exponent {
            // What is not kept makes room for what is next.
            let from = memory.used;
            current.iter_mut().for_each(|point| *point = memory.pair(*point, *point));
            memory.round(true);
            if from > kept {
                memory.rows.copy_within(from..memory.used, kept);
                let moved = from - kept;
                memory.used -= moved;
                let back = |point: PointRef| PointRef::new(point.index() - moved, false);
                current.iter_mut().for_each(|point| *point = point.map(back));
            }
            memory.settle(&mut current);
            done += 1;
        }
        kept = memory.used;
        current.iter().enumerate().for_each(|(place, point)| powers[place * exponents.len() + index] = *point);
    }
    let power = |place: usize, exponent: usize| {
        let index = exponents.binary_search(&exponent).expect("every exponent that windows ask for was made");
        powers.get(place * exponents.len() + index).copied().flatten()
    };
    let mut windows = layout.all_windows().peekable();
    while windows.peek().is_some() {
        let mut entries = 0;
        let batch: Vec<Window> = core::iter::from_fn(|| {
            let window = (entries < ENTRIES_PER_BATCH).then(|| windows.next()).flatten();
            entries += window.map_or(0, |window: Window| 1 << window.size);
            window
        })
        .collect();
        fill_windows::<A>(&mut memory, layout, &batch, &power, rows);
        memory.used = kept;
    }
    memory.infinity
}

/// The base and the steps of a window.
struct Plan {
    base: Maybe,
    steps: [Maybe; MAX_WINDOW as usize],
    count: usize,
}

fn fill_windows<A: AffineAdder>(
    memory: &mut Memory<'_, A>,
    layout: &Layout,
    windows: &[Window],
    power: &impl Fn(usize, usize) -> Maybe,
    rows: &mut Vec<CacheLine>,
) {
    let mut plans: Vec<Plan> = windows.iter().map(|window| steps(layout, window, power)).collect();
    if let Scheme::SignedComb { t, .. } = layout.scheme {
        // The last element less the others, one after the other.
        for round in 0..MAX_WINDOW as usize {
            for (plan, window) in plans.iter_mut().zip(windows).filter(|(plan, _)| round < plan.count) {
                let (place, j) = split(layout, window.element + round);
                plan.base = memory.pair(plan.base, negated(power(place, j * t as usize)));
            }
            memory.round(false);
            plans.iter_mut().for_each(|plan| plan.base = memory.finite(plan.base));
        }
    }
    let mut entries: Vec<Vec<Maybe>> = plans.iter().map(|plan| vec![plan.base]).collect();
    for level in 0..MAX_WINDOW as usize {
        for (plan, entries) in plans.iter().zip(&mut entries).filter(|(plan, _)| level < plan.count) {
            for index in 0..1 << level {
                let sum = memory.pair(entries[index], plan.steps[level]);
                entries.push(sum);
            }
        }
        memory.round(false);
        entries.iter_mut().for_each(|entries| memory.settle(entries));
    }
    for (plan, entries) in plans.iter().zip(entries) {
        let row = |point: &Maybe| point.map_or(INFINITY, |point| signed_row::<A::Curve>(&memory.rows, point));
        match layout.scheme {
            // Multiples from 1 on, and the last one, which is a power of two.
            Scheme::SignedWindows { .. } => rows.extend(entries[1..].iter().chain([&plan.steps[plan.count]]).map(row)),
            Scheme::SignedComb { .. } => rows.extend(entries.iter().map(row)),
            Scheme::Subsets { b, .. } => {
                rows.extend(entries.iter().map(row));
                // The last window may have fewer elements than its place has room for.
                rows.extend((entries.len()..1 << b).map(|_| INFINITY));
            }
        }
    }
}

/// The point and the element of the point that an element of the table is.
fn split(layout: &Layout, element: usize) -> (usize, usize) {
    (element / layout.elements(), element % layout.elements())
}

fn steps(layout: &Layout, window: &Window, power: &impl Fn(usize, usize) -> Maybe) -> Plan {
    let mut plan = Plan { base: None, steps: [None; MAX_WINDOW as usize], count: window.size as usize };
    for (i, step) in plan.steps.iter_mut().take(window.size as usize).enumerate() {
        *step = match layout.scheme {
            Scheme::Subsets { t, .. } => {
                let (place, j) = split(layout, window.element + i);
                power(place, j * t as usize)
            }
            Scheme::SignedWindows { b } => {
                let (place, digit) = split(layout, window.element);
                power(place, digit * b as usize + i)
            }
            Scheme::SignedComb { t, .. } => {
                let (place, j) = split(layout, window.element + i);
                power(place, j * t as usize + 1)
            }
        };
    }
    match layout.scheme {
        Scheme::Subsets { .. } => {}
        Scheme::SignedWindows { .. } => plan.count -= 1,
        Scheme::SignedComb { t, .. } => {
            plan.count -= 1;
            let (place, j) = split(layout, window.element + plan.count);
            plan.base = power(place, j * t as usize);
        }
    }
    plan
}

impl Configuration {
    /// Whether an entry that some sum may add is infinity, in rows that were built of this.
    pub(super) fn has_infinity(&self, rows: &[CacheLine]) -> bool {
        (0..self.tables.len()).any(|table| {
            let (layout, first) = (self.layout(table), self.first_row(table));
            let rows = &rows[first..first + layout.rows()];
            match layout.scheme {
                // Index 0 is never asked for, nor what is beyond the elements of the last window.
                Scheme::Subsets { b, .. } => layout.all_windows().any(|window| {
                    let entries = &rows[window.row..window.row + (1 << b)];
                    (1usize..1 << window.size).any(|index| is_infinity(&entries[index]))
                }),
                _ => rows.iter().any(is_infinity),
            }
        })
    }
}
