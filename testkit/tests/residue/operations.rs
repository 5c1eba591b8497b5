//! Every operation on secrets that the library offers, as a child runs it.
//!
//! A result that is secret stays where the library put it and is wiped there: what a caller copies is the caller's.

use crate::{
    c_calls, drop_in,
    live::{Live, wipe},
    musig, planted,
    secrets::{self, Of, hex, long_message},
    silent,
};
use phalanx::{
    FieldElement, Keypair, Point, Scalar, SecretKey, ecdh, ecdsa,
    ellswift::{self, ElligatorSwift, Party},
    hash::{NonceGenerator, Sha256, TaggedHash, sha256},
    schnorr,
};
use phalanx_bip32::{Chain, DerivationPath, ExtendedSecretKey, KeyExpression};
use serde::{
    Deserialize,
    de::value::{BytesDeserializer, Error, SeqDeserializer, StrDeserializer},
};
use std::{
    hint::black_box,
    iter,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};
use zeroize::Zeroize;

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

const fn single(name: &'static str, secrets: Of, run: fn(&Live)) -> Operation {
    Operation { name, kind: Kind::Single, run, secrets }
}

const fn text(name: &'static str, run: fn(&Live), text: fn(&[u8; 32]) -> String) -> Operation {
    Operation { name, kind: Kind::Text(text), run, secrets: secrets::key }
}

const fn bulk(name: &'static str, secrets: Of, run: fn(&Live)) -> Operation {
    Operation { name, kind: Kind::Bulk, run, secrets }
}

const fn planted(name: &'static str, run: fn(&Live)) -> Operation {
    Operation { name, kind: Kind::Planted, run, secrets: planted::secrets }
}

pub(crate) const ALL: &[Operation] = &[
    single("secret_from_bytes", secrets::key, secret_from_bytes),
    single("secret_from_slice", secrets::key, |live| {
        black_box(&SecretKey::from_bytes(&live.keys[0]));
        black_box(&SecretKey::from_bytes(&live.keys[0][..31]));
    }),
    Operation { kind: Kind::OutOfRange, ..single("secret_from_bytes_out_of_range", secrets::key, secret_from_bytes) },
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
    single("serde_bytes", secrets::key, |live| {
        black_box(&SecretKey::deserialize(BytesDeserializer::<Error>::new(&live.keys[0])));
        black_box(&SecretKey::deserialize(BytesDeserializer::<Error>::new(&live.keys[0][..31])));
    }),
    single("serde_sequence", secrets::key, |live| sequence(live, iter::empty())),
    single("serde_sequence_long", secrets::key, |live| sequence(live, iter::repeat_n(1, 50))),
    // 300 is no byte.
    single("serde_sequence_bad_element", secrets::key, |live| sequence(live, iter::once(300))),
    single("serde_write", secrets::key, |live| {
        serde_json::to_writer(std::io::sink(), &live.secrets[0]).expect("nothing can fail")
    }),
    single("secret_to_bytes", secrets::key, |live| wipe(&mut live.secrets[0].to_bytes())),
    single("secret_clone_and_compare", secrets::negated, |live| {
        let copy = live.secrets[0].clone();
        assert!(copy == live.secrets[0]);
        black_box(&copy);
    }),
    single("secret_negate", secrets::negated, |live| seen(&live.secrets[0].negate())),
    single("secret_tweak_add", secrets::tweaked, |live| seen(&live.secrets[0].tweak_add(&live.tweaks[0]))),
    single("secret_tweak_mul", secrets::tweaked, |live| seen(&live.secrets[0].tweak_mul(&live.tweaks[0]))),
    single("public_key", secrets::public_key, |live| seen(&live.secrets[0].public_key())),
    single("keypair", secrets::public_key, |live| seen(&Keypair::from_secret(live.secrets[0].clone()))),
    single("keypair_tweak_add", secrets::tweaked, |live| seen(&live.pairs[0].tweak_add_x_only(&live.tweaks[0]))),
    single("keypair_taproot_tweak", secrets::tweaked, |live| {
        seen(&live.pairs[0].taproot_tweak(Some(&live.digests[0])))
    }),
    single("public_tweak_add", secrets::tweak_of_point, |live| seen(&live.publics[0].tweak_add(&live.tweaks[0]))),
    single("public_tweak_mul", secrets::tweak_of_point, |live| seen(&live.publics[0].tweak_mul(&live.tweaks[0]))),
    single("x_only_tweak_add", secrets::tweak_of_point, |live| {
        seen(&live.publics[0].x_only().0.tweak_add(&live.tweaks[0]))
    }),
    single("nonce_generator", secrets::nonce, |live| {
        let order = phalanx_testkit::draws::ORDER;
        let mut generator = NonceGenerator::new(&order, &live.keys[0], &live.digests[0], &live.aux[0]);
        let mut nonce = [0; 32];
        generator.fill(&mut nonce);
        wipe(&mut nonce);
    }),
    single("ecdsa_sign", secrets::ecdsa_sign, |live| seen(&ecdsa::sign(&live.digests[0], &live.secrets[0]))),
    single("ecdsa_sign_with_entropy", secrets::ecdsa_sign_with_entropy, |live| {
        seen(&ecdsa::sign_with_entropy(&live.digests[0], &live.secrets[0], &live.aux[0]))
    }),
    single("ecdsa_sign_recoverable", secrets::ecdsa_sign, |live| {
        seen(&ecdsa::sign_recoverable(&live.digests[0], &live.secrets[0]))
    }),
    single("ecdsa_sign_checked", secrets::ecdsa_sign, |live| {
        seen(&ecdsa::sign_checked(&live.digests[0], &live.pairs[0]))
    }),
    single("schnorr_sign", secrets::schnorr_sign, |live| {
        seen(&schnorr::sign(&live.digests[0], &live.pairs[0], &live.aux[0]))
    }),
    single("schnorr_sign_long", secrets::schnorr_sign_long, |live| {
        seen(&schnorr::sign(&long_message(&live.digests[0]), &live.pairs[0], &live.aux[0]))
    }),
    single("schnorr_sign_checked", secrets::schnorr_sign, |live| {
        seen(&schnorr::sign_checked(&live.digests[0], &live.pairs[0], &live.aux[0]))
    }),
    single("ecdh_shared_secret", secrets::shared, |live| {
        wipe(&mut ecdh::shared_secret(&live.publics[0], &live.secrets[0]))
    }),
    single("ecdh_shared_x", secrets::shared, |live| wipe(&mut ecdh::shared_x(&live.publics[0], &live.secrets[0]))),
    single("ecdh_shared_secret_with", secrets::shared, |live| {
        let first = ecdh::shared_secret_with(&live.publics[0], &live.secrets[0], |x, y| x[0] ^ y[0]);
        black_box(first);
    }),
    // A hash of the caller's that does not come back.
    single("ecdh_shared_secret_with_panic", secrets::shared, |live| {
        let agree = || ecdh::shared_secret_with(&live.publics[0], &live.secrets[0], |_, _| resume_unwind(Box::new(())));
        assert!(catch_unwind(AssertUnwindSafe(agree)).is_err());
    }),
    single("ellswift_from_secret", secrets::ellswift, |live| {
        seen(&ElligatorSwift::from_secret(&live.secrets[0], Some(&live.aux[0])))
    }),
    single("ellswift_shared_secret", secrets::shared, |live| {
        let theirs = ElligatorSwift::encode(&live.publics[0], &live.aux[0]);
        wipe(&mut ellswift::shared_secret(&theirs, &theirs, &live.secrets[0], Party::Initiator))
    }),
    single("point_mul_generator", secrets::public_key, |live| zeroize(&mut Point::mul_generator(&live.scalars[0]))),
    single("point_mul", secrets::shared, |live| {
        let (point, scalar) = (&Point::from(live.publics[0]), &live.scalars[0]);
        zeroize(&mut (point * scalar));
    }),
    single("scalar_invert", secrets::inversions, |live| zeroize(&mut live.scalars[0].invert_or_zero())),
    bulk("scalar_batch_invert", secrets::inversions, |live| {
        let mut scalars = live.scalars.clone();
        Scalar::batch_invert(&mut scalars);
        scalars.iter_mut().for_each(zeroize);
    }),
    bulk("field_batch_invert", secrets::field_inversions, |live| {
        let mut elements = live.elements.clone();
        FieldElement::batch_invert(&mut elements);
        elements.iter_mut().for_each(zeroize);
    }),
    single("hash", secrets::hashed, |live| {
        wipe(&mut sha256(&live.keys[0]));
        wipe(&mut TaggedHash::new(b"tag").hash(&[&live.keys[0]]));
        let mut hasher = Sha256::new();
        hasher.update(&live.keys[0]);
        black_box(&hasher);
    }),
    single("extended_secret_key", secrets::extended, |live| {
        let master = ExtendedSecretKey::from_seed(&live.keys[0], Chain::Main);
        let master = black_box(&master).as_ref().expect("a master key");
        // Its text is given back to the heap, whose addresses stay on the stack until the next call.
        seen(&master.to_text());
        let expression = master.to_text().parse::<KeyExpression>();
        let expression = black_box(&expression).as_ref().expect("a key");
        seen(&expression.parent(&DerivationPath::default(), None));
        secrets::INDEXES.iter().for_each(|index| seen(&master.child(*index)));
    }),
    bulk("bulk_public_keys", secrets::public_key, |live| seen(&live.bulk.public_keys(&live.secrets))),
    bulk("bulk_sign_ecdsa", secrets::ecdsa_sign, |live| {
        seen(&live.bulk.sign_ecdsa(&live.digests, &live.secrets).expect("equal lengths"))
    }),
    bulk("bulk_sign_schnorr", secrets::schnorr_sign, |live| {
        let messages: Vec<_> = live.digests.iter().map(|digest| &digest[..]).collect();
        black_box(&live.bulk.sign_schnorr(&messages, &live.pairs, &live.aux).expect("equal lengths"));
    }),
    bulk("bulk_sign_schnorr_long", secrets::schnorr_sign_long, |live| {
        let messages: Vec<_> = live.digests.iter().map(long_message).collect();
        let messages: Vec<_> = messages.iter().map(|message| &message[..]).collect();
        black_box(&live.bulk.sign_schnorr(&messages, &live.pairs, &live.aux).expect("equal lengths"));
    }),
    bulk("bulk_shared_secrets", secrets::shared, |live| {
        wipe(live.bulk.shared_secrets(&live.publics, &live.secrets).expect("equal lengths").as_flattened_mut())
    }),
    bulk("bulk_tweak_add_public", secrets::tweak_of_point, |live| {
        seen(&live.bulk.tweak_add_public(&live.publics, &live.tweaks).expect("equal lengths"))
    }),
    bulk("bulk_tweak_add_secret", secrets::tweaked, |live| {
        seen(&live.bulk.tweak_add_secret(&live.secrets, &live.tweaks).expect("equal lengths"))
    }),
    bulk("bulk_tweak_mul_public", secrets::tweak_of_point, |live| {
        seen(&live.bulk.tweak_mul_public(&live.publics, &live.tweaks).expect("equal lengths"))
    }),
    bulk("silent_scan_rows", silent::of_rows, silent::scan_rows),
    single("silent_scan", silent::of_scan, silent::scan),
    single("silent_proof", silent::of_proof, silent::prove),
    single("silent_outputs", silent::of_outputs, silent::outputs),
    single("musig_nonce", musig::of_nonce, musig::nonce),
    single("musig_sign_in_session", musig::of_sign, musig::sign),
    single("musig_sign_last_in_session", musig::of_sign_last, musig::sign_last),
    single("c_ellswift", secrets::shared, c_calls::ellswift),
    single("c_musig_sign", musig::of_sign, c_calls::musig_sign),
    bulk("c_public_keys", secrets::public_key, c_calls::public_keys),
    bulk("c_sign_ecdsa", secrets::ecdsa_sign, c_calls::sign_ecdsa::<false>),
    bulk("c_sign_ecdsa_recoverable", secrets::ecdsa_sign, c_calls::sign_ecdsa::<true>),
    bulk("c_sign_schnorr", secrets::schnorr_sign, c_calls::sign_schnorr),
    bulk("c_shared_secrets", secrets::shared, c_calls::shared_secrets),
    bulk("c_tweak_add_public", secrets::tweak_of_point, c_calls::tweak_add_public),
    single("c_scan_silent_payments", silent::of_scan, c_calls::scan_silent_payments),
    bulk("c_sign_ecdsa_in_workspace", secrets::ecdsa_sign, c_calls::sign_ecdsa_in_workspace),
    bulk("c_sign_ecdsa_cancelled", secrets::ecdsa_sign, c_calls::sign_ecdsa_cancelled),
    single("drop_in_pubkey_create", secrets::public_key, drop_in::pubkey_create),
    single("drop_in_keypair_create", secrets::public_key, drop_in::keypair_create),
    single("drop_in_seckey_tweak_add", secrets::tweaked, drop_in::seckey_tweak_add),
    single("drop_in_ecdsa_sign", secrets::ecdsa_sign, drop_in::ecdsa_sign),
    single("drop_in_ecdsa_sign_recoverable", secrets::ecdsa_sign, drop_in::ecdsa_sign_recoverable),
    single("drop_in_schnorrsig_sign", secrets::schnorr_sign, drop_in::schnorrsig_sign),
    single("drop_in_ecdh", secrets::shared, drop_in::ecdh),
    single("drop_in_ellswift_create", secrets::ellswift, drop_in::ellswift_create),
    single("drop_in_label_create", silent::of_label, drop_in::label_create),
    single("drop_in_sender_outputs", silent::of_drop_in_outputs, |live| {
        drop_in::sender_outputs(live, &silent::outpoint());
    }),
    single("drop_in_musig_nonce_gen", musig::of_drop_in_nonce, drop_in::musig_nonce_gen),
    single("drop_in_musig_partial_sign_in_session", musig::of_drop_in_sign, |live| {
        drop_in::musig_partial_sign(live, &musig::theirs().to_bytes());
    }),
    planted("planted_on_the_heap", planted::on_the_heap),
    planted("planted_on_the_stack", |live| planted::below(&live.case)),
    planted("planted_on_another_stack", planted::on_another_stack),
    planted("planted_in_a_static", planted::in_a_static),
    planted("planted_in_a_thread_local", planted::in_a_thread_local),
];

/// Lets a result be computed, and go where the library put it: no copy of it is made.
#[inline(always)]
fn seen<T>(result: &T) {
    black_box(result);
}

/// As [`wipe`], for numbers and points.
#[inline(always)]
fn zeroize(result: &mut impl Zeroize) {
    black_box(&*result);
    result.zeroize();
}

fn secret_from_bytes(live: &Live) {
    black_box(&SecretKey::from_bytes(&live.keys[0]));
}

fn secret_from_hex(live: &Live) {
    black_box(&live.text.parse::<SecretKey>());
}

fn serde_text(live: &Live) {
    black_box(&SecretKey::deserialize(StrDeserializer::<Error>::new(&live.text)));
}

fn sequence(live: &Live, after: impl Iterator<Item = u64>) {
    let bytes = live.keys[0].iter().map(|byte| u64::from(*byte)).chain(after);
    black_box(&SecretKey::deserialize(SeqDeserializer::<_, Error>::new(bytes)));
}
