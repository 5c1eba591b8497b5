//! Lines in, answers out.

use crate::calculator::Calculator;
use std::io::{self, BufRead, Write};

const HELP: &str = "\
numbers   7, 0xff; computed modulo n, or modulo p on a line that ends with `mod p`
points    G, the generator; O, infinity
names     x = 7 * 3, then x; lambda and beta are set
between   + - * / ^ ==, and parentheses; k * P is a multiple of a point
before    inv, sqrt, limbs, hex, halves k; xcoord P, ycoord P, endo P; lift x, the point over x with even y
leave     quit, or the end of the input";

/// Answers every line of the input, and counts those that could not be computed. A `prompt` says that somebody is
/// typing.
pub(crate) fn run(mut input: impl BufRead, mut output: impl Write, prompt: bool) -> io::Result<usize> {
    let mut calculator = Calculator::default();
    let mut failures = 0;
    let mut bytes = Vec::new();
    loop {
        if prompt {
            write!(output, "> ")?;
            output.flush()?;
        }
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        match line.trim() {
            "" => {}
            comment if comment.starts_with('#') => {}
            "help" => writeln!(output, "{HELP}")?,
            "quit" | "exit" => return Ok(failures),
            line => match calculator.answer(line) {
                Ok(answer) => writeln!(output, "{answer}")?,
                Err(reason) => {
                    failures += 1;
                    writeln!(output, "error: {reason}")?;
                }
            },
        }
    }
    if prompt {
        writeln!(output)?;
    }
    output.flush()?;
    Ok(failures)
}
