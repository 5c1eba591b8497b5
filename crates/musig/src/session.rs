//! Signing of one message by all signers, once.

use crate::{
    AggregateNonce, Contribution, Error, KeyAggregation, PartialSignature, PublicNonce, SecretNonce, wipe::cleared,
};
use alloc::borrow::Cow;
use phalanx::{
    Keypair, Point, PublicKey, Scalar,
    bindings::{BuiltIn, Compression, declassify, hash_by, key_of_vartime, scalar_of, tags},
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
    pub(crate) values: Values,
}

/// The numbers of a session.
#[derive(Debug)]
pub struct Values {
    /// What each second half of a nonce is multiplied by: the BIP's b.
    pub nonce_coefficient: Scalar,
    /// The challenge of BIP-340: e.
    pub challenge: Scalar,
    /// The x of the signature's nonce R.
    pub r: [u8; 32],
    /// Whether the y of R is odd, and so all nonces are negated.
    pub negated: bool,
}

impl<'a> Session<'a> {
    /// The session of a message, from the sum of the nonces that the signers made for it (`GetSessionValues`).
    pub fn new(keys: &'a KeyAggregation, nonce: &AggregateNonce, message: &'a [u8]) -> Self {
        let values = Values::new(BuiltIn, &nonce.points, &keys.x_only().to_bytes(), message);
        Session { keys: Cow::Borrowed(keys), message: Cow::Borrowed(message), values }
    }

    /// The same session with copies of its keys and its message, which borrows nothing.
    pub fn into_owned(self) -> Session<'static> {
        let Session { keys, message, values } = self;
        Session { keys: Cow::Owned(keys.into_owned()), message: Cow::Owned(message.into_owned()), values }
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
        let Values { nonce_coefficient, challenge, negated, .. } = &self.values;
        let factor = challenge * self.keys.coefficient(signer);
        let secret = scalar_of(keypair.secret_key());
        let signature = cleared(|| partial(nonce.numbers(), nonce_coefficient, *negated, &factor, secret));
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
        let holds = self.values.hold(&nonce.points, key, &self.keys.coefficient(signer), &partial.0);
        if holds { Ok(()) } else { Err(Error::of_signer(Contribution::PartialSignature, signer)) }
    }

    /// The signature of the partial signatures of all signers (`PartialSigAgg`), verified. It needs no nonces, and names
    /// nobody: [`aggregate_checked`](Self::aggregate_checked) does.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if the signature does not hold; [`Error::LengthMismatch`] if there is not one partial
    /// signature for each key.
    pub fn aggregate(&self, partials: &[PartialSignature]) -> Result<Signature, Error> {
        if partials.len() != self.keys.keys().len() {
            return Err(Error::LengthMismatch);
        }
        let tweak = self.values.challenge * self.keys.tweak();
        let s = partials.iter().fold(tweak, |sum, partial| sum + partial.0);
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.values.r);
        bytes[32..].copy_from_slice(&s.to_bytes());
        let signature = Signature::from_bytes(&bytes).map_err(|_| Error::BadSignature)?;
        let verdict = schnorr::verify(&self.message, &signature, &self.keys.x_only());
        verdict.map(|()| signature).map_err(|_| Error::BadSignature)
    }

    /// The signature, verified; where it does not hold, the signers who cheated, found by
    /// [`verify_all`](Self::verify_all). If nobody cheats this costs one verification, however many signers there are.
    ///
    /// # Errors
    /// [`Error::BadContribution`] with all signers whose partial signatures do not hold. If all hold,
    /// [`Error::BadNonceSum`] if the nonces add up to infinity, else [`Error::OtherNonces`]. [`Error::LengthMismatch`] if
    /// there is not one nonce and one signature for each key.
    pub fn aggregate_checked(&self, nonces: &[PublicNonce], partials: &[PartialSignature]) -> Result<Signature, Error> {
        if nonces.len() != self.keys.keys().len() {
            return Err(Error::LengthMismatch);
        }
        let aggregated = self.aggregate(partials);
        if aggregated != Err(Error::BadSignature) {
            return aggregated;
        }
        self.verify_all(nonces, partials)?;
        Err(if self.values.is_infinite(&AggregateNonce::sum(nonces)) { Error::BadNonceSum } else { Error::OtherNonces })
    }
}

/// A partial signature: the key with its factor, and the nonce with its coefficient, negated or not. Constant time in the
/// nonce and the key. The caller overwrites the stack.
pub fn partial(
    [k1, k2]: &[Scalar; 2],
    coefficient: &Scalar,
    negated: bool,
    factor: &Scalar,
    secret_key: &Scalar,
) -> Scalar {
    let mut k = k1 + coefficient * k2;
    let s = if negated { factor * secret_key - k } else { factor * secret_key + k };
    k.zeroize();
    s
}

impl Values {
    /// Those of a message, by the halves of the aggregate nonce and the x of the aggregate key.
    pub fn new(
        compression: impl Compression,
        nonce: &[Option<PublicKey>; 2],
        key: &[u8; 32],
        message: &[u8],
    ) -> Values {
        let [first, second] = nonce.map(|half| half.map_or([0; 33], |half| half.to_bytes()));
        let hash = hash_by(&tags::MUSIG_NONCE_COEFFICIENT, compression, &[&first, &second, key, message]);
        let nonce_coefficient = Scalar::from_bytes_reduced(&hash);
        let sum = weighted(nonce.map(point), &nonce_coefficient);
        // Somebody cheats where the sum is infinity; with G in its place the session can go on and name who it is.
        let (r, negated) = key_of_vartime(&sum).unwrap_or(PublicKey::GENERATOR).x_only();
        let r = r.to_bytes();
        let challenge = hash_by(&tags::BIP340_CHALLENGE, compression, &[&r, key, message]);
        Values { nonce_coefficient, challenge: Scalar::from_bytes_reduced(&challenge), r, negated }
    }

    /// Whether the halves of a sum of nonces add up to infinity.
    fn is_infinite(&self, nonce: &AggregateNonce) -> bool {
        weighted(nonce.points.map(point), &self.nonce_coefficient).is_identity().into()
    }

    /// Whether s G = R1 + b R2 + e a P, by the coefficient a of a signer's key P; a negated nonce has the other sign.
    pub fn hold(&self, nonce: &[PublicKey; 2], key: &PublicKey, coefficient: &Scalar, s: &Scalar) -> bool {
        let nonce = weighted(nonce.map(Point::from), &self.nonce_coefficient);
        let found = Point::double_mul_vartime(&-(self.challenge * coefficient), &Point::from(key), s);
        found == if self.negated { -nonce } else { nonce }
    }
}

/// Half of an aggregate nonce.
fn point(half: Option<PublicKey>) -> Point {
    half.map_or(Point::IDENTITY, Point::from)
}

/// A nonce of both halves.
fn weighted([first, second]: [Point; 2], coefficient: &Scalar) -> Point {
    first + second.mul_vartime(coefficient)
}
