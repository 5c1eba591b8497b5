//! Nonces of BIP-340, "Default Signing", for any name of an algorithm.
#![allow(unsafe_code)]

use crate::{
    callbacks::{Compression, HardenedNonceFunction},
    sha256::tagged,
    wipe::{cleared, wipe},
};
use phalanx::bindings::{hash_by, hasher, tags};
use std::{
    ffi::{c_int, c_void},
    ptr, slice,
};

/// The name under which BIP-340 derives nonces.
pub(crate) const ALGORITHM: &[u8; 13] = b"BIP0340/nonce";

/// The hash under `BIP0340/aux` of 32 zeros.
const NO_DATA: [u8; 32] = [
    0x54, 0xf1, 0x69, 0xcf, 0xc9, 0xe2, 0xe5, 0x72, 0x74, 0x80, 0x44, 0x1f, 0x90, 0xba, 0x25, 0xc4, 0x88, 0xf4, 0x61,
    0xc7, 0x0b, 0x5e, 0xa5, 0xdc, 0xaa, 0xf7, 0xaf, 0x69, 0x27, 0x0a, 0xa5, 0x14,
];

/// The nonces of BIP-340.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub(crate) static secp256k1_nonce_function_bip340: HardenedNonceFunction = nonce_function_bip340;

unsafe extern "C-unwind" fn nonce_function_bip340(
    nonce: *mut u8,
    message: *const u8,
    length: usize,
    key: *const u8,
    x: *const u8,
    algorithm: *const u8,
    algorithm_length: usize,
    data: *mut c_void,
) -> c_int {
    if algorithm.is_null() {
        return 0;
    }
    let bytes = |start: *const u8, length: usize| {
        // SAFETY: the interface of nonce functions: as many bytes as stated, or null for none.
        if start.is_null() || length == 0 { &[] } else { unsafe { slice::from_raw_parts(start, length) } }
    };
    let (message, algorithm) = (bytes(message, length), bytes(algorithm, algorithm_length));
    // SAFETY: the interface of nonce functions: 32 bytes each of key and x, 32 bytes of data or null.
    let (key, x, data) =
        unsafe { (*key.cast::<[u8; 32]>(), *x.cast::<[u8; 32]>(), data.cast::<[u8; 32]>().as_ref().copied()) };
    let mut made = cleared(|| bip340(Compression::BUILT_IN, message, key, &x, algorithm, data));
    // SAFETY: the interface of nonce functions: 32 bytes that can be written.
    unsafe { nonce.cast::<[u8; 32]>().write(made) };
    wipe(&mut made);
    1
}

/// The function of the program, if it is another one.
pub(crate) fn other(given: Option<HardenedNonceFunction>) -> Option<HardenedNonceFunction> {
    crate::callbacks::other_than(secp256k1_nonce_function_bip340, given, ptr::fn_addr_eq)
}

/// Steps 2 to 4: the key masked by the hash of the data, hashed with x and the message.
pub(crate) fn bip340(
    compression: Compression,
    message: &[u8],
    mut key: [u8; 32],
    x: &[u8; 32],
    algorithm: &[u8],
    data: Option<[u8; 32]>,
) -> [u8; 32] {
    let mut mask = match data {
        Some(data) => hash_by(&tags::BIP340_AUX, compression, &[&data]),
        None => NO_DATA,
    };
    for (mask, key) in mask.iter_mut().zip(key) {
        *mask ^= key;
    }
    wipe(&mut key);
    let mut hash = match algorithm == ALGORITHM {
        true => hasher(&tags::BIP340_NONCE, compression),
        false => tagged(compression, algorithm),
    };
    hash.update_uncleared(&mask);
    wipe(&mut mask);
    hash.update_uncleared(x);
    hash.update_uncleared(message);
    hash.finish_uncleared()
}
