//! A dealer who knows the whole key.

use crate::{
    Commitment, Error, Group, Identifier, KeyShare, Suite, declassify::public_keys, polynomial::Polynomial,
    wipe::cleared,
};
use alloc::vec::Vec;
use phalanx::{Bulk, PublicKey, SecretKey};
use zeroize::Zeroizing;

/// What a dealer makes: the public side, which goes to all, and a secret share for each participant, in the order in
/// which they were given.
#[derive(Debug, Clone)]
pub struct Dealing {
    /// What all know.
    pub group: Group,
    /// What each participant checks its share by ([`accept`]).
    pub commitment: Commitment,
    /// The secret of each participant.
    pub shares: Vec<KeyShare>,
}

/// Shares a secret key among participants with random coefficients. Constant time in the key.
///
/// # Errors
/// [`Error::BadThreshold`] or [`Error::Duplicate`]. Also [`Error::BadIdentifier`] if a share is zero, which happens by
/// chance once in 2^256.
///
/// ```
/// use phalanx::{Bulk, PublicKey, SecretKey};
/// use phalanx_frost::{Identifier, Suite, dealer};
/// let participants = [1, 2, 3].map(|number| Identifier::new(number).expect("not zero"));
/// let secret = SecretKey::random();
/// let dealing = dealer::deal(Suite::Taproot, 2, &secret, &participants, &Bulk::new())?;
/// assert_eq!(dealing.group.key(), secret.public_key());
/// # Ok::<(), phalanx_frost::Error>(())
/// ```
pub fn deal(
    suite: Suite,
    threshold: usize,
    secret: &SecretKey,
    participants: &[Identifier],
    bulk: &Bulk,
) -> Result<Dealing, Error> {
    if threshold == 0 || threshold > participants.len() {
        return Err(Error::BadThreshold);
    }
    share(suite, &Polynomial::random(secret.clone(), threshold), participants, bulk)
}

/// As [`deal`], with the coefficients behind the secret chosen by the caller: for published vectors. The threshold is
/// one more than there are coefficients.
///
/// # Errors
/// As [`deal`].
pub fn deal_with_coefficients(
    suite: Suite,
    secret: &SecretKey,
    coefficients: &[SecretKey],
    participants: &[Identifier],
    bulk: &Bulk,
) -> Result<Dealing, Error> {
    let all = core::iter::once(secret).chain(coefficients).cloned().collect();
    share(suite, &Polynomial::new(all), participants, bulk)
}

fn share(suite: Suite, polynomial: &Polynomial, participants: &[Identifier], bulk: &Bulk) -> Result<Dealing, Error> {
    let secret = |participant| SecretKey::try_from(*polynomial.at(participant)).map_err(|_| Error::BadIdentifier);
    let secrets: Vec<SecretKey> = cleared(|| participants.iter().map(secret).collect::<Result<_, _>>())?;
    let publics = public_keys(&secrets, bulk);
    let commitment = polynomial.commit(bulk);
    let named = participants.iter().copied().zip(publics.iter().copied()).collect();
    let group = Group::of_polynomial(suite, commitment.threshold(), commitment.key(), named)?;
    // Copied one by one: a list whose secrets are moved out of it is not wiped.
    let share = |((id, secret), public): ((&Identifier, &SecretKey), PublicKey)| {
        KeyShare::of_group(&group, *id, secret.clone(), public)
    };
    let shares = participants.iter().zip(&secrets).zip(publics).map(share).collect();
    Ok(Dealing { group, commitment, shares })
}

/// Checks a share that a dealer sent, with the participants of the group. Constant time in the share.
///
/// The dealer is trusted with the secret. The check finds a share that cannot sign, and participants who were sent
/// different commitments have different groups.
///
/// # Errors
/// [`Error::BadDealings`] with this participant if the share does not belong to the commitment; [`Error::BadThreshold`],
/// [`Error::Duplicate`], [`Error::Unknown`], [`Error::InconsistentGroup`].
pub fn accept(
    suite: Suite,
    identifier: Identifier,
    secret: &SecretKey,
    commitment: &Commitment,
    participants: &[Identifier],
    bulk: &Bulk,
) -> Result<(KeyShare, Group), Error> {
    if !commitment.holds(&identifier, &Zeroizing::new(secret.into()), bulk) {
        return Err(Error::BadDealings(Vec::from([identifier])));
    }
    let shares = commitment.verifying_shares(participants, bulk)?;
    let named = participants.iter().copied().zip(shares).collect();
    let group = Group::of_polynomial(suite, commitment.threshold(), commitment.key(), named)?;
    Ok((KeyShare::new(&group, identifier, secret.clone())?, group))
}
