//! The scan of BIP-352 as the BIP words it: one row, one output, one label after the other, by libsecp256k1.

use secp256k1::{Parity, PublicKey, Scalar, SecretKey, XOnlyPublicKey};
use sha2::{Digest, Sha256};

/// An output that was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) output: usize,
    pub(crate) k: u32,
    pub(crate) label: Option<u32>,
    pub(crate) tweak: [u8; 32],
}

pub(crate) fn tagged(tag: &str, parts: &[&[u8]]) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag);
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

pub(crate) fn label_tweak(scan: &[u8; 32], label: u32) -> [u8; 32] {
    tagged("BIP0352/Label", &[scan, &label.to_be_bytes()])
}

pub(crate) fn public(secret: [u8; 32]) -> PublicKey {
    PublicKey::from_secret_key(&SecretKey::from_secret_bytes(secret).unwrap())
}

fn scalar(bytes: [u8; 32]) -> Scalar {
    Scalar::from_be_bytes(bytes).unwrap()
}

/// The tweak of output k.
pub(crate) fn output_tweak(scan: &[u8; 32], point: &PublicKey, k: u32) -> [u8; 32] {
    let shared = point.mul_tweak(&scalar(*scan)).unwrap();
    tagged("BIP0352/SharedSecret", &[&shared.serialize(), &k.to_be_bytes()])
}

/// The outputs of one transaction that are the receiver's.
pub(crate) fn scan(
    secret: &[u8; 32],
    spend: &PublicKey,
    labels: &[u32],
    point: &PublicKey,
    outputs: &[[u8; 32]],
) -> Vec<Found> {
    let of_labels: Vec<_> = labels.iter().map(|label| (*label, public(label_tweak(secret, *label)))).collect();
    let mut left: Vec<usize> = (0..outputs.len()).collect();
    let mut found = Vec::new();
    for k in 0..2323 {
        let tweak = output_tweak(secret, point, k);
        let tweaked = spend.add_exp_tweak(&scalar(tweak)).unwrap();
        let matching = left.iter().enumerate().find_map(|(at, output)| {
            if outputs[*output] == tweaked.x_only_public_key().0.to_byte_array() {
                return Some((at, None));
            }
            let x = XOnlyPublicKey::from_byte_array(outputs[*output]).ok()?;
            [Parity::Even, Parity::Odd].into_iter().find_map(|parity| {
                let difference = x.public_key(parity).combine(&tweaked.negate()).ok()?;
                let (label, _) = of_labels.iter().find(|(_, point)| *point == difference)?;
                Some((at, Some(*label)))
            })
        });
        let Some((at, label)) = matching else { break };
        let mut whole = SecretKey::from_secret_bytes(tweak).unwrap();
        if let Some(label) = label {
            whole = whole.add_tweak(&scalar(label_tweak(secret, label))).unwrap();
        }
        found.push(Found { output: left.remove(at), k, label, tweak: whole.to_secret_bytes() });
    }
    found
}
