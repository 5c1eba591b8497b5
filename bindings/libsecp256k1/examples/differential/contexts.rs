//! Contexts of both libraries, and functions that make, change and end them.
#![allow(unsafe_code)]

use crate::{
    callbacks::{self, address, take_journal},
    library::Library,
    random::Random,
    values::{at, at_mut},
};

/// `SECP256K1_CONTEXT_NONE`, and the two old names of it.
const FLAGS: [usize; 3] = [1, 257, 513];

/// Contexts in pairs: of the original, and ours.
pub(crate) struct Contexts {
    pub(crate) plain: [usize; 2],
    all: Vec<[usize; 2]>,
}

impl Contexts {
    /// Contexts that report to the journal: plain, randomised, with another compression function, a copy of the static
    /// one.
    pub(crate) fn new(libraries: [&Library; 2]) -> Contexts {
        let make = || libraries.map(|library| library.call("secp256k1_context_create", &[1]));
        let (plain, randomized, hashing) = (make(), make(), make());
        let copies = libraries.map(static_copy);
        for (library, i) in libraries.iter().zip(0..) {
            for context in [plain[i], randomized[i], hashing[i], copies[i]] {
                set_callbacks(library, context, 0x1234);
            }
            assert_eq!(library.answer("secp256k1_context_randomize", &[randomized[i], at(&[7; 32])]), 1);
            let compression = address(callbacks::compression as unsafe extern "C" fn(_, _, _));
            library.call("secp256k1_context_set_sha256_compression", &[hashing[i], compression]);
        }
        take_journal();
        Contexts { plain, all: vec![plain, plain, plain, randomized, hashing, copies] }
    }

    pub(crate) fn any(&self, random: &mut Random) -> [usize; 2] {
        random.one_of(&self.all)
    }
}

/// A copy of the static context, which may have callbacks.
fn static_copy(library: &Library) -> usize {
    let words = library.call("secp256k1_context_preallocated_size", &[1]) / 8;
    let copy = vec![0u64; words].leak();
    let source = std::ptr::with_exposed_provenance::<u64>(library.word("secp256k1_context_static"));
    // SAFETY: a context is as large as the library says.
    unsafe { source.copy_to_nonoverlapping(copy.as_mut_ptr(), words) };
    copy.as_ptr().expose_provenance()
}

fn set_callbacks(library: &Library, context: usize, data: usize) {
    let report = address(callbacks::report as unsafe extern "C" fn(_, _));
    library.call("secp256k1_context_set_illegal_callback", &[context, report, data]);
    library.call("secp256k1_context_set_error_callback", &[context, report, data + 1]);
}

/// A context of a sequence, and the memory it is in where the caller made that.
struct Held {
    contexts: [usize; 2],
    memory: Option<[Vec<u64>; 2]>,
}

/// Random sequences of the functions of contexts, in both libraries. Gives how often each was called.
pub(crate) fn run(libraries: [&Library; 2], seed: u64, calls: usize) -> Vec<(&'static str, usize)> {
    let mut random = Random(seed ^ 0xc047_e875);
    let names = crate::functions::OF_CONTEXTS;
    let mut counts = names.map(|name| (name, 0usize));
    let copies = Held { contexts: libraries.map(static_copy), memory: None };
    libraries.iter().zip(copies.contexts).for_each(|(library, context)| set_callbacks(library, context, 5));
    let mut held: Vec<Held> = Vec::new();
    while let Some(least) =
        counts.iter().min_by_key(|count| count.1).filter(|count| count.1 < calls).map(|count| count.0)
    {
        let name = if random.once_in(2) { random.one_of(&names) } else { least };
        let chosen = (!held.is_empty() && !random.once_in(16)).then(|| random.below(held.len()));
        let of = chosen.map_or(&copies, |chosen| &held[chosen]).contexts;
        let count = counts.iter_mut().find(|count| count.0 == name).unwrap();
        count.1 += 1;
        let each = |arguments: [Vec<usize>; 2]| {
            take_journal();
            let mut journals = Vec::new();
            let answers = [0, 1].map(|i| {
                let answer = libraries[i].call(name, &arguments[i]);
                journals.push(take_journal());
                answer
            });
            assert_eq!(reports(&journals[0]), reports(&journals[1]), "{name}");
            answers
        };
        let same = |arguments: &[usize]| of.map(|context| [&[context], arguments].concat());
        match name {
            "secp256k1_selftest" => drop(each([vec![], vec![]])),
            "secp256k1_context_preallocated_size" | "secp256k1_context_preallocated_clone_size" => {
                let flags = vec![random.one_of(&FLAGS)];
                let cloning = name.ends_with("clone_size");
                let [expected, found] = each(if cloning { same(&[]) } else { [flags.clone(), flags] });
                assert_eq!(expected, found, "{name}");
            }
            "secp256k1_context_create" => {
                let flags = random.one_of(&FLAGS);
                let contexts = each([vec![flags], vec![flags]]);
                libraries.iter().zip(contexts).for_each(|(library, context)| set_callbacks(library, context, 9));
                held.push(Held { contexts, memory: None });
            }
            "secp256k1_context_clone" => {
                let contexts = each(same(&[]));
                assert_eq!(contexts.map(|context| context != 0), [chosen.is_some(); 2], "{name}");
                if chosen.is_some() {
                    held.push(Held { contexts, memory: None });
                }
            }
            "secp256k1_context_preallocated_create" | "secp256k1_context_preallocated_clone" => {
                let memory = [0, 1].map(|_| vec![random.next(); 32]);
                let places = [0, 1].map(|i| memory[i].as_ptr().expose_provenance());
                let cloning = name.ends_with("clone");
                let flags = random.one_of(&FLAGS);
                let contexts =
                    each([0, 1].map(|i| if cloning { vec![of[i], places[i]] } else { vec![places[i], flags] }));
                let made = chosen.is_some() || !cloning;
                assert_eq!(contexts, if made { places } else { [0; 2] }, "{name}");
                if made {
                    libraries.iter().zip(contexts).for_each(|(library, context)| set_callbacks(library, context, 9));
                    held.push(Held { contexts, memory: Some(memory) });
                }
            }
            "secp256k1_context_destroy" | "secp256k1_context_preallocated_destroy" => {
                let preallocated = name == "secp256k1_context_preallocated_destroy";
                let fitting = held.iter().position(|context| context.memory.is_some() == preallocated);
                match (chosen, fitting) {
                    (Some(_), Some(fitting)) => {
                        let ended = held.swap_remove(fitting);
                        each(ended.contexts.map(|context| vec![context]));
                    }
                    (Some(_), None) => drop(each([vec![0], vec![0]])),
                    (None, _) => drop(each(same(&[]))),
                }
            }
            "secp256k1_context_randomize" => {
                let seed: [u8; 32] = random.bytes();
                let seed = if random.once_in(4) { 0 } else { at(&seed) };
                let [expected, found] = each(same(&[seed])).map(|answer| answer as i32);
                assert_eq!(expected, found, "{name}");
            }
            "secp256k1_context_set_sha256_compression" => {
                let function = random.one_of(&[
                    None,
                    Some(callbacks::compression as unsafe extern "C" fn(_, _, _)),
                    Some(callbacks::wrong_compression),
                    Some(callbacks::one_block_compression),
                    Some(callbacks::wrong_for_seven),
                    Some(callbacks::wrong_alignment),
                ]);
                each(same(&[function.map_or(0, address)]));
            }
            _ => {
                let report = address(callbacks::report as unsafe extern "C" fn(_, _));
                each(same(&[report, random.below(100)]));
            }
        }
        if let Some(chosen) = held.len().checked_sub(1).map(|last| chosen.unwrap_or(last).min(last)) {
            compare_signatures(libraries, held[chosen].contexts, &mut random);
        }
        if held.len() > 12 {
            let ended = held.swap_remove(random.below(12));
            let way = if ended.memory.is_some() { "preallocated_destroy" } else { "destroy" };
            for (library, context) in libraries.iter().zip(ended.contexts) {
                library.call(&format!("secp256k1_context_{way}"), &[context]);
            }
        }
    }
    counts.to_vec()
}

/// How often a compression function is tried is the library's own affair; what is reported is not.
fn reports(journal: &[String]) -> Vec<&String> {
    journal.iter().filter(|entry| !entry.ends_with("blocks")).collect()
}

/// A context signs the same with any blinding, compression function and memory, and reports to the same place.
fn compare_signatures(libraries: [&Library; 2], contexts: [usize; 2], random: &mut Random) {
    let (digest, mut secret) = (random.bytes::<32>(), random.bytes::<32>());
    if random.once_in(20) {
        secret = [0; 32];
    }
    take_journal();
    let [expected, found] = [0, 1].map(|i| {
        let mut signature = [0u8; 64];
        let arguments = [contexts[i], at_mut(&mut signature), at(&digest), at(&secret), 0, 0];
        let answer = libraries[i].answer("secp256k1_ecdsa_sign", &arguments);
        libraries[i].answer("secp256k1_ec_seckey_verify", &[contexts[i], 0]);
        (answer, signature, take_journal())
    });
    assert_eq!(expected, found, "signature of a context");
}
