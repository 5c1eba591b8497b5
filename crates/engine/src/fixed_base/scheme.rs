//! Schemes: what a table over some points holds, and where.
//!
//! A scalar of L bits is written with a row of digits for each of t *columns*; column c counts 2^c. An entry of the
//! table is a sum of the points' multiples by powers of two, so that one addition serves several digits of a column.

use core::ops::Range;

/// How a table is made of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The published (t, b) scheme. Bit `t j + c` of a scalar belongs to column c and to element `s i + j` of the
    /// table, s = ceil(L / t) elements per point. A window is b elements in a row, across points, and holds all their
    /// 2^b sums.
    Subsets {
        /// Columns.
        t: u32,
        /// Elements of a window.
        b: u32,
    },
    /// One column. Each point has ceil(L / b) windows of the multiples 1 to 2^(b-1) of 2^(b w) P, for signed digits;
    /// zero digits cost nothing. A scalar k counts as k or as k - q, whichever is shorter.
    SignedWindows {
        /// Bits of a digit.
        b: u32,
    },
    /// The comb of signed digits. A scalar, or the scalar less q, is odd, and so a sum of +-2^i for all i below s t,
    /// s = ceil(L / t). Elements are as in [`Scheme::Subsets`]. Windows of at most b elements lie within a group of
    /// points and hold all sums of +-elements but for a common sign: 2^(b-1) of them. A group of zeros costs nothing.
    SignedComb {
        /// Columns.
        t: u32,
        /// The most elements of a window.
        b: u32,
        /// Points of a group.
        group: u32,
    },
}

/// The most columns of a scheme.
pub const MAX_COLUMNS: u32 = 256;
/// The most elements, or bits, of a window.
pub const MAX_WINDOW: u32 = 20;
/// The most points of a group.
pub const MAX_GROUP: u32 = 16;

/// A scheme over a number of points, for scalars of a number of bits.
///
/// What is asked of a layout may panic, or mean nothing, unless [`Layout::is_valid`]: with t, b or the group's points
/// zero there is a division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The scheme.
    pub scheme: Scheme,
    /// The bits of the greatest scalar, from 1 to 256.
    pub bits: u32,
    /// The number of points.
    pub points: usize,
}

/// A window: its first row, and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// The row of its first entry.
    pub(super) row: usize,
    /// The first of its elements; for [`Scheme::SignedWindows`] the index of the window itself.
    pub(super) element: usize,
    /// The number of its elements, or of bits.
    pub(super) size: u32,
}

impl Layout {
    /// Whether the numbers of the scheme are in their ranges.
    pub fn is_valid(&self) -> bool {
        let windows = 1..=MAX_WINDOW;
        let columns = 1..=MAX_COLUMNS;
        (1..=256).contains(&self.bits)
            && match self.scheme {
                Scheme::Subsets { t, b } => columns.contains(&t) && windows.contains(&b),
                Scheme::SignedWindows { b } => windows.contains(&b),
                Scheme::SignedComb { t, b, group } => {
                    columns.contains(&t) && windows.contains(&b) && (1..=MAX_GROUP).contains(&group)
                }
            }
    }

    /// The number of columns: one more than the doublings of a sum.
    pub fn columns(&self) -> usize {
        match self.scheme {
            Scheme::Subsets { t, .. } | Scheme::SignedComb { t, .. } => t as usize,
            Scheme::SignedWindows { .. } => 1,
        }
    }

    /// The elements of a point, s = ceil(L / t); the windows of one for [`Scheme::SignedWindows`].
    pub fn elements(&self) -> usize {
        match self.scheme {
            Scheme::Subsets { t, .. } | Scheme::SignedComb { t, .. } => self.bits.div_ceil(t) as usize,
            Scheme::SignedWindows { b } => self.bits.div_ceil(b) as usize,
        }
    }

    /// The number of windows.
    pub fn windows(&self) -> usize {
        match self.scheme {
            Scheme::Subsets { b, .. } => (self.points * self.elements()).div_ceil(b as usize),
            Scheme::SignedWindows { .. } => self.points * self.elements(),
            Scheme::SignedComb { group, .. } => {
                let (full, rest) = (self.points / group as usize, self.points % group as usize);
                full * self.windows_of_group(group as usize) + self.windows_of_group(rest)
            }
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        match self.scheme {
            Scheme::Subsets { b, .. } => self.windows() << b,
            Scheme::SignedWindows { b } => self.windows() << (b - 1),
            Scheme::SignedComb { group, .. } => {
                let (full, rest) = (self.points / group as usize, self.points % group as usize);
                full * self.rows_of_group(group as usize) + self.rows_of_group(rest)
            }
        }
    }

    /// The bytes of the rows, 64 each.
    pub fn bytes(&self) -> usize {
        self.rows() * 64
    }

    /// W 2^b 96: the bytes of a table of this many windows by the published accounting, which has unsigned windows and
    /// extended points.
    pub fn published_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Subsets { b, .. } | Scheme::SignedComb { b, .. } => (self.windows() << b) * 96,
            Scheme::SignedWindows { .. } => self.rows() * 96,
        }
    }

    /// The most entries that one scalar adds to a column.
    pub fn entries_per_scalar(&self) -> usize {
        match self.scheme {
            Scheme::Subsets { b, .. } => (self.elements() - 1) / b as usize + 2,
            Scheme::SignedWindows { .. } => self.elements(),
            Scheme::SignedComb { group, .. } => self.windows_of_group((group as usize).min(self.points)),
        }
    }

    pub(super) fn group(&self) -> usize {
        match self.scheme {
            Scheme::SignedComb { group, .. } => group as usize,
            _ => 1,
        }
    }

    /// A number of points, at most 20, after which the windows end too: a table is the tables of such parts, one behind
    /// another.
    pub(super) fn points_of_whole_windows(&self) -> usize {
        match self.scheme {
            // b points have s windows.
            Scheme::Subsets { b, .. } => b as usize,
            _ => self.group(),
        }
    }

    fn windows_of_group(&self, points: usize) -> usize {
        match self.scheme {
            Scheme::SignedComb { b, .. } => (points * self.elements()).div_ceil(b as usize),
            _ => 0,
        }
    }

    /// The elements of a group of a given number of points are dealt to its windows as evenly as can be, the larger
    /// ones first: the number of larger ones, and the size of the smaller.
    fn split(&self, points: usize) -> (usize, u32) {
        let (elements, windows) = (points * self.elements(), self.windows_of_group(points));
        if windows == 0 { (0, 1) } else { (elements % windows, (elements / windows) as u32) }
    }

    fn rows_of_group(&self, points: usize) -> usize {
        let ((larger, size), windows) = (self.split(points), self.windows_of_group(points));
        if windows == 0 { 0 } else { (larger << size) + ((windows - larger) << (size - 1)) }
    }

    /// The points of the group that starts with this one.
    pub(super) fn group_at(&self, first: usize) -> Range<usize> {
        first..self.points.min(first + self.group())
    }

    /// The first point of the group that this point is in.
    pub(super) fn group_of(&self, point: usize) -> usize {
        point - point % self.group()
    }

    /// The windows of a comb's group.
    pub(super) fn group_windows(&self, group: Range<usize>) -> impl Iterator<Item = Window> + use<> {
        let before = group.start / self.group() * self.rows_of_group(self.group());
        let first = group.start * self.elements();
        let (larger, size) = self.split(group.len());
        (0..self.windows_of_group(group.len())).map(move |window| {
            let (large, small) = (window.min(larger), window - window.min(larger));
            Window {
                row: before + (large << size) + (small << (size - 1)),
                element: first + window * size as usize + large,
                size: size + u32::from(window < larger),
            }
        })
    }

    /// All windows, in the order of their rows.
    pub(super) fn all_windows(&self) -> impl Iterator<Item = Window> + use<> {
        let layout = *self;
        let plain = move |window: usize| match layout.scheme {
            Scheme::Subsets { b, .. } => {
                let element = window * b as usize;
                let left = layout.points * layout.elements() - element;
                Window { row: window << b, element, size: b.min(u32::try_from(left).unwrap_or(b)) }
            }
            Scheme::SignedWindows { b } => Window { row: window << (b - 1), element: window, size: b },
            Scheme::SignedComb { .. } => unreachable!("a comb has groups"),
        };
        let is_comb = matches!(self.scheme, Scheme::SignedComb { .. });
        let plain = (0..if is_comb { 0 } else { self.windows() }).map(plain);
        let groups = (0..if is_comb { self.points } else { 0 }).step_by(self.group());
        plain.chain(groups.flat_map(move |first| layout.group_windows(layout.group_at(first))))
    }
}
