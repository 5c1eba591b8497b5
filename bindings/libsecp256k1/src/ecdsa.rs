//! ECDSA verification. Variable time: everything here is public.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, Numbers, PubkeyBytes, SignatureBytes},
};
use phalanx::{LowS, ecdsa};
use phalanx_ffi::by_copy::In;
use std::ffi::c_int;

/// Whether the signature is one of this digest under this key, with s at most n/2.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_verify(
    ctx: Ctx,
    signature: In<SignatureBytes>,
    digest: In<[u8; 32]>,
    pubkey: In<PubkeyBytes>,
) -> c_int {
    check!(ctx, !digest.is_null(), c"msghash32 != NULL");
    check!(ctx, !signature.is_null(), c"sig != NULL");
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    let numbers = Numbers::load(&signature.read());
    // The key is not looked at where s alone decides.
    if numbers.is_high() {
        return 0;
    }
    let Some(point) = Coordinates::load(ctx, &pubkey.read()) else { return 0 };
    let (Some(signature), Some(key)) = (numbers.signature(), point.key()) else { return 0 };
    ecdsa::verify(&digest.read(), &signature, &key, LowS::Require).is_ok().into()
}
