//! The work of a tree: published keys and roots, the specification's text on arkworks, and one way against another.

use crate::arkworks::{self, Reference, mapped};
use crate::samples::Random;
use ark_ed_on_bls12_381_bandersnatch::EdwardsProjective;
use hex_literal::hex;
use phalanx_banderwagon::verkle::{
    ChildChange, Commitment, InnerNode, Leaf, Position, TreeKeys, Value, ValueChange, migrate_vartime,
};
use phalanx_banderwagon::{Basis, Element, Obvious, Scalar};
use std::collections::BTreeMap;

/// Hashes of an address and a tree index. Source: rust-verkle, `verkle-spec/src/lib.rs` and `ffi_interface/src/lib.rs`.
#[test]
fn tree_keys_are_the_published_ones() {
    let basis = Basis::verkle();
    let keys = TreeKeys::new_vartime(&mut Obvious(&basis));
    let zeroes = hex!("1a100684fd68185060405f3f160e4bb6e034194336b547bdae323f888d533207");
    let ones = hex!("3afb8486ed3053ac55f62864da803c074844509d253260d870337c20fd73eb11");
    assert_eq!(keys.hash_vartime(&mut Obvious(&basis), &[0; 32], &[0; 32]), zeroes);
    assert_eq!(keys.hash_vartime(&mut Obvious(&basis), &[1; 32], &[1; 32]), ones);
    let address: [u8; 32] = core::array::from_fn(|i| i as u8 + 1);
    let position = Position { tree_index: core::array::from_fn(|i| 64 - i as u8), sub_index: 0 };
    let expected = hex!("ff7e3916badeb510dfcdad458726273319280742e553d8d229bd676428147300");
    assert_eq!(keys.key_vartime(&mut Obvious(&basis), &address, &position), expected);
}

/// `pedersen_hash` of the specification, for 64 bytes.
fn pedersen_hash(reference: &Reference, address: &[u8; 32], tree_index: &[u8; 32]) -> [u8; 32] {
    let input = [*address, *tree_index].concat();
    let numbers = input.chunks(16).map(|chunk| u128::from_le_bytes(chunk.try_into().expect("16 bytes")));
    let scalars: Vec<Scalar> = [2 + 256 * 64].into_iter().chain(numbers).map(Scalar::from).collect();
    mapped(reference.commit(&scalars)).to_le_bytes()
}

/// The commitment of a point that the specification's text gives.
fn assert_commitment(found: Commitment, expected: EdwardsProjective) {
    assert_eq!(arkworks::point(&found.element()), expected);
    assert_eq!(found.scalar(), mapped(expected));
}

/// The values as lists have them.
fn list(values: &BTreeMap<u8, Value>) -> Vec<(u8, Value)> {
    values.iter().map(|(suffix, value)| (*suffix, *value)).collect()
}

#[test]
fn tree_keys_are_the_specifications_one_and_many() {
    let mut random = Random::new("tree keys");
    let basis = Basis::verkle();
    let reference = Reference::new(&basis);
    let keys = TreeKeys::new_vartime(&mut Obvious(&basis));
    let mut places =
        vec![([0; 32], Position::BASIC_DATA), ([0xff; 32], Position { tree_index: [0xff; 32], sub_index: 0xff })];
    for _ in 0..phalanx_tiers::size(20, 2_000) {
        let mut address = [0; 32];
        address[12..].copy_from_slice(&random.bytes()[12..]);
        let chunk = random.word() >> (random.word() % 64);
        places.extend(
            [Position::CODE_HASH, Position::code_chunk(chunk), Position::storage_slot(&random.number())]
                .map(|position| (address, position)),
        );
    }
    let mut many = vec![[0; 32]; places.len()];
    keys.keys_vartime(&mut Obvious(&basis), &places, &mut many);
    let sums: Vec<_> = places
        .iter()
        .map(|(address, position)| (keys.address_vartime(&mut Obvious(&basis), address), *position))
        .collect();
    let mut of_sums = vec![[0; 32]; places.len()];
    keys.keys_of_vartime(&mut Obvious(&basis), &sums, &mut of_sums);
    assert_eq!(of_sums, many);
    for (((address, position), (sum, _)), key) in places.iter().zip(&sums).zip(many) {
        let mut expected = pedersen_hash(&reference, address, &position.tree_index);
        expected[31] = position.sub_index;
        assert_eq!(key, expected);
        assert_eq!(
            [
                keys.key_vartime(&mut Obvious(&basis), address, position),
                keys.key_of_vartime(&mut Obvious(&basis), sum, position)
            ],
            [expected; 2]
        );
    }
}

/// `get_tree_key_for_storage_slot` and `get_tree_key_for_code_chunk` on big integers.
#[test]
fn positions_are_the_specifications() {
    use num_bigint::BigUint;
    let main = BigUint::from(256u16).pow(31);
    let mut random = Random::new("positions");
    let mut slots: Vec<BigUint> = [0u16, 1, 63, 64, 65, 255, 256, 257].map(BigUint::from).to_vec();
    slots.extend([&main - 1u8, main.clone(), &main * 255u8, (BigUint::from(1u8) << 256) - 1u8, &main * 254u8]);
    slots.extend((0..100).map(|_| BigUint::from_bytes_le(&random.number())));
    for slot in slots {
        let mut bytes = crate::samples::le_bytes(&slot);
        bytes.reverse();
        let place = if slot < BigUint::from(64u8) { slot + 64u8 } else { slot + &main };
        let expected = Position {
            tree_index: crate::samples::le_bytes(&(&place >> 8)),
            sub_index: (place % 256u16).try_into().expect("a byte"),
        };
        assert_eq!(Position::storage_slot(&bytes), expected);
    }
    for chunk in [0, 1, 127, 128, 129, 383, 384, u64::MAX - 128, u64::MAX - 127, u64::MAX] {
        let place = BigUint::from(chunk) + 128u8;
        let position = Position::code_chunk(chunk);
        assert_eq!(position.tree_index, crate::samples::le_bytes(&(&place >> 8)));
        assert_eq!(BigUint::from(position.sub_index), place % 256u16);
    }
}

/// `extension_and_suffix_tree` of the specification; with C1 and C2.
fn leaf(reference: &Reference, stem: &[u8; 31], values: &BTreeMap<u8, Value>) -> [EdwardsProjective; 3] {
    let mut sub_leaves = vec![Scalar::ZERO; 512];
    for (suffix, value) in values {
        let half = |bytes: &[u8]| u128::from_le_bytes(bytes.try_into().expect("16 bytes"));
        let marker = Scalar::from(1u64 << 32) * Scalar::from(1u128 << 96);
        sub_leaves[2 * usize::from(*suffix)] = Scalar::from(half(&value[..16])) + marker;
        sub_leaves[2 * usize::from(*suffix) + 1] = Scalar::from(half(&value[16..]));
    }
    let (c1, c2) = (reference.commit(&sub_leaves[..256]), reference.commit(&sub_leaves[256..]));
    let mut number = [0; 32];
    number[..31].copy_from_slice(stem);
    let stem = Scalar::from_le_bytes(&number).expect("below r");
    [c1, c2, reference.commit(&[Scalar::ONE, stem, mapped(c1), mapped(c2)])]
}

fn assert_leaf(leaf: &Leaf, expected: [EdwardsProjective; 3]) {
    let found = [leaf.c1(), leaf.c2(), leaf.commitment()];
    found.into_iter().zip(expected).for_each(|(found, expected)| assert_commitment(found, expected));
}

/// A value that is often zero, or has a zero half.
fn value(random: &mut Random) -> Value {
    let mut value = random.bytes();
    match random.word() % 5 {
        0 => value = [0; 32],
        1 => value[..16].fill(0),
        2 => value[16..].fill(0),
        _ => {}
    }
    value
}

fn stem(random: &mut Random) -> [u8; 31] {
    random.bytes()[..31].try_into().expect("31 bytes")
}

fn values(random: &mut Random, count: usize) -> BTreeMap<u8, Value> {
    (0..count).map(|_| (random.word() as u8, value(random))).collect()
}

#[test]
fn leaves_are_the_specifications_one_and_many() {
    let mut random = Random::new("leaves");
    let basis = Basis::verkle();
    let reference = Reference::new(&basis);
    let counts = [0, 1, 2, 3, 5, 20, phalanx_tiers::size(60, 2000)];
    let mut made: Vec<_> = counts.iter().map(|count| (stem(&mut random), values(&mut random, *count))).collect();
    // The last of the first half, the first of the second; and the ends.
    made.push((stem(&mut random), [0, 127, 128, 255].map(|suffix| (suffix, value(&mut random))).into()));
    let lists: Vec<_> = made.iter().map(|(_, values)| list(values)).collect();
    let requests: Vec<_> = made.iter().zip(&lists).map(|((stem, _), list)| (*stem, list.as_slice())).collect();
    let many = Leaf::new_many_vartime(&mut Obvious(&basis), &requests);
    assert_eq!(many.len(), counts.len() + 1);
    for ((stem, values), new) in requests.iter().zip(&many) {
        assert_leaf(new, leaf(&reference, stem, &values.iter().copied().collect()));
        assert_eq!(Leaf::new_vartime(&mut Obvious(&basis), stem, values), *new);
    }
    assert!(Leaf::new_many_vartime(&mut Obvious(&basis), &[]).is_empty());
}

#[test]
#[should_panic(expected = "a suffix stands there once")]
fn leaf_with_a_suffix_twice_is_refused() {
    Leaf::new_vartime(&mut Obvious(&Basis::verkle()), &[0; 31], &[(3, [0; 32]), (4, [0; 32]), (3, [0; 32])]);
}

#[test]
#[should_panic(expected = "an index stands there once")]
fn inner_node_with_an_index_twice_is_refused() {
    InnerNode::new_vartime(&mut Obvious(&Basis::verkle()), &[(3, Scalar::ONE), (4, Scalar::ONE), (3, Scalar::ONE)]);
}

/// Commitments that were encoded, stored and decoded go on as the leaf and the node that they were of.
#[test]
fn leaves_and_nodes_come_back_from_storage() {
    let mut random = Random::new("storage");
    let basis = Basis::verkle();
    let (stem, mut values) = (stem(&mut random), values(&mut random, 7));
    let leaf = Leaf::new_vartime(&mut Obvious(&basis), &stem, &list(&values));
    let root = InnerNode::new_vartime(&mut Obvious(&basis), &[(stem[0], leaf.commitment().scalar())]);
    let stored = |commitment: Commitment| commitment.element().to_bytes();
    let found = |bytes| Commitment::new_vartime(Element::from_bytes(&bytes).expect("an element"));
    let [c1, c2, whole] = [leaf.c1(), leaf.c2(), leaf.commitment()].map(stored).map(found);
    let (mut again, mut root_again) = (Leaf::of(c1, c2, whole), InnerNode::of(found(stored(root.commitment()))));
    assert_eq!((again, root_again), (leaf, root));
    let (suffix, new) = (random.word() as u8, [9; 32]);
    let old = values.insert(suffix, new);
    again.update_vartime(&mut Obvious(&basis), &[ValueChange { suffix, old, new: Some(new) }]);
    assert_eq!(again, Leaf::new_vartime(&mut Obvious(&basis), &stem, &list(&values)));
    let (old, new) = (leaf.commitment().scalar(), again.commitment().scalar());
    root_again.update_vartime(&mut Obvious(&basis), &[ChildChange { index: stem[0], old, new }]);
    assert_eq!(root_again, InnerNode::new_vartime(&mut Obvious(&basis), &[(stem[0], new)]));
}

#[test]
fn leaf_updates_are_new_leaves() {
    let mut random = Random::new("leaf updates");
    let basis = Basis::verkle();
    let mut states: Vec<_> =
        [0, 1, 4, 9, 3].iter().map(|count| (stem(&mut random), values(&mut random, *count))).collect();
    let mut leaves: Vec<Leaf> =
        states.iter().map(|(stem, values)| Leaf::new_vartime(&mut Obvious(&basis), stem, &list(values))).collect();
    for round in 0..phalanx_tiers::size(6, 100) {
        let mut changes: Vec<Vec<ValueChange>> = Vec::new();
        for (i, (_, values)) in states.iter_mut().enumerate() {
            // Written, overwritten, removed, twice the same suffix; in one half, in both, in none.
            let count = (round + i) % 4;
            let changed = (0..count).map(|k| {
                let suffix = if k == 2 { 200 } else { random.word() as u8 % if i == 1 { 128 } else { 255 } };
                let new = (!random.word().is_multiple_of(4)).then(|| value(&mut random));
                let old = match new {
                    Some(new) => values.insert(suffix, new),
                    None => values.remove(&suffix),
                };
                ValueChange { suffix, old, new }
            });
            changes.push(changed.collect());
        }
        let borrowed: Vec<&[ValueChange]> = changes.iter().map(Vec::as_slice).collect();
        let mut single = leaves.clone();
        single.iter_mut().zip(&borrowed).for_each(|(leaf, changes)| leaf.update_vartime(&mut Obvious(&basis), changes));
        Leaf::update_many_vartime(&mut Obvious(&basis), &mut leaves, &borrowed);
        assert_eq!(leaves, single);
        for (leaf, (stem, values)) in leaves.iter().zip(&states) {
            assert_eq!(*leaf, Leaf::new_vartime(&mut Obvious(&basis), stem, &list(values)));
        }
    }
}

#[test]
fn inner_nodes_and_their_updates() {
    let mut random = Random::new("inner nodes");
    let basis = Basis::verkle();
    let reference = Reference::new(&basis);
    let mut states = vec![[Scalar::ZERO; 256]; 4];
    let mut nodes = vec![InnerNode::empty(); 4];
    for round in 0..phalanx_tiers::size(4, 50) {
        let mut changes: Vec<Vec<ChildChange>> = Vec::new();
        for (i, state) in states.iter_mut().enumerate() {
            let changed = (0..(round + i) % 4 * 3).map(|_| {
                let (index, new) = (random.word() as u8, random.scalar());
                ChildChange { index, old: core::mem::replace(&mut state[usize::from(index)], new), new }
            });
            changes.push(changed.collect());
        }
        let borrowed: Vec<&[ChildChange]> = changes.iter().map(Vec::as_slice).collect();
        let mut single = nodes.clone();
        single.iter_mut().zip(&borrowed).for_each(|(node, changes)| node.update_vartime(&mut Obvious(&basis), changes));
        InnerNode::update_many_vartime(&mut Obvious(&basis), &mut nodes, &borrowed);
        assert_eq!(nodes, single);
        for (node, state) in nodes.iter().zip(&states) {
            assert_commitment(node.commitment(), reference.commit(state));
            let children: Vec<(u8, Scalar)> = (0..=255).zip(state.iter().copied()).collect();
            assert_eq!(InnerNode::new_vartime(&mut Obvious(&basis), &children), *node);
        }
    }
    assert_eq!(InnerNode::of(nodes[0].commitment()), nodes[0]);
}

/// `compute_main_tree_root` of the specification, over stems and the scalars of their leaves.
fn tree_root(reference: &Reference, leaves: &[([u8; 31], Scalar)], depth: usize) -> EdwardsProjective {
    let mut children = vec![Scalar::ZERO; 256];
    for group in leaves.chunk_by(|(a, _), (b, _)| a[depth] == b[depth]) {
        children[usize::from(group[0].0[depth])] =
            if group.len() == 1 { group[0].1 } else { mapped(tree_root(reference, group, depth + 1)) };
    }
    reference.commit(&children)
}

#[test]
fn migrations_are_the_specifications() {
    let mut random = Random::new("migrations");
    let basis = Basis::verkle();
    let reference = Reference::new(&basis);
    for count in [0, 1, 2, 30, phalanx_tiers::size(100, 1000)] {
        let mut entries: Vec<([u8; 32], Value)> = (0..count)
            .map(|_| {
                // Few first bytes, and at times long common prefixes.
                let mut key = random.bytes();
                key[0] %= 4;
                key[1] %= 2;
                if random.word().is_multiple_of(4) {
                    key[..31].fill(7);
                    key[random.word() as usize % 31] ^= 1;
                }
                (key, value(&mut random))
            })
            .collect();
        if count > 2 {
            // The same key again with another value, which counts.
            entries.push((entries[0].0, [9; 32]));
        }
        let mut stems: BTreeMap<[u8; 31], BTreeMap<u8, Value>> = BTreeMap::new();
        for (key, value) in &entries {
            stems.entry(key[..31].try_into().expect("31 bytes")).or_default().insert(key[31], *value);
        }
        let tree = migrate_vartime(&mut Obvious(&basis), &mut entries);
        let leaves: Vec<_> =
            stems.iter().map(|(stem, values)| (*stem, mapped(leaf(&reference, stem, values)[2]))).collect();
        let found: Vec<_> = tree.leaves.iter().map(|(stem, leaf)| (*stem, leaf.commitment().scalar())).collect();
        assert_eq!(found, leaves);
        assert_commitment(tree.root(), tree_root(&reference, &leaves, 0));
        for node in &tree.nodes {
            let under = &leaves[node.leaves.clone()];
            let prefix = tree.prefix(node);
            assert_eq!(prefix.len(), node.depth);
            let expected = leaves.iter().filter(|(stem, _)| stem.starts_with(prefix)).count();
            assert_eq!((under.len(), under.iter().all(|(stem, _)| stem.starts_with(prefix))), (expected, true));
            assert_commitment(node.node.commitment(), tree_root(&reference, under, node.depth));
        }
    }
}
