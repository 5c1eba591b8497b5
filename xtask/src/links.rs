//! Every relative link of the pages leads to a file that git has, and every anchor to a heading.

use crate::page::Page;
use std::collections::{BTreeMap, BTreeSet};

/// The links that lead nowhere, as `PAGE: LINK: WHY`, and how many were followed.
///
/// `files` are all paths of the repository; `read` gives the text of one.
pub(crate) fn broken(files: &[String], read: impl Fn(&str) -> std::io::Result<String>) -> (Vec<String>, usize) {
    let mut broken = Vec::new();
    let mut pages = BTreeMap::new();
    for path in files.iter().filter(|path| path.ends_with(".md")) {
        match read(path) {
            Ok(text) => drop(pages.insert(&path[..], Page::of(&text))),
            // A page that was removed and is still in the index: links to it are broken.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (),
            Err(error) => broken.push(format!("{path}: {error}")),
        }
    }
    let there = |path: &&String| !path.ends_with(".md") || pages.contains_key(&path[..]);
    let files: BTreeSet<&str> = files.iter().filter(there).map(|path| &path[..]).collect();
    let mut followed = 0;
    for (path, page) in &pages {
        for link in page.links.iter().filter(|link| is_relative(link)) {
            followed += 1;
            if let Some(why) = why_broken(path, link, &files, &pages) {
                broken.push(format!("{path}: {link}: {why}"));
            }
        }
    }
    (broken, followed)
}

/// Neither an address nor a path of Rust, which rustdoc checks.
fn is_relative(link: &str) -> bool {
    !["http:", "https:", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) && !link.contains("::")
}

fn why_broken(page: &str, link: &str, files: &BTreeSet<&str>, pages: &BTreeMap<&str, Page>) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let Some(path) = (if path.is_empty() { Some(page.to_owned()) } else { resolved(page, path) }) else {
        return Some("it leads out of the repository".into());
    };
    let folder = format!("{path}/");
    let is_folder = path.is_empty() || files.iter().any(|file| file.starts_with(&folder));
    if !is_folder && !files.contains(&path[..]) {
        return Some("there is no such file".into());
    }
    let target = pages.get(&path[..])?;
    let found = anchor.is_empty() || target.anchors.contains(anchor);
    (!found).then(|| "there is no such heading".into())
}

/// A path from the root of the repository, if it stays within.
fn resolved(page: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    // The page itself, of which its folder is left.
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => (),
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pages: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<String> = pages.iter().map(|(path, _)| (*path).to_owned()).collect();
        let text = |path: &str| pages.iter().find(|(other, _)| *other == path).expect("a page").1.to_owned();
        broken(&files, |path| Ok(text(path))).0
    }

    #[test]
    fn links_that_hold_are_silent() {
        let pages = [
            (
                "README.md",
                "# A\n[b](docs/b.md#two-words) [folder](docs) [file](docs/x.txt) [here](#a) [web](https://a.b/c)",
            ),
            ("docs/b.md", "## Two words\n[up](../README.md) [root](..) [`x`](crate::Point)\n"),
            ("docs/x.txt", "[no](page.md)"),
        ];
        assert_eq!(of(&pages), [""; 0]);
    }

    #[test]
    fn links_that_lead_nowhere_are_named() {
        let pages = [
            ("README.md", "[a](docs/c.md) [b](docs/b.md#three) [c](#none)\n<img src=\"docs/a.svg\">"),
            ("docs/b.md", "# Two\n[out](../../x.md)\n\n```\n# Three\n[in code](nothing.md)\n```\n"),
        ];
        let expected = [
            "README.md: docs/c.md: there is no such file",
            "README.md: docs/b.md#three: there is no such heading",
            "README.md: #none: there is no such heading",
            "README.md: docs/a.svg: there is no such file",
            "docs/b.md: ../../x.md: it leads out of the repository",
        ];
        assert_eq!(of(&pages), expected);
    }

    /// A file that git ignores is on one disk only.
    #[test]
    fn a_page_that_is_gone_is_no_target() {
        let files = ["a.md".to_owned(), "b.md".to_owned()];
        let (broken, followed) = broken(&files, |path| match path {
            "a.md" => Ok("[b](b.md)".into()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        });
        assert_eq!((broken, followed), (vec!["a.md: b.md: there is no such file".to_owned()], 1));
    }
}
