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
    wipe::{PointStack, wipe},
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

/// [`shared_secret`] for a shared point.
pub(crate) fn hash_point(point: &PublicKey) -> [u8; 32] {
    let shared = Shared::of(point);
    hash_compressed(&shared.x, &shared.y)
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
/// use phalanx::{SecretKey, ecdh, hash::TaggedHash};
/// let (mine, theirs) = (SecretKey::random(), SecretKey::random());
/// let hash = TaggedHash::new(b"my protocol");
/// let shared = ecdh::shared_secret_with(&theirs.public_key(), &mine, |x, y| hash.hash(&[x, y]));
/// # assert_eq!(shared.len(), 32);
/// ```
pub fn shared_secret_with<T>(
    public: &PublicKey,
    secret: &SecretKey,
    hash: impl FnOnce(&[u8; 32], &[u8; 32]) -> T,
) -> T {
    shared_secret_on(Unit::best(), public, secret, hash)
}

/// [`shared_secret_with`] on a unit of the caller's choice.
pub(crate) fn shared_secret_on<T>(
    unit: Unit,
    public: &PublicKey,
    secret: &SecretKey,
    hash: impl FnOnce(&[u8; 32], &[u8; 32]) -> T,
) -> T {
    PointStack::cleared(|| {
        let mut product = mul::mul_point_ct(unit, &public.affine(), secret.scalar());
        let mut affine = group::to_affine(&product);
        let mut point = PublicKey::from_affine(affine);
        let shared = Shared::of(&point);
        wipe(&mut product);
        wipe(&mut affine);
        wipe(&mut point);
        hash(&shared.x, &shared.y)
    })
}

/// The coordinates of a shared point, big-endian. Wiped on drop, which comes too when the caller's hash panics.
struct Shared {
    x: [u8; 32],
    y: [u8; 32],
}

impl Shared {
    fn of(point: &PublicKey) -> Self {
        Shared { x: point.x_bytes(), y: point.y_bytes() }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        wipe(&mut self.x);
        wipe(&mut self.y);
    }
}
