//! The points of a batch's rows: those that need a square root are lifted together.

use super::backend::{BatchBackend, XAndParity};
use crate::{PublicKey, keys::RowKey};
use phalanx_engine::arena::{Arena, List};

/// The points to lift, each x below p with the parity of its y.
pub(super) struct Lifts<'m> {
    x: List<'m, XAndParity>,
    points: List<'m, Option<PublicKey>>,
}

/// A point that is there already, or the number of the lift that gives it.
#[derive(Clone, Copy)]
pub(super) enum Pending {
    Point(PublicKey),
    Lift(u32),
}

/// The points of [`Lifts`], where there are any.
pub(super) struct Lifted<'m>(List<'m, Option<PublicKey>>);

impl<'m> Lifts<'m> {
    /// No points yet, with room for `count` of them.
    pub(super) fn with_room(count: usize, arena: &mut Arena<'m, '_>) -> Self {
        Lifts { x: arena.list(count), points: arena.list(count) }
    }

    /// Notes a key whose point will be asked for.
    pub(super) fn add(&mut self, key: RowKey) -> Pending {
        match key {
            RowKey::Point(point) => Pending::Point(point),
            RowKey::Lift { x, odd } => {
                self.x.push((x, odd));
                Pending::Lift(self.x.len() as u32 - 1)
            }
        }
    }

    /// Takes all roots.
    pub(super) fn lift(self, backend: &mut impl BatchBackend) -> Lifted<'m> {
        let Lifts { x, mut points } = self;
        (0..x.len()).for_each(|_| points.push(None));
        backend.lift(&x, &mut points);
        Lifted(points)
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
