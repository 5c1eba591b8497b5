//! Elliptic-curve Diffie-Hellman: the secret that two keys share (SEC 1 version 2, section 3.3.1).
//!
//! All functions take constant time in the secret key and cannot fail: a public key is a point of the curve other than
//! infinity, and the group's order is prime, so the shared point is finite.

use crate::{
    PublicKey, SecretKey,
    encoding::compressed,
    group,
    hash::sha256,
    mul::{self, Unit},
    wipe::wipe,
};

/// SHA-256 of the shared point in compressed form, as libsecp256k1's default.
///
/// ```
/// use phalanx::{SecretKey, ecdh};
/// let (mine, theirs) = (SecretKey::random(), SecretKey::random());
/// let shared = ecdh::shared_secret(&theirs.public_key(), &mine);
/// assert_eq!(shared, ecdh::shared_secret(&mine.public_key(), &theirs));
/// ```
pub fn shared_secret(public: &PublicKey, secret: &SecretKey) -> [u8; 32] {
    shared_secret_with(public, secret, hash_compressed)
}

pub(crate) fn hash_compressed(x: &[u8; 32], y: &[u8; 32]) -> [u8; 32] {
    let mut point = compressed(x, y[31] & 1 == 1);
    let shared = sha256(&point);
    wipe(&mut point);
    shared
}

/// The x coordinate of the shared point, big-endian, unhashed: the raw value that standards such as SEC 1 feed to a key
/// derivation function. It is not uniform; do not use it as a key.
///
/// ```
/// use phalanx::{SecretKey, ecdh};
/// let (mine, theirs) = (SecretKey::random(), SecretKey::random());
/// let shared = ecdh::shared_x(&theirs.public_key(), &mine);
/// assert_eq!(shared[..], theirs.public_key().tweak_mul(&mine.to_bytes())?.to_bytes()[1..]);
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn shared_x(public: &PublicKey, secret: &SecretKey) -> [u8; 32] {
    shared_secret_with(public, secret, |x, _| *x)
}

/// What the caller's hash makes of the shared point's coordinates, big-endian. Both are wiped afterwards.
///
/// ```
/// use phalanx::{SecretKey, ecdh, hash::tagged_hash};
/// let (mine, theirs) = (SecretKey::random(), SecretKey::random());
/// let shared = ecdh::shared_secret_with(&theirs.public_key(), &mine, |x, y| tagged_hash(b"my protocol", &[x, y]));
/// # assert_eq!(shared.len(), 32);
/// ```
pub fn shared_secret_with<T>(
    public: &PublicKey,
    secret: &SecretKey,
    hash: impl FnOnce(&[u8; 32], &[u8; 32]) -> T,
) -> T {
    let mut point =
        PublicKey::from_affine(group::to_affine(&mul::point_mul(Unit::best(), &public.affine(), secret.scalar())));
    let (mut x, mut y) = (point.x_bytes(), point.y_bytes());
    let shared = hash(&x, &y);
    wipe(&mut x);
    wipe(&mut y);
    point.wipe();
    shared
}
