//! Calls of the drop-in for libsecp256k1, by the names that C programs link with.
#![allow(unsafe_code)]

use crate::live::{Live, wipe};
use libsecp256k1 as _;
use phalanx::PublicKey;
use std::{
    ffi::{c_int, c_uint, c_void},
    hint::black_box,
    ptr,
};

/// What the functions are given, read, write, and are not given.
type Context = *const c_void;
type In = *const u8;
type Out = *mut u8;
type Absent = *const c_void;

/// Of a digest and a key, by the usual nonce.
type Sign = unsafe extern "C" fn(Context, Out, In, In, Absent, Absent) -> c_int;

unsafe extern "C" {
    fn secp256k1_context_create(flags: c_uint) -> *mut c_void;
    fn secp256k1_ec_pubkey_create(_: Context, pubkey: Out, key: In) -> c_int;
    fn secp256k1_keypair_create(_: Context, pair: Out, key: In) -> c_int;
    fn secp256k1_ec_seckey_tweak_add(_: Context, key: Out, tweak: In) -> c_int;
    fn secp256k1_ecdsa_sign(_: Context, signature: Out, digest: In, key: In, _: Absent, _: Absent) -> c_int;
    fn secp256k1_ecdsa_sign_recoverable(_: Context, signature: Out, digest: In, key: In, _: Absent, _: Absent)
    -> c_int;
    fn secp256k1_schnorrsig_sign32(_: Context, signature: Out, message: In, pair: In, aux: In) -> c_int;
    fn secp256k1_ec_pubkey_parse(_: Context, key: Out, bytes: In, length: usize) -> c_int;
    fn secp256k1_ecdh(_: Context, output: Out, pubkey: In, key: In, hash: Absent, _: Absent) -> c_int;
    fn secp256k1_ellswift_create(_: Context, encoding: Out, key: In, aux: In) -> c_int;
    fn secp256k1_silentpayments_recipient_label_create(
        _: Context,
        label: Out,
        tweak: Out,
        scan: In,
        number: u32,
    ) -> c_int;
    fn secp256k1_silentpayments_sender_create_outputs(
        _: Context,
        outputs: *const Out,
        recipients: *mut *const Recipient,
        count: usize,
        outpoint: In,
        pairs: *const In,
        pair_count: usize,
        keys: Absent,
        key_count: usize,
    ) -> c_int;
    fn secp256k1_xonly_pubkey_serialize(_: Context, bytes: Out, key: In) -> c_int;
    fn secp256k1_musig_nonce_gen(
        _: Context,
        secret: Out,
        public: Out,
        randomness: Out,
        key: In,
        pubkey: In,
        message: In,
        cache: Absent,
        extra: In,
    ) -> c_int;
    fn secp256k1_musig_pubnonce_serialize(_: Context, bytes: Out, nonce: In) -> c_int;
    fn secp256k1_musig_pubnonce_parse(_: Context, nonce: Out, bytes: In) -> c_int;
    fn secp256k1_musig_pubkey_agg(_: Context, x: Absent, cache: Out, keys: *const In, count: usize) -> c_int;
    fn secp256k1_musig_nonce_agg(_: Context, sum: Out, nonces: *const In, count: usize) -> c_int;
    fn secp256k1_musig_nonce_process(_: Context, session: Out, sum: In, message: In, cache: In) -> c_int;
    fn secp256k1_musig_partial_sign(_: Context, partial: Out, nonce: Out, pair: In, cache: In, session: In) -> c_int;
    fn secp256k1_musig_partial_sig_serialize(_: Context, bytes: Out, partial: In) -> c_int;
}

fn context() -> *mut c_void {
    // SAFETY: 1 is `SECP256K1_CONTEXT_NONE`. Contexts stay, to be searched.
    unsafe { secp256k1_context_create(1) }
}

pub(crate) fn pubkey_create(live: &Live) {
    let mut key = [0; 64];
    // SAFETY: as many bytes as the header says, in this function and in those below.
    assert_eq!(unsafe { secp256k1_ec_pubkey_create(context(), key.as_mut_ptr(), live.keys[0].as_ptr()) }, 1);
    black_box(&key);
}

/// A pair, which the caller wipes.
fn with_pair(live: &Live, work: impl FnOnce(*mut c_void, &[u8; 96])) {
    let (context, mut pair) = (context(), [0; 96]);
    // SAFETY: as above.
    assert_eq!(unsafe { secp256k1_keypair_create(context, pair.as_mut_ptr(), live.keys[0].as_ptr()) }, 1);
    work(context, &pair);
    wipe(&mut pair);
}

pub(crate) fn keypair_create(live: &Live) {
    with_pair(live, |_, pair| {
        black_box(pair);
    });
}

pub(crate) fn seckey_tweak_add(live: &Live) {
    let context = context();
    let mut key = [0; 32];
    key.copy_from_slice(&live.keys[0]);
    // SAFETY: as above.
    assert_eq!(unsafe { secp256k1_ec_seckey_tweak_add(context, key.as_mut_ptr(), live.tweaks[0].as_ptr()) }, 1);
    wipe(&mut key);
}

fn sign<const N: usize>(live: &Live, function: Sign) {
    let (mut signature, digest, key) = ([0; N], live.digests[0].as_ptr(), live.keys[0].as_ptr());
    // SAFETY: as above, for a function that writes N bytes.
    assert_eq!(unsafe { function(context(), signature.as_mut_ptr(), digest, key, ptr::null(), ptr::null()) }, 1);
    black_box(&signature);
}

pub(crate) fn ecdsa_sign(live: &Live) {
    sign::<64>(live, secp256k1_ecdsa_sign);
}

pub(crate) fn ecdsa_sign_recoverable(live: &Live) {
    sign::<65>(live, secp256k1_ecdsa_sign_recoverable);
}

pub(crate) fn schnorrsig_sign(live: &Live) {
    with_pair(live, |context, pair| {
        let (mut signature, digest, aux) = ([0; 64], live.digests[0].as_ptr(), live.aux[0].as_ptr());
        // SAFETY: as above.
        let signed =
            unsafe { secp256k1_schnorrsig_sign32(context, signature.as_mut_ptr(), digest, pair.as_ptr(), aux) };
        assert_eq!(signed, 1);
        black_box(&signature);
    });
}

pub(crate) fn ecdh(live: &Live) {
    let (context, none, mut public, mut shared) = (context(), ptr::null(), [0; 64], [0; 32]);
    let bytes = live.publics[0].to_bytes();
    // SAFETY: as above.
    unsafe {
        assert_eq!(secp256k1_ec_pubkey_parse(context, public.as_mut_ptr(), bytes.as_ptr(), bytes.len()), 1);
        let key = live.keys[0].as_ptr();
        assert_eq!(secp256k1_ecdh(context, shared.as_mut_ptr(), public.as_ptr(), key, none, none), 1);
    }
    wipe(&mut shared);
}

pub(crate) fn ellswift_create(live: &Live) {
    let (mut encoding, key, aux) = ([0; 64], live.keys[0].as_ptr(), live.aux[0].as_ptr());
    // SAFETY: as above.
    assert_eq!(unsafe { secp256k1_ellswift_create(context(), encoding.as_mut_ptr(), key, aux) }, 1);
    black_box(&encoding);
}

/// The label of this number is made.
pub(crate) const LABEL: u32 = 1;

pub(crate) fn label_create(live: &Live) {
    with_label_tweak(&live.keys[0], |_| ());
}

/// The tweak of the label by the key as scan secret. It is wiped.
pub(crate) fn with_label_tweak(key: &[u8; 32], work: impl FnOnce(&[u8; 32])) {
    let (mut label, mut tweak) = ([0; 68], [0; 32]);
    let (place, tweak_place) = (label.as_mut_ptr(), tweak.as_mut_ptr());
    // SAFETY: as above.
    let made =
        unsafe { secp256k1_silentpayments_recipient_label_create(context(), place, tweak_place, key.as_ptr(), LABEL) };
    assert_eq!(made, 1);
    work(&tweak);
    wipe(&mut tweak);
    black_box(&label);
}

/// `secp256k1_silentpayments_recipient`: scan key, spend key, place of the output.
#[repr(C)]
struct Recipient {
    scan: [u8; 64],
    spend: [u8; 64],
    index: usize,
}

pub(crate) fn sender_outputs(live: &Live, outpoint: &[u8; 36]) {
    let public = live.publics[0].to_bytes();
    with_outputs(&live.keys[0], &public, outpoint, |_, outputs| {
        black_box(outputs);
    });
}

/// The outputs of [`sender_outputs`] as bytes.
pub(crate) fn outputs_sent(key: &[u8; 32], public: &[u8; 33], outpoint: &[u8; 36]) -> [[u8; 32]; 2] {
    let mut bytes = [[0; 32]; 2];
    with_outputs(key, public, outpoint, |context, outputs| {
        for (bytes, output) in bytes.iter_mut().zip(outputs) {
            // SAFETY: as above.
            assert_eq!(unsafe { secp256k1_xonly_pubkey_serialize(context, bytes.as_mut_ptr(), output.as_ptr()) }, 1);
        }
    });
    bytes
}

/// Two outputs for a recipient of whom the public key is both keys, paid by a taproot output of this key. What it
/// has stays on the heap, since the search leaves out only the outermost kilobyte of the stack.
fn with_outputs(key: &[u8; 32], public: &[u8; 33], outpoint: &[u8; 36], work: impl FnOnce(Context, &[[u8; 64]])) {
    let (context, outputs) = (context(), vec![[0; 64]; 2].leak());
    let (pair, pubkey) = (vec![0; 96].leak(), vec![[0; 64]].leak());
    // SAFETY: as above.
    unsafe {
        assert_eq!(secp256k1_ec_pubkey_parse(context, pubkey[0].as_mut_ptr(), public.as_ptr(), public.len()), 1);
        let recipient =
            |index| ptr::from_ref(Box::leak(Box::new(Recipient { scan: pubkey[0], spend: pubkey[0], index })));
        let recipients = vec![recipient(0), recipient(1)].leak();
        assert_eq!(secp256k1_keypair_create(context, pair.as_mut_ptr(), key.as_ptr()), 1);
        let (pairs, none) = ([pair.as_ptr()], ptr::null());
        let places = [outputs[0].as_mut_ptr(), outputs[1].as_mut_ptr()];
        let (places, recipients, outpoint) = (places.as_ptr(), recipients.as_mut_ptr(), outpoint.as_ptr());
        let pairs = pairs.as_ptr();
        let done =
            secp256k1_silentpayments_sender_create_outputs(context, places, recipients, 2, outpoint, pairs, 1, none, 0);
        assert_eq!(done, 1);
    }
    work(context, outputs);
    wipe(pair);
}

/// What a signer of MuSig2 has: a key, randomness, a message, and bytes beside them.
pub(crate) struct Signer<'a> {
    pub(crate) key: &'a [u8; 32],
    pub(crate) randomness: &'a [u8; 32],
    pub(crate) digest: &'a [u8; 32],
    pub(crate) extra: &'a [u8; 32],
}

impl<'a> Signer<'a> {
    fn of(live: &'a Live) -> Self {
        Signer { key: &live.keys[0], randomness: &live.tweaks[0], digest: &live.digests[0], extra: &live.aux[0] }
    }

    /// Makes a nonce, whose secret half is wiped, and gives its public half.
    pub(crate) fn nonce(&self) -> [u8; 66] {
        self.with_nonce(|context, _, public| {
            let mut bytes = [0; 66];
            // SAFETY: as above.
            assert_eq!(unsafe { secp256k1_musig_pubnonce_serialize(context, bytes.as_mut_ptr(), public.as_ptr()) }, 1);
            bytes
        })
    }

    fn with_nonce<T>(&self, work: impl FnOnce(Context, &mut [u8; 132], &[u8; 132]) -> T) -> T {
        let (context, mut pubkey, mut randomness) = (context(), [0; 64], [0; 32]);
        let (mut secret, mut public) = ([0; 132], [0; 132]);
        randomness.copy_from_slice(self.randomness);
        // SAFETY: as above.
        unsafe {
            assert_eq!(secp256k1_ec_pubkey_create(context, pubkey.as_mut_ptr(), self.key.as_ptr()), 1);
            let made = secp256k1_musig_nonce_gen(
                context,
                secret.as_mut_ptr(),
                public.as_mut_ptr(),
                randomness.as_mut_ptr(),
                self.key.as_ptr(),
                pubkey.as_ptr(),
                self.digest.as_ptr(),
                ptr::null(),
                self.extra.as_ptr(),
            );
            assert_eq!(made, 1);
        }
        assert_eq!(black_box(randomness), [0; 32]);
        let result = work(context, &mut secret, &public);
        wipe(&mut secret);
        result
    }

    /// Signs with another signer, who sent this nonce.
    pub(crate) fn sign(&self, other: &PublicKey, theirs: &[u8; 66]) -> [u8; 32] {
        self.with_nonce(|context, secret, public| {
            let (mut mine, mut other_key, mut nonce, mut pair) = ([0; 64], [0; 64], [0; 132], [0; 96]);
            let (mut cache, mut sum, mut session) = ([0; 197], [0; 132], [0; 133]);
            let (mut partial, mut bytes, digest) = ([0; 36], [0; 32], self.digest.as_ptr());
            let other = other.to_bytes();
            // SAFETY: as above.
            let done = unsafe {
                [
                    secp256k1_ec_pubkey_create(context, mine.as_mut_ptr(), self.key.as_ptr()),
                    secp256k1_ec_pubkey_parse(context, other_key.as_mut_ptr(), other.as_ptr(), other.len()),
                    secp256k1_musig_pubnonce_parse(context, nonce.as_mut_ptr(), theirs.as_ptr()),
                    {
                        let keys = [mine.as_ptr(), other_key.as_ptr()];
                        secp256k1_musig_pubkey_agg(context, ptr::null(), cache.as_mut_ptr(), keys.as_ptr(), 2)
                    },
                    {
                        let nonces = [public.as_ptr(), nonce.as_ptr()];
                        secp256k1_musig_nonce_agg(context, sum.as_mut_ptr(), nonces.as_ptr(), 2)
                    },
                    secp256k1_musig_nonce_process(context, session.as_mut_ptr(), sum.as_ptr(), digest, cache.as_ptr()),
                    secp256k1_keypair_create(context, pair.as_mut_ptr(), self.key.as_ptr()),
                    secp256k1_musig_partial_sign(
                        context,
                        partial.as_mut_ptr(),
                        secret.as_mut_ptr(),
                        pair.as_ptr(),
                        cache.as_ptr(),
                        session.as_ptr(),
                    ),
                    secp256k1_musig_partial_sig_serialize(context, bytes.as_mut_ptr(), partial.as_ptr()),
                ]
            };
            wipe(&mut pair);
            assert_eq!(done, [1; 9]);
            bytes
        })
    }
}

pub(crate) fn musig_nonce_gen(live: &Live) {
    Signer::of(live).with_nonce(|_, _, public| {
        black_box(public);
    });
}

/// Signing with a nonce. What is public is computed in between, and lies deeper on the stack.
pub(crate) fn musig_partial_sign(live: &Live, theirs: &[u8; 66]) {
    black_box(&Signer::of(live).sign(&live.publics[0], theirs));
}
