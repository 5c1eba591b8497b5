//! The project's own words are few, and each stands in the code. Words that were given up do not come back as names.

use crate::shipped::{repository, rust_files};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Own words at most.
const MOST: usize = 30;
/// Words whose sense a newcomer could not guess, by what stands in their place.
const GIVEN_UP: [(&str, &str); 10] = [
    ("border", "ffi"),
    ("crew", "threads"),
    ("few", "short_list"),
    ("ground", "setup"),
    ("held", "stored"),
    ("lent", "in_workspace"),
    ("liar", "faulty_word"),
    ("means", "the type itself"),
    ("remains", "residue"),
    ("together", "batch"),
];

/// The words of the glossary in the page on architecture.
fn glossary() -> Vec<String> {
    let page = fs::read_to_string(repository().join("docs/inside/architecture.md")).expect("the page");
    let (_, glossary) = page.split_once("\n## Glossary\n").expect("a glossary");
    let rows = glossary.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    rows.map_while(|line| Some(line.strip_prefix("| ")?.split_once(" |")?.0.to_owned())).collect()
}

/// The words of names in a source file, comments left out; and the file's own name.
fn words_of(file: &Path, words: &mut BTreeSet<String>) {
    let source = fs::read_to_string(file).expect("a source file");
    let lines = source.lines().filter_map(|line| line.split("//").next());
    let names = lines.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    for name in names {
        // A capital begins a word.
        let mut word = String::new();
        for c in name.chars().chain(['_']) {
            if c == '_' || c.is_ascii_uppercase() {
                words.insert(std::mem::take(&mut word));
            }
            if c != '_' {
                word.push(c.to_ascii_lowercase());
            }
        }
    }
}

fn shipped() -> BTreeSet<PathBuf> {
    let found = rust_files(["crates", "bindings", "verkle"].map(|folder| repository().join(folder)));
    assert!(found.len() > 300, "{} files", found.len());
    found
}

#[test]
fn own_words_are_few_and_in_the_code() {
    let glossary = glossary();
    assert!((10..=MOST).contains(&glossary.len()), "{} words in the glossary", glossary.len());
    let mut words = BTreeSet::new();
    shipped().iter().for_each(|file| words_of(file, &mut words));
    for own in glossary {
        let plural = format!("{own}s");
        assert!(words.contains(&own) || words.contains(&plural), "no name has the word `{own}` of the glossary");
    }
}

#[test]
fn words_that_were_given_up_name_nothing() {
    for file in shipped() {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let parent = file.parent().and_then(Path::file_name).expect("a folder").to_string_lossy().into_owned();
        for (word, instead) in GIVEN_UP {
            assert!(name != word && parent != word, "{}: a newcomer knows `{instead}`", file.display());
        }
    }
}
