//! Functions and constants of a file, by their paths.

use super::nodes::{self, Node};
use syn::spanned::Spanned;
use syn::{File, ImplItem, Item, ItemImpl, Path, TraitItem, Type};

/// The nodes of the one function or constant of a file that has this path: `name`, `module::name`, `Type::name`,
/// `Trait::name` for what a trait has of its own, or `<Type as Trait>::name`; all without generic parameters.
///
/// # Errors
/// What the file has instead.
pub(super) fn nodes_of(source: &str, path: &str) -> Result<Vec<Node>, String> {
    let file = syn::parse_file(source).map_err(|error| format!("the file is not Rust: {error}"))?;
    let mut search = Search { path, found: Vec::new(), others: Vec::new() };
    search.items(&file.items, "");
    match search.found.len() {
        1 => Ok(search.found.swap_remove(0)),
        0 => Err(format!("nothing is called `{path}`, but {}", search.others.join(", "))),
        count => Err(format!("{count} are called `{path}`")),
    }
}

struct Search<'p> {
    path: &'p str,
    found: Vec<Vec<Node>>,
    others: Vec<String>,
}

impl Search<'_> {
    fn items(&mut self, items: &[Item], owner: &str) {
        for item in items {
            match item {
                Item::Fn(item) => self.meet(owner, &item.sig.ident, |_| nodes::of_function(&item.block)),
                Item::Const(item) => self.meet(owner, &item.ident, |name| nodes::of_constant(name, &item.expr)),
                Item::Mod(item) => {
                    if let Some((_, items)) = &item.content {
                        self.items(items, &format!("{owner}{}::", item.ident));
                    }
                }
                Item::Impl(item) => self.members(item, &format!("{owner}{}::", name(item))),
                Item::Trait(item) => {
                    for member in &item.items {
                        if let TraitItem::Fn(member) = member
                            && let Some(block) = &member.default
                        {
                            let owner = format!("{owner}{}::", item.ident);
                            self.meet(&owner, &member.sig.ident, |_| nodes::of_function(block));
                        }
                    }
                }
                // Some macros take functions.
                Item::Macro(item) => {
                    if let Ok(file) = item.mac.parse_body::<File>() {
                        self.items(&file.items, owner);
                    }
                }
                _ => {}
            }
        }
    }

    fn members(&mut self, item: &ItemImpl, owner: &str) {
        for member in &item.items {
            match member {
                ImplItem::Fn(member) => self.meet(owner, &member.sig.ident, |_| nodes::of_function(&member.block)),
                ImplItem::Const(member) => {
                    self.meet(owner, &member.ident, |name| nodes::of_constant(name, &member.expr));
                }
                _ => {}
            }
        }
    }

    fn meet(&mut self, owner: &str, name: &syn::Ident, nodes: impl FnOnce(String) -> Vec<Node>) {
        let path = format!("{owner}{name}");
        if path == self.path {
            self.found.push(nodes(name.to_string()));
        } else {
            self.others.push(path);
        }
    }
}

/// `Type` or `<Type as Trait>`.
fn name(item: &ItemImpl) -> String {
    let of = match &*item.self_ty {
        Type::Path(path) => last(&path.path),
        other => other.span().source_text().unwrap_or_default(),
    };
    match &item.trait_ {
        Some((path, ..)) => format!("<{of} as {}>", last(path)),
        None => of,
    }
}

fn last(path: &Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}
