//! Points of which x alone is known, as their images on other curves: [`ImageByX`].

use super::{
    lift::Lift,
    memory::{AffineLanes, FeX8, FeX8Mem, Machine},
};
use crate::group::Secp256k1;
use phalanx_engine::{
    curve::{Affine, ImageByX},
    field::Field,
    word::{Mask, Mask8, Op, Word},
};

/// Computes the images of groups of points, and d of each. A point that is to stay is its own image, with d = 1.
pub(crate) fn images<M: Machine>(machine: M, keys: &[Lift], points: &mut [AffineLanes], d: &mut [FeX8Mem]) {
    machine.run(Images { keys, points, d });
}

struct Images<'a> {
    keys: &'a [Lift],
    points: &'a mut [AffineLanes],
    d: &'a mut [FeX8Mem],
}

impl Op for Images<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for ((key, point), d) in self.keys.iter().zip(self.points).zip(self.d) {
            if key.keep == Mask8::ALL {
                d.store(FeX8::<W>::one());
                continue;
            }
            let image = ImageByX::new::<Secp256k1>(FeX8::<W>::from_words(key.x.load()));
            point.store(Affine::select(key.keep, point.load(), image.point.normalize()));
            d.store(FeX8::select(key.keep, FeX8::one(), image.d));
        }
    }
}
