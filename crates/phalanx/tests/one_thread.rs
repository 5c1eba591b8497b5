//! Bulk operations in the caller's memory: the answers of other bulk calls, in exactly the memory that was asked for.

use phalanx::{
    Backend, Bulk, CacheLine, Column, Error, Keypair, LowS, PublicKey, PublicKeyRef, SecretKey, Verdict, XOnlyKeyRef,
    bulk::{ColumnOptions, OneThread, Operation},
    ecdsa, hash, schnorr,
};
use std::fmt::Debug;

const COUNTS: [usize; 9] = [0, 1, 7, 8, 9, 255, 256, 257, 600];

/// A workspace of exactly as many lines, full of something.
fn workspace(bulk: OneThread) -> Vec<CacheLine> {
    vec![CacheLine([0xa5a5_a5a5_a5a5_a5a5; 8]); bulk.workspace_lines()]
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
    let mut workspace = workspace(bulk);
    assert_eq!(call(&mut out, &mut workspace), Ok(()), "{operation:?}");
    // The same again where something else lies by now.
    let first = out.clone();
    assert_eq!(call(&mut out, &mut workspace), Ok(()));
    assert_eq!(out, first, "{operation:?}");
    let given = workspace.len() - 1;
    let refused = call(&mut out, &mut workspace[..given]);
    assert_eq!(refused, Err(Error::WorkspaceTooSmall { needed: given + 1, given }), "{operation:?}");
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

/// Columns of every kind, in which some values are none.
struct RowBytes {
    digests: Vec<[u8; 32]>,
    secrets: Vec<[u8; 32]>,
    publics: Vec<[u8; 33]>,
    x_only: Vec<[u8; 32]>,
    signatures: Vec<[u8; 64]>,
    ids: Vec<[u8; 1]>,
    schnorr: Vec<[u8; 64]>,
}

const ORDER: [u8; 32] = hex_literal::hex!("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");

impl RowBytes {
    fn new(rows: usize) -> Self {
        let inputs = Inputs::new(rows);
        let secret = |i: usize| match i % 7 {
            3 => [0; 32],
            5 => ORDER,
            _ => inputs.secrets[i].to_bytes(),
        };
        // Row 4 of each 11 has no public key.
        let public = |i: usize| if i % 11 == 4 { [4; 33] } else { inputs.publics[i].to_bytes() };
        let signature = |i: usize| if i % 13 == 7 { [0xff; 64] } else { inputs.signatures[i].to_compact() };
        RowBytes {
            secrets: (0..rows).map(secret).collect(),
            publics: (0..rows).map(public).collect(),
            x_only: (0..rows).map(|i| inputs.pairs[i].x_only().to_bytes()).collect(),
            signatures: (0..rows).map(signature).collect(),
            ids: inputs.ids.iter().map(|id| [*id]).collect(),
            schnorr: inputs.schnorr,
            digests: inputs.digests,
        }
    }

    /// The columns of an operation, cut to a number of rows.
    fn of(&self, operation: Operation, rows: usize) -> Vec<Column<'_>> {
        let digests = Column::of(&self.digests);
        let (secrets, publics) = (Column::of(&self.secrets), Column::of(&self.publics));
        let columns = match operation {
            Operation::VerifyEcdsa => vec![digests, Column::of(&self.signatures), publics],
            Operation::VerifySchnorr => vec![digests, Column::of(&self.schnorr), Column::of(&self.x_only)],
            Operation::Recover => vec![digests, Column::of(&self.signatures), Column::of(&self.ids)],
            Operation::PublicKeys => vec![secrets],
            Operation::SignEcdsa => vec![digests, secrets],
            Operation::SignSchnorr => vec![digests, secrets, digests],
            Operation::SharedSecrets => vec![publics, secrets],
            Operation::TweakAddPublic => vec![publics, secrets],
            Operation::Decompress => vec![publics],
            _ => panic!("{operation:?} has no columns here"),
        };
        columns.into_iter().map(|column| column.part(0..rows)).collect()
    }

    /// The answer to a row, by a single operation.
    fn alone(&self, operation: Operation, i: usize, options: ColumnOptions) -> Result<Vec<u8>, Verdict> {
        let (digest, signature) = (&self.digests[i], ecdsa::SignatureRef::Compact(&self.signatures[i]));
        let secret = || SecretKey::from_bytes(&self.secrets[i]).map_err(|_| Verdict::MalformedRow);
        let public = || PublicKey::from_bytes(&self.publics[i]).map_err(Verdict::from);
        let key = |key: PublicKey| match options.uncompressed {
            true => key.to_bytes_uncompressed().to_vec(),
            false => key.to_bytes().to_vec(),
        };
        let verdict = |verdict: Verdict| if verdict.is_valid() { Ok(vec![]) } else { Err(verdict) };
        match operation {
            Operation::VerifyEcdsa => {
                let public_key = PublicKeyRef::Encoded(&self.publics[i]);
                verdict(ecdsa::verify_row(&ecdsa::Row { digest, signature, public_key }, LowS::Require))
            }
            Operation::VerifySchnorr => {
                let public_key = XOnlyKeyRef::Encoded(&self.x_only[i]);
                verdict(schnorr::verify_row(&schnorr::Row { message: digest, signature: &self.schnorr[i], public_key }))
            }
            Operation::Recover => {
                ecdsa::recover_row(&ecdsa::RecoverRow { digest, signature, recovery_id: self.ids[i][0] })
                    .map(key)
                    .map_err(Verdict::from)
            }
            Operation::PublicKeys => Ok(key(secret()?.public_key())),
            Operation::SignEcdsa => {
                let (signature, id) = ecdsa::sign_recoverable(digest, &secret()?);
                Ok([&signature.to_compact()[..], &[id.to_u8()][..usize::from(options.recovery_ids)]].concat())
            }
            Operation::SignSchnorr => {
                let pair = Keypair::from_secret(secret()?);
                Ok(schnorr::sign(digest, &pair, digest).to_bytes().to_vec())
            }
            Operation::SharedSecrets => Ok(phalanx::ecdh::shared_secret(&public()?, &secret()?).to_vec()),
            Operation::TweakAddPublic => public()?.tweak_add(&self.secrets[i]).map(key).map_err(Verdict::from),
            Operation::Decompress => Ok(key(public()?)),
            _ => panic!("{operation:?} has no single operation here"),
        }
    }
}

#[test]
fn every_operation_takes_columns() {
    let all = RowBytes::new(300);
    for backend in Backend::available() {
        let one = OneThread::of(*backend).unwrap();
        for (operation, chosen) in
            Operation::ALL.into_iter().flat_map(|operation| [(operation, false), (operation, true)])
        {
            let options = ColumnOptions { recovery_ids: chosen, uncompressed: chosen, ..ColumnOptions::default() };
            let alone: Vec<_> = (0..300).map(|i| all.alone(operation, i, options)).collect();
            assert!(alone.iter().any(Result::is_ok) && alone.iter().any(Result::is_err), "{operation:?}");
            for rows in [0, 1, 9, 64, 65, 300] {
                let columns = all.of(operation, rows);
                let (mut verdicts, mut found) = (vec![Verdict::HighS; rows], Vec::<(usize, Vec<u8>)>::new());
                let memory = &mut workspace(one)[..];
                let done =
                    one.in_columns(
                        operation,
                        &columns,
                        options,
                        &mut verdicts,
                        memory,
                        |i, output, value| match output {
                            0 => found.push((i, value.to_vec())),
                            _ => found.last_mut().filter(|row| row.0 == i).expect("outputs in order").1.extend(value),
                        },
                    );
                assert_eq!(done, Ok(()), "{operation:?} on {backend}");
                let expected =
                    alone[..rows].iter().map(|row| row.as_ref().map_or_else(|error| *error, |_| Verdict::Valid));
                assert_eq!(verdicts, expected.collect::<Vec<_>>(), "{operation:?} on {backend}");
                let valid = alone[..rows].iter().enumerate().filter_map(|(i, row)| Some((i, row.clone().ok()?)));
                let valid: Vec<_> = valid.filter(|(_, bytes)| !bytes.is_empty()).collect();
                assert_eq!(found, valid, "{operation:?} on {backend}");
                if memory.is_empty() {
                    continue;
                }
                let never = |_: usize, _: usize, _: &[u8]| panic!("an answer of a refused call");
                let refused = one.in_columns(operation, &columns, options, &mut verdicts, &mut [], never);
                assert!(matches!(refused, Err(Error::WorkspaceTooSmall { given: 0, .. })), "{operation:?}");
                assert_eq!(verdicts, vec![Verdict::InvalidSignature; rows]);
            }
        }
    }
}

#[test]
fn high_s_is_judged_by_the_options() {
    let secret = SecretKey::from_bytes(&[7; 32]).unwrap();
    let low = ecdsa::sign(&[1; 32], &secret);
    let high = ecdsa::Signature::from_scalars(low.r(), -low.s()).unwrap().to_compact();
    let (digests, signatures, keys) = ([[1; 32]], [high], [secret.public_key().to_bytes()]);
    let columns = [Column::of(&digests), Column::of(&signatures), Column::of(&keys)];
    for backend in Backend::available() {
        let one = OneThread::of(*backend).unwrap();
        for (low_s, expected) in [(LowS::Require, Verdict::HighS), (LowS::Allow, Verdict::Valid)] {
            let options = ColumnOptions { low_s, ..ColumnOptions::default() };
            let (mut found, memory) = ([Verdict::MalformedRow], &mut workspace(one)[..]);
            let done = one.in_columns(Operation::VerifyEcdsa, &columns, options, &mut found, memory, |_, _, _| ());
            assert_eq!((done, found), (Ok(()), [expected]), "{backend}");
        }
    }
}

#[test]
fn columns_that_cannot_be_are_refused() {
    let all = RowBytes::new(3);
    let one = OneThread::PORTABLE;
    let memory = &mut workspace(one)[..];
    for operation in Operation::ALL {
        let columns = all.of(operation, 3);
        let mut refused = |columns: &[Column<'_>], rows: usize| {
            let never = |_: usize, _: usize, _: &[u8]| panic!("an answer of a refused call");
            let mut verdicts = vec![Verdict::Valid; rows];
            let refused = one.in_columns(operation, columns, ColumnOptions::default(), &mut verdicts, memory, never);
            assert_eq!(verdicts, vec![Verdict::InvalidSignature; rows]);
            refused.unwrap_err()
        };
        assert_eq!(refused(&columns, 2), Error::LengthMismatch { left: 3, right: 2 }, "{operation:?}");
        assert_eq!(refused(&columns[1..], 3), Error::BadColumn, "{operation:?}");
        let more = [&columns[..], &columns[..1]].concat();
        assert_eq!(refused(&more, 3), Error::BadColumn, "{operation:?}");
        // Three bytes wide: wrong for every column but messages.
        for column in 0..columns.len() {
            let mut wide = columns.clone();
            wide[column] = Column::of(&[[0; 3]; 3]);
            let messages = column == 0 && matches!(operation, Operation::VerifySchnorr | Operation::SignSchnorr);
            if !messages {
                assert_eq!(refused(&wide, 3), Error::BadColumn, "{operation:?}, column {column}");
            }
        }
    }
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
    let memory = &mut workspace(one)[..];
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
        let mut workspace = workspace(promised);
        assert_eq!(promised.public_keys(&secrets, &mut found, &mut workspace), Ok(()));
        assert_eq!(found, publics);
    }
}
