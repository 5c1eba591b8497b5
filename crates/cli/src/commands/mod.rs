//! What each subcommand does: `rows` verifies and recovers, `msm` sums, `single` is for one item, `info` tells about
//! the machine, `bench` measures it,
//! `fixed_base` measures tables.

mod backend;
mod bench;
mod fixed_base;
mod info;
mod msm;
pub(crate) mod rows;
mod secret;
mod single;
pub(crate) mod summary;

use std::sync::Arc;

use phalanx_rows::{BatchMode, Job, Names, RowJob};

use crate::args::{Command, FixedBase};
use crate::exit::RunError;
use crate::input::Input;

/// Does what the command line says; returns the exit status.
pub(crate) fn run(command: Command) -> Result<u8, RunError> {
    match command {
        Command::Verify(args) => rows::run(RowJob::Verify, args.run, args.hybrid_keys, args.batch.into()),
        Command::Recover(args) => rows::run(RowJob::Recover, args, false, BatchMode::Never),
        Command::Msm(args) => msm::run(&args),
        Command::Keygen(args) => single::keygen(&args),
        Command::Pubkey(args) => single::pubkey(&args),
        Command::Sign(args) => single::sign(&args),
        Command::Ecdh(args) => single::ecdh(&args),
        Command::Info(args) => info::info(&args),
        Command::Bench(args) => bench::run(&args),
        Command::FixedBase(FixedBase::Sweep(args)) => fixed_base::sweep(&args),
    }
}

/// Opens all files.
fn open(files: &[String], names: &Arc<Names>, job: Job) -> Result<Vec<Input>, RunError> {
    if files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(RunError::new("standard input can be read only once"));
    }
    files.iter().map(|file| Input::open(file, names, job)).collect()
}
