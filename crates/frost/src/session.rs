//! One signature: its signers, their nonces and its message.

use crate::{
    AggregateNonce, Error, Group, Identifier, KeyShare, NonceCommitments, Nonces, Signature, Suite,
    equations::Equations,
    lagrange,
    tweak::{Tweak, TweakedKey},
    wipe::cleared,
};
use alloc::vec::Vec;
use phalanx::{Bulk, PublicKey, Scalar, hash::TaggedHash, msm::Msm};
use zeroize::Zeroizing;

/// A signer's share of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureShare(Scalar);

impl SignatureShare {
    /// From 32 big-endian bytes.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for another length, and for numbers that are not below the group order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Scalar::from_bytes(bytes).map(SignatureShare).map_err(|_| Error::BadEncoding)
    }

    /// As [`SignatureShare::from_bytes`] reads it.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }
}

/// What all signers of one message and their coordinator compute alike. It holds no secret.
///
/// Each share z of a signer is to satisfy `z G = +-(D + b E) + a Y`, with the signer's nonces D and E and verifying
/// share Y. The protocols differ in the binding factors b and in the factors a and the signs.
#[derive(Debug, Clone)]
pub struct Session {
    suite: Suite,
    group_key: PublicKey,
    /// In order of the participants.
    signers: Vec<Signer>,
    /// The nonces of the signers, where they are known.
    nonces: Option<Vec<NonceCommitments>>,
    nonce: PublicKey,
    /// Whether the nonces are negated.
    odd_nonce: bool,
    /// Whether the nonces add up to infinity, for which `nonce` stands in.
    infinite_nonce: bool,
    /// The challenge times the sum of the tweaks.
    tweak: Scalar,
    /// The key with its tweaks, and the challenge.
    key: PublicKey,
    challenge: Scalar,
}

#[derive(Debug, Clone)]
struct Signer {
    identifier: Identifier,
    share: PublicKey,
    /// b.
    binding: Scalar,
    /// a: the Lagrange coefficient, the challenge and the sign of the key, multiplied.
    factor: Scalar,
}

impl Session {
    /// The session of a message and these signers, whose nonce commitments come in any order. Time grows with the square
    /// of the number of signers.
    ///
    /// # Errors
    /// [`Error::Duplicate`], [`Error::Unknown`] for a signer who is not of the group, [`Error::TooFew`],
    /// [`Error::BadNonceSum`].
    pub fn new(
        group: &Group,
        nonces: &[(Identifier, NonceCommitments)],
        message: &[u8],
        bulk: &Bulk,
    ) -> Result<Self, Error> {
        Self::with_tweaks(group, nonces, &[], message, bulk)
    }

    /// As [`Session::new`], under the group's key with tweaks, for [`Suite::Bip445`].
    ///
    /// # Errors
    /// As [`Session::new`], and [`Error::BadTweak`]. [`Error::NotInSuite`] for tweaks in another suite.
    pub fn with_tweaks(
        group: &Group,
        nonces: &[(Identifier, NonceCommitments)],
        tweaks: &[Tweak],
        message: &[u8],
        bulk: &Bulk,
    ) -> Result<Self, Error> {
        let mut nonces = nonces.to_vec();
        nonces.sort_unstable_by_key(|(identifier, _)| *identifier);
        let (identifiers, nonces): (Vec<_>, Vec<_>) = nonces.into_iter().unzip();
        if group.suite() == Suite::Bip445 {
            let sum = AggregateNonce::sum(&nonces);
            let mut session = Self::of_sum(group, &identifiers, &sum, tweaks, message)?;
            session.nonces = Some(nonces);
            return Ok(session);
        }
        if !tweaks.is_empty() {
            return Err(Error::NotInSuite);
        }
        let shares = shares_of(group, &identifiers)?;
        let binding = binding_factors(group, &identifiers, &nonces, message)?;
        // The sum of the nonces D + b E.
        let points: Vec<PublicKey> = nonces.iter().flat_map(|nonce| [nonce.hiding, nonce.binding]).collect();
        let scalars: Vec<Scalar> = binding.iter().flat_map(|binding| [Scalar::ONE, *binding]).collect();
        let nonce = Msm::with(bulk).sum_of_products(&scalars, &points).expect("equal lengths");
        let nonce = PublicKey::try_from(nonce).map_err(|_| Error::BadNonceSum)?;
        let key = TweakedKey::new(group.key(), &[])?;
        let mut session = Self::of_nonce(group, &shares, &binding, nonce, &key, message);
        session.nonces = Some(nonces);
        Ok(session)
    }

    /// BIP-445's session, in which one binding factor serves all signers, who are in order.
    pub(crate) fn of_sum(
        group: &Group,
        identifiers: &[Identifier],
        sum: &AggregateNonce,
        tweaks: &[Tweak],
        message: &[u8],
    ) -> Result<Self, Error> {
        let shares = shares_of(group, identifiers)?;
        let key = TweakedKey::new(group.key(), tweaks)?;
        let indices = indices(identifiers)?;
        let x = key.key.x_only().0.to_bytes();
        let binding = TaggedHash::new(b"BIP0445/noncecoef").hash(&[&indices, &sum.to_bytes(), &x, message]);
        let binding = Scalar::from_bytes_reduced(&binding);
        // The generator replaces a sum of infinity, which cheating signers can bring about. There is no signature then, but
        // shares still tell who cheated.
        let nonce = PublicKey::try_from(sum.hiding + sum.binding.mul_vartime(&binding));
        let binding = alloc::vec![binding; identifiers.len()];
        let session = Self::of_nonce(group, &shares, &binding, nonce.unwrap_or(PublicKey::GENERATOR), &key, message);
        Ok(Session { infinite_nonce: nonce.is_err(), ..session })
    }

    fn of_nonce(
        group: &Group,
        shares: &[(Identifier, PublicKey)],
        binding: &[Scalar],
        nonce: PublicKey,
        key: &TweakedKey,
        message: &[u8],
    ) -> Self {
        let suite = group.suite();
        let negated = |point: &PublicKey| suite.is_x_only() && point.x_only().1;
        let challenge = suite.challenge(&nonce, &key.key, message);
        let signed = |negative: bool| if negative { -challenge } else { challenge };
        let (of_shares, of_tweaks) = (signed(negated(&key.key) ^ key.negated), signed(negated(&key.key)));
        let identifiers: Vec<Identifier> = shares.iter().map(|(identifier, _)| *identifier).collect();
        let coefficients = lagrange::coefficients(&identifiers, None);
        let signer = |(((identifier, share), binding), coefficient): (((_, _), _), Scalar)| Signer {
            identifier,
            share,
            binding,
            factor: coefficient * of_shares,
        };
        let signers = shares.iter().copied().zip(binding.iter().copied()).zip(coefficients).map(signer).collect();
        Session {
            suite,
            group_key: group.key(),
            signers,
            nonces: None,
            nonce,
            odd_nonce: negated(&nonce),
            infinite_nonce: false,
            tweak: of_tweaks * key.sum,
            key: key.key,
            challenge,
        }
    }

    /// The signers, in order.
    pub fn signers(&self) -> impl ExactSizeIterator<Item = Identifier> + '_ {
        self.signers.iter().map(|signer| signer.identifier)
    }

    /// The key under which the signature is valid: the group's key with its tweaks.
    pub fn key(&self) -> PublicKey {
        self.key
    }

    fn place(&self, identifier: &Identifier) -> Result<usize, Error> {
        let place = self.signers.binary_search_by_key(identifier, |signer| signer.identifier);
        place.map_err(|_| Error::Unknown(*identifier))
    }

    /// This signer's share of the signature. Constant time in the nonces, which are used up, and in the key share.
    ///
    /// # Errors
    /// [`Error::Unknown`] if this participant does not sign here, [`Error::ForeignShare`], [`Error::ForeignNonces`].
    /// [`Error::BadNonceSum`] if a secret number turns out to be zero, which happens by chance once in 2^256.
    pub fn sign(&self, nonces: Nonces, share: &KeyShare) -> Result<SignatureShare, Error> {
        let place = self.place(&share.identifier())?;
        let signer = &self.signers[place];
        let same = share.suite() == self.suite && share.group_key() == self.group_key;
        if !same || share.verifying_share() != signer.share {
            return Err(Error::ForeignShare);
        }
        if self.nonces.as_ref().is_some_and(|all| all[place] != nonces.commitments()) {
            return Err(Error::ForeignNonces);
        }
        let [hiding, binding] = nonces.secrets();
        // Operations of keys, which wipe what they leave behind.
        let sum = || {
            let nonce = binding.tweak_mul(&signer.binding.to_bytes())?;
            let nonce = nonce.tweak_add(&Zeroizing::new(hiding.to_bytes()))?;
            let nonce = if self.odd_nonce { nonce.negate() } else { nonce };
            share.secret().tweak_mul(&signer.factor.to_bytes())?.tweak_add(&Zeroizing::new(nonce.to_bytes()))
        };
        let sum = cleared(sum).map_err(|_: phalanx::Error| Error::BadNonceSum)?;
        Ok(SignatureShare(Scalar::from(&sum)))
    }

    /// Checks the shares of some signers, as [`Session::aggregate`] checks those of all. Variable time.
    ///
    /// # Errors
    /// [`Error::BadSignatureShares`] with every culprit, [`Error::Unknown`], [`Error::NoNonces`].
    pub fn verify_shares(&self, shares: &[(Identifier, SignatureShare)], bulk: &Bulk) -> Result<(), Error> {
        let placed = shares.iter().map(|(identifier, share)| Ok((self.place(identifier)?, share)));
        self.check(placed.collect::<Result<Vec<_>, _>>()?.into_iter(), bulk)
    }

    /// The signature from all signers' shares, in any order, verified. Every share is checked, all by one sum; if one does
    /// not hold, halves are summed until the culprits stand alone. Variable time.
    ///
    /// # Errors
    /// [`Error::BadSignatureShares`] with every culprit, [`Error::Unknown`], [`Error::Duplicate`], [`Error::Missing`],
    /// [`Error::NoNonces`]. [`Error::BadNonceSum`] if every share holds and the nonces add up to infinity, which all signers
    /// together bring about in [`Suite::Bip445`]: no signature holds then.
    pub fn aggregate(&self, shares: &[(Identifier, SignatureShare)], bulk: &Bulk) -> Result<Signature, Error> {
        let shares = self.in_order(shares)?;
        self.check(shares.iter().enumerate(), bulk)?;
        // The shares' equations add up to that of the signature: the nonces to R, and the verifying shares, which lie on
        // one polynomial, to the group's key. Only a nonce that stands in for the sum is not R.
        if self.infinite_nonce { Err(Error::BadNonceSum) } else { Ok(self.signature(&shares)) }
    }

    /// As [`Session::aggregate`], and instead of the shares the signature is verified, which names nobody. It needs no
    /// nonces.
    ///
    /// # Errors
    /// [`Error::BadSignature`], [`Error::Unknown`], [`Error::Duplicate`], [`Error::Missing`].
    pub fn combine(&self, shares: &[(Identifier, SignatureShare)]) -> Result<Signature, Error> {
        let signature = self.signature(&self.in_order(shares)?);
        let key = if self.suite.is_x_only() { self.key.x_only().0.public_key() } else { self.key };
        if signature.holds(&self.challenge, &key) { Ok(signature) } else { Err(Error::BadSignature) }
    }

    /// The shares in order of the signers.
    fn in_order(&self, shares: &[(Identifier, SignatureShare)]) -> Result<Vec<SignatureShare>, Error> {
        let mut found = alloc::vec![None; self.signers.len()];
        for (identifier, share) in shares {
            if found[self.place(identifier)?].replace(*share).is_some() {
                return Err(Error::Duplicate(*identifier));
            }
        }
        let named = self.signers.iter().zip(found);
        named.map(|(signer, share)| share.ok_or(Error::Missing(signer.identifier))).collect()
    }

    fn check<'s>(
        &self,
        shares: impl ExactSizeIterator<Item = (usize, &'s SignatureShare)>,
        bulk: &Bulk,
    ) -> Result<(), Error> {
        let nonces = self.nonces.as_ref().ok_or(Error::NoNonces)?;
        let mut equations = Equations::with_room(shares.len(), 3);
        let mut places = Vec::with_capacity(shares.len());
        let one = if self.odd_nonce { -Scalar::ONE } else { Scalar::ONE };
        for (place, share) in shares {
            let (signer, nonce) = (&self.signers[place], &nonces[place]);
            let bound = if self.odd_nonce { -signer.binding } else { signer.binding };
            equations.push(-share.0, [(one, nonce.hiding), (bound, nonce.binding), (signer.factor, signer.share)]);
            places.push(signer.identifier);
        }
        let culprits: Vec<Identifier> = equations.culprits(bulk).into_iter().map(|place| places[place]).collect();
        if culprits.is_empty() { Ok(()) } else { Err(Error::BadSignatureShares(culprits)) }
    }

    fn signature(&self, shares: &[SignatureShare]) -> Signature {
        let z = shares.iter().fold(self.tweak, |sum, share| sum + share.0);
        Signature::new(self.suite, self.nonce, z)
    }
}

/// The verifying shares of signers, who are in order.
fn shares_of(group: &Group, identifiers: &[Identifier]) -> Result<Vec<(Identifier, PublicKey)>, Error> {
    Error::refuse_duplicates(identifiers.iter().copied())?;
    if identifiers.len() < group.threshold() {
        return Err(Error::TooFew { threshold: group.threshold(), given: identifiers.len() });
    }
    let share = |identifier: &Identifier| Some((*identifier, group.verifying_share(identifier)?));
    identifiers.iter().map(|identifier| share(identifier).ok_or(Error::Unknown(*identifier))).collect()
}

/// `compute_binding_factors` of RFC 9591, section 4.4.
fn binding_factors(
    group: &Group,
    identifiers: &[Identifier],
    nonces: &[NonceCommitments],
    message: &[u8],
) -> Result<Vec<Scalar>, Error> {
    let hashes = group.suite().hashes()?;
    let mut all = Vec::with_capacity(nonces.len() * 98);
    for (identifier, nonce) in identifiers.iter().zip(nonces) {
        all.extend_from_slice(&identifier.to_bytes());
        all.extend_from_slice(&nonce.to_bytes());
    }
    // Where keys stand for points with even y, the key is hashed as such.
    let key = group.key();
    let key = if group.suite().is_x_only() { key.x_only().0.public_key() } else { key }.to_bytes();
    let (message, all) = (hashes.message(message), hashes.commitments(&all));
    let factor = |identifier: &Identifier| hashes.binding_factor(&[&key, &message, &all, &identifier.to_bytes()]);
    Ok(identifiers.iter().map(factor).collect())
}

/// BIP-445's numbers of participants, which count from zero, in four bytes each.
pub(crate) fn indices(identifiers: &[Identifier]) -> Result<Vec<u8>, Error> {
    identifiers.iter().map(index).collect::<Result<Vec<_>, _>>().map(|indices| indices.concat())
}

/// BIP-445's number of a participant.
pub(crate) fn index(identifier: &Identifier) -> Result<[u8; 4], Error> {
    match (identifier.scalar() - Scalar::ONE).limbs() {
        [word, 0, 0, 0] => u32::try_from(word).map(u32::to_be_bytes).map_err(|_| Error::BadIdentifier),
        _ => Err(Error::BadIdentifier),
    }
}
