//! Proofs that a participant knows the secret of its commitment: signatures of BIP-340 with tags of their own.

use super::identifier;
use crate::{Error, Identifier, Signature, Suite, equations::Equations, wipe::cleared};
use alloc::vec::Vec;
use phalanx::{Bulk, Keypair, PublicKey, Scalar, SecretKey, hash::TaggedHash};
use zeroize::Zeroizing;

fn tag(name: &[u8]) -> TaggedHash {
    TaggedHash::new(&[b"BIP DKG/pop message/", name].concat())
}

/// The proof of the participant of this place. Constant time.
pub(super) fn prove(secret: &SecretKey, place: usize, aux: &[u8; 32]) -> Result<[u8; 64], Error> {
    let pair = Keypair::from_secret(secret.clone());
    let odd = pair.public_key().x_only().1;
    let secret = if odd { secret.negate() } else { secret.clone() };
    let (x, message) = (pair.x_only().to_bytes(), (place as u32).to_be_bytes());
    let mut masked = Zeroizing::new(secret.to_bytes());
    let mask = Zeroizing::new(tag(b"aux").hash(&[aux]));
    masked.iter_mut().zip(mask.iter()).for_each(|(byte, mask)| *byte ^= mask);
    let nonce = Zeroizing::new(tag(b"nonce").hash(&[&masked[..], &x, &message]));
    let nonce = cleared(|| SecretKey::try_from(*Zeroizing::new(Scalar::from_bytes_reduced(&nonce))));
    let nonce = nonce.map_err(|_| Error::BadNonceSum)?;
    let public = nonce.public_key();
    let nonce = if public.x_only().1 { nonce.negate() } else { nonce };
    let challenge = challenge(&public, &x, &message);
    let z = cleared(|| {
        let [nonce, secret] = [&nonce, &secret].map(|secret| Zeroizing::new(Scalar::from(secret)));
        *nonce + challenge * *secret
    });
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&public.x_only().0.to_bytes());
    bytes[32..].copy_from_slice(&z.to_bytes());
    Ok(bytes)
}

fn challenge(nonce: &PublicKey, x: &[u8; 32], message: &[u8]) -> Scalar {
    Scalar::from_bytes_reduced(&tag(b"challenge").hash(&[&nonce.x_only().0.to_bytes(), x, message]))
}

/// The participants among these whose proofs do not hold, all checked by one sum. Each comes with its place.
pub(super) fn culprits(proofs: &[(usize, [u8; 64], PublicKey)], bulk: &Bulk) -> Vec<Identifier> {
    let mut equations = Equations::with_room(proofs.len(), 2);
    let (mut places, mut culprits) = (Vec::new(), Vec::new());
    for (place, proof, key) in proofs {
        let Ok(proof) = Signature::from_bytes(Suite::Bip445, proof) else {
            culprits.push(identifier(*place));
            continue;
        };
        let key = key.x_only().0;
        let challenge = challenge(&proof.nonce(), &key.to_bytes(), &(*place as u32).to_be_bytes());
        equations.push(-proof.z(), [(Scalar::ONE, proof.nonce()), (challenge, key.public_key())]);
        places.push(identifier(*place));
    }
    culprits.extend(equations.culprits(bulk).into_iter().map(|place| places[place]));
    culprits.sort_unstable();
    culprits
}
