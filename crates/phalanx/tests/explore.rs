//! The example `explore`, driven the way a learner, a pipe and a fuzzer would.

#[path = "../examples/explore/calculator.rs"]
mod calculator;
#[path = "../examples/explore/session.rs"]
mod session;
#[path = "../examples/explore/value.rs"]
mod value;

use proptest::prelude::*;
use std::io::{self, Write};

/// The answers to some lines, and how many failed.
fn answers(input: &[u8]) -> (String, usize) {
    let mut output = Vec::new();
    let failures = session::run(input, &mut output, false).unwrap();
    (String::from_utf8(output).unwrap(), failures)
}

/// The answer to the last of some lines, all of which succeed.
fn last(lines: &str) -> String {
    let (output, failures) = answers(lines.as_bytes());
    assert_eq!(failures, 0, "{output}");
    output.lines().last().unwrap().to_owned()
}

#[test]
fn numbers() {
    assert_eq!(last("x = 7 * 3 - 1"), "x = 20");
    assert_eq!(last("2 + 3 * 4 ^ 2"), "50");
    assert_eq!(last("-(2 + 3) + 0x5"), "0");
    assert_eq!(last("a = 6\na / 3 / 2"), "1");
    assert_eq!(last("inv 2 + inv 2"), "1");
    assert_eq!(last("-1 == lambda + lambda ^ 2"), "yes");
    assert_eq!(last("sqrt 4 mod p"), "2");
    assert_eq!(last("beta ^ 3 == 1 mod p"), "yes");
    assert_eq!(last("hex -1"), "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140");
    assert_eq!(
        last("limbs 1"),
        concat!(
            "[0000000000000001, 0000000000000000, 0000000000000000, 0000000000000000]",
            ", least significant first"
        )
    );
}

#[test]
fn points() {
    assert_eq!(last("P = 5 * G\nP + P == 10 * G"), "yes");
    assert_eq!(last("G - G"), "O");
    assert_eq!(last("7 * G / 7 == G"), "yes");
    assert_eq!(last("endo G == lambda * G"), "yes");
    assert_eq!(last("ycoord G ^ 2 == xcoord G ^ 3 + 7 mod p"), "yes");
    assert_eq!(last("x = xcoord (-G)\nlift x == G"), "yes");
    assert_eq!(last("endo -G == -endo G"), "yes");
    assert_eq!(last("-G + G == O"), "yes");
    assert_eq!(last("hex G"), "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");
    assert!(last("halves (2 ^ 200)").ends_with(" lambda"));
    let (output, _) = answers(b"P = G");
    assert!(output.lines().all(|line| line.contains("0x")) && output.lines().nth(1).unwrap().starts_with("     0x"));
}

#[test]
fn mistakes_are_answered_and_the_next_line_goes_on() {
    for line in [
        "1 +",
        "(1",
        "1)",
        "1 2",
        "x",
        "1 / 0",
        "G * G",
        "G + 1",
        "sqrt 4",
        "sqrt 3 mod p",
        "xcoord O",
        "2 ^ G",
        "2 ^ -1",
        "mod p",
        "1 mod q",
        "1 = 2",
        "inv = 3",
        "= 1",
        "x =",
        "$",
        "0xg",
        "12a",
        "lift 5 mod p",
        "inv",
        "hex (1 == 1)",
        "115792089237316195423570985008687907852837564279074904382605163141518161494337",
        "G == 1",
        "x = = 1",
    ] {
        let (output, failures) = answers(format!("{line}\n1 + 1\n").as_bytes());
        assert_eq!(failures, 1, "{line}: {output}");
        assert!(output.starts_with("error: ") && output.ends_with("\n2\n"), "{line}: {output}");
    }
    assert_eq!(answers("(".repeat(100_000).as_bytes()).1, 1);
    assert_eq!(answers("-".repeat(100_000).as_bytes()).1, 1);
}

#[test]
fn every_way_a_session_ends() {
    assert_eq!(answers(b""), (String::new(), 0));
    assert_eq!(answers(b"\n  \n# a remark\n"), (String::new(), 0));
    assert_eq!(answers(b"1\nquit\n2\n"), ("1\n".to_owned(), 0));
    assert_eq!(answers(b"1\r\n2"), ("1\n2\n".to_owned(), 0));
    assert_eq!(answers(b"\xff\xfe\n3\n").1, 1);
    assert!(answers(b"help").0.contains("halves"));
    let mut prompted = Vec::new();
    session::run(&b"1\n"[..], &mut prompted, true).unwrap();
    assert_eq!(prompted, b"> 1\n> \n");
}

#[test]
fn a_reader_who_leaves_ends_the_session() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = session::run(&b"1\n2\n"[..], Closed, false).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}

/// Everything the grammar knows, and a little more.
const TOKENS: &str =
    "1 0 0x x G O lambda beta ( ) + - * / ^ = == mod p n inv sqrt limbs hex halves xcoord ycoord endo lift _";

proptest! {
    #[test]
    fn no_line_is_too_much(line in prop::collection::vec(
        prop_oneof![
            prop::sample::select(TOKENS.split(' ').collect::<Vec<_>>()).prop_map(str::to_owned),
            ".{0,3}",
        ],
        0..12,
    )) {
        let text = line.join(" ");
        answers(format!("{text}\n").as_bytes());
    }
}
