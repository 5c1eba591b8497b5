//! Encodings, equality and batches, by published vectors and by definition.

use crate::samples::Random;
use ark_ec::CurveGroup;
use ark_ed_on_bls12_381_bandersnatch::{EdwardsAffine, Fq};
use ark_ff::{BigInteger, PrimeField};
use hex_literal::hex;
use phalanx_banderwagon::{DecodeError, Element, P, Scalar};
use phalanx_engine::field::MontgomeryPrime;
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// Encodings of G, 2 G, 4 G and so on. Source: go-ipa, `banderwagon/element_test.go`, and other implementations of the
/// Verkle cryptography.
const POWERS: [[u8; 32]; 16] = [
    hex!("4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9"),
    hex!("43aa74ef706605705989e8fd38df46873b7eae5921fbed115ac9d937399ce4d5"),
    hex!("5e5f550494159f38aa54d2ed7f11a7e93e4968617990445cc93ac8e59808c126"),
    hex!("0e7e3748db7c5c999a7bcd93d71d671f1f40090423792266f94cb27ca43fce5c"),
    hex!("14ddaa48820cb6523b9ae5fe9fe257cbbd1f3d598a28e670a40da5d1159d864a"),
    hex!("6989d1c82b2d05c74b62fb0fbdf8843adae62ff720d370e209a7b84e14548a7d"),
    hex!("26b8df6fa414bf348a3dc780ea53b70303ce49f3369212dec6fbe4b349b832bf"),
    hex!("37e46072db18f038f2cc7d3d5b5d1374c0eb86ca46f869d6a95fc2fb092c0d35"),
    hex!("2c1ce64f26e1c772282a6633fac7ca73067ae820637ce348bb2c8477d228dc7d"),
    hex!("297ab0f5a8336a7a4e2657ad7a33a66e360fb6e50812d4be3326fab73d6cee07"),
    hex!("5b285811efa7a965bd6ef5632151ebf399115fcc8f5b9b8083415ce533cc39ce"),
    hex!("1f939fa2fd457b3effb82b25d3fe8ab965f54015f108f8c09d67e696294ab626"),
    hex!("3088dcb4d3f4bacd706487648b239e0be3072ed2059d981fe04ce6525af6f1b8"),
    hex!("35fbc386a16d0227ff8673bc3760ad6b11009f749bb82d4facaea67f58fc60ed"),
    hex!("00f29b4f3255e318438f0a31e058e4c081085426adb0479f14c64985d0b956e0"),
    hex!("3fa4384b2fa0ecc3c0582223602921daaa893a97b64bdf94dcaa504e8b7b9e5f"),
];

/// Abscissas of points of the curve outside of the group. Source: as [`POWERS`].
const OUTSIDE: [[u8; 32]; 16] = [
    hex!("280e608d5bbbe84b16aac62aa450e8921840ea563f1c9c266e0240d89cbe6a78"),
    hex!("1b6989e2393c65bbad7567929cdbd72bbf0218521d975b0fb209fba0ee493c32"),
    hex!("31468782818807366dbbcd20b9f10f0d5b93f22e33fe49b450dfbddaf3ba6a9b"),
    hex!("6bfc4097e4874cdddebe74e041fcd329d8455278cd42b6dd4f40b042d4fc466b"),
    hex!("65dc0a9730cce485d82b230ce32c7c21688967c8943b4a51ba468f927e2e28ef"),
    hex!("0fd3536157199b46617c3fba4bae1c2ffab5409dfea1de62161bc10748651671"),
    hex!("5bdc73f43e90ae5c2956320ce2ef2b17809b11d6b9758c7861793b41f39b7c01"),
    hex!("23a89c778ee10b9925ad3df5dc1f7ab244c1daf305669bc6b03d1aaa100037a4"),
    hex!("67505814852867356aaa8387896efa1d1b9a72aad95549e53e69c15eb36a642c"),
    hex!("301bc9b1129a727c2a65b96f55a5bcd642a3d37e0834196863c4430e4281dc3a"),
    hex!("45d08715ac67ebb088bcfa3d04bcce76510edeb9e23f12ed512894ba1e6518fc"),
    hex!("0b3b6e1f8ec72e63c6aa7ae87628071df3d82ea2bea6516d1948dac2edc12179"),
    hex!("72430a05f507747aa5a42481b4f93522aa682b1d56e5285f089aa1b5fb09c67a"),
    hex!("5eb4d3e5ce8107c6dd7c6398f2a903a0df75ce655939c29a3e309f43fe5bcd1f"),
    hex!("6671109a7a15f4852ead3298318595a36010930fddbd3c8f667c6390e7ac3c66"),
    hex!("120faa1df94d5d831bbb69fc44816e25afd27288a333299ac3c94518fd0e016f"),
];

/// The number of these 32 bytes, and p less it, big-endian.
fn negated(bytes: &[u8]) -> Vec<u8> {
    let p = crate::samples::from_words(&P::MODULUS);
    let number = num_bigint::BigUint::from_bytes_be(bytes);
    let mut negated = crate::samples::le_bytes(&((&p - number) % p));
    negated.reverse();
    negated.to_vec()
}

#[test]
fn powers_of_two_have_their_published_encodings() {
    let mut power = Element::generator();
    assert_eq!(Element::GENERATOR_BYTES, POWERS[0]);
    for bytes in &POWERS {
        assert_eq!(power.to_bytes(), *bytes);
        assert_eq!(Element::from_bytes(bytes), Ok(power));
        power = power.double();
    }
}

#[test]
fn generator_maps_to_its_published_scalar() {
    let expected = hex!("d1e7de2aaea9603d5bc6c208d319596376556ecd8336671ba7670c2139772d14");
    assert_eq!(Element::generator().map_to_scalar_field().to_le_bytes(), expected);
    assert_eq!(Element::identity().map_to_scalar_field(), Scalar::ZERO);
}

#[test]
fn points_outside_of_the_group_are_refused() {
    for bytes in &OUTSIDE {
        assert_eq!(Element::from_bytes(bytes), Err(DecodeError::NotInGroup));
    }
}

#[test]
fn encodings_that_are_none_are_refused_with_their_reason() {
    let p: Vec<u8> = P::MODULUS.iter().rev().flat_map(|word| word.to_be_bytes()).collect();
    let p: [u8; 32] = p.try_into().expect("32 bytes");
    let mut above = p;
    above[31] += 1;
    for bytes in [p, above, [0xff; 32]] {
        assert_eq!(Element::from_bytes(&bytes), Err(DecodeError::NotCanonical));
    }
    let mut below = p;
    below[31] -= 1;
    assert_ne!(Element::from_bytes(&below), Err(DecodeError::NotCanonical));
    // Of all x, half are on the curve and a quarter in the group: each answer comes up, and only these.
    let mut random = Random::new("encodings");
    let (mut good, mut outside, mut off) = (0, 0, 0);
    for _ in 0..400 {
        let mut bytes = random.bytes();
        bytes[0] >>= 2;
        match Element::from_bytes(&bytes) {
            Ok(element) => {
                assert_eq!(element.to_bytes(), bytes);
                good += 1;
            }
            Err(DecodeError::NotInGroup) => outside += 1,
            Err(DecodeError::NotOnCurve) => off += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(good > 50 && outside > 50 && off > 120, "{good} {outside} {off}");
}

#[test]
fn zero_encodes_the_neutral_element() {
    assert_eq!(Element::identity().to_bytes(), [0; 32]);
    assert_eq!(Element::from_bytes(&[0; 32]), Ok(Element::identity()));
    assert!(Element::default().is_identity_vartime() && !Element::generator().is_identity_vartime());
}

#[test]
fn both_points_of_an_element_are_read_as_it() {
    let mut random = Random::new("uncompressed");
    for element in [Element::identity(), Element::generator(), random.element(), random.element()] {
        let bytes = element.to_uncompressed();
        let other: [u8; 64] = [negated(&bytes[..32]), negated(&bytes[32..])].concat().try_into().expect("64 bytes");
        for bytes in [&bytes, &other] {
            let read = Element::from_uncompressed(bytes).expect("a point of the group");
            assert_eq!((read, read.to_bytes()), (element, element.to_bytes()));
        }
    }
    // (x, -y) is the negated element; another y is off the curve.
    let bytes = Element::generator().to_uncompressed();
    let upside_down: [u8; 64] = [bytes[..32].to_vec(), negated(&bytes[32..])].concat().try_into().expect("64 bytes");
    assert_eq!(Element::from_uncompressed(&upside_down), Ok(-Element::generator()));
    let mut wrong = bytes;
    wrong[63] ^= 1;
    assert_eq!(Element::from_uncompressed(&wrong), Err(DecodeError::NotOnCurve));
    for half in [0, 32] {
        let mut wrong = bytes;
        wrong[half..half + 32].fill(0xff);
        assert_eq!(Element::from_uncompressed(&wrong), Err(DecodeError::NotCanonical));
    }
}

/// A multiple of the generator by the group's formulas has odd order, as the generator has.
#[test]
fn the_point_of_odd_order_is_held_wherever_it_comes_from() {
    let mut multiple = Element::generator();
    for k in 1..40 {
        let decoded = Element::from_bytes(&multiple.to_bytes()).expect("an encoding");
        assert_eq!(decoded.to_uncompressed(), multiple.to_uncompressed(), "{k} G");
        multiple += Element::generator();
    }
}

/// Points of the curve of any order, from arkworks: r times a point of the group is (0, 1) or (0, -1).
#[test]
fn uncompressed_points_outside_of_the_group_are_refused() {
    let minus_one = EdwardsAffine::new_unchecked(Fq::from(0), -Fq::from(1));
    let (mut inside, mut outside) = (0, 0);
    for point in (2..200).filter_map(|y| EdwardsAffine::get_point_from_y_unchecked(Fq::from(y), true)) {
        let bytes = [point.x, point.y].map(|number| number.into_bigint().to_bytes_be()).concat();
        let read = Element::from_uncompressed(&bytes.try_into().expect("64 bytes"));
        let beside = (point + minus_one).into_affine();
        if point.is_in_correct_subgroup_assuming_on_curve() || beside.is_in_correct_subgroup_assuming_on_curve() {
            assert!(read.is_ok());
            inside += 1;
        } else {
            assert_eq!(read, Err(DecodeError::NotInGroup));
            outside += 1;
        }
    }
    assert!(inside > 20 && outside > 20, "{inside} {outside}");
}

#[test]
fn batches_are_the_single_answers() {
    let mut random = Random::new("batches");
    for length in [0, 1, 2, 3, 255, 256, 257, 600] {
        let mut elements: Vec<Element> = (0..length).map(|_| random.element()).collect();
        if length > 2 {
            elements[1] = Element::identity();
            elements[length - 1] = elements[0];
        }
        let (mut bytes, mut scalars) = (vec![[1; 32]; length], vec![Scalar::ONE; length]);
        Element::batch_to_bytes(&elements, &mut bytes);
        Element::batch_map_to_scalar_field(&elements, &mut scalars);
        let mut vartime = vec![Scalar::ONE; length];
        Element::batch_map_to_scalar_field_vartime(&elements, &mut vartime);
        assert_eq!(scalars, vartime);
        for ((element, bytes), scalar) in elements.iter().zip(bytes).zip(scalars) {
            assert_eq!((element.to_bytes(), element.map_to_scalar_field()), (bytes, scalar));
            assert_eq!(element.map_to_scalar_field_vartime(), scalar);
        }
    }
}

#[test]
fn choice_and_comparison() {
    let (g, h) = (Element::generator(), Element::generator().double());
    assert_eq!(Element::conditional_select(&g, &h, 0.into()), g);
    assert_eq!(Element::conditional_select(&g, &h, 1.into()), h);
    assert!(bool::from(g.ct_eq(&(h - g))) && !bool::from(g.ct_eq(&h)) && !bool::from(g.ct_eq(&-g)));
    let text = format!("{g:?}");
    assert_eq!(text, "Element(0x4a2c7486fd924882bf02c6908de395122843e3e05264d7991e18e7985dad51e9)");
}
