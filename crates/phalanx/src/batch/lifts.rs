//! The points of a batch's rows: those that need a square root are lifted together.

use crate::{Bulk, PublicKey, keys::RowKey};
use alloc::vec::Vec;

/// The points to lift, each x below p with the parity of its y.
pub(super) struct Lifts(Vec<([u64; 4], bool)>);

/// A point that is there already, or the number of the lift that gives it.
#[derive(Clone, Copy)]
pub(super) enum Pending {
    Point(PublicKey),
    Lift(usize),
}

/// The points of [`Lifts`], where there are any.
pub(super) struct Lifted(Vec<Option<PublicKey>>);

impl Lifts {
    /// No points yet, with room for `count` of them.
    pub(super) fn with_capacity(count: usize) -> Self {
        Lifts(Vec::with_capacity(count))
    }

    /// Notes a key whose point will be asked for.
    pub(super) fn add(&mut self, key: RowKey) -> Pending {
        match key {
            RowKey::Point(point) => Pending::Point(point),
            RowKey::Lift { x, odd } => {
                self.0.push((x, odd));
                Pending::Lift(self.0.len() - 1)
            }
        }
    }

    /// Takes all roots.
    pub(super) fn lift(self, bulk: &Bulk) -> Lifted {
        Lifted(bulk.lift(&self.0))
    }
}

impl Lifted {
    /// The point, none if no point has this x.
    pub(super) fn point(&self, pending: Pending) -> Option<PublicKey> {
        match pending {
            Pending::Point(point) => Some(point),
            Pending::Lift(number) => self.0[number],
        }
    }
}
