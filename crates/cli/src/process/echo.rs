//! The echo of a terminal, which is off while a secret is typed.

use std::fs::File;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

enum Echo {
    /// As it was when the command started.
    Untouched,
    /// Off, and what the terminal was like before.
    Off(File, Termios),
    /// As it was, and to be left so: the process ends.
    Left,
}

static ECHO: Mutex<Echo> = Mutex::new(Echo::Untouched);

fn echo() -> MutexGuard<'static, Echo> {
    ECHO.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Turns the echo of a terminal off, except that of the end of a line.
pub(super) fn turn_off(terminal: &File) -> io::Result<()> {
    let mut echo = echo();
    if matches!(*echo, Echo::Untouched) {
        let before = tcgetattr(terminal)?;
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        hidden.local_modes.insert(LocalModes::ECHONL);
        let terminal = terminal.try_clone()?;
        // What was typed ahead is kept.
        tcsetattr(&terminal, OptionalActions::Now, &hidden)?;
        *echo = Echo::Off(terminal, before);
    }
    Ok(())
}

/// Makes the terminal what it was.
pub(super) fn restore() {
    put_back(&mut echo());
}

/// The same, for good: the process ends.
pub(super) fn restore_for_good() {
    let mut echo = echo();
    put_back(&mut echo);
    *echo = Echo::Left;
}

fn put_back(echo: &mut Echo) {
    if let Echo::Off(terminal, before) = echo {
        // A terminal that is gone has no echo.
        let _ = tcsetattr(terminal, OptionalActions::Now, before);
        *echo = Echo::Untouched;
    }
}
