//! The program `phalanx`; see the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    phalanx_cli::main()
}
