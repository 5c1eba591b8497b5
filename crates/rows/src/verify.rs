//! Verification: a verdict for every row of a block.

use phalanx::ecdsa::{Hint, HintedRow};
use phalanx::{PublicKeyRef, Verdict, XOnlyKeyRef, ecdsa, schnorr};

use crate::batching::Verifier;
use crate::block::RowBlock;
use crate::event::EventKey;
use crate::fault::RowFault;
use crate::id_places::IdPlaces;
use crate::outcome::{Answers, At, Outcome, Outcomes};
use crate::policy::Policy;
use crate::recovery_id;
use crate::roles::Role;
use crate::signature::{Found, Signatures};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Ecdsa,
    Schnorr,
}

/// What is verified of a row.
enum Parts<'a> {
    /// Digest, key, signature and recovery id.
    Ecdsa(&'a [u8], &'a [u8], Found<'a>, Option<u8>),
    Schnorr(schnorr::Row<'a>),
}

/// Verifies the rows of a block.
///
/// A row's scheme is what its `scheme` column says; without one, a 32-byte key makes it Schnorr, any other ECDSA.
pub(crate) fn verify(verifier: &Verifier, policy: Policy, block: &RowBlock<'_>) -> Answers {
    let signatures = Signatures::new(block, policy);
    let mut outcomes = Outcomes::none(block.rows());
    let mut ecdsa = Vec::with_capacity(block.rows());
    let mut ecdsa_rows = Vec::with_capacity(block.rows());
    let mut schnorr = Vec::new();
    let mut schnorr_rows = Vec::new();
    let mut unrecoverable = Vec::new();
    let mut high_s = 0;
    let mut id_places = IdPlaces::default();

    for row in 0..block.rows() {
        if let Some(known) = block.predecided(row) {
            outcomes.put(row, known);
            continue;
        }
        let parts = scheme(block, row).and_then(|scheme| {
            let message = message(block, row, scheme)?;
            let key = block.cell(Role::PublicKey, row).map_err(|fault| (Role::PublicKey, fault))?;
            if scheme == Scheme::Schnorr {
                return Ok(Parts::Schnorr(schnorr::Row {
                    message,
                    signature: signatures.schnorr(row)?,
                    public_key: XOnlyKeyRef::Encoded(key),
                }));
            }
            let signature = signatures.get(row)?;
            let id = signatures.recovery_id(row, &signature)?;
            Ok(Parts::Ecdsa(message, key, signature, id))
        });
        match parts {
            Err((role, fault)) => outcomes.put(row, Outcome::malformed(Some(role), fault)),
            Ok(Parts::Schnorr(question)) => {
                schnorr.push(question);
                schnorr_rows.push(row);
            }
            Ok(Parts::Ecdsa(digest, key, signature, id)) => {
                high_s += u64::from(signature.is_high_s());
                id_places.count(signature.place, false);
                if id == Some(recovery_id::OUT_OF_RANGE) {
                    unrecoverable.push(row);
                }
                // Whether it is the right one makes no difference to the verdict.
                let hint = id.filter(|id| *id <= 3).map_or(Hint::None, Hint::RecoveryId);
                ecdsa.push(HintedRow {
                    row: ecdsa::Row { digest, signature: signature.ecdsa(), public_key: encoded(key, policy) },
                    hint,
                });
                ecdsa_rows.push(row);
            }
        }
    }

    let verdicts = verifier.verify_ecdsa(&ecdsa, policy.low_s);
    outcomes.put_all(&ecdsa_rows, verdicts.into_iter().map(Outcome::from));
    let verdicts = verifier.verify_schnorr(&schnorr);
    outcomes.put_all(&schnorr_rows, verdicts.into_iter().map(Outcome::from));
    for row in unrecoverable {
        outcomes.check(row, Verdict::OutOfRange.into());
    }
    for row in block.id_mismatches() {
        let verdict = Verdict::InvalidSignature;
        let mismatch = Outcome { verdict, column: Some(At::Event(EventKey::Id)), fault: Some(RowFault::IdMismatch) };
        outcomes.check(*row, mismatch);
    }
    Answers { outcomes: outcomes.finish(), keys: Vec::new(), high_s, id_places }
}

fn encoded<'a>(key: &'a [u8], policy: Policy) -> PublicKeyRef<'a> {
    if policy.hybrid_keys { PublicKeyRef::EncodedHybrid(key) } else { PublicKeyRef::Encoded(key) }
}

fn scheme(block: &RowBlock<'_>, row: usize) -> Result<Scheme, (Role, RowFault)> {
    match block.cell(Role::Scheme, row) {
        Ok(name) if name.eq_ignore_ascii_case(b"ecdsa") => Ok(Scheme::Ecdsa),
        Ok(name) if name.eq_ignore_ascii_case(b"schnorr") => Ok(Scheme::Schnorr),
        Ok(_) => Err((Role::Scheme, RowFault::UnknownScheme)),
        Err(RowFault::Absent) => Ok(match block.cell(Role::PublicKey, row) {
            Ok(key) if key.len() == 32 => Scheme::Schnorr,
            _ => Scheme::Ecdsa,
        }),
        Err(fault) => Err((Role::Scheme, fault)),
    }
}

/// What was signed: 32 bytes from `msg_hash`; for a Schnorr row without one, `message` of any length.
fn message<'a>(block: &'a RowBlock<'_>, row: usize, scheme: Scheme) -> Result<&'a [u8], (Role, RowFault)> {
    match block.cell(Role::Digest, row) {
        Ok(digest) if digest.len() == 32 => Ok(digest),
        Ok(_) => Err((Role::Digest, RowFault::WrongLength)),
        Err(missing @ (RowFault::Absent | RowFault::Null)) if scheme == Scheme::Schnorr => {
            block.cell(Role::Message, row).map_err(|fault| match fault {
                RowFault::Absent => (Role::Digest, missing),
                fault => (Role::Message, fault),
            })
        }
        Err(fault) => Err((Role::Digest, fault)),
    }
}
