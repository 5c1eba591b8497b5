//! The commands for one item: hex in, hex out, and secrets that are not on the command line.

#[cfg(unix)]
use std::{fs::File, io::Write};

use phalanx::hash::sha256;
use phalanx::{Keypair, LowS, SecretKey, ecdh, ecdsa, schnorr};

use crate::files::hex;
use crate::rows::{GENERATOR, ONE, ORDER, secret};
#[cfg(unix)]
use crate::running::{Run, by_shell, names};
use crate::running::{directory, path, phalanx, phalanx_on, place};

/// The bytes that a command prints which reads a secret key.
fn bytes(secret: &SecretKey, arguments: &[&str]) -> Vec<u8> {
    const_hex::decode(phalanx_on(hex(&secret.to_bytes()).as_bytes(), arguments).expect(0).line()).unwrap()
}

#[test]
fn public_keys_in_every_form() {
    let form = |form: &str| phalanx_on(ONE.as_bytes(), ["pubkey", "--form", form]).expect(0).line().to_owned();
    assert_eq!(phalanx_on(ONE.as_bytes(), ["pubkey"]).expect(0).line(), GENERATOR);
    assert_eq!([form("compressed"), form("x-only")], [GENERATOR, &GENERATOR[2..]]);
    assert!(form("uncompressed").starts_with(&format!("04{}", &GENERATOR[2..])));
    assert_eq!(form("address"), "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf");
}

#[test]
fn secrets_from_files_and_standard_input() {
    let directory = directory();
    for text in
        [ONE.to_owned(), format!("0x{ONE}\n"), format!("  {ONE}  \r\nmore"), format!("secret {ONE}\npublic x\n")]
            .map(|text| [format!("\u{feff}{text}"), text])
            .concat()
    {
        assert_eq!(phalanx_on(text.as_bytes(), ["pubkey"]).expect(0).line(), GENERATOR, "{text}");
        let file = place(&directory, "key", text.as_bytes());
        assert_eq!(phalanx(["pubkey", "--secret-file", &file]).expect(0).line(), GENERATOR);
    }
    for text in ["", "\n", &"0".repeat(64), ORDER, &ONE[1..], &format!("{ONE}0"), "secret", "\u{e9}"] {
        let run = phalanx_on(text.as_bytes(), ["pubkey"]).expect(2);
        assert!(run.stdout.is_empty() && (text.len() < 8 || !run.stderr.contains(text)), "{}", run.stderr);
    }
    let utf_16: Vec<u8> = format!("\u{feff}{ONE}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let run = phalanx_on(&utf_16, ["pubkey"]).expect(2);
    assert!(run.stderr.contains("standard input: the text is UTF-16: save it as UTF-8"), "{}", run.stderr);
    let missing = path(&directory, "missing");
    phalanx(["pubkey", "--secret-file", &missing]).expect(2);
}

/// Runs a command by a shell, with a key and more on standard input, and what the shell does then on the same input.
#[cfg(unix)]
fn before_another_reader(stdin: std::process::Stdio) -> String {
    Run::of(by_shell("\"$@\" pubkey && cat").stdin(stdin).output().unwrap()).expect(0).stdout
}

#[cfg(unix)]
#[test]
fn what_stands_behind_the_secret_is_left_to_the_next_reader() {
    let directory = directory();
    let rest = "the rest\nand more\n".repeat(1000);
    let text = format!("secret {ONE}\n{rest}");
    let file = File::open(place(&directory, "key", text.as_bytes())).unwrap();
    assert!(before_another_reader(file.into()) == format!("{GENERATOR}\n{rest}"));
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(text.as_bytes()).unwrap();
    drop(writer);
    assert!(before_another_reader(reader.into()) == format!("{GENERATOR}\n{rest}"));
}

#[test]
fn new_keys() {
    let run = phalanx(["keygen"]).expect(0);
    let value = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).to_owned()
    };
    let secret: SecretKey = SecretKey::from_bytes(&const_hex::decode(value(&run.stdout, "secret")).unwrap()).unwrap();
    assert_eq!(value(&run.stdout, "public_key"), hex(&secret.public_key().to_bytes()));
    assert_eq!(value(&run.stdout, "x_only"), hex(&secret.public_key().x_only().0.to_bytes()));
    let piped = phalanx_on(run.stdout.as_bytes(), ["pubkey"]).expect(0);
    assert_eq!(piped.line(), value(&run.stdout, "public_key"));
    assert_ne!(phalanx(["keygen"]).expect(0).stdout, run.stdout);

    let directory = directory();
    let file = path(&directory, "key");
    let run = phalanx(["keygen", "--secret-file", &file]).expect(0);
    assert!(!run.stdout.contains("secret"));
    let public = phalanx(["pubkey", "--secret-file", &file]).expect(0);
    assert_eq!(public.line(), value(&run.stdout, "public_key"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let before = std::fs::read(&file).unwrap();
    phalanx(["keygen", "--secret-file", &file]).expect(2);
    assert_eq!(std::fs::read(&file).unwrap(), before, "a key is never overwritten");
}

#[cfg(unix)]
#[test]
fn a_key_that_cannot_be_written_blocks_no_other() {
    let directory = directory();
    let file = path(&directory, "key");
    // No file may grow, as on a full disk, and no signal tells so.
    let mut shell = by_shell("trap '' XFSZ; ulimit -f 0; exec \"$@\"");
    let run = Run::of(shell.args(["keygen", "--secret-file", &file]).output().unwrap()).expect(2);
    assert!(run.stderr.contains(&file) && run.stdout.is_empty(), "{}", run.stderr);
    assert!(names(directory.path()).is_empty());
    phalanx(["keygen", "--secret-file", &file]).expect(0);
    phalanx(["pubkey", "--secret-file", &file]).expect(0);

    // What is there stays, whatever it is.
    let (empty, link) = (place(&directory, "empty", b""), path(&directory, "link"));
    std::os::unix::fs::symlink("nothing", &link).unwrap();
    let before = names(directory.path());
    for there in [&empty, &link, directory.path().to_str().unwrap()] {
        let run = phalanx(["keygen", "--secret-file", there]).expect(2);
        assert!(run.stderr.contains(there) && run.stdout.is_empty(), "{}", run.stderr);
    }
    assert_eq!(names(directory.path()), before);
    assert_eq!(std::fs::read(&empty).unwrap(), b"");
}

#[test]
fn ecdsa_signatures() {
    let (secret, digest) = (secret(9), [5; 32]);
    let sign = |more: &[&str]| bytes(&secret, &[&["sign"], more].concat());
    let digest_hex = hex(&digest);
    let expected = ecdsa::sign(&digest, &secret);
    assert_eq!(sign(&["--digest", &digest_hex]), expected.to_compact());
    assert_eq!(sign(&["--digest", &digest_hex, "--encoding", "der"]), *expected.to_der());
    let (signature, id) = ecdsa::sign_recoverable(&digest, &secret);
    let recoverable = sign(&["--digest", &digest_hex, "--recoverable"]);
    assert_eq!(recoverable, [&signature.to_compact()[..], &[id.to_u8()]].concat());

    let directory = directory();
    let file = place(&directory, "message", b"attack at dawn");
    let of_message = ecdsa::sign(&sha256(b"attack at dawn"), &secret);
    for what in [["--message", "attack at dawn"], ["--message-hex", &hex(b"attack at dawn")], ["--message-file", &file]]
    {
        assert_eq!(sign(&what), of_message.to_compact());
    }
    ecdsa::verify(&sha256(b"attack at dawn"), &of_message, &secret.public_key(), LowS::Require).unwrap();
}

#[test]
fn schnorr_signatures() {
    let pair = Keypair::from_secret(secret(9));
    let sign = |more: &[&str]| bytes(&secret(9), &[&["sign", "--scheme", "schnorr"], more].concat());
    let aux = "07".repeat(32);
    let expected = |message: &[u8]| schnorr::sign(message, &pair, &[7; 32]).to_bytes();
    assert_eq!(sign(&["--message", "gm", "--aux", &aux]), expected(b"gm"));
    assert_eq!(sign(&["--message", "", "--aux", &aux]), expected(b""));
    assert_eq!(sign(&["--digest", &"05".repeat(32), "--aux", &aux]), expected(&[5; 32]));
    let signatures = [sign(&["--message", "gm"]), sign(&["--message", "gm"])];
    assert_ne!(signatures[0], signatures[1], "fresh randomness");
    for signature in signatures {
        let signature = schnorr::Signature::from_bytes(&signature).unwrap();
        schnorr::verify(b"gm", &signature, &pair.x_only()).unwrap();
    }
}

#[test]
fn shared_secrets() {
    let (mine, theirs) = (secret(1), secret(2));
    let [my_key, their_key] = [&mine, &theirs].map(|secret| hex(&secret.public_key().to_bytes()));
    let full = hex(&theirs.public_key().to_bytes_uncompressed());
    let expected = ecdh::shared_secret(&theirs.public_key(), &mine);
    for (secret, public) in [(&mine, &their_key), (&theirs, &my_key), (&mine, &full)] {
        assert_eq!(bytes(secret, &["ecdh", "--public-key", public]), expected);
    }
    let x = ecdh::shared_x(&theirs.public_key(), &mine);
    assert_eq!(bytes(&mine, &["ecdh", "--public-key", &their_key, "--x-only"]), x);
    for public in ["", "02", "zz", &"05".repeat(33), &full[..130 - 2]] {
        phalanx_on(ONE.as_bytes(), ["ecdh", "--public-key", public]).expect(2);
    }
}
