//! Silent payments of Bitcoin: receivers, and scans of many transactions for them.
#![allow(unsafe_code)]

use crate::{
    ffi::{Given, check_pointer, guard, release, value},
    handle::phalanx_bulk,
    status::{
        PHALANX_BAD_ARGUMENT, PHALANX_BAD_POINT, PHALANX_BAD_SCALAR, PHALANX_CAPACITY_TOO_SMALL, PHALANX_NULL_POINTER,
    },
    types::{PHALANX_BAD_PUBLIC_KEY, PHALANX_UNDECIDED, PHALANX_VALID, phalanx_column, phalanx_output},
};
use core::{mem::offset_of, ptr};
use library::{
    PublicKey, SecretKey,
    bindings::{
        Stack,
        payments::{OutputLists, Outputs, Row},
    },
};
use phalanx_silent::{MAX_LABELS, Match, Scanner, scan};

/// A receiver of silent payments (BIP-352) who scans: scan secret, spend key, labels. Threads may share one. It takes
/// the scan secret to find payments, and spends none.
pub struct phalanx_scanner(Scanner);

/// An output that is a receiver's.
#[repr(C)]
pub struct phalanx_match {
    /// The number of the row.
    pub row: usize,
    /// The number of the receiver.
    pub scanner: usize,
    /// Which of the row's outputs, from 0.
    pub output: usize,
    /// Which of the receiver's outputs in the transaction, from 0.
    pub k: u32,
    /// The label that was paid to; 0 too where there is none.
    pub label: u32,
    /// 1 where a label was paid to, else 0. Label 0 is change.
    pub has_label: u8,
    /// The x of the output's key.
    pub key: [u8; 32],
    /// What spends the output: added to the spend secret, modulo the order of the group, it is the output's secret key.
    /// The program wipes it.
    pub tweak: [u8; 32],
}

/// Rows that are scanned at a time: a bound for the memory that lists of them take.
const ROWS_AT_ONCE: usize = 1 << 14;

/// Of the stack, after work on a scan secret.
type ScannerStack = Stack<{ 24 << 10 }>;

/// Of the stack, after tweaks were written.
type MatchStack = Stack<{ 4 << 10 }>;

/// Makes a receiver of a scan secret (32 bytes) and a spend key (33 bytes), with labels (4 bytes, a uint32_t; NULL for no
/// labels). Label 0 is always among them, and with it there are at most 100,000. Constant time in the scan secret. A scan
/// takes an addition for each label and row.
///
/// Writes NULL to `scanner` first. PHALANX_BAD_SCALAR, PHALANX_BAD_POINT, PHALANX_BAD_ARGUMENT for labels.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_scanner_new(
    scan_secret: *const u8,
    spend_key: *const u8,
    labels: *const phalanx_column,
    label_count: usize,
    scanner: *mut *mut phalanx_scanner,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let made = given.pointer(scanner);
        let (secret, spend) = (given.array::<32>(scan_secret), given.array::<33>(spend_key));
        let none = phalanx_column { data: ptr::null(), stride: 4, width: 4 };
        let labels = if labels.is_null() && label_count == 0 { &raw const none } else { labels };
        let labels = given.input(labels, label_count, &[4]);
        let checked = given.check()?;
        let (secret, spend) = secret.zip(spend).ok_or(PHALANX_NULL_POINTER)?;
        let labels = labels.column(&checked);
        if label_count > MAX_LABELS {
            return Err(PHALANX_BAD_ARGUMENT);
        }
        let spend = PublicKey::from_bytes(spend).map_err(|_| PHALANX_BAD_POINT)?;
        let scanner = ScannerStack::cleared(|| {
            let secret = SecretKey::from_bytes(secret).map_err(|_| PHALANX_BAD_SCALAR)?;
            let labels = (0..label_count).filter_map(|i| labels.get(i).try_into().map(u32::from_ne_bytes).ok());
            Scanner::new(&secret, spend, labels).map_err(|_| PHALANX_BAD_ARGUMENT)
        })?;
        made.set(Box::into_raw(Box::new(phalanx_scanner(scanner))), &checked);
        Ok(())
    })
}

/// Wipes and frees a receiver, whom no call uses any more. NULL is allowed.
///
/// # Safety
/// The receiver is NULL or one of phalanx_scanner_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_scanner_free(scanner: *mut phalanx_scanner) {
    // SAFETY: a box that `phalanx_scanner_new` gave away, as the caller promises.
    unsafe { release(scanner) };
}

/// Finds the outputs of receivers in transactions (BIP-352), of which an index has a row each: the tweak point, and the
/// taproot outputs. Writes matches, by row, receiver and k, to room for `capacity` of them, and their number to `found`.
/// A tweak point that is none makes its row PHALANX_BAD_PUBLIC_KEY; other rows are PHALANX_VALID, whether they pay or
/// not. Without receivers no row is read, and all are PHALANX_UNDECIDED.
///
/// Reads: tweak_points (33 or 65 bytes of SEC 1; 64 bytes as libsecp256k1 keeps a point), outputs of all rows one behind
/// the other (their keys of 32 bytes; or the first eight bytes of each as an int64_t, aligned, of which the highest byte
/// is the first one), offsets (4 or 8 bytes, a uint32_t or uint64_t; none for no rows). There is an offset more than
/// there are rows, and the outputs of row i are those from its offset to the next one. By prefixes a match is as sure as
/// eight bytes.
///
/// Writes 0 to `found` first. PHALANX_BAD_ARGUMENT for offsets that fall, or are more than `output_count`.
/// PHALANX_CAPACITY_TOO_SMALL for more matches than there is room for: then `found` is their number, verdicts are
/// undecided, and no match is written. For progress, scan some of the rows at a time. Allocates memory. Constant time in
/// scan secrets, shared points and tweaks; time may tell which rows pay.
///
/// # Safety
/// The pointers are NULL or good for the rows, and the receivers too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_scan_silent_payments(
    bulk: *const phalanx_bulk,
    scanners: *const *const phalanx_scanner,
    scanner_count: usize,
    tweak_points: *const phalanx_column,
    outputs: *const phalanx_column,
    output_count: usize,
    offsets: *const phalanx_column,
    matches: *mut phalanx_match,
    capacity: usize,
    found: *mut usize,
    out: *mut u8,
    rows: usize,
) -> i32 {
    const WIDTH: usize = size_of::<*const phalanx_scanner>();
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let verdicts = given.verdicts(out, rows);
        let found = given.number(found);
        let handle = given.value(bulk);
        let scanners = phalanx_column { data: scanners.cast(), stride: WIDTH, width: WIDTH };
        let scanners = given.input(&raw const scanners, scanner_count, &[WIDTH]);
        let points = given.input(tweak_points, rows, &[33, 64, 65]);
        let outputs = given.input(outputs, output_count, &[8, 32]);
        let offsets = given.input(offsets, if rows == 0 { 0 } else { rows.saturating_add(1) }, &[4, 8]);
        if capacity > 0 {
            given.note(check_pointer(matches));
        }
        let room = phalanx_output { data: matches.cast(), stride: MATCH, width: MATCH };
        let room = given.output(&raw const room, capacity, &[MATCH]);
        let checked = given.check()?;
        let (verdicts, mut found, mut room) = (verdicts.bytes(&checked), found.writer(&checked), room.writer(&checked));
        let bulk = &handle.ok_or(PHALANX_NULL_POINTER)?.bulk;
        // SAFETY: each is NULL or good, as the caller promises.
        let receiver = |scanner: &*const phalanx_scanner| unsafe { value(*scanner) }.map(|scanner| &scanner.0);
        let scanners: Vec<_> = scanners.values(&checked)?.iter().map(receiver).collect::<Result<_, i32>>()?;
        let all = match outputs.width() {
            8 => Outputs::Prefixes(outputs.values(&checked)?),
            _ => Outputs::Keys(outputs.values(&checked)?),
        };
        let lists = OutputLists::new(all, offsets.column(&checked)).map_err(|_| PHALANX_BAD_ARGUMENT)?;
        if scanners.is_empty() {
            return Ok(());
        }
        let points = points.column(&checked);
        let row = |row: usize| Row { tweak_point: points.get(row), outputs: lists.get(row) };
        let mut matches = Vec::new();
        for (first, verdicts) in (0..rows).step_by(ROWS_AT_ONCE).zip(verdicts.chunks_mut(ROWS_AT_ONCE)) {
            let some: Vec<_> = (first..first + verdicts.len()).map(row).collect();
            let scanned = scan(bulk, &scanners, &some);
            verdicts.fill(PHALANX_VALID);
            scanned.bad_points.iter().for_each(|row| verdicts[*row] = PHALANX_BAD_PUBLIC_KEY);
            matches.extend(scanned.matches.into_iter().map(|found| Match { row: first + found.row, ..found }));
        }
        found.write(0, &matches.len().to_ne_bytes());
        if matches.len() > capacity {
            verdicts.fill(PHALANX_UNDECIDED);
            return Err(PHALANX_CAPACITY_TOO_SMALL);
        }
        MatchStack::cleared(|| matches.iter().enumerate().for_each(|(i, found)| room.write(i, &bytes_of(found))));
        Ok(())
    })
}

const MATCH: usize = size_of::<phalanx_match>();

/// A match as C has it, with zeros between its members.
fn bytes_of(found: &Match) -> [u8; MATCH] {
    let mut bytes = [0; MATCH];
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(offset_of!(phalanx_match, row), &found.row.to_ne_bytes());
    put(offset_of!(phalanx_match, scanner), &found.scanner.to_ne_bytes());
    put(offset_of!(phalanx_match, output), &found.output.to_ne_bytes());
    put(offset_of!(phalanx_match, k), &found.k.to_ne_bytes());
    put(offset_of!(phalanx_match, label), &found.label.unwrap_or(0).to_ne_bytes());
    put(offset_of!(phalanx_match, has_label), &[found.label.is_some().into()]);
    put(offset_of!(phalanx_match, key), &found.key);
    put(offset_of!(phalanx_match, tweak), &found.tweak.to_bytes());
    bytes
}
