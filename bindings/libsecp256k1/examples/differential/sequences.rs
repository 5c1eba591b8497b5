//! Random sequences of functions over a small pool of structures: what one call leaves, failed or not, the next one
//! takes. Structures are also zeroed, and written in part, as by a program that stops half way.

use crate::{
    callbacks::{self, address, take_journal},
    compare::Comparison,
    functions::{FUNCTIONS, Function, HELD},
    kinds::Kind,
    library::call,
    memory::{Memory, Of},
    random::Random,
    values::{Scenario, at, at_mut, hostile_number, reversed},
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

/// A call: its arguments for each library, and the structures that it reads.
struct Call {
    arguments: Vec<[usize; 2]>,
    read: Vec<(Of, usize)>,
}

/// Compares so many sequences.
pub(crate) fn run(comparison: &Comparison<'_>, sequences: usize) -> Counts {
    let mut random = Random(comparison.seed ^ 0x5e9_0e4ce);
    let (mut memory, mut counts) = (Memory::new(), Counts::default());
    let mut called = BTreeSet::new();
    for sequence in 0..sequences {
        let (original, context) = (comparison.libraries[0], comparison.contexts.plain[0]);
        let mut scenario = Scenario::new(original, context, &mut random);
        // Of a message that has a place here.
        let words = [context, at_mut(&mut scenario.schnorr), at(&scenario.digest), at(&scenario.keypair), 0];
        assert_eq!(original.answer("secp256k1_schnorrsig_sign32", &words), 1);
        memory.fill(&scenario, &mut random);
        for step in 0..STEPS {
            memory.disturb(&scenario, &mut random);
            let (function, held) = match random.once_in(16) {
                true => (random.one_of(&HELD.iter().collect::<Vec<_>>()), true),
                false => (random.one_of(&FUNCTIONS.iter().collect::<Vec<_>>()), false),
            };
            let call = draw(comparison, function, held, &mut memory, &mut random);
            let place = format!("sequence {sequence}, call {step}");
            if compare(comparison, function, &call, &mut memory, &mut counts, random.once_in(2), &place) {
                called.insert(function.name);
            }
        }
    }
    let never = FUNCTIONS.iter().chain(HELD).map(|it| it.name).filter(|name| !called.contains(name));
    let never: Vec<_> = never.collect();
    assert!(sequences < 1000 || never.is_empty(), "{never:?} never succeeded");
    counts
}

/// Makes a call in both libraries; whether it succeeded. Where ours refuses what is no point, the sequence goes on with
/// what the original has written, or with what ours has.
fn compare(
    comparison: &Comparison<'_>,
    function: &Function,
    made: &Call,
    memory: &mut Memory,
    counts: &mut Counts,
    by_original: bool,
    place: &str,
) -> bool {
    let outside = |memory: &Memory, of: Of, offset: usize| {
        of.key().is_some_and(|key| {
            let bytes: [u8; 64] = memory.bytes()[offset + key..][..64].try_into().unwrap();
            bytes != [0; 64] && !comparison.is_point(&bytes)
        })
    };
    let is_outside = made.read.iter().any(|(of, offset)| outside(memory, *of, *offset));
    let before = memory.bytes().to_vec();
    take_journal();
    let [expected, found] = [0, 1].map(|i| {
        memory.bytes_mut().copy_from_slice(&before);
        let library = comparison.libraries[i];
        let at = if HELD.iter().any(|it| it.name == function.name) {
            library.word(function.name)
        } else {
            library.address(function.name)
        };
        let words: Vec<usize> = made.arguments.iter().map(|argument| argument[i]).collect();
        (call(at, &words) as i32, take_journal(), memory.bytes().to_vec())
    });
    counts.steps += 1;
    if expected != found {
        let refused = function.computes && is_outside && (found.0 == 0 || !comparison.refuses);
        if !refused {
            let lines = made.read.iter().map(|(of, at)| format!("  {of:?} at {at}: {:02x?}\n", &before[*at..at + 96]));
            let changed: Vec<usize> = (0..before.len()).filter(|i| expected.2[*i] != found.2[*i]).collect();
            eprint!("{} differs, {place}\n{}", function.name, lines.collect::<String>());
            eprintln!("  original: {} {:?}\n  ours: {} {:?}", expected.0, expected.1, found.0, found.1);
            eprintln!("  other bytes: {changed:?}");
            panic!("{} differs", function.name);
        }
        counts.refused += 1;
        memory.bytes_mut().copy_from_slice(if by_original { &expected.2 } else { &found.2 });
        return false;
    }
    counts.successes += usize::from(found.0 != 0);
    counts.reports += usize::from(!found.1.is_empty());
    if !is_outside && let Some(name) = written_outside(memory, &before, outside).then_some(function.name) {
        counts.writers.insert(name);
    }
    found.0 != 0
}

/// Whether a structure has changed to one with coordinates that are no point.
fn written_outside(memory: &Memory, before: &[u8], outside: impl Fn(&Memory, Of, usize) -> bool) -> bool {
    Memory::places().any(|(of, offset, size)| {
        memory.bytes()[offset..offset + size] != before[offset..offset + size] && outside(memory, of, offset)
    })
}

/// The pool that an output of a function belongs to.
fn pool_of_output(function: &str, size: usize) -> Of {
    match size {
        4 => Of::Number,
        32 => Of::Scalar,
        65 => Of::Recoverable,
        72 | 100 => Of::Room,
        96 => Of::Keypair,
        _ if function.contains("serialize_compact") || function.contains("schnorrsig") => Of::Encoded,
        _ if function.contains("ecdsa_sign") || function.contains("convert") => Of::Signature,
        _ if function.contains("ecdsa_recover") && !function.contains("recoverable") => Of::Pubkey,
        _ if function.contains("ecdh") => Of::Encoded,
        _ if function.contains("xonly_pubkey_tweak_add") => Of::Pubkey,
        _ if function.contains("xonly") => Of::Xonly,
        _ => Of::Pubkey,
    }
}

fn draw(
    comparison: &Comparison<'_>,
    function: &Function,
    held: bool,
    memory: &mut Memory,
    random: &mut Random,
) -> Call {
    let mut made = Call { arguments: Vec::new(), read: Vec::new() };
    for kind in function.parameters {
        let pointer = |of: Of, random: &mut Random, made: &mut Call| {
            let offset = memory.any(of, random);
            made.read.push((of, offset));
            let null = !held && random.once_in(60);
            made.arguments.push([if null { 0 } else { memory.address() + offset }; 2]);
            offset
        };
        let word = |word: usize, made: &mut Call| made.arguments.push([word; 2]);
        match kind {
            Kind::Context => made.arguments.push(comparison.contexts.any(random)),
            Kind::Output(size) => {
                pointer(pool_of_output(function.name, *size), random, &mut made);
                // What is written is not read.
                made.read.pop();
            }
            Kind::Number | Kind::Tweak | Kind::Digest | Kind::X => {
                pointer(Of::Scalar, random, &mut made);
            }
            Kind::Pubkey => {
                pointer(Of::Pubkey, random, &mut made);
            }
            Kind::Xonly => {
                pointer(Of::Xonly, random, &mut made);
            }
            Kind::Keypair => {
                pointer(Of::Keypair, random, &mut made);
            }
            Kind::Signature => {
                pointer(Of::Signature, random, &mut made);
            }
            Kind::Recoverable => {
                pointer(Of::Recoverable, random, &mut made);
            }
            Kind::Compact | Kind::Schnorr => {
                pointer(Of::Encoded, random, &mut made);
            }
            Kind::EncodedKey | Kind::Der => {
                let offset = pointer(Of::Room, random, &mut made);
                let der = 2 + usize::from(memory.bytes()[offset + 1] % 80);
                word(random.one_of(&if *kind == Kind::Der { [der, der, 70] } else { [33, 65, 65] }), &mut made);
            }
            Kind::Message => {
                pointer(Of::Scalar, random, &mut made);
                word(32, &mut made);
            }
            Kind::NamedAlgorithm => {
                pointer(Of::Scalar, random, &mut made);
                word(random.below(20), &mut made);
            }
            Kind::Algorithm | Kind::Data if random.once_in(2) => word(0, &mut made),
            Kind::Algorithm | Kind::Data => {
                pointer(Of::Scalar, random, &mut made);
            }
            Kind::Parity => word(random.below(2), &mut made),
            Kind::Room => {
                let offset = pointer(Of::Length, random, &mut made);
                let room = random.one_of(&[33usize, 65, 65, 72, 72, 100, 12]);
                memory.bytes_mut()[offset..offset + 8].copy_from_slice(&room.to_le_bytes());
            }
            Kind::Flags => word(random.one_of(&[258, 2]), &mut made),
            Kind::Id => word(random.below(4), &mut made),
            Kind::Attempt => word(random.below(3), &mut made),
            Kind::Extra => word(0, &mut made),
            Kind::Nonces => {
                let own = random.once_in(2);
                let custom = address(callbacks::nonce as unsafe extern "C" fn(_, _, _, _, _, _) -> _);
                word(if own { 0 } else { custom }, &mut made);
                word(if own { 0 } else { random.below(5) }, &mut made);
            }
            Kind::PointHash => {
                word(address(callbacks::point_hash as unsafe extern "C" fn(_, _, _, _) -> _), &mut made);
                word(random.below(3), &mut made);
            }
            Kind::Keys => {
                let keys: Vec<usize> = (0..random.below(4)).map(|_| memory.any(Of::Pubkey, random)).collect();
                made.read.extend(keys.iter().map(|key| (Of::Pubkey, *key)));
                word(memory.put_pointers(&keys), &mut made);
                word(keys.len(), &mut made);
            }
        }
    }
    made
}

impl Memory {
    /// Fresh values in some places of each pool, zeros in the others.
    fn fill(&mut self, scenario: &Scenario, random: &mut Random) {
        self.bytes_mut().fill(0);
        for (of, offset, size) in Memory::places() {
            if !random.once_in(4) {
                self.renew(of, offset, size, scenario, random);
            }
        }
    }

    fn renew(&mut self, of: Of, offset: usize, size: usize, scenario: &Scenario, random: &mut Random) {
        let (hostile, tweaked) = (hostile_number(random), reversed(scenario.tweaked[..32].try_into().unwrap()));
        let value = match of {
            Of::Scalar => &random.one_of(&[scenario.secret, scenario.digest, scenario.digest, tweaked, hostile])[..],
            Of::Pubkey => &scenario.pubkey[..],
            Of::Xonly => &random.one_of(&[scenario.xonly, scenario.tweaked])[..],
            Of::Keypair => &scenario.keypair,
            Of::Signature => &random.one_of(&[scenario.signature, scenario.signature, scenario.high])[..],
            Of::Recoverable => &scenario.recoverable,
            Of::Encoded => &scenario.schnorr,
            Of::Room | Of::Length | Of::Number => return,
        };
        self.bytes_mut()[offset..offset + size.min(value.len())].copy_from_slice(value);
    }

    /// Now and then zeroes a structure, writes a part of one over another, or a fresh one.
    fn disturb(&mut self, scenario: &Scenario, random: &mut Random) {
        let places: Vec<_> = Memory::places().collect();
        let (of, offset, size) = random.one_of(&places);
        match random.below(24) {
            0 => self.bytes_mut()[offset..offset + size].fill(0),
            1 => {
                let (from, part) = (self.any(of, random), random.below(size + 1));
                self.bytes_mut().copy_within(from..from + part, offset);
            }
            2..6 => self.renew(of, offset, size, scenario, random),
            _ => {}
        }
    }
}
