//! Tables are built in rounds of affine additions: powers of two times the points by doublings, then the sums of each
//! window level by level, one addition an entry.
//!
//! A window is a base and steps: entry i is the base plus the steps at the bits of i. The base is infinity and steps
//! are elements, but in the comb the base is the last element less all others, and steps are the others doubled.

use super::configuration::Configuration;
use super::limits::{ENTRIES_PER_BATCH, POWERS_AT_ONCE};
use super::points::{Maybe, Memory, negated, signed_row};
use super::scheme::{Layout, MAX_WINDOW, Scheme, Window};
use crate::{
    affine_add::{AffineAdder, ArenaProducts, Rounds, RoundsOf},
    arena::{Arena, List},
    curve::Curve,
    lanes::{INFINITY, is_infinity},
    word::{CacheLine, PointRef},
};
use core::{iter::Peekable, ops::Range};

const _: () = assert!(4 * POWERS_AT_ONCE + ENTRIES_PER_BATCH + (2 << MAX_WINDOW) < PointRef::LIMIT);

/// A part of a table that is built apart from the others: some points of it and their rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The table.
    pub table: usize,
    /// The places of the points in the basis.
    pub places: Range<usize>,
    /// The rows, counted from the first of all tables.
    pub rows: Range<usize>,
}

impl Configuration {
    /// The parts of all tables: of at most so many points each, and of no more than memory of a bounded size and
    /// references to its rows allow, but of no fewer than the windows need that end where a point ends.
    pub fn parts(&self, points: usize) -> impl Iterator<Item = Part> {
        (0..self.tables.len()).flat_map(move |table| {
            let (layout, places) = (self.layout(table), self.tables[table].places.clone());
            let (mut exponents, whole) = (0, layout.points_of_whole_windows());
            each_exponent(&layout, |_| exponents += 1);
            let step = (points.min(POWERS_AT_ONCE / exponents) / whole).max(1) * whole;
            let rows = move |point: usize| self.first_row(table) + Layout { points: point, ..layout }.rows();
            (0..places.len()).step_by(step).map(move |first| {
                let end = places.len().min(first + step);
                let places = places.start + first..places.start + end;
                Part { table, places, rows: rows(first)..rows(end) }
            })
        })
    }

    fn layout_of_part(&self, part: &Part) -> Layout {
        Layout { points: part.places.len(), ..self.layout(part.table) }
    }

    /// The lines of memory in which a part is built.
    pub fn lines_of_part<A: AffineAdder>(&self, part: &Part) -> usize {
        let layout = self.layout_of_part(part);
        Arena::count(|arena| {
            Builder::with_products::<A>(&layout, arena);
        })
    }

    /// Writes the rows of a part over a basis, whose points are rows (see [`crate::lanes::write_entry`]). Says whether
    /// some point on the way there is infinity; if none is, no entry is that is ever asked for. Variable time.
    ///
    /// # Panics
    /// If the configuration does not pass [`Configuration::check`] or the part is none of it, if the basis is not as
    /// long as it says, if there are not as many rows as the part has, or less memory than
    /// [`Configuration::lines_of_part`] says.
    pub fn build_part<A: AffineAdder>(
        &self,
        adder: &A,
        part: &Part,
        basis: &[CacheLine],
        rows: &mut [CacheLine],
        memory: &mut [CacheLine],
    ) -> bool {
        assert_eq!(basis.len(), self.points, "a basis of another length than the configuration's");
        let (layout, points) = (self.layout_of_part(part), &basis[part.places.clone()]);
        // All of it is public.
        Arena::over(
            memory,
            |_| {},
            |arena| {
                let (mut builder, mut work) = Builder::with_products::<A>(&layout, arena);
                let rounds = &mut RoundsOf { adder, work: &mut work };
                builder.load(points);
                builder.double_points(rounds);
                builder.write_windows::<A::Curve>(rounds, rows);
                builder.memory.infinity
            },
        )
    }
}

/// How much the lists of a part hold.
#[derive(Clone, Copy)]
struct PartSize {
    points: usize,
    exponents: usize,
    /// Windows and entries of a batch, and the rows that they take.
    windows: usize,
    entries: usize,
    rows: usize,
}

impl PartSize {
    fn of(layout: &Layout) -> PartSize {
        let mut exponents = 0;
        each_exponent(layout, |_| exponents += 1);
        let mut size = PartSize { points: layout.points, exponents, windows: 0, entries: 0, rows: 0 };
        let mut windows = layout.all_windows().peekable();
        while windows.peek().is_some() {
            let (mut count, mut entries, mut rows) = (0, 0, 0);
            while let Some(window) = next_of_batch(&mut windows, entries) {
                (count, entries) = (count + 1, entries + (1 << window.size));
                rows += (1 << window.size) + window.size as usize;
            }
            size.windows = size.windows.max(count);
            size.entries = size.entries.max(entries);
            size.rows = size.rows.max(rows);
        }
        size
    }

    /// Points, their multiples by powers of two, and those that are on the way or the rows of a batch.
    fn all_rows(self) -> usize {
        self.points * self.exponents.max(1) + (2 * self.points).max(self.rows)
    }

    fn pairs(self) -> usize {
        self.points.max(self.entries)
    }
}

/// The next window of a batch that has so many entries already.
fn next_of_batch(windows: &mut Peekable<impl Iterator<Item = Window>>, entries: usize) -> Option<Window> {
    if entries < ENTRIES_PER_BATCH { windows.next() } else { None }
}

/// Calls with the powers of two by which a layout's points are multiplied, 2^exponent for each, in rising order.
fn each_exponent(layout: &Layout, mut found: impl FnMut(usize)) {
    let mut last = None;
    let mut next = |exponent| {
        if last.replace(exponent) != Some(exponent) {
            found(exponent);
        }
    };
    match layout.scheme {
        Scheme::Subsets { t, .. } => (0..layout.elements()).for_each(|j| next(j * t as usize)),
        Scheme::SignedWindows { b } => (0..layout.elements() * b as usize).for_each(next),
        Scheme::SignedComb { t, .. } => (0..layout.elements()).for_each(|j| {
            next(j * t as usize);
            next(j * t as usize + 1);
        }),
    }
}

/// The base and the steps of a window.
#[derive(Clone, Copy)]
struct WindowSteps {
    base: Maybe,
    steps: [Maybe; MAX_WINDOW as usize],
    count: usize,
}

/// A part in the making.
struct Builder<'a, 'm> {
    layout: &'a Layout,
    memory: Memory<'m>,
    exponents: List<'m, usize>,
    /// Each point times the power of two at hand.
    current: List<'m, Maybe>,
    /// `powers[place * exponents.len() + i]` is 2^exponents[i] times a point.
    powers: List<'m, Maybe>,
    windows: List<'m, Window>,
    plans: List<'m, WindowSteps>,
    /// The entries of each window of a batch, one window behind the other.
    entries: List<'m, Maybe>,
}

impl<'a, 'm> Builder<'a, 'm> {
    /// Without points, and memory for the rounds of this adder.
    fn with_products<'env: 'm, A: AffineAdder<Kept: 'env>>(
        layout: &'a Layout,
        arena: &mut Arena<'m, 'env>,
    ) -> (Self, ArenaProducts<'m, A::Kept>) {
        let size = PartSize::of(layout);
        let work = A::arena_products(size.pairs(), arena);
        (Self::new(layout, size, arena), work)
    }

    fn new(layout: &'a Layout, size: PartSize, arena: &mut Arena<'m, '_>) -> Self {
        let (rows, pairs) = (arena.numbers(size.all_rows()), arena.number_list(size.pairs()));
        Builder {
            layout,
            memory: Memory { rows, used: 0, pairs, infinity: false },
            exponents: arena.list(size.exponents),
            current: arena.list(size.points),
            powers: arena.filled(size.points * size.exponents, None),
            windows: arena.list(size.windows),
            plans: arena.list(size.windows),
            entries: arena.list(size.entries),
        }
    }

    fn load(&mut self, points: &[CacheLine]) {
        let Builder { memory, exponents, current, .. } = self;
        memory.rows[..points.len()].copy_from_slice(points);
        (memory.used, memory.infinity) = (points.len(), points.iter().any(is_infinity));
        each_exponent(self.layout, |exponent| exponents.push(exponent));
        (0..points.len()).for_each(|place| current.push(Some(PointRef::new(place, false))));
    }

    /// Computes the points' multiples by the powers of two.
    fn double_points(&mut self, rounds: &mut impl Rounds) {
        let Builder { memory, exponents, current, powers, .. } = self;
        memory.settle(current);
        let (mut done, mut kept) = (0, memory.used);
        for (index, exponent) in exponents.iter().enumerate() {
            while done < *exponent {
                // What is not kept makes room for what is next.
                let from = memory.used;
                current.iter_mut().for_each(|point| *point = memory.pair(*point, *point));
                memory.round(rounds, true);
                if from > kept {
                    memory.rows.copy_within(from..memory.used, kept);
                    let moved = from - kept;
                    memory.used -= moved;
                    let back = |point: PointRef| PointRef::new(point.index() - moved, false);
                    current.iter_mut().for_each(|point| *point = point.map(back));
                }
                memory.settle(current);
                done += 1;
            }
            kept = memory.used;
            current.iter().enumerate().for_each(|(place, point)| powers[place * exponents.len() + index] = *point);
        }
    }

    /// Writes the rows of all windows, batch by batch.
    fn write_windows<C: Curve>(&mut self, rounds: &mut impl Rounds, rows: &mut [CacheLine]) {
        let (kept, mut rows) = (self.memory.used, rows.iter_mut());
        let mut windows = self.layout.all_windows().peekable();
        while windows.peek().is_some() {
            self.windows.clear();
            let mut entries = 0;
            while let Some(window) = next_of_batch(&mut windows, entries) {
                entries += 1 << window.size;
                self.windows.push(window);
            }
            self.build_windows(rounds);
            self.write_batch::<C>(&mut |row| *rows.next().expect("a row of the part") = row);
            self.memory.used = kept;
        }
        assert!(rows.next().is_none(), "as many rows as the part has");
    }

    fn power(&self, place: usize, exponent: usize) -> Maybe {
        let index = self.exponents.binary_search(&exponent).expect("every exponent that windows ask for was made");
        self.powers.get(place * self.exponents.len() + index).copied().flatten()
    }

    /// Computes the entries of the windows at hand.
    fn build_windows(&mut self, rounds: &mut impl Rounds) {
        self.plans.clear();
        for window in 0..self.windows.len() {
            let plan = self.steps(&self.windows[window]);
            self.plans.push(plan);
        }
        if let Scheme::SignedComb { t, .. } = self.layout.scheme {
            // The last element less the others, one after the other.
            for round in 0..MAX_WINDOW as usize {
                for index in 0..self.plans.len() {
                    if round < self.plans[index].count {
                        let (place, j) = split(self.layout, self.windows[index].element + round);
                        let other = negated(self.power(place, j * t as usize));
                        self.plans[index].base = self.memory.pair(self.plans[index].base, other);
                    }
                }
                self.memory.round(rounds, false);
                self.plans.iter_mut().for_each(|plan| plan.base = self.memory.finite(plan.base));
            }
        }
        let Builder { memory, plans, entries, .. } = self;
        entries.clear();
        for plan in plans.iter() {
            entries.push(plan.base);
            (1..1 << plan.count).for_each(|_| entries.push(None));
        }
        for level in 0..MAX_WINDOW as usize {
            let mut first = 0;
            for plan in plans.iter() {
                if level < plan.count {
                    for index in first..first + (1 << level) {
                        entries[index + (1 << level)] = memory.pair(entries[index], plan.steps[level]);
                    }
                }
                first += 1 << plan.count;
            }
            memory.round(rounds, false);
            memory.settle(entries);
        }
    }

    /// Hands on the rows of the windows at hand.
    fn write_batch<C: Curve>(&self, write: &mut impl FnMut(CacheLine)) {
        let Builder { memory, plans, entries, layout, .. } = self;
        let mut put = |point: &Maybe| {
            write(point.map_or(INFINITY, |point| signed_row::<C>(memory.rows, point)));
        };
        let mut first = 0;
        for plan in plans.iter() {
            let entries = &entries[first..first + (1 << plan.count)];
            first += entries.len();
            match layout.scheme {
                // Multiples from 1 on, and the last one, which is a power of two.
                Scheme::SignedWindows { .. } => entries[1..].iter().chain([&plan.steps[plan.count]]).for_each(&mut put),
                Scheme::SignedComb { .. } => entries.iter().for_each(&mut put),
                Scheme::Subsets { b, .. } => {
                    entries.iter().for_each(&mut put);
                    // The last window may have fewer elements than its place has room for.
                    (entries.len()..1 << b).for_each(|_| put(&None));
                }
            }
        }
    }

    fn steps(&self, window: &Window) -> WindowSteps {
        let layout = self.layout;
        let mut plan = WindowSteps { base: None, steps: [None; MAX_WINDOW as usize], count: window.size as usize };
        for (i, step) in plan.steps.iter_mut().take(window.size as usize).enumerate() {
            *step = match layout.scheme {
                Scheme::Subsets { t, .. } => {
                    let (place, j) = split(layout, window.element + i);
                    self.power(place, j * t as usize)
                }
                Scheme::SignedWindows { b } => {
                    let (place, digit) = split(layout, window.element);
                    self.power(place, digit * b as usize + i)
                }
                Scheme::SignedComb { t, .. } => {
                    let (place, j) = split(layout, window.element + i);
                    self.power(place, j * t as usize + 1)
                }
            };
        }
        match layout.scheme {
            Scheme::Subsets { .. } => {}
            Scheme::SignedWindows { .. } => plan.count -= 1,
            Scheme::SignedComb { t, .. } => {
                plan.count -= 1;
                let (place, j) = split(layout, window.element + plan.count);
                plan.base = self.power(place, j * t as usize);
            }
        }
        plan
    }
}

/// The point and the element of the point that an element of the table is.
fn split(layout: &Layout, element: usize) -> (usize, usize) {
    (element / layout.elements(), element % layout.elements())
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
