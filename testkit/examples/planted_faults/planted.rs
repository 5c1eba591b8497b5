//! The files that faults change.

use phalanx_testkit::faults::edit::{Replacement, replace};
use phalanx_testkit::faults::{Fault, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The variable by which a program is told which of the planted faults is on.
pub(crate) const VARIABLE: &str = "PHALANX_PLANTED";

/// What each crate with faults gets at the end of its root, with the variable's name put in.
const SWITCH: &str = r#"
#[allow(missing_docs, unreachable_pub, dead_code)]
pub(crate) mod planted {
    extern crate std;
    use core::sync::atomic::{AtomicU32, Ordering};

    static FAULT: AtomicU32 = AtomicU32::new(u32::MAX);

    #[inline(always)]
    pub fn is(fault: u32) -> bool {
        let on = FAULT.load(Ordering::Relaxed);
        (if on == u32::MAX { read() } else { on }) == fault
    }

    #[cold]
    #[inline(never)]
    fn read() -> u32 {
        let on = std::env::var("VARIABLE").map_or(0, |number| number.parse().unwrap_or(0));
        FAULT.store(on, Ordering::Relaxed);
        on
    }
}
"#;

/// The files that faults change, by name, with the expression of each fault made a choice: fault i is on when the
/// variable is i, from 1 on.
pub(crate) fn files(faults: &[Fault]) -> Result<BTreeMap<String, String>, String> {
    let mut edits: BTreeMap<String, Vec<(Range<usize>, String)>> = BTreeMap::new();
    let mut roots = BTreeSet::new();
    for (number, fault) in (1u32..).zip(faults) {
        let source = read(fault.file)?;
        let Replacement { at, wrong } = fault.replacement(&source)?;
        let right = &source[at.clone()];
        let choice = format!("(if crate::planted::is({number}) {{ {wrong} }} else {{ {right} }})");
        edits.entry(fault.file.to_owned()).or_default().push((at, if fault.constant { wrong } else { choice }));
        let (folder, _) = fault.file.split_once("/src/").ok_or("a fault stands in the source of a crate")?;
        roots.insert(format!("{folder}/src/lib.rs"));
    }
    for root in roots {
        let end = read(&root)?.len();
        edits.entry(root).or_default().push((end..end, SWITCH.replace("VARIABLE", VARIABLE)));
    }
    let edited = |(name, edits): (String, _)| {
        let source = replace(&read(&name)?, edits)?;
        Ok((name, source))
    };
    edits.into_iter().map(edited).collect()
}

fn read(name: &str) -> Result<String, String> {
    std::fs::read_to_string(repository().join(name)).map_err(|error| format!("{name}: {error}"))
}
