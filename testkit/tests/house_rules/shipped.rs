//! What the rules read: the repository, and what of its items ships.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Item};

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the repository").to_owned()
}

/// The entries of a folder; none if there is no such folder.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry can be read").path()).collect()
}

pub(crate) fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// The files of Rust in some folders.
pub(crate) fn rust_files(folders: impl IntoIterator<Item = PathBuf>) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let mut waiting: Vec<PathBuf> = folders.into_iter().collect();
    while let Some(path) = waiting.pop() {
        waiting.extend(entries(&path));
        if is_rust(&path) {
            files.insert(path);
        }
    }
    files
}

/// Whether attributes leave an item out of what ships.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string();
        let is_cfg = ["cfg (test", "cfg (all (test"].iter().any(|start| text.contains(start));
        attribute.path().is_ident("test") || attribute.path().is_ident("cfg") && is_cfg
    })
}

/// The attributes of an item.
pub(crate) fn attributes(item: &Item) -> Vec<Attribute> {
    fn outer(input: ParseStream<'_>) -> syn::Result<Vec<Attribute>> {
        let attributes = Attribute::parse_outer(input)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    }
    outer.parse2(item.to_token_stream()).expect("an item begins with its attributes")
}
