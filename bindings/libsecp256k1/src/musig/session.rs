//! Signing of a message. Constant time in secret keys and nonces, and else variable time.
#![allow(unsafe_code)]

use super::structures::{
    Cache, CacheBytes, NonceBytes, PartialBytes, SECRET_NONCE, Session, SessionBytes, aggregate_points, joined,
    load_aggregate_nonce, load_partial, load_public_nonce, part, point, public_points, save_partial, scalar,
};
use crate::{
    context::{Ctx, check},
    declassify::declassify,
    keypair::Pair,
    opaque::{Coordinates, KeypairBytes, PubkeyBytes},
    secret::is_zero,
    wipe::{cleared, wipe},
};
use phalanx::Scalar;
use phalanx_ffi::by_copy::{In, Out};
use phalanx_musig::bindings::{self, Values};
use std::ffi::c_int;
use zeroize::Zeroizing;

/// The session of a message.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_nonce_process(
    ctx: Ctx,
    session: Out<SessionBytes>,
    nonce: In<NonceBytes>,
    message: In<[u8; 32]>,
    cache: In<CacheBytes>,
) -> c_int {
    check!(ctx, !session.is_null(), c"session != NULL");
    check!(ctx, !nonce.is_null(), c"aggnonce != NULL");
    check!(ctx, !message.is_null(), c"msg32 != NULL");
    check!(ctx, !cache.is_null(), c"keyagg_cache != NULL");
    let Some(cache) = Cache::load(ctx, &cache.read()) else { return 0 };
    let Some(nonce) = load_aggregate_nonce(ctx, &nonce.read()) else { return 0 };
    let Some(points) = aggregate_points(&nonce) else { return 0 };
    let values = Values::new(ctx.get().compression(), &points, &cache.x(), &message.read());
    let tweak = values.challenge * cache.tweaks.total(cache.key.y_is_odd());
    session.write(Session { values, tweak }.save());
    1
}

/// A partial signature, which zeroes the secret nonce, also where it fails.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_partial_sign(
    ctx: Ctx,
    partial: Out<PartialBytes>,
    nonce: Out<NonceBytes>,
    keypair: In<KeypairBytes>,
    cache: In<CacheBytes>,
    session: In<SessionBytes>,
) -> c_int {
    check!(ctx, !nonce.is_null(), c"secnonce != NULL");
    cleared(|| {
        let mut bytes = nonce.read();
        let loaded = load_secret_nonce(ctx, &bytes);
        wipe(&mut bytes);
        nonce.write(bytes);
        let Some((k, key)) = loaded else { return 0 };
        check!(ctx, !partial.is_null(), c"partial_sig != NULL");
        check!(ctx, !keypair.is_null(), c"keypair != NULL");
        check!(ctx, !cache.is_null(), c"keyagg_cache != NULL");
        check!(ctx, !session.is_null(), c"session != NULL");
        let mut bytes = keypair.read();
        let pair = Pair::load(ctx, &bytes);
        wipe(&mut bytes);
        let Some(Pair { secret, point }) = pair else { return 0 };
        check!(
            ctx,
            key.is_same(&point),
            c"secp256k1_fe_equal(&pk.x, &keypair_pk.x) && secp256k1_fe_equal(&pk.y, &keypair_pk.y)"
        );
        let Some(cache) = Cache::load(ctx, &cache.read()) else { return 0 };
        let coefficient = cache.coefficient(ctx.get().compression(), &key);
        let Some(Session { values, .. }) = Session::load(ctx, &session.read()) else { return 0 };
        let factor = values.challenge * coefficient;
        let s = bindings::partial(&k, &values.nonce_coefficient, values.negated, &factor, &secret.0);
        partial.write(save_partial(&s));
        1
    })
}

/// The two secret numbers, and the key that they sign for.
fn load_secret_nonce(ctx: Ctx, bytes: &NonceBytes) -> Option<(Zeroizing<[Scalar; 2]>, Coordinates)> {
    check!(
        ctx,
        part(bytes, 0) == SECRET_NONCE,
        c"secp256k1_memcmp_var(&secnonce->data[0], secp256k1_musig_secnonce_magic, 4) == 0",
        None
    );
    // Numbers of zero are those of a nonce that was used.
    let is_zero = is_zero(bytes[4..68].iter().copied());
    check!(ctx, !bool::from(declassify(ctx.get(), is_zero)), c"!is_zero", None);
    Some((Zeroizing::new([4, 36].map(|at| scalar(bytes, at))), Coordinates::read(&part(bytes, 68))))
}

/// Whether a partial signature is that of this key and nonce.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_partial_sig_verify(
    ctx: Ctx,
    partial: In<PartialBytes>,
    nonce: In<NonceBytes>,
    pubkey: In<PubkeyBytes>,
    cache: In<CacheBytes>,
    session: In<SessionBytes>,
) -> c_int {
    check!(ctx, !partial.is_null(), c"partial_sig != NULL");
    check!(ctx, !nonce.is_null(), c"pubnonce != NULL");
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    check!(ctx, !cache.is_null(), c"keyagg_cache != NULL");
    check!(ctx, !session.is_null(), c"session != NULL");
    let Some(Session { values, .. }) = Session::load(ctx, &session.read()) else { return 0 };
    let Some(nonce) = load_public_nonce(ctx, &nonce.read()) else { return 0 };
    let pubkey = pubkey.read();
    let Some(key) = Coordinates::load(ctx, &pubkey) else { return 0 };
    let Some(cache) = Cache::load(ctx, &cache.read()) else { return 0 };
    let coefficient = cache.coefficient(ctx.get().compression(), &key);
    let Some(s) = load_partial(ctx, &partial.read()) else { return 0 };
    let (Some(nonce), Some(key)) = (public_points(&nonce), point(&pubkey)) else { return 0 };
    values.hold(&nonce, &key, &coefficient, &s).into()
}

/// The signature of all partial signatures, valid if they are.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_partial_sig_agg(
    ctx: Ctx,
    signature: Out<[u8; 64]>,
    session: In<SessionBytes>,
    partials: In<In<PartialBytes>>,
    count: usize,
) -> c_int {
    check!(ctx, !signature.is_null(), c"sig64 != NULL");
    check!(ctx, !session.is_null(), c"session != NULL");
    check!(ctx, !partials.is_null(), c"partial_sigs != NULL");
    check!(ctx, count > 0, c"n_sigs > 0");
    for i in 0..count {
        check!(ctx, !partials.at(i).is_null(), c"partial_sigs[i] != NULL");
    }
    let Some(Session { values, tweak: mut s }) = Session::load(ctx, &session.read()) else { return 0 };
    for i in 0..count {
        let Some(partial) = load_partial(ctx, &partials.at(i).read()) else { return 0 };
        s += partial;
    }
    signature.write(joined(&[&values.r, &s.to_bytes()]));
    1
}
