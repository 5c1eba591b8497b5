//! Every operation on secrets that the library offers, as a child runs it.
//!
//! A result that is secret stays where the library put it and is wiped there: what a caller copies is the caller's.

use crate::{
    c_calls, drop_in,
    live::{Live, wipe},
    planted,
    secrets::{self, Of, hex, long_message},
};
use phalanx::{
    FieldElement, Keypair, Point, Scalar, SecretKey, ecdh, ecdsa,
    hash::{NonceGenerator, Sha256, TaggedHash, sha256},
    schnorr,
};
use serde::{
    Deserialize,
    de::value::{BytesDeserializer, Error, SeqDeserializer, StrDeserializer},
};
use std::{
    hint::black_box,
    iter,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// What an operation is given.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// One row, single calls.
    Single,
    /// Text in place of the key's digits, from which the test makes it.
    Text(fn(&[u8; 32]) -> String),
    /// A key that is not below the order.
    OutOfRange,
    /// Many rows, in one bulk call.
    Bulk,
    /// A copy of each needle, which must be found.
    Planted,
}

pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) run: fn(&Live),
    pub(crate) secrets: Of,
}

const fn single(name: &'static str, run: fn(&Live), secrets: Of) -> Operation {
    Operation { name, kind: Kind::Single, run, secrets }
}

const fn text(name: &'static str, run: fn(&Live), text: fn(&[u8; 32]) -> String) -> Operation {
    Operation { name, kind: Kind::Text(text), run, secrets: secrets::key }
}

const fn bulk(name: &'static str, run: fn(&Live), secrets: Of) -> Operation {
    Operation { name, kind: Kind::Bulk, run, secrets }
}

const fn planted(name: &'static str, run: fn(&Live)) -> Operation {
    Operation { name, kind: Kind::Planted, run, secrets: planted::secrets }
}

pub(crate) const ALL: &[Operation] = &[
    single("secret_from_bytes", secret_from_bytes, secrets::key),
    single("secret_from_slice", secret_from_slice, secrets::key),
    Operation {
        name: "secret_from_bytes_out_of_range",
        kind: Kind::OutOfRange,
        run: secret_from_bytes,
        secrets: secrets::key,
    },
    text("secret_from_hex", secret_from_hex, |key| hex(key)),
    text("secret_from_hex_in_capitals", secret_from_hex, |key| hex(key).to_uppercase()),
    text("secret_from_hex_short", secret_from_hex, |key| hex(&key[..31])),
    text("secret_from_hex_odd", secret_from_hex, |key| hex(key)[..63].into()),
    text("secret_from_hex_long", secret_from_hex, |key| hex(key) + "00"),
    text("secret_from_hex_bad_digit", secret_from_hex, |key| hex(key)[..63].to_owned() + "g"),
    text("secret_from_hex_out_of_range", secret_from_hex, |key| "f".repeat(40) + &hex(&key[20..])),
    text("serde_text", serde_text, |key| hex(key)),
    text("serde_text_short", serde_text, |key| hex(&key[..31])),
    text("serde_text_long", serde_text, |key| hex(key) + &"00".repeat(40)),
    text("serde_text_bad_digit", serde_text, |key| hex(key)[..63].to_owned() + "g"),
    text("serde_text_out_of_range", serde_text, |key| "f".repeat(40) + &hex(&key[20..])),
    single("serde_bytes", serde_bytes, secrets::key),
    single("serde_sequence", serde_sequence, secrets::key),
    single("serde_sequence_long", serde_sequence_long, secrets::key),
    single("serde_sequence_bad_element", serde_sequence_bad_element, secrets::key),
    single("serde_write", serde_write, secrets::key),
    single("secret_to_bytes", secret_to_bytes, secrets::key),
    single("secret_clone_and_compare", secret_clone_and_compare, secrets::negated),
    single("secret_negate", secret_negate, secrets::negated),
    single("secret_tweak_add", secret_tweak_add, secrets::tweaked),
    single("secret_tweak_mul", secret_tweak_mul, secrets::tweaked),
    single("public_key", public_key, secrets::public_key),
    single("keypair", keypair, secrets::public_key),
    single("keypair_tweak_add", keypair_tweak_add, secrets::tweaked),
    single("keypair_taproot_tweak", keypair_taproot_tweak, secrets::tweaked),
    single("public_tweak_add", public_tweak_add, secrets::tweak_of_point),
    single("public_tweak_mul", public_tweak_mul, secrets::tweak_of_point),
    single("x_only_tweak_add", x_only_tweak_add, secrets::tweak_of_point),
    single("nonce_generator", nonce_generator, secrets::nonce),
    single("ecdsa_sign", ecdsa_sign, secrets::ecdsa_sign),
    single("ecdsa_sign_with_entropy", ecdsa_sign_with_entropy, secrets::ecdsa_sign_with_entropy),
    single("ecdsa_sign_recoverable", ecdsa_sign_recoverable, secrets::ecdsa_sign),
    single("ecdsa_sign_checked", ecdsa_sign_checked, secrets::ecdsa_sign),
    single("schnorr_sign", schnorr_sign, secrets::schnorr_sign),
    single("schnorr_sign_long", schnorr_sign_long, secrets::schnorr_sign_long),
    single("schnorr_sign_checked", schnorr_sign_checked, secrets::schnorr_sign),
    single("ecdh_shared_secret", ecdh_shared_secret, secrets::shared),
    single("ecdh_shared_x", ecdh_shared_x, secrets::shared),
    single("ecdh_shared_secret_with", ecdh_shared_secret_with, secrets::shared),
    single("ecdh_shared_secret_with_panic", ecdh_shared_secret_with_panic, secrets::shared),
    single("point_mul_generator", point_mul_generator, secrets::public_key),
    single("point_mul", point_mul, secrets::shared),
    single("scalar_invert", scalar_invert, secrets::inversions),
    bulk("scalar_batch_invert", scalar_batch_invert, secrets::inversions),
    bulk("field_batch_invert", field_batch_invert, secrets::field_inversions),
    single("hash", hash, secrets::hashed),
    bulk("bulk_public_keys", bulk_public_keys, secrets::public_key),
    bulk("bulk_sign_ecdsa", bulk_sign_ecdsa, secrets::ecdsa_sign),
    bulk("bulk_sign_schnorr", bulk_sign_schnorr, secrets::schnorr_sign),
    bulk("bulk_sign_schnorr_long", bulk_sign_schnorr_long, secrets::schnorr_sign_long),
    bulk("bulk_shared_secrets", bulk_shared_secrets, secrets::shared),
    bulk("bulk_tweak_add_public", bulk_tweak_add_public, secrets::tweak_of_point),
    bulk("bulk_tweak_add_secret", bulk_tweak_add_secret, secrets::tweaked),
    bulk("c_public_keys", c_calls::public_keys, secrets::public_key),
    bulk("c_sign_ecdsa", c_calls::sign_ecdsa, secrets::ecdsa_sign),
    bulk("c_sign_ecdsa_recoverable", c_calls::sign_ecdsa_recoverable, secrets::ecdsa_sign),
    bulk("c_sign_schnorr", c_calls::sign_schnorr, secrets::schnorr_sign),
    bulk("c_shared_secrets", c_calls::shared_secrets, secrets::shared),
    bulk("c_tweak_add_public", c_calls::tweak_add_public, secrets::tweak_of_point),
    bulk("c_sign_ecdsa_in_workspace", c_calls::sign_ecdsa_in_workspace, secrets::ecdsa_sign),
    bulk("c_sign_ecdsa_cancelled", c_calls::sign_ecdsa_cancelled, secrets::ecdsa_sign),
    single("drop_in_pubkey_create", drop_in::pubkey_create, secrets::public_key),
    single("drop_in_keypair_create", drop_in::keypair_create, secrets::public_key),
    single("drop_in_seckey_tweak_add", drop_in::seckey_tweak_add, secrets::tweaked),
    single("drop_in_ecdsa_sign", drop_in::ecdsa_sign, secrets::ecdsa_sign),
    single("drop_in_ecdsa_sign_recoverable", drop_in::ecdsa_sign_recoverable, secrets::ecdsa_sign),
    single("drop_in_schnorrsig_sign", drop_in::schnorrsig_sign, secrets::schnorr_sign),
    single("drop_in_ecdh", drop_in::ecdh, secrets::shared),
    planted("planted_on_the_heap", planted::on_the_heap),
    planted("planted_on_the_stack", planted::on_the_stack),
    planted("planted_on_another_stack", planted::on_another_stack),
    planted("planted_in_a_static", planted::in_a_static),
    planted("planted_in_a_thread_local", planted::in_a_thread_local),
];

fn secret_from_bytes(live: &Live) {
    black_box(&SecretKey::from_bytes(&live.keys[0]));
}

fn secret_from_slice(live: &Live) {
    black_box(&SecretKey::from_slice(&live.keys[0]));
    black_box(&SecretKey::from_slice(&live.keys[0][..31]));
}

fn secret_from_hex(live: &Live) {
    black_box(&live.text.parse::<SecretKey>());
}

fn serde_text(live: &Live) {
    black_box(&SecretKey::deserialize(StrDeserializer::<Error>::new(&live.text)));
}

fn serde_bytes(live: &Live) {
    black_box(&SecretKey::deserialize(BytesDeserializer::<Error>::new(&live.keys[0])));
    black_box(&SecretKey::deserialize(BytesDeserializer::<Error>::new(&live.keys[0][..31])));
}

fn sequence(live: &Live, after: impl Iterator<Item = u64>) {
    let bytes = live.keys[0].iter().map(|byte| u64::from(*byte)).chain(after);
    black_box(&SecretKey::deserialize(SeqDeserializer::<_, Error>::new(bytes)));
}

fn serde_sequence(live: &Live) {
    sequence(live, iter::empty());
}

fn serde_sequence_long(live: &Live) {
    sequence(live, iter::repeat_n(1, 50));
}

/// 300 is no byte.
fn serde_sequence_bad_element(live: &Live) {
    sequence(live, iter::once(300));
}

fn serde_write(live: &Live) {
    serde_json::to_writer(std::io::sink(), &live.secrets[0]).expect("nothing can fail");
}

fn secret_to_bytes(live: &Live) {
    let mut bytes = live.secrets[0].to_bytes();
    black_box(&bytes);
    wipe(&mut bytes);
}

fn secret_clone_and_compare(live: &Live) {
    let copy = live.secrets[0].clone();
    assert!(copy == live.secrets[0]);
    black_box(&copy);
}

fn secret_negate(live: &Live) {
    black_box(&live.secrets[0].negate());
}

fn secret_tweak_add(live: &Live) {
    black_box(&live.secrets[0].tweak_add(&live.tweaks[0]));
}

fn secret_tweak_mul(live: &Live) {
    black_box(&live.secrets[0].tweak_mul(&live.tweaks[0]));
}

fn public_key(live: &Live) {
    black_box(&live.secrets[0].public_key());
}

fn keypair(live: &Live) {
    black_box(&Keypair::from_secret(live.secrets[0].clone()));
}

fn keypair_tweak_add(live: &Live) {
    black_box(&live.pairs[0].tweak_add(&live.tweaks[0]));
}

fn keypair_taproot_tweak(live: &Live) {
    black_box(&live.pairs[0].taproot_tweak(Some(&live.digests[0])));
}

fn public_tweak_add(live: &Live) {
    black_box(&live.publics[0].tweak_add(&live.tweaks[0]));
}

fn public_tweak_mul(live: &Live) {
    black_box(&live.publics[0].tweak_mul(&live.tweaks[0]));
}

fn x_only_tweak_add(live: &Live) {
    black_box(&live.publics[0].x_only().0.tweak_add(&live.tweaks[0]));
}

fn nonce_generator(live: &Live) {
    let order = phalanx_testkit::draws::ORDER;
    let mut generator = NonceGenerator::new(&order, &live.keys[0], &live.digests[0], &live.aux[0]);
    let mut nonce = [0; 32];
    generator.fill(&mut nonce);
    black_box(&nonce);
    wipe(&mut nonce);
}

fn ecdsa_sign(live: &Live) {
    black_box(&ecdsa::sign(&live.digests[0], &live.secrets[0]));
}

fn ecdsa_sign_with_entropy(live: &Live) {
    black_box(&ecdsa::sign_with_entropy(&live.digests[0], &live.secrets[0], &live.aux[0]));
}

fn ecdsa_sign_recoverable(live: &Live) {
    black_box(&ecdsa::sign_recoverable(&live.digests[0], &live.secrets[0]));
}

fn ecdsa_sign_checked(live: &Live) {
    black_box(&ecdsa::sign_checked(&live.digests[0], &live.pairs[0]));
}

fn schnorr_sign(live: &Live) {
    black_box(&schnorr::sign(&live.digests[0], &live.pairs[0], &live.aux[0]));
}

fn schnorr_sign_long(live: &Live) {
    black_box(&schnorr::sign(&long_message(&live.digests[0]), &live.pairs[0], &live.aux[0]));
}

fn schnorr_sign_checked(live: &Live) {
    black_box(&schnorr::sign_checked(&live.digests[0], &live.pairs[0], &live.aux[0]));
}

fn ecdh_shared_secret(live: &Live) {
    let mut shared = ecdh::shared_secret(&live.publics[0], &live.secrets[0]);
    black_box(&shared);
    wipe(&mut shared);
}

fn ecdh_shared_x(live: &Live) {
    let mut shared = ecdh::shared_x(&live.publics[0], &live.secrets[0]);
    black_box(&shared);
    wipe(&mut shared);
}

fn ecdh_shared_secret_with(live: &Live) {
    let first = ecdh::shared_secret_with(&live.publics[0], &live.secrets[0], |x, y| x[0] ^ y[0]);
    black_box(first);
}

/// A hash of the caller's that does not come back.
fn ecdh_shared_secret_with_panic(live: &Live) {
    let agree = || ecdh::shared_secret_with(&live.publics[0], &live.secrets[0], |_, _| resume_unwind(Box::new(())));
    assert!(catch_unwind(AssertUnwindSafe(agree)).is_err());
}

fn point_mul_generator(live: &Live) {
    let mut point = Point::mul_generator(&live.scalars[0]);
    black_box(&point);
    zeroize::Zeroize::zeroize(&mut point);
}

fn point_mul(live: &Live) {
    let (point, scalar) = (&Point::from(live.publics[0]), &live.scalars[0]);
    let mut product = point * scalar;
    black_box(&product);
    zeroize::Zeroize::zeroize(&mut product);
}

fn scalar_invert(live: &Live) {
    let mut inverse = live.scalars[0].invert_or_zero();
    black_box(&inverse);
    zeroize::Zeroize::zeroize(&mut inverse);
}

fn scalar_batch_invert(live: &Live) {
    let mut scalars = live.scalars.clone();
    Scalar::batch_invert(&mut scalars);
    black_box(&scalars);
    scalars.iter_mut().for_each(zeroize::Zeroize::zeroize);
}

fn field_batch_invert(live: &Live) {
    let mut elements = live.elements.clone();
    FieldElement::batch_invert(&mut elements);
    black_box(&elements);
    elements.iter_mut().for_each(zeroize::Zeroize::zeroize);
}

fn hash(live: &Live) {
    let mut hash = sha256(&live.keys[0]);
    wipe(&mut hash);
    let mut hash = TaggedHash::new(b"tag").hash(&[&live.keys[0]]);
    wipe(&mut hash);
    let mut hasher = Sha256::new();
    hasher.update(&live.keys[0]);
    black_box(&hasher);
}

fn bulk_public_keys(live: &Live) {
    black_box(&live.bulk.public_keys(&live.secrets));
}

fn bulk_sign_ecdsa(live: &Live) {
    black_box(&live.bulk.sign_ecdsa(&live.digests, &live.secrets).expect("equal lengths"));
}

fn bulk_sign_schnorr(live: &Live) {
    let messages: Vec<_> = live.digests.iter().map(|digest| &digest[..]).collect();
    black_box(&live.bulk.sign_schnorr(&messages, &live.pairs, &live.aux).expect("equal lengths"));
}

fn bulk_sign_schnorr_long(live: &Live) {
    let messages: Vec<_> = live.digests.iter().map(long_message).collect();
    let messages: Vec<_> = messages.iter().map(|message| &message[..]).collect();
    black_box(&live.bulk.sign_schnorr(&messages, &live.pairs, &live.aux).expect("equal lengths"));
}

fn bulk_shared_secrets(live: &Live) {
    let mut shared = live.bulk.shared_secrets(&live.publics, &live.secrets).expect("equal lengths");
    black_box(&shared);
    wipe(shared.as_flattened_mut());
}

fn bulk_tweak_add_public(live: &Live) {
    black_box(&live.bulk.tweak_add_public(&live.publics, &live.tweaks).expect("equal lengths"));
}

fn bulk_tweak_add_secret(live: &Live) {
    black_box(&live.bulk.tweak_add_secret(&live.secrets, &live.tweaks).expect("equal lengths"));
}
