//! Senders of transactions, from signing hashes and signatures.

use crate::{
    bulk::means,
    groups::{self, Groups},
    single::Calls,
};
use lab_abi::{
    Prepared, Refusal, Request,
    rows::{PerRow, part, put, records},
};
use phalanx::{Error, LowS, ecdsa};
use phalanx_ethereum::{SenderRow, address, senders};

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    if request.single { one_at_a_time(request, input) } else { in_bulk(request, input) }
}

/// The single call, and the few lines around it of a caller without a batch.
fn one_at_a_time(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let calls = Calls::of(request)?;
    let job = PerRow::new(request, records::<97>(input), move |row, out| {
        let sender = || {
            let signature = ecdsa::Signature::from_compact(&row[32..96])?;
            if signature.is_high_s() {
                return Err(Error::HighS);
            }
            Ok(address(&calls.recover(part(row, 0), &signature, ecdsa::RecoveryId::from_u8(row[96])?)?))
        };
        put(out, sender());
    });
    Ok(Prepared::by(calls.backend(), job))
}

fn in_bulk(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let (bulk, backend) = means(request)?;
    let records = records::<97>(input);
    let job = Groups::new(request, move |group, out| {
        let row =
            |row: &[u8; 97]| SenderRow { signing_hash: *part(row, 0), signature: *part(row, 32), odd_y: row[96] == 1 };
        let rows: Vec<_> = records[group].iter().map(row).collect();
        let found = senders(&bulk, &rows, LowS::Require);
        groups::put(out, found.into_iter().map(|address| address.unwrap_or([0; 20])));
    });
    Ok(Prepared::by(backend, job))
}
