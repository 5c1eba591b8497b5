//! Measures the work of a Verkle tree in operations a second, by `Tables::verkle_configuration`, on one thread: one
//! item a call, and 1,024 items a call; on one lane and on every vector unit of this CPU. They take turns, and medians
//! are printed.
//!
//! `cargo run --release --manifest-path lab/ours/Cargo.toml --example tree_work`

use phalanx_banderwagon::verkle::{
    AddressSum, ChildChange, InnerNode, Leaf, Position, Stem, TreeKeys, Value, ValueChange, migrate_vartime,
};
use phalanx_banderwagon::{Basis, Commit, Lanes, Scalar, Tables};
use std::hint::black_box;
use std::time::Instant;

/// Items of a call that has many.
const MANY: usize = 1024;
/// Items of a sample of single calls.
const SINGLE: usize = 64;
const ROUNDS: usize = 15;

/// Numbers that look random: splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.word().to_le_bytes()));
        bytes
    }

    fn scalar(&mut self) -> Scalar {
        Scalar::from_le_bytes_reduced(&self.bytes())
    }
}

/// What the items are made of.
struct Inputs {
    keys: TreeKeys,
    headers: Vec<([u8; 32], Position)>,
    slots: Vec<([u8; 32], Position)>,
    known: Vec<(AddressSum, Position)>,
    leaves: Vec<(Stem, Vec<(u8, Value)>)>,
    built: Vec<Leaf>,
    changes: Vec<Vec<ValueChange>>,
    children: Vec<Vec<ChildChange>>,
    entries: Vec<([u8; 32], Value)>,
}

impl Inputs {
    fn new(committer: &mut dyn Commit) -> Inputs {
        let mut random = Random(0);
        let keys = TreeKeys::new_vartime(committer);
        let headers: Vec<_> = (0..MANY).map(|_| (random.bytes(), Position::BASIC_DATA)).collect();
        let slots: Vec<_> = (0..MANY).map(|_| (random.bytes(), Position::storage_slot(&random.bytes()))).collect();
        let known = slots.iter().map(|(address, position)| (keys.address_vartime(committer, address), *position));
        let known = known.collect();
        let values = |random: &mut Random| vec![(3, random.bytes()), (64, random.bytes()), (200, random.bytes())];
        let leaves: Vec<_> = (0..MANY).map(|i| ([i as u8; 31], values(&mut random))).collect();
        let requests: Vec<_> = leaves.iter().map(|(stem, values)| (*stem, &values[..])).collect();
        let built = Leaf::new_many_vartime(committer, &requests);
        let change = |(_, values): &(Stem, Vec<(u8, Value)>)| {
            let (suffix, old) = values[0];
            vec![ValueChange { suffix, old: Some(old), new: Some([9; 32]) }]
        };
        let changes = leaves.iter().map(change).collect();
        let child = |random: &mut Random| ChildChange {
            index: random.word() as u8,
            old: random.scalar(),
            new: random.scalar(),
        };
        let children = (0..MANY).map(|_| vec![child(&mut random)]).collect();
        let entries = (0..MANY).map(|_| (random.bytes(), random.bytes())).collect();
        Inputs { keys, headers, slots, known, leaves, built, changes, children, entries }
    }

    /// The work by number, on the items of a range: in one call, or in a call each. Migrations have one size.
    fn run(&self, work: usize, committer: &mut dyn Commit, items: core::ops::Range<usize>, together: bool) {
        if !together && items.len() > 1 {
            return items.for_each(|i| self.run(work, committer, i..i + 1, true));
        }
        let mut out = vec![[0; 32]; items.len()];
        match work {
            0 | 1 => match &[&self.headers, &self.slots][work][items] {
                [(address, position)] => out[0] = self.keys.key_vartime(committer, address, position),
                many => self.keys.keys_vartime(committer, many, &mut out),
            },
            2 => match &self.known[items] {
                [(address, position)] => out[0] = self.keys.key_of_vartime(committer, address, position),
                many => self.keys.keys_of_vartime(committer, many, &mut out),
            },
            3 => {
                let leaves: Vec<_> = self.leaves[items].iter().map(|(stem, values)| (*stem, &values[..])).collect();
                black_box(Leaf::new_many_vartime(committer, &leaves));
            }
            4 => {
                let mut leaves = self.built[items.clone()].to_vec();
                let changes: Vec<_> = self.changes[items].iter().map(Vec::as_slice).collect();
                Leaf::update_many_vartime(committer, &mut leaves, &changes);
                black_box(leaves);
            }
            5 => {
                let mut nodes = vec![InnerNode::empty(); items.len()];
                let changes: Vec<_> = self.children[items].iter().map(Vec::as_slice).collect();
                InnerNode::update_many_vartime(committer, &mut nodes, &changes);
                black_box(nodes);
            }
            _ => drop(black_box(migrate_vartime(committer, &mut self.entries[items].to_vec()))),
        }
        black_box(out);
    }
}

/// The number of the last of [`WORKS`].
const MIGRATION: usize = 6;

const WORKS: [&str; 7] = [
    "keys of headers",
    "keys of storage slots",
    "keys of slots of known addresses",
    "leaves of three values",
    "changes of a value in a leaf",
    "changes of a child in an inner node",
    "keys and values of a migration",
];

/// A median as text.
fn median(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).map_or_else(String::new, |median| format!("{median:.0}"))
}

fn main() {
    let lanes: Vec<Lanes> =
        ["portable", "neon", "fma", "fma512", "ifma"].into_iter().filter_map(Lanes::named).collect();
    let build = |lanes: &Lanes| {
        let built = lanes.build(Basis::verkle(), Tables::verkle_configuration());
        built.expect("a configuration of this basis")
    };
    let tables: Vec<Tables> = lanes.iter().map(build).collect();
    let mut committers: Vec<_> = lanes.iter().zip(&tables).map(|(lanes, tables)| lanes.committer(tables)).collect();
    let inputs = Inputs::new(&mut committers[0]);
    println!("{:36} {:9} {:>16} {:>16}", "operations a second", "backend", "one a call", "1,024 a call");
    for (work, name) in WORKS.into_iter().enumerate() {
        let mut rates = vec![[Vec::new(), Vec::new()]; lanes.len()];
        for _ in 0..ROUNDS {
            for (committer, rates) in committers.iter_mut().zip(&mut rates) {
                for (rates, (count, together)) in rates.iter_mut().zip([(SINGLE, false), (MANY, true)]) {
                    // A tree of one entry is a leaf.
                    if work == MIGRATION && !together {
                        continue;
                    }
                    let clock = Instant::now();
                    inputs.run(work, committer, 0..count, together);
                    rates.push(count as f64 / clock.elapsed().as_secs_f64());
                }
            }
        }
        for (lanes, [single, many]) in lanes.iter().zip(rates) {
            println!("{name:36} {lanes:9} {:>16} {:>16}", median(single), median(many));
        }
    }
}
