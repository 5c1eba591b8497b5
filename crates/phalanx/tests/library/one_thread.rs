//! Rows in columns in the caller's memory: the answers of single calls, in exactly the memory that was asked for.

use phalanx::{
    Backend, Bulk, Error, Keypair, LowS, PublicKey, PublicKeyRef, SecretKey, Verdict, XOnlyKeyRef,
    bindings::{CacheLine, Column, ColumnOptions, EcdsaColumns, OneThread, Operation, SchnorrColumns},
    children::{Parent, PayloadKind},
    ecdsa, hash, schnorr,
};

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
        let columns = EcdsaColumns::new(digest, signature, key).unwrap();
        let schnorr_columns = SchnorrColumns::new(digest, schnorr, column(1, 32)).unwrap();
        let expected: Vec<_> =
            (0..rows).map(|i| if i % 5 == 3 { Verdict::InvalidSignature } else { Verdict::Valid }).collect();
        for backend in Backend::available() {
            for threads in [1, 2] {
                let bulk = Bulk::builder().backend(*backend).threads(threads).build().unwrap();
                assert_eq!(bulk.verify_ecdsa(columns, LowS::Require), expected);
                assert_eq!(bulk.verify_schnorr(schnorr_columns), expected);
            }
            let one = OneThread::of(*backend).unwrap();
            assert_eq!(one.backend(), *backend);
            let (options, memory) = (ColumnOptions::default(), &mut workspace(one)[..]);
            for (operation, columns) in [
                (Operation::VerifyEcdsa, [digest, signature, key]),
                (Operation::VerifySchnorr, [digest, schnorr, column(1, 32)]),
            ] {
                let mut found = vec![Verdict::Valid; rows];
                assert_eq!(one.in_columns(operation, &columns, options, &mut found, memory, never), Ok(()));
                assert_eq!(found, expected);
            }
            let (mut verdicts, mut found) = (vec![Verdict::HighS; rows], vec![vec![]; rows]);
            let write = |row: usize, _: usize, key: &[u8]| found[row] = key.to_vec();
            let columns = [digest, signature, id];
            assert_eq!(one.in_columns(Operation::Recover, &columns, options, &mut verdicts, memory, write), Ok(()));
            assert!((0..rows).all(|i| (found[i] == inputs.publics[i].to_bytes()) == expected[i].is_valid()));
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
    indices: Vec<[u8; 4]>,
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
        let high = |low: &ecdsa::Signature| ecdsa::Signature::from_scalars(low.r(), -low.s()).unwrap();
        let signature = |i: usize| match i % 13 {
            7 => [0xff; 64],
            9 => high(&inputs.signatures[i]).to_compact(),
            _ => inputs.signatures[i].to_compact(),
        };
        RowBytes {
            secrets: (0..rows).map(secret).collect(),
            publics: (0..rows).map(public).collect(),
            x_only: (0..rows).map(|i| inputs.pairs[i].x_only().to_bytes()).collect(),
            signatures: (0..rows).map(signature).collect(),
            ids: inputs.ids.iter().map(|id| [*id]).collect(),
            indices: (0..rows as u32).map(|i| (((i % 17 / 16) << 31) | i).to_ne_bytes()).collect(),
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
            Operation::DeriveChildren => vec![publics, digests, Column::of(&self.indices)],
            _ => panic!("{operation:?} has no columns here"),
        };
        columns.into_iter().map(|column| column.part(0..rows)).collect()
    }

    /// The answer to a row, by a single operation.
    fn alone(&self, operation: Operation, i: usize, options: ColumnOptions<'_>) -> Result<Vec<u8>, Verdict> {
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
                verdict(ecdsa::verify_row(&ecdsa::Row { digest, signature, public_key }, options.low_s))
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
            Operation::DeriveChildren => {
                let (parent, index) = (Parent::new(public()?, digest), u32::from_ne_bytes(self.indices[i]));
                let child = parent.child(index, options.payload).map_err(Verdict::from)?;
                Ok([key(child.public_key), child.chain_code.to_vec(), child.payload.as_bytes().to_vec()].concat())
            }
            _ => panic!("{operation:?} has no single operation here"),
        }
    }
}

/// What is given an answer where there is none.
fn never(_: usize, _: usize, _: &[u8]) {
    panic!("an answer of a call that has none");
}

#[test]
fn every_operation_takes_columns() {
    let all = RowBytes::new(600);
    for backend in Backend::available() {
        let one = OneThread::of(*backend).unwrap();
        for (operation, chosen) in
            Operation::ALL.into_iter().flat_map(|operation| [(operation, false), (operation, true)])
        {
            let low_s = if chosen { LowS::Allow } else { LowS::Require };
            let payload = if chosen { PayloadKind::TaprootKey } else { PayloadKind::None };
            let options = ColumnOptions { low_s, recovery_ids: chosen, uncompressed: chosen, payload, secret: None };
            let alone: Vec<_> = (0..600).map(|i| all.alone(operation, i, options)).collect();
            assert!(alone.iter().any(Result::is_ok) && alone.iter().any(Result::is_err), "{operation:?}");
            for rows in [0, 1, 7, 8, 9, 64, 65, 255, 256, 257, 600] {
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
                let given = memory.len() - 1;
                let refused = one.in_columns(operation, &columns, options, &mut verdicts, &mut memory[..given], never);
                assert_eq!(refused, Err(Error::WorkspaceTooSmall { needed: given + 1, given }), "{operation:?}");
                assert_eq!(verdicts, vec![Verdict::InvalidSignature; rows]);
            }
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
    let columns = EcdsaColumns::new(Column::of(&digests), Column::of(&signatures), Column::of(&keys)).unwrap();
    for backend in Backend::available() {
        let bulk = Bulk::builder().backend(*backend).threads(1).build().unwrap();
        for _ in 0..2 {
            let found = bulk.verify_ecdsa(columns, LowS::Require);
            let bad: Vec<_> = (0..512).filter(|i| !found[*i].is_valid()).collect();
            assert_eq!(bad, [77]);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_valid() {
    let (three, two) = ([[0; 64]; 3], [[0; 64]; 2]);
    let columns = [Column::of(&three), Column::of(&two)];
    let mismatch = Err(Error::LengthMismatch { left: 3, right: 2 });
    assert_eq!(EcdsaColumns::new(columns[0], columns[1], columns[0]).map(drop), mismatch);
    assert_eq!(SchnorrColumns::new(columns[0], columns[0], columns[1]).map(drop), mismatch);
    let rows = EcdsaColumns::new(columns[0], columns[0], columns[0]).unwrap();
    let schnorr_rows = SchnorrColumns::new(columns[0], columns[0], columns[0]).unwrap();
    let mut out = [[Verdict::Valid; 2]; 2];
    assert_eq!(Bulk::new().verify_ecdsa_into(rows, LowS::Require, &mut out[0]), mismatch);
    assert_eq!(Bulk::new().verify_schnorr_into(schnorr_rows, &mut out[1]), mismatch);
    assert_eq!(out, [[Verdict::InvalidSignature; 2]; 2]);
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
        assert_eq!(promised.public_key(&secrets[0]), publics[0]);
        let secrets: Vec<_> = secrets.iter().map(SecretKey::to_bytes).collect();
        let (columns, mut memory, options) = ([Column::of(&secrets)], workspace(promised), ColumnOptions::default());
        let (mut verdicts, mut found) = ([Verdict::HighS; 20], vec![vec![]; 20]);
        let write = |row: usize, _: usize, key: &[u8]| found[row] = key.to_vec();
        let done = promised.in_columns(Operation::PublicKeys, &columns, options, &mut verdicts, &mut memory, write);
        assert_eq!((done, verdicts), (Ok(()), [Verdict::Valid; 20]));
        assert!(found.iter().zip(&publics).all(|(found, key)| *found == key.to_bytes()));
    }
}
