//! Input that is not shown while it is typed at a terminal.

use std::fs::File;
use std::io::{self, IsTerminal, Read};

#[cfg(target_os = "linux")]
use nix::sys::{
    signal::{SigSet, SigmaskHow, raise},
    signalfd::{SfdFlags, SignalFd},
};
#[cfg(target_os = "linux")]
use rustix::event::{PollFd, PollFlags, poll};

#[cfg(unix)]
use super::echo;
#[cfg(target_os = "linux")]
use super::signals;
use super::standard;

/// A file that may be a terminal: what is typed there is not shown until this is dropped, or the process ends or stops.
///
/// Windows shows it. Elsewhere than on Linux, the signals that have a handler restore the terminal, and no others.
pub(crate) struct HiddenInput {
    file: File,
    /// None unless the file is a terminal.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "it restores the terminal when it is dropped"))]
    hiding: Option<Box<Hiding>>,
}

/// The time in which a terminal does not show what is typed.
struct Hiding {
    prompt: &'static str,
    #[cfg(target_os = "linux")]
    watch: Option<Watch>,
}

impl HiddenInput {
    /// If the file is a terminal, hides what is typed there from now on, and prompts for it on standard error.
    pub(crate) fn new(file: File, prompt: &'static str) -> io::Result<HiddenInput> {
        let hiding = file.is_terminal().then(|| Hiding::begin(&file, prompt)).transpose()?;
        Ok(HiddenInput { file, hiding: hiding.map(Box::new) })
    }
}

/// Makes the terminal what it was, for good: the process ends.
pub(crate) fn restore_terminal() {
    #[cfg(unix)]
    echo::restore_for_good();
}

impl Read for HiddenInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(target_os = "linux")]
        if let Some(Hiding { prompt, watch: Some(watch) }) = self.hiding.as_deref() {
            watch.until_readable(&self.file, prompt)?;
        }
        self.file.read(buffer)
    }
}

impl Hiding {
    fn begin(terminal: &File, prompt: &'static str) -> io::Result<Hiding> {
        // From here on, dropping it restores the terminal.
        let hiding = Hiding {
            prompt,
            #[cfg(target_os = "linux")]
            watch: Watch::begin(),
        };
        #[cfg(unix)]
        echo::turn_off(terminal)?;
        #[cfg(not(unix))]
        let _ = terminal;
        standard::prompt(hiding.prompt);
        Ok(hiding)
    }
}

impl Drop for Hiding {
    fn drop(&mut self) {
        #[cfg(unix)]
        echo::restore();
        #[cfg(target_os = "linux")]
        if let Some(watch) = &self.watch {
            let _ = watch.before.thread_set_mask();
        }
    }
}

/// Signals that would end or stop the process: they wait until the terminal is restored.
#[cfg(target_os = "linux")]
struct Watch {
    arrived: SignalFd,
    signals: SigSet,
    /// The signals that this thread blocked before.
    before: SigSet,
}

#[cfg(target_os = "linux")]
impl Watch {
    /// Blocks the signals on this thread and on those that it starts. None where that cannot be done.
    fn begin() -> Option<Watch> {
        let all = [&signals::HANDLED[..], &signals::OTHERS].concat();
        let ignored = signals::ignored(&all)?;
        let signals: SigSet = all.into_iter().filter(|signal| !ignored.contains(*signal)).collect();
        let arrived = SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK).ok()?;
        let before = signals.thread_swap_mask(SigmaskHow::SIG_BLOCK).ok()?;
        Some(Watch { arrived, signals, before })
    }

    /// Waits for what is typed. A signal finds the terminal as it was before.
    fn until_readable(&self, terminal: &File, prompt: &str) -> io::Result<()> {
        loop {
            let mut files = [PollFd::new(&self.arrived, PollFlags::IN), PollFd::new(terminal, PollFlags::IN)];
            match poll(&mut files, None) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            }
            match self.arrived.read_signal()?.map(|arrived| arrived.ssi_signo.cast_signed().try_into()) {
                Some(Ok(signal)) => {
                    echo::restore();
                    // The prompt's line ends here.
                    standard::prompt("\n");
                    self.before.thread_set_mask()?;
                    raise(signal)?;
                    // It has not ended the process, or somebody has continued it.
                    self.signals.thread_block()?;
                    echo::turn_off(terminal)?;
                    standard::prompt(prompt);
                }
                Some(Err(unknown)) => return Err(unknown.into()),
                None if files[1].revents().is_empty() => {}
                None => return Ok(()),
            }
        }
    }
}
