//! Points from x coordinates. No public call has this operation; batches do.

use crate::bulk::{
    Bulk,
    eight_lanes::KeyPoints,
    memory::{Lines, with_arena},
    operation::RowOperation,
};
use crate::{OneThread, PublicKey, keys::RowKey, lanes::Machine};

/// The points with these x coordinates, below p, and y of these parities, where there is one.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct LiftX;

impl Bulk {
    /// The points with these x coordinates, below p, and y of these parities, where there is one.
    pub(crate) fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]) {
        assert_eq!(x.len(), out.len(), "a place for each point");
        self.answer(LiftX, x, out);
    }
}

impl OneThread {
    /// The points with these x coordinates, below p, and y of these parities, where there is one.
    pub(crate) fn lift(self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>], workspace: &mut Lines) {
        self.run(LiftX, x, out, workspace).expect("a place for each point, and memory for them");
    }
}

impl RowOperation for LiftX {
    type Rows<'a> = &'a [([u64; 4], bool)];
    type Out = Option<PublicKey>;

    const NONE: Self::Out = None;
    const SECRET: bool = false;

    fn one_lane(self, x: Self::Rows<'_>, out: &mut [Self::Out], _: &mut Lines) {
        assert_eq!(x.len(), out.len(), "an answer for each x");
        for ((x, odd), out) in x.iter().zip(out) {
            *out = PublicKey::lift(*x, *odd).ok();
        }
    }

    fn eight_lanes<M: Machine>(self, machine: M, x: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        assert_eq!(x.len(), out.len(), "an answer for each x");
        with_arena(memory, |arena| {
            let mut points = KeyPoints::new(x.len(), arena);
            for (row, (x, odd)) in x.iter().enumerate() {
                points.set(row, &RowKey::Lift { x: *x, odd: *odd });
            }
            points.lift(machine);
            for (row, out) in out.iter_mut().enumerate() {
                *out = points.check(row).ok().map(|()| points.get(row));
            }
        });
    }
}
