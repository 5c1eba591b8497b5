//! A lost share is made again from the host key and public data.

use super::{
    Params, check_certificate,
    encryption::{for_receiving, without},
    identifier,
    messages::Recovery,
};
use crate::{Error, Group, KeyShare, wipe::cleared};
use alloc::vec::Vec;
use phalanx::{Bulk, SecretKey};

/// What a session came to, from its recovery data: the parameters, the group, and the share of the participant of this
/// host key. Without a key there is no share; so a coordinator recovers. Constant time in the key.
///
/// # Errors
/// [`Error::BadRecoveryData`] if the bytes are malformed or the certificate does not hold. [`Error::ForeignHostKey`] if
/// the key is not one of the session's.
pub fn recover(host: Option<&SecretKey>, data: &[u8], bulk: &Bulk) -> Result<(Params, Group, Option<KeyShare>), Error> {
    let data = Recovery::read(data).ok_or(Error::BadRecoveryData)?;
    let hosts: Vec<&[u8; 33]> = data.hosts.iter().collect();
    let params = Params::new(&hosts, data.threshold, bulk).map_err(|_| Error::BadRecoveryData)?;
    if !check_certificate(&params, data.seen, data.signatures, bulk).is_empty() {
        return Err(Error::BadRecoveryData);
    }
    let group = data.sum.group(params.count(), bulk)?;
    let Some(host) = host else { return Ok((params, group, None)) };
    let place = params.place(&host.public_key())?;
    let pads = for_receiving(&params, place, host, data.nonces, bulk).map_err(|_| Error::BadRecoveryData)?;
    let tweaked = data.shares[place] + data.sum.tweak()?;
    let secret = cleared(|| SecretKey::try_from(*without(tweaked, &pads))).map_err(|_| Error::BadRecoveryData)?;
    let share = KeyShare::new(&group, identifier(place), secret).map_err(|_| Error::BadRecoveryData)?;
    Ok((params, group, Some(share)))
}
