//! X-only Diffie-Hellman with encodings.

use super::{ElligatorSwift, map};
use crate::{
    FieldElement, SecretKey,
    field::invert,
    group::Affine,
    hash::tags,
    mul::{self, Unit},
    wipe::{PointStack, wipe},
};
use phalanx_engine::field::Field;

/// Whose secret key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    /// That of who opened the connection.
    Initiator,
    /// That of the other one.
    Responder,
}

/// The secret that BIP-324 makes of two encodings and one of the two secret keys (`v2_ecdh`). Constant time in the
/// secret key.
///
/// Both get the same secret, if each has the secret key of its own encoding. It is bound to the encodings' bytes.
pub fn shared_secret(
    initiator: &ElligatorSwift,
    responder: &ElligatorSwift,
    secret: &SecretKey,
    party: Party,
) -> [u8; 32] {
    let theirs = match party {
        Party::Initiator => responder,
        Party::Responder => initiator,
    };
    shared_secret_with(theirs, secret, |x| tags::BIP324_ECDH.hash_uncleared(&[&initiator.0, &responder.0, x]))
}

/// What the caller's hash makes of the shared point's x, big-endian, which is wiped afterwards. Constant time in the
/// secret key.
///
/// The x alone does not tell who took part. A hash should have both encodings too, as that of [`shared_secret`].
///
/// ```
/// use phalanx::{SecretKey, ecdh, ellswift::{self, ElligatorSwift}};
/// let (mine, theirs) = (SecretKey::random(), SecretKey::random());
/// let encoding = ElligatorSwift::from_secret(&theirs, None);
/// let x = ellswift::shared_secret_with(&encoding, &mine, |x| *x);
/// assert_eq!(x, ecdh::shared_x(&theirs.public_key(), &mine));
/// ```
pub fn shared_secret_with<T>(theirs: &ElligatorSwift, secret: &SecretKey, hash: impl FnOnce(&[u8; 32]) -> T) -> T {
    let [u, t] = theirs.numbers();
    let x = map::decode(&u, &t);
    // The point is (n / d, y) with y^2 = g / d^3, so that d g = (d^2 y)^2. On the model of the curve whose scale is
    // d^2 y it has the coordinates n / d * d g = n g and y (d^2 y)^3 = g^2 (see `mul::isomorphic_curve`): no root has to
    // be taken. With -y the model has another scale and the point is the same, so the product is one of -P; its x is
    // that of the product of P.
    let g = x.curve_side();
    let point = Affine { x: (x.numerator * g).to_fe(), y: g.square().to_fe() };
    let scale_square = g * x.denominator;
    PointStack::cleared(|| {
        let mut product = mul::mul_point_ct(Unit::best(), &point, secret.scalar());
        let inverse = invert(product.z.square().mul(scale_square.to_fe()));
        let x = SharedX(FieldElement::from_fe(product.x.mul(inverse)).to_bytes());
        wipe(&mut product);
        hash(&x.0)
    })
}

/// The x of a shared point, big-endian. Wiped on drop, which comes too when the caller's hash panics.
struct SharedX([u8; 32]);

impl Drop for SharedX {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}
