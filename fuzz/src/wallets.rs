//! Extended keys and paths: what is accepted is written as it was read, and ranges of children are the single children.

use phalanx::children::PayloadKind;
use phalanx::hash::sha256;
use phalanx::{PublicKey, SecretKey};
use phalanx_bip32::{Chain, DerivationPath, Error, ExtendedPublicKey, ExtendedSecretKey, HARDENED, KeyExpression};

/// Children of a range: more than eight lanes.
const MOST_CHILDREN: u32 = 11;

pub(crate) fn check(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        path(text);
        texts(text);
        crate::silent::check_text(text);
    }
    if let Ok(bytes) = bytes.try_into() {
        extended_keys(bytes);
    }
    seed(bytes);
    crate::silent::check(bytes);
}

fn path(text: &str) {
    let Ok(path) = text.parse::<DerivationPath>() else { return };
    let steps: Vec<&str> = if text == "m" { Vec::new() } else { text.trim_start_matches("m/").split('/').collect() };
    let read = steps.iter().map(|step| {
        let digits = step.trim_end_matches(['\'', 'h', 'H']);
        let index: u32 = digits.parse().expect("digits");
        if digits == *step { index } else { index + HARDENED }
    });
    assert!(read.eq(path.indexes().iter().copied()), "{path}");
    assert_eq!(path.to_string().parse(), Ok(path));
}

fn texts(text: &str) {
    let expression = text.parse::<KeyExpression>();
    let path = DerivationPath::default();
    if let Ok(key) = text.parse::<ExtendedPublicKey>() {
        assert_eq!(key.to_string(), text);
        assert_eq!(expression.as_ref().ok().and_then(|key| key.parent(&path, None).ok()), Some(key));
        assert_eq!(text.parse::<ExtendedSecretKey>().err(), Some(Error::PublicKey));
    }
    if let Ok(key) = text.parse::<ExtendedSecretKey>() {
        assert_eq!(key.to_text().as_str(), text);
        assert_eq!(expression.as_ref().ok().and_then(|key| key.parent(&path, None).ok()), Some(key.to_public()));
        assert_eq!(text.parse::<ExtendedPublicKey>().err(), Some(Error::SecretKey));
    }
}

/// No mutation finds a checksum, so it is added here.
fn extended_keys(bytes: &[u8; 78]) {
    let [a, b, c, d, ..] = sha256(&sha256(bytes));
    let text = bs58::encode([&bytes[..], &[a, b, c, d]].concat()).into_string();
    let version = |secret: bool| match (&bytes[..4], secret) {
        (b"\x04\x88\xb2\x1e" | b"\x04\x35\x87\xcf", false) | (b"\x04\x88\xad\xe4" | b"\x04\x35\x83\x94", true) => true,
        (_, _) => false,
    };
    let placed = bytes[4] != 0 || bytes[5..13] == [0; 8];
    let known = version(false) && placed && PublicKey::from_bytes(&bytes[45..]).is_ok();
    let public = text.parse::<ExtendedPublicKey>();
    assert_eq!(public.is_ok(), known, "{text}: {public:?}");
    let known = version(true) && placed && bytes[45] == 0 && SecretKey::from_bytes(&bytes[46..]).is_ok();
    let secret = text.parse::<ExtendedSecretKey>();
    assert_eq!(secret.is_ok(), known, "{:?}", secret.err());
    texts(&text);

    let first = u32::from_be_bytes([bytes[13], bytes[14], bytes[15], bytes[16]]);
    if let Ok(secret) = secret {
        let (child, public) = (secret.child(first), secret.to_public());
        match public.child(first) {
            Ok(expected) => assert_eq!(child.map(|child| child.to_public()), Ok(expected)),
            Err(Error::HardenedChild) => assert_eq!(child.is_ok(), public.depth() < u8::MAX),
            Err(error) => assert_eq!(child.err(), Some(error)),
        }
    }
    if let Ok(public) = public {
        children(&public, first % HARDENED, PayloadKind::ALL[usize::from(bytes[17] % 4)]);
    }
}

fn children(parent: &ExtendedPublicKey, first: u32, kind: PayloadKind) {
    let indexes = first..HARDENED.min(first + MOST_CHILDREN);
    let alone: Vec<_> = indexes.clone().map(|index| parent.child(index)).collect();
    let rows: Vec<_> = match parent.rows(indexes.clone()) {
        Ok(rows) => rows.collect(),
        Err(error) => return assert!(alone.iter().all(|child| child.as_ref().err() == Some(&error))),
    };
    for bulk in crate::bulks() {
        let children = bulk.derive_children(&rows, kind);
        assert_eq!(children.len(), alone.len());
        for ((index, alone), child) in indexes.clone().zip(&alone).zip(children) {
            let child = child.expect("nobody knows an index without a child");
            assert_eq!(parent.extend(&child, index), *alone, "{}", bulk.backend());
            assert_eq!(kind.of(&child.public_key), Ok(child.payload), "{}", bulk.backend());
        }
    }
}

fn seed(bytes: &[u8]) {
    match ExtendedSecretKey::from_seed(bytes, Chain::Test) {
        Ok(master) => texts(&master.to_text()),
        Err(error) => assert!(error == Error::BadSeed && !(16..=64).contains(&bytes.len())),
    }
}
