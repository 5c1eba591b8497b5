//! Senders of transactions, from signing hashes and signatures.

use crate::{
    bulk::builder,
    groups::{self, Groups},
    single,
};
use lab_abi::{
    Inputs, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, part, records},
};
use phalanx::{Error, LowS, ecdsa, internals};
use phalanx_ethereum::{SenderRow, address, senders};

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    match (request.inputs, request.single) {
        (Inputs::Parsed, _) => Err(not_offered(request)),
        (Inputs::Encoded, true) => Ok(one_at_a_time(request, input)),
        (Inputs::Encoded, false) => in_bulk(request, input),
    }
}

/// The single call, and the few lines around it of a caller without a batch.
fn one_at_a_time(request: &Request, input: &[u8]) -> Prepared {
    let job = PerRow::new(request, records::<97>(input), |row, out| {
        let sender = || {
            let signature = ecdsa::Signature::from_compact(&row[32..96])?;
            if signature.is_high_s() {
                return Err(Error::HighS);
            }
            Ok(address(&ecdsa::recover(part(row, 0), &signature, ecdsa::RecoveryId::from_u8(row[96])?)?))
        };
        single::put(out, sender());
    });
    Prepared { backend: internals::backend_of_single_calls().into(), ..Prepared::plain(job) }
}

fn in_bulk(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let bulk = builder(request)?.build().map_err(|error| error.to_string())?;
    let backend = bulk.backend().name().into();
    let records = records::<97>(input);
    let job = Groups::new(request, move |group, out| {
        let row =
            |row: &[u8; 97]| SenderRow { signing_hash: *part(row, 0), signature: *part(row, 32), odd_y: row[96] == 1 };
        let rows: Vec<_> = records[group].iter().map(row).collect();
        let found = senders(&bulk, &rows, LowS::Require);
        groups::put(out, found.into_iter().map(|address| address.unwrap_or([0; 20])));
    });
    Ok(Prepared { backend, ..Prepared::plain(job) })
}
