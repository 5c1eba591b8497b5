//! A library in this process: a shared object with the functions of `lab_abi::export`.

use super::{Library, Running, description, value_of};
use core::{ffi::c_void, mem::ManuallyDrop, slice};
use lab_abi::{
    Clock, Description, Request,
    export::{Count, Describe, Drop as DropJob, Output, Prepare, Run},
    heap::Heap,
};
use rustix::time::{ClockId, clock_gettime};
use std::{ops::Range, path::Path, time::Duration};

/// What a clock shows.
fn now(clock: Clock) -> Duration {
    let time = clock_gettime(match clock {
        Clock::Wall => ClockId::Monotonic,
        Clock::Cpu => ClockId::ProcessCPUTime,
    });
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// An open shared object.
pub(super) struct Object {
    about: Description,
    draws_nonces: bool,
    has_other_curve: bool,
    prepare: Prepare,
    run: Run,
    output: Output,
    drop: DropJob,
    /// Earlier commits have none.
    count: Option<Count>,
    /// The code that the functions point to. It stays: OpenSSL has the end of the process call functions of its peer.
    _code: ManuallyDrop<libloading::Library>,
}

struct ObjectJob<'a> {
    object: &'a Object,
    job: *mut c_void,
    backend: String,
    clock: Clock,
}

unsafe extern "C" fn keep(context: *mut c_void, bytes: *const u8, length: usize) {
    // SAFETY: `context` is the vector that the caller of the library passed, alive and unshared during the call;
    // `bytes` is readable for `length` by the contract of `Sink`.
    unsafe { (*context.cast::<Vec<u8>>()).extend_from_slice(slice::from_raw_parts(bytes, length)) }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Object {
    /// Opens the object that a build made.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let mut said = Vec::<u8>::new();
        // SAFETY: the object was built a moment ago from a folder of this repository, or of a commit of it, by the
        // export macro of `lab_abi`. That gives `lab_peer_describe` this signature in every version of the ABI, and the
        // others exactly these signatures in the version that `description` accepts, before any of them is taken. The
        // initialisers are those of a Rust shared object. The function pointers are kept beside the library that they
        // point into and never outlive it. `Library::new` opens with RTLD_LOCAL, so that objects with the same names
        // do not meet.
        unsafe {
            let code = libloading::Library::new(path).map_err(|error| format!("does not open: {error}"))?;
            let missing = |error: libloading::Error| format!("exports no peer: {error}");
            let describe: Describe = *code.get(b"lab_peer_describe").map_err(missing)?;
            describe(keep, (&raw mut said).cast());
            let said = text(said);
            Ok(Self {
                about: description(&said)?,
                draws_nonces: value_of(&said, "nonces") == Some("drawn"),
                has_other_curve: value_of(&said, "curve").is_some(),
                prepare: *code.get(b"lab_peer_prepare").map_err(missing)?,
                run: *code.get(b"lab_peer_run").map_err(missing)?,
                output: *code.get(b"lab_peer_output").map_err(missing)?,
                drop: *code.get(b"lab_peer_drop").map_err(missing)?,
                count: code.get(b"lab_peer_count").ok().map(|function| *function),
                _code: ManuallyDrop::new(code),
            })
        }
    }
}

impl Library for Object {
    fn about(&self) -> &Description {
        &self.about
    }

    fn draws_nonces(&self) -> bool {
        self.draws_nonces
    }

    fn has_other_curve(&self) -> bool {
        self.has_other_curve
    }

    fn prepare(&self, request: &Request, input: &[u8]) -> Result<Box<dyn Running + '_>, String> {
        let clock = request.clock;
        let request = request.to_text();
        let mut said = Vec::<u8>::new();
        // SAFETY: both slices are readable for their lengths; `keep` gets the vector it expects.
        let job = unsafe {
            (self.prepare)(request.as_ptr(), request.len(), input.as_ptr(), input.len(), keep, (&raw mut said).cast())
        };
        let said = text(said);
        if job.is_null() {
            return Err(said);
        }
        let backend = value_of(&said, "backend").unwrap_or("unknown").to_owned();
        Ok(Box::new(ObjectJob { object: self, job, backend, clock }))
    }
}

impl Running for ObjectJob<'_> {
    fn backend(&self) -> &str {
        &self.backend
    }

    fn run(&mut self, rows: Range<usize>, times: usize) -> Result<Duration, String> {
        let start = now(self.clock);
        // SAFETY: the job came from this object's `prepare`, is not dropped yet, and `&mut self` makes this its only
        // use.
        unsafe { (self.object.run)(self.job, rows.start, rows.len(), times) };
        Ok(now(self.clock).saturating_sub(start))
    }

    fn count(&mut self, rows: Range<usize>) -> Result<Option<Heap>, String> {
        Ok(self.object.count.map(|count| {
            let mut heap = [0; 2];
            // SAFETY: as in `run`; `heap` is the room it expects.
            unsafe { count(self.job, rows.start, rows.len(), &raw mut heap) };
            let [allocations, bytes] = heap;
            Heap { allocations, bytes }
        }))
    }

    fn output(&mut self) -> Result<Vec<u8>, String> {
        let mut results = Vec::<u8>::new();
        // SAFETY: as in `run`; `keep` gets the vector it expects.
        unsafe { (self.object.output)(self.job, keep, (&raw mut results).cast()) };
        Ok(results)
    }
}

impl Drop for ObjectJob<'_> {
    fn drop(&mut self) {
        // SAFETY: the job came from this object's `prepare` and is not used after this.
        unsafe { (self.object.drop)(self.job) };
    }
}
