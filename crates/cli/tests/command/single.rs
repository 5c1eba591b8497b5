//! The commands for one item: hex in, hex out, and secrets that are not on the command line.

#[cfg(unix)]
use std::{fs::File, io::Write, process::Command};

use phalanx::hash::sha256;
use phalanx::{Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, schnorr};

use crate::files::hex;
use crate::rows::secret;
#[cfg(unix)]
use crate::running::{Run, names};
use crate::running::{directory, path, phalanx, phalanx_on, place};

const ONE: &str = "0000000000000000000000000000000000000000000000000000000000000001";
const GENERATOR: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

fn line(text: &str) -> &str {
    text.strip_suffix('\n').unwrap()
}

fn bytes(text: &str) -> Vec<u8> {
    const_hex::decode(line(text)).unwrap()
}

#[test]
fn public_keys_in_every_form() {
    let form = |form: &str| phalanx_on(ONE.as_bytes(), ["pubkey", "--form", form]).expect(0).stdout;
    assert_eq!(line(&phalanx_on(ONE.as_bytes(), ["pubkey"]).expect(0).stdout), GENERATOR);
    assert_eq!(line(&form("compressed")), GENERATOR);
    assert_eq!(line(&form("x-only")), &GENERATOR[2..]);
    assert!(form("uncompressed").starts_with(&format!("04{}", &GENERATOR[2..])));
    assert_eq!(line(&form("address")), "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf");
}

#[test]
fn secrets_from_files_and_standard_input() {
    let directory = directory();
    for text in
        [ONE.to_owned(), format!("0x{ONE}\n"), format!("  {ONE}  \r\nmore"), format!("secret {ONE}\npublic x\n")]
    {
        assert_eq!(line(&phalanx_on(text.as_bytes(), ["pubkey"]).expect(0).stdout), GENERATOR, "{text}");
        let file = place(&directory, "key", text.as_bytes());
        assert_eq!(line(&phalanx(["pubkey", "--secret-file", &file]).expect(0).stdout), GENERATOR);
    }
    let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    for text in ["", "\n", &"0".repeat(64), order, &ONE[1..], &format!("{ONE}0"), "secret", "\u{e9}"] {
        let run = phalanx_on(text.as_bytes(), ["pubkey"]).expect(2);
        assert!(run.stdout.is_empty() && (text.len() < 8 || !run.stderr.contains(text)), "{}", run.stderr);
    }
    let missing = path(&directory, "missing");
    phalanx(["pubkey", "--secret-file", &missing]).expect(2);
    phalanx(["pubkey", "--secret", ONE]).expect(2);
}

/// Runs a command by a shell, with a key and more on standard input, and what the shell does then on the same input.
#[cfg(unix)]
fn before_another_reader(stdin: std::process::Stdio) -> String {
    let script = "\"$1\" pubkey && cat";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh", env!("CARGO_BIN_EXE_phalanx")]).env_remove("PHALANX_BACKEND").stdin(stdin);
    Run::of(shell.output().unwrap()).expect(0).stdout
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
    let secret: SecretKey = SecretKey::from_slice(&const_hex::decode(value(&run.stdout, "secret")).unwrap()).unwrap();
    assert_eq!(value(&run.stdout, "public_key"), hex(&secret.public_key().to_bytes()));
    assert_eq!(value(&run.stdout, "x_only"), hex(&secret.public_key().x_only().0.to_bytes()));
    let piped = phalanx_on(run.stdout.as_bytes(), ["pubkey"]).expect(0);
    assert_eq!(line(&piped.stdout), value(&run.stdout, "public_key"));
    assert_ne!(phalanx(["keygen"]).expect(0).stdout, run.stdout);

    let directory = directory();
    let file = path(&directory, "key");
    let run = phalanx(["keygen", "--secret-file", &file]).expect(0);
    assert!(!run.stdout.contains("secret"));
    let public = phalanx(["pubkey", "--secret-file", &file]).expect(0);
    assert_eq!(line(&public.stdout), value(&run.stdout, "public_key"));
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
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$1\" keygen --secret-file \"$2\"";
    let run = Command::new("sh").args(["-c", script, "sh", env!("CARGO_BIN_EXE_phalanx"), &file]).output().unwrap();
    let run = Run::of(run).expect(2);
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
    let secret = secret(9);
    let (key, digest) = (hex(&secret.to_bytes()), [5; 32]);
    let sign = |more: &[&str]| {
        let arguments = ["sign"].into_iter().chain(more.iter().copied());
        bytes(&phalanx_on(key.as_bytes(), arguments).expect(0).stdout)
    };
    let digest_hex = hex(&digest);
    let expected = ecdsa::sign(&digest, &secret);
    assert_eq!(sign(&["--digest", &digest_hex]), expected.to_compact());
    assert_eq!(sign(&["--digest", &digest_hex, "--encoding", "der"]), *expected.to_der());
    let (signature, id) = ecdsa::sign_recoverable(&digest, &secret);
    let recoverable = sign(&["--digest", &digest_hex, "--recoverable"]);
    assert_eq!(recoverable, [&signature.to_compact()[..], &[id.to_u8()]].concat());

    let directory = directory();
    let file = place(&directory, "message", b"attack at dawn");
    let of_message = ecdsa::sign(&sha256(b"attack at dawn"), &secret).to_compact();
    for what in [["--message", "attack at dawn"], ["--message-hex", &hex(b"attack at dawn")], ["--message-file", &file]]
    {
        assert_eq!(sign(&what), of_message);
    }
    let signature = ecdsa::Signature::from_compact(&of_message).unwrap();
    ecdsa::verify(&sha256(b"attack at dawn"), &signature, &secret.public_key(), LowS::Require).unwrap();
}

#[test]
fn schnorr_signatures() {
    let pair = Keypair::from_secret(secret(9));
    let key = hex(&secret(9).to_bytes());
    let sign = |more: &[&str]| {
        let arguments = ["sign", "--scheme", "schnorr"].into_iter().chain(more.iter().copied());
        bytes(&phalanx_on(key.as_bytes(), arguments).expect(0).stdout)
    };
    let aux = "07".repeat(32);
    let expected = |message: &[u8]| schnorr::sign(message, &pair, &[7; 32]).to_bytes().to_vec();
    assert_eq!(sign(&["--message", "gm", "--aux", &aux]), expected(b"gm"));
    assert_eq!(sign(&["--message", "", "--aux", &aux]), expected(b""));
    assert_eq!(sign(&["--digest", &"05".repeat(32), "--aux", &aux]), expected(&[5; 32]));
    let (first, second) = (sign(&["--message", "gm"]), sign(&["--message", "gm"]));
    assert_ne!(first, second, "fresh randomness");
    let key = XOnlyPublicKey::from_bytes(&pair.x_only().to_bytes()).unwrap();
    for signature in [first, second] {
        schnorr::verify(b"gm", &schnorr::Signature::from_bytes(&signature).unwrap(), &key).unwrap();
    }
}

#[test]
fn shared_secrets() {
    let (mine, theirs) = (secret(1), secret(2));
    let run = |secret: &SecretKey, public: &PublicKey, more: &[&str]| {
        let public = hex(&public.to_bytes());
        let arguments = ["ecdh", "--public-key", &public].into_iter().chain(more.iter().copied());
        bytes(&phalanx_on(hex(&secret.to_bytes()).as_bytes(), arguments).expect(0).stdout)
    };
    let expected = ecdh::shared_secret(&theirs.public_key(), &mine);
    assert_eq!(run(&mine, &theirs.public_key(), &[]), expected);
    assert_eq!(run(&theirs, &mine.public_key(), &[]), expected);
    assert_eq!(run(&mine, &theirs.public_key(), &["--x-only"]), ecdh::shared_x(&theirs.public_key(), &mine));
    let full = hex(&theirs.public_key().to_bytes_uncompressed());
    let key = hex(&mine.to_bytes());
    assert_eq!(bytes(&phalanx_on(key.as_bytes(), ["ecdh", "--public-key", &full]).expect(0).stdout), expected);
    for public in ["", "02", "zz", &"05".repeat(33), &full[..130 - 2]] {
        phalanx_on(key.as_bytes(), ["ecdh", "--public-key", public]).expect(2);
    }
}

#[test]
fn contradictions_are_refused() {
    let digest = "05".repeat(32);
    for arguments in [
        &["sign"][..],
        &["sign", "--digest", "00"],
        &["sign", "--digest", &digest, "--message", "x"],
        &["sign", "--message-hex", "xyz"],
        &["sign", "--message-file", "/no/such/file"],
        &["sign", "--digest", &digest, "--scheme", "rsa"],
        &["sign", "--digest", &digest, "--aux", &digest],
        &["sign", "--digest", &digest, "--recoverable", "--encoding", "der"],
        &["sign", "--digest", &digest, "--recoverable", "--scheme", "schnorr"],
        &["sign", "--digest", &digest, "--encoding", "der", "--scheme", "schnorr"],
        &["sign", "--digest", &digest, "--scheme", "schnorr", "--aux", "00"],
        &["ecdh"],
    ] {
        let run = phalanx_on(ONE.as_bytes(), arguments).expect(2);
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{arguments:?}");
    }
}
