//! What the command says about itself.

use crate::running::phalanx;

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
    for command in ["recover", "msm", "keygen", "pubkey", "sign", "ecdh", "info", "bench", "fixed-base"] {
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
