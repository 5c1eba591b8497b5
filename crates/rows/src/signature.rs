//! The signature of a row, from one column (`sig`) or from three (`r`, `s`, `v`).
//!
//! In one column its length says what it is: 64 bytes are compact, 65 compact with a recovery id at one end, anything
//! else DER. If the policy asks for EIP-2098, 64 bytes have a recovery id too. A DER signature of 64 or 65 bytes would
//! need r and s that are together 58 or 59 bytes long, which takes 2^48 attempts or more to make on purpose; a compact
//! signature that looks like DER takes fewer, so contents do not decide.

use phalanx::ecdsa::SignatureRef;

use crate::block::RowBlock;
use crate::fault::RowFault;
use crate::id_places::IdPlace;
use crate::policy::{DerRules, Policy, RecoveryIds};
use crate::recovery_id;
use crate::roles::Role;

/// The signatures of a block, ready to be borrowed row by row.
pub(crate) struct Signatures<'a> {
    block: &'a RowBlock<'a>,
    policy: Policy,
    /// r and s side by side, for every row, if the block has them in columns of their own.
    joined: Vec<Joined>,
    /// Those of 64 bytes without the highest bit of s, for every row, if that is the recovery id.
    unsigned: Vec<Option<[u8; 64]>>,
}

#[derive(Clone, Copy)]
enum Joined {
    Compact([u8; 64]),
    /// r or s longer than 32 bytes, or empty.
    Unencodable,
    Without(Role, RowFault),
}

/// A signature and the recovery id that came with it.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(crate) bytes: &'a [u8],
    compact: bool,
    der: DerRules,
    /// The recovery id that comes with a compact signature.
    pub(crate) recovery_id: Option<u8>,
    /// In which ways 65 bytes can be read.
    pub(crate) place: IdPlace,
}

impl<'a> Found<'a> {
    /// The form in which ECDSA rows carry signatures.
    pub(crate) fn ecdsa(self) -> SignatureRef<'a> {
        match (self.compact, self.der) {
            (true, _) => SignatureRef::Compact(self.bytes),
            (false, DerRules::Strict) => SignatureRef::Der(self.bytes),
            (false, DerRules::Lax) => SignatureRef::DerLax(self.bytes),
        }
    }

    /// Whether the signature can be read, its numbers are in range, and s is more than half the group order.
    ///
    /// Half the group order begins with the byte 7f. Strict DER, like the compact form, ends with s, and a high s fills
    /// its 32 bytes; so where the 32nd byte from the end is less, nothing need be parsed.
    pub(crate) fn is_high_s(self) -> bool {
        let start = self.bytes.len().checked_sub(32).map_or(0, |start| self.bytes[start]);
        let low = start < 0x7f && (self.compact || self.der == DerRules::Strict);
        !low && self.ecdsa().parse().is_ok_and(|signature| signature.is_high_s())
    }
}

impl<'a> Signatures<'a> {
    /// The recovery id of a row, if it has one: that which comes with its signature, else what stands in `v`, which is
    /// not looked at otherwise.
    pub(crate) fn recovery_id(&self, row: usize, found: &Found<'_>) -> Result<Option<u8>, (Role, RowFault)> {
        match (found.recovery_id, self.block.cell(Role::V, row)) {
            (Some(id), _) => Ok(Some(id)),
            (None, Ok(v)) => Ok(v.first().map(|v| recovery_id::of_column(*v, self.policy.recovery_ids))),
            (None, Err(RowFault::Absent | RowFault::Null)) => Ok(None),
            (None, Err(fault)) => Err((Role::V, fault)),
        }
    }

    pub(crate) fn new(block: &'a RowBlock<'a>, policy: Policy) -> Signatures<'a> {
        let rows = if block.has(Role::R) { block.rows() } else { 0 };
        let joined = (0..rows).map(|row| join(block, row)).collect();
        let rows = if policy.recovery_ids == RecoveryIds::Eip2098 { block.rows() } else { 0 };
        let unsigned = |row| {
            let mut signature: [u8; 64] = block.cell(Role::Signature, row).ok()?.try_into().ok()?;
            signature[32] &= 0x7f;
            Some(signature)
        };
        Signatures { block, policy, joined, unsigned: (0..rows).map(unsigned).collect() }
    }

    /// The ECDSA signature of a row, or the column at fault.
    pub(crate) fn get(&self, row: usize) -> Result<Found<'_>, (Role, RowFault)> {
        let Policy { der, recovery_ids: ids, .. } = self.policy;
        let found = Found { bytes: &[], compact: true, der, recovery_id: None, place: IdPlace::Nowhere };
        match self.block.cell(Role::Signature, row) {
            Ok(bytes) => {
                let found = match (bytes.len(), <&[u8; 65]>::try_from(bytes).ok(), self.unsigned.get(row)) {
                    (64, _, Some(Some(unsigned))) => {
                        Found { bytes: unsigned, recovery_id: Some(bytes[32] >> 7), ..found }
                    }
                    (64, ..) => Found { bytes, ..found },
                    (_, Some(whole), _) => {
                        let (id, bytes) = match ids {
                            RecoveryIds::Header => (bytes[0], &bytes[1..]),
                            _ => (bytes[64], &bytes[..64]),
                        };
                        let recovery_id = Some(recovery_id::of_byte(id, ids));
                        Found { bytes, recovery_id, place: IdPlace::of(whole, ids), ..found }
                    }
                    _ => Found { bytes, compact: false, ..found },
                };
                self.agreed(row, found)
            }
            Err(fault) => match self.joined.get(row) {
                Some(Joined::Compact(bytes)) => Ok(Found { bytes, ..found }),
                Some(Joined::Unencodable) => Ok(found),
                Some(Joined::Without(role, fault)) if *fault != RowFault::Absent => Err((*role, *fault)),
                _ => Err((Role::Signature, fault)),
            },
        }
    }

    /// The same signature. Fails if the row has columns r and s too, with other numbers.
    fn agreed<'s>(&self, row: usize, found: Found<'s>) -> Result<Found<'s>, (Role, RowFault)> {
        match self.joined.get(row) {
            Some(Joined::Compact(numbers))
                if found.ecdsa().parse().is_ok_and(|signature| signature.to_compact() != *numbers) =>
            {
                Err((Role::Signature, RowFault::TwoNames))
            }
            _ => Ok(found),
        }
    }

    /// The Schnorr signature of a row, or the column at fault.
    pub(crate) fn schnorr(&self, row: usize) -> Result<&[u8], (Role, RowFault)> {
        match self.block.cell(Role::Signature, row) {
            Ok(bytes) => Ok(bytes),
            Err(_) => self.get(row).map(|found| found.bytes),
        }
    }
}

fn join(block: &RowBlock<'_>, row: usize) -> Joined {
    let mut joined = [0; 64];
    for (half, role) in joined.chunks_exact_mut(32).zip([Role::R, Role::S]) {
        match block.cell(role, row) {
            Ok(bytes) if bytes.is_empty() || bytes.len() > half.len() => return Joined::Unencodable,
            Ok(bytes) => half[32 - bytes.len()..].copy_from_slice(bytes),
            Err(fault) => return Joined::Without(role, fault),
        }
    }
    Joined::Compact(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_a_low_s_at_once_agrees_with_parsing() {
        // Around half the order, 2^255, the order itself, and short numbers.
        let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
        let half = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0";
        let above = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1";
        let numbers = ["01", "7f", "80", "ff", &"7f".repeat(31), &"ff".repeat(31), &"7e".repeat(32), half, above];
        let numbers = numbers.into_iter().chain([order]).map(|number| const_hex::decode(number).unwrap());
        let numbers: Vec<Vec<u8>> = numbers.chain([vec![0x7f; 32], vec![0x80; 32], vec![0xff; 32], vec![0]]).collect();
        let integer = |number: &[u8]| {
            let sign: &[u8] = if number[0] < 0x80 { &[] } else { &[0] };
            [&[2, (sign.len() + number.len()) as u8], sign, number].concat()
        };
        let mut high = 0;
        for r in &numbers {
            for s in &numbers {
                let pair = [integer(r), integer(s)].concat();
                let der = [&[0x30, pair.len() as u8], &pair[..]].concat();
                let mut compact = [0; 64];
                compact[32 - r.len()..32].copy_from_slice(r);
                compact[64 - s.len()..].copy_from_slice(s);
                let trailing = [&der[..], &[0; 5]].concat();
                let found =
                    |bytes, compact, der| Found { bytes, compact, der, recovery_id: None, place: IdPlace::Nowhere };
                let forms = [
                    found(&der, false, DerRules::Strict),
                    found(&der, false, DerRules::Lax),
                    found(&trailing, false, DerRules::Lax),
                    found(&trailing, false, DerRules::Strict),
                    found(&compact, true, DerRules::Strict),
                    found(&compact, true, DerRules::Lax),
                    found(&der[..9.min(der.len())], false, DerRules::Strict),
                ];
                for found in forms {
                    let parsed = found.ecdsa().parse().is_ok_and(|signature| signature.is_high_s());
                    assert_eq!(found.is_high_s(), parsed, "r {r:02x?}, s {s:02x?}");
                    high += usize::from(parsed);
                }
            }
        }
        assert!(high > 100, "{high}");
    }
}
