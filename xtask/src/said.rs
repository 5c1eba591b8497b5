//! What the output of a step says of tests and skips.

use std::collections::BTreeSet;

/// Of some output.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Said {
    /// Tests that passed and that failed, by the result lines of Rust's test harness; none where it did not run.
    pub(crate) tests: Option<(u64, u64)>,
    /// What stands after `SKIPPED: `, each once.
    pub(crate) skips: BTreeSet<String>,
}

impl Said {
    pub(crate) fn of(output: &str) -> Said {
        let mut said = Said::default();
        for line in output.lines() {
            if let Some(result) = line.strip_prefix("test result: ") {
                let (passed, failed) = said.tests.get_or_insert((0, 0));
                *passed += number_before(result, " passed");
                *failed += number_before(result, " failed");
            }
            if let Some((_, skip)) = line.split_once("SKIPPED: ") {
                said.skips.insert(skip.trim_end().to_owned());
            }
        }
        said
    }
}

/// The number that ends where the text begins.
fn number_before(line: &str, text: &str) -> u64 {
    let before = line.split_once(text).map_or("", |(before, _)| before);
    before.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_and_skips_are_listed_once() {
        let said = Said::of(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.12s\n\
             SKIPPED: zsh is not here: completions\n\
             test a ... SKIPPED: zsh is not here: completions\n\
             test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n",
        );
        assert_eq!(said.tests, Some((13, 2)));
        assert_eq!(said.skips, BTreeSet::from(["zsh is not here: completions".to_owned()]));
        assert_eq!(Said::of("Finished\n"), Said::default());
        assert_eq!(Said::of("test result: ok. 0 passed; 0 failed; 0 ignored\n").tests, Some((0, 0)));
    }
}
