//! ECDSA vectors: a message, a public key and a signature in DER or as 64 bytes.

use super::{Contents, Judgement};
use phalanx::{LowS, PublicKeyRef, ecdsa};
use serde::Deserialize;
use sha2::{Sha256, Sha512};
use sha3::{Digest, Sha3_256, Sha3_512};
use shake::{ExtendableOutput, Shake128, Shake256};

/// One vector.
#[derive(Debug)]
pub struct Case {
    /// Its number in the file.
    pub id: u32,
    /// What the file says it is about.
    pub comment: String,
    /// What the file says it comes to.
    pub judgement: Judgement,
    /// The policy that the file assumes: low S for the file of Bitcoin's rules, the plain standard elsewhere.
    pub low_s: LowS,
    digest: [u8; 32],
    public_key: Vec<u8>,
    signature: Vec<u8>,
    compact: bool,
}

impl Case {
    /// The vector as a row, encoded as the file has it.
    pub fn row(&self) -> ecdsa::Row<'_> {
        let signature = if self.compact { ecdsa::SignatureRef::Compact } else { ecdsa::SignatureRef::Der };
        ecdsa::Row {
            digest: &self.digest,
            signature: signature(&self.signature),
            public_key: PublicKeyRef::Encoded(&self.public_key),
        }
    }
}

#[derive(Deserialize)]
struct Group {
    #[serde(rename = "type")]
    kind: String,
    #[serde(rename = "publicKey")]
    public_key: Key,
    sha: String,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Key {
    #[serde(with = "hex")]
    uncompressed: Vec<u8>,
}

#[derive(Deserialize)]
struct Test {
    #[serde(rename = "tcId")]
    id: u32,
    comment: String,
    #[serde(with = "hex")]
    msg: Vec<u8>,
    #[serde(with = "hex")]
    sig: Vec<u8>,
    result: Judgement,
}

/// The vectors of a file.
///
/// # Panics
/// When the text is not a file of ECDSA vectors.
pub fn cases(json: &str) -> Vec<Case> {
    let contents: Contents<Group> = serde_json::from_str(json).expect("a file of ECDSA vectors");
    let mut cases = Vec::new();
    for group in contents.groups {
        let (compact, low_s) = match &group.kind[..] {
            "EcdsaVerify" => (false, LowS::Allow),
            "EcdsaBitcoinVerify" => (false, LowS::Require),
            "EcdsaP1363Verify" => (true, LowS::Allow),
            other => panic!("unknown kind of group {other}"),
        };
        cases.extend(group.tests.into_iter().map(|test| Case {
            id: test.id,
            comment: test.comment,
            judgement: test.result,
            low_s,
            digest: digest(&group.sha, &test.msg),
            public_key: group.public_key.uncompressed.clone(),
            signature: test.sig,
            compact,
        }));
    }
    cases
}

/// The leftmost 256 bits of a message's hash (FIPS 186-5, section 6.4.1, step 2).
fn digest(hash: &str, message: &[u8]) -> [u8; 32] {
    let mut leftmost = [0; 32];
    match hash {
        "SHA-256" => leftmost.copy_from_slice(&Sha256::digest(message)),
        "SHA-512" => leftmost.copy_from_slice(&Sha512::digest(message)[..32]),
        "SHA3-256" => leftmost.copy_from_slice(&Sha3_256::digest(message)),
        "SHA3-512" => leftmost.copy_from_slice(&Sha3_512::digest(message)[..32]),
        // FIPS 186-5 takes 256 bits of SHAKE128 and 512 of SHAKE256, of which the leftmost 256 count.
        "SHAKE128" => Shake128::digest_xof(message, &mut leftmost),
        "SHAKE256" => Shake256::digest_xof(message, &mut leftmost),
        other => panic!("unknown hash {other}"),
    }
    leftmost
}
