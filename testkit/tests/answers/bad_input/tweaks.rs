//! Tweaks: zero, the key's own negative, numbers at and above the order.

use super::lanes::secret;
use phalanx::{Error, Keypair, PublicKey, Scalar, SecretKey};
use phalanx_testkit::draws::{ORDER, PRIME, add};
use phalanx_testkit::surface::surfaces;

const TOO_LARGE: [[u8; 32]; 3] = [ORDER, PRIME, [0xff; 32]];

#[test]
fn tweaks_that_cannot_be_added() {
    let key = secret(0x21);
    let (public, pair) = (key.public_key(), Keypair::from_secret(key.clone()));
    let even = if pair.public_key().x_only().1 { key.negate() } else { key.clone() };
    for tweak in TOO_LARGE.into_iter().chain([key.negate().to_bytes(), add(ORDER, 1)]) {
        assert_eq!(key.tweak_add(&tweak), Err(Error::BadTweak));
        assert_eq!(public.tweak_add(&tweak), Err(Error::BadTweak));
    }
    for tweak in TOO_LARGE.into_iter().chain([even.negate().to_bytes()]) {
        assert_eq!(pair.tweak_add_x_only(&tweak), Err(Error::BadTweak));
        assert_eq!(pair.x_only().tweak_add(&tweak), Err(Error::BadTweak));
    }
    for tweak in TOO_LARGE.into_iter().chain([[0; 32]]) {
        assert_eq!(key.tweak_mul(&tweak), Err(Error::BadTweak));
        assert_eq!(public.tweak_mul(&tweak), Err(Error::BadTweak));
    }
}

#[test]
fn tweaks_that_look_bad_and_are_good() {
    let key = secret(0x21);
    let public = key.public_key();
    // Zero adds nothing; the key itself doubles the point; n - 1 multiplies by -1.
    assert_eq!(key.tweak_add(&[0; 32]), Ok(key.clone()));
    assert_eq!(public.tweak_add(&[0; 32]), Ok(public));
    assert_eq!(public.x_only().0.tweak_add(&[0; 32]).map(|(key, _)| key), Ok(public.x_only().0));
    let doubled = key.tweak_mul(&Scalar::from(2u64).to_bytes()).expect("not zero");
    assert_eq!(key.tweak_add(&key.to_bytes()), Ok(doubled.clone()));
    assert_eq!(public.tweak_add(&key.to_bytes()), Ok(doubled.public_key()));
    assert_eq!(key.tweak_mul(&add(ORDER, -1)), Ok(key.negate()));
    assert_eq!(public.tweak_mul(&add(ORDER, -1)), Ok(public.negate()));
}

#[test]
fn one_bad_tweak_harms_no_other() {
    let secrets: Vec<SecretKey> = (1..=17).map(secret).collect();
    let publics: Vec<PublicKey> = secrets.iter().map(SecretKey::public_key).collect();
    for surface in surfaces() {
        let places = surface.share().places;
        for length in [1, 7, 8, 9, 15, 16, 17] {
            for place in (0..length).step_by(places) {
                let good: Vec<[u8; 32]> = (0..length).map(|index| secrets[16 - index].to_bytes()).collect();
                let negative = secrets[place].negate().to_bytes();
                for bad in TOO_LARGE.into_iter().chain([negative, [0; 32], secrets[place].to_bytes()]) {
                    let mut tweaks = good.clone();
                    tweaks[place] = bad;
                    let sums = surface.tweak_add_secret(&secrets[..length], &tweaks);
                    let expected: Vec<_> =
                        secrets.iter().zip(&tweaks).map(|(key, tweak)| key.tweak_add(tweak)).collect();
                    assert_eq!(sums, expected, "place {place} of {length}, {}", surface.name());
                    let points = surface.tweak_add_public(&publics[..length], &tweaks);
                    let expected: Vec<_> = sums.into_iter().map(|sum| sum.map(|key| key.public_key())).collect();
                    assert_eq!(points, expected, "place {place} of {length}, {}", surface.name());
                }
            }
        }
    }
}
