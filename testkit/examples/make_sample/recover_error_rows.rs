//! Recovery rows with one error each, and the forms in which `v` is written.

use crate::Fallible;
use crate::row::SenderRow;
use secp256k1::constants::{CURVE_ORDER as N, FIELD_SIZE as P};

/// A row of text fields and the verdict it must get.
#[derive(Debug, Clone)]
pub(crate) struct RecoverErrorRow {
    pub id: &'static str,
    pub msg_hash: String,
    pub r: String,
    pub s: String,
    pub v: String,
    pub from_address: String,
    pub expected: &'static str,
}

impl RecoverErrorRow {
    fn new(id: &'static str, from: &SenderRow, expected: &'static str) -> RecoverErrorRow {
        RecoverErrorRow {
            id,
            msg_hash: prefixed(&from.msg_hash),
            r: prefixed(&from.r),
            s: prefixed(&from.s),
            v: from.parity.to_string(),
            from_address: prefixed(&from.from_address),
            expected,
        }
    }

    fn r(mut self, r: &[u8]) -> RecoverErrorRow {
        self.r = prefixed(r);
        self
    }

    fn s(mut self, s: &[u8]) -> RecoverErrorRow {
        self.s = prefixed(s);
        self
    }

    fn v(mut self, v: impl ToString) -> RecoverErrorRow {
        self.v = v.to_string();
        self
    }
}

/// The rows, in the order of the checks.
pub(crate) fn rows(senders: &[SenderRow]) -> Fallible<Vec<RecoverErrorRow>> {
    let [sender, other, ..] = senders else { return Err("fewer than two senders".into()) };
    let valid = |id| RecoverErrorRow::new(id, sender, "valid");
    let malformed = |id| RecoverErrorRow::new(id, sender, "malformed_row");
    let out_of_range = |id| RecoverErrorRow::new(id, sender, "out_of_range");
    let invalid = |id| RecoverErrorRow::new(id, sender, "invalid_signature");
    // 5^3 + 7 is no square mod p, so no point has x = 5. With id 2 or 3, x is r + n, which must stay below p; the
    // smallest r that does not is p - n.
    let mut no_point = [0; 32];
    no_point[31] = 5;
    Ok(vec![
        valid("v as parity"),
        valid("v as 27 or 28").v(27 + sender.parity),
        valid("v by EIP-155, chain 1").v(37 + sender.parity),
        valid("v by EIP-155, chain 11155111").v(22_310_257 + u32::from(sender.parity)),
        valid("v as a word").v(sender.parity == 1),
        RecoverErrorRow { msg_hash: String::new(), ..malformed("message missing") },
        RecoverErrorRow { msg_hash: prefixed(&sender.msg_hash[1..]), ..malformed("message of 31 bytes") },
        RecoverErrorRow { r: String::new(), ..malformed("r missing") },
        RecoverErrorRow { s: "0xsignature".into(), ..malformed("s not hex") },
        malformed("v missing").v(""),
        malformed("v not a number").v("even"),
        out_of_range("r = 0").r(&[0; 32]),
        out_of_range("s = 0").s(&[0; 32]),
        out_of_range("r = n").r(&N),
        out_of_range("s = n").s(&N),
        out_of_range("r = 2^256 - 1").r(&[0xff; 32]),
        out_of_range("recovery id 4").v(4),
        invalid("the other parity").v(1 - sender.parity),
        invalid("r + n is not below p").v(2),
        invalid("r = p - n, recovery id 2").r(&difference(&P, &N)).v(2),
        invalid("no point has x = r").r(&no_point),
        RecoverErrorRow { from_address: prefixed(&other.from_address), ..invalid("another address") },
        RecoverErrorRow { msg_hash: prefixed(&other.msg_hash), ..invalid("another message") },
    ])
}

/// a - b for a >= b, big-endian.
fn difference(a: &[u8; 32], b: &[u8; 32]) -> [u8; 32] {
    let mut difference = [0; 32];
    let mut borrow = 0;
    for position in (0..32).rev() {
        let digit = i16::from(a[position]) - i16::from(b[position]) - borrow;
        borrow = i16::from(digit < 0);
        difference[position] = digit.rem_euclid(256) as u8;
    }
    difference
}

fn prefixed(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}
