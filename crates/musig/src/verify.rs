//! Partial signatures of many signers, by one sum.
//!
//! The equation of a signer is s G = R1 + b R2 + e a P, where a negated nonce has the other sign. Each equation is
//! multiplied by a number of 128 bits that depends on all of them, and all are added. If one does not hold, the sum
//! vanishes with a probability of 2^-128, whatever the signers agree on (Bellare, Garay and Rabin, 1998).

use crate::{Contribution, Error, PartialSignature, PublicNonce, Session};
use alloc::vec::Vec;
use core::ops::Range;
use phalanx::{
    PublicKey, Scalar,
    hash::{Sha256, TaggedHash},
    msm::Msm,
};

/// Fewer signers are verified one by one: a sum of so few gains nothing.
const ALONE: usize = 4;

/// All equations.
struct Equations<'a> {
    session: &'a Session<'a>,
    nonces: &'a [PublicNonce],
    partials: &'a [PartialSignature],
    /// The hash of all of them.
    seed: [u8; 32],
    sums: &'a Msm,
}

impl Session<'_> {
    /// Verifies the partial signatures of all signers, in the order of the keys, by one sum. Where that does not
    /// vanish, halves are searched for those who cheated. Each signer gets the verdict of [`verify`](Self::verify).
    ///
    /// The search among cheaters costs at most the logarithm of their number more than to verify them one by one.
    ///
    /// # Errors
    /// [`Error::BadContribution`] with all signers whose partial signatures do not hold; [`Error::LengthMismatch`] if
    /// there is not one nonce and one signature for each key.
    pub fn verify_all(&self, nonces: &[PublicNonce], partials: &[PartialSignature]) -> Result<(), Error> {
        let count = self.keys.keys().len();
        if nonces.len() != count || partials.len() != count {
            return Err(Error::LengthMismatch);
        }
        let seed = self.seed(nonces, partials);
        let equations = Equations { session: self, nonces, partials, seed, sums: &self.keys.sums };
        let mut signers = Vec::new();
        equations.search(0..count, &mut signers);
        match signers.is_empty() {
            true => Ok(()),
            false => Err(Error::BadContribution { contribution: Contribution::PartialSignature, signers }),
        }
    }

    /// The hash of everything in the equations.
    fn seed(&self, nonces: &[PublicNonce], partials: &[PartialSignature]) -> [u8; 32] {
        let mut hash = Sha256::new();
        [self.values.nonce_coefficient, self.values.challenge]
            .iter()
            .for_each(|number| hash.update(&number.to_bytes()));
        hash.update(&[self.values.negated.into()]);
        for (signer, (nonce, partial)) in nonces.iter().zip(partials).enumerate() {
            hash.update(&self.keys.keys()[signer].to_bytes());
            hash.update(&self.keys.coefficient(signer).to_bytes());
            hash.update(&nonce.to_bytes());
            hash.update(&partial.to_bytes());
        }
        TaggedHash::new(b"Phalanx/MuSig/partials").hash(&[&hash.finish()])
    }
}

impl Equations<'_> {
    /// Notes the signers of a range whose equations do not hold.
    fn search(&self, range: Range<usize>, bad: &mut Vec<usize>) {
        if range.len() <= ALONE {
            let holds = |signer: usize| self.session.verify(signer, &self.nonces[signer], &self.partials[signer]);
            return bad.extend(range.filter(|signer| holds(*signer).is_err()));
        }
        if !self.hold(range.clone()) {
            let middle = range.start + range.len() / 2;
            self.search(range.start..middle, bad);
            self.search(middle..range.end, bad);
        }
    }

    /// Whether the equations of a range hold, each multiplied by its number.
    fn hold(&self, range: Range<usize>) -> bool {
        let Session { keys, values, .. } = self.session;
        let mut scalars = Vec::with_capacity(3 * range.len() + 1);
        let mut points = Vec::with_capacity(3 * range.len() + 1);
        let mut generator = Scalar::ZERO;
        for signer in range {
            let number = self.number(signer);
            let nonce = if values.negated { number } else { -number };
            let factor = values.challenge * keys.coefficient(signer);
            scalars.extend([nonce, nonce * values.nonce_coefficient, -(number * factor)]);
            points.extend(self.nonces[signer].points);
            points.push(keys.keys()[signer]);
            generator += number * self.partials[signer].0;
        }
        scalars.push(generator);
        points.push(PublicKey::GENERATOR);
        self.sums.sum_of_products(&scalars, &points).is_ok_and(|sum| sum.is_identity().into())
    }

    /// The number of an equation, of 128 bits.
    fn number(&self, signer: usize) -> Scalar {
        let mut hash = Sha256::new();
        hash.update(&self.seed);
        hash.update(&(signer as u64).to_le_bytes());
        let mut bytes = [0; 32];
        bytes[16..].copy_from_slice(&hash.finish()[..16]);
        Scalar::from_bytes_reduced(&bytes)
    }
}
