//! SHA-256's compression function from the caller: it computes, and nothing else does.

use phalanx::{
    Backend, Error, Keypair, OneThread, SecretKey,
    hash::{BuiltIn, Compression, NonceGenerator, Sha256, TaggedHash, sha256},
};
use std::cell::Cell;

/// The compression of FIPS 180-4, section 6.2.2, word for word.
fn plain(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    assert!(!blocks.is_empty(), "there is at least one block");
    let constants = round_constants();
    for block in blocks {
        let mut w = [0u32; 64];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for t in 16..64 {
            let low = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ w[t - 15] >> 3;
            let high = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ w[t - 2] >> 10;
            w[t] = high.wrapping_add(w[t - 7]).wrapping_add(low).wrapping_add(w[t - 16]);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for (constant, word) in constants.iter().zip(w) {
            let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = e & f ^ !e & g;
            let first = h.wrapping_add(sum).wrapping_add(choice).wrapping_add(*constant).wrapping_add(word);
            let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = sum.wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
        }
        state.iter_mut().zip([a, b, c, d, e, f, g, h]).for_each(|(word, more)| *word = word.wrapping_add(more));
    }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
fn round_constants() -> [u32; 64] {
    let primes = (2u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let mut constants = [0; 64];
    for (constant, prime) in constants.iter_mut().zip(primes) {
        // The greatest root with root^3 <= prime 2^96.
        let root = (0..35).rev().fold(0u128, |root, bit| {
            let more = root | 1 << bit;
            if more * more * more <= prime << 96 { more } else { root }
        });
        *constant = root as u32;
    }
    constants
}

/// One that is not SHA-256's.
fn wrong(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    BuiltIn.compress(state, blocks);
    state[0] ^= 1;
}

/// What each call computes by a compression function.
fn answers(machine: OneThread, compression: impl Compression) -> Vec<Vec<u8>> {
    let secret = SecretKey::from_bytes(&sha256(b"a secret")).unwrap();
    let (digest, pair) = (sha256(b"a digest"), Keypair::from_secret(secret.clone()));
    let message = [7; 150];
    let mut nonces = [[0; 32]; 2];
    let mut generator = NonceGenerator::by(compression, &[0xff; 32], &secret.to_bytes(), &digest, b"extra");
    nonces.iter_mut().for_each(|nonce| generator.fill(nonce));
    let (signature, id) = machine.sign_ecdsa_recoverable_by(compression, &digest, &secret);
    vec![
        Sha256::by(compression).chain(&message[..70]).chain(&message[70..]).finish().to_vec(),
        TaggedHash::BIP340_NONCE.start_by(compression).chain(&message).finish().to_vec(),
        nonces.concat(),
        [&signature.to_compact()[..], &[id.to_u8()]].concat(),
        machine.sign_schnorr_by(compression, &message, &pair, &[3; 32]).to_bytes().to_vec(),
    ]
}

#[test]
fn the_callers_function_computes() {
    for backend in Backend::available() {
        let machine = OneThread::of(*backend).unwrap();
        let expected = answers(machine, BuiltIn);
        let count = Cell::new(0);
        let counting = |state: &mut [u32; 8], blocks: &[[u8; 64]]| {
            count.set(count.get() + blocks.len());
            plain(state, blocks);
        };
        assert_eq!(answers(machine, counting), expected, "{backend:?}");
        // 3 and 3 blocks of hashes; the nonces of ECDSA alone take more than 20.
        assert!(count.get() > 40, "{} blocks", count.get());
        for (i, (found, expected)) in answers(machine, wrong).iter().zip(&expected).enumerate() {
            assert_ne!(found, expected, "answer {i} does not come from the caller's function");
        }
    }
}

#[test]
fn verification_takes_it_too() {
    let pair = Keypair::from_secret(SecretKey::from_bytes(&[5; 32]).unwrap());
    for backend in Backend::available() {
        let machine = OneThread::of(*backend).unwrap();
        let signature = machine.sign_schnorr(b"a message", &pair, &[0; 32]);
        assert_eq!(machine.verify_schnorr_by(plain, b"a message", &signature, &pair.x_only()), Ok(()));
        let refused = machine.verify_schnorr_by(wrong, b"a message", &signature, &pair.x_only());
        assert_eq!(refused, Err(Error::InvalidSignature));
        // What a wrong function has signed is valid for the same one, and for no other.
        let signature = machine.sign_schnorr_by(wrong, b"a message", &pair, &[0; 32]);
        assert_eq!(machine.verify_schnorr_by(wrong, b"a message", &signature, &pair.x_only()), Ok(()));
        assert_eq!(machine.verify_schnorr(b"a message", &signature, &pair.x_only()), Err(Error::InvalidSignature));
    }
}
