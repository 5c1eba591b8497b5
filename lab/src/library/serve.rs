//! A library as a process of its own: the other end of [`super::process`].

use super::{Build, Library, Running, open};
use crate::Failure;
use lab_abi::{Request, frames};
use std::io::{self, Read, Write};

/// Answers requests for a library from standard input until that ends.
pub(crate) fn serve(name: &str, build: Build) -> Result<(), Failure> {
    let library = open(name, build).map_err(Failure::NotThere)?;
    let broken = |error: io::Error| Failure::Broken(error.to_string());
    answer(&*library, &mut io::stdin().lock(), &mut io::stdout().lock()).map_err(broken)
}

fn answer(library: &dyn Library, from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut job: Option<Box<dyn Running + '_>> = None;
    loop {
        let (tag, body) = match frames::read(from) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            message => message?,
        };
        let reply = match tag {
            frames::DESCRIBE => {
                let about = library.about();
                Ok(format!("version={}\nflags={}\n", about.version, about.flags).into_bytes())
            }
            frames::PREPARE => prepare(library, &body).map(|prepared| {
                let said = format!("backend={}\n", prepared.backend()).into_bytes();
                job = Some(prepared);
                said
            }),
            _ => job.as_deref_mut().ok_or_else(|| "has no job".to_owned()).and_then(|job| compute(job, tag, &body)),
        };
        match reply {
            Ok(body) => frames::write(to, frames::DONE, &[&body])?,
            Err(reason) => frames::write(to, frames::REFUSED, &[reason.as_bytes()])?,
        }
    }
}

fn prepare<'a>(library: &'a dyn Library, body: &[u8]) -> Result<Box<dyn Running + 'a>, String> {
    let cut = || "was sent a request that is cut short".to_owned();
    let (length, rest) = body.split_first_chunk().ok_or_else(cut)?;
    let (text, input) = rest.split_at_checked(u64::from_le_bytes(*length) as usize).ok_or_else(cut)?;
    let request = Request::from_text(&String::from_utf8_lossy(text))?;
    library.prepare(&request, input)
}

fn compute(job: &mut dyn Running, tag: u8, body: &[u8]) -> Result<Vec<u8>, String> {
    match (tag, body.as_chunks::<8>().0) {
        (frames::RUN, [first, count, times]) => {
            let [first, count, times] = [first, count, times].map(|number| u64::from_le_bytes(*number) as usize);
            let took = job.run(first..first + count, times)?;
            Ok((took.as_nanos() as u64).to_le_bytes().to_vec())
        }
        (frames::COUNT, [first, count]) => {
            let [first, count] = [first, count].map(|number| u64::from_le_bytes(*number) as usize);
            let heap = job.count(first..first + count)?.ok_or("does not count what it takes from the heap")?;
            Ok([heap.allocations, heap.bytes].map(u64::to_le_bytes).concat())
        }
        (frames::OUTPUT, _) => job.output(),
        _ => Err(format!("does not know the message {tag}")),
    }
}
