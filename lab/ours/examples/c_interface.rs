//! The rate of bulk verification by C's interface beside that of Rust's, in one process, by turns.
//!
//! ```text
//! cargo build --release -p phalanx-capi
//! cargo run --release --manifest-path lab/ours/Cargo.toml --example c_interface -- [LIBRARY [ROWS [THREADS]]]
//! ```
// The library is loaded as a C program would load it.
#![allow(unsafe_code)]

use phalanx::{Bulk, LowS, PublicKeyRef, SecretKey, Verdict, ecdsa, hash};
use std::{
    ffi::{CString, c_char, c_int, c_void},
    mem::transmute,
    ptr::{null, null_mut},
    time::Instant,
};

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

#[repr(C)]
struct Column(*const u8, usize, usize);

#[repr(C)]
struct Options(*const c_char, usize, usize);

type New = unsafe extern "C" fn(*const Options, *mut *mut c_void) -> i32;
type Verify = unsafe extern "C" fn(
    *const c_void,
    *const Column,
    *const Column,
    *const Column,
    u32,
    *mut u8,
    usize,
    *const c_void,
) -> i32;

fn symbol(library: *mut c_void, name: &str) -> *mut c_void {
    let name = CString::new(name).expect("a name without zeros");
    // SAFETY: an open library, and text that ends with a zero.
    let found = unsafe { dlsym(library, name.as_ptr()) };
    assert!(!found.is_null(), "{name:?} is not in the library");
    found
}

const TURNS: usize = 11;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "target/release/libphalanx.so".into());
    let rows: usize = arguments.next().map_or(100_000, |rows| rows.parse().expect("a number of rows"));
    let threads: usize = arguments.next().map_or(1, |threads| threads.parse().expect("a number of threads"));

    let file = CString::new(path.as_str()).expect("a path without zeros");
    // SAFETY: text that ends with a zero; 2 is RTLD_NOW.
    let opened = unsafe { dlopen(file.as_ptr(), 2) };
    assert!(!opened.is_null(), "{path} cannot be loaded");
    // SAFETY: the functions' types are those of the header.
    let (new, verify) = unsafe {
        (
            transmute::<*mut c_void, New>(symbol(opened, "phalanx_bulk_new")),
            transmute::<*mut c_void, Verify>(symbol(opened, "phalanx_verify_ecdsa")),
        )
    };

    let bulk = Bulk::builder().threads(threads).build().expect("threads");
    let secrets: Vec<_> = (1..=rows as u64)
        .map(|i| SecretKey::from_bytes(&hash::sha256(&i.to_be_bytes())).expect("below the order"))
        .collect();
    let digests: Vec<_> = (0..rows as u64).map(|i| hash::sha256(&i.to_le_bytes())).collect();
    let keys: Vec<_> = bulk.public_keys(&secrets).iter().map(|key| key.to_bytes()).collect();
    let signatures = bulk.sign_ecdsa(&digests, &secrets).expect("slices of one length");
    let signatures: Vec<_> = signatures.iter().map(|signature| signature.to_compact()).collect();

    let mut handle = null_mut();
    // SAFETY: good pointers.
    assert_eq!(unsafe { new(&Options(null(), threads, 0), &raw mut handle) }, 0);
    let column = |bytes: &[u8], width: usize| Column(bytes.as_ptr(), width, width);
    let columns =
        [column(digests.as_flattened(), 32), column(signatures.as_flattened(), 64), column(keys.as_flattened(), 33)];
    let mut verdicts = vec![255u8; rows];
    let mut by_c = || {
        let begin = Instant::now();
        let [digests, signatures, keys] = &columns;
        // SAFETY: good pointers, for so many rows.
        let status = unsafe { verify(handle, digests, signatures, keys, 0, verdicts.as_mut_ptr(), rows, null()) };
        let took = begin.elapsed().as_secs_f64();
        assert!(status == 0 && verdicts.iter().all(|verdict| *verdict == 0));
        took
    };
    let rust_rows: Vec<_> = (0..rows)
        .map(|i| ecdsa::Row {
            digest: &digests[i],
            signature: ecdsa::SignatureRef::Compact(&signatures[i]),
            public_key: PublicKeyRef::Encoded(&keys[i]),
        })
        .collect();
    let by_rust = || {
        let begin = Instant::now();
        let verdicts = bulk.verify_ecdsa(&rust_rows, LowS::Require);
        let took = begin.elapsed().as_secs_f64();
        assert!(verdicts.iter().all(|verdict| *verdict == Verdict::Valid));
        took
    };

    by_c();
    by_rust();
    let (mut ratios, mut times) = (Vec::new(), [Vec::new(), Vec::new()]);
    for turn in 0..TURNS {
        let (c, rust) = if turn % 2 == 0 {
            let c = by_c();
            (c, by_rust())
        } else {
            let rust = by_rust();
            (by_c(), rust)
        };
        times[0].push(c);
        times[1].push(rust);
        ratios.push(rust / c);
    }
    let median = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let [c, rust] = times.each_mut().map(median);
    println!("{rows} rows, {} on {threads} threads, {TURNS} turns, medians", bulk.backend());
    println!("C    {:>9.0} rows a second", rows as f64 / c);
    println!("Rust {:>9.0} rows a second", rows as f64 / rust);
    println!("C's rate is {:.1}% of Rust's", 100.0 * median(&mut ratios));
}
