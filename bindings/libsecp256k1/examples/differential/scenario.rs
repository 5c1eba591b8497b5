//! Consistent values that arguments are drawn from, made by the original.

use crate::{
    library::Library,
    musig::Musig,
    payment::Payment,
    random::Random,
    values::{at, at_mut, joined, reversed},
};

/// Keys, messages and signatures that belong together.
pub(crate) struct Scenario {
    pub(crate) secret: [u8; 32],
    pub(crate) digest: [u8; 32],
    pub(crate) message: Vec<u8>,
    pub(crate) pubkey: [u8; 64],
    pub(crate) xonly: [u8; 64],
    /// The x-only key, tweaked by the digest.
    pub(crate) tweaked: [u8; 64],
    pub(crate) keypair: [u8; 96],
    pub(crate) signature: [u8; 64],
    /// The same with the other s, which is high.
    pub(crate) high: [u8; 64],
    pub(crate) recoverable: [u8; 65],
    pub(crate) schnorr: [u8; 64],
    /// Of the public key.
    pub(crate) encoding: [u8; 64],
    pub(crate) musig: Musig,
    pub(crate) payment: Payment,
}

impl Scenario {
    pub(crate) fn new(original: &Library, context: usize, random: &mut Random) -> Scenario {
        let length = random.below(200);
        let mut it = Scenario {
            secret: random.bytes(),
            digest: random.bytes(),
            message: (0..length).map(|_| random.below(256) as u8).collect(),
            pubkey: [0; 64],
            xonly: [0; 64],
            tweaked: [0; 64],
            keypair: [0; 96],
            signature: [0; 64],
            high: [0; 64],
            recoverable: [0; 65],
            schnorr: [0; 64],
            encoding: [0; 64],
            musig: Musig::default(),
            payment: Payment::default(),
        };
        let (secret, digest, pair) = (at(&it.secret), at(&it.digest), at(&it.keypair));
        let make = |name: &str, arguments: &[usize]| assert_eq!(original.answer(name, arguments), 1, "{name}");
        make("secp256k1_keypair_create", &[context, at_mut(&mut it.keypair), secret]);
        make("secp256k1_keypair_pub", &[context, at_mut(&mut it.pubkey), pair]);
        make("secp256k1_keypair_xonly_pub", &[context, at_mut(&mut it.xonly), 0, pair]);
        let xonly = at(&it.xonly);
        make("secp256k1_xonly_pubkey_tweak_add", &[context, at_mut(&mut it.tweaked), xonly, digest]);
        make("secp256k1_ellswift_create", &[context, at_mut(&mut it.encoding), secret, 0]);
        make("secp256k1_ecdsa_sign", &[context, at_mut(&mut it.signature), digest, secret, 0, 0]);
        let [r, mut s] = [0, 32].map(|at| reversed(it.signature[at..at + 32].try_into().unwrap()));
        make("secp256k1_ec_seckey_negate", &[context, at_mut(&mut s)]);
        it.high = joined(reversed(r), reversed(s));
        make("secp256k1_ecdsa_sign_recoverable", &[context, at_mut(&mut it.recoverable), digest, secret, 0, 0]);
        let (message, length) = (it.message.as_ptr().expose_provenance(), it.message.len());
        make("secp256k1_schnorrsig_sign_custom", &[context, at_mut(&mut it.schnorr), message, length, pair, 0]);
        it.payment = Payment::new(original, context, random, &it.secret, &it.pubkey);
        it.musig = Musig::new(original, context, random, &it.keypair, &it.pubkey, &it.digest);
        it
    }
}
