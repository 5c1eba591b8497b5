//! One receiver's silent payments, as one would look for them with libsecp256k1: the shared point, its tagged hash, the
//! spend key plus the hash times the generator, and that plus and less the point of the label.

use lab_abi::{
    Prepared, Refusal, Request,
    rows::{PerRow, part, records},
};
use secp256k1::{Error, PublicKey, Scalar, SecretKey};
use sha2::{Digest, Sha256};

struct Receiver {
    scan: Scalar,
    spend: PublicKey,
    /// The label's point and its negation.
    labels: [PublicKey; 2],
    /// After the tag.
    hash: Sha256,
}

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let rows = records::<106>(input);
    let first = rows.first().ok_or("no rows")?;
    let receiver = Receiver::new(part(first, 41), &first[73..]).map_err(|error| error.to_string())?;
    Ok(Prepared::plain(PerRow::new(request, rows, move |row, out| {
        out[0] = receiver.is_paid(&row[..33], part(row, 33)).unwrap_or(false).into();
    })))
}

impl Receiver {
    fn new(scan: &[u8; 32], spend: &[u8]) -> Result<Self, Error> {
        let label: [u8; 32] = tag(b"BIP0352/Label").chain_update(scan).chain_update([0; 4]).finalize().into();
        let label = SecretKey::from_secret_bytes(label)?.public_key();
        Ok(Receiver {
            scan: SecretKey::from_secret_bytes(*scan)?.into(),
            spend: PublicKey::from_slice(spend)?,
            labels: [label, label.negate()],
            hash: tag(b"BIP0352/SharedSecret"),
        })
    }

    fn is_paid(&self, point: &[u8], prefix: &[u8; 8]) -> Result<bool, Error> {
        let shared = PublicKey::from_slice(point)?.mul_tweak(&self.scan)?.serialize();
        let tweak: [u8; 32] = self.hash.clone().chain_update(shared).chain_update([0; 4]).finalize().into();
        let key = self.spend.add_exp_tweak(&Scalar::from_be_bytes(tweak).map_err(|_| Error::InvalidTweak)?)?;
        let [plus, minus] = self.labels;
        Ok([Ok(key), key.combine(&plus), key.combine(&minus)]
            .into_iter()
            .flatten()
            .any(|key| key.serialize()[1..9] == *prefix))
    }
}

/// SHA-256 that has hashed a tag, as BIP-340 says.
fn tag(name: &[u8]) -> Sha256 {
    let name = Sha256::digest(name);
    Sha256::new().chain_update(name).chain_update(name)
}
