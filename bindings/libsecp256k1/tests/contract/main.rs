//! The interface's contract where it can be seen without the original: published vectors, structures, reports, outputs
//! after failure. The example `differential` compares everything with the original.
#![allow(unsafe_code)]

mod callbacks;
mod interface;
mod signing;

use interface::*;
use std::ptr;

/// SEC 2's generator, least significant byte first, as a public key's structure holds it.
fn generator() -> [u8; 64] {
    let x = phalanx::PublicKey::GENERATOR.to_bytes_uncompressed();
    let mut bytes = [0; 64];
    bytes.copy_from_slice(&x[1..]);
    bytes[..32].reverse();
    bytes[32..].reverse();
    bytes
}

// SAFETY of every block in this program: buffers of the sizes that the interface states, contexts of the library.

#[test]
fn structures_hold_numbers_in_little_endian() {
    let context = Context::new();
    assert_eq!(key(&context, &number(1)), generator());
    let (mut pair, mut other) = ([0u8; 96], [0u8; 64]);
    unsafe {
        assert_eq!(secp256k1_keypair_create(context.0, pair.as_mut_ptr(), number(1).as_ptr()), 1);
        let mut x = generator()[..32].to_vec();
        x.reverse();
        assert_eq!(secp256k1_xonly_pubkey_parse(context.0, other.as_mut_ptr(), x.as_ptr()), 1);
    }
    assert_eq!((pair[..32].to_vec(), pair[32..].to_vec()), (number(1).to_vec(), generator().to_vec()));
    // The generator's y is even.
    assert_eq!(other, generator());
    assert!(reports().is_empty());
}

#[test]
fn the_environment_names_no_backend() {
    // Whether a variable counts is settled once in a process, so a process of its own makes the first call.
    let mut again = std::process::Command::new(std::env::current_exe().expect("a test knows its program"));
    again.args(["--exact", "structures_hold_numbers_in_little_endian"]).env("PHALANX_BACKEND", "abacus");
    let run = again.output().expect("the program starts");
    let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn secret_keys_are_zeroed_where_they_fail() {
    let context = Context::new();
    for bad in [number(0), order(), [0xff; 32]] {
        let (mut secret, mut public, mut pair) = (bad, [7u8; 64], [7u8; 96]);
        unsafe {
            assert_eq!(secp256k1_ec_seckey_verify(context.0, bad.as_ptr()), 0);
            assert_eq!(secp256k1_ec_pubkey_create(context.0, public.as_mut_ptr(), bad.as_ptr()), 0);
            assert_eq!(secp256k1_keypair_create(context.0, pair.as_mut_ptr(), bad.as_ptr()), 0);
            assert_eq!(secp256k1_ec_seckey_negate(context.0, secret.as_mut_ptr()), 0);
        }
        assert_eq!((secret, public, pair), ([0; 32], [0; 64], [0; 96]));
    }
    assert!(reports().is_empty());
}

#[test]
fn null_is_reported_by_its_condition() {
    let context = Context::new();
    let mut key = [7u8; 64];
    unsafe {
        assert_eq!(secp256k1_ec_pubkey_parse(context.0, ptr::null_mut(), key.as_ptr(), 33), 0);
        assert_eq!(secp256k1_ec_pubkey_parse(context.0, key.as_mut_ptr(), ptr::null(), 33), 0);
        assert_eq!(key, [0; 64]);
        assert_eq!(secp256k1_ecdsa_verify(context.0, ptr::null(), ptr::null(), key.as_ptr()), 0);
        assert_eq!(secp256k1_ec_pubkey_cmp(context.0, ptr::null(), key.as_ptr()), 0);
    }
    let zero = "!secp256k1_fe_is_zero(&ge->x)";
    assert_eq!(reports(), ["pubkey != NULL", "input != NULL", "msghash32 != NULL", "pubkey != NULL", zero]);
}

#[test]
fn serialising_zeroes_all_the_room() {
    let context = Context::new();
    let (key, mut output, mut length) = (key(&context, &number(1)), [7u8; 80], 70usize);
    unsafe {
        assert_eq!(secp256k1_ec_pubkey_serialize(context.0, output.as_mut_ptr(), &mut length, key.as_ptr(), 258), 1);
        assert_eq!((length, output[0], &output[33..70], output[70]), (33, 2, &[0; 37][..], 7));
        length = 32;
        assert_eq!(secp256k1_ec_pubkey_serialize(context.0, output.as_mut_ptr(), &mut length, key.as_ptr(), 258), 0);
    }
    assert_eq!(length, 32);
    assert_eq!(reports(), ["*outputlen >= ((flags & SECP256K1_FLAGS_BIT_COMPRESSION) ? 33u : 65u)"]);
}

#[test]
fn hybrid_keys_are_read_where_their_parity_fits() {
    let context = Context::new();
    let mut bytes = phalanx::PublicKey::GENERATOR.to_bytes_uncompressed();
    let parse = |bytes: &[u8; 65]| {
        let mut key = [7; 64];
        (unsafe { secp256k1_ec_pubkey_parse(context.0, key.as_mut_ptr(), bytes.as_ptr(), 65) }, key)
    };
    bytes[0] = 6;
    assert_eq!(parse(&bytes), (1, generator()));
    bytes[0] = 7;
    assert_eq!(parse(&bytes), (0, [0; 64]));
}

#[test]
fn der_numbers_out_of_range_are_read_as_zero() {
    let context = Context::new();
    let parse = |bytes: &[u8]| {
        let mut signature = [7; 64];
        let answer = unsafe {
            secp256k1_ecdsa_signature_parse_der(context.0, signature.as_mut_ptr(), bytes.as_ptr(), bytes.len())
        };
        (answer, signature)
    };
    let one = |r: u8| {
        let mut bytes = [0; 64];
        (bytes[0], bytes[32]) = (r, 1);
        bytes
    };
    assert_eq!(parse(&[0x30, 6, 2, 1, 5, 2, 1, 1]), (1, one(5)));
    // Negative.
    assert_eq!(parse(&[0x30, 6, 2, 1, 0x85, 2, 1, 1]), (1, one(0)));
    let above = [&[0x30, 0x26, 2, 0x21, 0][..], &order(), &[2, 1, 1]].concat();
    assert_eq!(parse(&above), (1, one(0)));
    let long = [&[0x30, 0x27, 2, 0x22, 1, 1][..], &[0; 32], &[2, 1, 1]].concat();
    assert_eq!(parse(&long), (1, one(0)));
    // Superfluous bytes in a number and in a length, bytes after the end, the indefinite length, another tag.
    for bad in [
        &[0x30, 7, 2, 2, 0, 5, 2, 1, 1][..],
        &[0x30, 7, 2, 2, 0xff, 0x85, 2, 1, 1],
        &[0x30, 0x81, 6, 2, 1, 5, 2, 1, 1],
        &[0x30, 6, 2, 1, 5, 2, 1, 1, 0],
        &[0x30, 0x80, 2, 1, 5, 2, 1, 1],
        &[0x31, 6, 2, 1, 5, 2, 1, 1],
        &[0x30, 5, 2, 0, 2, 1, 1],
        &[],
    ] {
        assert_eq!(parse(bad), (0, [0; 64]), "{bad:?}");
    }
}

#[test]
fn sums_and_order_of_keys() {
    let context = Context::new();
    let keys: Vec<[u8; 64]> = (1..8).map(|d| key(&context, &number(d))).collect();
    let (mut sum, mut negative) = ([7u8; 64], keys[0]);
    unsafe {
        assert_eq!(
            secp256k1_ec_pubkey_combine(context.0, sum.as_mut_ptr(), [keys[2].as_ptr(), keys[1].as_ptr()].as_ptr(), 2),
            1
        );
        assert_eq!(sum, keys[4]);
        assert_eq!(secp256k1_ec_pubkey_negate(context.0, negative.as_mut_ptr()), 1);
        assert_eq!(
            secp256k1_ec_pubkey_combine(context.0, sum.as_mut_ptr(), [negative.as_ptr(), keys[0].as_ptr()].as_ptr(), 2),
            0
        );
        assert_eq!(sum, [0; 64]);
        let mut pointers: Vec<_> = keys.iter().chain(&keys[..3]).map(|key| key.as_ptr()).collect();
        assert_eq!(secp256k1_ec_pubkey_sort(context.0, pointers.as_mut_ptr(), pointers.len()), 1);
        for pair in pointers.windows(2) {
            assert!(secp256k1_ec_pubkey_cmp(context.0, pair[0], pair[1]) <= 0);
        }
    }
    assert!(reports().is_empty());
}

#[test]
fn points_off_the_curve_are_refused() {
    let context = Context::new();
    let (mut off, secret, mut output) = (generator(), number(3), [7u8; 32]);
    off[32] ^= 1;
    unsafe {
        let null = ptr::null_mut();
        assert_eq!(secp256k1_ecdh(context.0, output.as_mut_ptr(), off.as_ptr(), secret.as_ptr(), None, null), 0);
        assert_eq!(output, [7; 32]);
        assert_eq!(secp256k1_schnorrsig_verify(context.0, [1; 64].as_ptr(), ptr::null(), 0, off.as_ptr()), 0);
        assert_eq!(secp256k1_ec_pubkey_tweak_add(context.0, off.as_mut_ptr(), secret.as_ptr()), 0);
    }
    assert_eq!(off, [0; 64]);
}

/// A sum with a key that is none has coordinates that are no point; what is computed from it is refused.
#[test]
fn a_sum_with_no_key_is_written_and_then_refused() {
    let context = Context::new();
    let (key, none, mut sum) = (key(&context, &number(1)), [0; 64], [7u8; 64]);
    let zero = "!secp256k1_fe_is_zero(&ge->x)";
    unsafe {
        let keys = [key.as_ptr(), none.as_ptr()];
        assert_eq!(secp256k1_ec_pubkey_combine(context.0, sum.as_mut_ptr(), keys.as_ptr(), 2), 1);
        assert_eq!(reports(), [zero]);
        assert!(sum != key && sum != none);
        let written = sum;
        assert_eq!(secp256k1_ec_pubkey_negate(context.0, sum.as_mut_ptr()), 1);
        assert_eq!(secp256k1_ec_pubkey_negate(context.0, sum.as_mut_ptr()), 1);
        assert_eq!(sum, written);
        assert_eq!(secp256k1_ec_pubkey_tweak_add(context.0, sum.as_mut_ptr(), number(3).as_ptr()), 0);
    }
    assert_eq!(sum, none);
    assert!(reports().is_empty());
}

#[test]
fn outputs_are_zeroed_before_overlapping_input_is_read() {
    let context = Context::new();
    let mut buffer = [0u8; 96];
    unsafe {
        // An encoded key in the place of its structure.
        buffer[..33].copy_from_slice(&phalanx::PublicKey::GENERATOR.to_bytes());
        assert_eq!(secp256k1_ec_pubkey_parse(context.0, buffer.as_mut_ptr(), buffer.as_ptr(), 33), 0);
        // A tweak inside the pair that is tweaked is read as zero.
        assert_eq!(secp256k1_keypair_create(context.0, buffer.as_mut_ptr(), number(1).as_ptr()), 1);
        let before = buffer;
        assert_eq!(secp256k1_keypair_xonly_tweak_add(context.0, buffer.as_mut_ptr(), buffer.as_ptr().add(32)), 1);
        assert_eq!(buffer, before);
    }
}
