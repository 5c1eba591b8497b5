//! Calls give the library's answers.
#![allow(unsafe_code)]

#[path = "../../../bindings/go-image/tests/calls/mod.rs"]
mod calls;

use calls::{empty, input, lines_of, output};
use phalanx_banderwagon::{Basis, Commit, Element, Obvious, Scalar, Term};
use phalanx_engine::word::CacheLine;
use phalanx_go_commitments::{operation::*, phalanx_go_commitments, phalanx_go_element};
use phalanx_go_image::{
    call::{Call, Input, MISUSED, Output},
    vectors::TERM,
};

fn element(operation: u32, inputs: &[&[u8]], place: &mut [u8]) -> u32 {
    let mut call = empty(operation);
    call.inputs.iter_mut().zip(inputs).for_each(|(place, bytes)| *place = input(bytes));
    call.outputs[0] = output(place);
    // SAFETY: all pointers are those of slices.
    unsafe { phalanx_go_element(&raw const call) }
}

fn many(call: &Call) -> u32 {
    // SAFETY: the pointers of all calls here are null or those of slices that live longer, and any CPU is portable.
    unsafe { phalanx_go_commitments(call) }
}

fn of_bytes(bytes: &[u8]) -> Element {
    let word = |i: usize| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap());
    Element::from_coordinates(&core::array::from_fn(|i| core::array::from_fn(|j| word(4 * i + j))))
}

#[test]
fn calls_on_one_element_are_the_librarys() {
    let (generator, mut two, mut other) = (Element::generator(), [0; ELEMENT], [0; ELEMENT]);
    let encoded = generator.double().to_bytes();
    assert_eq!(element(DECODE, &[&encoded], &mut two), 0);
    assert_eq!(of_bytes(&two), generator.double());
    assert_eq!(element(DECODE_UNCOMPRESSED, &[&generator.to_uncompressed()], &mut other), 0);
    let (mut sum, zero) = ([0; ELEMENT], [0; ELEMENT]);
    assert_eq!(element(ADD, &[&two, &other], &mut sum), 0);
    assert_eq!(of_bytes(&sum), generator.double() + generator);
    let scalar = Scalar::from(3u64).to_le_bytes();
    for operation in [MULTIPLY, MULTIPLY_VARTIME] {
        let mut product = [0; ELEMENT];
        assert_eq!(element(operation, &[&other, &scalar], &mut product), 0);
        assert_eq!(element(EQUAL, &[&sum, &product], &mut []), 1);
        assert_eq!(element(operation, &[&other, &[0xff; 32]], &mut product), NOT_A_SCALAR);
    }
    assert_eq!(element(SUBTRACT, &[&zero, &zero], &mut sum), 0);
    assert_eq!(element(EQUAL, &[&sum, &zero], &mut []), 1);
    assert_eq!(element(EQUAL, &[&two, &zero], &mut []), 0);
    let mut uncompressed = [0; 64];
    assert_eq!(element(ENCODE_UNCOMPRESSED, &[&two], &mut uncompressed), 0);
    assert_eq!(uncompressed, generator.double().to_uncompressed());
    assert_eq!(element(DECODE, &[&[0xff; 32]], &mut two), NOT_CANONICAL);
    assert_eq!(element(NOTHING, &[], &mut []), size_of::<Call>() as u32);
    for operation in (1..31).chain([LINES, ENCODE, COMMIT, PART_LINE, 1 << 31]) {
        assert_eq!(element(operation, &[], &mut []), MISUSED, "operation {operation}");
    }
    for operation in ENCODE..=PART_LINE {
        let mut call = empty(operation);
        call.rows = 3;
        assert_eq!(many(&call), MISUSED, "operation {operation}");
    }
}

#[test]
fn commitments_are_the_librarys() {
    const BITS: u32 = 5;
    let basis = Basis::draw(b"a basis", 20);
    let elements: Vec<[[u64; 4]; 4]> = basis.elements().iter().map(Element::to_coordinates).collect();
    let elements = Input { data: elements.as_ptr().cast(), stride: ELEMENT, width: ELEMENT };
    let over = |operation| {
        let mut call = empty(operation);
        (call.flags, call.inputs[0].stride) = (BITS, basis.len());
        call
    };
    let mut rows = vec![CacheLine([9; 8]); basis.len()];
    let mut call = empty(BASIS);
    (call.rows, call.inputs[0]) = (basis.len(), elements);
    let (data, width) = lines_of(&mut rows);
    call.outputs[0] = Output { data, stride: 64, width };
    assert_eq!(many(&call), 0);
    assert!(rows.iter().zip(basis.rows()).all(|(row, expected)| row.0 == expected.0));

    let mut tables = vec![CacheLine([9; 8]); many(&over(TABLE_LINES)) as usize];
    let parts = many(&over(PARTS));
    assert_eq!(parts, 2);
    let mut lines = over(LINES);
    lines.rows = BUILD as usize;
    let mut memory = vec![CacheLine([7; 8]); many(&lines) as usize];
    for part in 0..parts as usize {
        let mut place = over(PART_LINE);
        place.rows = part;
        let first = many(&place) as usize;
        place.rows += 1;
        let end = many(&place) as usize;
        let mut call = over(BUILD);
        call.rows = part;
        (call.inputs[0].data, call.inputs[0].width) = (rows.as_ptr().cast(), size_of_val(&rows[..]));
        let (data, width) = lines_of(&mut tables[first..end]);
        call.outputs[0] = Output { data, stride: 64, width };
        // What the largest part takes, which is the first one.
        (call.workspace, call.lines) = (memory.as_mut_ptr(), memory.len() - 1);
        assert_eq!(many(&call), if part == 0 { MISUSED } else { 0 });
        call.lines += 1;
        assert_eq!(many(&call), 0);
    }

    let vectors: Vec<Vec<Term>> = (0..70usize)
        .map(|i| {
            let term = |j: usize| Term { position: (j * 7 + i) % 20, scalar: -Scalar::from((i * 100 + j) as u64) };
            (0..i % 23).map(term).collect()
        })
        .collect();
    let words: Vec<[u64; 5]> = vectors
        .iter()
        .flatten()
        .map(|term| {
            let [a, b, c, d] = term.scalar.limbs();
            [term.position as u64, a, b, c, d]
        })
        .collect();
    let mut ends: Vec<u64> = vectors.iter().map(|vector| vector.len() as u64).collect();
    (1..ends.len()).for_each(|i| ends[i] += ends[i - 1]);
    let offset = Element::generator().to_coordinates();
    let (mut sums, mut scalars) = (vec![[0u8; ELEMENT]; vectors.len()], vec![[0u8; 32]; vectors.len()]);
    let mut lines = over(LINES);
    (lines.rows, lines.flags) = (COMMIT as usize, BITS | (vectors.len() as u32) << 10);
    (lines.inputs[1].width, lines.inputs[1].stride) = (words.len() * TERM, 22);
    let mut memory = vec![CacheLine([7; 8]); many(&lines) as usize];
    let mut call = over(COMMIT);
    call.rows = vectors.len();
    (call.inputs[0].data, call.inputs[0].width) = (tables.as_ptr().cast(), size_of_val(&tables[..]));
    call.inputs[1] = Input { data: words.as_ptr().cast(), stride: TERM, width: words.len() * TERM };
    call.inputs[2] = Input { data: ends.as_ptr().cast(), stride: 8, width: ends.len() * 8 };
    call.inputs[3] = Input { data: offset.as_ptr().cast(), stride: 0, width: ELEMENT };
    call.outputs[0] = Output { data: sums.as_mut_ptr().cast(), stride: ELEMENT, width: ELEMENT };
    call.outputs[1] = Output { data: scalars.as_mut_ptr().cast(), stride: 32, width: 32 };
    (call.workspace, call.lines) = (memory.as_mut_ptr(), memory.len() - 1);
    assert_eq!(many(&call), MISUSED);
    call.lines += 1;
    assert_eq!(many(&call), 0);
    for (i, vector) in vectors.iter().enumerate() {
        let expected = Obvious(&basis).commit_sparse_vartime(vector) + Element::generator();
        assert_eq!(of_bytes(&sums[i]), expected, "vector {i}");
        assert_eq!(scalars[i], expected.map_to_scalar_field().to_le_bytes(), "vector {i}");
    }
    // The same elements, encoded and mapped.
    let mut encoded = vec![[0u8; 32]; vectors.len()];
    for (operation, expected) in [(ENCODE, None), (MAP, Some(&scalars))] {
        let mut call = empty(operation);
        call.rows = sums.len();
        call.inputs[0] = Input { data: sums.as_ptr().cast(), stride: ELEMENT, width: ELEMENT };
        call.outputs[0] = Output { data: encoded.as_mut_ptr().cast(), stride: 32, width: 32 };
        assert_eq!(many(&call), 0);
        match expected {
            Some(expected) => assert_eq!(encoded, *expected),
            None => assert!(encoded.iter().zip(&sums).all(|(bytes, sum)| *bytes == of_bytes(sum).to_bytes())),
        }
    }
    // Ends that fall, positions that are none, and a table of another size.
    let kept = ends[40];
    ends[40] = 0;
    assert_eq!(many(&call), MISUSED);
    ends[40] = kept;
    call.inputs[0].width -= 64;
    assert_eq!(many(&call), MISUSED);
    call.inputs[0].width += 64;
    let mut beyond = words.clone();
    beyond[5][0] = 20;
    call.inputs[1].data = beyond.as_ptr().cast();
    assert_eq!(many(&call), MISUSED);
}
