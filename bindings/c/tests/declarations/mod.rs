//! Headers for C, made of Rust source: each outward item, with its comment, in the order of the files. The comment that
//! a header begins with is its own.

use quote::ToTokens;
use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};
use syn::{Attribute, Expr, FnArg, Item, ItemFn, Lit, Meta, ReturnType, Type, Visibility};

/// A header, and what it is made of.
pub(crate) struct Header {
    /// Its name in `include`.
    pub(crate) name: &'static str,
    pub(crate) includes: &'static [&'static str],
    /// The files of `src` whose outward items it has.
    pub(crate) files: &'static [&'static str],
    /// The source that macros make in a file.
    pub(crate) expanded: fn(&str) -> String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

impl Header {
    /// The committed header is the one that is made of the source.
    pub(crate) fn is_the_source(&self) {
        let (made, path) = (self.made(), self.path());
        if std::env::var_os("PHALANX_WRITE_HEADER").is_some() {
            fs::write(&path, &made).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap();
        let first = made.lines().zip(committed.lines()).position(|(made, committed)| made != committed);
        assert!(
            made == committed,
            "{} is not what the source says, from line {} on; see the head of this test",
            self.name,
            first.map_or(made.lines().count().min(committed.lines().count()), |line| line) + 1
        );
    }

    /// Each outward function of the source is declared, more than `at_least`, and nothing else is but so many types of
    /// callbacks.
    pub(crate) fn has_every_function(&self, at_least: usize, callbacks: usize) {
        let made = self.made();
        let mut functions = 0;
        let read = |file: io::Result<fs::DirEntry>| fs::read_to_string(file.unwrap().path()).unwrap();
        let written = fs::read_dir(root().join("src")).unwrap().map(read);
        for source in written.chain(self.files.iter().map(|file| (self.expanded)(file))) {
            for name in source.split("extern \"C\" fn phalanx_").skip(1) {
                let name = name.split('(').next().unwrap();
                assert!(made.contains(&format!("phalanx_{name}(")), "phalanx_{name}");
                functions += 1;
            }
        }
        assert!(functions > at_least, "{functions} functions");
        assert_eq!(made.matches(");\n").count(), functions + callbacks);
    }

    /// The table of `tests/c/refused.c` has every function that takes memory, with all of that memory.
    pub(crate) fn every_function_is_refused(&self) {
        let table = fs::read_to_string(root().join("tests/c/refused.c")).unwrap();
        let mut functions = 0;
        for item in self.items() {
            let Item::Fn(item) = item else { continue };
            let kinds = memory_of(&item);
            // A place alone is written where it is not NULL.
            if is_public(&item.vis) && !matches!(&kinds[..], "" | "h" | "n") {
                let entry = format!("{{\"{}\", \"{kinds}\",", item.sig.ident);
                assert!(table.contains(&entry), "tests/c/refused.c has no entry {entry}");
                functions += 1;
            }
        }
        assert_eq!(table.matches("{\"phalanx_").count(), functions, "an entry of no function");
    }

    fn items(&self) -> Vec<Item> {
        let read =
            |name: &&str| fs::read_to_string(root().join(format!("src/{name}.rs"))).unwrap() + &(self.expanded)(name);
        self.files.iter().map(read).flat_map(|source| syn::parse_file(&source).unwrap().items).collect()
    }

    fn path(&self) -> PathBuf {
        root().join("include").join(self.name)
    }

    fn made(&self) -> String {
        let guard = self.name.to_uppercase().replace('.', "_");
        let committed = fs::read_to_string(self.path()).unwrap();
        let (comment, _) = committed.split_once("#ifndef ").expect("a comment, and what is made");
        let mut out = format!("{comment}#ifndef {guard}\n#define {guard}\n\n");
        self.includes.iter().for_each(|name| writeln!(out, "#include <{name}>").unwrap());
        out += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
        self.items().iter().for_each(|item| declare(item, &mut out));
        out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
    }
}

/// The memory that a function takes, a letter each as in `tests/c/refused.c`.
fn memory_of(item: &ItemFn) -> String {
    let parameters = || item.sig.inputs.iter().map(|input| input.to_token_stream().to_string().replace(' ', ""));
    let has_verdicts = parameters().any(|parameter| parameter.contains("out:*mutu8"));
    let letter = |parameter: String| match parameter.split_once(':').unwrap() {
        (_, "*constphalanx_column") => Some('c'),
        (_, "*constphalanx_output") => Some(if has_verdicts { 'o' } else { 'a' }),
        (_, "*constphalanx_call") | ("workspace", "*mutc_void") => Some('w'),
        ("out", "*mutu8") => Some('v'),
        (name, "*mutu8") => Some(if has_verdicts || name == "memory" { 'm' } else { 's' }),
        (_, "*constu8") => Some('f'),
        (_, "*mutusize") => Some('n'),
        (_, ty) if ty.starts_with("*mut*mut") => Some('h'),
        (_, ty) if ty.starts_with("*const*const") => Some('p'),
        (_, ty) if ty.ends_with("_match") => Some('x'),
        _ => None,
    };
    parameters().filter_map(letter).collect()
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
            if !item.fields.iter().any(|field| is_public(&field.vis)) {
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
    if let Type::Array(array) = ty {
        return format!("{} {name}[{}]", c_type(&array.elem), array.len.to_token_stream());
    }
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
            let is_const = matches!(pointer.mutability, syn::PointerMutability::Const(_));
            // What a pointer to a constant pointer says of it stands behind it.
            match (is_const, inner.ends_with('*')) {
                (true, true) => format!("{inner}const *"),
                (true, false) => format!("const {inner}{space}*"),
                (false, _) => format!("{inner}{space}*"),
            }
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
