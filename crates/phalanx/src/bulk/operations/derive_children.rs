//! Children of extended public keys (BIP-32), and what scripts hold of them. Variable time.

use crate::bulk::{
    Bulk,
    eight_lanes::{TweakedKeys, place},
    memory::{Lines, with_arena},
    one_lane::{PointOrError, affine},
    operation::RowOperation,
};
use crate::{
    Error, OneThread, PublicKey, Scalar,
    children::{Child, ChildRow, Payload, PayloadKind, taproot_tweak},
    encoding::bytes_of_words,
    lanes::{HashLanes, MacLanes, Machine, key_hashes, macs, script_hashes, taproot_tweaks},
};
use alloc::vec::Vec;
use phalanx_engine::word::{CacheLine, LANES, NARROW_LANES};

/// [`Parent::child`](crate::children::Parent::child) of each row.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct DeriveChildren(pub(in crate::bulk) PayloadKind);

type Answer = Result<Child, Error>;

impl Bulk {
    /// [`Parent::child`](crate::children::Parent::child) of each row. Rows may share parents or not. Variable time.
    ///
    /// ```
    /// use phalanx::{Bulk, SecretKey, children::{ChildRow, Parent, PayloadKind}};
    /// let parent = Parent::new(SecretKey::from_bytes(&[7; 32])?.public_key(), &[9; 32]);
    /// let rows: Vec<_> = (0..1000).map(|index| ChildRow { parent: &parent, index }).collect();
    /// let children = Bulk::new().derive_children(&rows, PayloadKind::TaprootKey);
    /// assert_eq!(children[41], parent.child(41, PayloadKind::TaprootKey));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn derive_children(&self, rows: &[ChildRow<'_>], payload: PayloadKind) -> Vec<Result<Child, Error>> {
        self.answers(DeriveChildren(payload), rows).expect("one slice")
    }
}

impl OneThread {
    /// [`Parent::child`](crate::children::Parent::child) of each row. Rows may share parents or not. Variable time. The
    /// workspace is of [`OneThread::workspace_lines`].
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many places as rows, [`Error::WorkspaceTooSmall`] for a smaller
    /// workspace.
    pub fn derive_children(
        self,
        rows: &[ChildRow<'_>],
        payload: PayloadKind,
        out: &mut [Result<Child, Error>],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        self.run(DeriveChildren(payload), rows, out, workspace)
    }
}

impl RowOperation for DeriveChildren {
    type Rows<'a> = &'a [ChildRow<'a>];
    type Out = Answer;

    const NONE: Answer = Err(Error::BadTweak);
    const SECRET: bool = false;

    fn one_lane(self, rows: Self::Rows<'_>, out: &mut [Answer], memory: &mut Lines) {
        assert_eq!(rows.len(), out.len(), "an answer for each row");
        with_arena(memory, |arena| {
            let mut points = arena.list::<PointOrError>(rows.len());
            for (row, out) in rows.iter().zip(&mut *out) {
                let (key, tweak) = (row.parent.public_key(), row.parent.tweak(row.index));
                *out = tweak.map(|(_, chain_code)| Child { chain_code, ..unfinished(*key) });
                points.push(tweak.map(|(tweak, _)| key.plus_multiple(&tweak)));
            }
            for (point, out) in affine(&points, Error::BadTweak, arena).zip(&mut *out) {
                go_on(out, |child| {
                    child.public_key = PublicKey::from_affine(point?);
                    Ok(())
                });
            }
        });
        if self.0 == PayloadKind::TaprootKey {
            return taproot_on_one_lane(out, memory);
        }
        for out in out {
            go_on(out, |child| {
                child.payload = self.0.of(&child.public_key)?;
                Ok(())
            });
        }
    }

    fn eight_lanes<M: Machine>(self, machine: M, rows: Self::Rows<'_>, out: &mut [Answer], memory: &mut Lines) {
        assert_eq!(rows.len(), out.len(), "an answer for each row");
        with_arena(memory, |arena| {
            let mut codes = arena.filled(rows.len().div_ceil(LANES), MacLanes::ZERO);
            for (i, (row, out)) in rows.iter().zip(&mut *out).enumerate() {
                let (group, lane) = place(i);
                *out = row.parent.message(row.index).map(|message| {
                    codes[group].set(lane, row.parent.chain_code(), &message);
                    unfinished(*row.parent.public_key())
                });
            }
            macs(machine, &mut codes);
            let mut keys = TweakedKeys::new(rows.len(), arena);
            for (i, out) in out.iter_mut().enumerate() {
                let (group, lane) = place(i);
                let [tweak, chain_code] = codes[group].get(lane);
                go_on(out, |child| {
                    keys.set(i, &child.public_key, &Scalar::from_limbs(tweak).ok_or(Error::BadTweak)?);
                    child.chain_code = bytes_of_words(&chain_code);
                    Ok(())
                });
            }
            keys.compute(machine, arena);
            for (i, out) in out.iter_mut().enumerate() {
                go_on(out, |child| {
                    child.public_key = keys.get(i).ok_or(Error::BadTweak)?;
                    Ok(())
                });
            }
        });
        let of_hash = |_, row, batch: &HashLanes, child: &mut Child| {
            child.payload = Payload::of_hash(self.0, batch.get_hash160(row));
            Ok(())
        };
        match self.0 {
            PayloadKind::None => {}
            PayloadKind::KeyHash => by_sixteen(out, |batch| key_hashes(machine, batch), of_hash),
            PayloadKind::ScriptHash => by_sixteen(out, |batch| script_hashes(machine, batch), of_hash),
            PayloadKind::TaprootKey => taproot_in_eight_lanes(machine, out, memory),
        }
    }
}

/// Takes the next step for a row that has not failed.
#[inline]
fn go_on(out: &mut Answer, step: impl FnOnce(&mut Child) -> Result<(), Error>) {
    if let Ok(child) = out
        && let Err(error) = step(child)
    {
        *out = Err(error);
    }
}

/// A child whose values are to be replaced.
fn unfinished(public_key: PublicKey) -> Child {
    Child { public_key, chain_code: [0; 32], payload: Payload::NONE }
}

/// Computes the taproot output keys of children.
fn taproot_on_one_lane(out: &mut [Answer], memory: &mut Lines) {
    with_arena(memory, |arena| {
        let tweaked = |child: &Child| taproot_tweak(&child.public_key).map(|(key, tweak)| key.plus_multiple(&tweak));
        let points = arena.collect(out.iter().map(|out| out.as_ref().map_err(|error| *error).and_then(tweaked)));
        for (point, out) in affine(&points, Error::BadTweak, arena).zip(out) {
            go_on(out, |child| {
                child.payload = Payload::of_taproot_key(&PublicKey::from_affine(point?));
                Ok(())
            });
        }
    });
}

/// The same in eight lanes.
fn taproot_in_eight_lanes<M: Machine>(machine: M, out: &mut [Answer], memory: &mut Lines) {
    with_arena(memory, |arena| {
        let mut keys = TweakedKeys::new(out.len(), arena);
        let set = |i, row, batch: &HashLanes, child: &mut Child| {
            let (even, tweak) = (child.public_key.x_only().0.public_key(), Scalar::from_limbs(batch.get(row)));
            keys.set(i, &even, &tweak.ok_or(Error::BadTweak)?);
            Ok(())
        };
        by_sixteen(out, |batch| taproot_tweaks(machine, batch), set);
        keys.compute(machine, arena);
        for (i, out) in out.iter_mut().enumerate() {
            go_on(out, |child| {
                child.payload = Payload::of_taproot_key(&keys.get(i).ok_or(Error::BadTweak)?);
                Ok(())
            });
        }
    });
}

/// Hashes children, sixteen at a time: `hash` gets each x as number 0 and the parity of y as number 1, and `take` the
/// number of the child, its row among the sixteen, the hashes, and the child.
fn by_sixteen(
    out: &mut [Answer],
    hash: impl Fn(&mut HashLanes),
    mut take: impl FnMut(usize, usize, &HashLanes, &mut Child) -> Result<(), Error>,
) {
    let mut batch = HashLanes::new();
    for (first, out) in (0..).step_by(NARROW_LANES).zip(out.chunks_mut(NARROW_LANES)) {
        for (row, child) in out.iter().enumerate().filter_map(|(row, out)| Some((row, out.as_ref().ok()?))) {
            batch.set(0, row, child.public_key.x_words());
            batch.set(1, row, [child.public_key.y_is_odd().into(), 0, 0, 0]);
        }
        hash(&mut batch);
        for (row, out) in out.iter_mut().enumerate() {
            go_on(out, |child| take(first + row, row, &batch, child));
        }
    }
}
