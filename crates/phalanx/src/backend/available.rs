//! Which backends there are, in which order.

use super::Backend;
use phalanx_engine::word::{AvxIfma, Ifma};

/// Every backend at each place that it may have in the order of preference, the last the best. A form that has never
/// run on a CPU stands before the portable backend: it is there by name, and never taken by default.
const PLACES: [Backend; 4] = [Backend::AvxIfma, Backend::Portable, Backend::AvxIfma, Backend::Ifma];

/// Whether the place is taken, on this CPU and in this build.
fn taken() -> [bool; PLACES.len()] {
    let pair = AvxIfma::detect().map(AvxIfma::is_tested);
    [pair == Some(false), true, pair == Some(true), Ifma::detect().is_some()]
}

/// For each set of places, a bit a place: its backends in order, and how many they are.
static LISTS: [([Backend; PLACES.len()], usize); 1 << PLACES.len()] = {
    let mut lists = [([Backend::Portable; PLACES.len()], 0); 1 << PLACES.len()];
    let mut set = 0;
    while set < lists.len() {
        let mut place = 0;
        while place < PLACES.len() {
            if set >> place & 1 == 1 {
                lists[set].0[lists[set].1] = PLACES[place];
                lists[set].1 += 1;
            }
            place += 1;
        }
        set += 1;
    }
    lists
};

/// The same as names.
static NAMES: [[&str; PLACES.len()]; 1 << PLACES.len()] = {
    let mut names = [[""; PLACES.len()]; 1 << PLACES.len()];
    let mut set = 0;
    while set < names.len() {
        let mut place = 0;
        while place < PLACES.len() {
            names[set][place] = LISTS[set].0[place].name();
            place += 1;
        }
        set += 1;
    }
    names
};

fn set() -> usize {
    taken().iter().rev().fold(0, |set, taken| set << 1 | usize::from(*taken))
}

/// The backends that can run here, the one that is taken by default last.
pub(super) fn backends() -> &'static [Backend] {
    let (list, length) = &LISTS[set()];
    &list[..*length]
}

/// Their names.
pub(super) fn names() -> &'static [&'static str] {
    let set = set();
    &NAMES[set][..LISTS[set].1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every set of places that a CPU may have.
    #[test]
    fn the_untested_form_is_never_the_default() {
        for (set, (list, length)) in LISTS.iter().enumerate() {
            let list = &list[..*length];
            let names = &NAMES[set][..*length];
            assert!(list.iter().zip(names).all(|(backend, name)| backend.name() == *name));
            let [untested, portable, tested, ifma] = [0, 1, 2, 3].map(|place| set >> place & 1 == 1);
            if !portable || untested && tested {
                continue;
            }
            let best = match (tested, ifma) {
                (_, true) => Backend::Ifma,
                (true, false) => Backend::AvxIfma,
                (false, false) => Backend::Portable,
            };
            assert_eq!(list.last(), Some(&best));
            assert_eq!(list.contains(&Backend::AvxIfma), untested || tested);
        }
    }
}
