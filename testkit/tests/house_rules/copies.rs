//! How much of the `src` of crates is written twice, and how long it is.
//!
//! Compared are lines of code without indentation. Left out are tests, blank lines, comments, `use`, attributes, and
//! lines that only close what is open: they are alike everywhere. A run is as many successive lines of one file as are
//! equal to others, six at least; copied are all places of a run but the first.
//!
//! Source is read as rustfmt leaves it: an item ends at the first closing line with the item's indentation.

use crate::shipped::{entries, repository, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The lines of the shortest run.
const SHORTEST: usize = 6;

/// Commit 346e4d6 has 26 runs by this program, and 237 of its 20,126 lines of code are copied. The bounds are a third
/// of that, 8 runs and 79 lines, or what is there now where that is less. A change that removes a copy lowers them.
const MAX_RUNS: usize = 8;
const MAX_LINES: usize = 79;

/// A line of a file, by number from 1, without indentation.
type Line = (usize, String);

/// A run and where it begins: file and line.
type Runs = BTreeMap<Vec<String>, BTreeSet<(PathBuf, usize)>>;

/// Where an item of the given indentation that begins at `at` ends: at this line or at a later one.
fn end_of_item(lines: &[&str], at: usize, indentation: usize) -> usize {
    let ends = |line: &&str| {
        let text = line.trim_start();
        line.len() - text.len() == indentation && text.ends_with([';', '}', ','])
    };
    lines[at..].iter().position(ends).map_or(lines.len() - 1, |end| at + end)
}

fn is_test_attribute(text: &str) -> bool {
    ["#[cfg(test)]", "#[cfg(all(test", "#[test]"].iter().any(|start| text.starts_with(start))
}

/// How a declaration ends that is left out: an attribute, or a `use`.
fn end_of_left_out(text: &str) -> Option<char> {
    let imports = text.starts_with("use ") || text.starts_with("pub") && text.contains(" use ");
    let attribute = text.starts_with("#[") || text.starts_with("#![");
    if imports { Some(';') } else { attribute.then_some(']') }
}

/// The lines of a source that are compared, and the modules that it declares for tests alone.
fn compared(source: &str) -> (Vec<Line>, Vec<String>) {
    let lines: Vec<&str> = source.lines().collect();
    let (mut compared, mut tests) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < lines.len() {
        let text = lines[at].trim();
        if is_test_attribute(text) {
            let indentation = lines[at].len() - lines[at].trim_start().len();
            while lines[at].trim().starts_with("#[") || lines[at].trim().starts_with("//") {
                at += 1;
            }
            let declared = lines[at].trim().strip_suffix(';').and_then(|item| item.split_once("mod "));
            tests.extend(declared.map(|(_, name)| name.to_owned()));
            at = end_of_item(&lines, at, indentation);
        } else if let Some(end) = end_of_left_out(text) {
            at += lines[at..].iter().position(|line| line.trim().ends_with(end)).unwrap_or(0);
        } else if !text.starts_with("//") && !text.chars().all(|char| "{}()[];,".contains(char)) {
            compared.push((at + 1, text.to_owned()));
        }
        at += 1;
    }
    (compared, tests)
}

/// The runs of some files, by the lines that are compared.
fn runs(files: &[(PathBuf, Vec<Line>)]) -> Runs {
    // Where a window of the shortest length begins: file and line, by their places.
    let mut windows: BTreeMap<Vec<&str>, Vec<(usize, usize)>> = BTreeMap::new();
    for (file, (_, lines)) in files.iter().enumerate() {
        for (line, window) in lines.windows(SHORTEST).enumerate() {
            windows.entry(window.iter().map(|(_, text)| &text[..]).collect()).or_default().push((file, line));
        }
    }
    let text = |file: usize, line: usize| files[file].1.get(line).map(|(_, text)| text);
    let mut runs = Runs::new();
    for places in windows.values() {
        for (number, &(file, line)) in places.iter().enumerate() {
            for &(other_file, other) in &places[number + 1..] {
                let before = line > 0 && other > 0 && text(file, line - 1) == text(other_file, other - 1);
                // What a file repeats at once does not overlap with itself.
                let apart = if file == other_file { other - line } else { usize::MAX };
                let equal =
                    |at: &usize| text(file, line + at).is_some_and(|same| Some(same) == text(other_file, other + at));
                let length = (0..apart).take_while(equal).count();
                if length >= SHORTEST && !before {
                    let run = (line..line + length).map(|line| text(file, line).expect("a line").clone()).collect();
                    let place = |file: usize, line: usize| (files[file].0.clone(), files[file].1[line].0);
                    runs.entry(run).or_default().extend([place(file, line), place(other_file, other)]);
                }
            }
        }
    }
    runs
}

/// The lines that are copied: of each run all places but the first, each line once.
fn copied(runs: &Runs, files: &[(PathBuf, Vec<Line>)]) -> usize {
    let files: BTreeMap<&PathBuf, &Vec<Line>> = files.iter().map(|(file, lines)| (file, lines)).collect();
    let mut copied = BTreeSet::new();
    for (run, places) in runs {
        for (file, first) in places.iter().skip(1) {
            let lines = files[file].iter().skip_while(|(number, _)| number < first).take(run.len());
            copied.extend(lines.map(|(number, _)| (file, number)));
        }
    }
    copied.len()
}

/// The files of a folder with their lines that are compared. Files of modules for tests alone are left out.
fn read(folder: &Path) -> Vec<(PathBuf, Vec<Line>)> {
    let (mut files, mut tests) = (Vec::new(), BTreeSet::new());
    for file in rust_files([folder.to_owned()]) {
        let source = std::fs::read_to_string(&file).expect("source is text");
        let (lines, modules) = compared(&source);
        let stem = file.with_extension("");
        let is_root = ["lib", "main", "mod"].iter().any(|name| stem.ends_with(name));
        let folder = if is_root { file.parent().expect("a folder") } else { &stem };
        tests.extend(modules.iter().map(|module| folder.join(module)));
        files.push((file, lines));
    }
    let is_test = |file: &Path| tests.iter().any(|test| file.starts_with(test) || file == test.with_extension("rs"));
    files.retain(|(file, _)| !is_test(file));
    files
}

#[test]
fn copies() {
    let repository = repository();
    let mut files = Vec::new();
    for package in ["crates", "bindings", "verkle"].into_iter().flat_map(|folder| entries(&repository.join(folder))) {
        let read = read(&package.join("src")).into_iter();
        files.extend(read.map(|(file, lines)| (file.strip_prefix(&repository).expect("within").to_owned(), lines)));
    }
    files.sort();
    let all: usize = files.iter().map(|(_, lines)| lines.len()).sum();
    assert!(all > 10_000, "source was read: {all} lines");
    let runs = runs(&files);
    let mut longest: Vec<_> = runs.iter().collect();
    longest.sort_by_key(|(run, places)| std::cmp::Reverse((run.len() * (places.len() - 1), *places)));
    for (run, places) in longest {
        let places: Vec<String> = places.iter().map(|(file, line)| format!("{}:{line}", file.display())).collect();
        println!("{} lines, {} places: {}\n    {}", run.len(), places.len(), places.join(", "), run[0]);
    }
    let copied = copied(&runs, &files);
    println!("{all} lines compared, {} runs, {copied} lines copied", runs.len());
    assert!(runs.len() <= MAX_RUNS, "{} runs, at most {MAX_RUNS} are allowed: see them with --nocapture", runs.len());
    assert!(copied <= MAX_LINES, "{copied} lines copied, at most {MAX_LINES} are allowed: see them with --nocapture");
}

/// The runs of files that are given by their texts: length and number of places of each, and the lines copied.
fn planted(sources: &[&str]) -> (Vec<(usize, usize)>, usize) {
    let file = |(number, source): (usize, &&str)| (PathBuf::from(number.to_string()), compared(source).0);
    let files: Vec<_> = sources.iter().enumerate().map(file).collect();
    let runs = runs(&files);
    let copied = copied(&runs, &files);
    (runs.iter().map(|(run, places)| (run.len(), places.len())).collect(), copied)
}

/// A function of six lines that are compared.
fn function(name: &str) -> String {
    format!("fn {name}() {{\n    a();\n    b();\n    c();\n    d();\n    e();\n    f();\n}}\n")
}

#[test]
fn copies_are_found() {
    let (first, second) = (function("first"), function("second"));
    assert_eq!(planted(&[&first, &second]), (vec![(6, 2)], 6));
    assert_eq!(planted(&[&first, &first]), (vec![(7, 2)], 7));
    assert_eq!(planted(&[&[&first[..], &second].concat()]), (vec![(6, 2)], 6));
    assert_eq!(planted(&[&first, &second, &function("third")]), (vec![(6, 3)], 12));
    // A longer run of two places, and a shorter one of three.
    assert_eq!(planted(&[&first, &first, &second]), (vec![(6, 3), (7, 2)], 13));
    // What is left out does not keep lines apart.
    let changed = first.replace("    c();\n", "        // Why.\n\n        #[rustfmt::skip]\n        c();\n    }\n");
    assert_eq!(planted(&[&first, &changed]), (vec![(7, 2)], 7));
    let imports = first.replace("    c();\n", "    use a::{\n    b,\n    };\n    pub(crate) use c;\n    c();\n");
    assert_eq!(planted(&[&first, &imports]), (vec![(7, 2)], 7));
    // After a test that is left out.
    let tested = format!("#[cfg(test)]\nmod tests {{\n    fn g() {{}}\n}}\n#[cfg(test)]\nmod more;\n{second}");
    assert_eq!(planted(&[&first, &tested]), (vec![(6, 2)], 6));
    assert_eq!(compared(&tested).1, ["more"]);
}

#[test]
fn what_is_no_copy_is_not_reported() {
    let first = function("first");
    for other in [
        first.replace("c()", "g()"),
        first.replace("    e();\n    f();\n", ""),
        format!("#[cfg(test)]\nmod tests {{\n    {}\n}}\n", first.trim_end().replace('\n', "\n    ")),
        "}\n".repeat(20),
        "#[inline(always)]\n".repeat(20),
        "use a;\n".repeat(20),
    ] {
        assert_eq!(planted(&[&first, &other]), (Vec::new(), 0), "{other}");
    }
}
