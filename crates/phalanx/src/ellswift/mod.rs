//! ElligatorSwift: public keys in 64 bytes that look like noise, and the secret that two of them share (BIP-324).
//!
//! Any 64 bytes are an encoding of some key, and each key has about 2^256 encodings. So a conversation that begins with
//! two of them shows an observer no key. Bitcoin's version 2 transport begins this way.
//!
//! ```
//! use phalanx::{SecretKey, ellswift::{self, ElligatorSwift, Party}};
//! let (a, b) = (SecretKey::random(), SecretKey::random());
//! let initiator = ElligatorSwift::from_secret(&a, None);
//! let responder = ElligatorSwift::from_secret(&b, None);
//! let shared = ellswift::shared_secret(&initiator, &responder, &a, Party::Initiator);
//! assert_eq!(shared, ellswift::shared_secret(&initiator, &responder, &b, Party::Responder));
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `map` | the map from pairs of field elements to x coordinates, and its inverse |
//! | `exchange` | Diffie-Hellman |

mod exchange;
mod map;

pub use exchange::{Party, shared_secret, shared_secret_with};

use crate::{
    Error, FieldElement, PublicKey, SecretKey,
    declassify::declassify,
    encoding::{Hex, join},
    group::Affine,
    hash::{BuiltIn, Sha256By, tags},
    wipe::{GeneratorStack, wipe},
};
use core::fmt;

/// An encoding of a public key in 64 bytes: two numbers u and t of 32 big-endian bytes, each taken modulo p.
///
/// Two encodings are equal if their bytes are, whichever keys they stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ElligatorSwift([u8; 64]);

impl From<[u8; 64]> for ElligatorSwift {
    /// Any 64 bytes are an encoding.
    fn from(bytes: [u8; 64]) -> Self {
        ElligatorSwift(bytes)
    }
}

impl ElligatorSwift {
    /// Reads 64 bytes, whatever they are.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] if there are not 64 bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        bytes.try_into().map(ElligatorSwift).map_err(|_| Error::BadPublicKey)
    }

    /// The 64 bytes.
    pub const fn to_bytes(&self) -> [u8; 64] {
        self.0
    }

    /// An encoding of a public key, which depends on the randomness; the bytes that libsecp256k1's
    /// `secp256k1_ellswift_encode` gives. Variable time.
    ///
    /// The encoding looks like noise to whoever does not know the 32 bytes.
    ///
    /// ```
    /// use phalanx::{SecretKey, ellswift::ElligatorSwift};
    /// let key = SecretKey::random().public_key();
    /// assert_eq!(ElligatorSwift::encode(&key, &[7; 32]).decode(), key);
    /// assert_ne!(ElligatorSwift::encode(&key, &[7; 32]), ElligatorSwift::encode(&key, &[8; 32]));
    /// ```
    pub fn encode(key: &PublicKey, randomness: &[u8; 32]) -> Self {
        let mut hash = tags::ELLSWIFT_ENCODE.begin(BuiltIn);
        let mut block = [0; 64];
        block[..33].copy_from_slice(&key.to_bytes());
        hash.update_uncleared(&block);
        hash.update_uncleared(randomness);
        Self::encode_with(key, numbered(hash))
    }

    /// An encoding of a public key, by blocks that `draw` makes: 32 uniform bytes at each call. Variable time.
    ///
    /// Eight blocks are enough for most keys. There is no end to the drawing where all blocks are the same.
    ///
    /// ```
    /// use phalanx::{SecretKey, ellswift::ElligatorSwift, hash::sha256};
    /// let (key, mut state) = (SecretKey::random().public_key(), [7; 32]);
    /// let encoding = ElligatorSwift::encode_with(&key, || {
    ///     state = sha256(&state);
    ///     state
    /// });
    /// assert_eq!(encoding.decode(), key);
    /// ```
    pub fn encode_with(key: &PublicKey, mut draw: impl FnMut() -> [u8; 32]) -> Self {
        let point = key.affine();
        let (x, y) = (FieldElement::from_fe(point.x), FieldElement::from_fe(point.y));
        // Numbers of four bits, of which three count: which of the eight inverses is tried.
        let (mut cases, mut left) = ([0; 32], 0);
        loop {
            if left == 0 {
                (cases, left) = (draw(), 64);
            }
            left -= 1;
            let case = cases[left / 2] >> (4 * (left % 2)) & 7;
            let first = draw();
            let u = FieldElement::from_bytes_reduced(&first);
            if let Some(t) = map::preimage(&x, &u, case) {
                // The parity of t stands for that of y.
                let t = t.negate_if(t.is_odd() ^ y.is_odd());
                return ElligatorSwift(join(&first, &t.to_bytes()));
            }
        }
    }

    /// An encoding of the public key of a secret key, which depends on the key and on auxiliary randomness; the bytes
    /// that libsecp256k1's `secp256k1_ellswift_create` gives. It looks like noise without auxiliary randomness too, but
    /// is then the same for the same key.
    ///
    /// Constant time in the secret key. The time depends on hashes of it, which reveal nothing of it.
    ///
    /// ```
    /// use phalanx::{SecretKey, ellswift::ElligatorSwift};
    /// let secret = SecretKey::random();
    /// assert_eq!(ElligatorSwift::from_secret(&secret, Some(&[7; 32])).decode(), secret.public_key());
    /// ```
    pub fn from_secret(secret: &SecretKey, auxiliary: Option<&[u8; 32]>) -> Self {
        GeneratorStack::cleared(|| {
            let mut block = join(&secret.to_bytes(), &[0; 32]);
            // The numbers u that it makes are published, or dropped.
            let state = declassify(tags::ELLSWIFT_CREATE.state_after(&block));
            wipe(&mut block);
            let mut hash = Sha256By::resume(BuiltIn, state, 2);
            if let Some(auxiliary) = auxiliary {
                hash.update_uncleared(auxiliary);
            }
            Self::encode_with(&secret.public_key(), numbered(hash))
        })
    }

    /// The public key. Variable time.
    pub fn decode(&self) -> PublicKey {
        let [u, t] = self.numbers();
        let x = map::decode(&u, &t).quotient_vartime();
        let y = FieldElement::from_fe(Affine::curve_side::<crate::group::Secp256k1>(x.to_fe())).sqrt();
        // The map gives coordinates of points only.
        let y = y.unwrap_or(FieldElement::ZERO);
        let y = y.negate_if(y.is_odd() ^ t.is_odd());
        PublicKey::from_canonical(x.limbs(), y.limbs())
    }

    /// u and t.
    fn numbers(&self) -> [FieldElement; 2] {
        let (halves, _) = self.0.as_chunks::<32>();
        [0, 1].map(|i| FieldElement::from_bytes_reduced(&halves[i]))
    }
}

/// The hash of what was hashed so far and 0, 1, 2, ... in four bytes, least significant first.
fn numbered(hash: Sha256By<BuiltIn>) -> impl FnMut() -> [u8; 32] {
    let mut count = 0u32;
    move || {
        let mut hash = hash.clone();
        hash.update_uncleared(&count.to_le_bytes());
        count = count.wrapping_add(1);
        hash.finish_uncleared()
    }
}

impl fmt::Debug for ElligatorSwift {
    /// The bytes in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ElligatorSwift({})", Hex(&self.0))
    }
}

#[cfg(test)]
mod tests;
