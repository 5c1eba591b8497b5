//! Aggregation of keys, and tweaks of the aggregate. Variable time: keys and tweaks are public.
#![allow(unsafe_code)]

use super::structures::{Cache, CacheBytes, INFINITY, coefficient};
use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
    pubkey::{NO_PUBKEY, compressed, tweak_add},
    sha256::Sha256,
    xonly::even,
};
use phalanx::{Point, Scalar};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

/// The state after the hash of `KeyAgg list`, twice.
const LIST: [u32; 8] =
    [0xb399_d5e0, 0xc8ff_f302, 0x6bad_ac71, 0x07c5_b7f1, 0x9701_e2ef, 0x2a72_ecf8, 0x201a_4c7b, 0xab14_8a38];

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
    let mut hash = Sha256::after_block(LIST, compression);
    for i in 0..count {
        hash.update(&compressed(&Coordinates::load(ctx, &keys.at(i).read())?));
    }
    let list = hash.finish();
    let mut sum = Point::IDENTITY;
    for i in 0..count {
        let key = Coordinates::read(&keys.at(i).read());
        let coefficient = coefficient(compression, &list, &key, &second);
        let key = Point::from(key.key()?);
        sum += if coefficient == Scalar::ONE { key } else { key.mul_vartime(&coefficient) };
    }
    let (x, y) = sum.to_affine_vartime()?;
    let key = Coordinates::of_elements(&x, &y);
    Some(Cache { key, second, list, negated: false, tweak: Scalar::ZERO })
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
    add(ctx, pubkey, cache, tweak, |_| false)
}

/// Adds t G to the point with even y that the aggregate's x stands for.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_pubkey_xonly_tweak_add(
    ctx: Ctx,
    pubkey: Out<PubkeyBytes>,
    cache: Out<CacheBytes>,
    tweak: In<[u8; 32]>,
) -> c_int {
    add(ctx, pubkey, cache, tweak, Coordinates::y_is_odd)
}

/// Leaves the cache alone where there is no such key.
fn add(
    ctx: Ctx,
    pubkey: Out<PubkeyBytes>,
    cache: Out<CacheBytes>,
    tweak: In<[u8; 32]>,
    negates: fn(&Coordinates) -> bool,
) -> c_int {
    if !pubkey.is_null() {
        pubkey.write(NO_PUBKEY);
    }
    check!(ctx, !cache.is_null(), c"keyagg_cache != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    let Some(mut loaded) = Cache::load(ctx, &cache.read()) else { return 0 };
    let tweak = tweak.read();
    let Some(number) = Scalar::from_bytes(&tweak) else { return 0 };
    if negates(&loaded.key) {
        loaded.key = loaded.key.negated();
        loaded.negated = !loaded.negated;
        loaded.tweak = -loaded.tweak;
    }
    let Some(key) = tweak_add(&loaded.key, &tweak) else { return 0 };
    loaded.key = key;
    loaded.tweak += number;
    cache.write(loaded.save());
    if !pubkey.is_null() {
        pubkey.write(key.save());
    }
    1
}
