//! The crate `phalanx-silent` beside the original's module `silentpayments`: random transactions, sent and scanned by
//! both, and changed ones. `checks/silent_payments` builds the original, and gives its path and the number of
//! rows. Ends with status 101 at the first difference.
#![allow(unsafe_code)]

#[allow(dead_code)]
#[path = "differential/library.rs"]
mod library;
#[allow(dead_code)]
#[path = "differential/random.rs"]
mod random;

use library::Library;
use phalanx::{Backend, Bulk, PublicKey, SecretKey, XOnlyPublicKey, bindings::payments as silent};
use phalanx_silent::{Address, Error, OutPoint, Scanner, SendingKey, outputs, scan, tweak_point};
use random::Random;
use std::{
    collections::HashMap,
    env,
    ffi::c_void,
    slice,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Rows that are scanned by one call of ours.
const AT_ONCE: usize = 1024;
const LABELS: [u32; 3] = [0, 1, 77];

/// One who is paid.
struct Receiver {
    secret: SecretKey,
    spend: PublicKey,
    scanner: Scanner,
    /// The tweaks of labels, by the points by which the original asks for them.
    labels: HashMap<[u8; 33], [u8; 32]>,
    /// The original's structures of the labels, with their numbers.
    structures: Vec<([u8; 68], u32)>,
}

/// A transaction with its tweak point, as the original and we have it.
struct Transaction {
    summary: [u8; 101],
    point: [u8; 33],
    outputs: Vec<[u8; 32]>,
}

/// A match: the output, its tweak, and the label.
type Matched = ([u8; 32], [u8; 32], Option<u32>);

/// How often each thing was seen that both do alike.
static SEEN: [(&str, AtomicUsize); 5] = [
    ("transactions", AtomicUsize::new(0)),
    ("outputs that were sent", AtomicUsize::new(0)),
    ("matches", AtomicUsize::new(0)),
    ("matches with a label", AtomicUsize::new(0)),
    ("refused", AtomicUsize::new(0)),
];

fn see(what: usize, count: usize) {
    SEEN[what].1.fetch_add(count, Ordering::Relaxed);
}

struct Original {
    library: Library,
    context: usize,
}

fn address_of<T>(value: &T) -> usize {
    std::ptr::from_ref(value).expose_provenance()
}

fn address_to_write<T>(value: &mut T) -> usize {
    std::ptr::from_mut(value).expose_provenance()
}

fn addresses_of<T>(values: &[T]) -> Vec<usize> {
    values.iter().map(address_of).collect()
}

fn list(addresses: &[usize]) -> usize {
    addresses.as_ptr().expose_provenance()
}

/// The tweak of a label: what the original asks for while it scans.
unsafe extern "C" fn look_up(label: *const u8, labels: *const c_void) -> *const u8 {
    // SAFETY: the original gives 33 bytes, and the map that it was given.
    let (label, labels) = unsafe { (slice::from_raw_parts(label, 33), &*labels.cast::<HashMap<[u8; 33], [u8; 32]>>()) };
    labels.get(label).map_or(std::ptr::null(), |tweak| tweak.as_ptr())
}

impl Original {
    /// Calls a function, whose answer is returned.
    fn call(&self, name: &str, arguments: &[usize]) -> bool {
        let arguments: Vec<_> = std::iter::once(self.context).chain(arguments.iter().copied()).collect();
        self.library.answer(&format!("secp256k1_{name}"), &arguments) == 1
    }

    /// Calls a function that does not fail.
    fn make(&self, name: &str, arguments: &[usize]) {
        assert!(self.call(name, arguments), "{name}");
    }

    fn key(&self, key: &PublicKey) -> [u8; 64] {
        let (bytes, mut structure) = (key.to_bytes(), [0; 64]);
        self.make("ec_pubkey_parse", &[address_to_write(&mut structure), address_of(&bytes), 33]);
        structure
    }

    fn x_only(&self, x: &[u8; 32]) -> Option<[u8; 64]> {
        let mut structure = [0; 64];
        self.call("xonly_pubkey_parse", &[address_to_write(&mut structure), address_of(x)]).then_some(structure)
    }

    fn x(&self, structure: &[u8; 64]) -> [u8; 32] {
        let mut x = [0; 32];
        self.make("xonly_pubkey_serialize", &[address_to_write(&mut x), address_of(structure)]);
        x
    }

    fn receiver(&self, random: &mut Random) -> Receiver {
        let (secret, spend) = (secret_key(random), secret_key(random).public_key());
        let scanner = Scanner::new(&secret, spend, LABELS).expect("few labels");
        let (mut labels, mut structures) = (HashMap::new(), Vec::new());
        for number in LABELS {
            let (mut structure, mut tweak, mut point) = ([0; 68], [0; 32], [0; 33]);
            let secret = secret.to_bytes();
            let made = [address_to_write(&mut structure), address_to_write(&mut tweak), address_of(&secret)];
            self.make("silentpayments_recipient_label_create", &[&made[..], &[number as usize]].concat());
            let arguments = [address_to_write(&mut point), address_of(&structure)];
            self.make("silentpayments_recipient_label_serialize", &arguments);
            labels.insert(point, tweak);
            structures.push((structure, number));
            let (mut labelled, spend) = ([0; 64], self.key(&spend));
            let arguments = [address_to_write(&mut labelled), address_of(&spend), address_of(&structure)];
            self.make("silentpayments_recipient_create_labeled_spend_pubkey", &arguments);
            let ours = scanner.labelled_address(number, true).expect("a label");
            assert_eq!(labelled, self.key(ours.spend()), "the address of label {number}");
        }
        Receiver { secret, spend, scanner, labels, structures }
    }

    /// The outputs for addresses, none where the original refuses.
    fn send(&self, keys: &[SendingKey<'_>], smallest: &[u8; 36], to: &[Address]) -> Option<Vec<[u8; 32]>> {
        let recipient = |(index, address): (usize, &Address)| {
            let mut recipient = [0; 136];
            recipient[..64].copy_from_slice(&self.key(address.scan()));
            recipient[64..128].copy_from_slice(&self.key(address.spend()));
            recipient[128..].copy_from_slice(&index.to_ne_bytes());
            recipient
        };
        let recipients: Vec<_> = to.iter().enumerate().map(recipient).collect();
        let mut sent = vec![[0; 64]; to.len()];
        let places: Vec<_> = sent.iter_mut().map(address_to_write).collect();
        let secrets =
            |taproot: bool| keys.iter().filter(move |key| key.taproot == taproot).map(|key| key.key.to_bytes());
        let plain: Vec<_> = secrets(false).collect();
        let pairs = secrets(true).map(|secret| {
            let mut pair = [0; 96];
            self.make("keypair_create", &[address_to_write(&mut pair), address_of(&secret)]);
            pair
        });
        let pairs: Vec<[u8; 96]> = pairs.collect();
        let (recipients, pairs, plain) = (addresses_of(&recipients), addresses_of(&pairs), addresses_of(&plain));
        let several = |addresses: &[usize]| if addresses.is_empty() { 0 } else { list(addresses) };
        let arguments = [list(&places), list(&recipients), to.len(), address_of(smallest)];
        let keys = [several(&pairs), pairs.len(), several(&plain), plain.len()];
        let made = self.call("silentpayments_sender_create_outputs", &[arguments, keys].concat());
        made.then(|| sent.iter().map(|output| self.x(output)).collect())
    }

    /// The sum of the inputs' keys, none where the original refuses.
    fn summary(&self, keys: &[SendingKey<'_>], smallest: &[u8; 36]) -> Option<[u8; 101]> {
        let mut summary = [0; 101];
        let public =
            |taproot: bool| keys.iter().filter(move |key| key.taproot == taproot).map(|key| key.key.public_key());
        let x_only = public(true).map(|key| self.x_only(&key.x_only().0.to_bytes()).expect("a key"));
        let (x_only, plain): (Vec<_>, Vec<_>) = (x_only.collect(), public(false).map(|key| self.key(&key)).collect());
        let (x_only, plain) = (addresses_of(&x_only), addresses_of(&plain));
        let several = |addresses: &[usize]| if addresses.is_empty() { 0 } else { list(addresses) };
        let arguments = [address_to_write(&mut summary), address_of(smallest)];
        let keys = [several(&x_only), x_only.len(), several(&plain), plain.len()];
        let made = self.call("silentpayments_recipient_prevouts_summary_create", &[&arguments[..], &keys].concat());
        made.then_some(summary)
    }

    /// What a receiver finds.
    fn scan(&self, transaction: &Transaction, receiver: &Receiver) -> Vec<Matched> {
        // 64 bytes, 32 bytes, a C int, 68 bytes.
        const FOUND: usize = 168;
        let outputs = transaction.outputs.iter().map(|x| self.x_only(x).expect("a key")).collect::<Vec<_>>();
        let mut found = vec![[0_u8; FOUND]; outputs.len()];
        let places: Vec<_> = found.iter_mut().map(address_to_write).collect();
        let (mut count, outputs, spend, secret) =
            (0_u32, addresses_of(&outputs), self.key(&receiver.spend), receiver.secret.to_bytes());
        let to = [list(&places), address_to_write(&mut count), list(&outputs), outputs.len(), address_of(&secret)];
        let look_up = look_up as unsafe extern "C" fn(*const u8, *const c_void) -> *const u8 as usize;
        let with = [address_of(&transaction.summary), address_of(&spend), look_up, address_of(&receiver.labels)];
        self.make("silentpayments_recipient_scan_outputs", &[&to[..], &with].concat());
        let matched = |found: &[u8; FOUND]| {
            let label = (found[96..100] != [0; 4]).then(|| {
                let same = |(structure, _): &&([u8; 68], u32)| found[100..] == structure[..];
                receiver.structures.iter().find(same).expect("a label of the receiver").1
            });
            let output = found[..64].first_chunk().expect("a key");
            (self.x(output), found[64..96].try_into().expect("a tweak"), label)
        };
        found[..count as usize].iter().map(matched).collect()
    }
}

fn secret_key(random: &mut Random) -> SecretKey {
    SecretKey::from_bytes(&random.bytes::<32>()).expect("a key, but for one in 2^128")
}

/// A transaction that both send to some receivers and to strangers, and then perhaps change; none where both refuse.
fn transaction(original: &Original, random: &mut Random, receivers: &[Receiver]) -> Option<Transaction> {
    let mut secrets: Vec<_> = (0..1 + random.below(3)).map(|_| secret_key(random)).collect();
    // Keys that sum up to zero, if neither is of taproot.
    if random.once_in(32) {
        secrets = vec![secrets[0].clone(), secrets[0].negate()];
    }
    let keys: Vec<_> = secrets.iter().map(|key| SendingKey { key, taproot: random.once_in(2) }).collect();
    let outpoint = |random: &mut Random| OutPoint { txid: random.bytes(), index: random.next() as u32 };
    let outpoints: Vec<_> = (0..1 + random.below(3)).map(|_| outpoint(random)).collect();
    let encoded = |outpoint: &OutPoint| {
        let mut bytes = [0; 36];
        bytes[..32].copy_from_slice(&outpoint.txid);
        bytes[32..].copy_from_slice(&outpoint.index.to_le_bytes());
        bytes
    };
    let smallest = outpoints.iter().map(encoded).min().expect("an outpoint");
    let mut to = Vec::new();
    for _ in 0..1 + random.below(4) {
        let receiver = &receivers[random.below(receivers.len())];
        to.push(match random.below(6) {
            0 => Address::new(secret_key(random).public_key(), secret_key(random).public_key(), true),
            1 => receiver.scanner.labelled_address(random.one_of(&LABELS), true).expect("a label"),
            2 => receiver.scanner.labelled_address(5, true).expect("a label, which nobody looks for"),
            _ => receiver.scanner.address(true),
        });
    }
    let as_x = |keys: &[XOnlyPublicKey]| keys.iter().map(|key| key.to_bytes()).collect::<Vec<_>>();
    let send = |to: &[Address]| {
        let (ours, theirs) = (outputs(&keys, &outpoints, to), original.send(&keys, &smallest, to));
        assert_eq!(ours.as_deref().ok().map(as_x), theirs, "the outputs");
        assert!(matches!(ours, Ok(_) | Err(Error::ZeroSum)));
        theirs
    };
    let mut sent = send(&to);
    // With the same numbers k for other addresses of a receiver, as no sender should.
    if random.once_in(4) {
        to.reverse();
        sent = sent.zip(send(&to)).map(|(one, other)| [one, other].concat());
    }
    let public = keys.iter().map(|key| match key.taproot {
        true => key.key.public_key().x_only().0.public_key(),
        false => key.key.public_key(),
    });
    let point = tweak_point(&public.collect::<Vec<_>>(), &outpoints);
    let summary = original.summary(&keys, &smallest);
    assert_eq!(point.is_ok(), summary.is_some(), "the tweak point");
    let (Some(mut outputs), Ok(point), Some(summary)) = (sent, point, summary) else {
        see(4, 1);
        return None;
    };
    see(1, outputs.len());
    // What others do with outputs: leave out, copy, move, change at either end. What is no key any more is left out,
    // because the original does not take it.
    for _ in 0..random.below(3) {
        if outputs.is_empty() {
            break;
        }
        let at = random.below(outputs.len());
        match random.below(5) {
            0 => _ = outputs.remove(at),
            1 => outputs.push(outputs[at]),
            2 => outputs.swap(0, at),
            3 => outputs[at][random.below(8)] ^= 1 << random.below(8),
            _ => outputs[at][8 + random.below(24)] ^= 1 << random.below(8),
        }
    }
    outputs.retain(|x| original.x_only(x).is_some());
    Some(Transaction { summary, point: point.to_bytes(), outputs })
}

fn main() {
    let [path, rows] = &env::args().skip(1).collect::<Vec<_>>()[..] else {
        panic!("the path of the original, and a number of rows");
    };
    let rows: usize = rows.parse().expect("a number of rows");
    let library = Library::open(path);
    let context = library.call("secp256k1_context_create", &[1]);
    let original = Original { library, context };
    let mut random = Random(352);
    for (first, bulk) in (0..rows).step_by(AT_ONCE).zip(bulks().iter().cycle()) {
        let receivers: Vec<_> = (0..2).map(|_| original.receiver(&mut random)).collect();
        let count = AT_ONCE.min(rows - first);
        let made = (0..count).filter_map(|_| transaction(&original, &mut random, &receivers));
        let transactions: Vec<_> = made.filter(|transaction| !transaction.outputs.is_empty()).collect();
        see(0, count);
        let row = |transaction| {
            let Transaction { point, outputs, .. }: &Transaction = transaction;
            silent::Row { tweak_point: point, outputs: silent::Outputs::Keys(outputs) }
        };
        let rows: Vec<_> = transactions.iter().map(row).collect();
        let scanners: Vec<_> = receivers.iter().map(|receiver| &receiver.scanner).collect();
        let found = scan(bulk, &scanners, &rows);
        assert!(found.bad_points.is_empty());
        let mut ours: HashMap<_, Vec<Matched>> = HashMap::new();
        for found in &found.matches {
            let matched = (found.key, found.tweak.to_bytes(), found.label);
            ours.entry((found.row, found.scanner)).or_default().push(matched);
        }
        for (row, transaction) in transactions.iter().enumerate() {
            for (number, receiver) in receivers.iter().enumerate() {
                let (theirs, ours) =
                    (original.scan(transaction, receiver), ours.remove(&(row, number)).unwrap_or_default());
                assert_eq!(ours, theirs, "transaction {row} of those from {first} on, receiver {number}");
                see(2, ours.len());
                see(3, ours.iter().filter(|(_, _, label)| label.is_some()).count());
            }
        }
    }
    for (what, count) in &SEEN {
        println!("{:>10}  {what}", count.load(Ordering::Relaxed));
    }
    println!("no difference");
}

/// One thread on each backend.
fn bulks() -> Vec<Bulk> {
    let bulk = |backend: &Backend| Bulk::builder().backend(*backend).threads(1).build().expect("an available backend");
    Backend::available().iter().map(bulk).collect()
}
