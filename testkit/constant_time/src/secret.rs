//! Values that the checker takes for unknown.

use crate::checker::{is_poisoned, poison};
use std::hint::black_box;

/// The value with every bit poisoned: whatever is computed from it is poisoned too.
pub(crate) fn secret<T>(value: T) -> T {
    let mut value = black_box(value);
    poison(std::ptr::from_mut(&mut value).addr(), size_of::<T>());
    black_box(value)
}

/// As [`secret`], for the characters of a text.
pub(crate) fn secret_text(text: &str) -> String {
    let mut text = text.to_owned();
    poison(text.as_mut_str().as_mut_ptr().addr(), text.len());
    black_box(text)
}

/// As [`secret`], for what a vector holds.
pub(crate) fn secrets<T>(values: Vec<T>) -> Vec<T> {
    values.into_iter().map(secret).collect()
}

/// For a result that depends on secrets in every byte.
///
/// # Panics
/// If the checker knows one, for then it has lost sight of the secrets somewhere, and of what leaks from there on.
pub(crate) fn still_secret<T>(value: T) {
    let value = black_box(value);
    assert!(is_poisoned(&value), "the checker has lost sight of the secret");
}
