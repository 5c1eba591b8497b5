//! ECDH vectors: a secret key, a public key inside a wrapper, and the x coordinate of the product.

use super::{Contents, Judgement};
use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, de::DeserializeOwned};

/// One vector.
#[derive(Debug)]
pub struct Case {
    /// Its number in the file.
    pub id: u32,
    /// What the file says it is about.
    pub comment: String,
    /// What the file says it comes to.
    pub judgement: Judgement,
    /// The encoded point, `None` where the wrapper around it is refused.
    pub public_key: Option<Vec<u8>>,
    /// The secret key in 32 bytes.
    pub secret_key: [u8; 32],
    /// The x coordinate; empty in vectors that must be refused.
    pub shared_x: Vec<u8>,
}

/// What stands before the point in the one DER encoding of a SubjectPublicKeyInfo (RFC 5480) that names secp256k1: for
/// a point of 65 bytes, and for one of 33.
const WRAPPERS: [(&[u8], usize); 2] = [
    (b"\x30\x56\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x0a\x03\x42\x00", 65),
    (b"\x30\x36\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x0a\x03\x22\x00", 33),
];

/// The point in a SubjectPublicKeyInfo that is encoded as it must be and names the curve.
fn unwrap_subject_public_key(der: &[u8]) -> Option<Vec<u8>> {
    WRAPPERS.iter().find_map(|(wrapper, length)| {
        let point = der.strip_prefix(*wrapper)?;
        (point.len() == *length).then(|| point.to_vec())
    })
}

#[derive(Deserialize)]
struct Group<Key> {
    tests: Vec<Test<Key>>,
}

#[derive(Deserialize)]
struct Test<Key> {
    #[serde(rename = "tcId")]
    id: u32,
    comment: String,
    public: Key,
    private: Key,
    #[serde(with = "hex")]
    shared: Vec<u8>,
    result: Judgement,
}

/// The vectors of a file, with the public key's point and the secret key's number.
fn cases<Key: DeserializeOwned>(
    json: &str,
    point: fn(&Key) -> Option<Vec<u8>>,
    number: fn(&Key) -> Vec<u8>,
) -> Vec<Case> {
    let contents: Contents<Group<Key>> = serde_json::from_str(json).expect("a file of ECDH vectors");
    let tests = contents.groups.into_iter().flat_map(|group| group.tests);
    let case = |test: Test<Key>| Case {
        id: test.id,
        comment: test.comment,
        judgement: test.result,
        public_key: point(&test.public),
        secret_key: padded(&number(&test.private)),
        shared_x: test.shared,
    };
    tests.map(case).collect()
}

/// Bytes, hex in the file.
#[derive(Deserialize)]
struct Bytes(#[serde(with = "hex")] Vec<u8>);

/// The vectors of a file whose public keys are SubjectPublicKeyInfo and whose secret keys are numbers of any length.
///
/// # Panics
/// When the text is not such a file.
pub fn subject_public_key_cases(json: &str) -> Vec<Case> {
    cases::<Bytes>(json, |key| unwrap_subject_public_key(&key.0), |key| key.0.clone())
}

/// A JSON Web Key (RFC 7517).
#[derive(Deserialize)]
struct WebKey {
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
    d: Option<String>,
}

impl WebKey {
    /// The uncompressed point, if the key names the curve and has two coordinates of 32 bytes.
    fn point(&self) -> Option<Vec<u8>> {
        let coordinate = |text: &Option<String>| {
            let bytes = BASE64URL_NOPAD.decode(text.as_ref()?.as_bytes()).ok()?;
            (bytes.len() == 32).then_some(bytes)
        };
        let named = self.crv.as_deref() == Some("P-256K");
        let (x, y) = (coordinate(&self.x)?, coordinate(&self.y)?);
        named.then(|| [&[4], &x[..], &y].concat())
    }
}

/// The vectors of a file whose keys are JSON Web Keys.
///
/// # Panics
/// When the text is not such a file.
pub fn web_key_cases(json: &str) -> Vec<Case> {
    cases::<WebKey>(json, WebKey::point, |key| {
        let number = key.d.as_ref().expect("every vector has a secret key");
        BASE64URL_NOPAD.decode(number.as_bytes()).expect("base64url")
    })
}

/// A number of any length in 32 bytes.
fn padded(number: &[u8]) -> [u8; 32] {
    let digits = &number[number.iter().take_while(|digit| **digit == 0).count()..];
    let mut padded = [0; 32];
    padded[32 - digits.len()..].copy_from_slice(digits);
    padded
}
