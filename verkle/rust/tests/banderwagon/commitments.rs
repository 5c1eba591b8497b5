//! Commitments by every way there is, against published vectors and against arkworks.

use crate::arkworks::{self, Reference, scalar};
use crate::samples::{Random, edge_scalars};
use hex_literal::hex;
use phalanx_banderwagon::{
    Bandersnatch, Basis, Commit, Committer, Element, Lanes, Obvious, Scalar, Tables, Term, TermLists,
};
use phalanx_engine::affine_add::{AffineAdder, EightLanes, OneLane};
use phalanx_engine::fixed_base::{Configuration, Rule, Scheme, ShortList, TableSpec};
use phalanx_engine::word::{Emulation, VectorUnit};
use std::path::Path;

/// Ways to commit over a basis, by name.
fn with_every_committer(basis: &Basis, check: impl Fn(&str, &mut dyn Commit)) {
    check("obvious", &mut Obvious(basis));
    let vectors = !phalanx_tiers::is_emulated();
    with_tables(basis, "one lane", OneLane::new(), &check);
    with_tables(basis, "emulated", EightLanes::new(Emulation), &check);
    let mut ran = 0;
    for unit in VectorUnit::NAMES.into_iter().filter_map(VectorUnit::detect).filter(|_| vectors) {
        with_tables(basis, unit.name(), EightLanes::new(unit), &check);
        ran += 1;
    }
    if ran == 0 {
        phalanx_tiers::skipped("vector words", "commitments in eight lanes, which ran on emulated words");
    }
}

/// Every kind of table, small: windows, subsets, and a comb of groups; the first kind with the second in one rule.
fn with_tables<A: AffineAdder<Curve = Bandersnatch> + Copy>(
    basis: &Basis,
    name: &str,
    adder: A,
    check: &impl Fn(&str, &mut dyn Commit),
) {
    let (points, order) = (basis.len(), Scalar::ORDER);
    if points == 0 {
        return;
    }
    let half = points.div_ceil(2);
    let spec = |scheme, places| TableSpec { scheme, places };
    let windows = Scheme::SignedWindows { b: 4 };
    let comb = Scheme::SignedComb { t: 64, b: 4, group: 1 };
    let tables = [spec(windows, 0..half), spec(comb, half..points)];
    let tables = tables.into_iter().filter(|table| !table.places.is_empty()).collect::<ShortList<_, _>>();
    let rules = [Rule { nonzero: points, tables: (0..tables.len()).collect() }].into();
    let both = Configuration { points, order, tables, rules };
    let comb = Configuration::single(points, order, Scheme::SignedComb { t: 51, b: 8, group: 2 });
    let subsets = Configuration::single(points, order, Scheme::Subsets { t: 85, b: 6 });
    for (what, configuration) in [("windows and comb", both), ("comb", comb), ("subsets", subsets)] {
        let tables = Tables::build(&adder, basis.clone(), configuration).expect("a configuration of this basis");
        check(&format!("{name}, {what}"), &mut Committer::new(adder, &tables));
    }
}

/// A vector of `length` with `nonzero` scalars at random positions.
fn sparse(random: &mut Random, length: usize, nonzero: usize) -> Vec<Scalar> {
    let mut scalars = vec![Scalar::ZERO; length];
    for _ in 0..nonzero {
        scalars[random.word() as usize % length] = random.scalar();
    }
    scalars
}

#[test]
fn published_sums_over_the_verkle_basis() {
    let basis = Basis::verkle();
    let scalars: Vec<Scalar> = (1..=256u64).map(Scalar::from).collect();
    let all = hex!("294b47ca2d37d5ee18f0c8e2908b8912b18571ac01a7198880c058d4381a8cbd");
    let five = hex!("02b20cd72cc25e9dfea609acd465fda1089c1191aa8c0ad2dc320c32f8ef5abf");
    for (length, expected) in [(256, all), (5, five)] {
        let scalars = &scalars[..length];
        with_every_committer(&basis, |name, way| {
            assert_eq!(way.commit_vartime(scalars).to_bytes(), expected, "{name}");
        });
        assert_eq!(basis.commit(scalars).to_bytes(), expected);
    }
}

/// Ten whole vectors with little-endian scalars, whose commitment is the image among the scalars.
#[test]
fn published_pedersen_commitments() {
    const FILE: &str = "../../../shared/vectors/verkle/pedersen_commitment_test.json";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if !path.exists() {
        phalanx_tiers::skipped("vectors/verkle is not in ../shared", "10 published commitments to 256 scalars");
        return;
    }
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let vectors: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let number = |value: &serde_json::Value| -> [u8; 32] {
        let text = value.as_str().and_then(|text| text.strip_prefix("0x")).expect("hexadecimal text");
        assert_eq!(text.len(), 64);
        core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..][..2], 16).expect("two digits"))
    };
    let basis = Basis::verkle();
    let mut checked = 0;
    for vector in vectors.as_array().expect("an array") {
        let scalars = vector["frs"].as_array().expect("an array");
        let scalars: Vec<Scalar> =
            scalars.iter().map(|value| Scalar::from_le_bytes(&number(value)).expect("canonical")).collect();
        let expected = number(&vector["commitment"]);
        with_every_committer(&basis, |name, way| {
            let commitment = way.commit_vartime(&scalars);
            assert_eq!(commitment.map_to_scalar_field().to_le_bytes(), expected, "{name}");
        });
        assert_eq!(basis.commit(&scalars).map_to_scalar_field().to_le_bytes(), expected);
        checked += 1;
    }
    assert_eq!(checked, 10);
}

#[test]
fn vectors_are_arkworks() {
    let mut random = Random::new("vectors beside arkworks");
    let basis = Basis::verkle();
    let reference = Reference::new(&basis);
    let mut vector = |round: usize| {
        let length = [256, 5, 256, 1 + random.word() as usize % 256][round % 4];
        let scalars = sparse(&mut random, length, [length, 1, 5, length / 3][round / 4 % 4]);
        let expected = reference.commit(&scalars);
        if round % 4 == 1 || round.is_multiple_of(32) {
            assert_eq!(arkworks::point(&basis.commit(&scalars)), expected);
        }
        (scalars, expected)
    };
    let vectors: Vec<_> = (0..phalanx_tiers::size(16, 8_000)).map(&mut vector).collect();
    with_every_committer(&basis, |name, way| {
        for (scalars, expected) in &vectors {
            assert_eq!(arkworks::point(&way.commit_vartime(scalars)), *expected, "{name}");
        }
    });
}

#[test]
fn edges() {
    let basis = Basis::verkle();
    let first = basis.elements()[0];
    with_every_committer(&basis, |name, way| {
        assert_eq!(way.commit_vartime(&[]), Element::identity(), "{name}");
        assert_eq!(way.commit_vartime(&[Scalar::ZERO; 256]), Element::identity(), "{name}");
        for k in edge_scalars() {
            let expected = arkworks::point(&first) * scalar(&k);
            assert_eq!(arkworks::point(&way.commit_vartime(&[k])), expected, "{name}");
            for position in [0, 4, 5, 255] {
                let expected = basis.elements()[position].mul(&k);
                assert_eq!(way.commit_sparse_vartime(&[Term { position, scalar: k }]), expected, "{name}");
            }
            // The same position twice, and against itself.
            let term = |scalar| Term { position: 7, scalar };
            assert_eq!(way.commit_sparse_vartime(&[term(k), term(-k)]), Element::identity(), "{name}");
            let twice = way.commit_sparse_vartime(&[term(k), term(k)]);
            assert_eq!(twice, basis.elements()[7].mul(&(k + k)), "{name}");
        }
        let all = edge_scalars();
        assert_eq!(way.commit_vartime(&all), basis.commit(&all), "{name}");
    });
    assert_eq!(basis.commit(&[]), Element::identity());
    assert_eq!(basis.commit(&[Scalar::ZERO; 3]), Element::identity());
}

/// A basis with a duplicate, a negative and the neutral element.
#[test]
fn any_basis_will_do() {
    let g = Element::generator();
    let basis = Basis::new(vec![g, g, -g, Element::identity(), g.double()]);
    let mut random = Random::new("any basis");
    for _ in 0..20 {
        let k: [Scalar; 5] = core::array::from_fn(|_| random.scalar());
        let expected = g.mul(&(k[0] + k[1] - k[2] + k[4] + k[4]));
        with_every_committer(&basis, |name, way| assert_eq!(way.commit_vartime(&k), expected, "{name}"));
        assert_eq!(basis.commit(&k), expected);
    }
    with_every_committer(&basis, |name, way| {
        assert_eq!(way.commit_vartime(&[Scalar::ONE, Scalar::ONE, Scalar::from(2u64)]), Element::identity(), "{name}");
        assert_eq!(way.commit_vartime(&[Scalar::ONE, Scalar::ZERO, Scalar::ONE]), Element::identity(), "{name}");
    });
    assert_eq!(Obvious(&Basis::new(Vec::new())).commit_vartime(&[]), Element::identity());
}

#[test]
fn many_lists_and_differences() {
    let mut random = Random::new("many lists");
    let basis = Basis::verkle();
    let (mut lists, mut vectors) = (TermLists::new(), Vec::new());
    for nonzero in [0, 1, 2, 0, 5, 5, 5, 9, 1, 0] {
        let vector = sparse(&mut random, 256, nonzero);
        lists.push(Term::dense(&vector));
        vectors.push(vector);
    }
    with_every_committer(&basis, |name, way| {
        let mut sums = vec![Element::generator(); lists.len()];
        way.commit_many_vartime(&lists, &mut sums);
        for (sum, vector) in sums.iter().zip(&vectors) {
            assert_eq!(*sum, way.commit_vartime(vector), "{name}");
        }
        let offset = Element::generator();
        let mut images = vec![Scalar::ONE; lists.len()];
        way.map_many_vartime(&offset, &lists, &mut images);
        for (image, sum) in images.iter().zip(&sums) {
            assert_eq!(*image, (*sum + offset).map_to_scalar_field(), "{name}");
        }
        for pair in vectors.windows(2) {
            let differences: Vec<Scalar> = pair[1].iter().zip(&pair[0]).map(|(new, old)| *new - *old).collect();
            let differences: Vec<Term> = Term::dense(&differences).collect();
            let old = way.commit_vartime(&pair[0]);
            let updated = way.update_vartime(&old, &differences);
            assert_eq!(updated, way.commit_vartime(&pair[1]), "{name}");
        }
        way.commit_many_vartime(&TermLists::new(), &mut []);
    });
}

/// Fewer vectors than pay for a thread, as many, and more; a panic in one thread is one of the call.
#[test]
fn many_vectors_on_threads() {
    let mut random = Random::new("threads");
    let basis = Basis::draw(b"threads", 5);
    let lanes = Lanes::detect();
    let configuration = Configuration::single(5, Scalar::ORDER, Scheme::SignedWindows { b: 5 });
    let tables = lanes.build(basis.clone(), configuration).expect("a configuration of this basis");
    for threads in [0, 1, 2, 3] {
        let mut committer = lanes.committer_on_threads(&tables, threads);
        for count in [0, 1, 127, 128, 129, 400] {
            let mut lists = TermLists::new();
            (0..count).for_each(|i| lists.push(Term::dense(&sparse(&mut random, 5, i % 4))));
            let mut sums = vec![Element::generator(); count];
            committer.commit_many_vartime(&lists, &mut sums);
            for (sum, terms) in sums.iter().zip(lists.iter()) {
                assert_eq!(*sum, Obvious(&basis).commit_sparse_vartime(terms), "{count} on {threads} threads");
            }
        }
        let mut lists = TermLists::new();
        (0..300).for_each(|i| lists.push([Term { position: if i == 299 { 5 } else { 0 }, scalar: Scalar::ONE }]));
        let mut sums = vec![Element::identity(); 300];
        let call = std::panic::AssertUnwindSafe(|| committer.commit_many_vartime(&lists, &mut sums));
        assert!(std::panic::catch_unwind(call).is_err(), "{threads} threads");
        assert_eq!(committer.commit_vartime(&[Scalar::ONE]), basis.elements()[0]);
    }
}

/// A call that panics and is caught leaves a committer that commits.
#[test]
fn positions_outside_of_the_basis_are_refused() {
    let basis = Basis::draw(b"three", 3);
    let outside = [Term { position: 3, scalar: Scalar::ONE }];
    let mut lists = TermLists::new();
    lists.push([Term { position: 1, scalar: Scalar::ONE }]);
    lists.push(outside);
    type Call<'a> = &'a dyn Fn(&mut dyn Commit);
    let calls: [Call<'_>; 3] = [
        &|way| assert_eq!(way.commit_sparse_vartime(&outside), Element::identity()),
        &|way| assert_eq!(way.commit_vartime(&[Scalar::ZERO; 4]), Element::identity()),
        &|way| way.commit_many_vartime(&lists, &mut [Element::identity(); 2]),
    ];
    for call in calls {
        with_every_committer(&basis, |name, way| {
            let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(way)));
            assert!(refused.is_err(), "{name}");
            assert_eq!(way.commit_sparse_vartime(&[]), Element::identity(), "{name}, after a refusal");
            assert_eq!(way.commit_vartime(&[Scalar::ONE; 3]), basis.commit(&[Scalar::ONE; 3]), "{name}");
            let mut sums = [Element::identity()];
            let mut good = TermLists::new();
            good.push([Term { position: 2, scalar: Scalar::ONE }]);
            way.commit_many_vartime(&good, &mut sums);
            assert_eq!(sums, [basis.elements()[2]], "{name}");
        });
    }
    assert!(std::panic::catch_unwind(|| basis.commit(&[Scalar::ZERO; 4])).is_err());
}
