//! `include/phalanx.h` is what this crate's source says: made again here and compared.
//!
//! After a change, `PHALANX_WRITE_HEADER=1 cargo test -p phalanx-capi --test header` writes it.

use library::bulk::Operation;
use quote::ToTokens;
use std::{fmt::Write, fs, path::Path};
use syn::{Attribute, Expr, FnArg, Item, ItemFn, Lit, Meta, ReturnType, Type, Visibility};

/// The files whose outward items the header has, in its order.
const FILES: [&str; 12] = [
    "version",
    "../../ffi/src/columns",
    "types",
    "../../ffi/src/status",
    "status",
    "handle",
    "rows",
    "batch",
    "sums",
    "fixed_base",
    "basis",
    "commit",
];

const HEAD: &str = "\
/* Phalanx: secp256k1 one at a time and many side by side, and commitments over Banderwagon.
 *
 * Made from the library's source by a test; docs/use/c.md of the repository is the page to read first.
 *
 * CALLS. Those that can fail return a status, 0 (PHALANX_OK) for success. Calls on rows take columns (a pointer, a
 * stride and a width, each in bytes), write their answers to outputs of the same kind, and give each row a verdict of
 * one byte, 0 (PHALANX_VALID) for a good row. Outputs of rows that are not good are zero. A public key is written in
 * 33 or 65 bytes, by the width of its output. A secret key that is zero, or not below the group order, makes a row
 * PHALANX_MALFORMED_ROW. Randomness may be one value for all rows, by a stride of 0. Recovery ids of new signatures
 * take longer: such signatures are made one by one. Zero rows are allowed everywhere.
 *
 * TABLES OF KEYS. Where keys repeat, verification makes tables of them and keeps them, for which it allocates memory,
 * unless the handle's options or a workspace forbid it.
 *
 * REFUSED CALLS. All memory that a call is given is checked before any of it is written. A call writes nothing where
 * a column, an output or verdicts have more bytes than there can be (128 TiB; PHALANX_BAD_COLUMN), and
 * where verdicts overlap other memory of the call (PHALANX_OVERLAP). Any other call that is refused leaves
 * PHALANX_UNDECIDED in every verdict, and its outputs as they were. So look at the status before the verdicts. Where
 * a call has no verdicts, the place of its answer takes their part: what the call says that it writes first, zeros or
 * NULL. A call that was cancelled leaves the rows that it has done, and PHALANX_UNDECIDED and zeros for the others.
 *
 * WHAT THE CALLER PROMISES. Memory that is passed is there for as many bytes as the arguments say, and nobody else
 * writes to it, or reads what is written, before the call ends. Structures and handles lie outside of what the call
 * writes. What a call can see of its arguments it checks: NULL, alignment, widths, strides, overlap of columns, outputs,
 * verdicts and workspace. A structure's numbers are read once, when the call begins.
 *
 * THREADS. Any thread may make any call at any time. Threads may share handles and bases; only phalanx_tables is for
 * one thread at a time. A handle, basis or tables may be freed by any thread, after the last call that uses it.
 *
 * ABI. Until version 1.0 a new minor version (0.x) may change the interface, and the shared library's name changes
 * with it. Within a minor version what is here stays: functions, structures and numbers may be added, and verdicts
 * too, so take none but PHALANX_VALID for a good row. No exception leaves the library; phalanx_progress says what
 * one does that leaves a callback.
 */
#ifndef PHALANX_H
#define PHALANX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

const TAIL: &str = "
#ifdef __cplusplus
}
#endif

#endif
";

#[test]
fn the_header_is_the_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = header(root);
    let path = root.join("include/phalanx.h");
    if std::env::var_os("PHALANX_WRITE_HEADER").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let first = made.lines().zip(committed.lines()).position(|(made, committed)| made != committed);
    assert!(
        made == committed,
        "include/phalanx.h is not what the source says, from line {} on; see the head of this test",
        first.map_or(made.lines().count().min(committed.lines().count()), |line| line) + 1
    );
}

/// Each outward function of the source is declared, and nothing else is.
#[test]
fn every_outward_name_is_in_the_header() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = header(root);
    let mut functions = Operation::ALL.len();
    for file in fs::read_dir(root.join("src")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        for name in source.split("extern \"C\" fn phalanx_").skip(1) {
            let name = name.split('(').next().unwrap();
            assert!(made.contains(&format!("phalanx_{name}(")), "phalanx_{name}");
            functions += 1;
        }
    }
    assert!(functions > 20, "{functions} functions");
    assert_eq!(made.matches(");\n").count(), functions + 1, "one of them is the type of a callback");
}

/// The table of `tests/c/refused.c` has every function that takes memory, with all of that memory.
#[test]
fn every_function_is_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(root.join("tests/c/refused.c")).unwrap();
    let mut functions = 0;
    for name in FILES {
        for item in items(root, name) {
            let Item::Fn(item) = item else { continue };
            let kinds = memory_of(&item);
            // A place alone is written where it is not NULL.
            if is_public(&item.vis) && !matches!(&kinds[..], "" | "h") {
                let entry = format!("{{\"{}\", \"{kinds}\",", item.sig.ident);
                assert!(table.contains(&entry), "tests/c/refused.c has no entry {entry}");
                functions += 1;
            }
        }
    }
    assert_eq!(table.matches("{\"phalanx_").count(), functions, "an entry of no function");
}

/// The memory that a function takes, a letter each as in `tests/c/refused.c`.
fn memory_of(item: &ItemFn) -> String {
    let parameters = || item.sig.inputs.iter().map(|input| input.to_token_stream().to_string().replace(' ', ""));
    let has_verdicts = parameters().any(|parameter| parameter == "out:*mutu8");
    let letter = |parameter: String| match parameter.split_once(':').unwrap() {
        (_, "*constphalanx_column") => Some('c'),
        (_, "*constphalanx_output") => Some(if has_verdicts { 'o' } else { 'a' }),
        (_, "*constphalanx_call") | ("workspace", "*mutc_void") => Some('w'),
        ("out", "*mutu8") => Some('v'),
        ("sum", "*mutu8") => Some('s'),
        (_, "*mutu8") => Some('m'),
        (_, "*constu8") => Some('f'),
        (_, ty) if ty.starts_with("*mut*mut") => Some('h'),
        _ => None,
    };
    parameters().filter_map(letter).collect()
}

fn header(root: &Path) -> String {
    let mut out = HEAD.to_owned();
    for name in FILES {
        for item in &items(root, name) {
            declare(item, &mut out);
        }
    }
    out + TAIL
}

/// The items of a file. Those of `rows` come from the library's list of operations, as its macro makes them.
fn items(root: &Path, name: &str) -> Vec<Item> {
    let mut source = fs::read_to_string(root.join(format!("src/{name}.rs"))).unwrap();
    if name == "rows" {
        source += &Operation::ALL.map(row_function).concat();
    }
    syn::parse_file(&source).unwrap().items
}

/// The source of an operation's function.
fn row_function(operation: Operation) -> String {
    let declared = operation.declaration();
    let needed = declared.outputs.len() - declared.optional_outputs;
    let reads = declared.inputs.iter().map(|(name, kind)| format!("{name} ({kind})"));
    let writes = declared
        .outputs
        .iter()
        .enumerate()
        .map(|(i, (name, kind))| format!("{name} ({kind}{})", if i < needed { "" } else { ", or NULL" }));
    let [reads, writes] =
        [reads.collect(), writes.chain(["verdicts to out".to_owned()]).collect()].map(|names: Vec<_>| names.join(", "));
    let flags = if declared.takes_flags { " Flags: 0 or PHALANX_ALLOW_HIGH_S." } else { "" };
    let about = format!("{}\n\nReads: {reads}.{flags}\nWrites: {writes}.", declared.about.trim());
    let about = wrapped(&about).lines().fold(String::new(), |all, line| all + "/// " + line + "\n");
    let parameters = declared.inputs.iter().map(|(name, _)| format!("{name}: *const phalanx_column, "));
    let parameters = parameters.chain(declared.takes_flags.then(|| "flags: u32, ".to_owned()));
    let outputs = declared.outputs.iter().map(|(name, _)| format!("{name}: *const phalanx_output, "));
    let parameters: String = parameters.chain(outputs).collect();
    let name = declared.name;
    format!(
        "{about}pub unsafe extern \"C\" fn phalanx_{name}(
            bulk: *const phalanx_bulk, {parameters}out: *mut u8, rows: usize, call: *const phalanx_call) -> i32 {{}}\n"
    )
}

/// The text in lines of the header's width.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    for paragraph in text.lines() {
        let mut width = 0;
        for word in paragraph.split_whitespace() {
            let fits = width > 0 && width + 1 + word.len() <= 114;
            out += if width == 0 {
                ""
            } else if fits {
                " "
            } else {
                "\n"
            };
            width = if fits { width + 1 + word.len() } else { word.len() };
            out += word;
        }
        out += "\n";
    }
    out
}

/// Writes an item's declaration, if it is outward.
fn declare(item: &Item, out: &mut String) {
    match item {
        Item::Const(item) if is_public(&item.vis) => {
            comment(&item.attrs, "", out);
            writeln!(out, "#define {} {}", item.ident, number(&item.expr)).unwrap();
        }
        Item::Type(item) if is_public(&item.vis) => {
            comment(&item.attrs, "", out);
            writeln!(out, "typedef {};", callback(&item.ty, &item.ident.to_string())).unwrap();
        }
        Item::Struct(item) if is_public(&item.vis) => {
            comment(&item.attrs, "", out);
            let name = &item.ident;
            if !item.attrs.iter().any(|attribute| attribute.path().is_ident("repr")) {
                writeln!(out, "typedef struct {name} {name};").unwrap();
                return;
            }
            writeln!(out, "typedef struct {name} {{").unwrap();
            for field in &item.fields {
                comment(&field.attrs, "    ", out);
                writeln!(out, "    {};", typed(&field.ty, &field.ident.as_ref().unwrap().to_string())).unwrap();
            }
            writeln!(out, "}} {name};").unwrap();
        }
        Item::Fn(item) if is_public(&item.vis) => {
            comment(&item.attrs, "", out);
            writeln!(out, "{};", function(item)).unwrap();
        }
        _ => {}
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The documentation as a comment, but for what it says to Rust alone.
fn comment(attributes: &[Attribute], indent: &str, out: &mut String) {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(text) => match &text.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let mut lines: Vec<_> = attributes.iter().filter_map(line).take_while(|line| line != "# Safety").collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    assert!(!lines.is_empty(), "an outward item without a comment");
    writeln!(out).unwrap();
    for (i, line) in lines.iter().enumerate() {
        let begin = if i == 0 { "/*" } else { " *" };
        let end = if i + 1 == lines.len() { " */" } else { "" };
        let space = if line.is_empty() { "" } else { " " };
        writeln!(out, "{indent}{begin}{space}{line}{end}").unwrap();
    }
}

fn number(value: &Expr) -> String {
    match value {
        Expr::Lit(literal) => literal.to_token_stream().to_string(),
        _ => panic!("a constant that is no number"),
    }
}

/// The C declaration of a function.
fn function(item: &ItemFn) -> String {
    let result = match &item.sig.output {
        ReturnType::Default => "void".to_owned(),
        ReturnType::Type(_, found) => c_type(found.as_ref()),
    };
    let parameter = |input: &FnArg| match input {
        FnArg::Typed(input) => typed(&input.ty, &input.pat.to_token_stream().to_string()),
        FnArg::Receiver(_) => panic!("a method"),
    };
    let parameters: Vec<_> = item.sig.inputs.iter().map(parameter).collect();
    let parameters = if parameters.is_empty() { vec!["void".to_owned()] } else { parameters };
    let space = if result.ends_with('*') { "" } else { " " };
    let head = format!("{result}{space}{}(", item.sig.ident);
    let one_line = format!("{head}{})", parameters.join(", "));
    if one_line.len() < 110 { one_line } else { format!("{head}\n    {})", parameters.join(",\n    ")) }
}

/// The C declaration of something of this type.
fn typed(ty: &Type, name: &str) -> String {
    let found = c_type(ty);
    if found.ends_with('*') { format!("{found}{name}") } else { format!("{found} {name}") }
}

/// `Option<unsafe extern "C" fn(..) -> ..>`, which is a pointer to a function.
fn callback(ty: &Type, name: &str) -> String {
    let text = ty.to_token_stream().to_string();
    let inner = text.strip_prefix("Option <").and_then(|text| text.strip_suffix('>')).expect("a callback");
    let Ok(Type::FnPtr(function)) = syn::parse_str::<Type>(inner) else { panic!("{inner}") };
    let ReturnType::Type(_, result) = &function.output else { panic!("a callback that returns nothing") };
    let parameter = |input: &syn::NamedArg| typed(&input.ty, &input.name.as_ref().unwrap().0.to_string());
    let parameters: Vec<_> = function.inputs.iter().map(parameter).collect();
    format!("{} (*{name})({})", c_type(result.as_ref()), parameters.join(", "))
}

fn c_type(ty: &Type) -> String {
    match ty {
        Type::Ptr(pointer) => {
            let inner = c_type(&pointer.elem);
            let space = if inner.ends_with('*') { "" } else { " " };
            let constant = if matches!(pointer.mutability, syn::PointerMutability::Const(_)) { "const " } else { "" };
            format!("{constant}{inner}{space}*")
        }
        Type::Path(path) => match &path.path.segments.last().unwrap().ident.to_string()[..] {
            "u8" => "uint8_t",
            "u32" => "uint32_t",
            "i32" => "int32_t",
            "usize" => "size_t",
            "c_int" => "int",
            "c_char" => "char",
            "c_void" => "void",
            name if name.starts_with("phalanx_") => return name.to_owned(),
            name => panic!("{name} has no C type here"),
        }
        .to_owned(),
        other => panic!("{} has no C type here", other.to_token_stream()),
    }
}
