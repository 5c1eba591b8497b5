//! DER signatures that DER forbids: refused by the strict reader, and by the lax one exactly where libsecp256k1's lax
//! reader refuses them.

use super::lanes::{Claim, EcdsaRow, Form, bad, good_ecdsa, judge_ecdsa};
use phalanx::{LowS, Verdict, ecdsa};
use phalanx_testkit::der::{encode, integer, minimal, sequence};

/// Every way of writing the numbers r and s that is not DER.
fn forbidden(r: &[u8], s: &[u8]) -> Vec<(String, Vec<u8>)> {
    let (r, s) = (minimal(r), minimal(s));
    let body = [integer(&r), integer(&s)].concat();
    let whole = sequence(&body);
    let padded = |digits: &[u8]| [&[0], digits].concat();
    let edited = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        bytes
    };
    let cases = [
        ("long form of a short length", edited(&|bytes| drop(bytes.splice(1..2, [0x81, body.len() as u8])))),
        ("length with a zero in front", edited(&|bytes| drop(bytes.splice(1..2, [0x82, 0, body.len() as u8])))),
        ("indefinite length", [&[0x30, 0x80], &body[..], &[0, 0]].concat()),
        ("length of 126 bytes", edited(&|bytes| bytes[1] = 0xfe)),
        ("reserved length", edited(&|bytes| bytes[1] = 0xff)),
        ("byte after the end", edited(&|bytes| bytes.push(0))),
        ("byte after s", sequence(&[&body[..], &[0]].concat())),
        ("third number", sequence(&[&body[..], &[2, 1, 1]].concat())),
        ("length too short", edited(&|bytes| bytes[1] -= 1)),
        ("length too long", edited(&|bytes| bytes[1] += 1)),
        ("padded r", sequence(&[integer(&padded(&r)), integer(&s)].concat())),
        ("padded s", sequence(&[integer(&r), integer(&padded(&s))].concat())),
        ("r of no bytes", sequence(&[integer(&[]), integer(&s)].concat())),
        ("s of no bytes", sequence(&[integer(&r), integer(&[])].concat())),
        ("only r", sequence(&integer(&r))),
        ("nothing in the sequence", sequence(&[])),
        ("a set", edited(&|bytes| bytes[0] = 0x31)),
        ("r as bits", edited(&|bytes| bytes[2] = 3)),
        ("s as bytes", edited(&|bytes| bytes[4 + r.len()] = 4)),
        ("long form of r's length", sequence(&[&[2, 0x81, r.len() as u8], &r[..], &integer(&s)].concat())),
        (
            "length of r with three zeros in front",
            sequence(&[&[2, 0x84, 0, 0, 0, r.len() as u8], &r[..], &integer(&s)].concat()),
        ),
        (
            "length of s with nine zeros in front",
            sequence(&[&integer(&r)[..], &[2, 0x8a, 0, 0, 0, 0, 0, 0, 0, 0, 0, s.len() as u8], &s].concat()),
        ),
        ("r's length in five bytes", sequence(&[&[2, 0x85, 1, 0, 0, 0, r.len() as u8], &r[..], &integer(&s)].concat())),
    ];
    let mut cases: Vec<_> = cases.into_iter().map(|(class, bytes)| (class.to_owned(), bytes)).collect();
    for (name, number, other, first) in [("r", &r, &s, true), ("s", &s, &r, false)] {
        // Without the zero that keeps a set top bit from being a sign, or with the top bit set where it was clear.
        let mut negative = if number[0] == 0 { number[1..].to_vec() } else { number.clone() };
        negative[0] |= 0x80;
        let (negative, other) = (integer(&negative), integer(other));
        let body = if first { [negative, other] } else { [other, negative] }.concat();
        cases.push((format!("negative {name}"), sequence(&body)));
    }
    cases.extend((0..whole.len()).map(|length| (format!("cut after {length} bytes"), whole[..length].to_vec())));
    cases
}

/// The signatures of several keys, so that numbers with and without a set top bit occur in each place.
fn rows() -> Vec<(String, EcdsaRow)> {
    let mut rows = Vec::new();
    for number in 0x21..0x29 {
        let good = good_ecdsa(number);
        let (r, s) = good.signature.split_at(32);
        for (class, bytes) in forbidden(r, s) {
            rows.push((class, good.with(|row| (row.signature, row.form) = (bytes, Form::Der))));
        }
    }
    rows
}

#[test]
fn what_der_forbids_is_refused() {
    let verdict = Verdict::BadSignatureEncoding;
    let rows: Vec<_> = rows().into_iter().map(|(class, row)| bad(class, row, verdict)).collect();
    assert!(rows.len() > 500);
    judge_ecdsa(&rows, LowS::Allow);
}

#[test]
fn the_lax_reader_takes_what_libsecp256k1_takes() {
    let mut taken = 0;
    let judged = rows().into_iter().map(|(class, row)| {
        let theirs = secp256k1::ecdsa::Signature::from_der_lax(&row.signature).ok();
        // Theirs reads numbers out of range as 0; ours tells them.
        let compact = theirs.map(|signature| signature.serialize_compact());
        let parsed = ecdsa::Signature::from_der_lax(&row.signature);
        let verdict = match compact {
            None => Verdict::BadSignatureEncoding,
            Some(compact) if compact == [0; 64] || compact[..32] == [0; 32] || compact[32..] == [0; 32] => {
                Verdict::OutOfRange
            }
            Some(compact) => {
                taken += 1;
                assert_eq!(parsed.map(|signature| signature.to_compact()), Ok(compact), "{class}");
                let key = phalanx::PublicKey::from_bytes(&row.key).expect("it is good");
                let digest = row.digest.as_slice().try_into().expect("32 bytes");
                let signature = ecdsa::Signature::from_compact(&compact).expect("in range");
                ecdsa::verify(digest, &signature, &key, LowS::Allow).into()
            }
        };
        bad(class, row.with(|row| row.form = Form::DerLax), verdict)
    });
    let judged: Vec<_> = judged.collect();
    assert!(taken > 50, "{taken}");
    judge_ecdsa(&judged, LowS::Allow);
}

#[test]
fn numbers_of_more_than_32_bytes_are_out_of_range() {
    let good = good_ecdsa(0x21);
    let long = [&[1], &good.signature[..32]].concat();
    let rows: Vec<_> = [Form::Der, Form::DerLax]
        .into_iter()
        .flat_map(|form| [(integer(&long), integer(&[1]), form), (integer(&[1]), integer(&long), form)])
        .map(|(r, s, form)| {
            let row = good.with(|row| (row.signature, row.form) = (sequence(&[r, s].concat()), form));
            bad("33 bytes", row, Verdict::OutOfRange)
        })
        .collect();
    judge_ecdsa(&rows, LowS::Allow);
}

#[test]
fn what_is_der_is_read() {
    let good = good_ecdsa(0x21);
    let der = good.with(|row| (row.signature, row.form) = (encode(&row.signature), Form::Der));
    let compact = ecdsa::Signature::from_compact(&good.signature).expect("it is good");
    assert_eq!(*compact.to_der(), der.signature[..]);
    judge_ecdsa(&[bad("DER", der, Verdict::Valid)], LowS::Require);
}
