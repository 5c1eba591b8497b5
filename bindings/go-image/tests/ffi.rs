//! Calls give the library's answers.
#![allow(unsafe_code)]

mod calls;
mod scans;

use calls::{empty, input, lines_of, output};
use phalanx::{
    Keypair, LowS, PublicKey, Scalar, SecretKey, Verdict,
    bindings::{CacheLine, OneThread},
    ecdsa,
    ellswift::{ElligatorSwift, Party, shared_secret},
    hash::{TaggedHash, sha256},
};
use phalanx_ethereum::address;
use phalanx_ffi::operations::Operation;
use phalanx_go_image::{call::*, phalanx_go_rows, phalanx_go_single, vectors::TERM};
use phalanx_musig::{AggregateNonce, KeyAggregation, NonceInputs, SecretNonce, Session};
use std::ptr;

const ROWS_VERIFY_ECDSA: u32 = ROWS_FIRST + Operation::VerifyEcdsa as u32;

/// The answer to a call on the portable machine.
fn single(operation: u32, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> u32 {
    let mut call = empty(operation);
    inputs.iter().enumerate().for_each(|(i, bytes)| call.inputs[i] = input(bytes));
    outputs.iter_mut().enumerate().for_each(|(i, bytes)| call.outputs[i] = output(bytes));
    // SAFETY: all pointers are those of slices, and any CPU is portable.
    unsafe { phalanx_go_single(&raw const call) }
}

#[test]
fn calls_on_one_item_are_the_librarys() {
    const VALID: u32 = Verdict::Valid as u32;
    for label in 0..20u8 {
        let digest = sha256(&[label]);
        let secret = SecretKey::from_bytes(&sha256(&digest)).unwrap();
        let pair = Keypair::from_secret(secret.clone());
        let bytes = secret.to_bytes();
        let (mut key, mut signature, mut id, mut shared) = ([0; 65], [0; 64], [0; 1], [0; 32]);
        assert_eq!(single(PUBLIC_KEY, &[&bytes], &mut [&mut key]), VALID);
        assert_eq!(key, pair.public_key().to_bytes_uncompressed());
        assert_eq!(single(SIGN_ECDSA, &[&digest, &bytes], &mut [&mut signature, &mut id]), VALID);
        let (expected, expected_id) = ecdsa::sign_recoverable(&digest, &secret);
        assert_eq!((signature, id[0]), (expected.to_compact(), expected_id.to_u8()));
        assert_eq!(single(VERIFY_ECDSA, &[&digest, &signature, &key], &mut []), VALID);
        assert_eq!(single(VERIFY_ECDSA, &[&bytes, &signature, &key], &mut []), Verdict::InvalidSignature as u32);
        let mut found = [0; 65];
        assert_eq!(single(RECOVER, &[&digest, &signature, &id], &mut [&mut found]), VALID);
        assert_eq!(found, key);
        assert_eq!(single(RECOVER, &[&digest, &signature, &[4]], &mut [&mut found]), Verdict::OutOfRange as u32);
        assert_eq!(single(SIGN_SCHNORR, &[b"text", &bytes, &digest], &mut [&mut signature]), VALID);
        assert_eq!(signature, OneThread::PORTABLE.sign_schnorr(b"text", &pair, &digest).to_bytes());
        assert_eq!(single(VERIFY_SCHNORR, &[b"text", &signature, &key], &mut []), VALID);
        assert_eq!(single(VERIFY_SCHNORR, &[b"texts", &signature, &key], &mut []), Verdict::InvalidSignature as u32);
        assert_eq!(single(SHARED_SECRET, &[&key, &bytes], &mut [&mut shared]), VALID);
        assert_eq!(shared, phalanx::ecdh::shared_secret(&pair.public_key(), &secret));
        assert_eq!(single(TWEAK_SECRET, &[&bytes, &digest], &mut [&mut shared]), VALID);
        assert_eq!(single(TWEAK_PUBLIC, &[&key, &digest], &mut [&mut found]), VALID);
        let sum = SecretKey::from_bytes(&shared).unwrap();
        assert_eq!(PublicKey::from_bytes(&found), Ok(sum.public_key()));
        assert_eq!(single(NEGATE_SECRET, &[&bytes], &mut [&mut shared]), VALID);
        assert_eq!(single(TWEAK_SECRET, &[&bytes, &shared], &mut [&mut [0; 32]]), Verdict::MalformedRow as u32);
    }
}

#[test]
fn encodings_and_nonces_are_the_librarys() {
    const VALID: u32 = Verdict::Valid as u32;
    for label in 0..20u8 {
        let [digest, other] = [[label], [label + 100]].map(|label| sha256(&label));
        let [ours, theirs] = [&digest, &other].map(|bytes| SecretKey::from_bytes(bytes).unwrap());
        let (mut a, mut b, mut key, mut shared) = ([0; 64], [0; 64], [0; 65], [[0; 32]; 2]);
        let public = theirs.public_key().to_bytes_uncompressed();
        assert_eq!(single(ELLSWIFT_CREATE, &[&digest, &other], &mut [&mut a]), VALID);
        assert_eq!(a, ElligatorSwift::from_secret(&ours, Some(&other)).to_bytes());
        assert_eq!(single(ELLSWIFT_ENCODE, &[&public, &digest], &mut [&mut b]), VALID);
        assert_eq!(b, ElligatorSwift::encode(&theirs.public_key(), &digest).to_bytes());
        assert_eq!(single(ELLSWIFT_DECODE, &[&b], &mut [&mut key]), VALID);
        assert_eq!(key, public);
        assert_eq!(single(ELLSWIFT_SECRET, &[&a, &b, &digest], &mut [&mut shared[0]]), VALID);
        let mut call = empty(ELLSWIFT_SECRET);
        call.flags = FLAG_RESPONDER;
        call.inputs[..3].copy_from_slice(&[input(&a), input(&b), input(&other)]);
        call.outputs[0] = output(&mut shared[1]);
        // SAFETY: all pointers are those of arrays, and any CPU is portable.
        assert_eq!(unsafe { phalanx_go_single(&raw const call) }, VALID);
        let [initiator, responder] = [a, b].map(ElligatorSwift::from);
        assert_eq!(shared, [shared_secret(&initiator, &responder, &ours, Party::Initiator); 2]);

        let inputs = NonceInputs { secret_key: Some(&ours), ..NonceInputs::default() };
        let pair = Keypair::from_secret(ours.clone());
        let (nonce, public) = SecretNonce::from_randomness(&mut other.clone(), &pair.public_key(), &inputs).unwrap();
        let rest = [&[33], &pair.public_key().to_bytes()[..], &[0; 6]].concat();
        let (mut k, mut found) = ([0; 64], [0; 66]);
        assert_eq!(single(MUSIG_NONCE, &[&other, &digest, &rest], &mut [&mut k, &mut found]), VALID);
        assert_eq!(found, public.to_bytes());
        assert_eq!(single(MUSIG_NONCE, &[&other, &[0; 32], &rest], &mut [&mut k, &mut found]), 1);
        // The session of one signer: the numbers are those that the library signs with.
        let keys = KeyAggregation::new(&[pair.public_key()]).unwrap();
        let session = Session::new(&keys, &AggregateNonce::sum(&[public]), b"message");
        let partial = session.sign(nonce, &pair).unwrap();
        let signature = session.aggregate(&[partial]).unwrap().to_bytes();
        let hash = |tag: &[u8], parts: &[&[u8]]| Scalar::from_bytes_reduced(&TaggedHash::new(tag).hash(parts));
        let x = keys.x_only().to_bytes();
        let coefficient = hash(b"MuSig/noncecoef", &[&public.to_bytes(), &x, b"message"]);
        let list = TaggedHash::new(b"KeyAgg list").hash(&[&pair.public_key().to_bytes()]);
        let factor = hash(b"KeyAgg coefficient", &[&list, &pair.public_key().to_bytes()])
            * hash(b"BIP0340/challenge", &[&signature[..32], &x, b"message"]);
        let factor = if keys.public_key().x_only().1 { -factor } else { factor };
        let found = [0, FLAG_NEGATE].map(|flags| {
            let (mut call, mut found) = (empty(MUSIG_SIGN), [0; 32]);
            let numbers = [coefficient, factor].map(|number| number.to_bytes());
            call.inputs[..4].copy_from_slice(&[input(&k), input(&digest), input(&numbers[0]), input(&numbers[1])]);
            (call.flags, call.outputs[0]) = (flags, output(&mut found));
            // SAFETY: as above.
            assert_eq!(unsafe { phalanx_go_single(&raw const call) }, VALID);
            found
        });
        assert!(found.contains(&partial.to_bytes()) && found[0] != found[1]);
        let large = [0xff; 32];
        assert_eq!(single(MUSIG_SIGN, &[&k, &digest, &large, &other], &mut [&mut [0; 32]]), Verdict::OutOfRange as u32);
    }
}

/// The answer to a call on rows, whose pointers are null or those of slices that live longer.
fn many(call: &Call) -> u32 {
    // SAFETY: as said; any CPU is portable, and of machines that a CPU may lack none is named.
    unsafe { phalanx_go_rows(call) }
}

#[test]
fn calls_that_cannot_be_are_misused() {
    let digest = [7; 32];
    assert_eq!(single(NOTHING, &[], &mut []), size_of::<Call>() as u32);
    for operation in (1..31).chain([LINES, ROWS_VERIFY_ECDSA, SUM_OF_PRODUCTS, 1 << 31]) {
        let expected = match operation {
            READ_PUBLIC_KEY | READ_X_ONLY | SILENT_TWEAK => Verdict::BadPublicKey as u32,
            READ_DER | READ_COMPACT => Verdict::BadSignatureEncoding as u32,
            _ => MISUSED,
        };
        assert_eq!(single(operation, &[], &mut []), expected, "operation {operation}");
    }
    assert_eq!(single(PUBLIC_KEY, &[&digest[1..]], &mut [&mut [0; 65]]), MISUSED);
    assert_eq!(single(PUBLIC_KEY, &[&digest], &mut [&mut [0; 64]]), MISUSED);
    assert_eq!(single(PUBLIC_KEY, &[&digest], &mut []), MISUSED);
    let on_rows = Operation::ALL.map(|operation| ROWS_FIRST + operation as u32);
    for operation in (LINES + 1..ROWS_FIRST).chain(on_rows).chain([ROWS_FIRST + on_rows.len() as u32]) {
        let mut call = empty(operation);
        call.rows = 3;
        assert_eq!(many(&call), MISUSED);
        call.machine = 99;
        assert_eq!(many(&call), MISUSED);
    }
}

#[test]
fn rows_get_the_librarys_verdicts() {
    const ROWS: usize = 70;
    let mut memory = vec![CacheLine([u64::MAX; 8]); 4000];
    let (mut digests, mut signatures, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    for label in 0..ROWS as u8 {
        let digest = sha256(&[label]);
        let secret = SecretKey::from_bytes(&digest).unwrap();
        digests.extend(digest);
        signatures.extend(ecdsa::sign(&digest, &secret).to_compact());
        keys.extend(secret.public_key().to_bytes());
    }
    (digests[40], signatures[64 * 9], keys[33 * 20]) = (digests[40] ^ 1, 0xff, 9);
    signatures[64 * 10..][..32].fill(0xff);
    let mut verdicts = [Verdict::Valid as u8; ROWS];
    let mut call = empty(LINES);
    (call.rows, call.flags) = (ROWS, ROWS_VERIFY_ECDSA);
    let lines = many(&call) as usize;
    assert!(lines > 10 && lines <= memory.len());
    let column = |bytes: &[u8], width: usize| Input { data: bytes.as_ptr(), stride: width, width };
    call.inputs[..3].copy_from_slice(&[column(&digests, 32), column(&signatures, 64), column(&keys, 33)]);
    (call.operation, call.flags, call.verdicts) = (ROWS_VERIFY_ECDSA, 0, verdicts.as_mut_ptr());
    (call.workspace, call.lines) = (memory.as_mut_ptr(), lines - 1);
    assert_eq!(many(&call), MISUSED);
    assert_eq!(verdicts, [Verdict::InvalidSignature as u8; ROWS]);
    call.lines = lines;
    assert_eq!(many(&call), 0);
    for (i, verdict) in verdicts.into_iter().enumerate() {
        let row = ecdsa::Row {
            digest: &digests[32 * i..][..32],
            signature: ecdsa::SignatureRef::Compact(&signatures[64 * i..][..64]),
            public_key: phalanx::PublicKeyRef::Encoded(&keys[33 * i..][..33]),
        };
        assert_eq!(verdict, ecdsa::verify_row(&row, LowS::Require) as u8, "row {i}");
    }
    assert_eq!(verdicts.iter().filter(|verdict| **verdict == 0).count(), ROWS - 4);

    // The same by sums, with ids that say nothing.
    let (ids, randomness) = ([4; ROWS], [5; 32]);
    (call.inputs[3], call.inputs[4]) = (column(&ids, 1), column(&randomness, 32));
    (call.operation, call.flags) = (LINES, ROWS_BATCH_ECDSA);
    let lines = many(&call) as usize;
    let mut memory = vec![CacheLine([u64::MAX; 8]); lines];
    let mut by_sums = [Verdict::Valid as u8; ROWS];
    (call.operation, call.flags, call.verdicts) = (ROWS_BATCH_ECDSA, 0, by_sums.as_mut_ptr());
    (call.workspace, call.lines) = (memory.as_mut_ptr(), lines);
    assert_eq!(many(&call), 0);
    assert_eq!(by_sums, verdicts);
    (call.lines, by_sums) = (1, [Verdict::Valid as u8; ROWS]);
    assert_eq!(many(&call), MISUSED);
    assert_eq!(by_sums, [Verdict::InvalidSignature as u8; ROWS]);
}

#[test]
fn senders_are_those_of_the_keys() {
    const ROWS: usize = 45;
    let (mut hashes, mut signatures, mut parities) = ([[0; 32]; ROWS], [[0; 64]; ROWS], [[0; 1]; ROWS]);
    // The verdicts where low s is required, and where it is not.
    let mut expected = [[Verdict::Valid; ROWS]; 2];
    for i in 0..ROWS {
        hashes[i] = sha256(&[i as u8, 1]);
        let (signature, id) = ecdsa::sign_recoverable(&hashes[i], &SecretKey::from_bytes(&sha256(&[i as u8])).unwrap());
        (signatures[i], parities[i]) = (signature.to_compact(), [id.to_u8()]);
        let verdicts = match i % 5 {
            1 => {
                let s = Scalar::from_bytes(signatures[i].last_chunk::<32>().unwrap()).unwrap();
                signatures[i][32..].copy_from_slice(&(-s).to_bytes());
                parities[i][0] ^= 1;
                [Verdict::HighS, Verdict::Valid]
            }
            2 => {
                parities[i][0] += 2;
                [Verdict::OutOfRange; 2]
            }
            3 => {
                // No point has the x 5.
                signatures[i][..32].copy_from_slice(&Scalar::from(5u64).to_bytes());
                [Verdict::InvalidSignature; 2]
            }
            4 => {
                signatures[i][32..].fill(0);
                [Verdict::OutOfRange; 2]
            }
            _ => [Verdict::Valid; 2],
        };
        (expected[0][i], expected[1][i]) = verdicts.into();
    }
    let mut call = empty(LINES);
    (call.rows, call.flags) = (ROWS, ROWS_SENDERS);
    let lines = many(&call) as usize;
    let mut memory = vec![CacheLine([7; 8]); lines];
    let column = |bytes: &[u8], width: usize| Input { data: bytes.as_ptr(), stride: width, width };
    call.inputs[0] = column(hashes.as_flattened(), 32);
    call.inputs[1] = column(signatures.as_flattened(), 64);
    call.inputs[2] = column(parities.as_flattened(), 1);
    (call.operation, call.workspace, call.lines) = (ROWS_SENDERS, memory.as_mut_ptr(), lines);
    for (flags, expected) in [0, FLAG_ALLOW_HIGH_S].into_iter().zip(expected) {
        let (mut verdicts, mut addresses) = ([9; ROWS], [[9; 20]; ROWS]);
        (call.flags, call.verdicts) = (flags, verdicts.as_mut_ptr());
        call.outputs[0] = Output { data: addresses.as_mut_ptr().cast(), stride: 20, width: 20 };
        assert_eq!(many(&call), 0);
        for (i, expected) in expected.into_iter().enumerate() {
            assert_eq!(verdicts[i], expected as u8, "row {i}");
            let address = if expected.is_valid() { address(&key_of(i as u8)) } else { [9; 20] };
            assert_eq!(addresses[i], address, "row {i}");
        }
    }
    let (mut verdicts, mut addresses) = ([9; ROWS], [[9; 20]; ROWS]);
    call.verdicts = verdicts.as_mut_ptr();
    call.outputs[0].data = addresses.as_mut_ptr().cast();
    let good = call;
    for i in 0..3 {
        call.inputs[i].width -= 1;
        assert_eq!(many(&call), MISUSED, "column {i}");
        call = good;
    }
    call.lines -= 1;
    assert_eq!(many(&call), MISUSED);
    assert_eq!(verdicts, [Verdict::InvalidSignature as u8; ROWS]);
    assert_eq!(addresses, [[9; 20]; ROWS]);
    call.lines += 1;
    call.outputs[0].width -= 1;
    assert_eq!(many(&call), MISUSED);
}

#[test]
fn sums_are_the_librarys() {
    const ROWS: usize = 40;
    let (mut scalars, mut points) = (vec![[0; 32]; ROWS], vec![[0; 33]; ROWS]);
    for (i, (scalar, point)) in scalars.iter_mut().zip(&mut points).enumerate() {
        scalar[31] = i as u8;
        let secret = SecretKey::from_bytes(&sha256(&[i as u8])).unwrap();
        *point = if i == 7 { [0; 33] } else { secret.public_key().to_bytes() };
    }
    let mut call = empty(LINES);
    (call.rows, call.flags) = (ROWS, SUM_OF_PRODUCTS);
    let lines = many(&call) as usize;
    let (mut memory, mut sum) = (vec![CacheLine([u64::MAX; 8]); lines], [9; 33]);
    call.inputs[0] = Input { data: scalars.as_flattened().as_ptr(), stride: 32, width: 32 };
    call.inputs[1] = Input { data: points.as_flattened().as_ptr(), stride: 33, width: 33 };
    call.outputs[0] = output(&mut sum);
    (call.operation, call.flags, call.workspace, call.lines) = (SUM_OF_PRODUCTS, 0, memory.as_mut_ptr(), lines);
    assert_eq!(many(&call), Verdict::Valid as u32);
    let rows = || scalars.iter().zip(&points).filter(|(_, point)| **point != [0; 33]);
    let factors: Vec<_> = rows().map(|(scalar, _)| Scalar::from_bytes(scalar).unwrap()).collect();
    let keys: Vec<_> = rows().map(|(_, point)| PublicKey::from_bytes(point).unwrap()).collect();
    let expected = phalanx::msm::sum_of_products(&factors, &keys).unwrap();
    assert_eq!(sum, expected.to_bytes());
    call.lines = 1;
    assert_eq!(many(&call), MISUSED);
    call.lines = lines;
    points[3][0] = 9;
    call.inputs[1].data = points.as_flattened().as_ptr();
    assert_eq!(many(&call), Verdict::BadPublicKey as u32);
    scalars[2] = [0xff; 32];
    call.inputs[0].data = scalars.as_flattened().as_ptr();
    assert_eq!(many(&call), Verdict::OutOfRange as u32);
}

#[test]
fn sums_over_points_that_never_change_are_the_librarys() {
    const POINTS: usize = 20;
    let mut points = vec![[0; 33]; POINTS];
    for (i, point) in points.iter_mut().enumerate().filter(|(i, _)| *i != 7) {
        *point = key_of(i as u8).to_bytes();
    }
    let over = |operation| {
        let mut call = empty(operation);
        call.inputs[4] = Input { data: ptr::null(), stride: POINTS, width: 5 };
        call
    };
    let mut basis = vec![CacheLine([9; 8]); POINTS];
    let mut call = over(FIXED_BASIS);
    call.rows = POINTS;
    call.inputs[0] = Input { data: points.as_flattened().as_ptr(), stride: 33, width: 33 };
    let (data, width) = lines_of(&mut basis);
    call.outputs[0] = Output { data, stride: 64, width };
    assert_eq!(many(&call), Verdict::Valid as u32);
    call.outputs[0].width -= 64;
    assert_eq!(many(&call), MISUSED);
    (call.outputs[0].width, points[3]) = (width, [5; 33]);
    call.inputs[0].data = points.as_flattened().as_ptr();
    assert_eq!(many(&call), Verdict::BadPublicKey as u32);

    let mut tables = vec![CacheLine([9; 8]); many(&over(FIXED_LINES)) as usize];
    let mut lines = over(LINES);
    lines.flags = FIXED_BUILD;
    let mut memory = vec![CacheLine([7; 8]); many(&lines) as usize];
    let (parts, mut infinity) = (many(&over(FIXED_PARTS)), 0);
    assert_eq!(parts, 2);
    for part in 0..parts as usize {
        let mut place = over(FIXED_PART_LINE);
        place.rows = part;
        let first = many(&place) as usize;
        place.rows += 1;
        let end = many(&place) as usize;
        let mut call = over(FIXED_BUILD);
        call.rows = part;
        (call.inputs[0].data, call.inputs[0].width) = (basis.as_ptr().cast(), size_of_val(&basis[..]));
        let (data, width) = lines_of(&mut tables[first..end]);
        call.outputs[0] = Output { data, stride: 64, width };
        // What the largest part takes, which is the first one.
        (call.workspace, call.lines) = (memory.as_mut_ptr(), memory.len() - 1);
        assert_eq!(part == 0, many(&call) == MISUSED);
        call.lines += 1;
        let met = many(&call);
        assert!(met < 2);
        infinity |= met;
    }
    assert_eq!(infinity, 1, "a point is infinity");

    let vectors: Vec<Vec<(usize, Scalar)>> = (0..40usize)
        .map(|i| {
            (0..i % 23).map(move |j| ((j * 7 + i) % POINTS, Scalar::from_bytes_reduced(&sha256(&[i as u8, j as u8]))))
        })
        .map(Iterator::collect)
        .collect();
    let bytes = |(place, scalar): &(usize, Scalar)| [&(*place as u64).to_le_bytes()[..], &scalar.to_bytes()].concat();
    let mut terms: Vec<u8> = vectors.iter().flatten().flat_map(bytes).collect();
    let mut ends: Vec<u64> = vectors.iter().map(|vector| vector.len() as u64).collect();
    (1..ends.len()).for_each(|i| ends[i] += ends[i - 1]);
    let mut lines = over(LINES);
    (lines.flags, lines.rows) = (FIXED_SUMS, vectors.len());
    (lines.inputs[1].width, lines.inputs[1].stride) = (terms.len(), 22);
    let (mut memory, mut sums) = (vec![CacheLine([7; 8]); many(&lines) as usize], vec![[9; 33]; vectors.len()]);
    let mut call = over(FIXED_SUMS);
    (call.flags, call.rows) = (FLAG_INFINITY, vectors.len());
    (call.inputs[0].data, call.inputs[0].width) = (tables.as_ptr().cast(), size_of_val(&tables[..]));
    call.inputs[1] = Input { data: terms.as_ptr(), stride: TERM, width: terms.len() };
    call.inputs[2] = Input { data: ends.as_ptr().cast(), stride: 8, width: 8 * ends.len() };
    call.outputs[0] = Output { data: sums.as_flattened_mut().as_mut_ptr(), stride: 33, width: 33 };
    (call.workspace, call.lines) = (memory.as_mut_ptr(), memory.len() - 1);
    assert_eq!(many(&call), MISUSED);
    call.lines += 1;
    assert_eq!(many(&call), Verdict::Valid as u32);
    for (i, vector) in vectors.iter().enumerate() {
        let (scalars, keys): (Vec<_>, Vec<_>) = vector
            .iter()
            .filter(|(place, _)| *place != 7)
            .map(|(place, scalar)| (*scalar, key_of(*place as u8)))
            .unzip();
        let expected = phalanx::msm::sum_of_products(&scalars, &keys).unwrap();
        assert_eq!(sums[i], expected.to_bytes(), "vector {i}");
    }
    // A number that is no scalar, a place of no point, ends that fall, and a term too many.
    terms[8..40].fill(0xff);
    call.inputs[1].data = terms.as_ptr();
    assert_eq!(many(&call), Verdict::OutOfRange as u32);
    terms[..8].copy_from_slice(&(POINTS as u64).to_le_bytes());
    call.inputs[1].data = terms.as_ptr();
    assert_eq!(many(&call), MISUSED);
    terms[..40].fill(0);
    call.inputs[1].data = terms.as_ptr();
    assert_eq!(many(&call), Verdict::Valid as u32);
    call.inputs[1].width -= TERM;
    assert_eq!(many(&call), MISUSED);
    call.inputs[1].width += TERM;
    ends.swap(3, 4);
    call.inputs[2].data = ends.as_ptr().cast();
    assert_eq!(many(&call), MISUSED);
}

/// The public key of the secret that is the hash of this number.
fn key_of(i: u8) -> PublicKey {
    SecretKey::from_bytes(&sha256(&[i])).unwrap().public_key()
}
