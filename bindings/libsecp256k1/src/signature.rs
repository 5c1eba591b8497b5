//! ECDSA signatures: reading, writing, the smaller s. Variable time: a signature is public.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    der,
    opaque::{Numbers, SignatureBytes, big_endian},
};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

/// Reads DER.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_signature_parse_der(
    ctx: Ctx,
    signature: Out<SignatureBytes>,
    input: In<u8>,
    length: usize,
) -> c_int {
    check!(ctx, !signature.is_null(), c"sig != NULL");
    check!(ctx, !input.is_null(), c"input != NULL");
    let numbers = input.with_bytes(length, der::parse);
    finish(signature, numbers.map(|[r, s]| Numbers::of(&r, &s)))
}

/// Reads r and s, of 32 bytes each. Zeros are read too; they verify nothing.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_signature_parse_compact(
    ctx: Ctx,
    signature: Out<SignatureBytes>,
    input: In<[u8; 64]>,
) -> c_int {
    check!(ctx, !signature.is_null(), c"sig != NULL");
    check!(ctx, !input.is_null(), c"input64 != NULL");
    finish(signature, Numbers::from_compact(&input.read()))
}

fn finish(signature: Out<SignatureBytes>, numbers: Option<Numbers>) -> c_int {
    signature.write(numbers.map_or([0; 64], |numbers| numbers.save()));
    numbers.is_some().into()
}

/// Writes DER, or where there is no room the length that it needs.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_signature_serialize_der(
    ctx: Ctx,
    output: Out<u8>,
    length: Out<usize>,
    signature: In<SignatureBytes>,
) -> c_int {
    check!(ctx, !output.is_missing(), c"output != NULL");
    check!(ctx, !length.is_null(), c"outputlen != NULL");
    check!(ctx, !signature.is_null(), c"sig != NULL");
    let Numbers { r, s } = Numbers::load(&signature.read());
    let (bytes, needed) = der::serialize([&big_endian(r), &big_endian(s)]);
    let fits = length.read() >= needed;
    length.write(needed);
    if fits {
        output.write_bytes(&bytes[..needed]);
    }
    fits.into()
}

/// Writes r and s, of 32 bytes each.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_signature_serialize_compact(
    ctx: Ctx,
    output: Out<[u8; 64]>,
    signature: In<SignatureBytes>,
) -> c_int {
    check!(ctx, !output.is_null(), c"output64 != NULL");
    check!(ctx, !signature.is_null(), c"sig != NULL");
    output.write(Numbers::load(&signature.read()).compact());
    1
}

/// Whether s is above n/2; and, where there is a place for it, the signature with the smaller of s and n - s.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_signature_normalize(
    ctx: Ctx,
    output: Out<SignatureBytes>,
    input: In<SignatureBytes>,
) -> c_int {
    check!(ctx, !input.is_null(), c"sigin != NULL");
    let numbers = Numbers::load(&input.read());
    let high = numbers.is_high();
    if !output.is_null() {
        let normal = if high { numbers.negated() } else { numbers };
        output.write(normal.save());
    }
    high.into()
}
