//! Sums of products and batches on one thread, in the caller's memory: the answers of other calls, and no allocation.

use crate::counting::counted;
use phalanx::{
    Backend, Batch, Bulk, Error, Keypair, LowS, Point, PublicKey, PublicKeyRef, Scalar, SecretKey, Verdict,
    bindings::{CacheLine, Column, EcdsaColumns, FixedBasePlan, HintedColumns, OneThread, SchnorrColumns},
    ecdsa::{self, Hint, HintedRow},
    hash,
    msm::{FixedBase, Msm},
    schnorr,
};
/// What the call answers, which must allocate nothing.
fn without_allocation<T>(call: impl FnOnce() -> T) -> T {
    let (answer, asked) = counted(call);
    assert_eq!(asked, (0, 0), "allocations and bytes");
    answer
}

fn memory(lines: usize) -> Vec<CacheLine> {
    vec![CacheLine([0xa5a5_a5a5_a5a5_a5a5; 8]); lines]
}

/// The first call of this process asks the CPU, which allocates.
fn warm() {
    for backend in Backend::available() {
        OneThread::of(*backend).unwrap();
    }
}

fn keys(count: usize) -> Vec<PublicKey> {
    let secrets: Vec<_> = (0..count).map(|i| SecretKey::from_bytes(&hash::sha256(&i.to_be_bytes())).unwrap()).collect();
    Bulk::new().public_keys(&secrets)
}

fn scalars(count: usize) -> Vec<Scalar> {
    let number = |i: usize| Scalar::from_bytes_reduced(&hash::sha256(&[i.to_be_bytes(), [1; 8]].concat()));
    (0..count).map(number).collect()
}

#[test]
fn sums_are_those_of_other_calls() {
    warm();
    let (points, mut scalars) = (keys(3000), scalars(3000));
    scalars[5] = Scalar::ZERO;
    scalars[6] = -scalars[7];
    let mut points: Vec<Point> = points.into_iter().map(Point::from).collect();
    points[3] = Point::IDENTITY;
    let mut encoded: Vec<[u8; 33]> = points.iter().map(Point::to_bytes).collect();
    let mut numbers: Vec<[u8; 32]> = scalars.iter().map(Scalar::to_bytes).collect();
    for backend in Backend::available() {
        let (msm, one) = (Msm::builder().backend(*backend).build().unwrap(), OneThread::of(*backend).unwrap());
        // Of all lengths the memory of the longest.
        let most = one.lines_of_sum_in_columns(3000);
        for count in [0, 1, 2, 3, 8, 65, 256, 257, 300, 1000, 3000] {
            let expected = msm.sum_of_products(&scalars[..count], &points[..count]).unwrap();
            let [numbers, encoded] = [Column::of(&numbers), Column::of(&encoded)].map(|column| column.part(0..count));
            let needed = one.lines_of_sum_in_columns(count);
            // Less and less memory, until it is too little.
            for lines in (0..=needed).rev().step_by(needed.div_ceil(24)).chain([most]) {
                let mut memory = memory(lines);
                let sum = without_allocation(|| one.sum_of_products_in_columns(numbers, encoded, &mut memory));
                match sum {
                    Ok(sum) => assert_eq!(sum, expected, "{backend}, {count} in {lines} lines"),
                    refused => {
                        assert_eq!(refused, Err(Error::WorkspaceTooSmall { needed, given: lines }));
                        assert!(lines < needed, "{backend}, {count} in {lines} lines");
                    }
                }
            }
            let sum = one.sum_of_products_in_columns(numbers, encoded, &mut []);
            assert_eq!(sum, Err(Error::WorkspaceTooSmall { needed, given: 0 }));
        }
        let (minus_one, one_point) =
            ([-Scalar::ONE; 700].map(|k| k.to_bytes()), [PublicKey::GENERATOR.to_bytes(); 700]);
        let [numbers, encoded] = [Column::of(&minus_one), Column::of(&one_point)];
        let sum = one.sum_of_products_in_columns(numbers, encoded, &mut memory(most));
        assert_eq!(sum, Ok(Point::mul_generator(&-Scalar::from(700u64))), "{backend}");
        println!("{backend}: {} KiB for 3,000 products", most / 16);
    }
    let one = OneThread::PORTABLE;
    let memory = &mut memory(one.lines_of_sum_in_columns(3000));
    let mut sum = |numbers: &[[u8; 32]], encoded: &[[u8; 33]]| {
        one.sum_of_products_in_columns(Column::of(numbers), Column::of(encoded), memory)
    };
    assert_eq!(sum(&numbers[..2], &encoded[..3]), Err(Error::LengthMismatch { left: 2, right: 3 }));
    numbers[3] = [0xff; 32];
    assert_eq!(sum(&numbers, &encoded), Err(Error::OutOfRange));
    numbers[3] = [1; 32];
    encoded[400] = [9; 33];
    assert_eq!(sum(&numbers, &encoded), Err(Error::BadPublicKey));
    let wide = Column::of(&encoded);
    assert_eq!(one.sum_of_products_in_columns(wide, wide, memory), Err(Error::BadColumn));
}

/// Tables over a basis in memory of exactly as many lines, with windows of so many bits.
fn tables(bulk: OneThread, plan: &FixedBasePlan, basis: &[CacheLine]) -> (Vec<CacheLine>, bool) {
    let (mut lines, mut infinity) = (memory(plan.lines()), false);
    let mut workspace = memory(bulk.lines_to_build(plan));
    let needed = workspace.len();
    // From the last part to the first one.
    for part in (0..plan.parts()).rev() {
        let lines = &mut lines[plan.part(part).unwrap()];
        infinity |= without_allocation(|| bulk.build_part(plan, part, basis, lines, &mut workspace))
            .expect("exactly as asked for");
        let refused = bulk.build_part(plan, part, basis, &mut lines[1..], &mut workspace);
        assert!(matches!(refused, Err(Error::LengthMismatch { .. })));
        let refused = bulk.build_part(plan, part, &basis[1..], lines, &mut workspace);
        assert!(matches!(refused, Err(Error::LengthMismatch { .. })));
    }
    let refused = bulk.build_part(plan, 0, basis, &mut lines[plan.part(0).unwrap()], &mut workspace[1..]);
    assert_eq!(refused, Err(Error::WorkspaceTooSmall { needed, given: needed - 1 }));
    assert_eq!(plan.part(plan.parts()), None);
    assert!(bulk.build_part(plan, plan.parts(), basis, &mut [], &mut workspace).is_err());
    (lines, infinity)
}

#[test]
fn sums_by_tables_in_memory_are_those_of_other_tables() {
    warm();
    let (mut keys, scalars) = (keys(40), scalars(200));
    // Equal and opposite ones; place 6 is infinity.
    (keys[4], keys[5]) = (keys[3], keys[3].negate());
    let place = |i: usize, key: &PublicKey| if i == 6 { None } else { Some(*key) };
    let places: Vec<Option<PublicKey>> = keys.iter().enumerate().map(|(i, key)| place(i, key)).collect();
    let basis: Vec<CacheLine> = places.iter().map(|key| FixedBasePlan::line_of(key.as_ref())).collect();
    let points: Vec<Point> = places.iter().map(|key| key.map_or(Point::IDENTITY, Point::from)).collect();
    // Of any length, in any order; and some places twice.
    let vectors: Vec<Vec<(usize, Scalar)>> =
        (0..70usize).map(|i| (0..i % 45).map(|j| ((7 * i + 13 * j) % 40, scalars[(i * j) % 200])).collect()).collect();
    let other = FixedBase::build(&Msm::new(), &points, 1 << 18).unwrap();
    let expected: Vec<Point> = vectors.iter().map(|terms| other.sums().sum_sparse_vartime(terms).unwrap()).collect();
    let all = vectors.iter().map(Vec::len).sum();
    for backend in Backend::available() {
        let bulk = OneThread::of(*backend).unwrap();
        for bits in [1, 4, 8] {
            let plan = FixedBasePlan::windows(40, bits).unwrap();
            let (lines, infinity) = tables(bulk, &plan, &basis);
            let tables = plan.tables(&lines, infinity).unwrap();
            let mut workspace = memory(bulk.lines_of_fixed_base_sums(&plan, vectors.len(), 44, all));
            let (needed, mut found) = (workspace.len(), vec![Point::GENERATOR; vectors.len()]);
            let rows = vectors.iter().map(|vector| vector.iter().copied());
            let sums = |workspace: &mut [CacheLine], found: &mut [Point]| {
                bulk.fixed_base_sums_vartime(&tables, rows.clone(), workspace, |i, sum| found[i] = *sum)
            };
            assert_eq!(without_allocation(|| sums(&mut workspace, &mut found)), Ok(()));
            assert_eq!(found, expected, "{backend}, {bits} bits");
            let refused = sums(&mut workspace[1..], &mut found);
            assert_eq!(refused, Err(Error::WorkspaceTooSmall { needed, given: needed - 1 }));
            for (vector, expected) in vectors.iter().zip(&expected) {
                let one = [vector.iter().copied()].into_iter();
                let mut workspace = memory(bulk.lines_of_fixed_base_sums(&plan, 1, vector.len(), vector.len()));
                let sum =
                    |_: usize, sum: &Point| assert_eq!(sum, expected, "{backend}, {bits} bits, {} terms", vector.len());
                assert_eq!(bulk.fixed_base_sums_vartime(&tables, one, &mut workspace, sum), Ok(()));
            }
            let outside = [[(40, Scalar::ONE)].into_iter()].into_iter();
            let refused = bulk.fixed_base_sums_vartime(&tables, outside, &mut workspace, |_, _| panic!("a sum"));
            assert_eq!(refused, Err(Error::LengthMismatch { left: 40, right: 40 }));
            assert!(plan.tables(&lines[1..], infinity).is_err());
        }
    }
}

#[test]
fn tables_that_cannot_be_have_no_plan() {
    for (points, bits) in [(0, 4), (4, 0), (4, 17), (4, u32::MAX), (1 << 26, 1), (usize::MAX, 4), (1 << 16, 8)] {
        assert_eq!(FixedBasePlan::windows(points, bits), None, "{points} points, {bits} bits");
    }
    let plan = FixedBasePlan::windows(17, 8).unwrap();
    assert_eq!((plan.points(), plan.lines(), plan.parts()), (17, 17 * 32 * 128, 2));
    assert_eq!((plan.part(0), plan.part(1)), (Some(0..16 * 4096), Some(16 * 4096..17 * 4096)));
}

const ROWS: usize = 700;

struct Rows {
    digests: Vec<[u8; 32]>,
    signatures: Vec<[u8; 64]>,
    keys: Vec<[u8; 33]>,
    ids: Vec<[u8; 1]>,
    schnorr: Vec<[u8; 64]>,
}

impl Rows {
    /// Of as many rows as there may be, these are wrong in some way.
    fn new(wrong: &[usize]) -> Self {
        let mut rows = Rows { digests: vec![], signatures: vec![], keys: vec![], ids: vec![], schnorr: vec![] };
        for i in 0..ROWS {
            let secret = SecretKey::from_bytes(&hash::sha256(&(i % 50).to_be_bytes())).unwrap();
            let digest = hash::sha256(&[&i.to_be_bytes()[..], b"batch"].concat());
            let pair = Keypair::from_secret(secret.clone());
            let (signature, id) = ecdsa::sign_recoverable(&digest, &secret);
            let mut schnorr = schnorr::sign(&digest, &pair, &[0; 32]).to_bytes();
            let (mut signature, mut key) = (signature.to_compact(), pair.public_key().to_bytes());
            if let Some(kind) = wrong.iter().position(|row| *row == i) {
                match kind % 4 {
                    0 => (signature[40], schnorr[40]) = (signature[40] ^ 1, schnorr[40] ^ 1),
                    1 => key = [5; 33],
                    2 => (signature, schnorr) = ([0xff; 64], [0xff; 64]),
                    _ => (signature[3], schnorr[3]) = (signature[3] ^ 1, schnorr[3] ^ 1),
                }
            }
            rows.digests.push(digest);
            rows.signatures.push(signature);
            rows.keys.push(key);
            // Every seventh row has no hint, and every ninth a wrong one.
            rows.ids.push([if i % 7 == 2 {
                4
            } else if i % 9 == 4 {
                id.to_u8() ^ 1
            } else {
                id.to_u8()
            }]);
            rows.schnorr.push(schnorr);
        }
        rows
    }

    fn columns(&self, count: usize) -> (HintedColumns<'_>, SchnorrColumns<'_>) {
        let digests = Column::of(&self.digests).part(0..count);
        let [signatures, schnorr] = [&self.signatures, &self.schnorr].map(|column| Column::of(column).part(0..count));
        let keys = Column::of(&self.keys).part(0..count);
        let ecdsa = EcdsaColumns::new(digests, signatures, keys).unwrap();
        let bytes = if count == 0 { &[][..] } else { &self.keys.as_flattened()[1..] };
        let narrow = Column::new(bytes, 33, 32, count).unwrap();
        let hinted = HintedColumns::new(ecdsa, Column::of(&self.ids).part(0..count)).unwrap();
        (hinted, SchnorrColumns::new(digests, schnorr, narrow).unwrap())
    }
}

#[test]
fn batches_are_rows() {
    warm();
    let many: Vec<usize> = (0..ROWS).filter(|i| i % 3 == 1).collect();
    for wrong in [&[][..], &[5], &[8, 9, 300, 301, 690], &many] {
        let rows = Rows::new(wrong);
        for backend in Backend::available() {
            let bulk = Bulk::builder().backend(*backend).build().unwrap();
            let (batch, one) = (Batch::with(&bulk), OneThread::of(*backend).unwrap());
            for count in [0, 1, 33, 400, ROWS] {
                let (hinted, schnorr) = rows.columns(count);
                // As much memory as all rows take is enough for some.
                let most = if count == 400 { ROWS } else { count };
                let mut memory = memory(one.lines_of_batch_ecdsa(most).max(one.lines_of_batch_schnorr(most)));
                let mut out = vec![Verdict::Valid; count];
                let done = without_allocation(|| {
                    let lines = one.lines_of_batch_ecdsa(most);
                    one.batch_ecdsa(hinted, LowS::Require, &[9; 32], &mut out, &mut memory[..lines])
                });
                assert_eq!(done, Ok(()));
                let listed: Vec<HintedRow<'_>> = (0..count)
                    .map(|i| HintedRow {
                        row: ecdsa::Row {
                            digest: &rows.digests[i],
                            signature: ecdsa::SignatureRef::Compact(&rows.signatures[i]),
                            public_key: PublicKeyRef::Encoded(&rows.keys[i]),
                        },
                        hint: Hint::RecoveryId(rows.ids[i][0]),
                    })
                    .collect();
                let single: Vec<Verdict> =
                    listed.iter().map(|row| ecdsa::verify_row(&row.row, LowS::Require)).collect();
                assert_eq!(out, single, "{backend}, {count}, wrong {wrong:?}");
                assert_eq!(batch.verify_ecdsa(&listed, LowS::Require), single);
                out.fill(Verdict::Valid);
                one.batch_ecdsa(&listed[..], LowS::Require, &[8; 32], &mut out, &mut memory).unwrap();
                assert_eq!(out, single);

                out.fill(Verdict::Valid);
                let done = without_allocation(|| {
                    let lines = one.lines_of_batch_schnorr(most);
                    one.batch_schnorr(schnorr, &[9; 32], &mut out, &mut memory[..lines])
                });
                assert_eq!(done, Ok(()));
                assert_eq!(out, bulk.verify_schnorr(schnorr), "{backend}, {count}, wrong {wrong:?}");
            }
        }
    }
}

/// More rows than are summed together: each verdict is that of its own row, in the first piece and behind it.
#[test]
fn batches_in_pieces_are_rows() {
    const LONG: usize = 5000;
    fn repeated<T: Copy>(rows: &[T]) -> Vec<T> {
        (0..LONG).map(|i| rows[i % ROWS]).collect()
    }
    warm();
    let rows = Rows::new(&[]);
    let mut rows = Rows {
        digests: repeated(&rows.digests),
        signatures: repeated(&rows.signatures),
        keys: repeated(&rows.keys),
        ids: repeated(&rows.ids),
        schnorr: repeated(&rows.schnorr),
    };
    let mut expected = vec![Verdict::Valid; LONG];
    for wrong in [77, 4095, 4097, 4500] {
        rows.digests[wrong][0] ^= 1;
        expected[wrong] = Verdict::InvalidSignature;
    }
    let (hinted, schnorr) = rows.columns(LONG);
    for backend in Backend::available() {
        let one = OneThread::of(*backend).unwrap();
        let mut memory = memory(one.lines_of_batch_ecdsa(LONG).max(one.lines_of_batch_schnorr(LONG)));
        let mut out = vec![Verdict::HighS; LONG];
        one.batch_ecdsa(hinted, LowS::Require, &[9; 32], &mut out, &mut memory).unwrap();
        assert_eq!(out, expected, "{backend}");
        out.fill(Verdict::HighS);
        one.batch_schnorr(schnorr, &[9; 32], &mut out, &mut memory).unwrap();
        assert_eq!(out, expected, "{backend}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let rows = Rows::new(&[]);
    let (hinted, schnorr) = rows.columns(50);
    let one = OneThread::PORTABLE;
    let mut memory = memory(one.lines_of_batch_ecdsa(50).max(one.lines_of_batch_schnorr(50)));
    let (ecdsa_lines, schnorr_lines) = (one.lines_of_batch_ecdsa(50), one.lines_of_batch_schnorr(50));
    // Less and less memory, until it is too little.
    for lines in (0..ecdsa_lines).rev().step_by(20) {
        let mut out = [Verdict::HighS; 50];
        match one.batch_ecdsa(hinted, LowS::Require, &[9; 32], &mut out, &mut memory[..lines]) {
            Ok(()) => assert_eq!(out, [Verdict::Valid; 50]),
            refused => {
                assert_eq!(refused, Err(Error::WorkspaceTooSmall { needed: ecdsa_lines, given: lines }));
                assert_eq!(out, [Verdict::InvalidSignature; 50]);
            }
        }
    }
    let mut out = [Verdict::Valid; 50];
    let done = one.batch_schnorr(schnorr, &[9; 32], &mut out, &mut []);
    assert_eq!(done, Err(Error::WorkspaceTooSmall { needed: schnorr_lines, given: 0 }));
    assert_eq!(out, [Verdict::InvalidSignature; 50]);
    let mut out = [Verdict::Valid; 49];
    let done = one.batch_schnorr(schnorr, &[9; 32], &mut out, &mut memory);
    assert_eq!(done, Err(Error::LengthMismatch { left: 50, right: 49 }));
    assert_eq!(out, [Verdict::InvalidSignature; 49]);
    let ids = Column::of(&rows.digests);
    let columns = EcdsaColumns::new(ids, Column::of(&rows.signatures), Column::of(&rows.keys)).unwrap();
    assert_eq!(HintedColumns::new(columns, ids), Err(Error::BadColumn));
}
