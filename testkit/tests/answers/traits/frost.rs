//! Threshold signatures by `frost-core`, which knows no curve: the ciphersuite FROST(secp256k1, SHA-256) of RFC 9591,
//! section 6.5, written over `group`'s traits of any curve with 33 bytes for a point, and run over Phalanx.

use frost_core::{self as frost, Ciphersuite, Error, FieldError, GroupError, Identifier, SigningPackage, keys, round1};
use group::{
    CurveAffine, GroupEncoding,
    ff::{Field, FromUniformBytes, PrimeField},
    prime::PrimeCurve,
};
use phalanx::{Point, hash::sha256};
use rand_core_06::{CryptoRng, RngCore};
use std::{collections::BTreeMap, fmt::Debug, marker::PhantomData};

/// A curve of prime order whose scalars are encoded in 32 big-endian bytes, and points in 33.
trait Curve256: PrimeCurve<Scalar: FromUniformBytes<64> + PrimeField<Repr = [u8; 32]>> + Debug {}
impl<C: PrimeCurve<Scalar: FromUniformBytes<64> + PrimeField<Repr = [u8; 32]>> + Debug> Curve256 for C {}

/// `frost-core`'s traits for a curve of the traits of `group`.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Over<C>(PhantomData<C>);

impl<C: Curve256> frost::Field for Over<C> {
    type Scalar = C::Scalar;
    type Serialization = [u8; 32];

    fn zero() -> C::Scalar {
        C::Scalar::ZERO
    }

    fn one() -> C::Scalar {
        C::Scalar::ONE
    }

    fn invert(scalar: &C::Scalar) -> Result<C::Scalar, FieldError> {
        scalar.invert().into_option().ok_or(FieldError::InvalidZeroScalar)
    }

    fn random<R: RngCore + CryptoRng>(rng: &mut R) -> C::Scalar {
        let mut bytes = [0; 64];
        rng.fill_bytes(&mut bytes);
        C::Scalar::from_uniform_bytes(&bytes)
    }

    fn serialize(scalar: &C::Scalar) -> [u8; 32] {
        scalar.to_repr()
    }

    fn little_endian_serialize(scalar: &C::Scalar) -> [u8; 32] {
        let mut bytes = scalar.to_repr();
        bytes.reverse();
        bytes
    }

    fn deserialize(bytes: &[u8; 32]) -> Result<C::Scalar, FieldError> {
        C::Scalar::from_repr(*bytes).into_option().ok_or(FieldError::MalformedScalar)
    }
}

impl<C: Curve256> frost::Group for Over<C> {
    type Field = Self;
    type Element = C;
    type Serialization = [u8; 33];

    fn cofactor() -> C::Scalar {
        C::Scalar::ONE
    }

    fn identity() -> C {
        C::identity()
    }

    fn generator() -> C {
        C::generator()
    }

    fn serialize(element: &C) -> Result<[u8; 33], GroupError> {
        let affine = element.to_affine();
        if affine.is_identity().into() {
            return Err(GroupError::InvalidIdentityElement);
        }
        Ok(affine.to_bytes().as_ref().try_into().expect("points of 33 bytes"))
    }

    fn deserialize(bytes: &[u8; 33]) -> Result<C, GroupError> {
        let mut encoding = <C::Affine as GroupEncoding>::Repr::default();
        encoding.as_mut().copy_from_slice(bytes);
        let affine = C::Affine::from_bytes(&encoding).into_option().ok_or(GroupError::MalformedElement)?;
        if affine.is_identity().into() {
            return Err(GroupError::InvalidIdentityElement);
        }
        Ok(affine.to_curve())
    }
}

const CONTEXT: &[u8] = b"FROST-secp256k1-SHA256-v1";

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    sha256(&parts.concat())
}

/// `hash_to_field` of RFC 9380, section 5.2, with `expand_message_xmd` by SHA-256: 48 bytes modulo the order.
fn scalar<F: FromUniformBytes<64>>(message: &[u8], label: &[u8]) -> F {
    let tag = [CONTEXT, label, &[(CONTEXT.len() + label.len()) as u8]].concat();
    let zeroth = hash(&[&[0; 64], message, &[0, 48, 0], &tag]);
    let first = hash(&[&zeroth, &[1], &tag]);
    let mixed: [u8; 32] = std::array::from_fn(|i| zeroth[i] ^ first[i]);
    let second = hash(&[&mixed, &[2], &tag]);
    let mut bytes = [0; 64];
    bytes[..48].copy_from_slice(&[&first, &second[..16]].concat());
    bytes[..48].reverse();
    F::from_uniform_bytes(&bytes)
}

impl<C: Curve256> Ciphersuite for Over<C> {
    const ID: &'static str = "FROST-secp256k1-SHA256-v1";
    type Group = Self;
    type HashOutput = [u8; 32];
    type SignatureSerialization = [u8; 65];

    fn H1(m: &[u8]) -> C::Scalar {
        scalar(m, b"rho")
    }

    fn H2(m: &[u8]) -> C::Scalar {
        scalar(m, b"chal")
    }

    fn H3(m: &[u8]) -> C::Scalar {
        scalar(m, b"nonce")
    }

    fn H4(m: &[u8]) -> [u8; 32] {
        hash(&[CONTEXT, b"msg", m])
    }

    fn H5(m: &[u8]) -> [u8; 32] {
        hash(&[CONTEXT, b"com", m])
    }

    fn HDKG(m: &[u8]) -> Option<C::Scalar> {
        Some(scalar(m, b"dkg"))
    }

    fn HID(m: &[u8]) -> Option<C::Scalar> {
        Some(scalar(m, b"id"))
    }
}

/// Given bytes, and SHA-256 in counter mode when they are used up.
struct Played(Vec<u8>, u64);

impl RngCore for Played {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        while self.0.len() < bytes.len() {
            self.1 += 1;
            self.0.extend(sha256(&self.1.to_le_bytes()));
        }
        bytes.copy_from_slice(&self.0[..bytes.len()]);
        self.0.drain(..bytes.len());
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_core_06::Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}

impl CryptoRng for Played {}

type Suite = Over<Point>;
type Keys = BTreeMap<Identifier<Suite>, keys::KeyPackage<Suite>>;

fn unhex(text: &str) -> Vec<u8> {
    hex::decode(text).unwrap()
}

fn identifier(number: u16) -> Identifier<Suite> {
    number.try_into().unwrap()
}

/// Signs with the keys of the signers, each of whom draws nonces from what is played for it.
fn sign(
    keys: &Keys,
    signers: &mut BTreeMap<Identifier<Suite>, Played>,
    message: &[u8],
) -> (SigningPackage<Suite>, BTreeMap<Identifier<Suite>, frost::round2::SignatureShare<Suite>>) {
    let (mut nonces, mut commitments) = (BTreeMap::new(), BTreeMap::new());
    for (signer, rng) in signers {
        let (own, published) = round1::commit(keys[signer].signing_share(), rng);
        nonces.insert(*signer, own);
        commitments.insert(*signer, published);
    }
    let package = SigningPackage::new(commitments, message);
    let share = |(signer, nonces)| (signer, frost::round2::sign(&package, &nonces, &keys[&signer]).unwrap());
    let shares = nonces.into_iter().map(share).collect();
    (package, shares)
}

/// RFC 9591, appendix E.5: signers 1 and 3 of three, two of whom are enough.
#[test]
fn the_vectors_of_rfc_9591() {
    let secret = unhex("0d004150d27c3bf2a42f312683d35fac7394b1e9e318249c1bfe7f0795a83114");
    let secret = frost::SigningKey::<Suite>::deserialize(&secret).unwrap();
    // As uniform bytes, which are little-endian.
    let mut coefficient = unhex("fbf85eadae3058ea14f19148bb72b45e4399c0b16028acaf0395c9b03c823579");
    coefficient.reverse();
    coefficient.resize(64, 0);
    let mut dealer = Played(coefficient, 0);
    let (shares, public) = keys::split(&secret, 3, 2, keys::IdentifierList::Default, &mut dealer).unwrap();
    let keys: Keys = shares.into_iter().map(|(signer, share)| (signer, share.try_into().unwrap())).collect();
    let expected = [
        "08f89ffe80ac94dcb920c26f3f46140bfc7f95b493f8310f5fc1ea2b01f4254c",
        "04f0feac2edcedc6ce1253b7fab8c86b856a797f44d83d82a385554e6e401984",
        "00e95d59dd0d46b0e303e500b62b7ccb0e555d49f5b849f5e748c071da8c0dbc",
    ];
    assert_eq!(keys.values().map(|key| hex::encode(key.signing_share().serialize())).collect::<Vec<_>>(), expected);
    let key = hex::encode(public.verifying_key().serialize().unwrap());
    assert_eq!(key, "02f37c34b66ced1fb51c34a90bdae006901f10625cc06c4f64663b0eae87d87b4f");

    let hiding = [
        "bda8e748e599187762cff956f03dc6ea13fc8e04491a0427b7e6e78600f41c52",
        "70818dd5170672c4a4285fd593d4f222417f941f3118e1244955e7a1098a35d8",
    ];
    let binding = [
        "2ca682429bf05df435b9927b8edb1d748278f3e42fa11ef358e49bbf4a1b780d",
        "74ca2da071ed4a2a6cad5087d6758b48a558ab5861c61117fee05757e4b1309e",
    ];
    let played = |i: usize| Played([unhex(hiding[i]), unhex(binding[i])].concat(), 0);
    let mut signers = BTreeMap::from([(identifier(1), played(0)), (identifier(3), played(1))]);
    let (package, shares) = sign(&keys, &mut signers, b"test");
    let expected = [
        "ca54b18d7449377cfa680760a5770b9e64e201f7ea36b068effeca5fce2155e5",
        "da13d054e83052568706a6d161d80f112a6bc3f76aa903c022585ae7e091e65e",
    ];
    assert_eq!(shares.values().map(|share| hex::encode(share.serialize())).collect::<Vec<_>>(), expected);
    let signature = frost::aggregate(&package, &shares, &public).unwrap();
    assert_eq!(
        hex::encode(signature.serialize().unwrap()),
        "024c1ad4e031872661fa6ebd05dfc7fb30db08b38d79f0edbc82051ae931381bc6\
         a46881e25c7989d3816eae32074f1ab0d49ee908a59713ed5284c6bade7cfb02"
    );
    public.verifying_key().verify(b"test", &signature).unwrap();
    assert_eq!(public.verifying_key().verify(b"another", &signature), Err(Error::InvalidSignature));
}

/// Keys of three that no dealer knows, any two of whom sign; one who cheats is named.
#[test]
fn keys_without_a_dealer_sign() {
    let all: Vec<_> = (1..=3).map(identifier).collect();
    let others = |signer: Identifier<Suite>| all.iter().copied().filter(move |other| *other != signer);
    let (mut secret, mut published) = (BTreeMap::new(), BTreeMap::new());
    for (signer, seed) in all.iter().zip(1..) {
        let (own, package) = keys::dkg::part1(*signer, 3, 2, Played(vec![], seed * 1000)).unwrap();
        secret.insert(*signer, own);
        published.insert(*signer, package);
    }
    let seen = |signer| others(signer).map(|other| (other, published[&other].clone())).collect::<BTreeMap<_, _>>();
    let (mut second, mut sent) = (BTreeMap::new(), BTreeMap::new());
    for (signer, secret) in secret {
        let (own, packages) = keys::dkg::part2(secret, &seen(signer)).unwrap();
        second.insert(signer, own);
        sent.insert(signer, packages);
    }
    let mut publics = Vec::new();
    let mut keys = Keys::new();
    for (signer, second) in &second {
        let got = others(*signer).map(|other| (other, sent[&other][signer].clone())).collect();
        let (key, public) = keys::dkg::part3(second, &seen(*signer), &got).unwrap();
        keys.insert(*signer, key);
        publics.push(public);
    }
    assert!(publics.iter().all(|public| *public == publics[0]));
    let public = &publics[0];

    for absent in &all {
        let mut signers = others(*absent).zip(1..).map(|(signer, seed)| (signer, Played(vec![], seed * 77))).collect();
        let (package, mut shares) = sign(&keys, &mut signers, b"the message");
        let signature = frost::aggregate(&package, &shares, public).unwrap();
        public.verifying_key().verify(b"the message", &signature).unwrap();
        assert!(public.verifying_key().verify(b"another", &signature).is_err());

        let (cheater, other) = (others(*absent).next().unwrap(), others(*absent).nth(1).unwrap());
        shares.insert(cheater, shares[&other]);
        let error = frost::aggregate(&package, &shares, public).unwrap_err();
        assert_eq!(error.culprits(), [cheater], "{error}");
    }
}
