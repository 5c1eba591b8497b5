//! The bytes of the structures. Each begins with four bytes that say what it is; only these are looked at.
//!
//! Points are x and y, least significant byte first, as in a public key. Scalars are big-endian.

use crate::{
    callbacks::Compression,
    context::Ctx,
    opaque::{Coordinates, PubkeyBytes},
    pubkey::compressed,
};
use phalanx::{PublicKey, Scalar};
use phalanx_musig::bindings::{self, Tweaks, Values};
use std::ffi::CStr;

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

/// Whether a structure begins as it must; reports where it does not.
fn begins(ctx: Ctx, bytes: &[u8], magic: [u8; 4], text: &CStr) -> bool {
    let begins = part(bytes, 0) == magic;
    if !begins {
        ctx.illegal(text);
    }
    begins
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
pub(super) fn point(bytes: &PubkeyBytes) -> Option<PublicKey> {
    Coordinates::read(bytes).key()
}

/// The structure of a point, zeros for infinity.
pub(super) fn structure(point: Option<PublicKey>) -> PubkeyBytes {
    point.map_or(INFINITY, |point| Coordinates::of(&point).save())
}

/// Aggregated keys.
pub(super) struct Cache {
    /// The aggregate key with all tweaks.
    pub(super) key: Coordinates,
    /// The first key that differs from the first one, or zeros.
    pub(super) second: PubkeyBytes,
    /// The hash of all keys.
    pub(super) list: [u8; 32],
    pub(super) tweaks: Tweaks,
}

impl Cache {
    pub(super) fn load(ctx: Ctx, bytes: &CacheBytes) -> Option<Cache> {
        let text = c"secp256k1_memcmp_var(ptr, secp256k1_musig_keyagg_cache_magic, 4) == 0";
        begins(ctx, bytes, CACHE, text).then(|| Cache {
            key: Coordinates::read(&part(bytes, 4)),
            second: part(bytes, 68),
            list: part(bytes, 132),
            tweaks: Tweaks { negated: bytes[164] & 1 == 1, sum: scalar(bytes, 165) },
        })
    }

    pub(super) fn save(&self) -> CacheBytes {
        let (key, second) = (self.key.reduced().save(), Coordinates::read(&self.second).reduced().save());
        let Tweaks { negated, sum } = &self.tweaks;
        joined(&[&CACHE, &key, &second, &self.list, &[(*negated).into()], &sum.to_bytes()])
    }

    /// The x of the aggregate key.
    pub(super) fn x(&self) -> [u8; 32] {
        crate::opaque::big_endian(self.key.x)
    }

    /// The coefficient of a key in the point that signatures verify under.
    pub(super) fn coefficient(&self, compression: Compression, key: &Coordinates) -> Scalar {
        self.tweaks.signed(self.key.y_is_odd(), coefficient(compression, &self.list, key, &self.second))
    }
}

/// The coefficient of a key.
pub(super) fn coefficient(
    compression: Compression,
    list: &[u8; 32],
    key: &Coordinates,
    second: &PubkeyBytes,
) -> Scalar {
    let is_second = *second != INFINITY && Coordinates::read(second).is_same(key);
    bindings::coefficient(compression, list, &compressed(key), is_second)
}

/// Two points of a public nonce.
pub(super) fn load_public_nonce(ctx: Ctx, bytes: &NonceBytes) -> Option<[PubkeyBytes; 2]> {
    let text = c"secp256k1_memcmp_var(&nonce->data[0], secp256k1_musig_pubnonce_magic, 4) == 0";
    begins(ctx, bytes, PUBLIC_NONCE, text).then(|| [part(bytes, 4), part(bytes, 68)])
}

pub(super) fn save_public_nonce([first, second]: &[PubkeyBytes; 2]) -> NonceBytes {
    joined(&[&PUBLIC_NONCE, first, second])
}

/// Two points of an aggregate nonce, zeros for infinity.
pub(super) fn load_aggregate_nonce(ctx: Ctx, bytes: &NonceBytes) -> Option<[PubkeyBytes; 2]> {
    let text = c"secp256k1_memcmp_var(&nonce->data[0], secp256k1_musig_aggnonce_magic, 4) == 0";
    begins(ctx, bytes, AGGREGATE_NONCE, text).then(|| [part(bytes, 4), part(bytes, 68)])
}

pub(super) fn save_aggregate_nonce([first, second]: &[PubkeyBytes; 2]) -> NonceBytes {
    joined(&[&AGGREGATE_NONCE, first, second])
}

/// The two points of an aggregate nonce, none where coordinates are no point.
pub(super) fn aggregate_points([first, second]: &[PubkeyBytes; 2]) -> Option<[Option<PublicKey>; 2]> {
    let point = |bytes: &PubkeyBytes| if *bytes == INFINITY { Some(None) } else { point(bytes).map(Some) };
    Some([point(first)?, point(second)?])
}

/// The two points of a public nonce, which are not infinity.
pub(super) fn public_points([first, second]: &[PubkeyBytes; 2]) -> Option<[PublicKey; 2]> {
    Some([point(first)?, point(second)?])
}

/// What signers of a message share.
pub(super) struct Session {
    pub(super) values: Values,
    /// What the tweaks add to the sum of the partial signatures.
    pub(super) tweak: Scalar,
}

impl Session {
    pub(super) fn load(ctx: Ctx, bytes: &SessionBytes) -> Option<Session> {
        let text = c"secp256k1_memcmp_var(ptr, secp256k1_musig_session_cache_magic, 4) == 0";
        let [nonce_coefficient, challenge, tweak] = [37, 69, 101].map(|at| scalar(bytes, at));
        let values = Values { nonce_coefficient, challenge, r: part(bytes, 5), negated: bytes[4] != 0 };
        begins(ctx, bytes, SESSION, text).then_some(Session { values, tweak })
    }

    pub(super) fn save(&self) -> SessionBytes {
        let Values { nonce_coefficient, challenge, r, negated } = &self.values;
        let [b, e, s] = [nonce_coefficient, challenge, &self.tweak].map(Scalar::to_bytes);
        joined(&[&SESSION, &[(*negated).into()], r, &b, &e, &s])
    }
}

/// Whether a structure is that of a partial signature; reports where it is not.
pub(super) fn is_partial(ctx: Ctx, bytes: &PartialBytes) -> bool {
    begins(ctx, bytes, PARTIAL, c"secp256k1_memcmp_var(&sig->data[0], secp256k1_musig_partial_sig_magic, 4) == 0")
}

/// The number of a partial signature.
pub(super) fn load_partial(ctx: Ctx, bytes: &PartialBytes) -> Option<Scalar> {
    is_partial(ctx, bytes).then(|| scalar(bytes, 4))
}

pub(super) fn save_partial(number: &Scalar) -> PartialBytes {
    joined(&[&PARTIAL, &number.to_bytes()])
}
