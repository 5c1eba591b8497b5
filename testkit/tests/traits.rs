//! Other people's traits: code that is generic over `ff`, `group` and `signature` gives with Phalanx what it gives with
//! k256, and what Phalanx's own calls give.

use k256::{
    ProjectivePoint,
    ecdsa::signature::{
        Keypair as _, RandomizedSigner, SignatureEncoding, Signer, Verifier,
        hazmat::{PrehashSigner, PrehashVerifier},
    },
    elliptic_curve::{
        ff::{Field, PrimeField},
        group::{Group, GroupEncoding, prime::PrimeGroup},
    },
};
use num_bigint::BigUint;
use phalanx::{
    Error, Keypair, LowS, Point, Scalar, SecretKey, ecdsa,
    hash::sha256,
    rand_core::{Infallible, Rng, TryCryptoRng, TryRng},
    schnorr,
};

/// SHA-256 in counter mode: the same bytes in each run.
struct Counter(u64);

impl TryRng for Counter {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u64() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for piece in bytes.chunks_mut(32) {
            self.0 += 1;
            piece.copy_from_slice(&sha256(&self.0.to_le_bytes())[..piece.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Counter {}

/// A source without randomness.
struct Dry;

#[derive(Debug, PartialEq)]
struct Exhausted;

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("exhausted")
    }
}

impl std::error::Error for Exhausted {}

impl TryRng for Dry {
    type Error = Exhausted;

    fn try_next_u32(&mut self) -> Result<u32, Exhausted> {
        Err(Exhausted)
    }

    fn try_next_u64(&mut self) -> Result<u64, Exhausted> {
        Err(Exhausted)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Exhausted> {
        Err(Exhausted)
    }
}

impl TryCryptoRng for Dry {}

fn number(bytes: impl AsRef<[u8]>) -> BigUint {
    BigUint::from_bytes_be(bytes.as_ref())
}

/// The constants of a field as numbers, in the order in which the trait has them.
fn constants<F: PrimeField>() -> (String, [u32; 3], Vec<BigUint>) {
    let elements =
        [F::ZERO, F::ONE, F::TWO_INV, F::MULTIPLICATIVE_GENERATOR, F::ROOT_OF_UNITY, F::ROOT_OF_UNITY_INV, F::DELTA];
    let modulus = F::MODULUS.trim_start_matches("0x").to_lowercase();
    (modulus, [F::NUM_BITS, F::CAPACITY, F::S], elements.iter().map(|element| number(element.to_repr())).collect())
}

#[test]
fn constants_of_the_scalar_field() {
    assert_eq!(constants::<Scalar>(), constants::<k256::Scalar>());
    let (modulus, [bits, capacity, s], elements) = constants::<Scalar>();
    let n = BigUint::parse_bytes(modulus.as_bytes(), 16).unwrap();
    assert_eq!((u64::from(bits), capacity), (n.bits(), bits - 1));
    let [zero, one, half, generator, root, root_inverse, delta] = &elements[..] else { panic!() };
    assert_eq!((zero, one), (&BigUint::ZERO, &BigUint::from(1u32)));
    assert_eq!(half * 2u32 % &n, *one);
    let t = (&n - 1u32) >> s;
    assert!(t.bit(0), "n - 1 = 2^S t with t odd");
    assert_eq!(generator.modpow(&t, &n), *root);
    assert_eq!(root * root_inverse % &n, *one);
    assert_eq!(generator.modpow(&BigUint::from(1u32 << s), &n), *delta);
    // The generator's order is n - 1: its power by (n - 1) / q is not 1 for any prime q that divides n - 1.
    let mut rest = &n - 1u32;
    for prime in
        ["2", "3", "149", "631", "107361793816595537", "174723607534414371449", "341948486974166000522343609283189"]
    {
        let prime: BigUint = prime.parse().unwrap();
        assert_ne!(generator.modpow(&((&n - 1u32) / &prime), &n), *one, "{prime}");
        while (&rest % &prime) == BigUint::ZERO {
            rest /= &prime;
        }
    }
    assert_eq!(rest, *one, "these are all primes that divide n - 1");
}

/// What generic code computes of a field's elements.
fn field_answers<F: PrimeField<Repr: From<[u8; 32]>>>() -> Vec<(Option<BigUint>, Option<BigUint>, bool, BigUint)> {
    let elements = (0..40u64).map(|i| match i {
        0..6 => F::from(i),
        6..12 => -F::from(i - 5),
        _ => F::from_repr(sha256(&i.to_le_bytes()).into()).unwrap(),
    });
    let answers = elements.map(|x| {
        let root = x.sqrt().into_option();
        if let Some(root) = root {
            assert_eq!(root.square(), x);
        }
        // A root and its negative are both right.
        let root = root.map(|root| number(root.to_repr()).min(number((-root).to_repr())));
        let inverse = x.invert().into_option().map(|x| number(x.to_repr()));
        (root, inverse, x.is_odd().into(), number((x.pow([5, 1]) + x.double() * x.cube()).to_repr()))
    });
    answers.collect()
}

#[test]
fn operations_of_the_scalar_field() {
    let answers = field_answers::<Scalar>();
    assert_eq!(answers, field_answers::<k256::Scalar>());
    assert!(answers.iter().any(|answer| answer.0.is_none()) && answers.iter().any(|answer| answer.0.is_some()));
    let order: [u8; 32] = std::array::from_fn(|i| Scalar::ORDER[3 - i / 8].to_be_bytes()[i % 8]);
    for bad in [[0xff; 32], order] {
        assert!(bool::from(Scalar::from_repr(bad).is_none()));
    }
    let (a, b) = (Scalar::random(&mut Counter(0)), Scalar::random(&mut Counter(0)));
    assert!(a == b && a != Scalar::random(&mut Counter(7)));
    assert_eq!(Scalar::try_random(&mut Dry), Err(Exhausted));
}

/// A proof of knowledge of the discrete logarithm of a point, and a commitment to a polynomial with its check:
/// protocols that know no curve.
fn protocols<G: PrimeGroup<Scalar: PrimeField<Repr: From<[u8; 32]>>>>() -> Vec<Vec<u8>> {
    let scalar = |label: u64| G::Scalar::from_repr(sha256(&label.to_le_bytes()).into()).unwrap();
    let (secret, nonce, challenge) = (scalar(1), scalar(2), scalar(3));
    let (key, commitment) = (G::mul_by_generator(&secret), G::generator() * nonce);
    let response = nonce + challenge * secret;
    assert_eq!(G::generator() * response, commitment + key * challenge);
    assert_ne!(G::generator() * response, commitment + key * (challenge + G::Scalar::ONE));

    let coefficients: Vec<G::Scalar> = (10..14).map(scalar).collect();
    let commitments: Vec<G> = coefficients.iter().map(G::mul_by_generator).collect();
    let mut out = vec![key, commitment];
    for x in (1..6u64).map(G::Scalar::from) {
        let share = coefficients.iter().rev().fold(G::Scalar::ZERO, |sum, coefficient| sum * x + coefficient);
        let expected = commitments.iter().rev().fold(G::identity(), |sum, commitment| sum * x + commitment);
        assert_eq!(G::mul_by_generator(&share), expected);
        out.push(expected);
    }
    let sum: G = commitments.iter().sum();
    out.extend([sum, sum.double(), -sum]);
    assert!(bool::from((sum - out[out.len() - 3]).is_identity()));
    for point in &out {
        assert_eq!(G::from_bytes(&point.to_bytes()).unwrap(), *point);
    }
    assert_eq!(G::from_bytes(&G::identity().to_bytes()).unwrap(), G::identity());
    out.iter().map(|point| point.to_bytes().as_ref().to_vec()).collect()
}

#[test]
fn generic_protocols_agree() {
    let points = protocols::<Point>();
    assert_eq!(points, protocols::<ProjectivePoint>());
    let secret = Scalar::from_bytes(&sha256(&1u64.to_le_bytes())).unwrap();
    assert_eq!(points[0], Point::mul_generator(&secret).to_bytes());
}

#[test]
fn random_points() {
    let mut rng = Counter(1);
    let points: Vec<Point> = (0..20).map(|_| Point::random(&mut rng)).collect();
    assert!(points.iter().all(|point| !bool::from(Group::is_identity(point)) && points.contains(point)));
    let odd = points.iter().filter(|point| point.to_bytes()[0] == 3).count();
    assert!((1..20).contains(&odd) && points[0] != points[1]);
    assert_eq!(Point::try_random(&mut Dry), Err(Exhausted));
    let mut bytes = <Point as GroupEncoding>::Repr::default();
    bytes.as_mut()[0] = 2;
    bytes.as_mut()[32] = 5;
    assert!(bool::from(<Point as GroupEncoding>::from_bytes(&bytes).is_none()), "no point has x = 5");
}

#[test]
fn keys_from_a_generator() {
    let (a, b) = (SecretKey::generate(&mut Counter(0)), Keypair::generate(&mut Counter(0)));
    assert_eq!(a, SecretKey::from_bytes(&sha256(&1u64.to_le_bytes())).unwrap());
    assert_eq!(a, *b.secret_key());
    assert_eq!(SecretKey::try_generate(&mut Dry), Err(Exhausted));
    assert_eq!(Keypair::try_generate(&mut Dry).unwrap_err(), Exhausted);
}

/// What a program signs and checks that names no scheme.
fn signed<S: SignatureEncoding, K: Signer<S> + k256::ecdsa::signature::Keypair<VerifyingKey: Verifier<S>>>(
    key: &K,
) -> Vec<u8> {
    let signature = key.sign(b"the message");
    key.verifying_key().verify(b"the message", &signature).unwrap();
    assert!(key.verifying_key().verify(b"another", &signature).is_err());
    assert!(S::try_from(&signature.to_vec()[1..]).is_err());
    let read = S::try_from(&signature.to_vec()).ok().unwrap();
    key.verifying_key().verify(b"the message", &read).unwrap();
    signature.to_vec()
}

#[test]
fn generic_signatures_agree() {
    let (secret, digest) = (SecretKey::from_bytes(&[7; 32]).unwrap(), sha256(b"the message"));
    let theirs = k256::ecdsa::SigningKey::from_slice(&[7; 32]).unwrap();
    let own = ecdsa::sign(&digest, &secret);
    assert_eq!(signed::<ecdsa::Signature, _>(&secret), own.to_compact());
    assert_eq!(signed::<k256::ecdsa::Signature, _>(&theirs), own.to_compact());

    let pair = Keypair::from_secret(secret.clone());
    let own = schnorr::sign(b"the message", &pair, &[0; 32]);
    assert_eq!(signed::<schnorr::Signature, _>(&pair), own.to_bytes());
    let theirs = k256::schnorr::SigningKey::from_slice(&[7; 32]).unwrap();
    assert_eq!(theirs.verifying_key().to_bytes().as_slice(), pair.x_only().to_bytes());
    assert_eq!(theirs.sign_raw(b"the message", &[0; 32]).unwrap().to_bytes(), own.to_bytes());
}

#[test]
fn prehashed_and_randomised_signatures() {
    let (secret, digest) = (SecretKey::from_bytes(&[7; 32]).unwrap(), [9; 32]);
    let key = secret.verifying_key();
    let signature = secret.sign_prehash(&digest).unwrap();
    assert_eq!(signature, ecdsa::sign(&digest, &secret));
    key.verify_prehash(&digest, &signature).unwrap();
    for length in [0, 31, 33] {
        assert!(PrehashSigner::<ecdsa::Signature>::sign_prehash(&secret, &vec![9; length]).is_err());
        assert!(key.verify_prehash(&vec![9; length], &signature).is_err());
    }
    let high = ecdsa::Signature::from_scalars(signature.r(), -signature.s()).unwrap();
    assert!(key.verify_prehash(&digest, &high).is_err(), "a high s is refused");
    assert_eq!(ecdsa::verify(&digest, &high, &key, LowS::Allow), Ok(()));
    assert_eq!(ecdsa::Signature::try_from(&[0; 64][..]), Err(Error::OutOfRange));

    let entropy = sha256(&1u64.to_le_bytes());
    let random: ecdsa::Signature = secret.sign_with_rng(&mut Counter(0), b"m");
    assert_eq!(random, ecdsa::sign_with_entropy(&sha256(b"m"), &secret, &entropy));
    let pair = Keypair::from_secret(secret.clone());
    let random: schnorr::Signature = pair.sign_with_rng(&mut Counter(0), b"m");
    assert_eq!(random, schnorr::sign(b"m", &pair, &entropy));
    assert!(RandomizedSigner::<ecdsa::Signature>::try_sign_with_rng(&secret, &mut Dry, b"m").is_err());
    assert!(RandomizedSigner::<schnorr::Signature>::try_sign_with_rng(&pair, &mut Dry, b"m").is_err());
}
