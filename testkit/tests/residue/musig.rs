//! MuSig2: the operations, and the secrets of each.

use crate::{
    drop_in::Signer,
    live::Live,
    needles::{Needles, order},
    secrets::{Row, each, x_of},
};
use num_bigint::BigUint;
use phalanx::{PublicKey, SecretKey, hash::TaggedHash};
use phalanx_musig::{
    AggregateNonce, KeyAggregation, NonceInputs, PartialSignature, PublicNonce, SecretNonce, Session,
    sign_deterministically,
};
use std::hint::black_box;

/// What the other signer sent.
pub(crate) fn theirs() -> PublicNonce {
    let key = SecretKey::from_bytes(&[7; 32]).expect("a key").public_key().to_bytes();
    PublicNonce::from_bytes(&[key, key].concat().try_into().expect("66 bytes")).expect("two points")
}

/// The signer's key and another one.
fn keys(signer: PublicKey, other: PublicKey) -> KeyAggregation {
    KeyAggregation::new(&[signer, other]).expect("a key")
}

fn inputs<'a>(secret_key: &'a SecretKey, digest: &'a [u8; 32]) -> NonceInputs<'a> {
    NonceInputs { secret_key: Some(secret_key), aggregate_key: Some(*digest), message: Some(digest), extra: b"extra" }
}

/// The tweak as randomness.
#[inline(always)]
fn nonce_of(live: &Live) -> (SecretNonce, PublicNonce) {
    let mut randomness = live.tweaks[0];
    let inputs = inputs(&live.secrets[0], &live.digests[0]);
    SecretNonce::from_randomness(&mut randomness, &live.pairs[0].public_key(), &inputs).expect("no zeros")
}

pub(crate) fn nonce(live: &Live) {
    black_box(&nonce_of(live));
}

/// Signing with a nonce. What is public is computed in between, and lies deeper on the stack.
pub(crate) fn sign(live: &Live) {
    let (secret, public) = nonce_of(live);
    let keys = keys(live.pairs[0].public_key(), live.publics[0]);
    let session = Session::new(&keys, &AggregateNonce::sum(&[public, theirs()]), &live.digests[0]);
    black_box(&session.sign(secret, &live.pairs[0]).expect("a signer"));
}

/// Both rounds at once.
pub(crate) fn sign_last(live: &Live) {
    let keys = keys(live.pairs[0].public_key(), live.publics[0]);
    let aux = Some(&live.aux[0]);
    black_box(&sign_deterministically(&live.pairs[0], &theirs(), &keys, &live.digests[0], aux).expect("a signer"));
}

/// The key under a mask.
fn masked(row: &Row, mask: &[u8; 32], needles: &mut Needles) -> [u8; 32] {
    let masked = std::array::from_fn(|i| mask[i] ^ row.key[i]);
    needles.of("masked key").number(&BigUint::from_bytes_be(&masked));
    masked
}

/// The two numbers of a nonce, from the hash of 32 secret bytes and others.
fn numbers(tag: &[u8], secret: &[u8; 32], rest: &[&[u8]], needles: &mut Needles) -> [BigUint; 2] {
    [0u8, 1].map(|number| {
        let message = [secret, &rest.concat()[..], &[number]].concat();
        let hash = BigUint::from_bytes_be(&needles.tagged(&format!("the hash of nonce {number}"), tag, &message));
        let k = &hash % order();
        needles.of(&format!("nonce {number}")).number(&hash).scalar(&k).generator_digits(&k);
        k
    })
}

/// Checks that the numbers are those of a nonce.
fn check(k: &[BigUint; 2], nonce: &PublicNonce) {
    let bytes = nonce.to_bytes();
    assert_eq!([x_of(&k[0]), x_of(&k[1])].map(Vec::from), [1..33, 34..66].map(|x| bytes[x].to_vec()), "another nonce");
}

fn nonce_of_row(row: &Row, needles: &mut Needles) -> ([BigUint; 2], SecretNonce, PublicNonce) {
    let secret = row.secret();
    nonce_by(row, &inputs(&secret, &row.digest), needles)
}

/// The nonce of inputs of which the digest of the row is the message.
fn nonce_by(row: &Row, inputs: &NonceInputs<'_>, needles: &mut Needles) -> ([BigUint; 2], SecretNonce, PublicNonce) {
    needles.of("key").scalar(&row.d());
    needles.of("randomness").bytes(&row.tweak);
    let mask = needles.tagged("the mask", b"MuSig/aux", &row.tweak);
    needles.of("mask").bytes(&mask);
    let masked = masked(row, &mask, needles);
    let key = row.pair().public_key();
    let length = 32u64.to_be_bytes();
    let (x, extra) = (inputs.aggregate_key.map_or(Vec::new(), Vec::from), inputs.extra);
    let (key_bytes, extra_length) = (key.to_bytes(), (extra.len() as u32).to_be_bytes());
    let rest = [&[33], &key_bytes[..], &[x.len() as u8], &x, &[1], &length, &row.digest, &extra_length, extra];
    let k = numbers(b"MuSig/nonce", &masked, &rest, needles);
    let made = SecretNonce::from_randomness(&mut { row.tweak }, &key, inputs).expect("no zeros");
    check(&k, &made.1);
    (k, made.0, made.1)
}

/// What [`nonce`] computes.
pub(crate) fn of_nonce(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| drop(nonce_of_row(row, needles)));
}

/// What [`sign`] computes.
pub(crate) fn of_sign(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        let (k, secret, public) = nonce_of_row(row, needles);
        let keys = keys(row.pair().public_key(), row.public);
        let session = Session::new(&keys, &AggregateNonce::sum(&[public, theirs()]), &row.digest);
        let partial = session.sign(secret, &row.pair()).expect("a signer");
        signed(row, &k, &public, &partial, needles);
    });
}

/// What [`sign_last`] computes.
pub(crate) fn of_sign_last(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d());
        let mask = TaggedHash::new(b"MuSig/aux").hash(&[&row.aux]);
        let masked = masked(row, &mask, needles);
        let keys = keys(row.pair().public_key(), row.public);
        let rest = [&theirs().to_bytes()[..], &keys.x_only().to_bytes(), &32u64.to_be_bytes(), &row.digest];
        let k = numbers(b"MuSig/deterministic/nonce", &masked, &rest, needles);
        let made = sign_deterministically(&row.pair(), &theirs(), &keys, &row.digest, Some(&row.aux));
        let (public, partial) = made.expect("a signer");
        check(&k, &public);
        signed(row, &k, &public, &partial, needles);
    });
}

/// The nonce of the drop-in, and who makes it.
fn nonce_of_drop_in<'a>(row: &'a Row, needles: &mut Needles) -> ([BigUint; 2], PublicNonce, Signer<'a>) {
    let secret = row.secret();
    let inputs =
        NonceInputs { secret_key: Some(&secret), aggregate_key: None, message: Some(&row.digest), extra: &row.aux };
    let (k, _, public) = nonce_by(row, &inputs, needles);
    let signer = Signer { key: &row.key, randomness: &row.tweak, digest: &row.digest, extra: &row.aux };
    assert_eq!(signer.nonce(), public.to_bytes(), "the drop-in makes another nonce");
    (k, public, signer)
}

/// What `drop_in::musig_nonce_gen` computes.
pub(crate) fn of_drop_in_nonce(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| drop(nonce_of_drop_in(row, needles)));
}

/// What `drop_in::musig_partial_sign` computes.
pub(crate) fn of_drop_in_sign(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        let (k, public, signer) = nonce_of_drop_in(row, needles);
        let partial = signer.sign(&row.public, &theirs().to_bytes());
        let partial = PartialSignature::from_bytes(&partial).expect("a number");
        signed(row, &k, &public, &partial, needles);
    });
}

/// What a partial signature is made of: k1 + b k2, and the key with its factor, of either sign.
fn signed(row: &Row, [k1, k2]: &[BigUint; 2], public: &PublicNonce, partial: &PartialSignature, needles: &mut Needles) {
    let number = |bytes: &[u8]| BigUint::from_bytes_be(bytes);
    let hash = |tag: &[u8], parts: &[&[u8]]| number(&TaggedHash::new(tag).hash(parts)) % order();
    let key = row.pair().public_key();
    let aggregation = keys(key, row.public);
    let (key, other, x) = (key.to_bytes(), row.public.to_bytes(), aggregation.x_only().to_bytes());
    let sum = AggregateNonce::sum(&[*public, theirs()]);
    let coefficient = hash(b"MuSig/noncecoef", &[&sum.to_bytes(), &x, &row.digest]);
    needles.of("second nonce with its coefficient").product(&(&coefficient * k2));
    let k = (k1 + &coefficient * k2) % order();
    needles.of("nonce of the session").scalar(&k);
    needles.of("negated nonce of the session").scalar(&(order() - &k));
    let halves = sum.to_bytes();
    let [first, second] = [&halves[..33], &halves[33..]].map(|half| PublicKey::from_bytes(half).expect("a point"));
    let second = second.tweak_mul(&crate::needles::to_bytes(&coefficient)).expect("not zero");
    let r = PublicKey::combine_keys(&[first, second]).expect("not infinity").x_only().0.to_bytes();
    let list = TaggedHash::new(b"KeyAgg list").hash(&[&key, &other]);
    let challenge = hash(b"BIP0340/challenge", &[&r, &x, &row.digest]);
    let factor = challenge * hash(b"KeyAgg coefficient", &[&list, &key]) % order();
    let mut sums = Vec::new();
    for factor in [order() - &factor, factor] {
        let product = factor * row.d();
        needles.of("key with its factor").product(&product).scalar(&(&product % order()));
        sums.extend([&product + &k, &product + order() - &k].map(|sum| sum % order()));
    }
    assert!(sums.contains(&number(&partial.to_bytes())), "another partial signature");
}
