//! The counts of division steps that `docs/safegcd.md` relies on. The example program computes them for 256 bits; here
//! it does for sizes that take no time, and is held against the steps themselves.

#[path = "../examples/divstep_bounds.rs"]
mod program;

use program::sufficient_steps;

#[test]
fn known_counts() {
    assert_eq!([16, 32, 64].map(|bits| sufficient_steps(bits, 1)), [38, 74, 148]);
    assert_eq!([16, 32, 64].map(|bits| sufficient_steps(bits, 2)), [46, 92, 182]);
}

/// Every pair of small integers ends within the steps that the program promises.
#[test]
fn small_integers_keep_the_promise() {
    for (bits, twice_delta) in [(1, 1), (4, 1), (7, 1), (10, 1), (4, 2), (10, 2)] {
        let promised = sufficient_steps(bits, twice_delta);
        for start_f in (1..1i64 << bits).step_by(2) {
            for start_g in 0..=start_f {
                let (mut delta, mut f, mut g) = (twice_delta, start_f, start_g);
                for _ in 0..promised {
                    (delta, f, g) = match (delta > 0, g & 1 == 1) {
                        (true, true) => (2 - delta, g, (g - f) / 2),
                        (false, true) => (2 + delta, f, (g + f) / 2),
                        (_, false) => (2 + delta, f, g / 2),
                    };
                }
                assert_eq!(g, 0, "{start_f} and {start_g} after {promised} steps");
            }
        }
    }
}
