//! What a signer of MuSig2 does with secrets. The results are public, and used as a coordinator would.

use crate::{operations::bulk, secret::secret};
use phalanx::{Keypair, SecretKey};
use phalanx_musig::{
    AggregateNonce, KeyAggregation, NonceInputs, PublicNonce, SecretNonce, Session, sign_deterministically,
};

pub(crate) const ALL: &[(&str, fn())] = &[
    ("musig_nonce", || {
        let (_, nonce) = nonce(&signer(0x11));
        assert!(PublicNonce::from_bytes(&nonce.to_bytes()).is_ok());
        let mut used = secret([0; 32]);
        let inputs = NonceInputs::default();
        assert!(SecretNonce::from_randomness(&mut used, &signer(0x11).public_key(), &inputs).is_err());
        let signer = signer(0x11);
        let inputs = NonceInputs { secret_key: Some(signer.secret_key()), ..inputs };
        assert!(SecretNonce::generate_many(&bulk(), 9, &signer.public_key(), &inputs).len() == 9);
    }),
    ("musig_sign", || {
        for byte in [0x11, 0x12, 0x13] {
            let signers = [signer(byte), signer(0x22)];
            let keys = keys(&signers);
            let (secrets, nonces): (Vec<_>, Vec<_>) = signers.iter().map(nonce).unzip();
            let session = Session::new(&keys, &AggregateNonce::sum(&nonces), b"message");
            let sign = |(nonce, signer)| session.sign(nonce, signer).expect("the key of the nonce");
            let partials: Vec<_> = secrets.into_iter().zip(&signers).map(sign).collect();
            assert!(session.aggregate_checked(&nonces, &partials).is_ok());
        }
    }),
    ("musig_sign_deterministically", || {
        let signers = [signer(0x11), signer(0x22)];
        let (keys, (first, theirs)) = (keys(&signers), nonce(&signers[0]));
        let made = sign_deterministically(&signers[1], &theirs, &keys, b"message", Some(&secret([0x33; 32])));
        let (mine, last) = made.expect("a signer");
        let nonces = [theirs, mine];
        let session = Session::new(&keys, &AggregateNonce::sum(&nonces), b"message");
        let first = session.sign(first, &signers[0]).expect("the key of the nonce");
        assert!(session.aggregate_checked(&nonces, &[first, last]).is_ok());
    }),
];

/// A signer whose key is secret.
fn signer(byte: u8) -> Keypair {
    Keypair::from_secret(secret(SecretKey::from_bytes(&[byte; 32]).expect("a key")))
}

fn keys(signers: &[Keypair]) -> KeyAggregation {
    let keys: Vec<_> = signers.iter().map(Keypair::public_key).collect();
    KeyAggregation::new(&keys).and_then(|keys| keys.tweak_add_x_only(&[0x44; 32])).expect("two keys and a tweak")
}

fn nonce(signer: &Keypair) -> (SecretNonce, PublicNonce) {
    let inputs = NonceInputs {
        secret_key: Some(signer.secret_key()),
        aggregate_key: Some([0x77; 32]),
        message: Some(b"message"),
        extra: &secret([0x66; 32]),
    };
    SecretNonce::from_randomness(&mut secret([0x33; 32]), &signer.public_key(), &inputs).expect("fresh randomness")
}
