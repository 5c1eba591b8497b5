//! Children of extended keys and scans for silent payments are the library's.
#![allow(unsafe_code)]

use super::calls::{empty, input, output};
use super::many;
use phalanx::{
    Bulk, PublicKey, SecretKey, Verdict,
    bindings::{
        CacheLine,
        payments::{Outputs, Receiver, Row, label_tweak, output_tweak},
    },
    children::{Parent, PayloadKind},
    hash::sha256,
};
use phalanx_go_image::{call::*, phalanx_go_single};

fn secret(label: u8) -> SecretKey {
    SecretKey::from_bytes(&sha256(&[label, 35])).unwrap()
}

/// The answer to a call on one item, with an output of 32 bytes.
fn single(operation: u32, inputs: &[&[u8]], out: &mut [u8; 32]) -> u32 {
    let mut call = empty(operation);
    inputs.iter().enumerate().for_each(|(i, bytes)| call.inputs[i] = input(bytes));
    call.outputs[0] = output(out);
    // SAFETY: all pointers are those of slices, and any CPU is portable.
    unsafe { phalanx_go_single(&raw const call) }
}

fn column<const N: usize>(values: &[[u8; N]]) -> Input {
    Input { data: values.as_flattened().as_ptr(), stride: N, width: N }
}

/// The workspace of a call.
fn room(call: &Call) -> Vec<CacheLine> {
    let lines = many(&Call { operation: LINES, flags: call.operation, ..*call });
    assert!(lines < MISUSED);
    vec![CacheLine([7; 8]); lines as usize]
}

#[test]
fn children_are_the_librarys() {
    const ROWS: usize = 70;
    let (mut keys, codes) = ([[0; 33]; ROWS], [sha256(b"code"); ROWS]);
    let mut indices = [[0; 4]; ROWS];
    for i in 0..ROWS {
        keys[i] = secret(i as u8 / 30).public_key().to_bytes();
        indices[i] = (i as u32).to_ne_bytes();
    }
    (keys[9][0], indices[11]) = (7, (1u32 << 31).to_ne_bytes());
    let mut call = empty(ROWS_DERIVE_CHILDREN);
    call.rows = ROWS;
    let mut memory = room(&call);
    call.inputs[..3].copy_from_slice(&[column(&keys), column(&codes), column(&indices)]);
    (call.workspace, call.lines) = (memory.as_mut_ptr(), memory.len());
    for (flags, kind) in (0..).zip(PayloadKind::ALL) {
        let (mut verdicts, mut children) = ([9; ROWS], [[9; 129]; ROWS]);
        (call.flags, call.verdicts) = (flags, verdicts.as_mut_ptr());
        call.outputs[0] = Output { data: children.as_mut_ptr().cast(), stride: 129, width: 129 };
        assert_eq!(many(&call), 0);
        for i in 0..ROWS {
            let child = PublicKey::from_bytes(&keys[i])
                .and_then(|key| Parent::new(key, &codes[i]).child(u32::from_ne_bytes(indices[i]), kind));
            assert_eq!(verdicts[i], child.map_or_else(Verdict::from, |_| Verdict::Valid) as u8, "row {i}");
            let expected = child.map_or([9; 129], |child| {
                let payload = child.payload.as_bytes();
                let zeros = &[0; 32][payload.len()..];
                let parts = [&child.public_key.to_bytes_uncompressed()[..], &child.chain_code, payload, zeros];
                parts.concat().try_into().unwrap()
            });
            assert_eq!(children[i], expected, "row {i}");
        }
    }
    let (mut verdicts, mut children) = ([9; ROWS], [[9; 129]; ROWS]);
    call.verdicts = verdicts.as_mut_ptr();
    call.outputs[0].data = children.as_mut_ptr().cast();
    for change in [
        |call: &mut Call| call.flags = 4,
        |call: &mut Call| call.inputs[0].width = 34,
        |call: &mut Call| call.inputs[2].width = 3,
        |call: &mut Call| call.outputs[0].width = 128,
        |call: &mut Call| call.lines -= 1,
    ] {
        let mut wrong = call;
        change(&mut wrong);
        assert_eq!(many(&wrong), MISUSED);
        assert!(wrong.outputs[0].width == 128 || verdicts == [Verdict::InvalidSignature as u8; ROWS]);
    }
}

#[test]
fn scans_are_the_librarys() {
    const ROWS: usize = 150;
    let (scan, spend) = (secret(1), [secret(2).public_key(), secret(3).public_key()]);
    let (mut points, mut keys, mut offsets) = ([[0; 64]; ROWS], Vec::new(), vec![0u64]);
    for (i, stored) in points.iter_mut().enumerate() {
        let point = secret(i as u8 + 10).public_key();
        let full = point.to_bytes_uncompressed();
        stored[..32].copy_from_slice(&full[1..33]);
        stored[32..].copy_from_slice(&full[33..]);
        stored.chunks_mut(32).for_each(<[u8]>::reverse);
        keys.extend((0..i % 3).map(|j| sha256(&[i as u8, j as u8])));
        if i % 4 == 1 {
            let shared = point.tweak_mul(&scan.to_bytes()).unwrap().to_bytes();
            let tweak = output_tweak(&shared, 0).unwrap();
            let mut found = [0; 32];
            let k = 0u32.to_ne_bytes();
            assert_eq!(single(SILENT_TWEAK, &[&stored[..], &scan.to_bytes(), &k], &mut found), Verdict::Valid as u32);
            assert_eq!(found, tweak.to_bytes());
            keys.push(spend[i / 4 % 2].tweak_add(&found).unwrap().x_only().0.to_bytes());
        }
        offsets.push(keys.len() as u64);
    }
    points[100] = [9; 64];
    let prefixes: Vec<i64> = keys.iter().map(|key| i64::from_be_bytes(key[..8].try_into().unwrap())).collect();
    let row = |i: usize| Row {
        tweak_point: &points[i],
        outputs: Outputs::Keys(&keys[offsets[i] as usize..offsets[i + 1] as usize]),
    };
    let rows: Vec<_> = (0..ROWS).map(row).collect();
    let expected = Bulk::new().find_silent_payments(&[&Receiver::new(&scan, &spend)], &rows);
    assert_eq!((expected.payments.len(), expected.bad_points), (38, vec![100]));

    let (scan_bytes, spend_keys) = (scan.to_bytes(), spend.map(|key| key.to_bytes_uncompressed()));
    let mut call = empty(ROWS_SILENT);
    call.rows = ROWS;
    call.inputs[0] = column(&points);
    call.inputs[2] = Input { data: offsets.as_ptr().cast(), stride: 8, width: 8 * offsets.len() };
    call.inputs[3] = input(&scan_bytes);
    call.inputs[4] = input(spend_keys.as_flattened());
    let mut memory = room(&call);
    (call.workspace, call.lines) = (memory.as_mut_ptr(), memory.len());
    let (mut verdicts, mut found);
    for (data, stride) in [(keys.as_ptr().cast::<u8>(), 32), (prefixes.as_ptr().cast(), 8)] {
        (verdicts, found) = ([9u8; ROWS], [[9u8; 1]; ROWS]);
        call.verdicts = verdicts.as_mut_ptr();
        call.outputs[0] = Output { data: found.as_mut_ptr().cast(), stride: 1, width: 1 };
        call.inputs[1] = Input { data, stride, width: stride * keys.len() };
        assert_eq!(many(&call), 0);
        let paying: Vec<_> = (0..ROWS).filter(|i| found[*i] == [1]).map(|i| (i, 0)).collect();
        assert_eq!(paying, expected.payments);
        let verdict = |i| if i == 100 { Verdict::BadPublicKey } else { Verdict::Valid } as u8;
        assert!((0..ROWS).all(|i| found[i][0] < 2 && verdicts[i] == verdict(i)));
    }
    for change in [
        |call: &mut Call| call.inputs[0].width = 32,
        |call: &mut Call| call.inputs[1].stride = 16,
        |call: &mut Call| call.inputs[1].width -= 8,
        |call: &mut Call| call.inputs[2].width -= 8,
        |call: &mut Call| call.inputs[4].width -= 1,
        |call: &mut Call| call.inputs[4].data = call.inputs[2].data,
        |call: &mut Call| call.outputs[0].width = 2,
        |call: &mut Call| call.lines -= 1,
    ] {
        let mut wrong = call;
        change(&mut wrong);
        assert_eq!(many(&wrong), MISUSED);
    }
    // No scan secret, as where it has been wiped.
    (found, verdicts) = ([[0; 1]; ROWS], [9; ROWS]);
    call.verdicts = verdicts.as_mut_ptr();
    call.outputs[0].data = found.as_mut_ptr().cast();
    let zeros = [0; 32];
    call.inputs[3] = input(&zeros);
    assert_eq!(many(&call), 0);
    assert_eq!((found, verdicts), ([[0; 1]; ROWS], [Verdict::MalformedRow as u8; ROWS]));
    // Offsets that fall.
    call.inputs[3] = input(&scan_bytes);
    offsets.swap(3, 5);
    call.inputs[2].data = offsets.as_ptr().cast();
    assert_eq!(many(&call), MISUSED);
}

#[test]
fn tweaks_are_the_librarys() {
    let (scan, mut found) = (secret(7), [0; 32]);
    for label in [0, 1, 77, u32::MAX] {
        assert_eq!(single(SILENT_LABEL, &[&scan.to_bytes(), &label.to_ne_bytes()], &mut found), Verdict::Valid as u32);
        assert_eq!(found, label_tweak(&scan, label).unwrap().to_bytes());
    }
    let point = secret(8).public_key();
    let shared = point.tweak_mul(&scan.to_bytes()).unwrap().to_bytes();
    for k in [0, 5, 2322] {
        let (bytes, number) = (point.to_bytes(), u32::to_ne_bytes(k));
        assert_eq!(single(SILENT_TWEAK, &[&bytes, &scan.to_bytes(), &number], &mut found), Verdict::Valid as u32);
        assert_eq!(found, output_tweak(&shared, k).unwrap().to_bytes());
        let bad = Verdict::BadPublicKey as u32;
        assert_eq!(single(SILENT_TWEAK, &[&bytes[1..], &scan.to_bytes(), &number], &mut found), bad);
        assert_eq!(single(SILENT_TWEAK, &[&bytes, &[0; 32], &number], &mut found), Verdict::MalformedRow as u32);
        assert_eq!(single(SILENT_TWEAK, &[&bytes, &scan.to_bytes(), &number[1..]], &mut found), MISUSED);
    }
}
