//! Threshold signatures by the crate frost-secp256k1-tr of the Zcash Foundation.
//!
//! `aggregate` checks the signature alone. So shares that hold are measured with its `verify_signature_share` for each
//! besides, which computes what all signers have in common anew. If some do not hold, `aggregate_custom` names them, and
//! computes that once.

use frost_core::{CheaterDetection, aggregate_custom, verify_signature_share};
use frost_secp256k1_tr::{
    Error, Identifier, SigningKey, SigningPackage,
    keys::{KeyPackage, PublicKeyPackage, SigningShare, VerifyingShare, reconstruct},
    round1::{NonceCommitment, SigningCommitments, SigningNonces},
    round2::{SignatureShare, sign},
};
use k256::{
    Scalar, U256,
    elliptic_curve::{PrimeField, ops::Reduce},
};
use lab_abi::{
    Description, Job, Op, Peer, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{part, records},
};
use rand_core::{CryptoRng, RngCore};
use std::{collections::BTreeMap, ops::Range};

/// What all peers sign.
const MESSAGE: &[u8] = b"a message of the lab";

struct Frost;

lab_abi::export_peer!(Frost);

impl Peer for Frost {
    fn describe() -> Description {
        Description { version: "3.0.0".into(), flags: lab_abi::RUST_BUILD.into() }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        if request.op != Op::FrostAggregate || request.single || request.threads > 1 {
            return Err(not_offered(request));
        }
        let tables = records::<128>(input).chunks(request.group).map(table).collect::<Result<Vec<_>, _>>();
        let tables = tables.map_err(|error| error.to_string())?;
        Ok(Prepared::plain(Tables { tables, group: request.group, verdicts: vec![0; request.rows] }))
    }
}

/// The group, and what each of its signers sends: two nonce commitments and a share.
struct Table {
    group: PublicKeyPackage,
    sent: Vec<(Identifier, [Vec<u8>; 2], Vec<u8>)>,
}

struct Tables {
    tables: Vec<Table>,
    group: usize,
    verdicts: Vec<u8>,
}

impl Job for Tables {
    fn run(&mut self, rows: Range<usize>) {
        for start in rows.step_by(self.group) {
            let verdicts = self.tables[start / self.group].verdicts().expect("well-formed messages");
            self.verdicts[start..start + self.group].copy_from_slice(&verdicts);
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.verdicts.clone()
    }
}

impl Table {
    /// The timed part.
    fn verdicts(&self) -> Result<Vec<u8>, Error> {
        let mut commitments = BTreeMap::new();
        let mut shares = BTreeMap::new();
        for (id, [hiding, binding], share) in &self.sent {
            let (hiding, binding) = (NonceCommitment::deserialize(hiding)?, NonceCommitment::deserialize(binding)?);
            commitments.insert(*id, SigningCommitments::new(hiding, binding));
            shares.insert(*id, SignatureShare::deserialize(share)?);
        }
        let package = SigningPackage::new(commitments, MESSAGE);
        let culprits = match aggregate_custom(&package, &shares, &self.group, CheaterDetection::AllCheaters) {
            Ok(_) => {
                for (id, share) in &shares {
                    let verifying_share = &self.group.verifying_shares()[id];
                    verify_signature_share(*id, verifying_share, share, &package, self.group.verifying_key())?;
                }
                Vec::new()
            }
            Err(Error::InvalidSignatureShare { culprits }) => culprits,
            Err(error) => return Err(error),
        };
        Ok(self.sent.iter().map(|(id, ..)| u8::from(!culprits.contains(id))).collect())
    }
}

/// The untimed part: the rows are the secrets of all signers.
fn table(rows: &[[u8; 128]]) -> Result<Table, Error> {
    let size = rows.len() as u16;
    let secrets = rows.iter().map(|row| SigningShare::deserialize(part::<32>(row, 32))).collect::<Result<Vec<_>, _>>()?;
    let ids = (1..=size).map(Identifier::try_from).collect::<Result<Vec<_>, _>>()?;
    // The group's key is only known when the shares are put together.
    let named = |key: &SigningKey| -> Vec<KeyPackage> {
        let share = |(id, secret): (&Identifier, &SigningShare)| {
            KeyPackage::new(*id, *secret, VerifyingShare::from(*secret), key.into(), size)
        };
        ids.iter().zip(&secrets).map(share).collect()
    };
    let any = SigningKey::deserialize(&secrets[0].serialize())?;
    let keys = named(&reconstruct(&named(&any))?);
    let shares = keys.iter().map(|key| (*key.identifier(), *key.verifying_share())).collect();
    let group = PublicKeyPackage::new(shares, *keys[0].verifying_key(), Some(size));
    let nonces = keys.iter().zip(rows).map(|(key, row)| {
        SigningNonces::new(key.signing_share(), &mut Given(&row[64..]))
    });
    let nonces: Vec<SigningNonces> = nonces.collect();
    let commitments = ids.iter().copied().zip(nonces.iter().map(|nonces| *nonces.commitments())).collect();
    let package = SigningPackage::new(commitments, MESSAGE);
    let mut sent = Vec::new();
    for ((key, row), nonces) in keys.iter().zip(rows).zip(&nonces) {
        let share = <[u8; 32]>::try_from(sign(&package, nonces, key)?.serialize()).expect("32 bytes");
        let number = |bytes: &[u8; 32]| <Scalar as Reduce<U256>>::reduce_bytes(&(*bytes).into());
        let share = number(&share) + number(part(row, 0));
        let published = nonces.commitments();
        let commitments = [published.hiding().serialize()?, published.binding().serialize()?];
        sent.push((*key.identifier(), commitments, share.to_repr().to_vec()));
    }
    Ok(Table { group, sent })
}

/// Randomness that is given.
struct Given<'a>(&'a [u8]);

impl RngCore for Given<'_> {
    fn next_u32(&mut self) -> u32 {
        rand_core::impls::next_u32_via_fill(self)
    }

    fn next_u64(&mut self) -> u64 {
        rand_core::impls::next_u64_via_fill(self)
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        let (bytes, rest) = self.0.split_at(out.len());
        out.copy_from_slice(bytes);
        self.0 = rest;
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core::Error> {
        self.fill_bytes(out);
        Ok(())
    }
}

impl CryptoRng for Given<'_> {}
