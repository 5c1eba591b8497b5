//! A library in a process of its own, which speaks `lab_abi::frames` and takes the time itself.

use super::{Library, Running, description, value_of};
use lab_abi::{Description, Request, frames, heap::Heap};
use std::{
    cell::RefCell,
    io::{BufReader, BufWriter},
    ops::Range,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

struct Pipes {
    child: Child,
    to: Option<BufWriter<ChildStdin>>,
    from: BufReader<ChildStdout>,
}

/// A running program.
pub(super) struct Program {
    about: Description,
    pipes: RefCell<Pipes>,
}

struct ProgramJob<'a> {
    program: &'a Program,
    backend: String,
}

impl Program {
    /// Starts a program that a build made.
    pub(super) fn start(path: &Path) -> Result<Self, String> {
        let mut command = Command::new(path);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("does not start: {error}"))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("does not start: no pipes".into());
        };
        let pipes = Pipes { child, to: Some(BufWriter::new(to)), from: BufReader::new(from) };
        let mut program =
            Self { about: Description { version: String::new(), flags: String::new() }, pipes: RefCell::new(pipes) };
        program.about = description(&String::from_utf8_lossy(&program.ask(frames::DESCRIBE, &[])?))?;
        Ok(program)
    }

    fn ask(&self, tag: u8, body: &[&[u8]]) -> Result<Vec<u8>, String> {
        let mut pipes = self.pipes.borrow_mut();
        let pipes = &mut *pipes;
        let lost = |error: std::io::Error| format!("its process broke off: {error}");
        let to = pipes.to.as_mut().ok_or("its process has ended")?;
        frames::write(to, tag, body).map_err(lost)?;
        let (tag, body) = frames::read(&mut pipes.from).map_err(lost)?;
        if tag == frames::DONE { Ok(body) } else { Err(String::from_utf8_lossy(&body).into_owned()) }
    }
}

impl Library for Program {
    fn about(&self) -> &Description {
        &self.about
    }

    fn prepare(&self, request: &Request, input: &[u8]) -> Result<Box<dyn Running + '_>, String> {
        let request = request.to_text();
        let length = (request.len() as u64).to_le_bytes();
        let said = self.ask(frames::PREPARE, &[&length, request.as_bytes(), input])?;
        let backend = value_of(&String::from_utf8_lossy(&said), "backend").unwrap_or("unknown").to_owned();
        Ok(Box::new(ProgramJob { program: self, backend }))
    }
}

impl Running for ProgramJob<'_> {
    fn backend(&self) -> &str {
        &self.backend
    }

    fn run(&mut self, rows: Range<usize>, times: usize) -> Result<Duration, String> {
        let numbers = [rows.start, rows.len(), times].map(|number| (number as u64).to_le_bytes());
        let took = self.program.ask(frames::RUN, &[&numbers[0], &numbers[1], &numbers[2]])?;
        let took = took.try_into().map_err(|_| "its process answered a run without a time")?;
        Ok(Duration::from_nanos(u64::from_le_bytes(took)))
    }

    fn count(&mut self, rows: Range<usize>) -> Result<Option<Heap>, String> {
        let numbers = [rows.start, rows.len()].map(|number| (number as u64).to_le_bytes());
        // A library that does not count refuses, and goes on.
        let Ok(taken) = self.program.ask(frames::COUNT, &[&numbers[0], &numbers[1]]) else { return Ok(None) };
        let [allocations, bytes] = taken.as_chunks::<8>().0 else {
            return Err("its process answered a count without two numbers".into());
        };
        Ok(Some(Heap { allocations: u64::from_le_bytes(*allocations), bytes: u64::from_le_bytes(*bytes) }))
    }

    fn output(&mut self) -> Result<Vec<u8>, String> {
        self.program.ask(frames::OUTPUT, &[])
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        // The end of its input is the child's sign to leave.
        self.to = None;
        let _ = self.child.wait();
    }
}
