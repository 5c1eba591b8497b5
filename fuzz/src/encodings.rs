//! Parsers of the library: whatever is accepted is written again as it was read, and parsers of the same thing agree.

use std::fmt::{Debug, Display, LowerHex};
use std::str::FromStr;
use std::sync::OnceLock;

use phalanx::ecdsa::{RecoveryId, Signature, SignatureRef};
use phalanx::ellswift::{self, ElligatorSwift};
use phalanx::{
    Error, FieldElement, Point, PublicKey, PublicKeyRef, Scalar, SecretKey, XOnlyKeyRef, XOnlyPublicKey, schnorr,
};
use serde::{Serialize, de::DeserializeOwned};

pub(crate) fn check(bytes: &[u8]) {
    der(bytes);
    compact(bytes);
    recoverable(bytes);
    public_keys(bytes);
    numbers(bytes);
    banderwagon(bytes);
    elligator_swift(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        texts(text);
    }
}

fn der(bytes: &[u8]) {
    let strict = Signature::from_der(bytes);
    let lax = Signature::from_der_lax(bytes);
    assert_eq!(SignatureRef::Der(bytes).parse(), strict);
    assert_eq!(SignatureRef::DerLax(bytes).parse(), lax);
    match strict {
        Ok(signature) => {
            assert_eq!(signature.to_der().as_ref(), bytes, "strict DER has one form");
            assert_eq!(lax, strict, "lax takes what strict takes");
        }
        Err(Error::OutOfRange) => assert!(lax.is_err(), "a number is too great however it is written"),
        Err(error) => assert_eq!(error, Error::BadSignatureEncoding),
    }
    match lax {
        Ok(signature) => assert_eq!(Signature::from_der(&signature.to_der()), Ok(signature)),
        Err(error) => assert!(matches!(error, Error::OutOfRange | Error::BadSignatureEncoding), "{error}"),
    }
}

fn compact(bytes: &[u8]) {
    let signature = Signature::from_compact(bytes);
    assert_eq!(SignatureRef::Compact(bytes).parse(), signature);
    if let Ok(signature) = signature {
        assert_eq!(signature.to_compact(), bytes);
        assert_eq!(Signature::from_scalars(signature.r(), signature.s()), Ok(signature));
        assert_eq!(Signature::from_der(&signature.to_der()), Ok(signature));
        let low = signature.normalize_s();
        assert!(!low.is_high_s());
        assert_eq!(low == signature, !signature.is_high_s());
    } else {
        let halves = |at: usize| Scalar::from_bytes(&bytes[at..at + 32]).ok();
        let zero = |scalar: Scalar| scalar == Scalar::ZERO;
        assert!(bytes.len() != 64 || halves(0).is_none_or(zero) || halves(32).is_none_or(zero));
    }
    if let Ok(signature) = schnorr::Signature::from_bytes(bytes) {
        assert_eq!(signature.to_bytes(), bytes);
    }
}

/// Ethereum's 65 bytes: compact, then a recovery id.
fn recoverable(bytes: &[u8]) {
    if let Some((id, signature)) = bytes.split_last()
        && let Ok(signature) = Signature::from_compact(signature)
        && let Ok(id) = RecoveryId::from_u8(*id)
        && let Ok(key) = phalanx::ecdsa::recover(&[0x11; 32], &signature, id)
    {
        assert_eq!(phalanx::ecdsa::verify(&[0x11; 32], &signature, &key, phalanx::LowS::Allow), Ok(()));
    }
}

fn public_keys(bytes: &[u8]) {
    let key = PublicKey::from_bytes(bytes);
    let hybrid = PublicKey::from_bytes_hybrid(bytes);
    assert_eq!(PublicKeyRef::Encoded(bytes).parse(), key);
    assert_eq!(PublicKeyRef::EncodedHybrid(bytes).parse(), hybrid);
    for bulk in crate::bulks() {
        assert_eq!(bulk.decompress(&[bytes]), [key], "{}", bulk.backend());
    }
    if let Ok(found) = key {
        assert_eq!(hybrid, key, "hybrid keys are taken besides the others");
        let written: &[u8] = if bytes.len() == 33 { &found.to_bytes() } else { &found.to_bytes_uncompressed() };
        assert_eq!(written, bytes);
    } else if let Ok(found) = hybrid {
        let plain = found.to_bytes_uncompressed();
        assert_eq!((bytes[0], &bytes[1..]), (6 | (plain[64] & 1), &plain[1..]));
    }
    let point = Point::from_bytes(bytes);
    match (key, point) {
        (Ok(key), Ok(point)) => assert_eq!(point.to_bytes(), key.to_bytes()),
        (Err(_), Ok(point)) => assert!(point == Point::IDENTITY && bytes == [0; 33]),
        (key, Err(_)) => assert!(key.is_err()),
    }
    let x_only = XOnlyPublicKey::from_bytes(bytes);
    assert_eq!(XOnlyKeyRef::Encoded(bytes).parse(), x_only);
    if let Ok(x_only) = x_only {
        assert_eq!(x_only.to_bytes(), bytes);
        assert_eq!(PublicKey::from_bytes(&[&[2], bytes].concat()), Ok(x_only.public_key()));
        assert_eq!(x_only.public_key().x_only(), (x_only, false));
    }
}

/// Any 64 bytes stand for a key, which has other encodings, too.
fn elligator_swift(bytes: &[u8]) {
    let Ok(bytes) = <[u8; 64]>::try_from(bytes) else { return };
    let encoding = ElligatorSwift::from(bytes);
    let key = encoding.decode();
    assert_eq!((encoding.to_bytes(), PublicKey::from_bytes(&key.to_bytes())), (bytes, Ok(key)));
    let (randomness, _) = bytes.split_first_chunk().expect("64 bytes");
    assert_eq!(ElligatorSwift::encode(&key, randomness).decode(), key);
    let secret = SecretKey::from_bytes(&[0x11; 32]).expect("a secret key");
    let shared = key.tweak_mul(&secret.to_bytes()).expect("not zero").x_only().0.to_bytes();
    assert_eq!(ellswift::shared_secret_with(&encoding, &secret, |x| *x), shared);
}

/// Elements and scalars of the group of Verkle trees, and files of tables over it.
fn banderwagon(bytes: &[u8]) {
    use phalanx_banderwagon::{Element, Scalar};
    if let Ok(bytes) = bytes.try_into() {
        if let Ok(element) = Element::from_bytes(bytes) {
            assert_eq!(&element.to_bytes(), bytes);
            assert_eq!(Element::from_uncompressed(&element.to_uncompressed()), Ok(element));
        }
        let reduced = Scalar::from_le_bytes_reduced(bytes);
        assert_eq!(Scalar::from_le_bytes(&reduced.to_le_bytes()), Some(reduced));
        assert_eq!(Scalar::from_le_bytes(bytes).is_some(), &reduced.to_le_bytes() == bytes);
    }
    if let Ok(bytes) = bytes.try_into()
        && let Ok(element) = Element::from_uncompressed(bytes)
    {
        let written = element.to_uncompressed();
        assert_eq!(Element::from_bytes(&element.to_bytes()), Ok(element));
        // The same point or its twin (-x, -y): of x and -x one is even, unless they are 0.
        assert!(written[..32] == [0; 32] || (written == *bytes) == ((written[31] ^ bytes[31]) & 1 == 0));
    }
    saved_tables(bytes);
}

/// Nothing is taken for a file of tables but the file itself: the input is added to it, behind a place that it names.
fn saved_tables(bytes: &[u8]) {
    use phalanx_banderwagon::{Basis, Lanes, Scalar, Tables, tables::Configuration, tables::Scheme};
    static FILE: OnceLock<(Basis, Configuration, Vec<u8>)> = OnceLock::new();
    let (basis, configuration, file) = FILE.get_or_init(|| {
        let basis = Basis::draw(Basis::VERKLE_SEED, 2);
        let configuration = Configuration::single(2, Scalar::ORDER, Scheme::SignedWindows { b: 3 });
        let tables = Lanes::one().build(basis.clone(), configuration.clone()).expect("a configuration of this basis");
        let mut file = Vec::new();
        let sink = |piece: &[u8]| {
            file.extend_from_slice(piece);
            Ok::<(), ()>(())
        };
        tables.save(sink).expect("memory takes all of it");
        (basis, configuration, file)
    });
    let read = |file: &[u8]| Tables::read(basis.clone(), configuration.clone(), file).is_ok();
    assert_eq!(read(bytes), bytes == file);
    let Some((place, added)) = bytes.split_first_chunk::<2>() else { return };
    let place = usize::from(u16::from_le_bytes(*place)) % file.len();
    let mut other = file.clone();
    other[place..].iter_mut().zip(added).for_each(|(byte, added)| *byte = byte.wrapping_add(*added));
    assert_eq!(read(&other), other == *file);
    assert!(place == 0 || !read(&file[..place]));
}

fn numbers(bytes: &[u8]) {
    let secret = SecretKey::from_bytes(bytes);
    if let Ok(wide) = bytes.try_into() {
        let reduced = Scalar::from_bytes_wide(wide);
        let (high, low) = (wide[..32].try_into().expect("half"), wide[32..].try_into().expect("half"));
        let word = Scalar::from(1u128 << 64);
        let shift = word * word * (word * word);
        assert_eq!(reduced, Scalar::from_bytes_reduced(high) * shift + Scalar::from_bytes_reduced(low));
    }
    let Ok(bytes) = <&[u8; 32]>::try_from(bytes) else {
        return assert!(secret.is_err());
    };
    let scalar = Scalar::from_bytes(bytes).ok();
    let usable = scalar.filter(|scalar| *scalar != Scalar::ZERO);
    assert_eq!(secret.as_ref().ok().map(SecretKey::to_bytes), usable.map(|scalar| scalar.to_bytes()));
    if let Some(scalar) = scalar {
        assert_eq!(&scalar.to_bytes(), bytes);
        assert_eq!(Scalar::from_bytes_reduced(bytes), scalar);
        assert_eq!(Scalar::from_limbs(scalar.limbs()), Some(scalar));
        number(scalar);
    }
    if let Ok(element) = FieldElement::from_bytes(bytes) {
        assert_eq!(&element.to_bytes(), bytes);
        assert_eq!(FieldElement::from_bytes_reduced(bytes), element);
        assert_eq!(FieldElement::from_limbs(element.limbs()), Some(element));
        number(element);
    }
}

/// A number is read from each form in which it is written.
fn number<T>(value: T)
where
    T: FromStr<Err: Debug> + Display + LowerHex + PartialEq + Debug + Serialize + DeserializeOwned,
{
    assert_eq!(value.to_string().parse::<T>().expect("decimal"), value);
    assert_eq!(format!("{value:#x}").parse::<T>().expect("hexadecimal"), value);
    json(&value);
}

fn json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("it can be written");
    assert_eq!(serde_json::from_str::<T>(&text).expect("what was written"), *value);
}

fn texts(text: &str) {
    numeral::<Scalar>(text);
    numeral::<FieldElement>(text);
    if let Ok(scalar) = Scalar::from_hex(text) {
        let digits = text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(text).trim_start_matches('0');
        assert_eq!(format!("{scalar:x}"), format!("{:0>64}", digits.to_ascii_lowercase()));
    }
    hex::<PublicKey>(text);
    hex::<XOnlyPublicKey>(text);
    hex::<Signature>(text);
    hex::<schnorr::Signature>(text);
    hex::<Point>(text);
    if let Ok(secret) = text.parse::<SecretKey>() {
        assert_eq!(::hex::encode(secret.to_bytes()), text.to_ascii_lowercase());
    }
    if let Ok(secret) = serde_json::from_str::<SecretKey>(text) {
        let again = serde_json::to_string(&secret).expect("it can be written");
        let again = serde_json::from_str::<SecretKey>(&again).expect("what was written");
        assert_eq!(again.to_bytes(), secret.to_bytes());
    }
}

/// Decimal digits without zeros in front are written as they were read.
fn numeral<T>(text: &str)
where
    T: FromStr<Err: Debug> + Display + LowerHex + PartialEq + Debug + Serialize + DeserializeOwned,
{
    quoted::<T>(text);
    let Ok(value) = text.parse::<T>() else { return };
    if !text.starts_with("0x") && !text.starts_with("0X") {
        let digits = text.trim_start_matches('0');
        assert_eq!(value.to_string(), if digits.is_empty() { "0" } else { digits });
    }
    number(value);
}

/// What is read from hexadecimal digits is those bytes, in the shorter form where there are two.
fn hex<T: FromStr<Err: Debug> + Display + PartialEq + Debug + Serialize + DeserializeOwned>(text: &str) {
    quoted::<T>(text);
    let Ok(value) = text.parse::<T>() else { return };
    assert!(text.bytes().all(|digit| digit.is_ascii_hexdigit()), "{text}");
    let written = value.to_string();
    assert_eq!(written.parse::<T>().expect("what was written"), value);
    if written.len() == text.len() {
        assert_eq!(written, text.to_ascii_lowercase());
    }
}

/// A value of JSON is read again from what is written of it.
fn quoted<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &str) {
    if let Ok(value) = serde_json::from_str::<T>(text) {
        json(&value);
    }
}
