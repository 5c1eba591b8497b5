//! What each subcommand does: `rows` verifies, recovers and finds senders, `msm` sums, `scan` finds silent payments,
//! `blocks` verifies blocks, `derive` derives children of extended keys, `single` is for one item, `info` tells about the
//! machine, `bench` measures it, `manual` tells shells and readers about the command line.

mod backend;
mod bench;
pub(crate) mod blocks;
mod derive;
mod info;
mod manual;
mod msm;
pub(crate) mod rows;
mod scan;
mod secret;
mod single;
pub(crate) mod summary;

use std::sync::Arc;

use phalanx_rows::{BatchMode, Job, Names, RowJob};

use crate::args::{Command, InputArgs};
use crate::exit::RunError;
use crate::input::{Content, Input, InputSettings, Rows};
use crate::output::ReadPlace;
use crate::process::standard;

/// Does what the command line says; returns the exit status.
pub(crate) fn run(command: Command) -> Result<u8, RunError> {
    match command {
        Command::Verify(args) => rows::run(RowJob::Verify, args.run, args.hybrid_keys, args.batch),
        Command::Recover(args) => rows::run(RowJob::Recover, args, false, BatchMode::Never),
        Command::Senders(args) => rows::senders(args),
        Command::Msm(args) => msm::run(&args),
        Command::Scan(args) => scan::run(&args),
        Command::Blocks(args) => blocks::run(&args),
        Command::Derive(args) => derive::run(&args),
        Command::Keygen(args) => single::keygen(&args),
        Command::Pubkey(args) => single::pubkey(&args),
        Command::Sign(args) => single::sign(&args),
        Command::Ecdh(args) => single::ecdh(&args),
        Command::Info(args) => info::info(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man => manual::man(),
    }
}

/// Files that are opened, one after the other.
struct Files<'a> {
    names: &'a [String],
    content: Arc<dyn Content>,
}

impl<'a> Files<'a> {
    /// The files of a command line.
    fn new(names: &'a [String], content: impl Content + 'static) -> Result<Files<'a>, RunError> {
        if names.iter().filter(|file| *file == "-").count() > 1 {
            return Err(RunError::new("standard input can be read only once"));
        }
        Ok(Files { names, content: Arc::new(content) })
    }

    /// Files of rows. Their columns of the names `keep` are there, and are passed through if `keeps`.
    fn of_rows(args: &'a InputArgs, job: Job, keep: &[String], keeps: bool) -> Result<Files<'a>, RunError> {
        let names = Names::new(&args.columns, keep)?;
        let settings = InputSettings { names, format: args.format, delimiter: args.delimiter, keeps };
        Files::new(&args.files, Rows { job, settings })
    }

    /// What is read.
    fn places(&self) -> Vec<ReadPlace> {
        self.names.iter().map(ReadPlace::of_name).collect()
    }

    /// Opens each. Those that cannot be opened are told, and come second.
    fn open_all(&self) -> (Vec<Input>, Vec<RunError>) {
        opened(self.open())
    }

    /// Opens each.
    fn open(&self) -> impl Iterator<Item = Result<Input, RunError>> {
        self.names.iter().map(|name| Input::open(name, &self.content))
    }
}

/// What could be opened. What could not is told, and comes second.
fn opened<T>(places: impl Iterator<Item = Result<T, RunError>>) -> (Vec<T>, Vec<RunError>) {
    let (mut sources, mut failed) = (Vec::new(), Vec::new());
    for place in places {
        match place {
            Ok(source) => sources.push(source),
            Err(failure) => {
                standard::remark(format_args!("phalanx: {failure}"));
                failed.push(failure);
            }
        }
    }
    (sources, failed)
}
