//! ECDSA signing: nonces of the caller's function or of RFC 6979, low s. Constant time in the key, in whether it is
//! valid, and in the nonce.
#![allow(unsafe_code)]

use crate::{
    callbacks::{Compression, NonceFunction, other_than},
    context::{Ctx, check},
    declassify::declassify,
    opaque::{Numbers, SignatureBytes},
    rfc6979::Generator,
    secret::{Secret, affine, answer},
    wipe::{cleared, wipe},
};
use phalanx::{
    Scalar,
    subtle::{Choice, ConditionallyNegatable, ConditionallySelectable, ConstantTimeEq},
};
use phalanx_ffi::by_copy::{In, Out};
use std::{
    ffi::{c_int, c_uint, c_void},
    ptr,
};
use zeroize::Zeroize;

/// The nonces of RFC 6979.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static secp256k1_nonce_function_rfc6979: NonceFunction = nonce_function_rfc6979;
/// The same.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static secp256k1_nonce_function_default: NonceFunction = nonce_function_rfc6979;

unsafe extern "C-unwind" fn nonce_function_rfc6979(
    nonce: *mut u8,
    digest: *const u8,
    key: *const u8,
    algorithm: *const u8,
    data: *mut c_void,
    attempt: c_uint,
) -> c_int {
    // SAFETY: the interface of nonce functions: 32 bytes that can be written, 32 bytes each of digest and key; 16 bytes
    // of algorithm and 32 bytes of data, or null.
    let (digest, key, algorithm, data) = unsafe {
        let data = data.cast::<[u8; 32]>().as_ref().copied();
        (*digest.cast::<[u8; 32]>(), *key.cast::<[u8; 32]>(), algorithm.cast::<[u8; 16]>().as_ref().copied(), data)
    };
    cleared(|| {
        let mut drawn = rfc6979(Compression::BUILT_IN, digest, key, algorithm, data, attempt);
        // SAFETY: as above.
        unsafe { nonce.cast::<[u8; 32]>().write(drawn) };
        wipe(&mut drawn);
    });
    1
}

/// The nonce after `attempt` others, in range or not.
fn rfc6979(
    compression: Compression,
    digest: [u8; 32],
    mut key: [u8; 32],
    algorithm: Option<[u8; 16]>,
    data: Option<[u8; 32]>,
    attempt: c_uint,
) -> [u8; 32] {
    let digest = Scalar::from_bytes_reduced(&digest).to_bytes();
    let data: &[u8] = data.as_ref().map_or(&[], |data| data);
    let algorithm: &[u8] = algorithm.as_ref().map_or(&[], |algorithm| algorithm);
    let mut generator = Generator::new(compression, &[&key, &digest, data, algorithm]);
    wipe(&mut key);
    for _ in 0..attempt {
        generator.draw().zeroize();
    }
    generator.draw()
}

/// A signature, its recovery id, and whether it is one. Zeros where it is none.
pub(crate) struct Signed {
    pub(crate) numbers: Numbers,
    pub(crate) id: u8,
    valid: Choice,
}

impl Signed {
    pub(crate) fn answer(&self) -> c_int {
        answer(self.valid)
    }
}

/// What is signed, and how nonces are found.
pub(crate) struct Request {
    pub(crate) ctx: Ctx,
    pub(crate) digest: In<[u8; 32]>,
    pub(crate) seckey: In<[u8; 32]>,
    pub(crate) function: Option<NonceFunction>,
    pub(crate) data: *const c_void,
}

impl Request {
    /// Checks what the interface asks of the arguments, and signs.
    pub(crate) fn answer(&self, no_output: bool) -> Option<Signed> {
        let ctx = self.ctx;
        check!(ctx, ctx.get().is_proper(), c"secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)", None);
        check!(ctx, !self.digest.is_null(), c"msghash32 != NULL", None);
        check!(ctx, !no_output, c"signature != NULL", None);
        check!(ctx, !self.seckey.is_null(), c"seckey != NULL", None);
        Some(cleared(|| self.sign()))
    }

    /// Signs. Nonce functions are asked also where the key is none, so that the time does not tell.
    fn sign(&self) -> Signed {
        let context = self.ctx.get();
        let mut bytes = self.seckey.read();
        let (key, valid_key) = Secret::key(&bytes);
        wipe(&mut bytes);
        let key = key.or(Scalar::ONE, valid_key);
        let z = Scalar::from_bytes_reduced(&self.digest.read());
        let mut attempt = 0;
        let made = loop {
            let Some(mut nonce) = self.nonce(attempt) else { break None };
            let (k, in_range) = Secret::key(&nonce);
            nonce.zeroize();
            // A nonce that is refused is not used, and is less likely than 1 to 2^127.
            if declassify(context, in_range).into() {
                let made = self.finish(&key, &z, &k);
                // The signature is no longer a secret, nor is whether there is one.
                if declassify(context, made.valid).into() {
                    break Some(made);
                }
            }
            attempt = c_uint::wrapping_add(attempt, 1);
        };
        // Whether the key was valid stays a secret.
        let made = made.unwrap_or(Signed { numbers: Numbers { r: [0; 4], s: [0; 4] }, id: 0, valid: Choice::from(0) });
        let valid = made.valid & valid_key;
        let number = |limbs: [u64; 4]| limbs.map(|limb| u64::conditional_select(&0, &limb, valid));
        let numbers = Numbers { r: number(made.numbers.r), s: number(made.numbers.s) };
        Signed { numbers, id: u8::conditional_select(&0, &made.id, valid), valid }
    }

    fn nonce(&self, attempt: c_uint) -> Option<[u8; 32]> {
        let Some(function) = other_than(secp256k1_nonce_function_rfc6979, self.function, ptr::fn_addr_eq) else {
            // SAFETY: by the interface of this nonce function null or 32 bytes.
            let data = unsafe { self.data.cast::<[u8; 32]>().as_ref() }.copied();
            let compression = self.ctx.get().compression();
            return Some(rfc6979(compression, self.digest.read(), self.seckey.read(), None, data, attempt));
        };
        let mut nonce = [0; 32];
        let (digest, key) = (self.digest.raw().cast(), self.seckey.raw().cast());
        // SAFETY: the program's own function, called as the interface says.
        let made = unsafe { function(nonce.as_mut_ptr(), digest, key, ptr::null(), self.data.cast_mut(), attempt) };
        (made != 0).then_some(nonce)
    }

    /// r = x mod n, s = (z + r d) / k or its negative. Constant time.
    fn finish(&self, key: &Secret, z: &Scalar, k: &Secret) -> Signed {
        let (x, y) = affine(&self.ctx.get().mul_generator(&k.0));
        let x = x.to_bytes();
        let r = Scalar::from_bytes_reduced(&x);
        let overflowed = !r.to_bytes()[..].ct_eq(&x[..]);
        let mut inverse = k.0.invert_or_zero();
        let mut s = inverse * (z + r * key.0);
        inverse.zeroize();
        let high = s.is_high();
        s.conditional_negate(high);
        let id = (y.is_odd() ^ high).unwrap_u8() | overflowed.unwrap_u8() << 1;
        Signed { numbers: Numbers::of(&r, &s), id, valid: !r.is_zero() & !s.is_zero() }
    }
}

/// Signs a digest.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdsa_sign(
    ctx: Ctx,
    signature: Out<SignatureBytes>,
    digest: In<[u8; 32]>,
    seckey: In<[u8; 32]>,
    function: Option<NonceFunction>,
    data: *const c_void,
) -> c_int {
    let request = Request { ctx, digest, seckey, function, data };
    let Some(signed) = request.answer(signature.is_null()) else { return 0 };
    signature.write(signed.numbers.save());
    signed.answer()
}
