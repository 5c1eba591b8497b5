//! What all know of a group, and what one participant alone knows.

use crate::{Error, Identifier, Suite, equations::Equations, lagrange::differences};
use alloc::vec::Vec;
use core::fmt;
use phalanx::{Bulk, PublicKey, Scalar, SecretKey, bindings::tags};

/// The public side of a shared key: the group's key, and each participant's share as a multiple of the generator. Any
/// `threshold` of the participants can sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    suite: Suite,
    threshold: usize,
    key: PublicKey,
    /// In order of the participants.
    shares: Vec<(Identifier, PublicKey)>,
}

impl Group {
    /// A group from what its participants published. One sum shows that every `threshold` of the shares lead to the key.
    /// That takes time with the square of the number of participants.
    ///
    /// # Errors
    /// [`Error::BadThreshold`], [`Error::Duplicate`], and [`Error::InconsistentGroup`] if a share is not on the
    /// polynomial of the others and the key.
    pub fn new(
        suite: Suite,
        threshold: usize,
        key: PublicKey,
        shares: &[(Identifier, PublicKey)],
        bulk: &Bulk,
    ) -> Result<Self, Error> {
        let group = Self::of_polynomial(suite, threshold, key, shares.to_vec())?;
        if group.is_consistent(bulk) { Ok(group) } else { Err(Error::InconsistentGroup) }
    }

    /// As [`Group::new`] for shares that come from one polynomial.
    pub(crate) fn of_polynomial(
        suite: Suite,
        threshold: usize,
        key: PublicKey,
        mut shares: Vec<(Identifier, PublicKey)>,
    ) -> Result<Self, Error> {
        if threshold == 0 || threshold > shares.len() {
            return Err(Error::BadThreshold);
        }
        Error::refuse_duplicates(shares.iter().map(|(identifier, _)| *identifier))?;
        shares.sort_unstable_by_key(|(identifier, _)| *identifier);
        Ok(Group { suite, threshold, key, shares })
    }

    /// Whether the key at zero and the shares lie on a polynomial of degree threshold - 1.
    ///
    /// The sum of v_i r(x_i) f(x_i) over m places is zero for all polynomials f and r whose degrees add up to m - 2 at
    /// most, where 1 / v_i is the product of x_i - x_j over all others. For any other f and a random r it is not, but
    /// with probability 1/n (Cascudo and David, SCRAPE, 2017).
    fn is_consistent(&self, bulk: &Bulk) -> bool {
        let places: Vec<Scalar> = core::iter::once(Scalar::ZERO)
            .chain(self.shares.iter().map(|(identifier, _)| identifier.scalar()))
            .collect();
        let mut weights = differences(&places);
        Scalar::batch_invert(&mut weights);
        let random: Vec<Scalar> =
            (0..places.len() - self.threshold).map(|_| Scalar::from(&SecretKey::random())).collect();
        let value = |place: &Scalar| random.iter().fold(Scalar::ZERO, |sum, coefficient| sum * place + coefficient);
        let scalars = weights.iter().zip(&places).map(|(weight, place)| *weight * value(place));
        let points = core::iter::once(self.key).chain(self.shares.iter().map(|(_, share)| *share));
        let mut equation = Equations::with_room(1, places.len());
        equation.push(Scalar::ZERO, scalars.zip(points));
        equation.culprits(bulk).is_empty()
    }

    /// The protocol.
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// The number of participants who can sign.
    pub fn threshold(&self) -> usize {
        self.threshold
    }

    /// The key under which signatures are verified. For signatures of BIP-340 its x coordinate counts.
    pub fn key(&self) -> PublicKey {
        self.key
    }

    /// Each participant's share as a multiple of the generator, in order of the participants.
    pub fn verifying_shares(&self) -> &[(Identifier, PublicKey)] {
        &self.shares
    }

    /// The share of a participant as a multiple of the generator.
    pub fn verifying_share(&self, participant: &Identifier) -> Option<PublicKey> {
        let place = self.shares.binary_search_by_key(participant, |(identifier, _)| *identifier).ok()?;
        Some(self.shares[place].1)
    }

    /// The group whose key is the taproot output key of this one (BIP-341), as `frost-secp256k1-tr` tweaks it: each
    /// share is tweaked. The participants tweak theirs by [`KeyShare::taproot`].
    ///
    /// # Errors
    /// [`Error::NotInSuite`] if the suite is not [`Suite::Taproot`]. [`Error::BadTweak`] for tweaks that nobody can find.
    pub fn taproot(&self, merkle_root: Option<&[u8; 32]>, bulk: &Bulk) -> Result<Group, Error> {
        let tweak = TaprootTweak::new(self.suite, &self.key, merkle_root)?;
        let even: Vec<PublicKey> = self.shares.iter().map(|(_, share)| tweak.even(share)).collect();
        let tweaks = alloc::vec![tweak.number; even.len()];
        let shares = bulk.tweak_add_public(&even, &tweaks).expect("equal lengths");
        let named = |((identifier, _), share): (&(Identifier, _), Result<_, _>)| Ok((*identifier, share?));
        let shares = self.shares.iter().zip(shares).map(named).collect::<Result<_, _>>();
        let shares = shares.map_err(|_: phalanx::Error| Error::BadTweak)?;
        Ok(Group { key: tweak.public(&self.key)?, shares, ..*self })
    }
}

/// One participant's share of the group's secret key. It wipes itself, and `Debug` does not show it.
#[derive(Clone)]
pub struct KeyShare {
    suite: Suite,
    identifier: Identifier,
    secret: SecretKey,
    public: PublicKey,
    group_key: PublicKey,
    threshold: usize,
}

impl KeyShare {
    /// The share of a participant in a group. Constant time.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the group has no such participant, [`Error::ForeignShare`] if the share is not the one that
    /// the group has for it.
    pub fn new(group: &Group, identifier: Identifier, secret: SecretKey) -> Result<Self, Error> {
        let expected = group.verifying_share(&identifier).ok_or(Error::Unknown(identifier))?;
        let public = secret.public_key();
        if public != expected {
            return Err(Error::ForeignShare);
        }
        let Group { suite, threshold, key: group_key, .. } = *group;
        Ok(KeyShare { suite, identifier, secret, public, group_key, threshold })
    }

    /// For shares that were dealt together, whose public sides are known to be right.
    pub(crate) fn of_group(group: &Group, identifier: Identifier, secret: SecretKey, public: PublicKey) -> Self {
        let Group { suite, threshold, key: group_key, .. } = *group;
        KeyShare { suite, identifier, secret, public, group_key, threshold }
    }

    /// The protocol.
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// The participant.
    pub fn identifier(&self) -> Identifier {
        self.identifier
    }

    /// The secret itself, to be stored.
    pub fn secret(&self) -> &SecretKey {
        &self.secret
    }

    /// The share as a multiple of the generator.
    pub fn verifying_share(&self) -> PublicKey {
        self.public
    }

    /// The group's key.
    pub fn group_key(&self) -> PublicKey {
        self.group_key
    }

    /// The number of participants who can sign.
    pub fn threshold(&self) -> usize {
        self.threshold
    }

    /// This participant's share in [`Group::taproot`]. Constant time.
    ///
    /// # Errors
    /// As [`Group::taproot`].
    pub fn taproot(&self, merkle_root: Option<&[u8; 32]>) -> Result<KeyShare, Error> {
        let tweak = TaprootTweak::new(self.suite, &self.group_key, merkle_root)?;
        let even = if tweak.odd { self.secret.negate() } else { self.secret.clone() };
        let secret = even.tweak_add(&tweak.number).map_err(|_| Error::BadTweak)?;
        Ok(KeyShare { public: tweak.public(&self.public)?, group_key: tweak.public(&self.group_key)?, secret, ..*self })
    }
}

impl fmt::Debug for KeyShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyShare").field("identifier", &self.identifier).finish_non_exhaustive()
    }
}

/// The tweak of BIP-341, and whether the key must be negated first.
struct TaprootTweak {
    number: [u8; 32],
    odd: bool,
}

impl TaprootTweak {
    fn new(suite: Suite, key: &PublicKey, merkle_root: Option<&[u8; 32]>) -> Result<Self, Error> {
        if suite != Suite::Taproot {
            return Err(Error::NotInSuite);
        }
        let (x, odd) = key.x_only();
        let root: &[u8] = merkle_root.map_or(&[], |root| root);
        Ok(TaprootTweak { number: tags::TAP_TWEAK.hash(&[&x.to_bytes(), root]), odd })
    }

    /// The point, negated where the group's key is.
    fn even(&self, point: &PublicKey) -> PublicKey {
        if self.odd { point.negate() } else { *point }
    }

    fn public(&self, point: &PublicKey) -> Result<PublicKey, Error> {
        self.even(point).tweak_add(&self.number).map_err(|_| Error::BadTweak)
    }
}
