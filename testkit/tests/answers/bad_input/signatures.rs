//! ECDSA rows whose r, s, digest or key is bad.

use super::lanes::{Claim, Form, bad, good_ecdsa, judge_ecdsa};
use phalanx::{LowS, Scalar, Verdict, ecdsa};
use phalanx_testkit::draws::{ORDER, PRIME, add};

#[test]
fn r_and_s_out_of_range() {
    let good = good_ecdsa(0x21);
    let numbers = [[0; 32], ORDER, add(ORDER, 1), PRIME, add(PRIME, 1), [0xff; 32]];
    let mut rows = Vec::new();
    for number in numbers {
        for (r, s) in [(true, false), (false, true), (true, true)] {
            let row = good.with(|row| {
                let halves = row.signature.chunks_exact_mut(32).zip([r, s]);
                halves.filter(|(_, replace)| *replace).for_each(|(half, _)| half.copy_from_slice(&number));
            });
            let class = format!("r {r}, s {s} replaced by {}", hex::encode(number));
            for form in [Form::Der, Form::DerLax] {
                let der =
                    row.with(|row| (row.signature, row.form) = (phalanx_testkit::der::encode(&row.signature), form));
                rows.push(bad(class.clone(), der, Verdict::OutOfRange));
            }
            rows.push(bad(class, row, Verdict::OutOfRange));
        }
    }
    judge_ecdsa(&rows, LowS::Allow);
    judge_ecdsa(&rows, LowS::Require);
}

#[test]
fn r_and_s_in_range_and_wrong() {
    let good = good_ecdsa(0x21);
    let one = Scalar::ONE.to_bytes();
    let rows = [
        ("r and s exchanged", good.with(|row| row.signature.rotate_left(32))),
        ("(1, 1)", good.with(|row| row.signature = [one, one].concat())),
        ("r = n - 1", good.with(|row| row.signature[..32].copy_from_slice(&add(ORDER, -1)))),
        ("s = n - 1", good.with(|row| row.signature[32..].copy_from_slice(&add(ORDER, -1)))),
        ("r = s = n - 1", good.with(|row| row.signature = add(ORDER, -1).repeat(2))),
    ];
    judge_ecdsa(&rows.map(|(class, row)| bad(class, row, Verdict::InvalidSignature)), LowS::Allow);
}

#[test]
fn high_s_is_what_the_policy_says() {
    let high = good_ecdsa(0x21).with(|row| {
        let signature = ecdsa::Signature::from_compact(&row.signature).expect("it is good");
        let high = ecdsa::Signature::from_scalars(signature.r(), -signature.s()).expect("not zero");
        assert!(high.is_high_s() && high.normalize_s() == signature && signature.normalize_s() == signature);
        row.signature = high.to_compact().to_vec();
    });
    judge_ecdsa(&[bad("high s allowed", high.clone(), Verdict::Valid)], LowS::Allow);
    judge_ecdsa(&[bad("high s refused", high, Verdict::HighS)], LowS::Require);
    // The bound itself is low, the next number is high.
    let at = |s: Scalar| ecdsa::Signature::from_scalars(Scalar::ONE, s).expect("not zero").is_high_s();
    let half = Scalar::from_bytes(&phalanx_testkit::draws::HALF_ORDER).expect("below n");
    assert!(!at(half) && at(half + Scalar::ONE) && at(-Scalar::ONE) && !at(Scalar::ONE));
}

#[test]
fn digests_of_every_length() {
    let good = good_ecdsa(0x21);
    let resized =
        |length| bad(format!("{length} bytes"), good.with(|row| row.digest.resize(length, 0)), Verdict::MalformedRow);
    let rows: Vec<_> = (0..=65).filter(|length| *length != 32).map(resized).collect();
    judge_ecdsa(&rows, LowS::Allow);
}

#[test]
fn digests_of_every_size_are_numbers_modulo_the_order() {
    let secret = super::lanes::secret(0x21);
    let leading_zeros = add([0; 32], 1);
    let mut rows = Vec::new();
    // Pairs that are the same number modulo n, signed as one and verified as the other.
    for (signed, verified) in [
        ([0; 32], [0; 32]),
        ([0; 32], ORDER),
        (ORDER, [0; 32]),
        (leading_zeros, add(ORDER, 1)),
        (add(ORDER, 1), leading_zeros),
        (leading_zeros, leading_zeros),
        ([0xff; 32], [0xff; 32]),
        (add(ORDER, -1), add(ORDER, -1)),
    ] {
        let row = good_ecdsa(0x21).with(|row| {
            row.signature = ecdsa::sign(&signed, &secret).to_compact().to_vec();
            row.digest = verified.to_vec();
        });
        rows.push(bad(format!("digest {}", hex::encode(verified)), row.clone(), Verdict::Valid));
        let other = row.with(|row| row.digest = add(verified.as_slice().try_into().expect("32 bytes"), 2).to_vec());
        rows.push(bad("another digest", other, Verdict::InvalidSignature));
    }
    judge_ecdsa(&rows, LowS::Require);
}

#[test]
fn compact_signatures_of_every_length() {
    let good = good_ecdsa(0x21);
    let verdict = Verdict::BadSignatureEncoding;
    let resized = |length| bad(format!("{length} bytes"), good.with(|row| row.signature.resize(length, 1)), verdict);
    let rows: Vec<_> = (0..=130).filter(|length| *length != 64).map(resized).collect();
    judge_ecdsa(&rows, LowS::Allow);
}
