//! Shares of threshold signatures: one signature a group.

use crate::{
    bulk::means,
    groups::{self, Groups},
};
use lab_abi::{
    Prepared, Refusal, Request,
    peer::not_offered,
    rows::{part, records},
};
use phalanx::{Bulk, Point, PublicKey, Scalar, SecretKey};
use phalanx_frost::{Group, Identifier, KeyShare, NonceCommitments, Nonces, Session, SignatureShare, Suite};

/// What all peers sign.
const MESSAGE: &[u8] = b"a message of the lab";

/// The group, and what each of its signers sends.
struct Table {
    group: Group,
    sent: Vec<(Identifier, [u8; 66], [u8; 32])>,
}

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    if request.single {
        return Err(not_offered(request));
    }
    let (bulk, backend) = means(request)?;
    let tables =
        records::<128>(input).chunks(request.group).map(|rows| table(rows, &bulk)).collect::<Result<Vec<_>, _>>();
    let tables = tables.map_err(|error| error.to_string())?;
    let n = request.group;
    let job = Groups::new(request, move |rows, out| groups::put(out, verdicts(&tables[rows.start / n], &bulk)));
    Ok(Prepared::by(backend, job))
}

/// The timed part: from bytes to a signature, or to the signers whose shares do not hold.
fn verdicts(table: &Table, bulk: &Bulk) -> Vec<[u8; 1]> {
    let encoded: Vec<&[u8; 66]> = table.sent.iter().map(|(_, nonces, _)| nonces).collect();
    let nonces = NonceCommitments::read_many(&encoded, bulk).into_iter().map(|nonces| nonces.expect("points"));
    let nonces: Vec<_> = table.sent.iter().map(|(id, ..)| *id).zip(nonces).collect();
    let session = Session::new(&table.group, &nonces, MESSAGE, bulk).expect("signers of the group");
    let read = |(id, _, share): &(Identifier, _, [u8; 32])| (*id, SignatureShare::from_bytes(share).expect("in range"));
    let shares: Vec<_> = table.sent.iter().map(read).collect();
    let found = session.aggregate(&shares, bulk);
    let culprits = found.as_ref().err().map_or(&[][..], |error| error.culprits());
    table.sent.iter().map(|(id, ..)| [u8::from(!culprits.contains(id))]).collect()
}

/// The untimed part: the rows are the secrets of all signers.
fn table(rows: &[[u8; 128]], bulk: &Bulk) -> Result<Table, phalanx_frost::Error> {
    let ids: Vec<Identifier> = (1..=rows.len() as u64).filter_map(Identifier::new).collect();
    let secrets: Vec<SecretKey> =
        rows.iter().map(|row| SecretKey::from_bytes(part::<32>(row, 32)).expect("below the order")).collect();
    let shares: Vec<(Identifier, PublicKey)> = ids.iter().copied().zip(bulk.public_keys(&secrets)).collect();
    let group = Group::new(Suite::Taproot, rows.len(), key(&secrets), &shares, bulk)?;
    let keys = ids.iter().zip(secrets).map(|(id, secret)| KeyShare::new(&group, *id, secret));
    let keys: Vec<KeyShare> = keys.collect::<Result<_, _>>()?;
    let nonces = keys.iter().zip(rows).map(|(key, row)| Nonces::from_randomness(key, part(row, 64), part(row, 96)));
    let nonces: Vec<Nonces> = nonces.collect::<Result<_, _>>()?;
    let published: Vec<_> = ids.iter().copied().zip(nonces.iter().map(Nonces::commitments)).collect();
    let session = Session::new(&group, &published, MESSAGE, bulk)?;
    let mut sent = Vec::new();
    for (((key, row), nonces), (id, commitments)) in keys.iter().zip(rows).zip(nonces).zip(published) {
        let share = Scalar::from_bytes_reduced(&session.sign(nonces, key)?.to_bytes());
        let share = share + Scalar::from_bytes_reduced(part(row, 0));
        sent.push((id, commitments.to_bytes(), share.to_bytes()));
    }
    Ok(Table { group, sent })
}

/// The key of which these are the shares of participants 1, 2 and so on, by Lagrange's formula.
fn key(secrets: &[SecretKey]) -> PublicKey {
    let place = |i: usize| Scalar::from(i as u64 + 1);
    let sum = (0..secrets.len()).fold(Scalar::ZERO, |sum, i| {
        let others = (0..secrets.len()).filter(|j| *j != i);
        let (above, below) = others
            .fold((Scalar::ONE, Scalar::ONE), |(above, below), j| (above * place(j), below * (place(j) - place(i))));
        sum + Scalar::from(&secrets[i]) * above * below.invert_vartime().expect("distinct places")
    });
    PublicKey::try_from(Point::mul_generator(&sum)).expect("not zero")
}
