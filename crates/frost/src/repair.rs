//! A lost share is made again by helpers, none of whom learns it (Laing and Stinson, 2018, the enrollment protocol).
//!
//! 1. Each helper splits its part of the lost share into one [`Delta`] for each helper: [`split`].
//! 2. Each helper adds up the deltas that it got, and sends the [`Sigma`] to the participant: [`add`].
//! 3. The participant adds up the sigmas: [`finish`].
//!
//! All messages are secret.

use crate::{Error, Group, Identifier, KeyShare, lagrange, wipe::cleared};
use alloc::vec::Vec;
use core::fmt;
use phalanx::{Scalar, SecretKey};
use zeroize::Zeroizing;

macro_rules! message {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(Zeroizing<Scalar>);

        impl $name {
            /// From 32 big-endian bytes. Constant time.
            ///
            /// # Errors
            /// [`Error::BadEncoding`] for another length, and for numbers that are not below the group order.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
                Scalar::from_bytes(bytes).map(|number| $name(Zeroizing::new(number))).map_err(|_| Error::BadEncoding)
            }

            /// As `from_bytes` reads it. The caller should wipe it.
            pub fn to_bytes(&self) -> [u8; 32] {
                self.0.to_bytes()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    };
}

message! {
    /// A helper's message to a helper. It wipes itself.
    Delta
}
message! {
    /// A helper's message to the participant who lost its share. It wipes itself.
    Sigma
}

/// Part 1: this helper's deltas for each helper, itself too. The helpers are at least as many as the threshold. Constant
/// time in the share.
///
/// # Errors
/// [`Error::TooFew`], [`Error::Duplicate`], [`Error::Unknown`] if this helper is not among them.
///
/// # Panics
/// If the operating system has no randomness to give.
pub fn split(share: &KeyShare, helpers: &[Identifier], lost: &Identifier) -> Result<Vec<(Identifier, Delta)>, Error> {
    if helpers.len() < share.threshold() {
        return Err(Error::TooFew { threshold: share.threshold(), given: helpers.len() });
    }
    Error::refuse_duplicates(helpers.iter().copied())?;
    let own = share.identifier();
    let place = helpers.iter().position(|helper| *helper == own).ok_or(Error::Unknown(own))?;
    let coefficient = lagrange::coefficients(helpers, Some(lost))[place];
    Ok(cleared(|| {
        let mut rest = Zeroizing::new(coefficient * *Zeroizing::new(Scalar::from(share.secret())));
        let mut deltas = Vec::with_capacity(helpers.len());
        for helper in &helpers[1..] {
            let delta = Zeroizing::new(Scalar::from(&SecretKey::random()));
            *rest -= *delta;
            deltas.push((*helper, Delta(delta)));
        }
        deltas.push((helpers[0], Delta(rest)));
        deltas
    }))
}

/// Part 2: the sum of the deltas that all helpers sent to this one. Constant time.
pub fn add(deltas: &[Delta]) -> Sigma {
    Sigma(cleared(|| sum(deltas.iter().map(|delta| &delta.0))))
}

/// Part 3: the lost share. Constant time.
///
/// # Errors
/// [`Error::Unknown`] if the group has no such participant. [`Error::ForeignShare`] if the sum is not the participant's
/// share: a helper made a mistake, and nobody can tell who.
pub fn finish(group: &Group, lost: Identifier, sigmas: &[Sigma]) -> Result<KeyShare, Error> {
    let secret = cleared(|| SecretKey::try_from(*sum(sigmas.iter().map(|sigma| &sigma.0))));
    let secret = secret.map_err(|_| Error::ForeignShare)?;
    KeyShare::new(group, lost, secret)
}

fn sum<'a>(numbers: impl Iterator<Item = &'a Zeroizing<Scalar>>) -> Zeroizing<Scalar> {
    numbers.fold(Zeroizing::new(Scalar::ZERO), |sum, number| Zeroizing::new(*sum + **number))
}
