//! Tweaks of a group's key at the time of signing, as BIP-445 applies them: all shares stay as they are, and the
//! coordinator adds the tweaks to the signature.

use crate::Error;
use phalanx::{Point, PublicKey, Scalar};

/// A number that is added to the group's secret key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tweak {
    /// Added to the key as it is: BIP-32's derivation.
    Plain([u8; 32]),
    /// Added to the key with even y: BIP-341's commitment.
    XOnly([u8; 32]),
}

/// A key Q with its tweaks: Q = g P + t G, where P is the group's key and g is 1 or -1.
pub(crate) struct TweakedKey {
    pub(crate) key: PublicKey,
    /// Whether g is -1.
    pub(crate) negated: bool,
    /// t.
    pub(crate) sum: Scalar,
}

impl TweakedKey {
    /// The key with these tweaks, one after another.
    pub(crate) fn new(key: PublicKey, tweaks: &[Tweak]) -> Result<Self, Error> {
        tweaks.iter().try_fold(TweakedKey { key, negated: false, sum: Scalar::ZERO }, Self::tweaked)
    }

    fn tweaked(self, tweak: &Tweak) -> Result<Self, Error> {
        let (Tweak::Plain(bytes) | Tweak::XOnly(bytes)) = tweak;
        let number = Scalar::from_bytes(bytes).map_err(|_| Error::BadTweak)?;
        let negate = matches!(tweak, Tweak::XOnly(_)) && self.key.x_only().1;
        let (key, sum) = if negate { (self.key.negate(), -self.sum) } else { (self.key, self.sum) };
        let key = Point::from(key) + Point::mul_generator(&number);
        let key = PublicKey::try_from(key).map_err(|_| Error::BadTweak)?;
        Ok(TweakedKey { key, negated: self.negated ^ negate, sum: sum + number })
    }
}
