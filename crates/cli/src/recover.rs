//! `phalanx recover`: the key that made each signature of a batch, its Ethereum address, and whether they are the
//! expected ones.

use phalanx::ecdsa::RecoverRow;
use phalanx::{Bulk, Error, LowS, PublicKey, Verdict};
use sha3::{Digest, Keccak256};

use crate::batch::Batch;
use crate::columns::Role;
use crate::fault::{Fault, Outcome, Outcomes, first_failure};
use crate::signature::Signatures;
use crate::verify::{Answers, Policy};

/// A key that was recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recovered {
    /// Compressed.
    pub(crate) public_key: [u8; 33],
    pub(crate) address: [u8; 20],
}

/// The Ethereum address of a key: the last 20 bytes of Keccak-256 over its two coordinates (Yellow Paper, appendix F).
pub(crate) fn address(key: &PublicKey) -> [u8; 20] {
    let hash: [u8; 32] = Keccak256::digest(&key.to_bytes_uncompressed()[1..]).into();
    let mut address = [0; 20];
    address.copy_from_slice(&hash[12..]);
    address
}

/// What a row says its signer should be; nothing, if it says nothing.
#[derive(Clone, Copy)]
struct Expected<'a> {
    public_key: Option<&'a [u8]>,
    address: Option<&'a [u8]>,
}

/// Recovers the keys of a batch. A key is given only for a valid row.
pub(crate) fn recover(bulk: &Bulk, policy: Policy, batch: &Batch) -> (Answers, Vec<Option<Recovered>>) {
    let signatures = Signatures::new(batch, policy.der);
    let mut outcomes = Outcomes::none(batch.rows);
    let mut keys = vec![None; batch.rows];
    let mut rows = Vec::with_capacity(batch.rows);
    let mut asked = Vec::with_capacity(batch.rows);
    let mut high_s = 0;
    let mut settled = batch.settled.iter().peekable();

    for row in 0..batch.rows {
        if let Some((_, known)) = settled.next_if(|(settled, _)| *settled == row) {
            outcomes.put(row, *known);
            continue;
        }
        match question(batch, &signatures, row) {
            Err((role, fault)) => outcomes.put(row, Outcome::malformed(Some(role), fault)),
            Ok((question, expected, high)) => {
                high_s += u64::from(high);
                rows.push(question);
                asked.push((row, expected, high));
            }
        }
    }
    let results = bulk.recover(&rows);
    assert_eq!(results.len(), asked.len(), "as many results as rows");
    for ((row, expected, high), result) in asked.into_iter().zip(results) {
        match judge(result, expected, high && policy.low_s == LowS::Require) {
            Ok(recovered) => {
                keys[row] = Some(recovered);
                outcomes.put(row, Verdict::Valid.into());
            }
            Err(verdict) => outcomes.put(row, verdict.into()),
        }
    }
    (Answers { outcomes: outcomes.finish(), high_s }, keys)
}

type Question<'a> = (RecoverRow<'a>, Expected<'a>, bool);

fn question<'a>(batch: &'a Batch, signatures: &'a Signatures<'_>, row: usize) -> Result<Question<'a>, (Role, Fault)> {
    match batch.cell(Role::Scheme, row) {
        Ok(name) if name.eq_ignore_ascii_case(b"ecdsa") => {}
        Err(Fault::Absent) => {}
        Ok(_) => return Err((Role::Scheme, Fault::UnknownScheme)),
        Err(fault) => return Err((Role::Scheme, fault)),
    }
    let digest = batch.cell(Role::Digest, row).map_err(|fault| (Role::Digest, fault))?;
    if digest.len() != 32 {
        return Err((Role::Digest, Fault::WrongLength));
    }
    let expected = Expected {
        public_key: optional(batch, Role::PublicKey, row)?,
        address: optional(batch, Role::FromAddress, row)?,
    };
    if expected.address.is_some_and(|address| address.len() != 20) {
        return Err((Role::FromAddress, Fault::WrongLength));
    }
    let signature = signatures.get(row)?;
    let Some(recovery_id) = signatures.recovery_id(row, &signature)? else {
        return Err((Role::V, batch.cell(Role::V, row).err().unwrap_or(Fault::Null)));
    };
    Ok((RecoverRow { digest, signature: signature.ecdsa(), recovery_id }, expected, signature.is_high_s()))
}

/// A value that a row may leave out.
fn optional(batch: &Batch, role: Role, row: usize) -> Result<Option<&[u8]>, (Role, Fault)> {
    match batch.cell(role, row) {
        Ok(value) => Ok(Some(value)),
        Err(Fault::Absent | Fault::Null) => Ok(None),
        Err(fault) => Err((role, fault)),
    }
}

/// The key that was recovered, if it is the one that the row expects, else the verdict of the first check that failed. A
/// high s that the policy refuses is a failure too.
fn judge(result: Result<PublicKey, Error>, expected: Expected<'_>, refuse_high_s: bool) -> Result<Recovered, Verdict> {
    let recovered = result.map(|key| Recovered { public_key: key.to_bytes(), address: address(&key) });
    let agrees = result.is_ok_and(|key| match expected.public_key {
        Some(bytes) if bytes.len() == 33 => bytes == key.to_bytes(),
        Some(bytes) => bytes == key.to_bytes_uncompressed(),
        None => true,
    });
    match recovered {
        Ok(recovered)
            if agrees && !refuse_high_s && expected.address.is_none_or(|address| address == recovered.address) =>
        {
            Ok(recovered)
        }
        _ => Err(first_failure([
            expected.public_key.map_or(Verdict::Valid, |bytes| verdict(PublicKey::from_bytes(bytes))),
            verdict(result),
            if refuse_high_s { Verdict::HighS } else { Verdict::Valid },
            // The key or the address is another than the expected one.
            Verdict::InvalidSignature,
        ])),
    }
}

fn verdict<T>(result: Result<T, Error>) -> Verdict {
    result.map(drop).into()
}
