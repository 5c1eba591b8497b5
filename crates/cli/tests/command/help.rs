//! What the command says about itself.

use crate::running::{directory, phalanx, place};

/// The subcommands that have options.
const COMMANDS: [&str; 13] = [
    "verify", "recover", "senders", "msm", "scan", "blocks", "derive", "keygen", "pubkey", "sign", "ecdh", "info",
    "bench",
];

#[test]
fn help_says_what_there_is_to_know() {
    let text = phalanx(["help", "verify"]).expect(0).stdout;
    for word in
        ["0    every row is valid", "130", "msg_hash", "from_address", "high_s", "Examples", "--low-s", "EIP-155"]
    {
        assert!(text.contains(word), "{word}");
    }
    let short = phalanx(["verify", "-h"]).expect(0).stdout;
    assert!(short.contains("Exit status") && short.len() < text.len());
    for command in COMMANDS.into_iter().chain(["completions", "man"]) {
        assert!(phalanx(["help", command]).expect(0).stdout.contains("Usage: phalanx"));
        assert!(phalanx(["--help"]).expect(0).stdout.contains(command));
    }
    // Nothing can be recovered from an event.
    assert!(text.contains("Nostr") && !phalanx(["help", "recover"]).expect(0).stdout.contains("Nostr"));
    let text = phalanx(["help", "sign"]).expect(0).stdout;
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("never taken from the command line"));
    assert!(phalanx(["--version"]).expect(0).stdout.starts_with("phalanx "));
}

#[test]
fn information_about_the_machine() {
    let text = phalanx(["info"]).expect(0).stdout;
    let backends = phalanx::Backend::available();
    for word in ["cpu", "threads", "backends", backends[0].name()] {
        assert!(text.contains(word), "{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&phalanx(["info", "--json"]).expect(0).stdout).unwrap();
    assert_eq!(json["backends"].as_array().unwrap().len(), backends.len());
    assert_eq!(json["backend"], phalanx::Bulk::builder().build().unwrap().backend().name());
}

/// The options that the help of the command and its subcommands names.
fn options() -> Vec<String> {
    let mut options = Vec::new();
    for command in COMMANDS {
        let help = phalanx(["help", command]).expect(0).stdout;
        let named = help.lines().filter_map(|line| line.trim_start_matches("  -j,").trim_start().strip_prefix("--"));
        options.extend(named.map(|line| format!("--{}", line.split([' ', ',']).next().unwrap())));
    }
    assert!(options.len() > 40 && options.contains(&"--hybrid-keys".to_owned()), "{options:?}");
    options
}

#[test]
fn every_option_is_in_the_manual_page() {
    let page = phalanx(["man"]).expect(0).stdout;
    let plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "");
    for option in options() {
        assert!(plain.contains(&option), "{option}");
    }
    for part in [".TH phalanx 1", ".SH NAME", ".SH \"PHALANX VERIFY\"", "msg_hash"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("verify(1)"), "there is one page");
    // Each subcommand is one section.
    assert_eq!(page.matches("\n.SH \"PHALANX ").count(), 15);
    assert_eq!(page.matches("\n.SH SYNOPSIS").count(), 1);
}

#[test]
fn shells_can_read_their_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = phalanx(["completions", shell]).expect(0).stdout;
        for option in options() {
            let bare = option.trim_start_matches('-');
            assert!(script.contains(bare), "{shell}: {option}");
        }
        if !["bash", "zsh", "fish"].contains(&shell) {
            continue;
        }
        let directory = directory();
        let file = place(&directory, "completions", script.as_bytes());
        match std::process::Command::new(shell).arg("-n").arg(&file).output() {
            Ok(checked) => assert!(checked.status.success(), "{shell}: {}", String::from_utf8_lossy(&checked.stderr)),
            Err(_) => phalanx_tiers::skipped(&format!("{shell} is not here"), "that it can read its completions"),
        }
    }
    assert!(phalanx(["completions", "cmd"]).expect(2).stderr.contains("powershell"));
}
