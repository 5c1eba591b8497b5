//! Many signatures by one sum of products, group by group.

use crate::{
    bulk::{all, means, schnorr_row, valid},
    groups::{Groups, put},
};
use lab_abi::{Inputs, Op, Prepared, Refusal, Request, peer::not_offered, rows::records};
use phalanx::{
    Batch, LowS, PublicKey, PublicKeyRef, XOnlyKeyRef, XOnlyPublicKey,
    ecdsa::{self, Hint, HintedRow},
};

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let (bulk, backend) = means(request)?;
    let batch = Batch::with(&bulk);
    let prepared = match (request.op, request.inputs) {
        (Op::BatchSchnorr, Inputs::Encoded) => schnorr_encoded(batch, request, input),
        (Op::BatchSchnorr, Inputs::Parsed) | (Op::BatchSchnorrLifted, _) => schnorr_lifted(batch, request, input)?,
        (Op::BatchEcdsa, Inputs::Encoded) => ecdsa_encoded(batch, request, input),
        (Op::BatchEcdsa, Inputs::Parsed) => ecdsa_parsed(batch, request, input)?,
        _ => return Err(not_offered(request)),
    };
    Ok(Prepared { backend, ..prepared })
}

fn schnorr_encoded(batch: Batch, request: &Request, input: &[u8]) -> Prepared {
    let records = records::<128>(input);
    Prepared::plain(Groups::new(request, move |group, out| {
        let rows = records[group].iter().map(|row| schnorr_row(row, XOnlyKeyRef::Encoded(&row[96..])));
        put(out, valid(batch.verify_schnorr(&rows.collect::<Vec<_>>())));
    }))
}

fn schnorr_lifted(batch: Batch, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let records = records::<128>(input);
    let keys = all(records.iter().map(|row| XOnlyPublicKey::from_bytes(&row[96..])))?;
    Ok(Prepared::plain(Groups::new(request, move |group, out| {
        let rows = records[group.clone()].iter().zip(&keys[group]);
        let rows = rows.map(|(row, key)| schnorr_row(row, XOnlyKeyRef::Parsed(key)));
        put(out, valid(batch.verify_schnorr(&rows.collect::<Vec<_>>())));
    })))
}

/// A row with its recovery id as the hint.
fn hinted<'a>(row: &'a [u8; 130], signature: ecdsa::SignatureRef<'a>, public_key: PublicKeyRef<'a>) -> HintedRow<'a> {
    HintedRow { row: ecdsa::Row { digest: &row[..32], signature, public_key }, hint: Hint::RecoveryId(row[129]) }
}

fn ecdsa_encoded(batch: Batch, request: &Request, input: &[u8]) -> Prepared {
    let records = records::<130>(input);
    Prepared::plain(Groups::new(request, move |group, out| {
        let rows = records[group]
            .iter()
            .map(|row| hinted(row, ecdsa::SignatureRef::Compact(&row[32..96]), PublicKeyRef::Encoded(&row[96..129])));
        put(out, valid(batch.verify_ecdsa(&rows.collect::<Vec<_>>(), LowS::Require)));
    }))
}

fn ecdsa_parsed(batch: Batch, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let records = records::<130>(input);
    let signatures = all(records.iter().map(|row| ecdsa::Signature::from_compact(&row[32..96])))?;
    let keys = all(records.iter().map(|row| PublicKey::from_bytes(&row[96..129])))?;
    Ok(Prepared::plain(Groups::new(request, move |group, out| {
        let rows = records[group.clone()].iter().zip(&signatures[group.clone()]).zip(&keys[group]);
        let rows = rows.map(|((row, signature), key)| {
            hinted(row, ecdsa::SignatureRef::Parsed(signature), PublicKeyRef::Parsed(key))
        });
        put(out, valid(batch.verify_ecdsa(&rows.collect::<Vec<_>>(), LowS::Require)));
    })))
}
