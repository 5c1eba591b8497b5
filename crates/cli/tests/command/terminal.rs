//! Secrets that are typed at a terminal: it does not show them, and is what it was when the run ends, however.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use crate::derive::XPUB;
use crate::rows::{GENERATOR, ONE};
use crate::running::{Run, command, directory, place, skipped};
use crate::signals::{is_delivered, signal};

/// A pseudo-terminal: the end of the person who types, and that of the command.
struct Terminal {
    keyboard: File,
    line: File,
}

impl Terminal {
    fn new() -> Terminal {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap();
        let line = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        Terminal { keyboard: keyboard.into(), line: line.into() }
    }

    fn shows(&self) -> bool {
        tcgetattr(&self.line).unwrap().local_modes.contains(LocalModes::ECHO)
    }

    /// Starts a command here, and waits until it prompts.
    fn started(&self, arguments: &[&str]) -> Child {
        let mut command = command();
        command.args(arguments).stdin(self.line.try_clone().unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        wait_for_prompt(&mut child);
        child
    }

    /// What it has shown.
    fn shown(&mut self) -> String {
        let mut shown = Vec::new();
        let soon = Timespec { tv_sec: 0, tv_nsec: 0 };
        loop {
            let mut files = [PollFd::new(&self.keyboard, PollFlags::IN)];
            if poll(&mut files, Some(&soon)).unwrap() == 0 {
                return String::from_utf8(shown).unwrap();
            }
            let mut some = [0; 4096];
            let count = self.keyboard.read(&mut some).unwrap();
            shown.extend(&some[..count]);
        }
    }
}

/// Reads from standard error until the prompt stands there.
fn wait_for_prompt(child: &mut Child) {
    let (mut said, mut byte) = (Vec::new(), [0]);
    while !said.ends_with(b"(not shown): ") && !said.ends_with(b"end:\n") {
        child.stderr.as_mut().unwrap().read_exact(&mut byte).unwrap();
        said.push(byte[0]);
    }
}

#[test]
fn a_secret_is_not_shown_while_it_is_typed() {
    let directory = directory();
    let index = place(&directory, "index.csv", b"tweak_key,outputs\n");
    let digest = "05".repeat(32);
    for arguments in [
        &["pubkey"][..],
        &["pubkey", "--secret-file", "/dev/stdin"],
        &["sign", "--digest", &digest],
        &["ecdh", "--public-key", GENERATOR],
        &["scan", &index, "--scan-key", "-", "--spend-key", GENERATOR],
    ] {
        let mut terminal = Terminal::new();
        assert!(terminal.shows());
        let child = terminal.started(arguments);
        assert!(!terminal.shows(), "{arguments:?}");
        terminal.keyboard.write_all(format!("{ONE}\n").as_bytes()).unwrap();
        let run = Run::of(child.wait_with_output().unwrap()).expect(0);
        assert!(!run.stdout.is_empty() && terminal.shows(), "{arguments:?}");
        // The end of the line alone.
        assert_eq!(terminal.shown(), "\r\n", "{arguments:?}");
    }
    // Keys to derive from, until the end of the input.
    let mut terminal = Terminal::new();
    let child = terminal.started(&["derive", "-", "-q", "--range", "0..0"]);
    assert!(!terminal.shows());
    terminal.keyboard.write_all(format!("{XPUB}\n{XPUB}\n\x04").as_bytes()).unwrap();
    let run = Run::of(child.wait_with_output().unwrap()).expect(0);
    assert!(run.stdout.lines().count() == 2 && terminal.shows() && terminal.shown() == "\r\n\r\n", "{}", run.stderr);
}

#[test]
fn the_terminal_is_what_it_was_after_every_end() {
    let directory = directory();
    let index = place(&directory, "index.csv", b"tweak_key,outputs\n");
    let commands = [
        &["pubkey"][..],
        &["scan", &index, "--scan-key", "-", "--spend-key", GENERATOR],
        &["derive", "-", "--range", "0..9999"],
    ];
    for arguments in commands {
        // No key, and the end of the input.
        for typed in ["no key\n", "\x04"] {
            let mut terminal = Terminal::new();
            let child = terminal.started(arguments);
            terminal.keyboard.write_all(typed.as_bytes()).unwrap();
            if arguments[0] == "derive" {
                terminal.keyboard.write_all(b"\x04").unwrap();
            }
            let run = Run::of(child.wait_with_output().unwrap());
            assert!(terminal.shows() && !run.stderr.contains("no key"), "{arguments:?}: {}", run.stderr);
        }
        // Nobody reads the answers.
        if arguments[0] == "derive" {
            let mut terminal = Terminal::new();
            let mut child = terminal.started(arguments);
            drop(child.stdout.take());
            terminal.keyboard.write_all(format!("{XPUB}\n").repeat(20).as_bytes()).unwrap();
            let _ = child.wait().unwrap();
            assert!(terminal.shows());
        }
        let signals = if cfg!(target_os = "linux") { &["INT", "TERM", "HUP", "QUIT", "USR1"][..] } else { &["INT"] };
        for name in signals.iter().filter(|name| is_delivered(name)) {
            let terminal = Terminal::new();
            let mut child = terminal.started(arguments);
            signal(&child, name);
            let ended = child.wait().unwrap();
            assert!(!ended.success() && terminal.shows(), "{arguments:?} by {name}: {ended}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_command_leaves_the_terminal_as_it_was() {
    let mut terminal = Terminal::new();
    let mut child = terminal.started(&["pubkey"]);
    signal(&child, "TSTP");
    let state = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        status.lines().find_map(|line| line.strip_prefix("State:\t")).unwrap().to_owned()
    };
    let stopped = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        state().starts_with('T')
    });
    if stopped {
        assert!(terminal.shows());
        signal(&child, "CONT");
    } else {
        skipped("processes without a shell that watches them are not stopped: the terminal of a stopped one");
    }
    wait_for_prompt(&mut child);
    assert!(!terminal.shows());
    terminal.keyboard.write_all(format!("{ONE}\n").as_bytes()).unwrap();
    assert_eq!(Run::of(child.wait_with_output().unwrap()).expect(0).line(), GENERATOR);
    assert!(terminal.shows() && terminal.shown() == "\r\n");
}
