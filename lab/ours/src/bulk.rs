//! Schemes in bulk: one call for all rows of a group.

use crate::{
    groups::{Groups, put},
    single,
};
use lab_abi::{
    Inputs, Op, Prepared, Refusal, Request, Tables,
    peer::not_offered,
    rows::{part, records},
};
use phalanx::{
    Backend, Builder, Bulk, Keypair, LowS, PublicKey, PublicKeyRef, SecretKey, Verdict, XOnlyKeyRef, ecdsa, schnorr,
};

/// The means that are asked for.
pub(crate) fn builder(request: &Request) -> Result<Builder<Bulk>, Refusal> {
    let mut builder = Bulk::builder().threads(request.threads);
    if let Some(name) = &request.backend {
        builder = builder.backend(name.parse::<Backend>().map_err(|error| error.to_string())?);
    }
    if request.tables == Tables::Without {
        builder = builder.key_table_memory(0);
    }
    Ok(builder)
}

/// What is built of it, and the backend that it chose.
pub(crate) fn means(request: &Request) -> Result<(Bulk, String), Refusal> {
    let bulk = builder(request)?.build().map_err(|error| error.to_string())?;
    let backend = bulk.backend().name().into();
    Ok((bulk, backend))
}

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    if request.inputs == Inputs::Parsed {
        return Err(not_offered(request));
    }
    let (builder, (bulk, backend)) = (builder(request)?, means(request)?);
    // The same for all calls, which then keeps tables of keys, or one for each call.
    let kept = (request.tables != Tables::Fresh).then(|| bulk.clone());
    let verifier = move || kept.clone().unwrap_or_else(|| builder.clone().build().expect("it was built before"));
    Ok(Prepared { backend, ..scheme(bulk, verifier, request, input)? })
}

pub(crate) fn valid(verdicts: Vec<Verdict>) -> impl Iterator<Item = [u8; 1]> {
    verdicts.into_iter().map(|verdict| [verdict.is_valid().into()])
}

fn secret(bytes: &[u8; 32]) -> SecretKey {
    SecretKey::from_bytes(bytes).expect("the lab's secrets are in range")
}

/// Parsed values of all rows, or the lab's word that rows were well-formed.
pub(crate) fn all<T, E: ToString>(parsed: impl Iterator<Item = Result<T, E>>) -> Result<Vec<T>, Refusal> {
    parsed.collect::<Result<_, _>>().map_err(|error| format!("has no parsed form of these rows: {}", error.to_string()))
}

fn recovered(keys: Vec<Result<PublicKey, phalanx::Error>>) -> impl Iterator<Item = [u8; 33]> {
    keys.into_iter().map(|key| key.map_or([0; 33], |key| key.to_bytes()))
}

fn ecdsa_row(row: &[u8; 129]) -> ecdsa::Row<'_> {
    ecdsa::Row {
        digest: &row[..32],
        signature: ecdsa::SignatureRef::Compact(&row[32..96]),
        public_key: PublicKeyRef::Encoded(&row[96..]),
    }
}

pub(crate) fn schnorr_row<'a>(row: &'a [u8; 128], public_key: XOnlyKeyRef<'a>) -> schnorr::Row<'a> {
    schnorr::Row { message: &row[..32], signature: &row[32..96], public_key }
}

fn recover_row<'a>(row: &'a [u8; 97], signature: ecdsa::SignatureRef<'a>) -> ecdsa::RecoverRow<'a> {
    ecdsa::RecoverRow { digest: &row[..32], signature, recovery_id: row[96] }
}

fn scheme(
    bulk: Bulk,
    verifier: impl Fn() -> Bulk + 'static,
    request: &Request,
    input: &[u8],
) -> Result<Prepared, Refusal> {
    Ok(match request.op {
        Op::VerifyEcdsa => {
            let records = records::<129>(input);
            Prepared::plain(Groups::new(request, move |group, out| {
                let rows: Vec<_> = records[group].iter().map(ecdsa_row).collect();
                put(out, valid(verifier().verify_ecdsa(&rows, LowS::Require)));
            }))
        }
        Op::VerifySchnorr => {
            let records = records::<128>(input);
            Prepared::plain(Groups::new(request, move |group, out| {
                let rows: Vec<_> =
                    records[group].iter().map(|row| schnorr_row(row, XOnlyKeyRef::Encoded(&row[96..]))).collect();
                put(out, valid(verifier().verify_schnorr(&rows)));
            }))
        }
        Op::Recover => {
            let records = records::<97>(input);
            Prepared::plain(Groups::new(request, move |group, out| {
                let compact = |row| recover_row(row, ecdsa::SignatureRef::Compact(&row[32..96]));
                let rows: Vec<_> = records[group].iter().map(compact).collect();
                put(out, recovered(bulk.recover(&rows)));
            }))
        }
        Op::PublicKey => {
            let records = records::<32>(input);
            Prepared::plain(Groups::new(request, move |group, out| {
                let secrets: Vec<_> = records[group].iter().map(secret).collect();
                put(out, bulk.public_keys(&secrets).iter().map(PublicKey::to_bytes));
            }))
        }
        Op::SignEcdsa => {
            let records = records::<64>(input);
            let digests: Vec<[u8; 32]> = records.iter().map(|row| *part(row, 0)).collect();
            Prepared::plain(Groups::new(request, move |group, out| {
                let secrets: Vec<_> = records[group.clone()].iter().map(|row| secret(part(row, 32))).collect();
                let signatures = bulk.sign_ecdsa(&digests[group], &secrets).expect("as many digests as secrets");
                put(out, signatures.iter().map(ecdsa::Signature::to_compact));
            }))
        }
        Op::Ecdh => {
            let records = records::<65>(input);
            Prepared::plain(Groups::new(request, move |group, out| {
                let keys: Vec<_> = records[group.clone()].iter().map(|row| &row[..33]).collect();
                let keys: Result<Vec<_>, _> = bulk.decompress(&keys).into_iter().collect();
                let secrets: Vec<_> = records[group].iter().map(|row| secret(part(row, 33))).collect();
                let shared = bulk.shared_secrets(&keys.expect("the lab's keys are on the curve"), &secrets);
                put(out, shared.expect("as many keys as secrets"));
            }))
        }
        Op::SignSchnorr => return sign_schnorr(bulk, request, input),
        _ => return Err(not_offered(request)),
    })
}

fn sign_schnorr(bulk: Bulk, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let rows = single::keypairs(input)?;
    let messages: Vec<[u8; 32]> = rows.iter().map(|row| row.0).collect();
    let auxiliary: Vec<[u8; 32]> = rows.iter().map(|row| row.2).collect();
    let pairs: Vec<Keypair> = rows.into_iter().map(|row| row.1).collect();
    Ok(Prepared::plain(Groups::new(request, move |group, out| {
        let messages: Vec<_> = messages[group.clone()].iter().map(|message| message.as_slice()).collect();
        let signatures = bulk.sign_schnorr(&messages, &pairs[group.clone()], &auxiliary[group]);
        put(out, signatures.expect("as many of each").iter().map(schnorr::Signature::to_bytes));
    })))
}
