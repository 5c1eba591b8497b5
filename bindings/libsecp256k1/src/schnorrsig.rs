//! BIP-340 signatures. Signing is constant time in the secret key and the nonce, verification is variable time.
#![allow(unsafe_code)]

use crate::{
    callbacks::{Compression, HardenedNonceFunction},
    context::{Ctx, check},
    declassify::declassify,
    keypair::Pair,
    nonce::{self, ALGORITHM},
    opaque::{Coordinates, KeypairBytes, PubkeyBytes, big_endian},
    secret::{Secret, affine, answer, or_zeros},
    wipe::{cleared, wipe},
};
use phalanx::{
    FieldElement, Point, PublicKey, Scalar,
    bindings::{hash_by, tags},
    subtle::{Choice, ConditionallyNegatable},
};
use phalanx_ffi::{
    Plain,
    by_copy::{In, Out},
};
use std::ffi::{c_int, c_void};
use zeroize::Zeroize;

/// What a program may choose: `secp256k1_schnorrsig_extraparams`.
#[derive(Clone, Copy)]
#[repr(C)]
struct ExtraParameters {
    magic: [u8; 4],
    function: Option<HardenedNonceFunction>,
    data: *mut c_void,
}

// SAFETY: a program fills the structure by a macro of the header, which gives the function null or a function.
unsafe impl Plain for ExtraParameters {}

const MAGIC: [u8; 4] = [0xda, 0x6f, 0xb3, 0x8c];

/// Signs a message of 32 bytes, with 32 bytes of auxiliary randomness or none.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_schnorrsig_sign32(
    ctx: Ctx,
    signature: Out<[u8; 64]>,
    message: In<u8>,
    keypair: In<KeypairBytes>,
    aux: In<[u8; 32]>,
) -> c_int {
    sign(ctx, signature, message, 32, keypair, None, aux.raw().cast_mut().cast())
}

/// Signs a message of any length, with nonces of the caller's function.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_schnorrsig_sign_custom(
    ctx: Ctx,
    signature: Out<[u8; 64]>,
    message: In<u8>,
    length: usize,
    keypair: In<KeypairBytes>,
    extra: In<ExtraParameters>,
) -> c_int {
    let (mut function, mut data) = (None, std::ptr::null_mut());
    if !extra.is_null() {
        let extra = extra.read();
        check!(
            ctx,
            extra.magic == MAGIC,
            c"secp256k1_memcmp_var(extraparams->magic, schnorrsig_extraparams_magic, sizeof(extraparams->magic)) == 0"
        );
        (function, data) = (extra.function, extra.data);
    }
    sign(ctx, signature, message, length, keypair, function, data)
}

fn sign(
    ctx: Ctx,
    signature: Out<[u8; 64]>,
    message: In<u8>,
    length: usize,
    keypair: In<KeypairBytes>,
    function: Option<HardenedNonceFunction>,
    data: *mut c_void,
) -> c_int {
    check!(ctx, ctx.get().is_proper(), c"secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)");
    check!(ctx, !signature.is_null(), c"sig64 != NULL");
    check!(ctx, !message.is_null() || length == 0, c"msg != NULL || msglen == 0");
    check!(ctx, !keypair.is_null(), c"keypair != NULL");
    cleared(|| {
        let mut bytes = keypair.read();
        let pair = Pair::load(ctx, &bytes);
        wipe(&mut bytes);
        let loaded = Choice::from(u8::from(pair.is_some()));
        // In the place of a pair that is none the one of 1, as in the original.
        let pair = pair.unwrap_or_else(|| Pair { secret: Secret(Scalar::ONE), point: generator() });
        let x = big_endian(pair.point.x);
        let pair = pair.negated_to_even();

        let nonce = derive(ctx, message, length, &pair, &x, function, data);
        let made = Choice::from(u8::from(nonce.is_some()));
        let mut nonce = nonce.unwrap_or_default();
        let k = Secret(Scalar::from_bytes_reduced(&nonce));
        nonce.zeroize();
        let valid = loaded & made & !k.0.is_zero();
        let mut k = k.or(Scalar::ONE, valid);

        // The nonce's point is the first half of the signature.
        let (rx, ry) = declassify(ctx.get(), affine(&ctx.get().mul_generator(&k.0)));
        k.0.conditional_negate(ry.is_odd());
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&rx.to_bytes());
        // Before the message is read again, which may overlap.
        signature.first().write_bytes(&bytes[..32]);
        let e = challenge(ctx.get().compression(), &rx.to_bytes(), &x, message, length);
        bytes[32..].copy_from_slice(&(k.0 + e * pair.secret.0).to_bytes());
        signature.write(or_zeros(bytes, valid));
        answer(valid)
    })
}

/// The nonce of the caller's function or of BIP-340.
fn derive(
    ctx: Ctx,
    message: In<u8>,
    length: usize,
    pair: &Pair,
    x: &[u8; 32],
    function: Option<HardenedNonceFunction>,
    data: *mut c_void,
) -> Option<[u8; 32]> {
    let mut key = pair.secret.0.to_bytes();
    let nonce = match nonce::other(function) {
        None => {
            // SAFETY: by the interface of this nonce function null or 32 bytes.
            let data = unsafe { data.cast::<[u8; 32]>().as_ref() }.copied();
            let compression = ctx.get().compression();
            Some(message.with_bytes(length, |message| nonce::bip340(compression, message, key, x, ALGORITHM, data)))
        }
        Some(function) => {
            let mut nonce = [0; 32];
            let (algorithm, algorithm_length) = (ALGORITHM.as_ptr(), ALGORITHM.len());
            // SAFETY: the program's own function, called as the interface says.
            let made = unsafe {
                let (key, x) = (key.as_ptr(), x.as_ptr());
                function(nonce.as_mut_ptr(), message.raw(), length, key, x, algorithm, algorithm_length, data)
            };
            (made != 0).then_some(nonce)
        }
    };
    wipe(&mut key);
    nonce
}

fn generator() -> Coordinates {
    Coordinates::of(&PublicKey::GENERATOR)
}

/// The challenge e: the hash under `BIP0340/challenge` of r, x and the message, modulo n.
fn challenge(compression: Compression, r: &[u8; 32], x: &[u8; 32], message: In<u8>, length: usize) -> Scalar {
    let hash = |message: &[u8]| hash_by(&tags::BIP340_CHALLENGE, compression, &[r, x, message]);
    Scalar::from_bytes_reduced(&message.with_bytes(length, hash))
}

/// Whether the signature is one of this message under this key.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_schnorrsig_verify(
    ctx: Ctx,
    signature: In<[u8; 64]>,
    message: In<u8>,
    length: usize,
    pubkey: In<PubkeyBytes>,
) -> c_int {
    check!(ctx, !signature.is_null(), c"sig64 != NULL");
    check!(ctx, !message.is_null() || length == 0, c"msg != NULL || msglen == 0");
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    let bytes = signature.read();
    let [r, s] = [0, 1].map(|i| bytes.as_chunks::<32>().0[i]);
    // The key is not looked at where the signature alone decides.
    let (Ok(rx), Ok(s)) = (FieldElement::from_bytes(&r), Scalar::from_bytes(&s)) else { return 0 };
    let Some(point) = Coordinates::load(ctx, &pubkey.read()) else { return 0 };
    let Some(key) = point.key() else { return 0 };
    let e = challenge(ctx.get().compression(), &r, &big_endian(point.x), message, length);
    let nonce = Point::double_mul_vartime(&-e, &Point::from(key), &s).to_affine_vartime();
    nonce.is_some_and(|(x, y)| x == rx && !bool::from(y.is_odd())).into()
}
