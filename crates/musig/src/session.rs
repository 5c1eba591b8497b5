//! Signing of one message by all signers, once.

use crate::{
    AggregateNonce, Contribution, Error, KeyAggregation, PartialSignature, PublicNonce, SecretNonce, wipe::cleared,
};
use alloc::borrow::Cow;
use phalanx::{
    FieldElement, Keypair, Point, PublicKey, Scalar, SecretKey, declassify,
    hash::TaggedHash,
    schnorr::{self, Signature},
};
use zeroize::Zeroize;

/// What all signers of a message share in the second round. All of it is public; it is made anew for each message.
///
/// It is meant for one signature, so it cannot be cloned.
#[derive(Debug)]
pub struct Session<'a> {
    pub(crate) keys: Cow<'a, KeyAggregation>,
    message: Cow<'a, [u8]>,
    /// What each second half of a nonce is multiplied by: the BIP's b.
    pub(crate) nonce_coefficient: Scalar,
    /// The challenge of BIP-340: e.
    pub(crate) challenge: Scalar,
    /// The x of the signature's nonce R.
    r: [u8; 32],
    /// Whether the y of R is odd, and so all nonces are negated.
    pub(crate) negated: bool,
}

impl<'a> Session<'a> {
    /// The session of a message, from the sum of the nonces that the signers made for it (`GetSessionValues`).
    pub fn new(keys: &'a KeyAggregation, nonce: &AggregateNonce, message: &'a [u8]) -> Self {
        let key = keys.x_only().to_bytes();
        let hash = TaggedHash::new(b"MuSig/noncecoef").hash(&[&nonce.to_bytes(), &key, message]);
        let nonce_coefficient = Scalar::from_bytes_reduced(&hash);
        let [first, second] = nonce.points();
        let sum = first + second.mul_vartime(&nonce_coefficient);
        // Somebody cheats where the sum is infinity; with G in its place the session can go on and name who it is.
        let (x, y) = sum.to_affine_vartime().unwrap_or_else(generator);
        let r = x.to_bytes();
        let challenge = Scalar::from_bytes_reduced(&TaggedHash::new(b"BIP0340/challenge").hash(&[&r, &key, message]));
        let (keys, message) = (Cow::Borrowed(keys), Cow::Borrowed(message));
        Session { keys, message, nonce_coefficient, challenge, r, negated: y.is_odd().into() }
    }

    /// The same session with copies of its keys and its message, which borrows nothing.
    pub fn into_owned(self) -> Session<'static> {
        let Session { keys, message, nonce_coefficient, challenge, r, negated } = self;
        let (keys, message) = (Cow::Owned(keys.into_owned()), Cow::Owned(message.into_owned()));
        Session { keys, message, nonce_coefficient, challenge, r, negated }
    }

    /// A signer's partial signature (`Sign`), which uses the secret nonce up, also where the call fails. Constant time.
    ///
    /// # Errors
    /// [`Error::OtherKey`] if the nonce was made for another key, [`Error::NotASigner`] if the key is not among the
    /// aggregated ones.
    pub fn sign(&self, nonce: SecretNonce, keypair: &Keypair) -> Result<PartialSignature, Error> {
        let key = keypair.public_key();
        if *nonce.public_key() != key {
            return Err(Error::OtherKey);
        }
        let signer = self.keys.position(&key).ok_or(Error::NotASigner)?;
        let factor = self.challenge * self.keys.coefficient(signer);
        let signature =
            cleared(|| partial(nonce.numbers(), &self.nonce_coefficient, self.negated, &factor, keypair.secret_key()));
        drop(nonce);
        // It is what the signer sends.
        Ok(PartialSignature(declassify(signature)))
    }

    /// Verifies the partial signature of one signer, by number in the list of keys (`PartialSigVerify`).
    ///
    /// # Errors
    /// [`Error::BadContribution`] with the signer; [`Error::LengthMismatch`] if there are not so many signers.
    pub fn verify(&self, signer: usize, nonce: &PublicNonce, partial: &PartialSignature) -> Result<(), Error> {
        let key = self.keys.keys().get(signer).ok_or(Error::LengthMismatch)?;
        let factor = self.challenge * self.keys.coefficient(signer);
        let [first, second] = nonce.points.map(Point::from);
        let nonce = first + second.mul_vartime(&self.nonce_coefficient);
        // s G - factor P is the nonce, or its negative.
        let found = Point::double_mul_vartime(&-factor, &Point::from(key), &partial.0);
        let holds = found == if self.negated { -nonce } else { nonce };
        if holds { Ok(()) } else { Err(Error::of_signer(Contribution::PartialSignature, signer)) }
    }

    /// The signature of the partial signatures of all signers (`PartialSigAgg`). It holds if they do.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is not one for each key.
    pub fn aggregate(&self, partials: &[PartialSignature]) -> Result<Signature, Error> {
        if partials.len() != self.keys.keys().len() {
            return Err(Error::LengthMismatch);
        }
        let tweak = self.challenge * self.keys.tweak();
        let s = partials.iter().fold(tweak, |sum, partial| sum + partial.0);
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.r);
        bytes[32..].copy_from_slice(&s.to_bytes());
        // r is the x of a point, and s is below n.
        Signature::from_bytes(&bytes).map_err(|_| Error::OtherNonces)
    }

    /// The signature, verified; where it does not hold, the signers who cheated, found by
    /// [`verify_all`](Self::verify_all). If nobody cheats this costs one verification, however many signers there are.
    ///
    /// # Errors
    /// [`Error::BadContribution`] with all signers whose partial signatures do not hold; [`Error::OtherNonces`] if all
    /// hold; [`Error::LengthMismatch`] if there is not one nonce and one signature for each key.
    pub fn aggregate_checked(&self, nonces: &[PublicNonce], partials: &[PartialSignature]) -> Result<Signature, Error> {
        let signature = self.aggregate(partials)?;
        if schnorr::verify(&self.message, &signature, &self.keys.x_only()).is_ok() {
            return Ok(signature);
        }
        self.verify_all(nonces, partials)?;
        Err(Error::OtherNonces)
    }
}

/// A partial signature: the key with its factor, and the nonce with its coefficient, negated or not. Constant time in the
/// nonce and the key. The caller overwrites the stack.
pub fn partial(
    [k1, k2]: &[Scalar; 2],
    coefficient: &Scalar,
    negated: bool,
    factor: &Scalar,
    secret_key: &SecretKey,
) -> Scalar {
    let mut k = k1 + coefficient * k2;
    let mut secret = Scalar::from(secret_key);
    let s = if negated { factor * secret - k } else { factor * secret + k };
    k.zeroize();
    secret.zeroize();
    s
}

/// The coordinates of G.
fn generator() -> (FieldElement, FieldElement) {
    Point::from(PublicKey::GENERATOR).to_affine_vartime().unwrap_or_default()
}
