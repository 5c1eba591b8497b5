//! Configurations: which tables there are, and which of them serve a vector.

use super::{
    require,
    scheme::{Layout, Scheme},
    short_list::ShortList,
};
use crate::word::PointRef;
use core::{fmt, ops::Range};

/// A table over some of the basis points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// How it is made.
    pub scheme: Scheme,
    /// The places of its points in the basis.
    pub places: Range<usize>,
}

impl Default for TableSpec {
    /// A table over no points.
    fn default() -> Self {
        TableSpec { scheme: Scheme::SignedWindows { b: 1 }, places: 0..0 }
    }
}

/// The tables that serve vectors with up to so many non-zero scalars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// The greatest number of non-zero scalars.
    pub nonzero: usize,
    /// The tables, by their index. Their places are disjoint and make up the whole basis.
    pub tables: ShortList<usize, MAX_TABLES_OF_RULE>,
}

/// The most tables of a configuration, and the most rules.
pub const MAX_TABLES: usize = 8;
/// The most tables of a rule.
pub const MAX_TABLES_OF_RULE: usize = 4;

/// Tables over a basis, and the rules by which they serve. The first rule that admits a vector is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The number of basis points.
    pub points: usize,
    /// The odd order of the group: the basis points times this are infinity, and scalars count modulo this.
    pub order: [u64; 4],
    /// The tables, which lie behind each other in memory.
    pub tables: ShortList<TableSpec, MAX_TABLES>,
    /// The rules, by rising numbers of non-zero scalars. The last one admits every vector.
    pub rules: ShortList<Rule, MAX_TABLES>,
}

/// Why a configuration cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfigurationError {
    /// The order is even, or below 3.
    Order,
    /// The scheme of this table has a number out of its range.
    Scheme(usize),
    /// The places of this table are empty or not in the basis.
    Places(usize),
    /// This rule names no tables or unknown ones, or their places overlap or leave some point out; or its
    /// number of non-zero scalars is not above the one before.
    Rule(usize),
    /// No rule admits a vector without zeros.
    NoLastRule,
    /// The tables have more rows than references can tell apart, 2^26.
    Rows,
}

impl fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order => f.write_str("the order of the group is not an odd number above 1"),
            Self::Scheme(table) => write!(f, "table {table} has a scheme with a number out of its range"),
            Self::Places(table) => write!(f, "table {table} has no places, or places outside the basis"),
            Self::Rule(rule) => {
                write!(f, "the tables of rule {rule} do not make up the basis, or its number does not rise")
            }
            Self::NoLastRule => f.write_str("no rule admits a vector without zeros"),
            Self::Rows => f.write_str("the tables have more than 2^26 rows"),
        }
    }
}

impl core::error::Error for ConfigurationError {}

impl Configuration {
    /// One table for all vectors.
    pub fn single(points: usize, order: [u64; 4], scheme: Scheme) -> Self {
        Configuration {
            points,
            order,
            tables: [TableSpec { scheme, places: 0..points }].into(),
            rules: [Rule { nonzero: points, tables: [0].into() }].into(),
        }
    }

    /// Whether tables can be built of this.
    ///
    /// # Errors
    /// What is wrong, at the first place where something is.
    pub fn check(&self) -> Result<(), ConfigurationError> {
        require(self.order[0] & 1 == 1 && self.order != [1, 0, 0, 0], ConfigurationError::Order)?;
        let mut rows = 0usize;
        for (index, table) in self.tables.iter().enumerate() {
            let in_basis = !table.places.is_empty() && table.places.end <= self.points;
            require(in_basis && self.points < PointRef::LIMIT, ConfigurationError::Places(index))?;
            require(self.layout(index).is_valid(), ConfigurationError::Scheme(index))?;
            rows = rows.saturating_add(self.layout(index).rows());
        }
        let mut before = None;
        for (index, rule) in self.rules.iter().enumerate() {
            let known = rule.tables.iter().all(|table| *table < self.tables.len());
            let rises = before.replace(rule.nonzero).is_none_or(|before| before < rule.nonzero);
            require(known && rises && self.make_up_the_basis(&rule.tables), ConfigurationError::Rule(index))?;
        }
        require(before.is_some_and(|last| last >= self.points), ConfigurationError::NoLastRule)?;
        require(rows < PointRef::LIMIT, ConfigurationError::Rows)
    }

    /// Whether the tables follow each other from the first point to the last, in some order. No sorting of a library, which
    /// recurses: the code also goes where the stack is bounded.
    fn make_up_the_basis(&self, tables: &[usize]) -> bool {
        let follows = |end: usize| tables.iter().map(|table| &self.tables[*table].places).find(|at| at.start == end);
        let end = tables.iter().try_fold(0, |end, _| follows(end).map(|places| places.end));
        end == Some(self.points)
    }

    /// The bits of the greatest scalar, which is below the order.
    pub fn bits(&self) -> u32 {
        let zeros = self.order.iter().rev().take_while(|word| **word == 0).count();
        256 - 64 * zeros as u32 - if zeros < 4 { self.order[3 - zeros].leading_zeros() } else { 0 }
    }

    /// The layout of a table.
    pub fn layout(&self, table: usize) -> Layout {
        let TableSpec { scheme, places } = &self.tables[table];
        Layout { scheme: *scheme, bits: self.bits(), points: places.len() }
    }

    /// The first row of a table.
    pub fn first_row(&self, table: usize) -> usize {
        (0..table).map(|table| self.layout(table).rows()).sum()
    }

    /// The rows of all tables.
    pub fn rows(&self) -> usize {
        self.first_row(self.tables.len())
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.rows() * 64
    }

    /// The bytes of all tables by the published accounting: see [`Layout::published_bytes`].
    pub fn published_bytes(&self) -> usize {
        (0..self.tables.len()).map(|table| self.layout(table).published_bytes()).sum()
    }

    /// The tables that serve vectors with this number of non-zero scalars.
    pub(super) fn rule(&self, nonzero: usize) -> &Rule {
        let found = self.rules.iter().find(|rule| nonzero <= rule.nonzero);
        found.expect("the last rule of a configuration that was checked admits every vector")
    }

    /// The columns of vectors with this number of non-zero scalars.
    pub(super) fn columns(&self, nonzero: usize) -> usize {
        self.rule(nonzero).tables.iter().map(|table| self.layout(*table).columns()).max().unwrap_or(1)
    }
}
