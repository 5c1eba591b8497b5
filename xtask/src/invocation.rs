//! A command as text, the same that a person would type.

use crate::{git, need};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a line of text starts: `VARIABLE=VALUE... PROGRAM ARGUMENT...`, with spaces between the words, read by no
/// shell.
///
/// These words are replaced wherever they stand: `{target}` by the folder of what is compiled, `{oldest}` by the oldest
/// version of Rust, `{number}` by a number that is another one with each commit.
#[derive(Debug, PartialEq)]
pub(crate) struct Invocation {
    variables: Vec<(String, String)>,
    words: Vec<String>,
}

impl Invocation {
    pub(crate) fn parse(line: &str) -> Invocation {
        let (mut variables, mut words) = (Vec::new(), Vec::new());
        for word in line.split_whitespace() {
            let word = filled_in(word);
            match word.split_once('=') {
                Some((name, value)) if words.is_empty() => variables.push((name.to_owned(), value.to_owned())),
                _ => words.push(word),
            }
        }
        Invocation { variables, words }
    }

    /// Whether it runs tests by cargo, so that it must find one.
    pub(crate) fn runs_tests(&self) -> bool {
        let has = |word: &str| self.words.iter().any(|other| other == word);
        self.words.starts_with(&["cargo".into(), "test".into()]) && !has("--no-run")
    }

    /// With all words as they are run.
    pub(crate) fn text(&self) -> String {
        let variables = self.variables.iter().map(|(name, value)| format!("{name}={value}"));
        variables.chain(self.words.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Where cargo puts what it compiles.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or(Path::new("target").to_owned(), PathBuf::from)
}

fn filled_in(word: &str) -> String {
    if !word.contains('{') {
        return word.to_owned();
    }
    word.replace("{target}", &target().to_string_lossy())
        .replace("{oldest}", &need::oldest_rust())
        .replace("{number}", &git::number_of_the_commit().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_before_the_program() {
        let read = Invocation::parse("A=1 B= cargo test --config a.b=2");
        assert_eq!(read.variables, [("A".into(), "1".into()), ("B".into(), "".into())]);
        assert_eq!(read.words, ["cargo", "test", "--config", "a.b=2"]);
    }

    #[test]
    fn tests_are_told_from_their_build() {
        assert!(Invocation::parse("A=1 cargo test --workspace").runs_tests());
        assert!(!Invocation::parse("cargo test --workspace --no-run").runs_tests());
        assert!(!Invocation::parse("cargo build").runs_tests());
        assert!(!Invocation::parse("xtask/steps/neon test").runs_tests());
    }

    #[test]
    fn words_in_braces_are_replaced() {
        let read = Invocation::parse("{target}/debug/program +{oldest}");
        assert!(!read.text().contains("{target}") && !read.text().contains("{oldest}"));
        assert_eq!(Invocation::parse("A=1  cargo test").text(), "A=1 cargo test");
    }
}
