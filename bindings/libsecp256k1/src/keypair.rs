//! Key pairs. Constant time in the secret key, in whether it is valid, and in the tweak but for whether it fits.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    declassify::declassify,
    opaque::{Coordinates, KeypairBytes, PubkeyBytes, keypair_of, keypair_parts},
    pubkey::{NO_PUBKEY, of_secret, tweak_add},
    seckey,
    secret::{Secret, answer, or_zeros},
    wipe::{cleared, wipe},
    xonly::write_even,
};
use phalanx::subtle::{Choice, ConditionallyNegatable};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;
use zeroize::Zeroize;

/// A pair as functions load it: the secret scalar, and the point's coordinates.
pub(crate) struct Pair {
    pub(crate) secret: Secret,
    pub(crate) point: Coordinates,
}

impl Pair {
    /// Reads a structure. Reports an illegal argument where it holds no key, as after a function failed.
    pub(crate) fn load(ctx: Ctx, bytes: &KeypairBytes) -> Option<Pair> {
        let (secret, _) = keypair_parts(bytes);
        let point = load_point(ctx, bytes)?;
        let (secret, valid) = Secret::key(secret);
        // Only a failed function leaves an invalid key, and it has told.
        if !bool::from(declassify(ctx.get(), valid)) {
            ctx.illegal(c"ret");
            return None;
        }
        Some(Pair { secret, point })
    }

    /// The pair whose point has an even y.
    pub(crate) fn negated_to_even(mut self) -> Pair {
        let odd = self.point.y_is_odd();
        self.secret.0.conditional_negate(Choice::from(u8::from(odd)));
        if odd {
            self.point = self.point.negated();
        }
        self
    }
}

/// The public key of a structure.
fn load_point(ctx: Ctx, bytes: &KeypairBytes) -> Option<Coordinates> {
    // The public key is public, but for a checker it stands beside the secret key.
    let public = declassify(ctx.get(), *keypair_parts(bytes).1);
    Coordinates::load(ctx, &public)
}

/// The pair of a secret key; zeros where that is none.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_keypair_create(ctx: Ctx, keypair: Out<KeypairBytes>, seckey: In<[u8; 32]>) -> c_int {
    check!(ctx, !keypair.is_null(), c"keypair != NULL");
    keypair.write([0; 96]);
    check!(ctx, ctx.get().is_proper(), c"secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)");
    check!(ctx, !seckey.is_null(), c"seckey32 != NULL");
    cleared(|| {
        let mut bytes = seckey.read();
        let (secret, public, valid) = of_secret(ctx, &bytes);
        bytes = secret.0.to_bytes();
        let mut pair = or_zeros(keypair_of(&bytes, &public), valid);
        keypair.write(pair);
        wipe(&mut pair);
        wipe(&mut bytes);
        answer(valid)
    })
}

/// The secret key, whatever the structure holds.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_keypair_sec(ctx: Ctx, seckey: Out<[u8; 32]>, keypair: In<KeypairBytes>) -> c_int {
    check!(ctx, !seckey.is_null(), c"seckey != NULL");
    seckey.write([0; 32]);
    check!(ctx, !keypair.is_null(), c"keypair != NULL");
    cleared(|| {
        let mut bytes = keypair.read();
        seckey.write(*keypair_parts(&bytes).0);
        wipe(&mut bytes);
    });
    1
}

/// The public key, whatever the structure holds.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_keypair_pub(ctx: Ctx, pubkey: Out<PubkeyBytes>, keypair: In<KeypairBytes>) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    pubkey.write(NO_PUBKEY);
    check!(ctx, !keypair.is_null(), c"keypair != NULL");
    cleared(|| {
        let mut bytes = keypair.read();
        pubkey.write(*keypair_parts(&bytes).1);
        wipe(&mut bytes);
    });
    1
}

/// The x-only public key, and whether y is odd.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_keypair_xonly_pub(
    ctx: Ctx,
    pubkey: Out<PubkeyBytes>,
    parity: Out<c_int>,
    keypair: In<KeypairBytes>,
) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    pubkey.write(NO_PUBKEY);
    check!(ctx, !keypair.is_null(), c"keypair != NULL");
    cleared(|| {
        let mut bytes = keypair.read();
        let point = load_point(ctx, &bytes);
        wipe(&mut bytes);
        point.map_or(0, |point| write_even(pubkey, parity, &point))
    })
}

/// The pair whose x-only public key is that of this pair plus t G, in its place; zeros where there is none.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_keypair_xonly_tweak_add(ctx: Ctx, keypair: Out<KeypairBytes>, tweak: In<[u8; 32]>) -> c_int {
    check!(ctx, !keypair.is_null(), c"keypair != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    cleared(|| {
        let mut bytes = keypair.read();
        let pair = Pair::load(ctx, &bytes);
        wipe(&mut bytes);
        // Before the tweak is read, which may overlap.
        keypair.write(bytes);
        let Some(pair) = pair.map(Pair::negated_to_even) else { return 0 };
        let tweak = tweak.read();
        let (sum, fits) = seckey::add(pair.secret.0, tweak);
        let sum = Secret(sum);
        let public = tweak_add(&pair.point, &tweak);
        let (true, Some(public)) = (declassify(ctx.get(), fits).into(), public) else { return 0 };
        let mut secret = sum.0.to_bytes();
        bytes = keypair_of(&secret, &public.save());
        keypair.write(bytes);
        wipe(&mut bytes);
        secret.zeroize();
        1
    })
}
