//! The Go module's functions on rows are what the list of operations says, and its numbers those of the
//! images' crates: made again here and compared.
//!
//! After a change, `PHALANX_WRITE_GO=1 cargo test -p phalanx-go-image --test go_files` writes them.

use phalanx::bindings::{ColumnKind, Declaration, SharedKind};
use phalanx_ffi::operations::Operation;
use std::{fs, path::Path};

#[test]
fn go_files_are_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../go");
    for (path, made) in [
        ("internal/ffi/numbers.go", numbers_of(CALL, "ffi", is_of_every_image)),
        ("internal/image/numbers.go", numbers_of(CALL, "image", |name| !is_of_every_image(name)) + &row_numbers()),
        ("internal/commitments/numbers.go", numbers_of(COMMITMENTS, "commitments", |name| !is_of_rust_alone(name))),
        ("rows.go", functions()),
        ("rows_pure.go", pure_rows()),
    ] {
        let path = folder.join(path);
        if std::env::var_os("PHALANX_WRITE_GO").is_some() {
            fs::write(&path, &made).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(made == committed, "{} is not what the list says; see the head of this test", path.display());
    }
}

/// No operation of the list shares a secret key yet.
#[test]
fn a_secret_key_that_rows_share_is_a_parameter() {
    let made_up = Declaration {
        name: "move_keys",
        about: "Adds the public key of a secret key to public keys. Constant time.",
        inputs: &[("public_keys", ColumnKind::PublicKey)],
        outputs: &[("moved_keys", ColumnKind::PublicKey)],
        optional_outputs: 0,
        record: None,
        shared: &[("secret_key", SharedKind::SecretKey)],
    };
    let made = method(&made_up);
    assert!(
        made.contains("publicKeys Column, secretKey SecretKey, movedKeys []PublicKey, verdicts []Verdict)"),
        "{made}"
    );
    assert!(
        made.contains("rowsWork{operation: rowsMoveKeys, secret: secretKey.bytes(), verdicts: verdicts}"),
        "{made}"
    );
}

/// The head of a file that is made, as Go's tools look for it.
const MADE: &str = "// Code generated from the library's source by a test of bindings/go-image. DO NOT EDIT.\n\n";

/// A name as Go writes it, with capitals for words; the first too, where it is outward.
fn camel(name: &str, is_outward: bool) -> String {
    let word = |(i, word): (usize, &str)| match (i > 0 || is_outward, word) {
        (true, "ecdsa") => "ECDSA".to_owned(),
        (true, _) => word[..1].to_uppercase() + &word[1..],
        (false, _) => word.to_owned(),
    };
    name.split('_').enumerate().map(word).collect()
}

fn declarations() -> [Declaration; Operation::ALL.len()] {
    Operation::ALL.map(Operation::declaration)
}

/// Machines, and the answer to a call that cannot be.
fn is_of_every_image(name: &str) -> bool {
    name.starts_with("MACHINE_") || name == "MISUSED"
}

/// The size of an element, which Go has from its type, and a mask that it does not need.
fn is_of_rust_alone(name: &str) -> bool {
    name == "ELEMENT" || name == "FLAG_WINDOW"
}

/// The files that have the numbers of the images.
const CALL: &str = "bindings/go-image/src/call.rs";
const COMMITMENTS: &str = "verkle/go-image/src/operation.rs";

/// A file of constants: those of a file of Rust whose names are wanted.
fn numbers_of(path: &str, package: &str, is_wanted: impl Fn(&str) -> bool) -> String {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap();
    let declared = source.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("pub const ")?.split_once(": u")?;
        Some((name, rest.trim_end_matches(';').split_once(" = ")?.1))
    });
    let wanted = declared.filter(|(name, _)| is_wanted(name));
    let constants: Vec<_> = wanted.map(|(name, value)| (plain_camel(&name.to_lowercase()), value)).collect();
    assert!(!constants.is_empty());
    let longest = constants.iter().map(|(name, _)| name.len()).max().unwrap();
    let list: String = constants.iter().map(|(name, value)| format!("\t{name:longest$} = {value}\n")).collect();
    format!(
        "{MADE}//go:build (amd64 || arm64) && !purego\n\npackage {package}\n\n// Numbers of {path}, which says what \
         each stands for.\nconst (\n{list})\n"
    )
}

/// A name with capitals for words alone.
fn plain_camel(name: &str) -> String {
    camel(name, true).replace("ECDSA", "Ecdsa")
}

fn row_numbers() -> String {
    let list = declarations().map(|declared| plain_camel(declared.name));
    let older = numbers_of(CALL, "image", |name| !is_of_every_image(name));
    let name = |name: &String| {
        if older.contains(&format!("\tRows{name} ")) { "\t_\n".to_owned() } else { format!("\tRows{name}\n") }
    };
    let rest: String = list.iter().skip(1).map(name).collect();
    format!("\n// Operations on rows in columns.\nconst (\n\tRows{} = RowsFirst + iota\n{rest})\n", list[0])
}

/// The method of `pure.Row` that computes each operation.
fn pure_rows() -> String {
    let case = |declared: &Declaration| {
        let name = camel(declared.name, true);
        format!("\tcase rows{name}:\n\t\treturn row.{name}()\n")
    };
    let cases: String = declarations().iter().map(case).collect();
    format!(
        "{MADE}//go:build !(amd64 || arm64) || purego\n\npackage phalanx\n\n\
         import \"phalanx.example/phalanx/internal/pure\"\n\n\
         // pureRow computes a row in pure Go.\nfunc (o rowsOperation) pureRow(row pure.Row) pure.Verdict {{\n\tswitch o {{\n{cases}\
         \t}}\n\tpanic(errUnreachable)\n}}\n"
    )
}

/// The type of Go that holds an output.
fn type_of(kind: ColumnKind) -> String {
    match (kind, kind.widths()) {
        (ColumnKind::PublicKey, _) => "PublicKey".to_owned(),
        (ColumnKind::Signature, _) => "Signature".to_owned(),
        (ColumnKind::SchnorrSignature, _) => "SchnorrSignature".to_owned(),
        (_, Some([bytes, _])) => format!("[{bytes}]byte"),
        (_, None) => panic!("an output of any width"),
    }
}

fn functions() -> String {
    let mut methods = String::new();
    let (mut list, mut widths) = (String::new(), String::new());
    let longest = declarations().iter().map(|declared| camel(declared.name, true).len()).max().unwrap();
    for (i, declared) in declarations().iter().enumerate() {
        methods += &method(declared);
        let name = format!("rows{}", camel(declared.name, true));
        list += &format!("\t{name}{}\n", if i == 0 { " rowsOperation = iota" } else { "" });
        let of = |(_, kind): &(&str, ColumnKind)| match kind.widths() {
            None => "{}".to_owned(),
            Some([one, other]) if one != other => format!("{{{one}, {other}}}"),
            Some([bytes, _]) => format!("{{{bytes}}}"),
        };
        let of: Vec<_> =
            declared.inputs.iter().map(of).chain(vec!["nil".to_owned(); 4 - declared.inputs.len()]).collect();
        let space = " ".repeat(longest + 4 - name.len());
        widths += &format!("\t{name}:{space} {{{}}},\n", of.join(", "));
    }
    format!(
        "{MADE}package phalanx\n\nimport \"context\"\n\n{methods}type rowsOperation uint8\n\nconst (\n{list})\n\n\
         // widths are those that the inputs of each operation may have; none where any will do, and nil where there is no input.\n\
         var widths = [...][4][]int{{\n{widths}}}\n"
    )
}

/// An operation's method of `Bulk`. Optional outputs are left out, but those of a record.
fn method(declared: &Declaration) -> String {
    let name = camel(declared.name, true);
    let about = declared.about.trim();
    let sizes: Vec<_> = declared.inputs.iter().map(|(name, kind)| format!("{} ({kind})", camel(name, false))).collect();
    let mut about = format!("{name} {}{} It reads {}.", about[..1].to_lowercase(), &about[1..], sizes.join(", "));
    let output = output_of(declared);
    if let Some((name, _)) = &output {
        about += &format!(" Where a row is not [Valid], its element of {name} is zero.");
    }
    // Numbers are a slice of their own type, and all other inputs are columns.
    let (mut parameters, mut columns) = (String::new(), Vec::new());
    for (i, (name, kind)) in declared.inputs.iter().enumerate() {
        let (name, is_number) = (camel(name, false), *kind == ColumnKind::Number);
        let next = declared.inputs.get(i + 1).map(|(_, kind)| *kind == ColumnKind::Number);
        let ty = if is_number { " []uint32" } else { " Column" };
        parameters += &format!("{name}{}, ", if next == Some(is_number) { "" } else { ty });
        columns.push(if is_number { format!("columnOfRows({name})") } else { name });
    }
    let (mut choice, mut body, mut run) = (String::new(), String::new(), "run");
    if let Some((name, _)) = &output {
        body += &format!("\tclear({name})\n");
    }
    for (_, kind) in declared.shared {
        match kind {
            SharedKind::LowS => {
                parameters += "policy LowS, ";
                choice += "allowHighS: policy == AllowHighS, ";
            }
            SharedKind::PayloadKind => {
                about += " The error is [ErrPayload] for an unknown kind of payload.";
                parameters += "payload PayloadKind, ";
                choice += "payload: payload, ";
                body += "\tif payload > TaprootKey {\n\t\tclear(verdicts)\n\t\treturn ErrPayload\n\t}\n";
            }
            SharedKind::Randomness => {
                about += " Randomness comes from crypto/rand; the error is [ErrRandomness] where that fails.";
                run = "runDrawing";
            }
            SharedKind::SecretKey => {
                parameters += "secretKey SecretKey, ";
                choice += "secret: secretKey.bytes(), ";
            }
        }
    }
    body += &format!("\twork := rowsWork{{operation: rows{name}, {choice}verdicts: verdicts}}\n");
    body += &format!("\twork.inputs = [4]Column{{{}}}\n", columns.join(", "));
    if let Some((name, ty)) = &output {
        parameters += &format!("{name} []{ty}, ");
        body += &format!("\twork.output = columnOfRows({name})\n");
    }
    format!(
        "{}func (b *Bulk) {name}(ctx context.Context, {parameters}verdicts []Verdict) error {{\n{body}\
         \treturn b.{run}(ctx, &work)\n}}\n\n",
        comment(&about)
    )
}

/// What a method writes: its name, and the type of an element.
fn output_of(declared: &Declaration) -> Option<(String, String)> {
    if let Some([many, ty]) = declared.record {
        return Some((camel(many, false), ty.to_owned()));
    }
    match declared.outputs_of_call(false) {
        [] => None,
        [(name, kind)] => Some((camel(name, false), type_of(*kind))),
        _ => panic!("{}: several outputs, which need a name together", declared.name),
    }
}

/// The text as a comment of Go.
fn comment(text: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for word in text.split_whitespace() {
        if width == 0 || width + 1 + word.len() > 120 {
            out += if width == 0 { "//" } else { "\n//" };
            width = 2;
        }
        out += &format!(" {word}");
        width += 1 + word.len();
    }
    out + "\n"
}
