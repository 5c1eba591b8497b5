//! The modules of a crate as its source declares them: what each defines, imports and names.
//!
//! Macros are read as tokens, so that a path within `assert!(..)` counts. What a macro defines is not known.

use crate::shipped::{attributes, is_test};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, ItemUse, UseTree, Visibility};

/// A path by its segments; the first may be `crate`, `self` or `super`.
pub(crate) type Segments = Vec<String>;

/// One name that a `use` brings into a module. A glob's name is `*`.
#[derive(Debug, Clone)]
pub(crate) struct Import {
    pub(crate) name: String,
    pub(crate) path: Segments,
    /// Whether other modules may import the name from this one.
    pub(crate) exported: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Module {
    /// The file that holds its source; more than one where it is declared for each of several targets.
    pub(crate) files: BTreeSet<PathBuf>,
    /// Whether the module is compiled for tests alone.
    pub(crate) test: bool,
    pub(crate) children: BTreeSet<String>,
    /// Items that are no modules.
    pub(crate) defined: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    /// Paths of two segments or more outside of `use`.
    pub(crate) paths: BTreeSet<Segments>,
    /// Identifiers outside of `use`.
    pub(crate) idents: BTreeSet<String>,
}

/// All modules of a crate, by their paths from its root.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) modules: BTreeMap<Segments, Module>,
}

impl Source {
    /// Reads a crate from its root file on.
    pub(crate) fn of_crate(root: &Path) -> Source {
        let mut source = Source::default();
        source.read_file(root, root.parent().expect("a root file lies in a folder"), &[], false);
        source
    }

    /// A crate whose modules are all written in one text.
    pub(crate) fn of_text(text: &str) -> Source {
        let mut source = Source::default();
        source.read_text(text, Path::new("lib.rs"), Path::new(""), &[], false);
        source
    }

    /// The module of the root file.
    pub(crate) fn root(&self) -> &Module {
        &self.modules[&[][..]]
    }

    fn read_file(&mut self, file: &Path, folder: &Path, path: &[String], test: bool) {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.read_text(&text, file, folder, path, test);
    }

    fn read_text(&mut self, text: &str, file: &Path, folder: &Path, path: &[String], test: bool) {
        let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.read_items(parsed.items, file, folder, path, test);
    }

    /// `folder` is where files of modules that are declared here lie.
    fn read_items(&mut self, items: Vec<Item>, file: &Path, folder: &Path, path: &[String], test: bool) {
        let mut module = Module { files: BTreeSet::from([file.to_owned()]), test, ..Module::default() };
        for item in items {
            match item {
                Item::Mod(inner) => {
                    let test = test || is_test(&inner.attrs);
                    let name = inner.ident.to_string();
                    let folder = folder.join(&name);
                    let path = [path, std::slice::from_ref(&name)].concat();
                    module.children.insert(name);
                    match inner.content {
                        Some((_, items)) => self.read_items(items, file, &folder, &path, test),
                        None => {
                            for file in module_files(file, &folder, &inner.attrs) {
                                self.read_file(&file, &folder, &path, test);
                            }
                        }
                    }
                }
                item if is_test(&attributes(&item)) => {}
                Item::Use(import) => module.import(&import),
                item => {
                    module.defined.extend(name(&item));
                    module.read_tokens(item.into_token_stream());
                }
            }
        }
        // Of a module that is declared once for each of several targets all sources count.
        match self.modules.get_mut(path) {
            Some(first) => first.merge(module),
            None => {
                self.modules.insert(path.to_vec(), module);
            }
        }
    }
}

impl Module {
    fn merge(&mut self, other: Module) {
        self.files.extend(other.files);
        self.test &= other.test;
        self.children.extend(other.children);
        self.defined.extend(other.defined);
        self.imports.extend(other.imports);
        self.paths.extend(other.paths);
        self.idents.extend(other.idents);
    }

    fn import(&mut self, import: &ItemUse) {
        if import.leading_colon.is_none() {
            let exported = !matches!(import.vis, Visibility::Inherited);
            self.import_tree(&import.tree, &mut Vec::new(), exported);
        }
    }

    fn import_tree(&mut self, tree: &UseTree, path: &mut Segments, exported: bool) {
        let (name, last) = match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import_tree(&inner.tree, path, exported);
                path.pop();
                return;
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import_tree(tree, path, exported));
                return;
            }
            UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(rename) => (rename.rename.to_string(), rename.ident.to_string()),
            UseTree::Glob(_) => ("*".to_owned(), "*".to_owned()),
            #[allow(unreachable_patterns, reason = "the type may gain forms")]
            _ => panic!("a form of `use` whose names cannot be told"),
        };
        let mut path = path.clone();
        // `use a::b::{self}` brings in `b`.
        let is_self = last == "self" && !path.is_empty();
        let name = if is_self && name == "self" { path.last().expect("a segment").clone() } else { name };
        if !is_self && name != "*" {
            path.push(last);
        }
        self.imports.push(Import { name, path, exported });
    }

    /// Notes identifiers and paths, and what is imported within functions.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                // The modules in `pub(in super::super)` are no imports.
                TokenTree::Ident(ident) if ident == "pub" => {
                    at += usize::from(matches!(tokens.get(at + 1), Some(TokenTree::Group(_))));
                }
                TokenTree::Ident(ident) if ident == "use" => {
                    let end = tokens[at..].iter().position(|token| is_punct(token, ';')).map_or(at, |end| at + end);
                    // Else it is the `use<..>` of a bound, which names no path.
                    if let Ok(import) = syn::parse2::<ItemUse>(tokens[at..=end].iter().cloned().collect()) {
                        self.import(&import);
                        at = end;
                    }
                }
                TokenTree::Ident(_) => {
                    let foreign = at >= 2 && is_separator(&tokens, at - 2);
                    let (path, end) = path_at(&tokens, at);
                    self.idents.insert(path[0].clone());
                    if path.len() > 1 && !foreign {
                        self.paths.insert(path);
                    }
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// The path that begins here, and where it ends.
fn path_at(tokens: &[TokenTree], start: usize) -> (Segments, usize) {
    let mut path = vec![tokens[start].to_string()];
    let mut at = start + 1;
    while is_separator(tokens, at)
        && let Some(TokenTree::Ident(segment)) = tokens.get(at + 2)
    {
        path.push(segment.to_string());
        at += 3;
    }
    (path, at)
}

fn is_separator(tokens: &[TokenTree], at: usize) -> bool {
    tokens.get(at..at + 2).is_some_and(|pair| pair.iter().all(|token| is_punct(token, ':')))
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// Where the source of a module may lie that is declared in `file` without a body: where an attribute says, if each
/// target has that, and else where the module's name says too.
fn module_files(file: &Path, folder: &Path, attributes: &[Attribute]) -> Vec<PathBuf> {
    let named = |attribute: &Attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        let name = text.split_once("path = \"")?.1.split('"').next()?;
        Some(file.parent()?.join(name))
    };
    let paths =
        attributes.iter().filter(|attribute| ["path", "cfg_attr"].iter().any(|name| attribute.path().is_ident(name)));
    let mut files: Vec<PathBuf> = paths.filter_map(named).collect();
    if !attributes.iter().any(|attribute| attribute.path().is_ident("path")) {
        let flat = folder.with_extension("rs");
        files.push(if flat.exists() { flat } else { folder.join("mod.rs") });
    }
    files
}

/// What an item is imported by.
fn name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}
