//! DER signatures that DER forbids: refused by the strict reader, and by the lax one exactly where libsecp256k1's lax
//! reader refuses them.

use crate::lanes::{Bad, EcdsaRow, Form, good_ecdsa, judge_ecdsa};
use phalanx::{LowS, Verdict, ecdsa};

/// The DER form of 64 bytes of r and s, in range or not.
pub(crate) fn encode(signature: &[u8]) -> Vec<u8> {
    let body: Vec<u8> = signature.chunks_exact(32).flat_map(|number| integer(&minimal(number))).collect();
    sequence(&body)
}

fn sequence(body: &[u8]) -> Vec<u8> {
    [&[0x30, body.len() as u8], body].concat()
}

fn integer(digits: &[u8]) -> Vec<u8> {
    [&[2, digits.len() as u8], digits].concat()
}

/// As few bytes as a number that is not negative can have.
fn minimal(number: &[u8]) -> Vec<u8> {
    let zeros = number.iter().take_while(|byte| **byte == 0).count().min(number.len() - 1);
    let sign = if number[zeros] & 0x80 == 0 { &[][..] } else { &[0] };
    [sign, &number[zeros..]].concat()
}

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
    let mut cases = vec![
        ("long form of a short length".into(), edited(&|bytes| drop(bytes.splice(1..2, [0x81, body.len() as u8])))),
        ("length with a zero in front".into(), edited(&|bytes| drop(bytes.splice(1..2, [0x82, 0, body.len() as u8])))),
        (
            "indefinite length".into(),
            edited(&|bytes| {
                bytes[1] = 0x80;
                bytes.extend([0, 0]);
            }),
        ),
        ("length of 126 bytes".into(), edited(&|bytes| bytes[1] = 0xfe)),
        ("reserved length".into(), edited(&|bytes| bytes[1] = 0xff)),
        ("byte after the end".into(), edited(&|bytes| bytes.push(0))),
        ("byte after s".into(), sequence(&[&body[..], &[0]].concat())),
        ("third number".into(), sequence(&[&body[..], &[2, 1, 1]].concat())),
        ("length too short".into(), edited(&|bytes| bytes[1] -= 1)),
        ("length too long".into(), edited(&|bytes| bytes[1] += 1)),
        ("padded r".into(), sequence(&[integer(&padded(&r)), integer(&s)].concat())),
        ("padded s".into(), sequence(&[integer(&r), integer(&padded(&s))].concat())),
        ("r of no bytes".into(), sequence(&[integer(&[]), integer(&s)].concat())),
        ("s of no bytes".into(), sequence(&[integer(&r), integer(&[])].concat())),
        ("only r".into(), sequence(&integer(&r))),
        ("nothing in the sequence".into(), sequence(&[])),
        ("a set".into(), edited(&|bytes| bytes[0] = 0x31)),
        ("r as bits".into(), edited(&|bytes| bytes[2] = 3)),
        ("s as bytes".into(), edited(&|bytes| bytes[4 + r.len()] = 4)),
        ("long form of r's length".into(), { sequence(&[&[2, 0x81, r.len() as u8], &r[..], &integer(&s)].concat()) }),
        ("length of r with three zeros in front".into(), {
            sequence(&[&[2, 0x84, 0, 0, 0, r.len() as u8], &r[..], &integer(&s)].concat())
        }),
        ("length of s with nine zeros in front".into(), {
            sequence(&[&integer(&r)[..], &[2, 0x8a, 0, 0, 0, 0, 0, 0, 0, 0, 0, s.len() as u8], &s].concat())
        }),
        ("r's length in five bytes".into(), {
            sequence(&[&[2, 0x85, 1, 0, 0, 0, r.len() as u8], &r[..], &integer(&s)].concat())
        }),
    ];
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
    let rows: Vec<_> = rows().into_iter().map(|(class, row)| Bad { class, row, verdict }).collect();
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
        Bad { class, row: row.with(|row| row.form = Form::DerLax), verdict }
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
            Bad { class: "33 bytes".into(), row, verdict: Verdict::OutOfRange }
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
    judge_ecdsa(&[Bad { class: "DER".into(), row: der, verdict: Verdict::Valid }], LowS::Require);
}
