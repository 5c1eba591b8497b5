//! Secrets on the command line, where people paste them by mistake: no command repeats them, at whatever place.

use crate::files::csv;
use crate::rows::{GENERATOR, ONE, rows};
use crate::running::{Run, command, directory, names, place};

/// The master key of BIP-32's first test vector, in the letters of every kind of wallet.
const EXTENDED: [&str; 10] = [
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
    "tprv8ZgxMBicQKsPeDgjzdC36fs6bMjGApWDNLR9erAXMs5skhMv36j9MV5ecvfavji5khqjWaWSFhN3YcCUUdiKH6isR4Pwy3U5y5egddBr16m",
    "yprvABrGsX5C9jantheLAR8A97LcTCTVsvThwu2FZpdxFtyH2CS4JPYxToNLixTWvGygnuRmFxVEZ18ny3GJ57nPGH8skkt4tbZXKhxuaUFh6jt",
    "zprvAWgYBBk7JR8GjzqSzmunMCS7dAbwpYTCs1YUMDXqduMA5JFHZ3iX5s2UkAR6vBdcCYYa1S5o1fVLrKsrnpCQ4WpUd6aVUWP1bS2Yy5DoaKv",
    "uprv8tXDerPXZ1QsVWsrpyyfJkxbmKsi7SViHSwNSF4QjsTkooB9HkthyYjne8dAveN1ALxYG46ziMibRtp3CL8L5LQUHQ6NYxHaEoiL29kHzK1",
    "vprv9DMUxX4ShgxMLp4yfLmHWr46wJ2A44VDCZTbDdxJ7sqdrtzNYR4GbcPvfLakvZ1vZz5M1XhZB259KBRbv2YLsa659jno8s74WXmyQmgaevA",
    "YprvANkMzkodih9AKGoi75b8yBgRAzVm6H9JGAfvV5uVdfogeNzy4nwEYvEGXfQzUiCb2NVk8YVMSDXJ6Ct4NLwLQmFYbDzUJ12XDSEnATR3W3g",
    "ZprvAhadJRUYsNgeAZzpwSNmBGmvLxeD2u8oBHC9GUoP1gBZhUpCKT6oAytQYsNaUcrWS1cYt25utssqyVVd63MMCzw9TZgtsur1VAJRYzwAEqZ",
    "Uprv95RJn67y7xyEv63EmeSe8qJQV7uyKoBJbib3MWKx7eJARyk44AGz4fbiSqaeV5auPp2X8e77ba76Z4RoVZHHDpX97sCmxMka8XzCc9fe9K9",
    "Vprv16YtLrHXxePM6QH2pP6gJegXe6NyWYhkJkS5emb9diQdXPdfDxwD42xU9Bd6xrfuNz9CGdoZgVDQD26VwcBzwg23TFNCX6dsjQCrgPBnUZm",
];

/// Hex, WIF for both forms of public keys, a key of Nostr, Base64, BIP-38, a seed in words and one in hex.
const OTHERS: [&str; 11] = [
    "c5:52:57:c3:60:c0:7c:72:02:9a:eb:c1:b5:3c:05:ed:03:62:ad:a3:8e:ad:3e:3e:9e:fa:37:08:e5:34:95:53",
    "c5525757 c360c07c 72029aeb c1b53c05 ed0362ad a38ead3e 3e9efa37 08e53495",
    "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531",
    "0xC55257C360C07C72029AEBC1B53C05ED0362ADA38EAD3E3E9EFA3708E5349553",
    "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn",
    "5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf",
    "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5",
    "xVJXw2DAfHICmuvBtTwF7QNira+OrT4+nvo3COU0lVM=",
    "6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg",
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
    "000102030405060708090a0b0c0d0e0f",
];

/// Each command with many of its options.
const COMMANDS: [&[&str]; 15] = [
    &[
        "verify",
        "rows.csv",
        "--out",
        "out",
        "--out-format",
        "csv",
        "--keep",
        "k",
        "--columns",
        "sig=x",
        "--low-s",
        "allow",
        "--der",
        "lax",
        "--batch",
        "auto",
        "--format",
        "csv",
        "--delimiter",
        "tab",
        "-j",
        "1",
        "--backend",
        "portable",
        "--block-rows",
        "8",
        "--json",
    ],
    &["recover", "rows.csv", "--out", "out.csv", "-q"],
    &["senders", "rows.csv", "--fork", "prague", "--chain-id", "1", "--format", "rlp", "-o", "out.csv"],
    &["msm", "rows.csv", "--columns", "point=p,scalar=k", "--memory", "8", "--json"],
    &["scan", "rows.csv", "--scan-key", "key", "--spend-key", GENERATOR, "--labels", "1", "--out", "out.csv", "--json"],
    &[
        "blocks",
        "none",
        "--network",
        "main",
        "--heights",
        "1..2",
        "--silent-index",
        "i.csv",
        "--out",
        "o.csv",
        "--json",
    ],
    &["derive", "none", "--range", "0..0", "--path", "m/0", "--address", "p2tr", "--network", "main", "--json"],
    &["keygen", "--secret-file", "key"],
    &["pubkey", "--secret-file", "none", "--form", "x-only"],
    &["sign", "--secret-file", "none", "--digest", ONE, "--scheme", "schnorr", "--aux", ONE],
    &["sign", "--secret-file", "none", "--message-file", "none", "--encoding", "der"],
    &["ecdh", "--secret-file", "none", "--public-key", "02", "--x-only"],
    &["info", "--json"],
    &["bench", "--seconds", "0", "--backend", "none", "--json"],
    &["completions", "none"],
];

/// Runs with a secret among the arguments. Nothing of it that is longer than a word may come back.
fn check(folder: &std::path::Path, arguments: &[String], secret: &str) {
    let run = Run::of(command().current_dir(folder).args(arguments).output().unwrap());
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    let parts: Vec<&[u8]> = secret.as_bytes().windows(12).collect();
    for said in [&run.stdout, &run.stderr] {
        let repeated = parts.iter().any(|part| said.as_bytes().windows(12).any(|other| other == *part));
        assert!(!repeated, "{arguments:?}:\n{said}");
    }
}

#[test]
fn no_message_repeats_a_secret_of_the_command_line() {
    let directory = directory();
    place(&directory, "rows.csv", csv(&rows(1)).as_bytes());
    place(&directory, "key", ONE.as_bytes());
    let before = names(directory.path());
    let secrets: Vec<&str> = EXTENDED.into_iter().chain(OTHERS).collect();
    let mut next = secrets.iter().cycle();
    for arguments in COMMANDS {
        let owned: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        // In the place of each argument, behind the name of its option, and behind them all.
        for at in 0..=arguments.len() {
            let is_name = |at: usize| arguments.get(at).is_some_and(|argument| argument.starts_with('-'));
            let secret = next.next().unwrap();
            let mut replaced = owned.clone();
            replaced.splice(at..(at + 1).min(owned.len()), [(*secret).to_owned()]);
            check(directory.path(), &replaced, secret);
            if at > 0 && is_name(at - 1) && !is_name(at) && at < arguments.len() {
                let secret = next.next().unwrap();
                let behind = if arguments[at - 1].starts_with("--") { "=" } else { "" };
                let mut joined = owned.clone();
                joined.splice(at - 1..=at, [format!("{}{behind}{secret}", arguments[at - 1])]);
                check(directory.path(), &joined, secret);
            }
        }
        // As an option, and without a command.
        let secret = next.next().unwrap();
        check(directory.path(), &[&owned[..1], &[format!("--{secret}")]].concat(), secret);
        check(directory.path(), &[format!("--{secret}")], secret);
        check(directory.path(), &[(*secret).to_owned(), "verify".to_owned()], secret);
        // A file of that name would be a key that `keygen` has made.
        for name in names(directory.path()).iter().filter(|name| !before.contains(name)) {
            std::fs::remove_file(directory.path().join(name)).unwrap();
        }
    }
}

#[test]
fn no_encoding_of_a_key_is_repeated_where_a_file_is_expected() {
    let directory = directory();
    for secret in EXTENDED.into_iter().chain(OTHERS) {
        for form in [
            secret.to_owned(),
            format!(" {secret}"),
            format!("{secret}\n"),
            format!("./{secret}"),
            format!("{secret}.txt"),
            format!("[d34db33f/84h/0h/0h]{secret}"),
            format!("wpkh({secret}/0/*)"),
            format!("'{secret}'"),
            secret[1..].to_owned(),
        ] {
            for arguments in [
                &["derive", &form, "--range", "0..0", "--json"][..],
                &["verify", &form, "--json"],
                &["pubkey", "--secret-file", &form],
                &["scan", "none.csv", "--spend-key", GENERATOR, "--scan-key", &form],
            ] {
                let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
                check(directory.path(), &arguments, secret);
            }
        }
    }
}

#[test]
fn the_words_of_a_seed_are_not_repeated() {
    let directory = directory();
    let words = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    for command in [&["derive", "--range", "0..0"][..], &["verify"], &["pubkey", "--secret-file"]] {
        let arguments: Vec<String> = command.iter().copied().chain(words.split(' ')).map(str::to_owned).collect();
        let run = Run::of(crate::running::command().current_dir(directory.path()).args(&arguments).output().unwrap());
        let run = run.expect(2);
        assert!(
            run.stderr.contains("look like the words of a wallet's seed") && run.stdout.is_empty(),
            "{}",
            run.stderr
        );
        assert!(
            words.split(' ').filter(|word| word.len() > 5).all(|word| !run.stderr.contains(word)),
            "{}",
            run.stderr
        );
    }
}
