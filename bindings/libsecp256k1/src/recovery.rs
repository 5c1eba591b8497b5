//! ECDSA signatures from which the public key can be found.
#![allow(unsafe_code)]

use crate::{
    callbacks::NonceFunction,
    context::{Ctx, check},
    opaque::{Coordinates, Numbers, PubkeyBytes, RecoverableBytes, SignatureBytes},
    pubkey::finish,
    sign::Request,
};
use phalanx::ecdsa::{self, RecoveryId};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::{c_int, c_void};

/// Reads r and s, of 32 bytes each, and takes the id.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_recoverable_signature_parse_compact(
    ctx: Ctx,
    signature: Out<RecoverableBytes>,
    input: In<[u8; 64]>,
    id: c_int,
) -> c_int {
    check!(ctx, !signature.is_null(), c"sig != NULL");
    check!(ctx, !input.is_null(), c"input64 != NULL");
    check!(ctx, (0..=3).contains(&id), c"recid >= 0 && recid <= 3");
    let numbers = Numbers::from_compact(&input.read());
    signature.write(numbers.map_or([0; 65], |numbers| numbers.save_recoverable(id as u8)));
    numbers.is_some().into()
}

/// Writes r and s, of 32 bytes each, and gives the id.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_recoverable_signature_serialize_compact(
    ctx: Ctx,
    output: Out<[u8; 64]>,
    id: Out<c_int>,
    signature: In<RecoverableBytes>,
) -> c_int {
    check!(ctx, !output.is_null(), c"output64 != NULL");
    check!(ctx, !signature.is_null(), c"sig != NULL");
    check!(ctx, !id.is_null(), c"recid != NULL");
    let (numbers, number) = Numbers::load_recoverable(&signature.read());
    id.write(number.into());
    output.write(numbers.compact());
    1
}

/// The signature without its id.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_recoverable_signature_convert(
    ctx: Ctx,
    signature: Out<SignatureBytes>,
    input: In<RecoverableBytes>,
) -> c_int {
    check!(ctx, !signature.is_null(), c"sig != NULL");
    check!(ctx, !input.is_null(), c"sigin != NULL");
    signature.write(Numbers::load_recoverable(&input.read()).0.save());
    1
}

/// Signs a digest.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_sign_recoverable(
    ctx: Ctx,
    signature: Out<RecoverableBytes>,
    digest: In<[u8; 32]>,
    seckey: In<[u8; 32]>,
    function: Option<NonceFunction>,
    data: *const c_void,
) -> c_int {
    Request { ctx, digest, seckey, function, data }.answer(signature.is_null()).map_or(0, |signed| {
        signature.write(signed.numbers.save_recoverable(signed.id));
        signed.answer()
    })
}

/// The public key under which the signature verifies; zeros where there is none. Variable time.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_recover(
    ctx: Ctx,
    pubkey: Out<PubkeyBytes>,
    signature: In<RecoverableBytes>,
    digest: In<[u8; 32]>,
) -> c_int {
    check!(ctx, !digest.is_null(), c"msghash32 != NULL");
    check!(ctx, !signature.is_null(), c"signature != NULL");
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    let (numbers, id) = Numbers::load_recoverable(&signature.read());
    let key = numbers.signature().zip(RecoveryId::from_u8(id & 3).ok());
    let key = key.and_then(|(signature, id)| ecdsa::recover(&digest.read(), &signature, id).ok());
    finish(pubkey, key.map(|key| Coordinates::of(&key)))
}
