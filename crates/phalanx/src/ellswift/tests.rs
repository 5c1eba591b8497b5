use super::map;
use crate::{FieldElement, Point, hash::sha256};
use phalanx_tiers::{size, skipped};
use std::{collections::BTreeSet, fs, path::Path, vec::Vec};

fn any(label: &str, number: u32) -> FieldElement {
    FieldElement::from_bytes_reduced(&sha256(std::format!("{label} {number}").as_bytes()))
}

fn x_of(u: &FieldElement, t: &FieldElement) -> FieldElement {
    map::decode(u, t).quotient_vartime()
}

/// The preimages by all eight ways.
fn preimages(x: &FieldElement, u: &FieldElement) -> [Option<FieldElement>; 8] {
    core::array::from_fn(|case| map::preimage(x, u, case as u8))
}

#[test]
fn preimages_are_mapped_back_and_none_is_missed() {
    let (mut found, rows) = (0, size(200, 20_000) as u32);
    for number in 0..rows {
        let (u, t) = (any("u", number), any("t", number));
        let x = x_of(&u, &t);
        assert!(bool::from(Point::from_x(&x, 0.into()).is_some()), "{u} {t}");
        let ways = preimages(&x, &u);
        assert!(ways.contains(&Some(t)) && ways.contains(&Some(-t)), "{u} {t}");
        let all: Vec<_> = ways.into_iter().flatten().collect();
        let distinct: BTreeSet<_> = all.iter().map(FieldElement::limbs).collect();
        assert_eq!(distinct.len(), all.len(), "two ways give the same t");
        assert!(all.iter().all(|t| x_of(&u, t) == x));
        found += all.len();
    }
    // 2 at least for a pair that exists; one of four has 8 / 3 or so more.
    assert!(found > 2 * rows as usize);
}

/// Where the three formulas have no denominator, and at the values that the BIP replaces.
#[test]
fn exceptional_pairs_stand_for_points() {
    let is_x = |x: &FieldElement| bool::from(Point::from_x(x, 0.into()).is_some());
    let zero = FieldElement::ZERO;
    let (mut sums, mut roots) = (0, 0);
    for number in 0..60 {
        let u = any("exceptional", number);
        let g = u.square() * u + FieldElement::from(7u64);
        // u^3 + 7 + t^2 = 0, and u^3 + 7 - t^2 = 0.
        for (t, count) in [((-g).sqrt(), &mut sums), (g.sqrt(), &mut roots)] {
            if let Some(t) = Option::<FieldElement>::from(t) {
                *count += 1;
                assert!(is_x(&x_of(&u, &t)) && x_of(&u, &t) == x_of(&u, &-t));
            }
        }
        assert_eq!(x_of(&u, &zero), x_of(&u, &FieldElement::ONE));
        assert_eq!(x_of(&zero, &u), x_of(&FieldElement::ONE, &u));
        assert!(preimages(&any("x", 0), &zero).iter().all(Option::is_none));
    }
    assert!(sums > 10 && roots > 10);
    assert_eq!(x_of(&zero, &zero), x_of(&FieldElement::ONE, &FieldElement::ONE));
}

/// A pair without a way by x1 or x2, from the BIP's file, and one with s = 0.
#[test]
fn ways_of_known_pairs() {
    let number = |text: &str| FieldElement::from_hex(text).unwrap();
    let u = number("05ff6bdad900fc3261bc7fe34e2fb0f569f06e091ae437d3a52e9da0cbfb9590");
    let x = number("80cdf63774ec7022c89a5a8558e373a279170285e0ab27412dbce510bdfe23fc");
    let second = number("45654798ece071ba79286d04f7f3eb1c3f1d17dd883610f2ad2efd82a287466b");
    let third = number("0aeaa886f6b76c7158452418cbf5033adc5747e9e9b5d3b2303db96936528557");
    let expected = [None, None, Some(second), Some(third), None, None, Some(-second), Some(-third)];
    assert_eq!(preimages(&x, &u), expected);
    let [_, _, a, b, _, _, c, d] = preimages(&FieldElement::ONE, &FieldElement::ONE);
    assert_eq!([a, b, c, d], [None; 4]);
}

#[test]
fn inverses_of_bip_324() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/bip324/xswiftec_inv_test_vectors.csv");
    let Ok(text) = fs::read_to_string(&file) else {
        return skipped("../shared/vectors/bip324 is not there", "32 pairs with their eight inverses");
    };
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let numbers: Vec<Option<FieldElement>> =
            cells[..10].iter().map(|cell| (!cell.is_empty()).then(|| FieldElement::from_hex(cell).unwrap())).collect();
        let (u, x) = (numbers[0].unwrap(), numbers[1].unwrap());
        assert_eq!(preimages(&x, &u)[..], numbers[2..], "{line}");
        rows += 1;
    }
    assert_eq!(rows, 32);
}
