//! Additions of affine points that share an inversion: the block that sums are built of.

use super::{Msm, workspace::Adder};
use crate::tuning::PAIRS_PER_INVERSION;
use crate::{Error, PublicKey, backend::Lanes, group};
use alloc::{vec, vec::Vec};
use phalanx_engine::{
    affine_add::{EightLanes, OneLane},
    lanes::{INFINITY, is_infinity},
    word::PointRef,
};

impl Msm {
    /// The sums `a[i] + b[i]`; `None` where a sum is infinity. All pairs share one inversion; where there are more than
    /// 2^16 pairs, each 2^16 of them do. Equal points and negatives are allowed. On the calling thread. Variable time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// use phalanx::{PublicKey, msm::Msm};
    /// let g = PublicKey::GENERATOR;
    /// let sums = Msm::new().add_pairs(&[g, g], &[g, g.negate()])?;
    /// assert_eq!(sums, [PublicKey::combine_keys(&[g, g]).ok(), None]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn add_pairs(&self, a: &[PublicKey], b: &[PublicKey]) -> Result<Vec<Option<PublicKey>>, Error> {
        Error::check_lengths(a.len(), b.len())?;
        Ok(match self.backend().lanes() {
            Lanes::Eight(machine) => add_by(&EightLanes::new(machine), a, b),
            Lanes::One => add_by(&OneLane::new(), a, b),
        })
    }
}

fn add_by<A: Adder>(adder: &A, a: &[PublicKey], b: &[PublicKey]) -> Vec<Option<PublicKey>> {
    let sums = a.chunks(PAIRS_PER_INVERSION).zip(b.chunks(PAIRS_PER_INVERSION)).map(|(a, b)| add_together(adder, a, b));
    sums.flatten().collect()
}

fn add_together<A: Adder>(adder: &A, a: &[PublicKey], b: &[PublicKey]) -> Vec<Option<PublicKey>> {
    let points: Vec<_> = a.iter().chain(b).map(PublicKey::entry).collect();
    let pair = |i| [PointRef::new(i, false), PointRef::new(a.len() + i, false)];
    let pairs: Vec<_> = (0..a.len()).map(pair).collect();
    let mut sums = vec![INFINITY; pairs.len()];
    A::with_products(pairs.len(), |work| adder.add(&points, &pairs, &mut sums, false, work));
    let key = |sum| PublicKey::from_affine(group::affine(sum));
    sums.iter().map(|sum| (!is_infinity(sum)).then(|| key(sum))).collect()
}
