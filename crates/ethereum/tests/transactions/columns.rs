//! Rows in columns have the verdicts and the addresses of rows one by one.

use phalanx::{
    Backend, Bulk, Error, LowS, Verdict,
    bindings::{CacheLine, Column, OneThread},
};
use phalanx_ethereum::{SenderRow, senders, senders_in_columns};
use phalanx_testkit::chain_data;

type Found = (Vec<Verdict>, Vec<Option<[u8; 20]>>);

/// The verdicts, and the addresses that were given.
fn found(one: OneThread, columns: &[Column<'_>], low_s: LowS, rows: usize) -> Result<Found, Error> {
    let (mut verdicts, mut addresses) = (vec![Verdict::Valid; rows], vec![None; rows]);
    let mut workspace = vec![CacheLine([0; 8]); one.workspace_lines()];
    let answer = |row: usize, address: &[u8; 20]| assert_eq!(addresses[row].replace(*address), None);
    let done = senders_in_columns(one, columns, low_s, &mut verdicts, &mut workspace, answer);
    if done.is_err() {
        assert!(verdicts.iter().all(|verdict| *verdict == Verdict::InvalidSignature));
        assert!(addresses.iter().all(Option::is_none));
    }
    done.map(|()| (verdicts, addresses))
}

/// Real rows, each behind itself with another parity, and with an s that is high.
fn rows() -> Vec<(SenderRow, u8)> {
    let real = chain_data::senders(&chain_data::sample("ethereum-senders.parquet"));
    let forms = |row: &chain_data::SenderRow| {
        let signature: [u8; 64] = row.signature[..].try_into().unwrap();
        let s = phalanx::Scalar::from_bytes(&signature[32..]).unwrap();
        let mut high = signature;
        high[32..].copy_from_slice(&(-s).to_bytes());
        let parity = row.recovery_id;
        let form = |signature, parity| {
            let signing_hash = row.digest[..].try_into().unwrap();
            (SenderRow { signing_hash, signature, odd_y: parity % 2 == 1 }, parity)
        };
        [form(signature, parity), form(high, 1 - parity), form(signature, parity + 2), form(high, 255 - parity)]
    };
    real.iter().flat_map(forms).collect()
}

#[test]
fn they_are_those_of_rows() {
    let rows = rows();
    assert_eq!(rows.len(), 4 * 422);
    let hashes: Vec<_> = rows.iter().map(|(row, _)| row.signing_hash).collect();
    let signatures: Vec<_> = rows.iter().map(|(row, _)| row.signature).collect();
    let parities: Vec<_> = rows.iter().map(|(_, parity)| [*parity]).collect();
    let columns = [Column::of(&hashes), Column::of(&signatures), Column::of(&parities)];
    let asked: Vec<_> = rows.iter().map(|(row, _)| *row).collect();
    for low_s in [LowS::Allow, LowS::Require] {
        let by_rows = senders(&Bulk::new(), &asked, low_s);
        let expected = by_rows.iter().zip(&parities).map(|(found, [parity])| match found {
            _ if *parity > 1 => (Verdict::OutOfRange, None),
            Ok(address) => (Verdict::Valid, Some(*address)),
            Err(error) => ((*error).into(), None),
        });
        let expected: Found = expected.unzip();
        let valid = expected.0.iter().filter(|verdict| verdict.is_valid()).count();
        assert_eq!(valid, if low_s == LowS::Allow { 2 * 422 } else { 422 });
        for backend in Backend::available() {
            let one = OneThread::of(*backend).unwrap();
            assert!(found(one, &columns, low_s, rows.len()).unwrap() == expected, "{backend:?}");
        }
    }
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let (hashes, signatures, parities) = ([[1; 32]; 3], [[1; 64]; 3], [[0]; 3]);
    let (one, good) = (OneThread::PORTABLE, [Column::of(&hashes), Column::of(&signatures), Column::of(&parities)]);
    let of = |columns: &[Column<'_>]| found(one, columns, LowS::Require, 3).map(drop);
    assert_eq!(of(&good), Ok(()));
    for column in 0..3 {
        let mut short = good;
        short[column] = good[column].part(0..2);
        assert_eq!(of(&short), Err(Error::LengthMismatch { left: 2, right: 3 }), "column {column}");
        let mut wide = good;
        wide[column] = Column::new(&[0; 300], 66, 65, 3).unwrap();
        assert_eq!(of(&wide), Err(Error::BadColumn), "column {column}");
        let mut narrow = good;
        narrow[column] = Column::new(&[], 0, 0, 3).unwrap();
        assert_eq!(of(&narrow), Err(Error::BadColumn), "column {column}");
    }
    assert_eq!(of(&good[..2]), Err(Error::BadColumn));
    let mut verdicts = [Verdict::Valid; 3];
    let done = senders_in_columns(one, &good, LowS::Allow, &mut verdicts, &mut [], |_, _| panic!("an answer"));
    assert!(matches!(done, Err(Error::WorkspaceTooSmall { given: 0, .. })), "{done:?}");
    assert_eq!(verdicts, [Verdict::InvalidSignature; 3]);
}
