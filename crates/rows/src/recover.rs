//! Recovery: the key that made each signature of a block, its Ethereum address, and whether they are the expected ones.

use phalanx::ecdsa::RecoverRow;
use phalanx::{Bulk, Error, LowS, PublicKey, Verdict};
use phalanx_ethereum::address;

use crate::block::RowBlock;
use crate::fault::RowFault;
use crate::id_places::IdPlaces;
use crate::outcome::{Answers, At, Outcome, Outcomes, Recovered, first_failure};
use crate::policy::Policy;
use crate::roles::Role;
use crate::signature::{Found, Signatures};

/// What a row says its signer should be; nothing, if it says nothing.
#[derive(Clone, Copy)]
struct Expected<'a> {
    public_key: Option<&'a [u8]>,
    address: Option<&'a [u8]>,
}

/// Recovers the keys of a block. A key is given only for a valid row.
pub(crate) fn recover(bulk: &Bulk, policy: Policy, block: &RowBlock<'_>) -> Answers {
    let signatures = Signatures::new(block, policy);
    let mut outcomes = Outcomes::none(block.rows());
    let mut keys = vec![None; block.rows()];
    let mut rows = Vec::with_capacity(block.rows());
    let mut asked = Vec::with_capacity(block.rows());
    let mut high_s = 0;
    let mut id_places = IdPlaces::default();

    for row in 0..block.rows() {
        if let Some(known) = block.predecided(row) {
            high_s += u64::from(known.verdict == Verdict::HighS);
            outcomes.put(row, known);
            continue;
        }
        match question(block, &signatures, row) {
            Err((role, fault)) => outcomes.put(row, Outcome::malformed(Some(role), fault)),
            Ok((question, expected, signature)) => {
                let high = signature.is_high_s();
                high_s += u64::from(high);
                rows.push(question);
                asked.push((row, expected, high, signature.place));
            }
        }
    }
    let results = bulk.recover(&rows);
    assert_eq!(results.len(), asked.len(), "as many results as rows");
    for ((row, expected, high, place), result) in asked.into_iter().zip(results) {
        let judged = judge(result, expected, high && policy.low_s == LowS::Require);
        let told = expected.public_key.is_some() || expected.address.is_some();
        id_places.count(if told && judged.is_ok() { place.confirmed() } else { place }, judged.is_ok());
        match (judged, block.contest(row)) {
            (Ok(_), Some(contest)) => outcomes.put(row, contest.agreed),
            (Err(_), Some(contest)) => outcomes.put(row, contest.otherwise),
            (Ok(recovered), None) => {
                keys[row] = Some(recovered);
                outcomes.put(row, Verdict::Valid.into());
            }
            (Err(outcome), None) => outcomes.put(row, outcome),
        }
    }
    Answers { outcomes: outcomes.finish(), keys, high_s, id_places }
}

type Question<'a> = (RecoverRow<'a>, Expected<'a>, Found<'a>);

fn question<'a>(
    block: &'a RowBlock<'_>,
    signatures: &'a Signatures<'_>,
    row: usize,
) -> Result<Question<'a>, (Role, RowFault)> {
    match block.cell(Role::Scheme, row) {
        Ok(name) if name.eq_ignore_ascii_case(b"ecdsa") => {}
        Err(RowFault::Absent) => {}
        Ok(_) => return Err((Role::Scheme, RowFault::UnknownScheme)),
        Err(fault) => return Err((Role::Scheme, fault)),
    }
    let digest = block.cell(Role::Digest, row).map_err(|fault| (Role::Digest, fault))?;
    if digest.len() != 32 {
        return Err((Role::Digest, RowFault::WrongLength));
    }
    let expected = Expected {
        public_key: optional(block, Role::PublicKey, row)?,
        address: optional(block, Role::FromAddress, row)?,
    };
    if expected.address.is_some_and(|address| address.len() != 20) {
        return Err((Role::FromAddress, RowFault::WrongLength));
    }
    let signature = signatures.get(row)?;
    let Some(recovery_id) = signatures.recovery_id(row, &signature)? else {
        return Err((Role::V, block.cell(Role::V, row).err().unwrap_or(RowFault::Null)));
    };
    Ok((RecoverRow { digest, signature: signature.ecdsa(), recovery_id }, expected, signature))
}

/// A value that a row may leave out.
fn optional<'a>(block: &'a RowBlock<'_>, role: Role, row: usize) -> Result<Option<&'a [u8]>, (Role, RowFault)> {
    match block.cell(role, row) {
        Ok(value) => Ok(Some(value)),
        Err(RowFault::Absent | RowFault::Null) => Ok(None),
        Err(fault) => Err((role, fault)),
    }
}

/// The key that was recovered, if it is the one that the row expects, else the outcome of the first check that failed.
/// A high s that the policy refuses is a failure too.
fn judge(result: Result<PublicKey, Error>, expected: Expected<'_>, refuse_high_s: bool) -> Result<Recovered, Outcome> {
    let recovered = result.map(|key| Recovered { public_key: key.to_bytes(), address: address(&key) });
    let agrees = result.is_ok_and(|key| match expected.public_key {
        Some(bytes) if bytes.len() == 33 => bytes == key.to_bytes(),
        Some(bytes) => bytes == key.to_bytes_uncompressed(),
        None => true,
    });
    let is_address = recovered.is_ok_and(|found| expected.address.is_none_or(|address| address == found.address));
    match recovered {
        Ok(recovered) if agrees && is_address && !refuse_high_s => Ok(recovered),
        _ => {
            let first = first_failure(
                Verdict::InvalidSignature,
                [
                    expected.public_key.map_or(Verdict::Valid, |bytes| verdict(PublicKey::from_bytes(bytes))),
                    verdict(result),
                    if refuse_high_s { Verdict::HighS } else { Verdict::Valid },
                ],
            );
            // Where nothing else is wrong, the key or the address is another than the expected one.
            let (column, fault) = match (first, recovered) {
                (Verdict::InvalidSignature, Ok(_)) if !agrees => (Some(Role::PublicKey), Some(RowFault::OtherKey)),
                (Verdict::InvalidSignature, Ok(_)) => (Some(Role::FromAddress), Some(RowFault::OtherAddress)),
                _ => (None, None),
            };
            Err(Outcome { verdict: first, column: column.map(At::Role), fault })
        }
    }
}

fn verdict<T>(result: Result<T, Error>) -> Verdict {
    result.map(drop).into()
}
