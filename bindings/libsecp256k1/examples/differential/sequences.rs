//! Random sequences of functions over a small pool of structures: what one call leaves, failed or not, the next one
//! takes. Structures are also zeroed, and written in part, as by a program that stops half way.

use crate::{
    arena::Arena,
    compare::{Comparison, report},
    functions::FUNCTIONS,
    pool::Pool,
    random::Random,
    scenario::Scenario,
    values::{at, at_mut},
};
use std::collections::BTreeSet;

/// Calls of a sequence.
const STEPS: usize = 32;

/// What sequences did.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) steps: usize,
    pub(crate) successes: usize,
    pub(crate) reports: usize,
    /// Calls with coordinates that are no point, where the original computes and ours must refuse.
    pub(crate) refused: usize,
    /// Functions that wrote coordinates that are no point, though they read none.
    pub(crate) writers: BTreeSet<&'static str>,
}

/// Compares so many sequences. Where ours refuses what is no point, a sequence goes on with what the original has
/// written, or with what ours has.
pub(crate) fn run(comparison: &Comparison<'_>, sequences: usize) -> Counts {
    let mut random = Random(comparison.seed ^ 0x5e9_0e4ce);
    let (mut arena, mut counts, mut called) = (Arena::new(), Counts::default(), BTreeSet::new());
    let pool = Pool::new(&mut arena);
    let end = arena.used();
    for sequence in 0..sequences {
        let (original, context) = (comparison.libraries[0], comparison.contexts.plain[0]);
        let mut scenario = Scenario::new(original, context, &mut random);
        // Of a message that has a place here.
        let words = [context, at_mut(&mut scenario.schnorr), at(&scenario.digest), at(&scenario.keypair), 0];
        assert_eq!(original.answer("secp256k1_schnorrsig_sign32", &words), 1);
        pool.fill(&mut arena, &scenario, &mut random);
        for step in 0..STEPS {
            pool.disturb(&mut arena, &scenario, &mut random);
            // What the call before was given beside.
            arena.forget_after(end);
            let function = &FUNCTIONS[random.below(FUNCTIONS.len())];
            let Some(drawn) = comparison.draw(function, &mut arena, &scenario, &mut random, Some(&pool)) else {
                continue;
            };
            let is_outside = drawn.read().any(|(of, address)| comparison.is_outside(of, address, &arena));
            let before = arena.bytes().to_vec();
            let ([expected, found], _) = comparison.outcomes(function, &drawn, &mut arena);
            counts.steps += 1;
            if expected != found {
                let refused = function.computes && is_outside && (found.0 == 0 || !comparison.refuses);
                if !refused {
                    eprintln!("sequence {sequence}, call {step}");
                    report(function, &drawn, arena.address(), &before, &expected, &found);
                }
                counts.refused += 1;
                arena.bytes_mut().copy_from_slice(if random.once_in(2) { &expected.2 } else { &found.2 });
                continue;
            }
            counts.reports += usize::from(!found.1.is_empty());
            let written_outside = || {
                pool.places.iter().any(|(of, address)| {
                    let start = address - arena.address();
                    arena.at(*address, of.size()) != &before[start..start + of.size()]
                        && comparison.is_outside(*of, *address, &arena)
                })
            };
            if !is_outside && written_outside() {
                counts.writers.insert(function.name);
            }
            if found.0 != 0 {
                counts.successes += 1;
                called.insert(function.name);
            }
        }
    }
    let never: Vec<_> = FUNCTIONS.iter().map(|it| it.name).filter(|name| !called.contains(name)).collect();
    assert!(sequences < 1000 || never.is_empty(), "{never:?} never succeeded");
    counts
}
