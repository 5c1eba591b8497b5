//! Tweaks of secret, public and x-only keys. One that is out of range, or leads to zero or infinity, has no answer.

use super::ecdh::public_key;
use super::keys::{oracle_secret, public, secret};
use super::operation::{Operation, run, single_only};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::group::Group;
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::{ProjectivePoint, Scalar};
use phalanx::Keypair;
use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::{Surface, surfaces};
use secp256k1 as oracle;

/// A secret key and a tweak, and the key that comes of them.
type OfSecret = Operation<([u8; 32], [u8; 32]), Option<[u8; 32]>, dyn Surface>;
/// The same of a public key.
type OfPublic = Operation<([u8; 33], [u8; 32]), Option<[u8; 33]>, dyn Surface>;

/// One in eight tweaks is the key's negative, whose sum with it is zero.
fn secret_case(draws: &mut Draws) -> ([u8; 32], [u8; 32]) {
    let secret = draws.scalar();
    let opposite = || oracle_secret(&secret).negate().to_secret_bytes();
    let tweak = if draws.below(8) == 0 { opposite() } else { draws.number() };
    (secret, tweak)
}

fn public_case(draws: &mut Draws) -> ([u8; 33], [u8; 32]) {
    if draws.below(4) == 0 {
        let (secret, tweak) = secret_case(draws);
        return (oracle_secret(&secret).public_key().serialize(), tweak);
    }
    (public_key(draws), draws.number())
}

fn oracle_public(bytes: &[u8; 33]) -> oracle::PublicKey {
    oracle::PublicKey::from_slice(bytes).expect("on the curve")
}

fn oracle_tweak(case: &[u8; 32]) -> Option<oracle::Scalar> {
    oracle::Scalar::from_be_bytes(*case).ok()
}

fn k256_scalar(bytes: &[u8; 32]) -> Option<Scalar> {
    Option::from(Scalar::from_repr((*bytes).into()))
}

fn k256_secret(scalar: Scalar) -> Option<[u8; 32]> {
    (scalar != Scalar::ZERO).then(|| scalar.to_bytes().into())
}

fn k256_point(bytes: &[u8]) -> ProjectivePoint {
    k256::PublicKey::from_sec1_bytes(bytes).expect("on the curve").to_projective()
}

fn k256_public(point: ProjectivePoint) -> Option<[u8; 33]> {
    let finite = !bool::from(point.is_identity());
    finite.then(|| point.to_affine().to_sec1_point(true).as_bytes().try_into().expect("33 bytes"))
}

#[test]
fn secret_tweak_add() {
    run(&OfSecret {
        name: "secret tweak add",
        surfaces,
        draw: secret_case,
        libsecp256k1: |(secret, tweak)| {
            Some(oracle_secret(secret).add_tweak(&oracle_tweak(tweak)?).ok()?.to_secret_bytes())
        },
        k256: |(secret, tweak)| k256_secret(k256_scalar(secret)? + k256_scalar(tweak)?),
        phalanx: |surface, cases| {
            let (keys, tweaks): (Vec<_>, Vec<_>) = cases.iter().map(|(key, tweak)| (secret(key), *tweak)).unzip();
            let sums = surface.tweak_add_secret(&keys, &tweaks);
            sums.into_iter().map(|sum| Some(sum.ok()?.to_bytes())).collect()
        },
    });
}

#[test]
fn secret_tweak_mul() {
    run(&OfSecret {
        name: "secret tweak multiply",
        surfaces: single_only,
        draw: secret_case,
        libsecp256k1: |(secret, tweak)| {
            Some(oracle_secret(secret).mul_tweak(&oracle_tweak(tweak)?).ok()?.to_secret_bytes())
        },
        k256: |(secret, tweak)| k256_secret(k256_scalar(secret)? * k256_scalar(tweak)?),
        phalanx: |_, cases| {
            cases.iter().map(|(key, tweak)| Some(secret(key).tweak_mul(tweak).ok()?.to_bytes())).collect()
        },
    });
}

#[test]
fn public_tweak_add() {
    run(&OfPublic {
        name: "public tweak add",
        surfaces,
        draw: public_case,
        libsecp256k1: |(public, tweak)| {
            Some(oracle_public(public).add_exp_tweak(&oracle_tweak(tweak)?).ok()?.serialize())
        },
        k256: |(public, tweak)| k256_public(k256_point(public) + ProjectivePoint::GENERATOR * k256_scalar(tweak)?),
        phalanx: |surface, cases| {
            let (keys, tweaks): (Vec<_>, Vec<_>) = cases.iter().map(|(key, tweak)| (public(key), *tweak)).unzip();
            let sums = surface.tweak_add_public(&keys, &tweaks);
            sums.into_iter().map(|sum| Some(sum.ok()?.to_bytes())).collect()
        },
    });
}

#[test]
fn public_tweak_mul() {
    run(&OfPublic {
        name: "public tweak multiply",
        surfaces: single_only,
        draw: public_case,
        libsecp256k1: |(public, tweak)| Some(oracle_public(public).mul_tweak(&oracle_tweak(tweak)?).ok()?.serialize()),
        k256: |(public, tweak)| k256_public(k256_point(public) * k256_scalar(tweak)?),
        phalanx: |_, cases| {
            cases.iter().map(|(key, tweak)| Some(public(key).tweak_mul(tweak).ok()?.to_bytes())).collect()
        },
    });
}

/// The x-only key, whether y was odd, and the secret key.
type Tweaked = ([u8; 32], bool, [u8; 32]);

/// Of a pair, so that the secret and the public way are held against each other too.
#[test]
fn x_only_tweak_add() {
    run(&Operation::<([u8; 32], [u8; 32]), Option<Tweaked>, dyn Surface> {
        name: "x-only tweak add",
        surfaces: single_only,
        draw: secret_case,
        libsecp256k1: |(secret, tweak)| {
            let (secret, tweak) = (oracle_secret(secret), oracle_tweak(tweak)?);
            let (key, parity) = secret.public_key().x_only_public_key().0.add_tweak(&tweak).ok()?;
            let pair = secret.keypair().add_xonly_tweak(&tweak).ok()?;
            Some((key.to_byte_array(), parity.to_u8() == 1, pair.to_secret_bytes()))
        },
        k256: |(secret, tweak)| {
            let (secret, tweak) = (k256_scalar(secret)?, k256_scalar(tweak)?);
            let odd = |point: [u8; 33]| point[0] == 3;
            let even = if odd(k256_public(ProjectivePoint::GENERATOR * secret)?) { -secret } else { secret };
            let sum = k256_secret(even + tweak)?;
            let public = k256_public(ProjectivePoint::GENERATOR * (even + tweak))?;
            Some((public[1..].try_into().expect("32 bytes"), odd(public), sum))
        },
        phalanx: |_, cases| {
            let tweaked = |(key, tweak): &([u8; 32], [u8; 32])| {
                let pair = Keypair::from_secret(secret(key));
                let (public, tweaked) = (pair.x_only().tweak_add(tweak), pair.tweak_add_x_only(tweak));
                assert_eq!(public.map(|(key, _)| key), tweaked.as_ref().map(Keypair::x_only).map_err(|error| *error));
                let (key, odd) = public.ok()?;
                Some((key.to_bytes(), odd, tweaked.ok()?.secret_key().to_bytes()))
            };
            cases.iter().map(tweaked).collect()
        },
    });
}
