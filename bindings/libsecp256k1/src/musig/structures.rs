//! The bytes of the structures. Each begins with four bytes that say what it is; only these are looked at.
//!
//! Points are x and y, least significant byte first, as in a public key. Scalars are big-endian.

use crate::{
    callbacks::Compression,
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
    pubkey::compressed,
    sha256::Sha256,
};
use phalanx::{FieldElement, Point, Scalar};

/// `secp256k1_musig_keyagg_cache`.
pub(super) type CacheBytes = [u8; 197];
/// `secp256k1_musig_secnonce`, `_pubnonce` and `_aggnonce`.
pub(super) type NonceBytes = [u8; 132];
/// `secp256k1_musig_session`.
pub(super) type SessionBytes = [u8; 133];
/// `secp256k1_musig_partial_sig`.
pub(super) type PartialBytes = [u8; 36];

const CACHE: [u8; 4] = [0xf4, 0xad, 0xbb, 0xdf];
pub(super) const SECRET_NONCE: [u8; 4] = [0x22, 0x0e, 0xdc, 0xf1];
const PUBLIC_NONCE: [u8; 4] = [0xf5, 0x7a, 0x3d, 0xa0];
const AGGREGATE_NONCE: [u8; 4] = [0xa8, 0xb7, 0xe4, 0x67];
const SESSION: [u8; 4] = [0x9d, 0xed, 0xe9, 0x17];
const PARTIAL: [u8; 4] = [0xeb, 0xfb, 0x1a, 0x32];
/// A point that is not there.
pub(super) const INFINITY: PubkeyBytes = [0; 64];

/// The bytes at a place.
pub(super) fn part<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut part = [0; N];
    part.copy_from_slice(&bytes[at..at + N]);
    part
}

/// A scalar at a place, modulo n.
pub(super) fn scalar(bytes: &[u8], at: usize) -> Scalar {
    Scalar::from_bytes_reduced(&part(bytes, at))
}

/// One part after the other.
pub(super) fn joined<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut bytes = [0; N];
    let mut rest = &mut bytes[..];
    for part in parts {
        let (place, after) = rest.split_at_mut(part.len());
        place.copy_from_slice(part);
        rest = after;
    }
    bytes
}

/// The point of coordinates, none where they are not those of a point of the curve. No function writes such
/// coordinates.
pub(super) fn point(bytes: &PubkeyBytes) -> Option<Point> {
    Coordinates::read(bytes).key().map(Point::from)
}

/// The same, with infinity where all bytes are zero.
fn point_or_infinity(bytes: &PubkeyBytes) -> Option<Point> {
    if *bytes == INFINITY { Some(Point::IDENTITY) } else { point(bytes) }
}

/// The structure of a point, zeros for infinity.
pub(super) fn structure(affine: Option<(FieldElement, FieldElement)>) -> PubkeyBytes {
    affine.map_or(INFINITY, |(x, y)| Coordinates::of_elements(&x, &y).save())
}

/// Aggregated keys.
pub(super) struct Cache {
    /// The aggregate key with all tweaks.
    pub(super) key: Coordinates,
    /// The first key that differs from the first one, or zeros.
    pub(super) second: PubkeyBytes,
    /// The hash of all keys.
    pub(super) list: [u8; 32],
    /// Whether the sum of the keys stands in the aggregate with its negative.
    pub(super) negated: bool,
    pub(super) tweak: Scalar,
}

impl Cache {
    pub(super) fn load(ctx: Ctx, bytes: &CacheBytes) -> Option<Cache> {
        let text = c"secp256k1_memcmp_var(ptr, secp256k1_musig_keyagg_cache_magic, 4) == 0";
        if part(bytes, 0) != CACHE {
            ctx.illegal(text);
            return None;
        }
        Some(Cache {
            key: Coordinates::read(&part(bytes, 4)),
            second: part(bytes, 68),
            list: part(bytes, 132),
            negated: bytes[164] & 1 == 1,
            tweak: scalar(bytes, 165),
        })
    }

    pub(super) fn save(&self) -> CacheBytes {
        let (key, second) = (self.key.reduced().save(), Coordinates::read(&self.second).reduced().save());
        joined(&[&CACHE, &key, &second, &self.list, &[self.negated.into()], &self.tweak.to_bytes()])
    }

    /// The x of the aggregate key.
    pub(super) fn x(&self) -> [u8; 32] {
        crate::opaque::big_endian(self.key.x)
    }

    /// The coefficient of a key.
    pub(super) fn coefficient(&self, compression: Compression, key: &Coordinates) -> Scalar {
        coefficient(compression, &self.list, key, &self.second)
    }

    /// Whether all keys count with the other sign, by the parity of the aggregate and by the tweaks.
    pub(super) fn is_negative(&self) -> bool {
        self.key.y_is_odd() != self.negated
    }
}

/// The coefficient of a key: 1 for the second key, and else a hash.
pub(super) fn coefficient(
    compression: Compression,
    list: &[u8; 32],
    key: &Coordinates,
    second: &PubkeyBytes,
) -> Scalar {
    /// The state after the hash of `KeyAgg coefficient`, twice.
    const COEFFICIENT: [u32; 8] =
        [0x6ef0_2c5a, 0x06a4_80de, 0x1f29_8665, 0x1d11_34f2, 0x56a0_b063, 0x52da_4147, 0xf280_d9d4, 0x4484_be15];
    if *second != INFINITY && Coordinates::read(second).is_same(key) {
        return Scalar::ONE;
    }
    let mut hash = Sha256::after_block(COEFFICIENT, compression);
    hash.update(list);
    hash.update(&compressed(key));
    Scalar::from_bytes_reduced(&hash.finish())
}

/// Two points of a public nonce.
pub(super) fn load_public_nonce(ctx: Ctx, bytes: &NonceBytes) -> Option<[PubkeyBytes; 2]> {
    let text = c"secp256k1_memcmp_var(&nonce->data[0], secp256k1_musig_pubnonce_magic, 4) == 0";
    if part(bytes, 0) != PUBLIC_NONCE {
        ctx.illegal(text);
        return None;
    }
    Some([part(bytes, 4), part(bytes, 68)])
}

pub(super) fn save_public_nonce([first, second]: &[PubkeyBytes; 2]) -> NonceBytes {
    joined(&[&PUBLIC_NONCE, first, second])
}

/// Two points of an aggregate nonce, zeros for infinity.
pub(super) fn load_aggregate_nonce(ctx: Ctx, bytes: &NonceBytes) -> Option<[PubkeyBytes; 2]> {
    let text = c"secp256k1_memcmp_var(&nonce->data[0], secp256k1_musig_aggnonce_magic, 4) == 0";
    if part(bytes, 0) != AGGREGATE_NONCE {
        ctx.illegal(text);
        return None;
    }
    Some([part(bytes, 4), part(bytes, 68)])
}

pub(super) fn save_aggregate_nonce([first, second]: &[PubkeyBytes; 2]) -> NonceBytes {
    joined(&[&AGGREGATE_NONCE, first, second])
}

/// The two points of an aggregate nonce, none where coordinates are no point.
pub(super) fn aggregate_points([first, second]: &[PubkeyBytes; 2]) -> Option<[Point; 2]> {
    Some([point_or_infinity(first)?, point_or_infinity(second)?])
}

/// The two points of a public nonce, which are not infinity.
pub(super) fn public_points([first, second]: &[PubkeyBytes; 2]) -> Option<[Point; 2]> {
    Some([point(first)?, point(second)?])
}

/// What signers of a message share.
pub(super) struct Session {
    /// Whether the y of the signature's nonce is odd.
    pub(super) odd: u8,
    /// The x of the signature's nonce.
    pub(super) r: [u8; 32],
    /// What the second half of each nonce is multiplied by.
    pub(super) nonce_coefficient: Scalar,
    pub(super) challenge: Scalar,
    /// What the tweaks add to the sum of the partial signatures.
    pub(super) tweak: Scalar,
}

impl Session {
    pub(super) fn load(ctx: Ctx, bytes: &SessionBytes) -> Option<Session> {
        let text = c"secp256k1_memcmp_var(ptr, secp256k1_musig_session_cache_magic, 4) == 0";
        if part(bytes, 0) != SESSION {
            ctx.illegal(text);
            return None;
        }
        let [nonce_coefficient, challenge, tweak] = [37, 69, 101].map(|at| scalar(bytes, at));
        Some(Session { odd: bytes[4], r: part(bytes, 5), nonce_coefficient, challenge, tweak })
    }

    pub(super) fn save(&self) -> SessionBytes {
        let [b, e, s] = [self.nonce_coefficient, self.challenge, self.tweak].map(|scalar| scalar.to_bytes());
        joined(&[&SESSION, &[self.odd], &self.r, &b, &e, &s])
    }
}

/// Whether a structure is that of a partial signature; reports where it is not.
pub(super) fn is_partial(ctx: Ctx, bytes: &PartialBytes) -> bool {
    check!(
        ctx,
        part(bytes, 0) == PARTIAL,
        c"secp256k1_memcmp_var(&sig->data[0], secp256k1_musig_partial_sig_magic, 4) == 0",
        false
    );
    true
}

/// The number of a partial signature.
pub(super) fn load_partial(ctx: Ctx, bytes: &PartialBytes) -> Option<Scalar> {
    is_partial(ctx, bytes).then(|| scalar(bytes, 4))
}

pub(super) fn save_partial(number: &Scalar) -> PartialBytes {
    joined(&[&PARTIAL, &number.to_bytes()])
}
