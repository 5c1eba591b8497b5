//! The three steps of a measurement as Rust traits.

use crate::request::{Inputs, Request};
use std::ops::Range;

/// Why a library does not do what is asked: a short clause, for a person.
pub type Refusal = String;

/// What a library is, for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// Its version, as its users know it.
    pub version: String,
    /// Compilers and flags it was built with.
    pub flags: String,
}

/// A prepared job and what the library chose for it.
pub struct Prepared {
    /// The job.
    pub job: Box<dyn Job>,
    /// The name of the backend that will run.
    pub backend: String,
}

impl Prepared {
    /// A job of a library that has no backends to choose from.
    pub fn plain(job: impl Job + 'static) -> Self {
        Self::by("default", job)
    }

    /// A job by this backend.
    pub fn by(backend: impl Into<String>, job: impl Job + 'static) -> Self {
        Self { job: Box::new(job), backend: backend.into() }
    }
}

/// Rows ready to be computed.
pub trait Job {
    /// Computes these rows: the timed part. Group jobs are given whole groups.
    fn run(&mut self, rows: Range<usize>);

    /// The results of the last run over each row, in row order.
    fn output(&mut self) -> Vec<u8>;
}

/// A measured library.
pub trait Peer {
    /// Whether it can leave out a technique that a request names. One that cannot refuses such a request.
    const LEAVES_OUT: bool = false;
    /// Whether it takes parsed inputs of any operation. One that does not refuses such a request.
    const TAKES_PARSED: bool = false;
    /// Whether it draws the nonces of its signatures, so that they are verified and not compared.
    const DRAWS_NONCES: bool = false;
    /// Another curve that it computes on, by the standard's name. It then gets rows of that curve, made by itself.
    const OTHER_CURVE: Option<&'static str> = None;

    /// What it is.
    fn describe() -> Description;

    /// Prepares a job from `request.rows` input rows of `request.op.row_bytes()` bytes each. The rows are public test
    /// data and well-formed unless the operation's verdict is about form.
    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal>;
}

/// The refusal of an operation that the library does not offer, or not with parsed inputs.
pub fn not_offered(request: &Request) -> Refusal {
    let form = if request.inputs == Inputs::Parsed { " with parsed inputs" } else { "" };
    format!("does not offer {}{form}", request.op.name())
}
