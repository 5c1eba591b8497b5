//! Calls of `libphalanx`, which a child loads as a program does.
#![allow(unsafe_code)]

use crate::{
    live::{Live, wipe},
    silent::paid,
};
use libloading::Library;
use phalanx::ellswift::ElligatorSwift;
use phalanx_silent::Scanner;
use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    hint::black_box,
    mem::ManuallyDrop,
    path::{Path, PathBuf},
    process::Command,
    ptr,
};

/// How the names of operations of this file begin.
pub(crate) const PREFIX: &str = "c_";

/// `phalanx_column` and `phalanx_output`.
#[repr(C)]
struct Column {
    data: *const u8,
    stride: usize,
    width: usize,
}

/// `phalanx_options`.
#[repr(C)]
struct Options {
    backend: *const u8,
    threads: usize,
    key_table_bytes: usize,
}

/// `phalanx_call`.
#[repr(C)]
struct Call {
    workspace: *mut c_void,
    workspace_bytes: usize,
    progress: Option<extern "C" fn(*mut c_void, usize, usize) -> c_int>,
    user: *mut c_void,
    rows_per_step: usize,
}

type New = unsafe extern "C" fn(*const Options, *mut *mut c_void) -> i32;
type Bytes = unsafe extern "C" fn(*const c_void, u32, usize, *mut usize) -> i32;

fn column<const N: usize>(values: &[[u8; N]]) -> Column {
    Column { data: values.as_ptr().cast(), stride: N, width: N }
}

fn output<const N: usize>(values: &mut [[u8; N]]) -> Column {
    Column { data: values.as_mut_ptr().cast_const().cast(), stride: N, width: N }
}

/// The folder of the profile of this test, and the profile.
fn folder() -> (PathBuf, String) {
    let program = std::env::current_exe().expect("a program knows its file");
    let folder = program.ancestors().nth(2).expect("it is in target/PROFILE/deps").to_owned();
    let profile = folder.file_name().expect("a profile").to_string_lossy().into_owned();
    (folder, if profile == "debug" { "dev".into() } else { profile })
}

/// Builds the library as the crate's own test does, which leaves nothing to build where that has run.
pub(crate) fn build() {
    let (folder, profile) = folder();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/c/Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--lib", "--manifest-path"]).arg(manifest);
    cargo.args(["--profile", &profile, "--target-dir"]).arg(folder.parent().expect("the target folder"));
    assert!(cargo.status().expect("cargo runs").success(), "libphalanx is not built");
}

/// The functions that are called, each with the number of columns and outputs that it takes.
const FUNCTIONS: [(&str, usize); 5] = [
    ("phalanx_public_keys", 2),
    ("phalanx_sign_ecdsa", 4),
    ("phalanx_sign_schnorr", 4),
    ("phalanx_shared_secrets", 3),
    ("phalanx_tweak_add_public", 3),
];

/// The functions that are called on single values, and what their answers need.
const SINGLES: [&str; 7] = [
    "phalanx_ellswift_create",
    "phalanx_ellswift_xdh",
    "phalanx_musig_secret_nonce_new",
    "phalanx_musig_keys_new",
    "phalanx_musig_aggregate_nonce",
    "phalanx_musig_session_new",
    "phalanx_musig_partial_sign",
];

/// A function of rows or of single values: it takes words, of which it reads as many as it has parameters.
type Function = unsafe extern "C" fn(usize, usize, usize, usize, usize, usize, usize, usize) -> i32;

type NewScanner = unsafe extern "C" fn(*const u8, *const u8, *const Column, usize, *mut *mut c_void) -> i32;
type FreeScanner = unsafe extern "C" fn(*mut c_void);
type Scan = unsafe extern "C" fn(
    *const c_void,
    *const *mut c_void,
    usize,
    *const Column,
    *const Column,
    usize,
    *const Column,
    *mut u64,
    usize,
    *mut usize,
    *mut u8,
    usize,
) -> i32;

/// A handle of as many threads as the case has, and the functions. Nothing of it is freed: the threads stay.
#[derive(Clone, Copy)]
struct Handle {
    functions: [Function; FUNCTIONS.len()],
    singles: [Function; SINGLES.len()],
    scanners: (NewScanner, Scan, FreeScanner),
    bulk: *mut c_void,
    workspace: (*mut c_void, usize),
}

thread_local! {
    static HANDLE: Cell<Option<Handle>> = const { Cell::new(None) };
}

/// Loads the library and makes a handle and a workspace, so that the operation has nothing to do but to call.
#[inline(never)]
pub(crate) fn prepare(live: &Live) {
    // SAFETY: the library runs nothing when it is loaded.
    let library = unsafe { Library::new(folder().0.join("libphalanx.so")) }.expect("a library that was built");
    let library = ManuallyDrop::new(library);
    let options = Options { backend: ptr::null(), threads: live.bulk.threads(), key_table_bytes: 0 };
    let (mut bulk, mut bytes) = (ptr::null_mut(), 0);
    // SAFETY: the functions of the header, with structures and places of their own. 0 stands for operations on rows.
    let (functions, singles, scanners) = unsafe {
        assert_eq!(library.get::<New>("phalanx_bulk_new").expect("a function")(&options, &mut bulk), 0);
        let needed = library.get::<Bytes>("phalanx_workspace_bytes").expect("a function");
        assert_eq!(needed(bulk, 0, live.keys.len(), &mut bytes), 0);
        let function = |name: &str| *library.get::<Function>(name).expect("a function");
        let scanners = (
            *library.get::<NewScanner>("phalanx_scanner_new").expect("a function"),
            *library.get::<Scan>("phalanx_scan_silent_payments").expect("a function"),
            *library.get::<FreeScanner>("phalanx_scanner_free").expect("a function"),
        );
        (FUNCTIONS.map(|(name, _)| function(name)), SINGLES.map(function), scanners)
    };
    let workspace = vec![0u8; bytes + 64].leak();
    let skipped = workspace.as_ptr().align_offset(64);
    let workspace = (workspace[skipped..].as_mut_ptr().cast(), bytes);
    HANDLE.set(Some(Handle { functions, singles, scanners, bulk, workspace }));
}

/// What a call is given, and its status.
fn call_by(live: &Live, function: usize, columns: &[&Column], call: &Call, expected: i32) {
    let Handle { functions, bulk, .. } = HANDLE.get().expect("a handle");
    let ((name, count), rows) = (FUNCTIONS[function], live.keys.len());
    assert_eq!(columns.len(), count);
    let mut verdicts = vec![9u8; rows];
    let mut words = [0usize; 8];
    words[0] = bulk.expose_provenance();
    for (word, column) in words[1..].iter_mut().zip(columns) {
        // A column of no width stands for NULL.
        *word = if column.width == 0 { 0 } else { ptr::from_ref(*column).expose_provenance() };
    }
    words[count + 1] = verdicts.as_mut_ptr().expose_provenance();
    words[count + 2] = rows;
    words[count + 3] = ptr::from_ref(call).expose_provenance();
    let [a, b, c, d, e, f, g, h] = words;
    // SAFETY: the function's arguments, in its order; the columns are good.
    let status = unsafe { functions[function](a, b, c, d, e, f, g, h) };
    assert_eq!(status, expected, "{name}");
    assert!(verdicts[..rows / 2].iter().all(|verdict| *verdict == 0), "{name}: {verdicts:?}");
}

/// A call of which nothing is chosen.
const PLAIN: Call =
    Call { workspace: ptr::null_mut(), workspace_bytes: 0, progress: None, user: ptr::null_mut(), rows_per_step: 0 };

pub(crate) fn public_keys(live: &Live) {
    let mut keys = vec![[0u8; 33]; live.keys.len()];
    call_by(live, 0, &[&column(&live.keys), &output(&mut keys)], &PLAIN, 0);
    black_box(&keys);
}

fn sign(live: &Live, call: &Call, with_ids: bool, status: i32) {
    let (mut signatures, mut ids) = (vec![[0u8; 64]; live.keys.len()], vec![[0u8; 1]; live.keys.len()]);
    let mut ids = output(&mut ids);
    if !with_ids {
        ids.width = 0;
    }
    let columns = [&column(&live.digests), &column(&live.keys), &output(&mut signatures), &ids];
    call_by(live, 1, &columns, call, status);
    black_box(&signatures);
}

pub(crate) fn sign_ecdsa<const WITH_IDS: bool>(live: &Live) {
    sign(live, &PLAIN, WITH_IDS, 0);
}

/// The workspace stays, to be searched.
pub(crate) fn sign_ecdsa_in_workspace(live: &Live) {
    let (workspace, workspace_bytes) = HANDLE.get().expect("a handle").workspace;
    sign(live, &Call { workspace, workspace_bytes, ..PLAIN }, false, 0);
}

extern "C" fn cancel(_: *mut c_void, done: usize, rows: usize) -> c_int {
    c_int::from(2 * done >= rows)
}

/// 8 stands for a call that was cancelled.
pub(crate) fn sign_ecdsa_cancelled(live: &Live) {
    let call = Call { progress: Some(cancel), rows_per_step: live.keys.len() / 2, ..PLAIN };
    sign(live, &call, false, 8);
}

pub(crate) fn sign_schnorr(live: &Live) {
    let mut signatures = vec![[0u8; 64]; live.keys.len()];
    let (digests, keys, aux) = (column(&live.digests), column(&live.keys), column(&live.aux));
    call_by(live, 2, &[&digests, &keys, &aux, &output(&mut signatures)], &PLAIN, 0);
    black_box(&signatures);
}

pub(crate) fn shared_secrets(live: &Live) {
    let publics: Vec<_> = live.publics.iter().map(|key| key.to_bytes()).collect();
    let mut shared = vec![[0u8; 32]; live.keys.len()];
    call_by(live, 3, &[&column(&publics), &column(&live.keys), &output(&mut shared)], &PLAIN, 0);
    wipe(shared.as_flattened_mut());
}

pub(crate) fn tweak_add_public(live: &Live) {
    let publics: Vec<_> = live.publics.iter().map(|key| key.to_bytes()).collect();
    let mut tweaked = vec![[0u8; 33]; live.keys.len()];
    call_by(live, 4, &[&column(&publics), &column(&live.tweaks), &output(&mut tweaked)], &PLAIN, 0);
    black_box(&tweaked);
}

/// A call on single values, which succeeds.
fn single<const N: usize>(function: usize, given: [usize; N]) {
    let mut words = [0usize; 8];
    words[..N].copy_from_slice(&given);
    let [a, b, c, d, e, f, g, h] = words;
    // SAFETY: the function's arguments, in its order; the pointers are good.
    let status = unsafe { HANDLE.get().expect("a handle").singles[function](a, b, c, d, e, f, g, h) };
    assert_eq!(status, 0, "{}", SINGLES[function]);
}

/// The address of what is read or written.
fn at<T>(value: &T) -> usize {
    ptr::from_ref(value).expose_provenance()
}

fn place<T>(value: &mut T) -> usize {
    ptr::from_mut(value).expose_provenance()
}

pub(crate) fn ellswift(live: &Live) {
    let (mut encoding, mut shared) = ([0u8; 64], [0u8; 32]);
    single(0, [at(&live.keys[0]), at(&live.aux[0]), place(&mut encoding)]);
    let theirs = ElligatorSwift::encode(&live.publics[0], &live.aux[0]).to_bytes();
    single(1, [at(&encoding), at(&theirs), at(&live.keys[0]), 0, place(&mut shared)]);
    wipe(&mut shared);
}

/// `phalanx_musig_nonce_inputs`.
#[repr(C)]
struct NonceInputs {
    secret_key: *const u8,
    aggregate_key: *const u8,
    message: *const u8,
    message_bytes: usize,
    extra: *const u8,
    extra_bytes: usize,
    randomness: *mut u8,
}

/// A nonce and a partial signature. The nonce is not freed: the call has wiped it.
pub(crate) fn musig_sign(live: &Live) {
    let keys = [live.pairs[0].public_key(), live.publics[0]].map(|key| key.to_bytes());
    let mut randomness = live.tweaks[0];
    let digest = &live.digests[0];
    let inputs = NonceInputs {
        secret_key: live.keys[0].as_ptr(),
        aggregate_key: digest.as_ptr(),
        message: digest.as_ptr(),
        message_bytes: 32,
        extra: b"extra".as_ptr(),
        extra_bytes: 5,
        randomness: randomness.as_mut_ptr(),
    };
    let mut nonces = [[0u8; 66], crate::musig::theirs().to_bytes()];
    let [mut nonce, mut all, mut session] = [ptr::null_mut::<c_void>(); 3];
    single(2, [at(&keys[0]), at(&inputs), place(&mut nonce), place(&mut nonces[0])]);
    let (mut verdicts, mut sum, mut aggregate, mut partial) = ([0u8; 2], [0u8; 66], [0u8; 33], [0u8; 32]);
    single(3, [at(&column(&keys)), place(&mut all), place(&mut aggregate), place(&mut verdicts), 2]);
    single(4, [at(&column(&nonces)), place(&mut sum), place(&mut verdicts), 2]);
    single(5, [all.expose_provenance(), at(&sum), at(digest), 32, place(&mut session)]);
    single(6, [session.expose_provenance(), nonce.expose_provenance(), at(&live.keys[0]), place(&mut partial)]);
    black_box(&partial);
}

/// The key as a scan secret that finds two outputs, one of them with a label.
pub(crate) fn scan_silent_payments(live: &Live) {
    /// The words of `phalanx_match`.
    const MATCH: usize = 13;
    let (point, keys) = paid(&Scanner::new(&live.secrets[0], live.publics[0], [1]).expect("good labels"));
    let (point, spend) = ([<[u8; 33]>::try_from(point).expect("33 bytes")], live.publics[0].to_bytes());
    let (labels, offsets) = ([1u32.to_ne_bytes()], [0u32, keys.len() as u32].map(u32::to_ne_bytes));
    let Handle { scanners: (new, scan, free), bulk, .. } = HANDLE.get().expect("a handle");
    let (mut scanner, mut found, mut verdict) = (ptr::null_mut(), 0, 9u8);
    let mut matches = [0u64; 2 * MATCH];
    // SAFETY: the functions of the header, with columns and places of their own.
    unsafe {
        assert_eq!(new(live.keys[0].as_ptr(), spend.as_ptr(), &column(&labels), 1, &mut scanner), 0);
        let (points, outputs, offsets) = (column(&point), column(&keys), column(&offsets));
        let (count, room) = (keys.len(), matches.as_mut_ptr());
        let status = scan(bulk, &scanner, 1, &points, &outputs, count, &offsets, room, 2, &mut found, &mut verdict, 1);
        assert_eq!((status, found, verdict), (0, 2, 0));
        free(scanner);
    }
    assert_eq!(matches[MATCH..][..2], [0, 0], "the row and the receiver of the second match");
    matches.fill(0);
    black_box(&matches);
}
