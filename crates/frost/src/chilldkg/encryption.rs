//! Encryption of shares: a number is added that sender and receiver alone know.

use super::{Params, hash, identifier};
use crate::{Error, wipe::cleared};
use alloc::vec::Vec;
use phalanx::{Bulk, PublicKey, Scalar, SecretKey};
use zeroize::Zeroizing;

/// The numbers of one participant, for which time does not depend on what they are.
pub(super) type Pads = Zeroizing<Vec<Scalar>>;

/// The context of the pad for one receiver.
fn context(params: &Params, receiver: usize) -> Vec<u8> {
    [&(receiver as u32).to_be_bytes()[..], &params.context()].concat()
}

fn reduced(hash: [u8; 32]) -> Scalar {
    Scalar::from_bytes_reduced(&Zeroizing::new(hash))
}

/// The pad for what a participant sends itself, which needs no exchange.
fn own(host: &SecretKey, nonce: &[u8; 33], context: &[u8]) -> Scalar {
    reduced(hash(b"encaps_multi self_pad", &[&*Zeroizing::new(host.to_bytes()), nonce, context]))
}

fn shared(secret: &[u8; 32], nonce: &[u8; 33], receiver: &PublicKey, context: &[u8]) -> Scalar {
    reduced(hash(b"encpedpop ecdh", &[secret, nonce, &receiver.to_bytes(), context]))
}

/// The pads for what the participant of place `me` sends each, with this secret nonce.
pub(super) fn for_sending(params: &Params, me: usize, host: &SecretKey, nonce: &SecretKey, bulk: &Bulk) -> Pads {
    let public = nonce.public_key().to_bytes();
    let secrets: Vec<SecretKey> = params.hosts().iter().map(|_| nonce.clone()).collect();
    let secrets = Zeroizing::new(bulk.shared_secrets(params.hosts(), &secrets).expect("equal lengths"));
    let mut pads = Zeroizing::new(Vec::with_capacity(secrets.len()));
    for (place, (receiver, secret)) in params.hosts().iter().zip(secrets.iter()).enumerate() {
        let context = context(params, place);
        pads.push(cleared(|| match place == me {
            true => own(host, &public, &context),
            false => shared(secret, &public, receiver, &context),
        }));
    }
    pads
}

/// The pads of what each participant sends the one of place `me`, by all public nonces.
pub(super) fn for_receiving(
    params: &Params,
    me: usize,
    host: &SecretKey,
    nonces: &[[u8; 33]],
    bulk: &Bulk,
) -> Result<Pads, Error> {
    let encoded: Vec<&[u8]> = nonces.iter().map(|nonce| &nonce[..]).collect();
    let read = bulk.decompress(&encoded);
    let wrong: Vec<_> = (0..read.len()).filter(|place| read[*place].is_err()).map(identifier).collect();
    if !wrong.is_empty() {
        return Err(Error::BadMessages(wrong));
    }
    let publics: Vec<PublicKey> = read.into_iter().flatten().collect();
    let hosts: Vec<SecretKey> = publics.iter().map(|_| host.clone()).collect();
    let secrets = Zeroizing::new(bulk.shared_secrets(&publics, &hosts).expect("equal lengths"));
    let (receiver, context) = (&params.hosts()[me], context(params, me));
    let mut pads = Zeroizing::new(Vec::with_capacity(secrets.len()));
    for (place, (nonce, secret)) in nonces.iter().zip(secrets.iter()).enumerate() {
        pads.push(cleared(|| match place == me {
            true => own(host, nonce, &context),
            false => shared(secret, nonce, receiver, &context),
        }));
    }
    Ok(pads)
}

/// An encrypted sum without the pads.
pub(super) fn without(encrypted: Scalar, pads: &[Scalar]) -> Zeroizing<Scalar> {
    pads.iter().fold(Zeroizing::new(encrypted), |sum, pad| Zeroizing::new(*sum - pad))
}
