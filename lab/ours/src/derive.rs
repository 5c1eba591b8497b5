//! Children of one extended public key, up to the hash that P2WPKH holds.

use crate::{
    bulk::means,
    groups::{self, Groups},
};
use lab_abi::{
    Prepared, Refusal, Request,
    rows::{PerRow, part, records},
};
use phalanx::{
    Error, PublicKey,
    children::{Child, ChildRow, Parent, PayloadKind},
};

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let rows = records::<69>(input);
    let first = rows.first().ok_or("no rows")?;
    let key = PublicKey::from_bytes(&first[..33]).map_err(|error| error.to_string())?;
    let parent = Parent::new(key, part(first, 33));
    let indexes: Vec<u32> = rows.iter().map(|row| u32::from_be_bytes(*part(row, 65))).collect();
    if request.single {
        let job = PerRow::new(request, indexes, move |index, out| {
            out.copy_from_slice(&hash(parent.child(*index, PayloadKind::KeyHash)));
        });
        // A single child has no vector code.
        return Ok(Prepared::by("portable", job));
    }
    let (bulk, backend) = means(request)?;
    let job = Groups::new(request, move |group, out| {
        let rows: Vec<_> = indexes[group].iter().map(|index| ChildRow { parent: &parent, index: *index }).collect();
        groups::put(out, bulk.derive_children(&rows, PayloadKind::KeyHash).into_iter().map(hash));
    });
    Ok(Prepared::by(backend, job))
}

/// The hash of a child's key, or zeros where there is none.
fn hash(child: Result<Child, Error>) -> [u8; 20] {
    child.ok().and_then(|child| child.payload.as_bytes().try_into().ok()).unwrap_or([0; 20])
}
