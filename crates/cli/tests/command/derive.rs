//! `phalanx derive`: extended keys in, children out.

use std::fs;

use serde_json::Value;

use crate::running::{Run, command, directory, json_lines, path, phalanx, phalanx_on, place};

/// The account of BIP-84's example.
pub(crate) const XPUB: &str =
    "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
/// Its receiving addresses 0 and 1, and its change address 0.
const ADDRESSES: [&str; 3] = [
    "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
    "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g",
    "bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el",
];
/// A master key: that of BIP-32's test vector 1.
const XPRV: &str =
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
/// The extended public key of m/0h/1 under it.
const DESCENDANT: &str =
    "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ";

/// The summary of a run with `--json`.
fn summary(run: &Run) -> Value {
    let lines: Vec<&str> = run.stdout.lines().chain(run.stderr.lines()).collect();
    serde_json::from_str(
        lines.iter().rfind(|line| line.starts_with("{\"backend\"") || line.starts_with("{\"children")).unwrap(),
    )
    .unwrap()
}

/// Keys, children and faults.
fn counts(run: &Run) -> [u64; 3] {
    let summary = summary(run);
    ["keys", "children", "fault_count"].map(|name| summary[name].as_u64().unwrap())
}

#[test]
fn a_range_is_a_line_for_each_address() {
    let run = phalanx(["derive", XPUB, "--path", "m/0", "--range", "0..1", "--address", "p2wpkh"]).expect(0);
    assert_eq!(run.stdout, format!("0\t{}\n1\t{}\n", ADDRESSES[0], ADDRESSES[1]));
    assert!(run.stderr.starts_with("1  keys\n2  children\n"), "{}", run.stderr);
    let run = phalanx(["derive", "-q", XPUB, "--path", "1", "--range", "0..0", "--address", "p2wpkh"]).expect(0);
    assert_eq!((&run.stdout[..], &run.stderr[..]), (&format!("0\t{}\n", ADDRESSES[2])[..], ""));
    // Keys alone, of which the last has the last index.
    let run = phalanx(["derive", "--json", XPUB, "--range", "2147483647..2147483647"]).expect(0);
    let key = run.stdout.trim_end().strip_prefix("2147483647\t").unwrap();
    assert!(key.len() == 66 && key.starts_with('0'), "{key}");
    assert_eq!(counts(&run), [1, 1, 0]);
}

#[test]
fn each_kind_and_network_has_its_addresses() {
    for (kind, starts) in [
        ("p2pkh", [&["1"][..], &["m", "n"], &["m", "n"]]),
        ("p2sh-p2wpkh", [&["3"], &["2"], &["2"]]),
        ("p2wpkh", [&["bc1q"], &["tb1q"], &["bcrt1q"]]),
        ("p2tr", [&["bc1p"], &["tb1p"], &["bcrt1p"]]),
    ] {
        for (network, starts) in ["main", "test", "regtest"].into_iter().zip(starts) {
            let arguments = ["derive", "-q", XPUB, "--range", "5..20", "--address", kind, "--network", network];
            let lines = phalanx(arguments).expect(0).stdout;
            assert_eq!(lines.lines().count(), 16);
            for line in lines.lines() {
                let (_, address) = line.split_once('\t').unwrap();
                assert!(starts.iter().any(|start| address.starts_with(start)), "{kind} on {network}: {line}");
            }
        }
    }
}

#[test]
fn a_file_has_keys_of_either_kind() {
    let directory = directory();
    let secret = place(&directory, "master", format!("# the master\n\n  {XPRV}\r\n").as_bytes());
    let public = phalanx(["derive", "-q", DESCENDANT, "--range", "0..9", "--address", "p2tr"]).expect(0).stdout;
    let numbered: String = public.lines().map(|line| format!("0\t{line}\n")).collect();
    let arguments = ["derive", "-q", "--path", "m/0h/1", "--range", "0..9", "--address", "p2tr"];
    assert_eq!(phalanx(arguments.into_iter().chain([&secret[..]])).expect(0).stdout, numbered);
    let on_input = phalanx_on(XPRV.as_bytes(), arguments.into_iter().chain(["-"])).expect(0);
    assert_eq!((on_input.stdout, on_input.stderr), (numbered, String::new()));
    // Several keys are numbered in their order.
    let run = phalanx(["derive", "-q", XPUB, DESCENDANT, "--range", "7..8"]).expect(0);
    let starts: Vec<&str> = run.stdout.lines().map(|line| &line[..4]).collect();
    assert_eq!(starts, ["0\t7\t", "0\t8\t", "1\t7\t", "1\t8\t"]);
}

#[test]
fn a_secret_key_is_never_taken_from_the_command_line() {
    let in_descriptor = [format!("wpkh({XPRV}/0/*)"), format!("[d34db33f/84h]{XPRV}"), format!(" {XPRV}")];
    for secret in [XPRV, &XPRV.replace("xprv", "tprv"), &XPRV.replace("xprv", "Zprv"), &XPRV[..110], &XPRV[..41]]
        .into_iter()
        .chain(in_descriptor.iter().map(|text| &text[..]))
    {
        let run = phalanx(["derive", secret, "--range", "0..9"]).expect(2);
        assert!(run.stderr.contains("never taken from the command line") && run.stdout.is_empty(), "{}", run.stderr);
        assert!(!run.stderr.contains(&XPRV[4..24]), "{}", run.stderr);
    }
}

#[test]
fn a_key_that_is_none_does_not_stop_the_others() {
    let directory = directory();
    let wrong = XPRV.replace('J', "K");
    let long = "x".repeat(100_000);
    let lines = [XPUB, &wrong, "rubbish", DESCENDANT, &long, "\u{fc}", &"z".repeat(1025)];
    let file = place(&directory, "keys", lines.join("\n").as_bytes());
    let out = path(&directory, "out.jsonl");
    let run = phalanx(["derive", "--json", "--range", "0..4999", "--out", &out, &file]).expect(3);
    assert_eq!(counts(&run), [2, 10_000, 5]);
    for line in [2, 3, 5, 6, 7] {
        assert!(run.stderr.contains(&format!("phalanx: {file}, line {line}: not an extended key")), "{}", run.stderr);
    }
    assert!(!run.stderr.contains(&wrong[4..]) && !run.stderr.contains("rubbish"), "no line is repeated");
    let rows = json_lines(&out);
    assert_eq!((&rows[4999]["key"], &rows[5000]["key"]), (&0.into(), &3.into()));
    // A hardened step has no way from a public key, and has one from a secret key.
    let mixed = place(&directory, "mixed", format!("{XPUB}\n{XPRV}\n").as_bytes());
    let run = phalanx(["derive", "--json", "--range", "0..9", "--path", "m/1h", "--out", &out, &mixed]).expect(3);
    assert_eq!(counts(&run), [1, 10, 1]);
    assert!(run.stderr.contains("line 1: a hardened child has no way"), "{}", run.stderr);
    // A file that is not there leaves no output, and the rest is derived.
    let before = fs::read(&out).unwrap();
    let run =
        phalanx(["derive", "--json", "--range", "0..9", "--out", &out, XPUB, &path(&directory, "none")]).expect(2);
    assert_eq!(counts(&run), [1, 10, 0]);
    assert_eq!(summary(&run)["failed"].as_array().unwrap().len(), 1);
    assert_eq!(fs::read(&out).unwrap(), before);
    // A public key with a wrong digit is named as a key.
    let run = phalanx(["derive", &XPUB.replace('K', "L"), "--range", "0..9"]).expect(2);
    assert!(run.stderr.contains("not an extended key"), "{}", run.stderr);
}

#[test]
fn outputs_are_the_same_whatever_computes_them() {
    let directory = directory();
    let keys = place(&directory, "keys", format!("{XPUB}\n{DESCENDANT}\n").as_bytes());
    let out = |ending: &str| path(&directory, &format!("out.{ending}"));
    for ending in ["parquet", "csv", "jsonl"] {
        let mut found = Vec::new();
        for backend in phalanx::Backend::available() {
            for threads in ["1", "3"] {
                let arguments =
                    ["derive", "--range", "0..5000", "--address", "p2sh-p2wpkh", "-j", threads, "--backend"];
                let run =
                    phalanx(arguments.into_iter().chain([backend.name(), "--out", &out(ending), &keys])).expect(0);
                assert!(run.stdout.starts_with("     2  keys\n10,002  children\n"), "{}", run.stdout);
                found.push(fs::read(out(ending)).unwrap());
            }
        }
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{ending}");
    }
    let (rows, lines) = (json_lines(&out("jsonl")), fs::read_to_string(out("csv")).unwrap());
    assert_eq!((rows.len(), lines.lines().count()), (10_002, 10_003));
    assert_eq!(lines.lines().next(), Some("key,index,public_key,script,address"));
    let row = &rows[5001];
    assert_eq!((&row["key"], &row["index"]), (&1.into(), &0.into()));
    assert!(row["script"].as_str().unwrap().starts_with("a914") && row["address"].as_str().unwrap().starts_with('3'));
    // On standard output as rows.
    let run = phalanx(["derive", "--json", "--range", "0..1", "--out", "-", XPUB]).expect(0);
    assert_eq!((run.answers().len(), counts(&run)), (2, [1, 2, 0]));
}

/// The key of BIP-84's example as SLIP-132 writes it.
const ZPUB: &str =
    "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";

/// The same, for scripts of several keys.
const SEVERAL: &str =
    "Zpub739WFCnqb8H6bozqRWNgL4NwrVvUUDaa5UodTovoPXuLnoVJTvkwKA6b5ioUif4ntuhU53ob9LUdZ66F3uNGoX8S6gzjGa1yvYFtkDRknR2";

#[test]
fn keys_are_read_as_wallets_write_them() {
    let directory = directory();
    let with = |origin: &str, key: &str| format!("{origin}{key}/0/*");
    let (origin, bare) = ("[d34db33f/84h/0h/0h]", with("", XPUB));
    let texts =
        [bare.clone(), with(origin, XPUB), with("", ZPUB), format!("wpkh({})", with("[d34db33f/84'/0'/0']", XPUB))];
    let address = ["--range", "0..1", "--address", "p2wpkh"];
    let lines = |number: usize| format!("{number}\t0\t{}\n{number}\t1\t{}\n", ADDRESSES[0], ADDRESSES[1]);
    for text in &texts {
        let run = phalanx(["derive", "-q", text].into_iter().chain(address)).expect(0);
        assert_eq!((run.stdout, run.stderr), (lines(0).replace("0\t0\t", "0\t").replace("0\t1\t", "1\t"), "".into()));
        let run = phalanx(["derive", "-q", &format!(" {text}")].into_iter().chain(address)).expect(0);
        assert_eq!(run.stdout.lines().count(), 2);
    }
    // In a file, with a byte order mark and the line ends of Windows.
    let file = place(&directory, "accounts", format!("\u{feff}{}\r\n", texts.join("\r\n")).as_bytes());
    let expected: String = (0..texts.len()).map(lines).collect();
    assert_eq!(phalanx(["derive", "-q", &file].into_iter().chain(address)).expect(0).stdout, expected);
    let on_input = phalanx_on(&fs::read(&file).unwrap(), ["derive", "-q", "-"].into_iter().chain(address));
    assert_eq!(on_input.expect(0).stdout, expected);
    // Without a path of its own, a key has that of --path.
    for key in [XPUB, ZPUB, &format!("{origin}{XPUB}")] {
        let run = phalanx(["derive", "-q", key, "--path", "m/1"].into_iter().chain(address)).expect(0);
        assert!(run.stdout.starts_with(&format!("0\t{}\n", ADDRESSES[2])), "{}", run.stdout);
    }
    // Without --address there are keys, and a word on the addresses that the text says.
    let run = phalanx(["derive", ZPUB, "--path", "0", "--range", "0..0"]).expect(0);
    assert!(run.stdout.starts_with("0\t0") && run.stderr.contains("--address p2wpkh prints"), "{}", run.stderr);
    let utf_16: Vec<u8> = format!("\u{feff}{XPUB}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let file = place(&directory, "utf-16", &utf_16);
    let run = phalanx(["derive", &file, "--range", "0..0"]).expect(2);
    assert!(run.stderr.contains("utf-16: the text is UTF-16: save it as UTF-8"), "{}", run.stderr);
}

#[test]
fn what_is_no_key_says_what_it_is() {
    let directory = directory();
    for (text, more, said) in [
        (format!("wpkh({XPUB}/0/*)#aaaaaaaa"), &[][..], "the checksum behind the descriptor is wrong"),
        (format!("wsh(multi(1,{XPUB}/0/*,{XPUB}/1/*))"), &[], "a descriptor of another form"),
        (format!("wpkh({XPUB}/<0;1>/*)"), &[], "two paths in one descriptor"),
        (format!("wpkh({XPUB}/0/5)"), &[], "stands for one key"),
        (format!("{XPUB}/0"), &[], "stands for one key"),
        (format!("{XPUB}/0/*h"), &[], "stands for hardened children"),
        (format!("[d34db33]{XPUB}"), &[], "not the origin of a key"),
        (format!("{XPUB}/0/*"), &["--path", "m/0"], "has a path of its own"),
        (format!("wpkh({XPUB}/0/*)"), &["--address", "p2tr"], "is for p2wpkh addresses"),
        (ZPUB.to_owned(), &["--address", "p2pkh"], "is for p2wpkh addresses"),
        (ZPUB.replace('K', "L"), &[], "the checksum is wrong"),
        (SEVERAL.to_owned(), &[], "an extended key for scripts of several keys"),
        (ZPUB[..110].to_owned(), &[], "not 82 bytes in Base58"),
    ] {
        let arguments = ["derive", "--range", "0..0"].into_iter().chain(more.iter().copied());
        let run = phalanx(arguments.clone().chain([&text[..]]));
        assert!([2, 3].contains(&run.status) && run.stderr.contains(said), "{text}: {}", run.stderr);
        assert!(!run.stderr.contains("No such file"), "{text}: {}", run.stderr);
        let file = place(&directory, "keys", text.as_bytes());
        let run = phalanx(arguments.chain([&file[..]])).expect(3);
        assert!(run.stderr.contains(&format!("keys, line 1: {said}")) || run.stderr.contains(said), "{}", run.stderr);
        assert!(!run.stderr.contains(&XPUB[6..]), "no line is repeated");
    }
}

#[test]
fn a_reader_that_goes_away_ends_a_long_range() {
    use std::io::{BufRead, BufReader};
    let mut command = command();
    command.args(["derive", "-q", "--range", "0..2147483647", XPUB]).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("0\t0"), "{line}");
    assert_eq!(child.wait().unwrap().code(), Some(2));
}
