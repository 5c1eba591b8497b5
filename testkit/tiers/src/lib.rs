//! The two sizes of every expensive test, and how a test says what it skipped.
//!
//! The variable `PHALANX_TESTS` chooses, and this file alone reads it. It holds words between commas:
//!
//! - `short`, the default: every test and every class of input, but fewer random cases, a sample of each exhaustive
//!   range, and smaller sizes;
//! - `large`: all of it;
//! - `emulated`: as on a CPU without vector units, so that the eight lanes run on emulated words.
//!
//! Three more variables hold numbers, which [`number`] reads. `PHALANX_CASES` is how many cases a differential run takes of
//! each operation, and `PHALANX_PLACES=n` leaves bad rows one in n of their places: a run under an emulator sets both.
//! `PHALANX_SEED` sets the seed of samples and random cases; without it the operating system gives one. Each test that
//! draws says which it was.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Mutex, OnceLock};

/// What `PHALANX_TESTS` asks for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Choice {
    large: bool,
    emulated: bool,
}

impl Choice {
    fn parse(words: &str) -> Result<Choice, String> {
        let mut choice = Choice::default();
        for word in words.split(',').filter(|word| !word.is_empty()) {
            match word {
                "short" => choice.large = false,
                "large" => choice.large = true,
                "emulated" => choice.emulated = true,
                _ => return Err(format!("PHALANX_TESTS knows short, large and emulated, not {word:?}")),
            }
        }
        Ok(choice)
    }

    fn get() -> Choice {
        static CHOICE: OnceLock<Choice> = OnceLock::new();
        *CHOICE.get_or_init(|| {
            let words = std::env::var("PHALANX_TESTS").unwrap_or_default();
            Choice::parse(&words).unwrap_or_else(|error| panic!("{error}"))
        })
    }
}

/// Whether tests run at their large sizes.
pub fn is_large() -> bool {
    Choice::get().large
}

/// Whether tests run as on a CPU without vector instructions.
pub fn is_emulated() -> bool {
    Choice::get().emulated
}

/// The size of a test in the tier that runs.
pub fn size<T>(short: T, large: T) -> T {
    if is_large() { large } else { short }
}

/// The number that a variable holds.
///
/// # Panics
/// If it holds no number.
pub fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {value:?}")))
}

/// The seed of this run, the same for all tests of a program.
pub fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    // The hasher's keys are the operating system's randomness.
    let random = || std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), "seed");
    *SEED.get_or_init(|| number("PHALANX_SEED").unwrap_or_else(random))
}

/// Random numbers that a seed gives again (xorshift).
#[derive(Debug, Clone)]
pub struct Draws(u64);

impl Draws {
    /// Of this run's seed, which is said.
    pub fn of_run() -> Draws {
        println!("PHALANX_SEED={}", seed());
        Draws::of(seed())
    }

    /// Of this seed.
    pub fn of(seed: u64) -> Draws {
        Draws(seed | 1)
    }

    /// A number below a bound that is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Which of `0..whole` a test takes: in the large tier all, in the short one `short` of them, one in each of as many
/// equal stretches, chosen by the seed. Says which seed, past the capture of passing tests.
pub fn sample(what: &str, whole: usize, short: usize) -> Vec<usize> {
    if is_large() || short >= whole {
        return (0..whole).collect();
    }
    say(&format!("{what}: {short} of {whole}, PHALANX_SEED={}", seed()));
    drawn(seed(), what, whole, short)
}

fn drawn(seed: u64, what: &str, whole: usize, short: usize) -> Vec<usize> {
    // FNV-1a of the name, so that tests of one seed differ; then splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
    let name = what
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let mut state = seed ^ name;
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let stretch = |i: usize| i * whole / short..(i + 1) * whole / short;
    (0..short).map(stretch).map(|range| range.start + (word() % range.len() as u64) as usize).collect()
}

/// Says that something could not be checked, and what would have been: once, on standard error, past the capture of
/// passing tests. The summary of `cargo xtask` lists these lines.
pub fn skipped(what: &str, would_check: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let line = format!("SKIPPED: {what}: {would_check}");
    // A test that panicked while it held the set has harmed nothing.
    if SAID.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(line.clone()) {
        say(&line);
    }
}

/// Whether a test may compile for minutes: in the large tier. Elsewhere says what is left out.
pub fn may_compile(would_check: &str) -> bool {
    if !is_large() {
        skipped("compiled apart, for minutes: in the large tier", would_check);
    }
    is_large()
}

/// A line on standard error, past the capture of passing tests.
///
/// # Panics
/// If it cannot be written: what a test says must not be lost.
pub fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).expect("standard error takes a line");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_or_refused() {
        let choice = |large, emulated| Ok(Choice { large, emulated });
        assert_eq!(Choice::parse(""), choice(false, false));
        assert_eq!(Choice::parse("short"), choice(false, false));
        assert_eq!(Choice::parse("large"), choice(true, false));
        assert_eq!(Choice::parse("emulated,large"), choice(true, true));
        assert!(Choice::parse("Large").is_err() && Choice::parse("short, large").is_err());
    }

    #[test]
    fn samples_are_of_every_stretch_and_can_be_had_again() {
        for (whole, short) in [(10, 3), (1000, 999), (7, 1), (199 * 199, 500)] {
            let chosen = drawn(5, "a", whole, short);
            assert_eq!(chosen, drawn(5, "a", whole, short));
            assert_eq!(chosen.len(), short);
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]) && chosen[short - 1] < whole);
            assert!((0..short).all(|i| (i * whole / short..(i + 1) * whole / short).contains(&chosen[i])));
        }
        assert_ne!(drawn(5, "a", 1000, 20), drawn(6, "a", 1000, 20));
        assert_ne!(drawn(5, "a", 1000, 20), drawn(5, "b", 1000, 20));
    }

    /// A skip must be seen in the log of a run that passes, where libtest swallows what is printed.
    #[test]
    fn skips_reach_the_stream_once() {
        const COPY: &str = "PHALANX_TIERS_COPY";
        if std::env::var_os(COPY).is_some() {
            skipped("a thing", "3 of its cases");
            skipped("a thing", "3 of its cases");
            println!("swallowed");
            return;
        }
        let copy = std::process::Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "tests::skips_reach_the_stream_once"])
            .env(COPY, "1")
            .output()
            .expect("it runs");
        assert!(copy.status.success());
        assert_eq!(String::from_utf8_lossy(&copy.stderr).matches("SKIPPED: a thing: 3 of its cases\n").count(), 1);
        assert!(!String::from_utf8_lossy(&copy.stdout).contains("swallowed"));
    }
}
