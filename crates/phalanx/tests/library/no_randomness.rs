//! What the library does where the operating system refuses randomness: no key is made, and batches keep their
//! verdicts.

use phalanx::{Batch, Keypair, SecretKey, schnorr};
use std::{env, fs, panic, process::Command};

/// Refuses the system call, in place of the C library's function. Rust's tables by hash ask with flags, and get bytes.
const REFUSAL: &str = "#include <errno.h>
#include <string.h>
#include <sys/types.h>
ssize_t getrandom(void *buffer, size_t length, unsigned int flags) {
    if (flags == 0) { errno = EIO; return -1; }
    memset(buffer, 7, length);
    return length;
}
";

/// Set in the process whose system refuses.
const REFUSED: &str = "PHALANX_TEST_RANDOMNESS_REFUSED";

#[test]
fn randomness_is_refused() {
    if env::var_os(REFUSED).is_some() {
        no_key_is_made();
        batches_keep_their_verdicts();
        return println!("all of it ran");
    }
    let folder = env::temp_dir().join(format!("phalanx-randomness-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (source, library) = (folder.join("refusal.c"), folder.join("refusal.so"));
    fs::write(&source, REFUSAL).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    if !built.is_ok_and(|status| status.success()) {
        phalanx_tiers::skipped("refused randomness", "no C compiler: one process without randomness");
        return;
    }
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "no_randomness::randomness_is_refused", "--nocapture"])
        .env("LD_PRELOAD", &library)
        .env(REFUSED, "1")
        .output()
        .unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let text = String::from_utf8_lossy(&child.stdout);
    assert!(
        child.status.success() && text.contains("all of it ran"),
        "{text}{}",
        String::from_utf8_lossy(&child.stderr)
    );
}

fn no_key_is_made() {
    let refused = panic::catch_unwind(SecretKey::random);
    assert!(refused.is_err(), "a key without randomness");
    assert!(panic::catch_unwind(Keypair::random).is_err(), "a pair without randomness");
}

fn batches_keep_their_verdicts() {
    let pair = Keypair::from_secret(SecretKey::from_bytes(&[7; 32]).unwrap());
    let messages: Vec<[u8; 1]> = (0..100).map(|i| [i]).collect();
    let mut signatures: Vec<_> = messages.iter().map(|m| schnorr::sign(m, &pair, &[0; 32]).to_bytes()).collect();
    signatures[41][40] ^= 1;
    let texts: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let keys = [pair.x_only(); 100];
    let rows = schnorr::rows(&texts, &signatures, &keys).unwrap();
    let verdicts = Batch::new().verify_schnorr(&rows);
    for (i, (row, verdict)) in rows.iter().zip(&verdicts).enumerate() {
        assert_eq!(*verdict, schnorr::verify_row(row), "row {i}");
        assert_eq!(verdict.is_valid(), i != 41);
    }
}
