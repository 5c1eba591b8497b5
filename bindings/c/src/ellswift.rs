//! ElligatorSwift, one key at a time.
#![allow(unsafe_code)]

use crate::{
    ffi::{Given, guard},
    handle::check_single,
    status::{PHALANX_BAD_ARGUMENT, PHALANX_BAD_POINT, PHALANX_BAD_SCALAR, PHALANX_NULL_POINTER},
};
use library::{
    PublicKey, SecretKey,
    bindings::Stack,
    ellswift::{ElligatorSwift, Party, shared_secret},
};

/// A flag: the secret key of phalanx_ellswift_xdh is that of the responder. The default is the initiator, who opened the
/// connection.
pub const PHALANX_RESPONDER: u32 = 1;

/// More of the stack than what stands here uses. What the library uses below it overwrites itself.
const STACK: usize = 4 << 10;

/// Writes an ElligatorSwift encoding of a public key (33 bytes): 64 bytes that look like noise to whoever does not know
/// the 32 bytes of randomness. Variable time.
///
/// Writes zeros first. PHALANX_BAD_POINT.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_ellswift_encode(
    public_key: *const u8,
    randomness: *const u8,
    encoding: *mut u8,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let encoding = given.answer_bytes(encoding, 64);
        let (key, randomness) = (given.array::<33>(public_key), given.array(randomness));
        let checked = check_single(given)?;
        let (key, randomness) = key.zip(randomness).ok_or(PHALANX_NULL_POINTER)?;
        let key = PublicKey::from_bytes(key).map_err(|_| PHALANX_BAD_POINT)?;
        encoding.writer(&checked).write(0, &ElligatorSwift::encode(&key, randomness).to_bytes());
        Ok(())
    })
}

/// Writes an ElligatorSwift encoding (64 bytes) of the public key of a secret key. It looks like noise, and depends on
/// the secret key and on 32 bytes of auxiliary randomness, or on the secret key alone where they are NULL. Constant
/// time.
///
/// Writes zeros first. PHALANX_BAD_SCALAR for what is no secret key.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_ellswift_create(
    secret_key: *const u8,
    auxiliary: *const u8,
    encoding: *mut u8,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let encoding = given.answer_bytes(encoding, 64);
        let (secret, auxiliary) = (given.array::<32>(secret_key), given.optional(auxiliary));
        let checked = check_single(given)?;
        let secret = secret.ok_or(PHALANX_NULL_POINTER)?;
        let made = Stack::<STACK>::cleared(|| {
            SecretKey::from_bytes(secret).map(|secret| ElligatorSwift::from_secret(&secret, auxiliary))
        });
        let made = made.map_err(|_| PHALANX_BAD_SCALAR)?;
        encoding.writer(&checked).write(0, &made.to_bytes());
        Ok(())
    })
}

/// Writes the public key (33 bytes) that an encoding of 64 bytes stands for. Any bytes are an encoding. Variable time.
///
/// Writes zeros first.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_ellswift_decode(encoding: *const u8, public_key: *mut u8) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let key = given.answer_bytes(public_key, 33);
        let encoding = given.array(encoding);
        let checked = check_single(given)?;
        let encoding = ElligatorSwift::from(*encoding.ok_or(PHALANX_NULL_POINTER)?);
        key.writer(&checked).write(0, &encoding.decode().to_bytes());
        Ok(())
    })
}

/// Writes the secret (32 bytes) that BIP-324 makes of the two parties' encodings (64 bytes each) and one of their secret
/// keys. Flags: 0, or PHALANX_RESPONDER where the secret key is the responder's. Constant time in the secret key.
///
/// Writes zeros first. PHALANX_BAD_ARGUMENT, PHALANX_BAD_SCALAR for what is no secret key.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_ellswift_xdh(
    initiator: *const u8,
    responder: *const u8,
    secret_key: *const u8,
    flags: u32,
    shared: *mut u8,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let out = given.answer_bytes(shared, 32);
        let encodings = given.array(initiator).zip(given.array(responder));
        let secret = given.array::<32>(secret_key);
        let checked = check_single(given)?;
        let party = match flags {
            0 => Party::Initiator,
            PHALANX_RESPONDER => Party::Responder,
            _ => return Err(PHALANX_BAD_ARGUMENT),
        };
        let ((initiator, responder), secret) = encodings.zip(secret).ok_or(PHALANX_NULL_POINTER)?;
        let [initiator, responder] = [*initiator, *responder].map(ElligatorSwift::from);
        let mut out = out.writer(&checked);
        Stack::<STACK>::cleared(|| {
            let secret = SecretKey::from_bytes(secret).map_err(|_| PHALANX_BAD_SCALAR)?;
            out.write(0, &shared_secret(&initiator, &responder, &secret, party));
            Ok(())
        })
    })
}
