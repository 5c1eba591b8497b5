//! What is found out before anything is timed: that both results are equal, and what each row takes from the heap.

use crate::{
    Failure,
    inputs::Generator,
    library::{Library, Running},
};
use lab_abi::{Op, Request};

/// Runs a library over all rows of ECDSA signing and has `judge` verify each of its signatures, with the lower s where it
/// `wants_low_s`.
pub(super) fn check_signatures(
    job: &mut dyn Running,
    rows: &[u8],
    judge: &dyn Library,
    wants_low_s: bool,
    name: &str,
) -> Result<(), Failure> {
    job.run(0..rows.len() / Op::SignEcdsa.row_bytes(), 1).map_err(Failure::Broken)?;
    let signatures = job.output().map_err(Failure::Broken)?;
    let hold = Generator::new(judge, 0).signatures_hold(rows, &signatures, wants_low_s);
    if hold.map_err(Failure::Broken)? {
        return Ok(());
    }
    Err(Failure::Broken(format!("a signature of {name} does not hold")))
}

/// The results of all rows.
pub(super) fn results(job: &mut dyn Running, request: &Request) -> Result<Vec<u8>, Failure> {
    job.run(0..request.rows, 1).map_err(Failure::Broken)?;
    job.output().map_err(Failure::Broken)
}

/// Refuses results that differ, or that are none.
pub(super) fn same(results: [&[u8]; 2], request: &Request, names: [&str; 2]) -> Result<(), Failure> {
    if results[0] == results[1] && !results[0].is_empty() {
        return Ok(());
    }
    let width = request.op.result_bytes();
    let differ = |(left, right)| left != right;
    let first = results[0].chunks(width).zip(results[1].chunks(width)).position(differ);
    let place = first.map_or("their numbers of results".to_owned(), |row| format!("result {row}"));
    Err(Failure::Broken(format!("{} and {} differ in {place} of {}", names[0], names[1], request.op.name())))
}

/// The bytes and allocations that each row takes from the heap, of one run over all rows that nobody times. They have
/// run before, so that what a library makes once is not in it.
pub(super) fn count(job: &mut dyn Running, request: &Request) -> Result<[Option<f64>; 2], Failure> {
    let each = |number: u64| number as f64 / request.rows as f64;
    let heap = job.count(0..request.rows).map_err(Failure::Broken)?;
    Ok([heap.map(|heap| each(heap.bytes)), heap.map(|heap| each(heap.allocations))])
}
