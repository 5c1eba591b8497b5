//! A room knows the rooms under it and none above: the order between crates, and between the modules of each crate.
//!
//! The order of modules is the one list per crate in this file; a module that is missing from it fails the test, so
//! that every new one is given a place. Code under `cfg(test)` may look anywhere.

use crate::shipped::{attributes, is_test, repository};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::{Item, UseTree};

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
    &["ecdsa", "schnorr", "ecdh"],
    &["one_thread"],
    &["bulk"],
    &["msm"],
    &["batch"],
    &["internals", "guide"],
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
    &["ecdh"],
    &["xonly"],
    &["keypair"],
    &["nonce"],
    &["schnorrsig"],
    &["tagged"],
];

/// `verkle/rust`.
const BANDERWAGON: &[&[&str]] =
    &[&["field", "hash", "tables"], &["scalar"], &["element"], &["basis"], &["commitment"], &["verkle"]];

/// `bindings/ffi`.
const FFI: &[&[&str]] =
    &[&["columns", "status"], &["memory"], &["output", "by_copy", "owned", "bulk_head"], &["given"]];

/// `bindings/c`.
const CAPI: &[&[&str]] =
    &[&["types", "version"], &["status"], &["ffi"], &["handle"], &["run"], &["rows"], &["batch", "sums", "fixed_base"]];

/// `verkle/c`.
const VERKLE_CAPI: &[&[&str]] = &[&["adders", "basis"], &["tables"], &["commit"]];

/// `bindings/go-image`.
const GO_IMAGE: &[&[&str]] = &[
    &["call", "stack", "memory"],
    &["image"],
    &["ffi"],
    &["vectors"],
    &["single", "fixed_base"],
    &["rows"],
    &["entry"],
];

/// `verkle/go-image`.
const GO_COMMITMENTS: &[&[&str]] = &[&["operation"], &["element", "tables"], &["elements", "commit"], &["entry"]];

/// `crates/rows`.
const ROWS: &[&[&str]] = &[
    &["event", "fault", "roles", "policy", "column", "recovery_id"],
    &["selection", "packed"],
    &["cells", "outcome"],
    &["arrow", "tally"],
    &["block"],
    &["signature", "batching"],
    &["terms", "recover", "verify"],
    &["answers"],
];

/// `crates/cli`.
const COMMAND: &[&[&str]] =
    &[&["args"], &["exit"], &["process"], &["input"], &["output"], &["pipeline"], &["commands"], &["fuzzing"]];

/// `bindings/python`, its half in Rust.
const PYTHON: &[&[&str]] = &[
    &["error"],
    &["ffi", "threads", "backends"],
    &["wipe"],
    &["keys"],
    &["input", "output", "verdicts"],
    &["reading"],
    &["rows", "secret"],
    &["compute", "sums"],
];

/// The crates that ship; each may depend on those before it. Of the others none may be depended on, except by tests.
const CRATES: [&str; 13] = [
    "phalanx-engine",
    "phalanx-banderwagon",
    "phalanx",
    "phalanx-ffi",
    "phalanx-libsecp256k1",
    "phalanx-capi",
    "phalanx-verkle-capi",
    "phalanx-go-image",
    "phalanx-go-commitments",
    "phalanx-rows",
    "phalanx-cli",
    "phalanx-python",
    "phalanx-verkle-python",
];
/// What other tools may depend on: the sizes of tests.
const BELOW_TOOLS: &str = "phalanx-tiers";

/// The modules of a crate and what each refers to.
#[derive(Default)]
struct References {
    /// Name after `crate::` or its equal, with the top-level module and the file where it stands.
    found: BTreeSet<(String, String, PathBuf)>,
    /// Names that the crate root takes from one of its modules.
    exported: BTreeMap<String, String>,
    /// The modules declared in the crate root, tests left out.
    rooms: BTreeSet<String>,
}

impl References {
    /// Reads a crate from its root file on.
    fn of_crate(root: &Path) -> References {
        let mut references = References::default();
        let folder = root.parent().expect("a root file lies in a folder");
        references.read_file(root, folder, &[]);
        references
    }

    fn read_file(&mut self, file: &Path, folder: &Path, path: &[String]) {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.read_source(&text, file, folder, path);
    }

    fn read_source(&mut self, text: &str, file: &Path, folder: &Path, path: &[String]) {
        let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.read_items(parsed.items, file, folder, path);
    }

    /// `path` are the modules from the root to here, `folder` is where files of modules declared here lie.
    fn read_items(&mut self, items: Vec<Item>, file: &Path, folder: &Path, path: &[String]) {
        for item in items {
            match item {
                Item::Mod(module) if is_test(&module.attrs) => {}
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    if path.is_empty() {
                        self.rooms.insert(name.clone());
                    }
                    let inner = [path, std::slice::from_ref(&name)].concat();
                    let folder = folder.join(&name);
                    match module.content {
                        Some((_, items)) => self.read_items(items, file, &folder, &inner),
                        None => {
                            let flat = folder.with_extension("rs");
                            let file = if flat.exists() { flat } else { folder.join("mod.rs") };
                            self.read_file(&file, &folder, &inner);
                        }
                    }
                }
                Item::Use(import) if path.is_empty() => self.read_exports(&import.tree, None),
                item if is_test(attributes(&item)) => {}
                item => self.read_tokens(item.into_token_stream(), file, path),
            }
        }
    }

    /// What a `use` in the crate root takes from where.
    fn read_exports(&mut self, tree: &UseTree, module: Option<&str>) {
        match tree {
            UseTree::Path(path) => {
                let name = path.ident.to_string();
                let local = matches!(&name[..], "crate" | "self");
                self.read_exports(&path.tree, module.or_else(|| (!local).then_some(&name[..])));
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.read_exports(tree, module)),
            UseTree::Name(name) => self.export(name.ident.to_string(), module),
            UseTree::Rename(rename) => self.export(rename.rename.to_string(), module),
            _ => panic!("a form of `use` in the crate root whose names cannot be told"),
        }
    }

    fn export(&mut self, name: String, module: Option<&str>) {
        if let Some(module) = module {
            self.exported.insert(name, module.to_owned());
        }
    }

    /// Finds `crate::name`, `crate::{name, ..}` and as many `super` as lead to the crate root, in macros too.
    fn read_tokens(&mut self, tokens: TokenStream, file: &Path, path: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (position, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.read_tokens(group.stream(), file, path),
                TokenTree::Ident(ident) if ident == "crate" => self.read_names(&tokens[position + 1..], file, path),
                TokenTree::Ident(ident) if ident == "super" => {
                    let supers = 1 + leading_supers(&tokens[position + 1..]);
                    let nested = position >= 3 && is_ident(&tokens[position - 3], "super");
                    if !nested && supers == path.len() {
                        self.read_names(&tokens[position + 1 + 3 * (supers - 1)..], file, path);
                    }
                }
                _ => {}
            }
        }
    }

    /// The names that follow the crate root: `:: name` or `:: { name .., name .. }`.
    fn read_names(&mut self, tokens: &[TokenTree], file: &Path, path: &[String]) {
        let [TokenTree::Punct(first), TokenTree::Punct(second), next, ..] = tokens else { return };
        if (first.as_char(), second.as_char()) != (':', ':') {
            return;
        }
        let names: Vec<String> = match next {
            TokenTree::Ident(name) => vec![name.to_string()],
            TokenTree::Group(group) => first_names(group.stream()),
            _ => Vec::new(),
        };
        if let Some(room) = path.first() {
            self.found.extend(names.into_iter().map(|name| (room.clone(), name, file.to_owned())));
        }
    }

    /// What is wrong with the references, in words; nothing when all is well.
    fn violations(&self, order: &[&[&str]]) -> Vec<String> {
        let rank = |room: &str| order.iter().position(|rooms| rooms.contains(&room));
        let mut violations = Vec::new();
        for room in self.rooms.iter().filter(|room| rank(room).is_none()) {
            violations.push(format!("module {room} has no place in the order"));
        }
        for (room, name, file) in &self.found {
            let target = if self.rooms.contains(name) { Some(name) } else { self.exported.get(name) };
            let Some(target) = target else {
                violations.push(format!("{}: crate::{name} is in no known room", file.display()));
                continue;
            };
            if target != room && rank(target) > rank(room) {
                violations.push(format!("{}: {room} knows {target}, which is above it ({name})", file.display()));
            }
        }
        violations
    }
}

/// How many further `:: super` follow.
fn leading_supers(tokens: &[TokenTree]) -> usize {
    tokens.chunks_exact(3).take_while(|chunk| is_ident(&chunk[2], "super")).count()
}

fn is_ident(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == name)
}

/// The first identifier of each element of a group.
fn first_names(group: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = group.into_iter().collect();
    let elements = tokens.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
    let first = |element: &[TokenTree]| match element.first() {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    };
    elements.filter_map(first).collect()
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
        ("crates/rows", ROWS),
        ("crates/cli", COMMAND),
        ("bindings/python", PYTHON),
    ];
    for (folder, order) in crates {
        let references = References::of_crate(&repository().join(folder).join("src/lib.rs"));
        assert!(references.rooms.len() > 3, "{folder}: {:?}", references.rooms);
        let violations = references.violations(order);
        assert!(violations.is_empty(), "{folder}:\n{}", violations.join("\n"));
        println!("{folder}: {} rooms, {} references, in order", references.rooms.len(), references.found.len());
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

/// What the checker says about a crate of two rooms, `below` and `above`, when `below` holds the given source. They are
/// named by their place in the list, whose first line is the lowest room.
fn planted(source: &str) -> Vec<String> {
    let mut references = References::default();
    references.rooms.extend(["below".to_owned(), "above".to_owned()]);
    references.exported.insert("High".into(), "above".into());
    references.exported.insert("Low".into(), "below".into());
    let path = ["below".to_owned()];
    references.read_source(source, Path::new("below.rs"), Path::new("below"), &path);
    references.violations(&[&["below"], &["above"]])
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
    assert!(planted("use crate::nowhere;")[0].contains("no known room"));
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
        assert_eq!(planted(source), Vec::<String>::new(), "{source}");
    }
}

#[test]
fn a_module_without_a_place_is_reported() {
    let mut references = References::default();
    references.rooms.insert("stray".into());
    assert_eq!(references.violations(&[&["below"]]), ["module stray has no place in the order"]);
}
