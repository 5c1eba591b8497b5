//! The points of a batch's rows: those that need a square root are lifted together.

use super::backend::{BatchBackend, XAndParity};
use crate::{PublicKey, keys::RowKey};
use phalanx_engine::arena::{List, Lists, lines_for};

/// The points to lift, each x below p with the parity of its y.
pub(super) struct Lifts<'m>(List<'m, XAndParity>);

/// A point that is there already, or the number of the lift that gives it.
#[derive(Clone, Copy)]
pub(super) enum Pending {
    Point(PublicKey),
    Lift(u32),
}

/// The points of [`Lifts`], where there are any.
pub(super) struct Lifted<'m>(List<'m, Option<PublicKey>>);

impl<'m> Lifts<'m> {
    /// The lines that `count` points take.
    pub(super) fn lines(count: usize) -> usize {
        lines_for::<XAndParity>(count) + lines_for::<Option<PublicKey>>(count)
    }

    /// No points yet, with room for `count` of them.
    pub(super) fn with_room(count: usize, lists: &mut Lists<'m, '_>) -> Self {
        Lifts(lists.list(count))
    }

    /// Notes a key whose point will be asked for.
    pub(super) fn add(&mut self, key: RowKey) -> Pending {
        match key {
            RowKey::Point(point) => Pending::Point(point),
            RowKey::Lift { x, odd } => {
                self.0.push((x, odd));
                Pending::Lift(self.0.len() as u32 - 1)
            }
        }
    }

    /// Takes all roots.
    pub(super) fn lift(self, backend: &mut impl BatchBackend, lists: &mut Lists<'m, '_>) -> Lifted<'m> {
        let mut lifted = lists.filled(self.0.len(), None);
        backend.lift(&self.0, &mut lifted);
        Lifted(lifted)
    }
}

impl Lifted<'_> {
    /// The point, none if no point has this x.
    pub(super) fn point(&self, pending: Pending) -> Option<PublicKey> {
        match pending {
            Pending::Point(point) => Some(point),
            Pending::Lift(number) => self.0[number as usize],
        }
    }
}
