//! The structures of MuSig2, made by the original.

use crate::{
    library::Library,
    random::Random,
    values::{at, at_mut},
};

/// What the first of two signers has.
pub(crate) struct Musig {
    pub(crate) cache: [u8; 197],
    pub(crate) secret_nonce: [u8; 132],
    pub(crate) public_nonce: [u8; 132],
    pub(crate) aggregate_nonce: [u8; 132],
    pub(crate) session: [u8; 133],
    pub(crate) partial: [u8; 36],
    pub(crate) encoded_nonce: [u8; 66],
}

impl Default for Musig {
    fn default() -> Musig {
        Musig {
            cache: [0; 197],
            secret_nonce: [0; 132],
            public_nonce: [0; 132],
            aggregate_nonce: [0; 132],
            session: [0; 133],
            partial: [0; 36],
            encoded_nonce: [0; 66],
        }
    }
}

impl Musig {
    pub(crate) fn new(
        original: &Library,
        context: usize,
        random: &mut Random,
        keypair: &[u8; 96],
        pubkey: &[u8; 64],
        message: &[u8; 32],
    ) -> Musig {
        let mut it = Musig::default();
        let make = |name: &str, arguments: &[usize]| assert_eq!(original.answer(name, arguments), 1, "{name}");
        let (mut other, seed) = ([0; 64], random.bytes::<32>());
        make("secp256k1_ec_pubkey_create", &[context, at_mut(&mut other), at(&seed)]);
        let mut keys = [at(pubkey), at(&other)];
        // The first key and the second one have coefficients of other kinds.
        if random.once_in(2) {
            keys.swap(0, 1);
        }
        let list = keys.as_ptr().expose_provenance();
        make("secp256k1_musig_pubkey_agg", &[context, 0, at_mut(&mut it.cache), list, 2]);
        for name in ["secp256k1_musig_pubkey_ec_tweak_add", "secp256k1_musig_pubkey_xonly_tweak_add"] {
            if random.once_in(2) {
                make(name, &[context, 0, at_mut(&mut it.cache), at(&random.bytes::<32>())]);
            }
        }
        let mut theirs = [[0; 132]; 2];
        let [secret, public] = &mut theirs;
        let mut randomness = random.bytes::<32>();
        let arguments = [context, at_mut(secret), at_mut(public), at_mut(&mut randomness), 0, at(&other), 0, 0, 0];
        make("secp256k1_musig_nonce_gen", &arguments);
        let (secret, public) = (at_mut(&mut it.secret_nonce), at_mut(&mut it.public_nonce));
        let counter = random.next() as usize;
        make("secp256k1_musig_nonce_gen_counter", &[context, secret, public, counter, at(keypair), 0, 0, 0]);
        make("secp256k1_musig_pubnonce_serialize", &[context, at_mut(&mut it.encoded_nonce), at(&it.public_nonce)]);
        let nonces = [at(&it.public_nonce), at(&theirs[1])];
        let list = nonces.as_ptr().expose_provenance();
        make("secp256k1_musig_nonce_agg", &[context, at_mut(&mut it.aggregate_nonce), list, 2]);
        let (session, cache) = (at_mut(&mut it.session), at(&it.cache));
        make("secp256k1_musig_nonce_process", &[context, session, at(&it.aggregate_nonce), at(message), cache]);
        // The nonce is zeroed.
        let mut nonce = it.secret_nonce;
        let arguments = [context, at_mut(&mut it.partial), at_mut(&mut nonce), at(keypair), cache, at(&it.session)];
        make("secp256k1_musig_partial_sign", &arguments);
        it
    }
}
