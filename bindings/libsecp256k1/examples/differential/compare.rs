//! One function, many calls: what both libraries answer, write and report.

use crate::{
    arena::Arena,
    callbacks::take_journal,
    contexts::Contexts,
    functions::Function,
    kinds::{Drawn, Kind, Place},
    library::{Library, call},
    parameters::Draw,
    pool::{Of, Pool},
    random::Random,
    scenario::Scenario,
    values::{at, at_mut},
};
use std::time::{Duration, Instant};

/// How often values are drawn before the keys and signatures change.
const CALLS_OF_A_SCENARIO: usize = 16;

/// What calls of a function did.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) compared: usize,
    pub(crate) successes: usize,
    pub(crate) reports: usize,
    pub(crate) overlapping: usize,
    /// Calls with a structure that no function wrote: both must survive, and ours must refuse.
    pub(crate) out_of_contract: usize,
    /// How long successful calls took in each library.
    times: [Vec<Duration>; 2],
}

impl Counts {
    /// How many times as long as in the second library a successful call takes in the first: of medians.
    pub(crate) fn ratio(&self) -> f64 {
        let [first, second] = self.times.clone().map(|mut times| {
            let middle = times.len() / 2;
            times.select_nth_unstable(middle).1.as_secs_f64()
        });
        first / second
    }
}

pub(crate) struct Comparison<'a> {
    pub(crate) libraries: [&'a Library; 2],
    pub(crate) contexts: &'a Contexts,
    pub(crate) seed: u64,
    /// Whether the second library must refuse what is no point of the curve.
    pub(crate) refuses: bool,
}

impl Comparison<'_> {
    /// Compares until as many calls as asked for have been compared.
    pub(crate) fn run(&self, function: &Function, calls: usize) -> Counts {
        let mut random =
            Random(function.name.bytes().fold(self.seed, |seed, byte| seed.rotate_left(9) ^ u64::from(byte)));
        let (mut arena, mut counts) = (Arena::new(), Counts::default());
        let (original, context) = (self.libraries[0], self.contexts.plain[0]);
        let mut scenario = Scenario::new(original, context, &mut random);
        let mut attempts = 0;
        while counts.compared < calls {
            attempts += 1;
            assert!(attempts < 20 * calls + 1000, "{}: few calls are in the contract", function.name);
            if attempts % CALLS_OF_A_SCENARIO == 0 {
                scenario = Scenario::new(original, context, &mut random);
            }
            arena.clear(random.next());
            let Some(mut drawn) = self.draw(function, &mut arena, &scenario, &mut random, None) else { continue };
            let overlapping = !function.held && random.once_in(5) && overlap(&mut drawn, &arena, &mut random);
            let in_contract = !function.computes || self.is_in_contract(&drawn, &arena);
            if is_left_open(function, &drawn) {
                continue;
            }
            let before = arena.bytes().to_vec();
            let ([expected, found], times) = self.outcomes(function, &drawn, &mut arena);
            if !in_contract {
                counts.out_of_contract += 1;
                assert!(found.0 == 0 || !self.refuses, "{}: took what is no point of the curve", function.name);
                continue;
            }
            if expected != found {
                report(function, &drawn, arena.address(), &before, &expected, &found);
            }
            counts.compared += 1;
            if expected.0 != 0 {
                counts.successes += 1;
                counts.times.iter_mut().zip(times).for_each(|(all, time)| all.push(time));
            }
            counts.reports += usize::from(!expected.1.is_empty());
            counts.overlapping += usize::from(overlapping);
        }
        counts
    }

    /// Arguments for a call; none where the function would follow a null pointer.
    pub(crate) fn draw(
        &self,
        function: &Function,
        arena: &mut Arena,
        scenario: &Scenario,
        random: &mut Random,
        pool: Option<&Pool>,
    ) -> Option<Drawn> {
        let symbol = match function.name {
            "secp256k1_ecdh" => "secp256k1_ecdh_hash_function_default",
            "secp256k1_schnorrsig_sign_custom" => "secp256k1_nonce_function_bip340",
            "secp256k1_ellswift_xdh" if random.once_in(2) => "secp256k1_ellswift_xdh_hash_function_prefix",
            "secp256k1_ellswift_xdh" => "secp256k1_ellswift_xdh_hash_function_bip324",
            _ => "secp256k1_nonce_function_default",
        };
        let (contexts, is_consistent) = (self.contexts.any(random), random.once_in(2));
        let mut draw = Draw {
            arena,
            random,
            scenario,
            original: self.libraries[0],
            context: self.contexts.plain[0],
            nonce_symbols: self.libraries.map(|library| library.word(symbol)),
            pool,
            is_consistent,
            drawn: Drawn::default(),
        };
        function.parameters.iter().for_each(|kind| draw.draw(*kind, contexts));
        let drawn = draw.drawn;
        (!function.held || !is_null_dereferenced(function, &drawn.arguments)).then_some(drawn)
    }

    /// What each library does, on the same memory, and how long it takes.
    pub(crate) fn outcomes(
        &self,
        function: &Function,
        drawn: &Drawn,
        arena: &mut Arena,
    ) -> ([Outcome; 2], [Duration; 2]) {
        let before = arena.bytes().to_vec();
        take_journal();
        let mut times = [Duration::ZERO; 2];
        let outcomes = [0, 1].map(|i| {
            arena.bytes_mut().copy_from_slice(&before);
            let library = self.libraries[i];
            let address = if function.held { library.word(function.name) } else { library.address(function.name) };
            let words: Vec<usize> = drawn.arguments.iter().map(|argument| argument[i]).collect();
            let begun = Instant::now();
            let answer = call(address, &words) as i32;
            times[i] = begun.elapsed();
            (answer, take_journal(), arena.bytes().to_vec())
        });
        (outcomes, times)
    }

    /// Whether each structure of a key that is read is zero in x and y, or a point's, and whether a function would have
    /// written the numbers of a signature.
    fn is_in_contract(&self, drawn: &Drawn, arena: &Arena) -> bool {
        drawn.read().all(|(of, address)| match of {
            Of::Signature | Of::Recoverable => self.is_reduced(arena.at(address, 64).try_into().unwrap()),
            _ => !self.is_outside(of, address, arena),
        })
    }

    /// Whether there is a structure with coordinates that are no point.
    pub(crate) fn is_outside(&self, of: Of, address: usize, arena: &Arena) -> bool {
        let bytes = |at: usize| -> [u8; 64] { arena.at(address + at, 64).try_into().unwrap() };
        // Without its first bytes a structure is refused before its points are looked at.
        let is_known = of.magic().is_some_and(|magic| arena.at(address, 4) == magic);
        let is_bad = |at: usize, may_be_zero: bool| !(may_be_zero && bytes(at) == [0; 64] || self.is_point(&bytes(at)));
        of.key().is_some_and(|key| is_bad(key, true))
            || is_known && of.points().iter().any(|(at, may_be_zero)| is_bad(*at, *may_be_zero))
    }

    fn is_reduced(&self, bytes: &[u8; 64]) -> bool {
        let (mut compact, mut again) = ([0u8; 64], [0u8; 64]);
        let (original, context) = (self.libraries[0], self.contexts.plain[0]);
        original.answer("secp256k1_ecdsa_signature_serialize_compact", &[context, at_mut(&mut compact), at(bytes)]);
        original.answer("secp256k1_ecdsa_signature_parse_compact", &[context, at_mut(&mut again), at(&compact)]) == 1
    }

    /// Whether the structure is one that reading a key writes.
    fn is_point(&self, bytes: &[u8; 64]) -> bool {
        let (original, context) = (self.libraries[0], self.contexts.plain[0]);
        let (mut encoded, mut length, mut key) = ([0u8; 65], 65usize.to_le_bytes(), [0u8; 64]);
        let arguments = [context, at_mut(&mut encoded), at_mut(&mut length), at(bytes), 2];
        let parsed = original.answer("secp256k1_ec_pubkey_serialize", &arguments) == 1
            && original.answer("secp256k1_ec_pubkey_parse", &[context, at_mut(&mut key), at(&encoded), 65]) == 1;
        take_journal();
        parsed && key == *bytes
    }
}

/// Whether the output overlaps a part of the structure that is read, where that is undefined: three functions copy by
/// `memcpy`, and others zero a part of a point before they read it, which then is none.
fn is_left_open(function: &Function, Drawn { arguments, places, elements }: &Drawn) -> bool {
    let address = |place: &Place| arguments[place.argument][0];
    let outputs = || places.iter().filter(|place| matches!(place.kind, Kind::Output(_)));
    let covers =
        |place: &Place, (of, at): &(Of, usize)| address(place) < at + of.size() && *at < address(place) + place.size;
    if function.computes && outputs().any(|place| elements.iter().any(|element| covers(place, element))) {
        return true;
    }
    let read: &[Kind] = match function.name {
        "secp256k1_xonly_pubkey_tweak_add" => &[Kind::Xonly],
        "secp256k1_musig_pubkey_ec_tweak_add" | "secp256k1_musig_pubkey_xonly_tweak_add" => &[Kind::Cache],
        "secp256k1_musig_partial_sig_serialize" => &[Kind::Partial],
        "secp256k1_silentpayments_recipient_create_labeled_spend_pubkey" => &[Kind::Spend, Kind::Label],
        "secp256k1_silentpayments_recipient_scan_outputs" => &[Kind::Spend, Kind::Summary],
        "secp256k1_keypair_sec" | "secp256k1_keypair_pub" => &[Kind::Keypair],
        _ => return false,
    };
    let Some(written) = outputs().next() else { return false };
    places.iter().filter(|place| read.contains(&place.kind)).any(|place| {
        let (output, input) = (address(written), address(place));
        let same = match place.kind {
            Kind::Keypair if written.size == 64 => output == input + 32,
            Kind::Partial => output == input + 4,
            kind => output == input && (written.size >= 64 || kind.of().magic().is_some()),
        };
        !same && output < input + place.size && input < output + written.size
    })
}

/// Functions that data symbols hold do not check their pointers, but for the algorithm and the data.
fn is_null_dereferenced(function: &Function, arguments: &[[usize; 2]]) -> bool {
    let mut argument = 0;
    for kind in function.parameters {
        let optional = matches!(kind, Kind::Data | Kind::Attempt | Kind::Algorithm | Kind::NamedAlgorithm);
        if !optional && arguments[argument][0] == 0 {
            return true;
        }
        argument += if matches!(kind, Kind::Message | Kind::NamedAlgorithm) { 2 } else { 1 };
    }
    false
}

/// Lets a pointer point to or near the bytes of another one.
fn overlap(Drawn { arguments, places, .. }: &mut Drawn, arena: &Arena, random: &mut Random) -> bool {
    if places.len() < 2 {
        return false;
    }
    let (a, b) = (&places[random.below(places.len())], &places[random.below(places.len())]);
    let shift = if random.once_in(2) { 0 } else { random.below(129) as isize - 64 };
    let target = arguments[b.argument][0].wrapping_add_signed(shift);
    if a.argument == b.argument || a.size > 140 {
        return false;
    }
    // A length that is read must stay one.
    if a.kind == Kind::Room && u64::from_le_bytes(arena.at(target, 8).try_into().unwrap()) > 100 {
        return false;
    }
    arguments[a.argument] = [target; 2];
    true
}

/// An answer, what callbacks were called with, and the memory afterwards.
pub(crate) type Outcome = (i32, Vec<String>, Vec<u8>);

/// Ends the program with all that is known of a difference.
pub(crate) fn report(
    function: &Function,
    Drawn { arguments, places, elements }: &Drawn,
    start: usize,
    before: &[u8],
    expected: &Outcome,
    found: &Outcome,
) -> ! {
    eprintln!("{} differs", function.name);
    for (i, argument) in arguments.iter().enumerate() {
        let offset = argument[0].wrapping_sub(start);
        let place = places.iter().find(|place| place.argument == i);
        if let Some(place) = place {
            eprintln!("  argument {i}: {:?} at {offset}: {:02x?}", place.kind, &before[offset..offset + place.size]);
        } else {
            eprintln!("  argument {i}: {argument:#x?}");
        }
    }
    for (of, address) in elements {
        let offset = address.wrapping_sub(start);
        eprintln!("  element {of:?} at {offset}: {:02x?}", &before[offset..offset + of.size()]);
    }
    for (name, (answer, journal, bytes)) in [("original", expected), ("ours", found)] {
        eprintln!("{name}: {answer}, {journal:#?}");
        let changed: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i] != before[*i]).collect();
        if let (Some(first), Some(last)) = (changed.first(), changed.last()) {
            eprintln!("  wrote {first}..={last}: {:02x?}", &bytes[*first..=*last]);
        }
    }
    panic!("{} differs", function.name);
}
