//! Aggregation of keys, and tweaks of the aggregate. Variable time: keys and tweaks are public.
#![allow(unsafe_code)]

use super::structures::{Cache, CacheBytes, INFINITY, coefficient};
use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
    pubkey::{NO_PUBKEY, compressed},
    xonly::even,
};
use phalanx::{
    Point, Scalar,
    bindings::{add_key_vartime, hasher, key_of_vartime, tags},
};
use phalanx_ffi::by_copy::{In, Out};
use phalanx_musig::bindings::Tweaks;
use std::ffi::c_int;

/// Aggregates keys in their order.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_pubkey_agg(
    ctx: Ctx,
    xonly: Out<PubkeyBytes>,
    cache: Out<CacheBytes>,
    keys: In<In<PubkeyBytes>>,
    count: usize,
) -> c_int {
    if !xonly.is_null() {
        xonly.write(NO_PUBKEY);
    }
    check!(ctx, !keys.is_null(), c"pubkeys != NULL");
    check!(ctx, count > 0, c"n_pubkeys > 0");
    for i in 0..count {
        check!(ctx, !keys.at(i).is_null(), c"pubkeys[i] != NULL");
    }
    let Some(aggregated) = aggregate(ctx, keys, count) else { return 0 };
    if !cache.is_null() {
        cache.write(aggregated.save());
    }
    if !xonly.is_null() {
        xonly.write(even(&aggregated.key).0.save());
    }
    1
}

fn aggregate(ctx: Ctx, keys: In<In<PubkeyBytes>>, count: usize) -> Option<Cache> {
    let compression = ctx.get().compression();
    let first = keys.at(0).read();
    let second = (1..count).map(|i| keys.at(i).read()).find(|key| *key != first);
    // Reported here before the hash begins, and once more in the hash for keys before it.
    let second = match second {
        Some(second) => Coordinates::load(ctx, &second)?.reduced().save(),
        None => INFINITY,
    };
    let mut hash = hasher(&tags::MUSIG_KEY_LIST, compression);
    for i in 0..count {
        hash.update_uncleared(&compressed(&Coordinates::load(ctx, &keys.at(i).read())?));
    }
    let list = hash.finish_uncleared();
    let mut sum = Point::IDENTITY;
    for i in 0..count {
        let key = Coordinates::read(&keys.at(i).read());
        let coefficient = coefficient(compression, &list, &key, &second);
        let key = key.key()?;
        match coefficient == Scalar::ONE {
            true => sum = add_key_vartime(&sum, &key),
            false => sum += Point::from(key).mul_vartime(&coefficient),
        }
    }
    let key = Coordinates::of(&key_of_vartime(&sum)?);
    Some(Cache { key, second, list, tweaks: Tweaks::NONE })
}

/// The aggregate key with all tweaks.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_pubkey_get(ctx: Ctx, pubkey: Out<PubkeyBytes>, cache: In<CacheBytes>) -> c_int {
    check!(ctx, !pubkey.is_null(), c"agg_pk != NULL");
    pubkey.write(NO_PUBKEY);
    check!(ctx, !cache.is_null(), c"keyagg_cache != NULL");
    let Some(cache) = Cache::load(ctx, &cache.read()) else { return 0 };
    pubkey.write(cache.key.reduced().save());
    1
}

/// Adds t G to the aggregate key.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_pubkey_ec_tweak_add(
    ctx: Ctx,
    pubkey: Out<PubkeyBytes>,
    cache: Out<CacheBytes>,
    tweak: In<[u8; 32]>,
) -> c_int {
    add(ctx, pubkey, cache, tweak, false)
}

/// Adds t G to the point with even y that the aggregate's x stands for.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_pubkey_xonly_tweak_add(
    ctx: Ctx,
    pubkey: Out<PubkeyBytes>,
    cache: Out<CacheBytes>,
    tweak: In<[u8; 32]>,
) -> c_int {
    add(ctx, pubkey, cache, tweak, true)
}

/// Leaves the cache alone where there is no such key.
fn add(ctx: Ctx, pubkey: Out<PubkeyBytes>, cache: Out<CacheBytes>, tweak: In<[u8; 32]>, is_x_only: bool) -> c_int {
    if !pubkey.is_null() {
        pubkey.write(NO_PUBKEY);
    }
    check!(ctx, !cache.is_null(), c"keyagg_cache != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    let Some(mut loaded) = Cache::load(ctx, &cache.read()) else { return 0 };
    let key = loaded.key.key().and_then(|key| loaded.tweaks.apply(&key, &tweak.read(), is_x_only));
    let Some(key) = key else { return 0 };
    loaded.key = Coordinates::of(&key);
    cache.write(loaded.save());
    if !pubkey.is_null() {
        pubkey.write(loaded.key.save());
    }
    1
}
