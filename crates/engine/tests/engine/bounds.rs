//! Bounds that operations keep, beside what is stated of them: a statement that is too generous fails, and so does one
//! that is too modest.

use phalanx_engine::field::{Field, Prime};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// The largest C that `Prime` allows: whatever holds here holds for every prime. It need not be prime for that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steepest;
impl Prime for Steepest {
    const C: u64 = (1 << 36) - 1;
    #[inline(always)]
    fn invert<F: Field>(x: F) -> F {
        crate::secp256k1::power(x, [Self::C.wrapping_neg() - 2, u64::MAX, u64::MAX, u64::MAX])
    }
}

thread_local! {
    static EXPECTING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the work runs to its end; its panics, which are expected here, print nothing.
pub(crate) fn passes(work: impl FnOnce()) -> bool {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTING.get() {
                loud(info);
            }
        }));
    });
    EXPECTING.set(true);
    let passed = catch_unwind(AssertUnwindSafe(work)).is_ok();
    EXPECTING.set(false);
    passed
}

/// The greatest bound that passes, which is at least `from`.
pub(crate) fn greatest(from: u64, run: impl Fn(u64)) -> u64 {
    run(from);
    let (mut good, mut bad) = (from, 2 * from);
    while passes(|| run(bad)) {
        (good, bad) = (bad, 2 * bad);
    }
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if passes(|| run(middle)) { good = middle } else { bad = middle }
    }
    good
}

/// Compares the bounds that pass with what is stated.
#[derive(Default)]
pub(crate) struct Bounds(Vec<String>);

impl Bounds {
    /// Notes how far an operation was found to pass, where something else is stated.
    pub(crate) fn compare<T, const N: usize>(&mut self, _: &T, documented: u64, found: [u64; N], stated: [u64; N]) {
        let name = std::any::type_name::<T>();
        println!("{name}: documented {documented}, passes to {found:?}");
        if found != stated {
            self.0.push(format!("{name} passes to {found:?}, stated {stated:?}"));
        }
    }
}

impl Drop for Bounds {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.0.is_empty(), "stated slack is not the true one: {:#?}", self.0);
    }
}
