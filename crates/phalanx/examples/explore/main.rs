//! A calculator for secp256k1: numbers modulo n and modulo p, and points, a line at a time.
//!
//! ```text
//! $ cargo run -p phalanx --example explore
//! > x = 7 * 3 - 1
//! x = 20
//! > P = x * G
//! P = (0x4ce119c96e2fa357200b559b2f7dd5a5f02d5290aff74b03f3e471b273211c97,
//!      0x12ba26dcb10ec1625da61fa10a844c676162948271d96967450288ee9233dc3a)
//! > sqrt 4 mod p
//! 2
//! > limbs inv 2
//! [dfe92f46681b20a1, 5d576e7357a4501d, ffffffffffffffff, 7fffffffffffffff], least significant first
//! > endo P == lambda * P
//! yes
//! ```
//!
//! `help` lists what a line may hold. Input may be a file or a pipe too; then nothing prompts, and the exit status is 1
//! if some line could not be computed.

mod calculator;
mod session;
mod value;

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

fn main() -> ExitCode {
    let interactive = io::stdin().is_terminal();
    match session::run(io::stdin().lock(), io::stdout().lock(), interactive) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) if interactive => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        // Whoever read the answers has enough of them.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("explore: {error}");
            ExitCode::FAILURE
        }
    }
}
