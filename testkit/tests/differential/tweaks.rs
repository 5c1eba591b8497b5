//! Tweaks of secret, public and x-only keys. One that is out of range, or leads to zero or infinity, has no answer.

use crate::ecdh::public_key;
use crate::operation::{Operation, run, single_only};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::group::Group;
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::{ProjectivePoint, Scalar};
use phalanx::{Keypair, PublicKey, SecretKey};
use phalanx_testkit::draws::Draws;
use phalanx_testkit::surface::Surface;
use secp256k1 as oracle;

#[derive(Debug)]
pub(crate) struct SecretCase {
    secret: [u8; 32],
    tweak: [u8; 32],
}

#[derive(Debug)]
pub(crate) struct PublicCase {
    public: [u8; 33],
    tweak: [u8; 32],
}

/// One in eight tweaks is the key's negative, whose sum with it is zero.
fn secret_case(draws: &mut Draws) -> SecretCase {
    let secret = draws.scalar();
    let opposite = || oracle_secret(&secret).negate().to_secret_bytes();
    let tweak = if draws.below(8) == 0 { opposite() } else { draws.number() };
    SecretCase { secret, tweak }
}

fn public_case(draws: &mut Draws) -> PublicCase {
    if draws.below(4) == 0 {
        let case = secret_case(draws);
        return PublicCase { public: oracle_secret(&case.secret).public_key().serialize(), tweak: case.tweak };
    }
    PublicCase { public: public_key(draws), tweak: draws.number() }
}

fn oracle_secret(bytes: &[u8; 32]) -> oracle::SecretKey {
    oracle::SecretKey::from_secret_bytes(*bytes).expect("in range")
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

fn secret(case: &SecretCase) -> SecretKey {
    SecretKey::from_bytes(&case.secret).expect("in range")
}

fn public(case: &PublicCase) -> PublicKey {
    PublicKey::from_bytes(&case.public).expect("on the curve")
}

struct SecretAdd;

impl Operation for SecretAdd {
    const NAME: &'static str = "secret tweak add";
    type Case = SecretCase;
    type Answer = Option<[u8; 32]>;
    type Detail = Option<[u8; 32]>;
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> SecretCase {
        secret_case(draws)
    }

    fn libsecp256k1(case: &SecretCase) -> Option<[u8; 32]> {
        let sum = oracle_secret(&case.secret).add_tweak(&oracle_tweak(&case.tweak)?).ok()?;
        Some(sum.to_secret_bytes())
    }

    fn k256(case: &SecretCase) -> Option<[u8; 32]> {
        k256_secret(k256_scalar(&case.secret)? + k256_scalar(&case.tweak)?)
    }

    fn phalanx(surface: &Self::Surface, cases: &[SecretCase]) -> Vec<Option<[u8; 32]>> {
        let (secrets, tweaks): (Vec<_>, Vec<_>) = cases.iter().map(|case| (secret(case), case.tweak)).unzip();
        let sums = surface.tweak_add_secret(&secrets, &tweaks);
        sums.into_iter().map(|sum| sum.ok().map(|key| key.to_bytes())).collect()
    }

    fn answer(detail: &Option<[u8; 32]>) -> Option<[u8; 32]> {
        *detail
    }

    fn is_positive(answer: &Option<[u8; 32]>) -> bool {
        answer.is_some()
    }
}

struct SecretMul;

impl Operation for SecretMul {
    const NAME: &'static str = "secret tweak multiply";
    type Case = SecretCase;
    type Answer = Option<[u8; 32]>;
    type Detail = Option<[u8; 32]>;
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> SecretCase {
        secret_case(draws)
    }

    fn libsecp256k1(case: &SecretCase) -> Option<[u8; 32]> {
        let product = oracle_secret(&case.secret).mul_tweak(&oracle_tweak(&case.tweak)?).ok()?;
        Some(product.to_secret_bytes())
    }

    fn k256(case: &SecretCase) -> Option<[u8; 32]> {
        k256_secret(k256_scalar(&case.secret)? * k256_scalar(&case.tweak)?)
    }

    fn phalanx(_: &Self::Surface, cases: &[SecretCase]) -> Vec<Option<[u8; 32]>> {
        cases.iter().map(|case| secret(case).tweak_mul(&case.tweak).ok().map(|key| key.to_bytes())).collect()
    }

    fn answer(detail: &Option<[u8; 32]>) -> Option<[u8; 32]> {
        *detail
    }

    fn is_positive(answer: &Option<[u8; 32]>) -> bool {
        answer.is_some()
    }

    fn surfaces() -> Vec<Box<dyn Surface>> {
        single_only()
    }
}

struct PublicAdd;

impl Operation for PublicAdd {
    const NAME: &'static str = "public tweak add";
    type Case = PublicCase;
    type Answer = Option<[u8; 33]>;
    type Detail = Option<[u8; 33]>;
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> PublicCase {
        public_case(draws)
    }

    fn libsecp256k1(case: &PublicCase) -> Option<[u8; 33]> {
        let sum = oracle_public(&case.public).add_exp_tweak(&oracle_tweak(&case.tweak)?).ok()?;
        Some(sum.serialize())
    }

    fn k256(case: &PublicCase) -> Option<[u8; 33]> {
        k256_public(k256_point(&case.public) + ProjectivePoint::GENERATOR * k256_scalar(&case.tweak)?)
    }

    fn phalanx(surface: &Self::Surface, cases: &[PublicCase]) -> Vec<Option<[u8; 33]>> {
        let (publics, tweaks): (Vec<_>, Vec<_>) = cases.iter().map(|case| (public(case), case.tweak)).unzip();
        let sums = surface.tweak_add_public(&publics, &tweaks);
        sums.into_iter().map(|sum| sum.ok().map(|key| key.to_bytes())).collect()
    }

    fn answer(detail: &Option<[u8; 33]>) -> Option<[u8; 33]> {
        *detail
    }

    fn is_positive(answer: &Option<[u8; 33]>) -> bool {
        answer.is_some()
    }
}

struct PublicMul;

impl Operation for PublicMul {
    const NAME: &'static str = "public tweak multiply";
    type Case = PublicCase;
    type Answer = Option<[u8; 33]>;
    type Detail = Option<[u8; 33]>;
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> PublicCase {
        public_case(draws)
    }

    fn libsecp256k1(case: &PublicCase) -> Option<[u8; 33]> {
        let product = oracle_public(&case.public).mul_tweak(&oracle_tweak(&case.tweak)?).ok()?;
        Some(product.serialize())
    }

    fn k256(case: &PublicCase) -> Option<[u8; 33]> {
        k256_public(k256_point(&case.public) * k256_scalar(&case.tweak)?)
    }

    fn phalanx(_: &Self::Surface, cases: &[PublicCase]) -> Vec<Option<[u8; 33]>> {
        cases.iter().map(|case| public(case).tweak_mul(&case.tweak).ok().map(|key| key.to_bytes())).collect()
    }

    fn answer(detail: &Option<[u8; 33]>) -> Option<[u8; 33]> {
        *detail
    }

    fn is_positive(answer: &Option<[u8; 33]>) -> bool {
        answer.is_some()
    }

    fn surfaces() -> Vec<Box<dyn Surface>> {
        single_only()
    }
}

/// Of a pair, so that the secret and the public way are held against each other too.
struct XOnlyAdd;

/// The x-only key, whether y was odd, and the secret key.
type Tweaked = Option<([u8; 32], bool, [u8; 32])>;

impl Operation for XOnlyAdd {
    const NAME: &'static str = "x-only tweak add";
    type Case = SecretCase;
    type Answer = Tweaked;
    type Detail = Tweaked;
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> SecretCase {
        secret_case(draws)
    }

    fn libsecp256k1(case: &SecretCase) -> Tweaked {
        let (secret, tweak) = (oracle_secret(&case.secret), oracle_tweak(&case.tweak)?);
        let (key, parity) = secret.public_key().x_only_public_key().0.add_tweak(&tweak).ok()?;
        let pair = secret.keypair().add_xonly_tweak(&tweak).ok()?;
        Some((key.to_byte_array(), parity.to_u8() == 1, pair.to_secret_bytes()))
    }

    fn k256(case: &SecretCase) -> Tweaked {
        let (secret, tweak) = (k256_scalar(&case.secret)?, k256_scalar(&case.tweak)?);
        let odd = |point: [u8; 33]| point[0] == 3;
        let even = if odd(k256_public(ProjectivePoint::GENERATOR * secret)?) { -secret } else { secret };
        let sum = k256_secret(even + tweak)?;
        let public = k256_public(ProjectivePoint::GENERATOR * (even + tweak))?;
        Some((public[1..].try_into().expect("32 bytes"), odd(public), sum))
    }

    fn phalanx(_: &Self::Surface, cases: &[SecretCase]) -> Vec<Tweaked> {
        let tweak = |case: &SecretCase| {
            let pair = Keypair::from_secret(secret(case));
            let public = pair.x_only().tweak_add(&case.tweak);
            let tweaked = pair.tweak_add(&case.tweak);
            assert_eq!(public.map(|(key, _)| key), tweaked.as_ref().map(Keypair::x_only).map_err(|error| *error));
            let (key, odd) = public.ok()?;
            Some((key.to_bytes(), odd, tweaked.ok()?.secret_key().to_bytes()))
        };
        cases.iter().map(tweak).collect()
    }

    fn answer(detail: &Tweaked) -> Tweaked {
        *detail
    }

    fn is_positive(answer: &Tweaked) -> bool {
        answer.is_some()
    }

    fn surfaces() -> Vec<Box<dyn Surface>> {
        single_only()
    }
}

#[test]
fn secret_tweak_add() {
    run::<SecretAdd>();
}

#[test]
fn secret_tweak_mul() {
    run::<SecretMul>();
}

#[test]
fn public_tweak_add() {
    run::<PublicAdd>();
}

#[test]
fn public_tweak_mul() {
    run::<PublicMul>();
}

#[test]
fn x_only_tweak_add() {
    run::<XOnlyAdd>();
}
