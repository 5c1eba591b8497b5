//! Bulk operations in the caller's memory: the answers of other bulk calls, in exactly the memory that was asked for.

use phalanx::{
    Backend, Bulk, CacheLine, Column, Error, Keypair, LowS, PublicKey, SecretKey, Verdict, XOnlyKeyRef,
    bulk::{OneThread, Operation},
    ecdsa, hash, schnorr,
};
use std::fmt::Debug;

const COUNTS: [usize; 9] = [0, 1, 7, 8, 9, 255, 256, 257, 600];

/// A workspace of exactly as many lines, full of something.
fn workspace(bulk: OneThread, operation: Operation, rows: usize) -> Vec<CacheLine> {
    vec![CacheLine([0xa5a5_a5a5_a5a5_a5a5; 8]); bulk.lines(operation, rows)]
}

struct Inputs {
    secrets: Vec<SecretKey>,
    pairs: Vec<Keypair>,
    digests: Vec<[u8; 32]>,
    publics: Vec<PublicKey>,
    signatures: Vec<ecdsa::Signature>,
    ids: Vec<u8>,
    schnorr: Vec<[u8; 64]>,
}

impl Inputs {
    /// Every fifth signature is of another digest.
    fn new(rows: usize) -> Self {
        let secrets: Vec<_> =
            (0..rows).map(|i| SecretKey::from_bytes(&hash::sha256(&i.to_be_bytes())).unwrap()).collect();
        let digests: Vec<_> = (0..rows).map(|i| hash::sha256(&[i as u8, 1])).collect();
        let signed = |i: usize| if i % 5 == 3 { &[7; 32] } else { &digests[i] };
        let recoverable: Vec<_> = (0..rows).map(|i| ecdsa::sign_recoverable(signed(i), &secrets[i])).collect();
        let pairs: Vec<_> = secrets.iter().cloned().map(Keypair::from_secret).collect();
        let schnorr = (0..rows).map(|i| schnorr::sign(signed(i), &pairs[i], &[0; 32]).to_bytes()).collect();
        let publics = secrets.iter().map(SecretKey::public_key).collect();
        let ids = recoverable.iter().map(|(_, id)| id.to_u8()).collect();
        let signatures = recoverable.iter().map(|(signature, _)| *signature).collect();
        Inputs { secrets, pairs, digests, publics, signatures, ids, schnorr }
    }
}

/// Answers in the memory asked for, and without its last line.
fn answers<T: Clone + PartialEq + Debug>(
    bulk: OneThread,
    operation: Operation,
    rows: usize,
    filler: T,
    call: impl Fn(&mut [T], &mut [CacheLine]) -> Result<(), Error>,
) -> Vec<T> {
    let mut out = vec![filler; rows];
    let mut workspace = workspace(bulk, operation, rows);
    assert_eq!(call(&mut out, &mut workspace), Ok(()), "{operation:?}");
    // The same again where something else lies by now.
    let first = out.clone();
    assert_eq!(call(&mut out, &mut workspace), Ok(()));
    assert_eq!(out, first, "{operation:?}");
    if let Some(given) = workspace.len().checked_sub(1) {
        let refused = call(&mut out, &mut workspace[..given]);
        assert_eq!(refused, Err(Error::WorkspaceTooSmall { needed: given + 1, given }), "{operation:?}");
    }
    first
}

#[test]
fn answers_are_those_of_other_bulk_calls() {
    let inputs = Inputs::new(600);
    for backend in Backend::available() {
        let (bulk, one) = (Bulk::builder().backend(*backend).build().unwrap(), OneThread::of(*backend).unwrap());
        assert_eq!((one.backend(), bulk.one_thread().backend()), (*backend, *backend));
        for rows in COUNTS {
            let Inputs { secrets, pairs, digests, publics, signatures, ids, schnorr } = &inputs;
            let (secrets, pairs, digests) = (&secrets[..rows], &pairs[..rows], &digests[..rows]);
            let (publics, signatures) = (&publics[..rows], &signatures[..rows]);
            let messages: Vec<&[u8]> = digests.iter().map(|digest| &digest[..]).collect();

            let ecdsa_rows = ecdsa::rows(digests, signatures, publics).unwrap();
            let expected = bulk.verify_ecdsa(&ecdsa_rows, LowS::Require);
            assert_eq!(expected.iter().filter(|verdict| verdict.is_valid()).count(), rows - (rows + 1) / 5);
            let found = answers(one, Operation::VerifyEcdsa, rows, Verdict::Valid, |out, workspace| {
                one.verify_ecdsa(&ecdsa_rows[..], LowS::Require, out, workspace)
            });
            assert_eq!(found, expected);

            let x_only: Vec<_> = pairs.iter().map(Keypair::x_only).collect();
            let schnorr_rows = schnorr::rows(digests, &schnorr[..rows], &x_only).unwrap();
            let found = answers(one, Operation::VerifySchnorr, rows, Verdict::Valid, |out, workspace| {
                one.verify_schnorr(&schnorr_rows[..], out, workspace)
            });
            assert_eq!(found, bulk.verify_schnorr(&schnorr_rows));

            let ids: Vec<_> = ids[..rows].iter().map(|id| ecdsa::RecoveryId::from_u8(*id).unwrap()).collect();
            let recover_rows = ecdsa::recover_rows(digests, signatures, &ids).unwrap();
            let found = answers(one, Operation::Recover, rows, Err(Error::BadHex), |out, workspace| {
                one.recover(&recover_rows[..], out, workspace)
            });
            assert_eq!(found, bulk.recover(&recover_rows));

            let found = answers(one, Operation::PublicKeys, rows, PublicKey::GENERATOR, |out, workspace| {
                one.public_keys(secrets, out, workspace)
            });
            assert_eq!(found, publics);
            let some = ecdsa::sign(&[1; 32], &inputs.secrets[0]);
            let found = answers(one, Operation::SignEcdsa, rows, some, |out, workspace| {
                one.sign_ecdsa(digests, secrets, out, workspace)
            });
            assert_eq!(found, bulk.sign_ecdsa(digests, secrets).unwrap());
            let some = schnorr::sign(&[1; 32], &inputs.pairs[0], &[0; 32]);
            let found = answers(one, Operation::SignSchnorr, rows, some, |out, workspace| {
                one.sign_schnorr(&messages, pairs, digests, out, workspace)
            });
            assert_eq!(found, bulk.sign_schnorr(&messages, pairs, digests).unwrap());
            let found = answers(one, Operation::SharedSecrets, rows, [0; 32], |out, workspace| {
                one.shared_secrets(publics, secrets, out, workspace)
            });
            assert_eq!(found, bulk.shared_secrets(publics, secrets).unwrap());
            let found = answers(one, Operation::TweakAddPublic, rows, Err(Error::BadHex), |out, workspace| {
                one.tweak_add_public(publics, digests, out, workspace)
            });
            assert_eq!(found, bulk.tweak_add_public(publics, digests).unwrap());
            let encoded: Vec<_> = publics.iter().map(PublicKey::to_bytes).collect();
            let encoded: Vec<_> = encoded.iter().map(|key| &key[..]).collect();
            let found = answers(one, Operation::Decompress, rows, Err(Error::BadHex), |out, workspace| {
                one.decompress(&encoded, out, workspace)
            });
            assert_eq!(found, bulk.decompress(&encoded));
        }
        println!("{backend}: {} lines for verification", one.lines(Operation::VerifyEcdsa, usize::MAX));
        for operation in Operation::ALL {
            assert_eq!(one.lines(operation, 256), one.lines(operation, usize::MAX), "{operation:?}");
        }
    }
}

/// A record as a program may hold it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Record {
    key: [u8; 33],
    digest: [u8; 32],
    id: u8,
    signature: [u8; 64],
    schnorr: [u8; 64],
}

#[test]
fn columns_of_records_are_rows() {
    let inputs = Inputs::new(600);
    let record = |i: usize| Record {
        key: inputs.publics[i].to_bytes(),
        digest: inputs.digests[i],
        id: inputs.ids[i],
        signature: inputs.signatures[i].to_compact(),
        schnorr: inputs.schnorr[i],
    };
    let size = size_of::<Record>();
    let bytes: Vec<u8> = (0..600)
        .map(record)
        .flat_map(|Record { key, digest, id, signature, schnorr }| {
            [&key[..], &digest, &[id], &signature, &schnorr].concat()
        })
        .collect();
    for rows in [0, 1, 9, 300, 600] {
        let column = |start: usize, width: usize| Column::new(&bytes[start..], size, width, rows).unwrap();
        let (key, digest, id, signature, schnorr) =
            (column(0, 33), column(33, 32), column(65, 1), column(66, 64), column(130, 64));
        let columns = ecdsa::Columns::new(digest, signature, key).unwrap();
        let schnorr_columns = schnorr::Columns::new(digest, schnorr, column(1, 32)).unwrap();
        let recover_columns = ecdsa::RecoverColumns::new(digest, signature, id).unwrap();
        let expected: Vec<_> =
            (0..rows).map(|i| if i % 5 == 3 { Verdict::InvalidSignature } else { Verdict::Valid }).collect();
        for backend in Backend::available() {
            for threads in [1, 2] {
                let bulk = Bulk::builder().backend(*backend).threads(threads).build().unwrap();
                let mut found = vec![Verdict::Valid; rows];
                bulk.verify_ecdsa_into(columns, LowS::Require, &mut found).unwrap();
                assert_eq!(found, expected);
                found.fill(Verdict::Valid);
                bulk.verify_schnorr_into(schnorr_columns, &mut found).unwrap();
                assert_eq!(found, expected);
            }
            let one = OneThread::of(*backend).unwrap();
            let found = answers(one, Operation::VerifyEcdsa, rows, Verdict::Valid, |out, workspace| {
                one.verify_ecdsa(columns, LowS::Require, out, workspace)
            });
            assert_eq!(found, expected);
            let found = answers(one, Operation::VerifySchnorr, rows, Verdict::Valid, |out, workspace| {
                one.verify_schnorr(schnorr_columns, out, workspace)
            });
            assert_eq!(found, expected);
            let found = answers(one, Operation::Recover, rows, Err(Error::BadHex), |out, workspace| {
                one.recover(recover_columns, out, workspace)
            });
            assert!((0..rows).all(|i| (found[i] == Ok(inputs.publics[i])) == expected[i].is_valid()));
        }
    }
}

/// Secret keys of which some are none, in columns.
struct SecretColumns {
    secrets: Vec<[u8; 32]>,
    digests: Vec<[u8; 32]>,
    publics: Vec<[u8; 33]>,
    inputs: Inputs,
}

const ORDER: [u8; 32] = hex_literal::hex!("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");

impl SecretColumns {
    fn new(rows: usize) -> Self {
        let inputs = Inputs::new(rows);
        let secret = |i: usize| match i % 7 {
            3 => [0; 32],
            5 => ORDER,
            _ => inputs.secrets[i].to_bytes(),
        };
        // Row 4 of each 11 has no public key to share a secret with.
        let public = |i: usize| if i % 11 == 4 { [4; 33] } else { inputs.publics[(i + 1) % rows].to_bytes() };
        SecretColumns {
            secrets: (0..rows).map(secret).collect(),
            digests: inputs.digests.clone(),
            publics: (0..rows).map(public).collect(),
            inputs,
        }
    }

    fn is_key(row: usize) -> bool {
        row % 7 != 3 && row % 7 != 5
    }
}

/// The answers of a call in columns, whose verdicts are these; and that a smaller workspace is refused.
fn answers_in_columns<T>(
    bulk: OneThread,
    operation: Operation,
    expected: &[Verdict],
    call: impl Fn(&mut [Verdict], &mut [CacheLine], &mut dyn FnMut(usize, T)) -> Result<(), Error>,
) -> Vec<(usize, T)> {
    let rows = expected.len();
    let (mut out, mut found) = (vec![Verdict::HighS; rows], Vec::new());
    let mut workspace = workspace(bulk, operation, rows);
    assert_eq!(call(&mut out, &mut workspace, &mut |i, answer| found.push((i, answer))), Ok(()), "{operation:?}");
    assert_eq!(out, expected, "{operation:?}");
    if !workspace.is_empty() {
        let refused = call(&mut out, &mut [], &mut |_, _| panic!("an answer of a refused call"));
        assert!(matches!(refused, Err(Error::WorkspaceTooSmall { given: 0, .. })), "{operation:?}");
        assert_eq!(out, vec![Verdict::InvalidSignature; rows]);
    }
    found
}

#[test]
fn secret_keys_in_columns_are_rows() {
    let columns = SecretColumns::new(300);
    let inputs = &columns.inputs;
    for backend in Backend::available() {
        let one = OneThread::of(*backend).unwrap();
        for rows in [0, 1, 9, 64, 65, 300] {
            let secrets = Column::of(&columns.secrets).part(0..rows);
            let digests = Column::of(&columns.digests).part(0..rows);
            let valid: Vec<usize> = (0..rows).filter(|i| SecretColumns::is_key(*i)).collect();
            let verdict = |i| if SecretColumns::is_key(i) { Verdict::Valid } else { Verdict::MalformedRow };
            let expected: Vec<_> = (0..rows).map(verdict).collect();
            let all = |found: Vec<usize>| assert_eq!(found, valid);

            let found = answers_in_columns(one, Operation::PublicKeys, &expected, |out, memory, answer| {
                one.public_keys_in_columns(secrets, out, memory, |i, key| answer(i, *key))
            });
            assert!(found.iter().all(|(i, key)| *key == inputs.publics[*i]));
            all(found.iter().map(|(i, _)| *i).collect());

            let found = answers_in_columns(one, Operation::SignEcdsa, &expected, |out, memory, answer| {
                one.sign_ecdsa_in_columns(digests, secrets, out, memory, |i, signature| answer(i, *signature))
            });
            let sign = |i: usize| ecdsa::sign_recoverable(&inputs.digests[i], &inputs.secrets[i]);
            assert!(found.iter().all(|(i, signature)| *signature == sign(*i).0));
            all(found.iter().map(|(i, _)| *i).collect());

            let found = answers_in_columns(one, Operation::SignEcdsa, &expected, |out, memory, answer| {
                one.sign_ecdsa_recoverable_in_columns(digests, secrets, out, memory, |i, signature, id| {
                    answer(i, (*signature, id));
                })
            });
            assert!(found.iter().all(|(i, signed)| *signed == sign(*i)));
            all(found.iter().map(|(i, _)| *i).collect());

            let found = answers_in_columns(one, Operation::SignSchnorr, &expected, |out, memory, answer| {
                one.sign_schnorr_in_columns(digests, secrets, digests, out, memory, |i, signature| {
                    answer(i, *signature)
                })
            });
            let sign = |i: usize| schnorr::sign(&inputs.digests[i], &inputs.pairs[i], &inputs.digests[i]);
            assert!(found.iter().all(|(i, signature)| *signature == sign(*i)));
            all(found.iter().map(|(i, _)| *i).collect());

            let expected: Vec<_> =
                (0..rows).map(|i| if i % 11 == 4 { Verdict::BadPublicKey } else { verdict(i) }).collect();
            let publics = Column::of(&columns.publics).part(0..rows);
            let found = answers_in_columns(one, Operation::SharedSecrets, &expected, |out, memory, answer| {
                one.shared_secrets_in_columns(publics, secrets, out, memory, |i, secret| answer(i, *secret))
            });
            let shared = |i: usize| phalanx::ecdh::shared_secret(&inputs.publics[(i + 1) % 300], &inputs.secrets[i]);
            assert!(found.iter().all(|(i, secret)| *secret == shared(*i)));
            assert_eq!(found.len(), expected.iter().filter(|verdict| verdict.is_valid()).count());
        }
    }
}

#[test]
fn columns_of_secret_keys_that_cannot_be_are_refused() {
    let columns = SecretColumns::new(3);
    let one = OneThread::PORTABLE;
    let memory = &mut workspace(one, Operation::SignSchnorr, 256)[..];
    let (secrets, wide) = (Column::of(&columns.secrets), Column::of(&columns.publics));
    let out = &mut [Verdict::Valid; 3];
    let never = |_: usize, _: &PublicKey| panic!("an answer of a refused call");
    assert_eq!(one.public_keys_in_columns(wide, out, memory, never), Err(Error::BadColumn));
    assert_eq!(*out, [Verdict::InvalidSignature; 3]);
    let out = &mut [Verdict::Valid; 2];
    assert_eq!(
        one.public_keys_in_columns(secrets, out, memory, never),
        Err(Error::LengthMismatch { left: 3, right: 2 })
    );
    assert_eq!(*out, [Verdict::InvalidSignature; 2]);
    let never = |_: usize, _: &schnorr::Signature| panic!("an answer of a refused call");
    let out = &mut [Verdict::Valid; 3];
    assert_eq!(one.sign_schnorr_in_columns(wide, secrets, wide, out, memory, never), Err(Error::BadColumn));
    assert_eq!(*out, [Verdict::InvalidSignature; 3]);
}

/// Keys that repeat get tables, whether rows stand in a slice or in columns.
#[test]
fn columns_under_few_keys_are_rows() {
    let inputs = Inputs::new(8);
    let digests: Vec<_> = (0..512u16).map(|i| hash::sha256(&i.to_be_bytes())).collect();
    let signatures: Vec<_> = (0..512)
        .map(|i| ecdsa::sign(&digests[if i == 77 { 0 } else { i }], &inputs.secrets[i % 8]).to_compact())
        .collect();
    let keys: Vec<_> = (0..512).map(|i| inputs.publics[i % 8].to_bytes()).collect();
    let columns = ecdsa::Columns::new(Column::of(&digests), Column::of(&signatures), Column::of(&keys)).unwrap();
    for backend in Backend::available() {
        let bulk = Bulk::builder().backend(*backend).threads(1).build().unwrap();
        for _ in 0..2 {
            let mut found = vec![Verdict::MalformedRow; 512];
            bulk.verify_ecdsa_into(columns, LowS::Require, &mut found).unwrap();
            let bad: Vec<_> = (0..512).filter(|i| !found[*i].is_valid()).collect();
            assert_eq!(bad, [77]);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_valid() {
    let inputs = Inputs::new(3);
    let Inputs { secrets, pairs, digests, publics, signatures, .. } = &inputs;
    let rows = ecdsa::rows(digests, signatures, publics).unwrap();
    let keys: Vec<_> = pairs.iter().map(Keypair::x_only).collect();
    let key = XOnlyKeyRef::Parsed(&keys[0]);
    let schnorr_rows = [schnorr::Row { message: b"", signature: &inputs.schnorr[0], public_key: key }; 3];
    let one = OneThread::PORTABLE;
    let memory = &mut workspace(one, Operation::SignSchnorr, 256)[..];
    let mismatch = Err(Error::LengthMismatch { left: 3, right: 2 });

    let out = &mut [Verdict::Valid; 2];
    assert_eq!(one.verify_ecdsa(&rows[..], LowS::Require, out, memory), mismatch);
    assert_eq!(*out, [Verdict::InvalidSignature; 2]);
    let out = &mut [Verdict::Valid; 2];
    assert_eq!(one.verify_schnorr(&schnorr_rows[..], out, memory), mismatch);
    assert_eq!(*out, [Verdict::InvalidSignature; 2]);
    let out = &mut [Verdict::Valid; 2];
    assert_eq!(Bulk::new().verify_ecdsa_into(&rows[..], LowS::Require, out), mismatch);
    assert_eq!(*out, [Verdict::InvalidSignature; 2]);
    let out = &mut [Verdict::Valid; 2];
    assert_eq!(Bulk::new().verify_schnorr_into(&schnorr_rows[..], out), mismatch);
    assert_eq!(*out, [Verdict::InvalidSignature; 2]);
    let out = &mut [Verdict::Valid; 3];
    assert!(matches!(one.verify_ecdsa(&rows[..], LowS::Require, out, &mut []), Err(Error::WorkspaceTooSmall { .. })));
    assert_eq!(*out, [Verdict::InvalidSignature; 3]);
    assert_eq!(one.public_keys(secrets, &mut [publics[0]; 2], memory), mismatch);
    let short = &mut [signatures[0]; 2];
    assert_eq!(one.sign_ecdsa(digests, secrets, short, memory), mismatch);
    assert_eq!(one.sign_ecdsa(digests, &secrets[..2], short, memory), mismatch);
    assert_eq!(one.shared_secrets(publics, secrets, &mut [[0; 32]; 2], memory), mismatch);
    assert_eq!(one.decompress(&[&[], &[], &[]], &mut [Ok(publics[0]); 2], memory), mismatch);
    assert_eq!(one.tweak_add_public(publics, digests, &mut [Ok(publics[0]); 2], memory), mismatch);
    let columns = [Column::of(&inputs.schnorr), Column::of(&inputs.schnorr[..2])];
    assert_eq!(ecdsa::Columns::new(columns[0], columns[1], columns[0]).map(drop), mismatch);
    assert_eq!(schnorr::Columns::new(columns[0], columns[0], columns[1]).map(drop), mismatch);
    assert_eq!(ecdsa::RecoverColumns::new(columns[0], columns[0], columns[0]), Err(Error::BadColumn));
}

#[cfg(target_arch = "x86_64")]
#[test]
#[allow(unsafe_code)]
fn promised_units_are_the_detected_ones() {
    let Inputs { secrets, publics, .. } = Inputs::new(20);
    for (backend, promised) in [
        // SAFETY: neither computes before the CPU has been asked.
        (Backend::Fma, unsafe { OneThread::assume_fma() }),
        (Backend::Ifma, unsafe { OneThread::assume_ifma() }),
    ] {
        assert_eq!(promised.backend(), backend);
        if !Backend::available().contains(&backend) {
            phalanx_tiers::skipped(backend.name(), "a unit that the caller promises");
            continue;
        }
        let mut found = vec![publics[0]; secrets.len()];
        let mut workspace = workspace(promised, Operation::PublicKeys, secrets.len());
        assert_eq!(promised.public_keys(&secrets, &mut found, &mut workspace), Ok(()));
        assert_eq!(found, publics);
    }
}
