//! One receiver's silent payments among the rows of an index.

use crate::{
    bulk::means,
    groups::{self, Groups},
};
use lab_abi::{
    Prepared, Refusal, Request,
    peer::not_offered,
    rows::{part, records},
};
use phalanx::{
    PublicKey, SecretKey,
    bindings::payments::{Outputs, Receiver, Row},
    hash::TaggedHash,
};

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    if request.single {
        return Err(not_offered(request));
    }
    let rows = records::<106>(input);
    let first = rows.first().ok_or("no rows")?;
    let scan = SecretKey::from_bytes(part::<32>(first, 41)).map_err(|error| error.to_string())?;
    let spend = PublicKey::from_bytes(&first[73..]).map_err(|error| error.to_string())?;
    let label = TaggedHash::new(b"BIP0352/Label").hash(&[&scan.to_bytes(), &[0; 4]]);
    let receiver = Receiver::new(&scan, &[spend, spend.tweak_add(&label).map_err(|error| error.to_string())?]);
    let prefixes: Vec<[i64; 1]> = rows.iter().map(|row| [i64::from_be_bytes(*part(row, 33))]).collect();
    let (bulk, backend) = means(request)?;
    let job = Groups::new(request, move |group, out| {
        let rows: Vec<_> = rows[group.clone()]
            .iter()
            .zip(&prefixes[group])
            .map(|(row, prefix)| Row { tweak_point: &row[..33], outputs: Outputs::Prefixes(prefix) })
            .collect();
        let mut found = vec![[0]; rows.len()];
        bulk.find_silent_payments(&[&receiver], &rows).payments.iter().for_each(|(row, _)| found[*row] = [1]);
        groups::put(out, found);
    });
    Ok(Prepared::by(backend, job))
}
