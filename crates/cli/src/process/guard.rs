//! Panics of libraries that read damaged files, turned into failures without noise.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};

use crate::exit::RunError;

thread_local! {
    /// What a guarded thread panicked with; absent where nobody guards.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Has guarded panics kept instead of printed. To be called once, before anything is guarded.
pub(crate) fn install() {
    let print = take_hook();
    set_hook(Box::new(move |panic| {
        let kept = CAUGHT.with_borrow_mut(|caught| match caught {
            Some(text) => {
                *text = message(panic);
                true
            }
            None => false,
        });
        if !kept {
            print(panic);
        }
    }));
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let place =
        panic.location().map_or_else(String::new, |place| format!(" ({}:{})", file(place.file()), place.line()));
    format!("{}{place}", panic.payload_as_str().unwrap_or("panic"))
}

/// The last two parts of a path: enough to find the line, and nothing about the machine it was built on.
fn file(path: &str) -> &str {
    let start = path.rmatch_indices('/').nth(1).map_or(0, |(slash, _)| slash + 1);
    &path[start..]
}

/// Does some work; a panic in it is a failure that says `what` happened.
pub(crate) fn guard<T>(what: &str, work: impl FnOnce() -> Result<T, RunError>) -> Result<T, RunError> {
    let outer = CAUGHT.replace(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(work));
    let caught = CAUGHT.replace(outer).unwrap_or_default();
    result.unwrap_or_else(|_| Err(RunError::new(format!("{what}: {caught}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_says_what_it_said() {
        install();
        let failure = guard("reading", || -> Result<(), RunError> { panic!("of {}", 7) }).unwrap_err();
        assert!(failure.to_string().starts_with("reading: of 7 (process/guard.rs:"), "{failure}");
        assert!(guard("reading", || Ok(1)).is_ok());
        let failure = guard("reading", || Err::<(), _>(RunError::new("no"))).unwrap_err();
        assert_eq!(failure.to_string(), "no");
    }
}
