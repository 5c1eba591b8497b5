//! What is left of a secret in the memory of a command that has read it.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::process::Child;
use std::time::Duration;

use memchr::memmem::find;

use crate::files::hex;
use crate::rows::secret;
use crate::running::{command, skipped};

/// The parts of a process's memory that it may write to; none where the system does not let others look.
fn memory(process: u32) -> Vec<Vec<u8>> {
    let Ok(file) = File::open(format!("/proc/{process}/mem")) else { return Vec::new() };
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
    let parts = maps.lines().filter_map(|line| {
        let (range, rights) = line.split_once(' ')?;
        let (from, to) = range.split_once('-')?;
        let [from, to] = [from, to].map(|address| u64::from_str_radix(address, 16).unwrap());
        let mut bytes = vec![0; if rights.starts_with("rw") { to - from } else { 0 } as usize];
        file.read_exact_at(&mut bytes, from).ok().map(|()| bytes)
    });
    parts.collect()
}

/// Waits until a process does nothing but wait.
fn wait_for_rest(child: &mut Child) {
    let mut resting = 0;
    while resting < 20 {
        std::thread::sleep(Duration::from_millis(2));
        assert!(child.try_wait().unwrap().is_none(), "the command has ended");
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        resting = if stat.rsplit_once(") ").unwrap().1.starts_with('S') { resting + 1 } else { 0 };
    }
}

#[test]
fn the_digits_of_a_secret_are_wiped() {
    let (secret, other) = (hex(&secret(5).to_bytes()), hex(&secret(6).public_key().to_bytes()));
    let digest = "05".repeat(32);
    for arguments in [&["pubkey"][..], &["sign", "--digest", &digest], &["ecdh", "--public-key", &other]] {
        // A pipe without room holds the command at its answer, when it has no more use for the digits.
        let (reader, writer) = std::io::pipe().unwrap();
        let mut filler = writer.try_clone().unwrap();
        let filling = std::thread::spawn(move || filler.write_all(&[b'x'; 4 << 20]).is_err());
        // Longer than it takes to fill a pipe. If that is too short, the command ends, which is noticed below.
        std::thread::sleep(Duration::from_millis(100));
        let (input, mut line) = std::io::pipe().unwrap();
        line.write_all(format!("secret {secret}\n").as_bytes()).unwrap();
        let mut child = command().args(arguments).stdin(input).stdout(writer).spawn().unwrap();
        wait_for_rest(&mut child);
        let parts = memory(child.id());
        drop(reader);
        assert_eq!(child.wait().unwrap().code(), Some(2), "nobody takes the answer");
        assert!(filling.join().unwrap());
        if parts.is_empty() {
            skipped("a process's memory cannot be read here; that secret digits are wiped was not seen");
            return;
        }
        let found = |text: &str| parts.iter().any(|part| find(part, text.as_bytes()).is_some());
        assert!(found(arguments[0]), "the search finds nothing");
        for half in [&secret[..32], &secret[32..]] {
            assert!(!found(half), "{arguments:?} leaves digits of its secret in memory");
        }
    }
}
