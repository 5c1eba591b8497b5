//! Nonces of one signer, and their sum. Constant time in the randomness, the secret key and whether that is valid.
#![allow(unsafe_code)]

use super::structures::{
    Cache, CacheBytes, NonceBytes, SECRET_NONCE, joined, load_public_nonce, part, public_points, save_aggregate_nonce,
    save_public_nonce, structure,
};
use crate::{
    callbacks::Compression,
    context::{Ctx, check},
    declassify::declassify,
    opaque::{Coordinates, KeypairBytes, PubkeyBytes, keypair_parts},
    pubkey::compressed,
    secret::{Secret, answer, is_zero, or_zeros},
    wipe::{cleared, cleared_inversion, wipe},
};
use phalanx::{Point, Scalar, subtle::Choice};
use phalanx_ffi::by_copy::{In, Out};
use phalanx_musig::{
    NonceInputs,
    bindings::{NonceSum, masked, nonce_hash, numbers},
};
use std::ffi::c_int;
use zeroize::{Zeroize, Zeroizing};

/// What a nonce is made of besides randomness and keys. Each may be absent.
#[derive(Clone, Copy)]
struct Inputs {
    message: In<[u8; 32]>,
    cache: In<CacheBytes>,
    extra: In<[u8; 32]>,
}

/// Where a nonce goes.
#[derive(Clone, Copy)]
struct Outputs {
    secret: Out<NonceBytes>,
    public: Out<NonceBytes>,
}

/// A nonce from randomness, which is zeroed if all goes well.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_nonce_gen(
    ctx: Ctx,
    secret: Out<NonceBytes>,
    public: Out<NonceBytes>,
    randomness: Out<[u8; 32]>,
    seckey: In<[u8; 32]>,
    pubkey: In<PubkeyBytes>,
    message: In<[u8; 32]>,
    cache: In<CacheBytes>,
    extra: In<[u8; 32]>,
) -> c_int {
    check!(ctx, !secret.is_null(), c"secnonce != NULL");
    secret.write([0; 132]);
    check!(ctx, !randomness.is_null(), c"session_secrand32 != NULL");
    let is_zero = cleared(|| {
        let mut bytes = randomness.read();
        let is_zero = is_zero(bytes.iter().copied());
        wipe(&mut bytes);
        is_zero
    });
    // Only randomness that was used, or is none, is zero.
    if declassify(ctx.get(), is_zero).into() {
        return 0;
    }
    let outputs = Outputs { secret, public };
    let read_seckey = || (!seckey.is_null()).then(|| seckey.read());
    let read_pubkey = || (!pubkey.is_null()).then(|| pubkey.read());
    let inputs = Inputs { message, cache, extra };
    cleared_inversion(|| {
        let Some(made) = make(ctx, outputs, || randomness.read(), read_seckey, read_pubkey, inputs) else { return 0 };
        let mut bytes = or_zeros(randomness.read(), !made);
        randomness.write(bytes);
        wipe(&mut bytes);
        answer(made)
    })
}

/// A nonce from a counter that never repeats, and a secret key.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_nonce_gen_counter(
    ctx: Ctx,
    secret: Out<NonceBytes>,
    public: Out<NonceBytes>,
    counter: u64,
    keypair: In<KeypairBytes>,
    message: In<[u8; 32]>,
    cache: In<CacheBytes>,
    extra: In<[u8; 32]>,
) -> c_int {
    check!(ctx, !secret.is_null(), c"secnonce != NULL");
    secret.write([0; 132]);
    check!(ctx, !keypair.is_null(), c"keypair != NULL");
    let outputs = Outputs { secret, public };
    let inputs = Inputs { message, cache, extra };
    cleared_inversion(|| {
        let mut pair = keypair.read();
        let (seckey, pubkey) = keypair_parts(&pair);
        let randomness = || joined(&[&counter.to_be_bytes(), &[0; 24]]);
        let made = make(ctx, outputs, randomness, || Some(*seckey), || Some(*pubkey), inputs);
        wipe(&mut pair);
        made.map_or(0, answer)
    })
}

/// Writes a nonce; tells whether the secret key is valid, where there is one. None where something is reported. What is
/// read is read in the order of the original, since buffers may overlap.
fn make(
    ctx: Ctx,
    outputs: Outputs,
    randomness: impl FnOnce() -> [u8; 32],
    seckey: impl Fn() -> Option<[u8; 32]>,
    pubkey: impl FnOnce() -> Option<PubkeyBytes>,
    inputs: Inputs,
) -> Option<Choice> {
    let context = ctx.get();
    check!(ctx, !outputs.public.is_null(), c"pubnonce != NULL", None);
    outputs.public.write([0; 132]);
    let pubkey = pubkey();
    check!(ctx, pubkey.is_some(), c"pubkey != NULL", None);
    check!(ctx, context.is_proper(), c"secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)", None);
    let valid = match seckey() {
        Some(mut bytes) => {
            let (_, valid) = Secret::key(&bytes);
            wipe(&mut bytes);
            valid
        }
        None => Choice::from(1),
    };
    let x = match inputs.cache.is_null() {
        true => None,
        false => Some(Cache::load(ctx, &inputs.cache.read())?.x()),
    };
    let key = Coordinates::load(ctx, &pubkey?)?.reduced();
    let mut k = Zeroizing::new([Scalar::ZERO; 2]);
    derive(context.compression(), randomness(), seckey(), &compressed(&key), x, inputs, &mut k);

    let [mut k1, mut k2] = k.each_ref().map(Scalar::to_bytes);
    let mut bytes = or_zeros(joined(&[&SECRET_NONCE, &k1, &k2, &key.save()]), valid);
    // Whether the secret key is valid shows in what is no secret.
    let (magic, place) = (declassify(context, part::<4>(&bytes, 0)), declassify(context, part::<64>(&bytes, 68)));
    bytes[..4].copy_from_slice(&magic);
    bytes[68..].copy_from_slice(&place);
    outputs.secret.write(bytes);
    wipe(&mut bytes);
    wipe(&mut k1);
    wipe(&mut k2);

    let points = Point::batch_to_affine(&k.each_ref().map(|k| context.mul_generator(k)));
    let public = [0, 1].map(|i| {
        let (x, y) = points[i].unwrap_or_default();
        declassify(context, Coordinates::of_elements(&x, &y).save())
    });
    outputs.public.write(save_public_nonce(&public));
    Some(valid)
}

/// Writes the two secret numbers.
fn derive(
    compression: Compression,
    mut randomness: [u8; 32],
    seckey: Option<[u8; 32]>,
    pubkey: &[u8; 33],
    aggregate_key: Option<[u8; 32]>,
    inputs: Inputs,
    k: &mut [Scalar; 2],
) {
    let mut mask = masked(compression, &randomness, seckey);
    wipe(&mut randomness);
    let read = |input: In<[u8; 32]>| (!input.is_null()).then(|| input.read());
    let (message, mut extra) = (read(inputs.message), read(inputs.extra));
    let given = NonceInputs {
        secret_key: None,
        aggregate_key,
        message: message.as_ref().map(|message| &message[..]),
        extra: extra.as_ref().map_or(&[], |extra| extra),
    };
    let hash = nonce_hash(compression, &mask, pubkey, &given);
    wipe(&mut mask);
    extra.zeroize();
    numbers(&hash, k);
}

/// The sum of public nonces.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_nonce_agg(
    ctx: Ctx,
    aggregate: Out<NonceBytes>,
    nonces: In<In<NonceBytes>>,
    count: usize,
) -> c_int {
    check!(ctx, !aggregate.is_null(), c"aggnonce != NULL");
    check!(ctx, !nonces.is_null(), c"pubnonces != NULL");
    check!(ctx, count > 0, c"n_pubnonces > 0");
    for i in 0..count {
        check!(ctx, !nonces.at(i).is_null(), c"pubnonces[i] != NULL");
    }
    let (mut sum, mut are_points) = (NonceSum::default(), true);
    for i in 0..count {
        let Some(nonce) = load_public_nonce(ctx, &nonces.at(i).read()) else { return 0 };
        match public_points(&nonce) {
            Some(points) => sum.add(points),
            None => are_points = false,
        }
    }
    if !are_points {
        return 0;
    }
    aggregate.write(save_aggregate_nonce(&sum.finish().map(structure)));
    1
}
