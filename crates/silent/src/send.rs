//! Sending: the outputs for addresses.

use std::collections::HashMap;

use phalanx::{Scalar, SecretKey, XOnlyPublicKey};
use phalanx_bitcoin::OutPoint;
use zeroize::{Zeroize, Zeroizing};

use crate::hash::SharedPoint;
use crate::wipe::{SINGLE, cleared};
use crate::{Address, Error, MAX_OUTPUTS, hash};

/// The secret key of an input that counts.
#[derive(Debug, Clone, Copy)]
pub struct SendingKey<'a> {
    /// The key by which the input is signed; for taproot, with its tweak.
    pub key: &'a SecretKey,
    /// Whether the output that it spends is of taproot, which has the point with an even y.
    pub taproot: bool,
}

/// The keys of the taproot outputs that pay each address, in the order of the addresses. `keys` are those of all inputs
/// that count, and `outpoints` those of all inputs. No address, no outputs. Constant time in the keys.
///
/// # Errors
/// [`Error::NoEligibleInput`] without keys or outpoints, [`Error::ZeroSum`] if the keys sum up to zero,
/// [`Error::TooManyOutputs`], [`Error::BadHash`], which also stands for an output at infinity.
///
/// ```
/// use phalanx::SecretKey;
/// use phalanx_silent::{Address, OutPoint, SendingKey, outputs};
/// let address = Address::new(SecretKey::random().public_key(), SecretKey::random().public_key(), true);
/// let key = SecretKey::random();
/// let keys = [SendingKey { key: &key, taproot: true }];
/// let sent = outputs(&keys, &[OutPoint { txid: [1; 32], index: 0 }], &[address, address])?;
/// assert_ne!(sent[0], sent[1]);
/// # Ok::<(), phalanx_silent::Error>(())
/// ```
pub fn outputs(
    keys: &[SendingKey<'_>],
    outpoints: &[OutPoint],
    addresses: &[Address],
) -> Result<Vec<XOnlyPublicKey>, Error> {
    cleared::<SINGLE, _>(|| outputs_uncleared(keys, outpoints, addresses))
}

fn outputs_uncleared(
    keys: &[SendingKey<'_>],
    outpoints: &[OutPoint],
    addresses: &[Address],
) -> Result<Vec<XOnlyPublicKey>, Error> {
    let sum = sum_of_keys(keys)?;
    let input_hash = hash::input_hash(outpoints.iter().copied(), &sum.public_key())?;
    let secret = sum.tweak_mul(&input_hash.to_bytes()).map_err(|_| Error::BadHash)?;
    let mut groups: HashMap<[u8; 33], (SharedPoint, u32)> = HashMap::new();
    let mut outputs = Vec::with_capacity(addresses.len());
    for address in addresses {
        let group = groups.entry(address.scan().to_bytes());
        let (shared, k) = group.or_insert_with(|| (hash::shared_point(address.scan(), &secret), 0));
        if *k == MAX_OUTPUTS {
            return Err(Error::TooManyOutputs);
        }
        let tweak = hash::output_tweak(shared, *k)?;
        *k += 1;
        // The x of B + t G is that of -B - t G too.
        let (spend, odd) = address.spend().x_only();
        let tweak = Zeroizing::new(if odd { tweak.negate() } else { tweak }.to_bytes());
        let (output, _) = spend.tweak_add(&tweak).map_err(|_| Error::BadHash)?;
        outputs.push(output);
    }
    Ok(outputs)
}

/// The sum of the keys whose points the inputs have. Sums on the way may be zero.
fn sum_of_keys(keys: &[SendingKey<'_>]) -> Result<SecretKey, Error> {
    if keys.is_empty() {
        return Err(Error::NoEligibleInput);
    }
    let mut sum = Scalar::ZERO;
    for SendingKey { key, taproot } in keys {
        // Which of the two points a secret has, its public key tells.
        let odd = *taproot && key.public_key().x_only().1;
        let mut term = Scalar::from(&if odd { key.negate() } else { (*key).clone() });
        sum += term;
        term.zeroize();
    }
    let key = SecretKey::try_from(sum).map_err(|_| Error::ZeroSum);
    sum.zeroize();
    key
}
