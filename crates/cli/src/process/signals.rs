//! The signals that end or stop this process, as far as it does not ignore them.

use nix::sys::signal::{SigSet, Signal};

/// Signals that have a handler in runs over many rows.
pub(super) const HANDLED: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// Signals without a handler that a keyboard, a shell or a timer sends.
pub(super) const OTHERS: [Signal; 5] =
    [Signal::SIGQUIT, Signal::SIGTSTP, Signal::SIGALRM, Signal::SIGUSR1, Signal::SIGUSR2];

/// Those of some signals that are ignored now. None where the system does not say which these are.
pub(super) fn ignored(signals: &[Signal]) -> Option<SigSet> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u128::from_str_radix(mask.trim(), 16).ok()?;
    // Bit 0 stands for signal 1; see proc_pid_status(5).
    Some(signals.iter().copied().filter(|signal| mask >> (*signal as u32 - 1) & 1 == 1).collect())
}
