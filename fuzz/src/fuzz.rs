//! The program that libFuzzer drives: one for all targets, so that one is linked. `PHALANX_FUZZ` names the target.
#![no_main]

use std::env;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use phalanx_fuzz::{TARGETS, Target};

static TARGET: OnceLock<Target> = OnceLock::new();

fuzz_target!(
    init: {
        let asked = env::var("PHALANX_FUZZ").unwrap_or_default();
        let Some(target) = TARGETS.iter().find(|target| target.name == asked) else {
            let names = TARGETS.map(|target| target.name);
            eprintln!("PHALANX_FUZZ={asked}: no such target; targets are {}", names.join(", "));
            std::process::exit(2);
        };
        // By now every panic aborts. Those that the command turns into failures are no findings by themselves.
        phalanx_fuzz::install();
        TARGET.get_or_init(|| *target);
    },
    |bytes: &[u8]| (TARGET.get().expect("the target is chosen before the first run").check)(bytes)
);
