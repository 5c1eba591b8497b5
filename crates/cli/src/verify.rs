//! `phalanx verify`: a verdict for every row of a batch.

use phalanx::batch::{Hint, HintedRow};
use phalanx::{LowS, PublicKeyRef, Verdict, XOnlyKeyRef, ecdsa, schnorr};

use crate::batch::Batch;
use crate::columns::Role;
use crate::event::Member;
use crate::fault::{Column, Fault, Outcome, Outcomes};
use crate::recovery_id;
use crate::signature::{Der, Signatures};
use crate::together::Means;

/// What rows are held to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    pub(crate) low_s: LowS,
    pub(crate) der: Der,
    /// Accept 65-byte keys that begin with 06 or 07.
    pub(crate) hybrid_keys: bool,
}

/// The answers for a batch.
pub(crate) struct Answers {
    pub(crate) outcomes: Vec<Outcome>,
    /// Rows whose ECDSA signature has s above half the group order, whatever their verdict.
    pub(crate) high_s: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Ecdsa,
    Schnorr,
}

/// Verifies the rows of a batch.
///
/// A row's scheme is what its `scheme` column says; without one, a 32-byte key makes it Schnorr, any other ECDSA.
pub(crate) fn verify(means: &Means, policy: Policy, batch: &Batch) -> Answers {
    let signatures = Signatures::new(batch, policy.der);
    let mut outcomes = Outcomes::none(batch.rows);
    let mut ecdsa = Vec::with_capacity(batch.rows);
    let mut ecdsa_rows = Vec::with_capacity(batch.rows);
    let mut schnorr = Vec::new();
    let mut schnorr_rows = Vec::new();
    let mut unrecoverable = Vec::new();
    let mut high_s = 0;
    let mut settled = batch.settled.iter().peekable();

    for row in 0..batch.rows {
        if let Some((_, known)) = settled.next_if(|(settled, _)| *settled == row) {
            outcomes.put(row, *known);
            continue;
        }
        let parts = scheme(batch, row).and_then(|scheme| {
            let message = message(batch, row, scheme)?;
            let key = batch.cell(Role::PublicKey, row).map_err(|fault| (Role::PublicKey, fault))?;
            let signature = signatures.get(row)?;
            let id = if scheme == Scheme::Ecdsa { signatures.recovery_id(row, &signature)? } else { None };
            Ok((scheme, message, key, signature, id))
        });
        match parts {
            Err((role, fault)) => outcomes.put(row, Outcome::malformed(Some(role), fault)),
            Ok((Scheme::Schnorr, message, key, signature, _)) => {
                let public_key = XOnlyKeyRef::Encoded(key);
                let whole = signature.recovery_id.is_none();
                schnorr.push(schnorr::Row {
                    message,
                    signature: if whole { signature.bytes } else { &[] },
                    public_key,
                });
                schnorr_rows.push(row);
            }
            Ok((Scheme::Ecdsa, digest, key, signature, id)) => {
                high_s += u64::from(signature.is_high_s());
                if id == Some(recovery_id::OUT_OF_RANGE) {
                    unrecoverable.push(row);
                }
                let public_key =
                    if policy.hybrid_keys { PublicKeyRef::EncodedHybrid(key) } else { PublicKeyRef::Encoded(key) };
                let hint = hint(id);
                ecdsa.push(HintedRow { row: ecdsa::Row { digest, signature: signature.ecdsa(), public_key }, hint });
                ecdsa_rows.push(row);
            }
        }
    }

    let verdicts = means.verify_ecdsa(&ecdsa, policy.low_s);
    outcomes.put_all(&ecdsa_rows, verdicts.into_iter().map(Outcome::from));
    let verdicts = means.verify_schnorr(&schnorr);
    outcomes.put_all(&schnorr_rows, verdicts.into_iter().map(Outcome::from));
    for row in unrecoverable {
        outcomes.check(row, Verdict::OutOfRange.into());
    }
    for row in &batch.stale {
        let verdict = Verdict::InvalidSignature;
        let stale = Outcome { verdict, column: Some(Column::Event(Member::Id)), fault: Some(Fault::StaleId) };
        outcomes.check(*row, stale);
    }
    Answers { outcomes: outcomes.finish(), high_s }
}

/// The recovery id, if the row has one; whether it is the right one makes no difference to the verdict.
fn hint(id: Option<u8>) -> Hint<'static> {
    match id {
        Some(id @ 0..=3) => Hint::RecoveryId(id),
        _ => Hint::None,
    }
}

fn scheme(batch: &Batch, row: usize) -> Result<Scheme, (Role, Fault)> {
    match batch.cell(Role::Scheme, row) {
        Ok(name) if name.eq_ignore_ascii_case(b"ecdsa") => Ok(Scheme::Ecdsa),
        Ok(name) if name.eq_ignore_ascii_case(b"schnorr") => Ok(Scheme::Schnorr),
        Ok(_) => Err((Role::Scheme, Fault::UnknownScheme)),
        Err(Fault::Absent) => Ok(match batch.cell(Role::PublicKey, row) {
            Ok(key) if key.len() == 32 => Scheme::Schnorr,
            _ => Scheme::Ecdsa,
        }),
        Err(fault) => Err((Role::Scheme, fault)),
    }
}

/// What was signed: 32 bytes from `msg_hash`; for a Schnorr row without one, `message` of any length.
fn message(batch: &Batch, row: usize, scheme: Scheme) -> Result<&[u8], (Role, Fault)> {
    match batch.cell(Role::Digest, row) {
        Ok(digest) if digest.len() == 32 => Ok(digest),
        Ok(_) => Err((Role::Digest, Fault::WrongLength)),
        Err(missing @ (Fault::Absent | Fault::Null)) if scheme == Scheme::Schnorr => {
            batch.cell(Role::Message, row).map_err(|fault| match fault {
                Fault::Absent => (Role::Digest, missing),
                fault => (Role::Message, fault),
            })
        }
        Err(fault) => Err((Role::Digest, fault)),
    }
}
