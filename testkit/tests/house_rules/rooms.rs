//! A room knows the rooms under it and none above: the order between crates, and between the modules of each crate.
//!
//! The order of modules is the one list per crate in this file; a module that is missing from it fails the test, so
//! that every new one is given a place. Code under `cfg(test)` may look anywhere.

use crate::{shipped::repository, source::Source};
use std::collections::BTreeSet;

/// `crates/engine`, from the bottom up; modules on one line may know each other.
const ENGINE: &[&[&str]] = &[
    &["mask", "recode"],
    &["limbs"],
    &["word"],
    &["safegcd"],
    &["field"],
    &["curve"],
    &["lanes"],
    &["arena", "large_pages"],
    &["affine_add"],
    &["msm"],
    &["fixed_base"],
];

/// `crates/phalanx`. The errors, wiping and bytes that all of it needs know no curve and stand at the bottom.
const PHALANX: &[&[&str]] = &[
    &["error", "wipe", "declassify", "tuning"],
    &["encoding", "column"],
    &["hash"],
    &["arithmetic"],
    &["field"],
    &["scalar"],
    &["glv"],
    &["tables"],
    &["group"],
    &["lanes"],
    &["mul"],
    &["backend"],
    &["point"],
    &["keys"],
    &["ecdsa", "schnorr", "ecdh", "ellswift", "children"],
    &["one_thread", "payments"],
    &["bulk"],
    &["msm"],
    &["batch"],
    &["bindings", "internals", "guide"],
];

/// `bindings/libsecp256k1`.
const ABI: &[&[&str]] = &[
    &["wipe"],
    &["callbacks"],
    &["sha256"],
    &["rfc6979"],
    &["context"],
    &["declassify"],
    &["lifecycle"],
    &["opaque"],
    &["secret"],
    &["seckey"],
    &["pubkey"],
    &["order", "sum"],
    &["der"],
    &["ecdsa", "sign", "signature"],
    &["recovery"],
    &["ecdh", "ellswift"],
    &["xonly"],
    &["keypair"],
    &["nonce"],
    &["schnorrsig"],
    &["musig", "silentpayments"],
    &["tagged"],
];

/// `verkle/rust`.
const BANDERWAGON: &[&[&str]] =
    &[&["field", "hash", "operator", "tables"], &["scalar"], &["element"], &["basis"], &["commitment"], &["verkle"]];

/// `bindings/ffi`.
const FFI: &[&[&str]] =
    &[&["columns", "status"], &["memory"], &["output", "by_copy", "owned", "bulk_head"], &["given"], &["operations"]];

/// `bindings/c`.
const CAPI: &[&[&str]] = &[
    &["types", "version"],
    &["status"],
    &["ffi"],
    &["handle"],
    &["run"],
    &["rows"],
    &["silent", "sums", "fixed_base", "ellswift", "musig"],
    &["musig_session"],
];

/// `verkle/c`.
const VERKLE_CAPI: &[&[&str]] = &[&["adders", "basis"], &["tables"], &["commit"]];

/// `bindings/go-image`.
const GO_IMAGE: &[&[&str]] = &[
    &["call", "stack", "memory"],
    &["image"],
    &["ffi"],
    &["vectors"],
    &["single", "fixed_base", "silent"],
    &["rows"],
    &["entry"],
];

/// `verkle/go-image`.
const GO_COMMITMENTS: &[&[&str]] = &[&["operation"], &["element", "tables"], &["elements", "commit"], &["entry"]];

/// `crates/ethereum`.
const ETHEREUM: &[&[&str]] = &[
    &["address", "error", "fork"],
    &["rlp", "senders", "transaction_type"],
    &["block", "rules", "sidecar", "trie", "unsigned"],
    &["signed"],
    &["authorization"],
    &["transaction"],
    &["fields"],
    &["alloy"],
];

/// `crates/rows`.
const ROWS: &[&[&str]] = &[
    &["event", "fault", "key_line", "roles", "policy", "column"],
    &["forms", "id_places", "recovery_id"],
    &["selection", "packed"],
    &["cells", "outcome"],
    &["arrow", "tally"],
    &["block", "index"],
    &["signature", "batching", "bad_value"],
    &["terms", "recover", "verify"],
    &["answers"],
];

/// `crates/bitcoin`.
const BITCOIN: &[&[&str]] = &[
    &["bytes", "text", "flags", "script_error", "opcode"],
    &["number", "script", "transaction"],
    &["block", "network", "signature"],
    &["sighash"],
    &["check", "stack"],
    &["answer"],
    &["judge"],
    &["interpreter"],
    &["spend"],
    &["limits", "settle"],
    &["verifier"],
    &["work", "undo"],
    &["folder"],
    &["fuzzing"],
];

/// `crates/bip32`.
const BIP32: &[&[&str]] = &[
    &["error", "chain", "wipe"],
    &["path", "text"],
    &["address"],
    &["version"],
    &["origin", "descriptor"],
    &["public"],
    &["secret"],
    &["expression"],
    &["table"],
];

/// `crates/frost`.
const FROST: &[&[&str]] = &[
    &["declassify", "identifier", "wipe"],
    &["error"],
    &["suite"],
    &["equations", "lagrange", "tweak"],
    &["polynomial", "signature"],
    &["group"],
    &["nonces"],
    &["session"],
    &["bip445", "chilldkg", "dealer", "dkg", "repair"],
];

/// `crates/silent`.
const SILENT: &[&[&str]] = &[
    &["limits", "wipe"],
    &["error"],
    &["dleq", "hash", "inputs"],
    &["address", "tweaks"],
    &["scanner", "send"],
    &["outputs_of"],
    &["scan"],
];

/// `crates/musig`.
const MUSIG: &[&[&str]] =
    &[&["error", "wipe"], &["keys", "nonce", "partial"], &["session"], &["verify", "deterministic", "bindings"]];

/// `crates/cli`.
const COMMAND: &[&[&str]] =
    &[&["exit"], &["process"], &["input"], &["output"], &["pipeline"], &["commands"], &["fuzzing"]];

/// `bindings/python`, its half in Rust.
const PYTHON: &[&[&str]] = &[
    &["error"],
    &["ffi", "threads", "backends"],
    &["wipe", "batches"],
    &["keys"],
    &["input", "output", "verdicts", "scanner"],
    &["table"],
    &["reading"],
    &["rows", "secret", "index", "children"],
    &["compute", "sums", "scan"],
    &["once"],
    &["frost", "musig"],
    &["chilldkg"],
];

/// `bindings/duckdb`.
const DUCKDB: &[&[&str]] = &[
    &["table"],
    &["owned"],
    &["text"],
    &["file"],
    &["binding"],
    &["wallet"],
    &["answer"],
    &["columns", "lists"],
    &["callbacks"],
    &["entry"],
];

/// The crates that ship; each may depend on those before it. Of the others none may be depended on, except by tests.
const CRATES: [&str; 20] = [
    "phalanx-engine",
    "phalanx-banderwagon",
    "phalanx",
    "phalanx-ethereum",
    "phalanx-musig",
    "phalanx-ffi",
    "phalanx-libsecp256k1",
    "phalanx-verkle-capi",
    "phalanx-go-image",
    "phalanx-go-commitments",
    "phalanx-rows",
    "phalanx-bitcoin",
    "phalanx-bip32",
    "phalanx-frost",
    "phalanx-silent",
    "phalanx-duckdb",
    "phalanx-capi",
    "phalanx-cli",
    "phalanx-python",
    "phalanx-verkle-python",
];
/// What other tools may depend on: the sizes of tests.
const BELOW_TOOLS: &str = "phalanx-tiers";

/// The modules declared in the crate root, tests left out.
fn rooms(source: &Source) -> BTreeSet<&String> {
    let test = |name: &String| source.modules.get(std::slice::from_ref(name)).is_none_or(|module| module.test);
    source.root().children.iter().filter(|name| !test(name)).collect()
}

/// What a path within a module names behind the crate root: `crate::name`, or as many `super` as lead there.
fn behind_root<'p>(module: &[String], path: &'p [String]) -> Option<&'p String> {
    let supers = path.iter().take_while(|segment| *segment == "super").count();
    match path {
        [first, name, ..] if first == "crate" => Some(name),
        _ if supers == module.len() => path.get(supers),
        _ => None,
    }
}

/// What is wrong with the references between rooms, in words; nothing when all is well.
fn violations(source: &Source, order: &[&[&str]]) -> BTreeSet<String> {
    let rank = |room: &str| order.iter().position(|rooms| rooms.contains(&room));
    let rooms = rooms(source);
    let stray = rooms.iter().filter(|room| rank(room).is_none());
    let mut violations: BTreeSet<_> = stray.map(|room| format!("module {room} has no place in the order")).collect();
    // The room of a name behind the root: itself, or that from which the root takes the name.
    let room_of = |name: &String| {
        let import = source.root().imports.iter().find(|import| import.name == *name);
        let local = |segment: &&String| !matches!(&segment[..], "crate" | "self");
        if rooms.contains(name) { Some(name.clone()) } else { import?.path.iter().find(local).cloned() }
    };
    for (path, module) in source.modules.iter().filter(|(_, module)| !module.test) {
        let Some(room) = path.first() else { continue };
        let named = module.imports.iter().map(|import| &import.path).chain(&module.paths);
        for name in named.filter_map(|named| behind_root(path, named)) {
            let place = path.join("::");
            match room_of(name) {
                None => violations.insert(format!("{place}: crate::{name} is in no known room")),
                Some(target) if target != *room && rank(&target) > rank(room) => {
                    violations.insert(format!("{place}: {room} knows {target}, which is above it ({name})"))
                }
                Some(_) => false,
            };
        }
    }
    violations
}

#[test]
fn modules_know_only_rooms_below_them() {
    let crates = [
        ("crates/engine", ENGINE),
        ("verkle/rust", BANDERWAGON),
        ("crates/phalanx", PHALANX),
        ("bindings/libsecp256k1", ABI),
        ("bindings/ffi", FFI),
        ("bindings/c", CAPI),
        ("verkle/c", VERKLE_CAPI),
        ("bindings/go-image", GO_IMAGE),
        ("verkle/go-image", GO_COMMITMENTS),
        ("crates/ethereum", ETHEREUM),
        ("crates/rows", ROWS),
        ("crates/bitcoin", BITCOIN),
        ("crates/bip32", BIP32),
        ("crates/frost", FROST),
        ("crates/silent", SILENT),
        ("crates/musig", MUSIG),
        ("crates/cli", COMMAND),
        ("bindings/python", PYTHON),
        ("bindings/duckdb", DUCKDB),
    ];
    for (folder, order) in crates {
        let source = Source::of_crate(&repository().join(folder).join("src/lib.rs"));
        assert!(rooms(&source).len() > 3, "{folder}: {:?}", rooms(&source));
        let violations = violations(&source, order);
        assert!(violations.is_empty(), "{folder}: {violations:#?}");
        println!("{folder}: {} rooms, {} modules, in order", rooms(&source).len(), source.modules.len());
    }
}

#[test]
fn crates_depend_only_on_crates_below_them() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--locked", "--offline"])
        .current_dir(repository())
        .output()
        .expect("cargo can be run");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata writes JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let names: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    assert!(CRATES.iter().all(|name| names.contains(name)), "{names:?}");
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        // Tools stand after everything that ships.
        let after = |name: &str| CRATES.len() + usize::from(name != BELOW_TOOLS);
        let place = |name: &str| CRATES.iter().position(|other| *other == name).unwrap_or(after(name));
        for dependency in package["dependencies"].as_array().expect("a list") {
            let target = dependency["name"].as_str().expect("a name");
            if dependency["kind"] != "dev" && names.contains(&target) {
                assert!(place(target) < place(name), "{name} depends on {target}");
            }
        }
    }
}

/// What the checker says about a crate of two rooms, `below` and `above`, when `below` holds the given source.
fn planted(text: &str) -> BTreeSet<String> {
    let text = format!("pub use above::High; pub use below::Low; mod above {{}} mod below {{ {text} }}");
    violations(&Source::of_text(&text), &[&["below"], &["above"]])
}

#[test]
fn a_planted_import_from_above_is_found() {
    for source in [
        "use crate::above;",
        "use crate::above::thing;",
        "use crate::{Low, above::{thing, other}};",
        "use crate::High;",
        "use super::above::thing;",
        "use super::{Low, High};",
        "mod inner { use super::super::above::thing; }",
        "mod inner { mod deep { fn f() { super::super::super::above::thing() } } }",
        "fn f() -> crate::High { other() }",
        "impl Trait for crate::above::Thing {}",
        "macro_rules! m { () => { $crate::above::thing() } }",
        "fn f() { assert!(crate::above::thing()) }",
        "#[cfg(any(unix, test))] use crate::above::thing;",
    ] {
        assert_eq!(planted(source).len(), 1, "{source}");
    }
    assert!(planted("use crate::nowhere;").first().is_some_and(|error| error.contains("no known room")));
}

#[test]
fn what_is_allowed_is_not_reported() {
    for source in [
        "use crate::Low; pub(crate) fn f() {}",
        "use crate::below::thing;",
        "use super::Low;",
        "mod inner { use super::thing; }",
        "#[cfg(test)] mod tests { use crate::above::thing; }",
        "#[cfg(test)] use crate::above::thing;",
        "#[cfg(all(test, unix))] mod tests { use crate::above::thing; }",
        "/// As [`crate::above`], and `crate::above::thing`.\nfn f() {}",
        "use other::above;",
    ] {
        assert_eq!(planted(source), BTreeSet::new(), "{source}");
    }
}

#[test]
fn a_module_without_a_place_is_reported() {
    let violations = violations(&Source::of_text("mod stray {}"), &[&["below"]]);
    assert_eq!(violations.into_iter().collect::<Vec<_>>(), ["module stray has no place in the order"]);
}
