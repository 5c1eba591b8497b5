//! Proofs that two points have the same discrete logarithm (BIP-374): a sender who does not sign alone shows by one that
//! a shared point was computed from an input's key, without telling the key.

use phalanx::hash::TaggedHash;
use phalanx::{Point, PublicKey, Scalar, SecretKey};
use zeroize::{Zeroize, Zeroizing};

use crate::Error;
use crate::wipe::{SINGLE, cleared};

/// A proof: a challenge and a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DleqProof {
    challenge: [u8; 32],
    response: Scalar,
}

impl DleqProof {
    /// Proves that the secret key times the generator, and the secret key times `base`, have the same logarithm.
    /// `randomness` is 32 fresh random bytes; `message` is what the proof is bound to, if anything. Constant time in
    /// the secret key and the randomness.
    ///
    /// A fault of the machine while it proves can tell the key. Who has to fear one verifies the proof before it is
    /// sent.
    ///
    /// # Errors
    /// [`Error::BadHash`].
    ///
    /// ```
    /// use phalanx::SecretKey;
    /// use phalanx_silent::DleqProof;
    /// let (secret, scan) = (SecretKey::random(), SecretKey::random().public_key());
    /// let shared = scan.tweak_mul(&secret.to_bytes()).expect("not zero");
    /// let proof = DleqProof::prove(&secret, &scan, &[7; 32], None)?;
    /// assert!(proof.holds(&secret.public_key(), &scan, &shared, None));
    /// assert!(!proof.holds(&secret.public_key(), &shared, &scan, None));
    /// # Ok::<(), phalanx_silent::Error>(())
    /// ```
    pub fn prove(
        secret: &SecretKey,
        base: &PublicKey,
        randomness: &[u8; 32],
        message: Option<&[u8; 32]>,
    ) -> Result<DleqProof, Error> {
        cleared::<SINGLE, _>(|| prove(&PublicKey::GENERATOR, secret, base, randomness, message))
    }

    /// Whether `product` is `base` times the secret key of `public`, as far as the proof tells. Variable time.
    pub fn holds(&self, public: &PublicKey, base: &PublicKey, product: &PublicKey, message: Option<&[u8; 32]>) -> bool {
        self.holds_over(&PublicKey::GENERATOR, public, base, product, message)
    }

    fn holds_over(
        &self,
        generator: &PublicKey,
        public: &PublicKey,
        base: &PublicKey,
        product: &PublicKey,
        message: Option<&[u8; 32]>,
    ) -> bool {
        let challenge = Scalar::from_bytes_reduced(&self.challenge);
        // s P - e Q, none for infinity.
        let nonce = |point: &PublicKey, multiple: &PublicKey| {
            let (point, multiple) = (Point::from(*point), Point::from(*multiple));
            let sum = point.mul_vartime(&self.response) + multiple.mul_vartime(&-challenge);
            PublicKey::from_bytes(&sum.to_bytes()).ok()
        };
        let (Some(first), Some(second)) = (nonce(generator, public), nonce(base, product)) else { return false };
        self.challenge == challenge_of([public, base, product, generator, &first, &second], message)
    }

    /// The 64 bytes of a proof.
    ///
    /// # Errors
    /// [`Error::BadProof`] for another length, and for a response that is not below the group order.
    pub fn from_bytes(bytes: &[u8]) -> Result<DleqProof, Error> {
        let ([challenge, response], []) = bytes.as_chunks::<32>() else { return Err(Error::BadProof) };
        let response = Scalar::from_bytes(response).map_err(|_| Error::BadProof)?;
        Ok(DleqProof { challenge: *challenge, response })
    }

    /// The proof in 64 bytes.
    pub fn to_bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.challenge);
        bytes[32..].copy_from_slice(&self.response.to_bytes());
        bytes
    }
}

fn prove(
    generator: &PublicKey,
    secret: &SecretKey,
    base: &PublicKey,
    randomness: &[u8; 32],
    message: Option<&[u8; 32]>,
) -> Result<DleqProof, Error> {
    let times = |point: &PublicKey, scalar: &[u8; 32]| point.tweak_mul(scalar).map_err(|_| Error::BadHash);
    let key = Zeroizing::new(secret.to_bytes());
    let (public, product) = (times(generator, &key)?, times(base, &key)?);
    let message_bytes: &[u8] = message.map_or(&[], |message| message);

    let mut masked = Zeroizing::new(TaggedHash::new(b"BIP0374/aux").hash(&[randomness]));
    masked.iter_mut().zip(key.iter()).for_each(|(mask, key)| *mask ^= key);
    let parts = [&masked[..], &public.to_bytes(), &product.to_bytes(), message_bytes];
    let hash = Zeroizing::new(TaggedHash::new(b"BIP0374/nonce").hash(&parts));
    let mut nonce = Scalar::from_bytes_reduced(&hash);
    let nonce_bytes = Zeroizing::new(nonce.to_bytes());
    let (first, second) = (times(generator, &nonce_bytes)?, times(base, &nonce_bytes)?);

    let challenge = challenge_of([&public, base, &product, generator, &first, &second], message);
    let mut key = Scalar::from(secret);
    let response = nonce + Scalar::from_bytes_reduced(&challenge) * key;
    key.zeroize();
    nonce.zeroize();
    Ok(DleqProof { challenge, response })
}

fn challenge_of(points: [&PublicKey; 6], message: Option<&[u8; 32]>) -> [u8; 32] {
    let points = points.map(PublicKey::to_bytes);
    let message: &[u8] = message.map_or(&[], |message| message);
    TaggedHash::new(b"BIP0374/challenge").hash(&[points.as_flattened(), message])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<Vec<&str>> {
        text.lines().skip(1).map(|line| line.split(',').collect()).collect()
    }

    fn word(text: &str) -> Option<[u8; 32]> {
        (!text.is_empty()).then(|| const_hex::decode_to_array(text).unwrap())
    }

    fn key(text: &str) -> Option<PublicKey> {
        text.parse().ok()
    }

    #[test]
    fn proofs_are_those_of_the_bip() {
        let records = records(include_str!("../../../testkit/vectors/bip-0374-generate.csv"));
        assert_eq!(records.len(), 11);
        for record in records {
            let [_, generator, secret, base, randomness, message, proof, comment] = record[..] else { panic!() };
            // A secret key and a public key are valid by their types.
            let secret = SecretKey::from_bytes(&word(secret).unwrap());
            let (Ok(secret), Some(base)) = (secret, key(base)) else {
                assert_eq!(proof, "INVALID", "{comment}");
                continue;
            };
            let (randomness, message) = (word(randomness).unwrap(), word(message));
            let made = prove(&key(generator).unwrap(), &secret, &base, &randomness, message.as_ref()).unwrap();
            assert_eq!(const_hex::encode(made.to_bytes()), proof, "{comment}");
        }
    }

    #[test]
    fn proofs_hold_as_the_bip_says() {
        let records = records(include_str!("../../../testkit/vectors/bip-0374-verify.csv"));
        assert_eq!(records.len(), 15);
        for record in records {
            let [_, generator, public, base, product, proof, message, holds, comment] = record[..] else { panic!() };
            let [generator, public, base, product] = [generator, public, base, product].map(|text| key(text).unwrap());
            let proof = DleqProof::from_bytes(&const_hex::decode(proof).unwrap());
            let message = word(message);
            let found =
                proof.is_ok_and(|proof| proof.holds_over(&generator, &public, &base, &product, message.as_ref()));
            assert_eq!(found, holds == "TRUE", "{comment}");
        }
    }

    #[test]
    fn what_is_no_proof_is_refused() {
        let (secret, base) = (SecretKey::from_bytes(&[3; 32]).unwrap(), key(&format!("02{}", "02".repeat(32))));
        let base = base.unwrap_or(PublicKey::GENERATOR);
        let product = base.tweak_mul(&[3; 32]).unwrap();
        let proof = DleqProof::prove(&secret, &base, &[1; 32], Some(&[2; 32])).unwrap();
        let public = secret.public_key();
        assert!(proof.holds(&public, &base, &product, Some(&[2; 32])));
        assert!(!proof.holds(&public, &base, &product, None));
        assert!(!proof.holds(&public, &base, &public.negate(), Some(&[2; 32])));
        assert_eq!(DleqProof::from_bytes(&proof.to_bytes()), Ok(proof));
        for bit in 0..512 {
            let mut bytes = proof.to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let other = DleqProof::from_bytes(&bytes);
            assert!(!other.is_ok_and(|other| other.holds(&public, &base, &product, Some(&[2; 32]))), "{bit}");
        }
        assert_eq!(DleqProof::from_bytes(&[0xff; 64]), Err(Error::BadProof));
        assert_eq!(DleqProof::from_bytes(&proof.to_bytes()[1..]), Err(Error::BadProof));
        // Sums at infinity are no proof: s = 0 and e = 0.
        assert!(!DleqProof::from_bytes(&[0; 64]).unwrap().holds(&public, &base, &product, None));
    }
}
