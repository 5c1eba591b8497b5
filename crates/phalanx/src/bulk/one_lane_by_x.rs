//! Verification on one lane. Under keys of which x alone is known it takes no square roots, except for rows that their
//! equation leaves open. Under points it is the joint chain of single calls.

use super::{
    memory::with_arena,
    one_lane::{PointOrError, affine},
};
use crate::{
    Error, Scalar, Verdict,
    group::{Jacobian, Secp256k1},
    keys::{ReadRow, RowKey},
    mul::{Combine, TermsByX, Unit, multiples_on_one_lane, prove_by_x},
    schnorr,
    tuning::ROWS_BY_X_ON_ONE_LANE,
};
use phalanx_engine::arena::Arena;

/// What a row says: that x of a P + b G is this number.
#[derive(Clone, Copy)]
pub(super) struct Claim {
    pub(super) a: Scalar,
    pub(super) b: Scalar,
    pub(super) x: [u64; 4],
}

/// A scheme on one lane.
pub(super) trait ClaimedSums {
    /// What a row says beside its key.
    type Signed: Copy;

    /// Whether y of the sum has to be even.
    const EVEN: bool;

    /// What row `row` says.
    fn claim(&self, row: usize, signed: &Self::Signed) -> Claim;
    /// Whether a sum is finite and has one of the x that a row allows.
    fn has_x(&self, signed: &Self::Signed, sum: &Jacobian) -> bool;
}

/// A row whose signature is read: its number, its key, and what it says.
type SignedRow<S> = (usize, RowKey, S);

/// The verdicts of rows.
pub(super) fn verify_by_x<C: ClaimedSums>(
    scheme: &C,
    read: &[Result<ReadRow<RowKey, C::Signed>, Error>],
    out: &mut [Verdict],
    arena: &mut Arena<'_, '_>,
) {
    assert_eq!(read.len(), out.len(), "a verdict for each row");
    let [mut known, mut by_x] = [(); 2].map(|()| arena.list(read.len()));
    for (i, (row, out)) in read.iter().zip(&mut *out).enumerate() {
        match row.map(|row| (row.key(), row.signed().is_some())) {
            Ok((RowKey::Point(_), true)) => known.push(i),
            Ok((RowKey::Lift { .. }, true)) => by_x.push(i),
            // What is wrong with the key comes first.
            _ => *out = row.and_then(|row| row.finish(RowKey::point)).map(|_| ()).into(),
        }
    }
    let row = |i: &usize| {
        let row = read[*i].ok().and_then(|row| Some((*i, row.key(), *row.signed()?)));
        row.expect("a row with a signature")
    };
    for rows in by_x.chunks(ROWS_BY_X_ON_ONE_LANE) {
        with_arena(arena.spare(), |arena| part(scheme, rows.iter().map(row), out, arena));
    }
    with_arena(arena.spare(), |arena| {
        let sums = arena.collect(known.iter().map(row).map(|row| sum_under_point(scheme, row)));
        decide::<C>(&sums, known.iter().copied(), out, arena);
    });
}

/// The verdicts of rows under keys by their x.
fn part<C: ClaimedSums>(
    scheme: &C,
    rows: impl ExactSizeIterator<Item = SignedRow<C::Signed>> + Clone,
    out: &mut [Verdict],
    arena: &mut Arena<'_, '_>,
) {
    let claims = arena.collect(rows.clone().map(|(i, _, signed)| scheme.claim(i, &signed)));
    let multiples = multiples_on_one_lane(claims.iter().map(|claim| claim.b), arena);
    let terms = arena.collect(rows.clone().zip(claims.iter()).enumerate().map(|(place, ((_, key, _), claim))| {
        let terms = TermsByX::new(key.x_words(), key.y_is_odd(), &claim.a, multiples.get(place));
        (terms, claim.x)
    }));
    let proved = prove_by_x(&terms, C::EVEN, arena);
    let mut open = arena.list(terms.len());
    for (place, (i, ..)) in rows.clone().enumerate() {
        if proved[place] {
            out[i] = Verdict::Valid;
        } else {
            open.push(i);
        }
    }
    let open_rows = rows.zip(terms.iter().zip(proved.iter())).filter(|(_, (_, proved))| !**proved);
    let mut sums = arena.list(open.len());
    for ((_, key, signed), ((terms, _), _)) in open_rows {
        let sum = key.point().map(|key| terms.sum(key.affine().y));
        sums.push(sum.and_then(|sum| checked(scheme, &signed, sum)));
    }
    decide::<C>(&sums, open.iter().copied(), out, arena);
}

/// The sum of a row whose key is a point.
fn sum_under_point<C: ClaimedSums>(scheme: &C, (i, key, signed): SignedRow<C::Signed>) -> PointOrError {
    let Claim { a, b, .. } = scheme.claim(i, &signed);
    let sum = Secp256k1::double_mul_vartime(Unit::OneLane, &a, &key.point()?.affine(), &b);
    checked(scheme, &signed, sum)
}

/// A sum that has an x which its row allows.
fn checked<C: ClaimedSums>(scheme: &C, signed: &C::Signed, sum: Jacobian) -> PointOrError {
    Error::check_equation(scheme.has_x(signed, &sum)).map(|()| sum)
}

/// The verdicts of rows by their sums. A sum is there if it has an x that its row allows.
fn decide<C: ClaimedSums>(
    sums: &[PointOrError],
    rows: impl Iterator<Item = usize>,
    out: &mut [Verdict],
    arena: &mut Arena<'_, '_>,
) {
    if !C::EVEN {
        rows.zip(sums).for_each(|(i, sum)| out[i] = sum.map(|_| ()).into());
        return;
    }
    for (i, sum) in rows.zip(affine(sums, Error::InvalidSignature, arena)) {
        out[i] = sum.and_then(|sum| Error::check_equation(schnorr::is_even(&sum))).into();
    }
}
