//! What the rules read: the repository, and what of its items ships.

use quote::ToTokens;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item};

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the repository").to_owned()
}

/// Whether attributes leave an item out of what ships.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string();
        let is_cfg = ["cfg (test", "cfg (all (test"].iter().any(|start| text.contains(start));
        attribute.path().is_ident("test") || attribute.path().is_ident("cfg") && is_cfg
    })
}

/// The attributes of an item that may be left out of what ships.
pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
