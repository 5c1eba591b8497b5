//! The work of a tree by tables beside the same work by the obvious way.

use crate::samples::Random;
use phalanx_banderwagon::verkle::{
    ChildChange, InnerNode, Leaf, Position, TreeKeys, Value, ValueChange, migrate_vartime,
};
use phalanx_banderwagon::{Basis, Commit, Committer, Element, Lanes, Obvious, Scalar, Tables, Term, TermLists};
use phalanx_engine::affine_add::OneLane;
use phalanx_engine::fixed_base::{Configuration, ConfigurationError, Scheme};

/// What each kind of work gives, one item at a time and many at once.
fn work(committer: &mut dyn Commit, seed: &str) -> (Vec<[u8; 32]>, Vec<Scalar>) {
    let mut random = Random::new(seed);
    let (mut bytes, mut scalars) = (Vec::new(), Vec::new());
    let keys = TreeKeys::new_vartime(committer);
    let places: Vec<_> = (0..20).map(|_| (random.bytes(), Position::storage_slot(&random.number()))).collect();
    let mut many = vec![[0; 32]; places.len()];
    keys.keys_vartime(committer, &places, &mut many);
    for ((address, position), key) in places.iter().zip(&many) {
        assert_eq!(keys.key_vartime(committer, address, position), *key);
        let sum = keys.address_vartime(committer, address);
        assert_eq!(keys.key_of_vartime(committer, &sum, position), *key);
    }
    bytes.extend(many);
    let mut entries: Vec<([u8; 32], Value)> = (0..60).map(|_| (random.bytes(), random.bytes())).collect();
    entries.iter_mut().for_each(|(key, _)| key[..31].iter_mut().for_each(|byte| *byte %= 2));
    entries.iter_mut().for_each(|(key, _)| key[4..31].fill(0));
    let mut tree = migrate_vartime(committer, &mut entries);
    bytes.push(tree.root().element().to_bytes());
    scalars.extend(tree.leaves.iter().map(|(_, leaf)| leaf.commitment().scalar()));
    let (key, old) = entries[0];
    let (_, leaf) = &mut tree.leaves[0];
    let before = leaf.commitment().scalar();
    leaf.update_vartime(committer, &[ValueChange { suffix: key[31], old: Some(old), new: Some([7; 32]) }]);
    assert_eq!(Leaf::new_vartime(committer, &[3; 31], &[]).c1().scalar(), Scalar::ZERO);
    let mut node = InnerNode::new_vartime(committer, &[(9, before), (255, Scalar::ONE)]);
    node.update_vartime(committer, &[ChildChange { index: 9, old: before, new: leaf.commitment().scalar() }]);
    scalars.extend([leaf.c1().scalar(), leaf.c2().scalar(), node.commitment().scalar()]);
    (bytes, scalars)
}

#[test]
fn work_by_tables_is_the_obvious_work() {
    let (basis, adder) = (Basis::verkle(), OneLane::new());
    let seed = "work by tables";
    let expected = work(&mut Obvious(&basis), seed);
    let windows = Configuration::single(256, Scalar::ORDER, Scheme::SignedWindows { b: 5 });
    for configuration in [windows, Tables::verkle_configuration()] {
        let tables = Tables::build(&adder, basis.clone(), configuration).expect("a configuration of the basis");
        assert_eq!(work(&mut Committer::new(adder, &tables), seed), expected);
    }
    assert_eq!(Tables::verkle_configuration().bytes(), 144_408_832);
}

/// On both sides of the number of scalars from which vectors have a comb of their own, and with scalars of all kinds.
#[test]
fn full_vectors_are_the_obvious_sums() {
    let basis = Basis::verkle();
    let random = |seed: usize| (0..256u64).map(move |i| Scalar::from(i + 1) * Scalar::from(u128::MAX - seed as u128));
    let mut vectors: Vec<Vec<Scalar>> =
        (0..9).map(|seed| random(seed).map(|scalar| scalar * scalar).collect()).collect();
    vectors.extend([199, 200, 201, 255].map(|nonzero| random(nonzero).take(nonzero).collect::<Vec<_>>()));
    vectors.extend([Scalar::ONE, -Scalar::ONE, Scalar::ZERO].map(|scalar| vec![scalar; 256]));
    let mut gaps: Vec<Scalar> = random(77).collect();
    gaps[..30].fill(Scalar::ZERO);
    gaps[251..].fill(Scalar::ZERO);
    vectors.push(gaps);
    let expected: Vec<Element> = vectors.iter().map(|vector| Obvious(&basis).commit_vartime(vector)).collect();
    for lanes in [Lanes::one(), Lanes::detect()] {
        println!("on {lanes}");
        let tables = lanes.build(basis.clone(), Tables::verkle_configuration()).expect("a configuration of the basis");
        let mut committer = lanes.committer(&tables);
        let mut lists = TermLists::new();
        for (vector, expected) in vectors.iter().zip(&expected) {
            assert_eq!(committer.commit_vartime(vector), *expected);
            lists.push(Term::dense(vector));
        }
        let mut found = vec![Element::identity(); vectors.len()];
        committer.commit_many_vartime(&lists, &mut found);
        assert_eq!(found, expected);
    }
}

#[test]
fn configurations_of_other_bases_are_refused() {
    let scheme = Scheme::SignedWindows { b: 4 };
    let build = |configuration| {
        let basis = Basis::draw(b"three", 3);
        Tables::build(&OneLane::new(), basis, configuration).err()
    };
    assert_eq!(build(Configuration::single(3, Scalar::ORDER, scheme)), None);
    assert_eq!(build(Configuration::single(2, Scalar::ORDER, scheme)), Some(ConfigurationError::Places(0)));
    assert_eq!(build(Configuration::single(3, [101, 0, 0, 0], scheme)), Some(ConfigurationError::Order));
    let wide = Scheme::SignedWindows { b: 30 };
    assert_eq!(build(Configuration::single(3, Scalar::ORDER, wide)), Some(ConfigurationError::Scheme(0)));
}
