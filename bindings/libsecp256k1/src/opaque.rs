//! The bytes of the structures that programs hold and do not look into.
//!
//! They are those of the original on a little-endian 64-bit system: numbers in 32 bytes, least significant byte first.
//! A secret key in a key pair is big-endian.

use crate::context::Ctx;
use phalanx::{
    FieldElement, PublicKey, Scalar,
    bindings::{coordinates, from_coordinates_vartime},
};

/// `secp256k1_pubkey` and `secp256k1_xonly_pubkey`: x, then y.
pub(crate) type PubkeyBytes = [u8; 64];
/// `secp256k1_ecdsa_signature`: r, then s.
pub(crate) type SignatureBytes = [u8; 64];
/// `secp256k1_ecdsa_recoverable_signature`: r, s and the recovery id.
pub(crate) type RecoverableBytes = [u8; 65];
/// `secp256k1_keypair`: the secret key, then the public key.
pub(crate) type KeypairBytes = [u8; 96];

/// The limbs of two numbers.
fn two_numbers(bytes: &[u8; 64]) -> [[u64; 4]; 2] {
    let limb = |i: usize| u64::from_le_bytes(bytes.as_chunks::<8>().0[i]);
    [[limb(0), limb(1), limb(2), limb(3)], [limb(4), limb(5), limb(6), limb(7)]]
}

fn bytes_of([a, b]: [[u64; 4]; 2]) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (bytes, limb) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(a.into_iter().chain(b)) {
        *bytes = limb.to_le_bytes();
    }
    bytes
}

/// A number in big-endian bytes, below any modulus or not.
pub(crate) fn big_endian(limbs: [u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, limb) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(limbs.into_iter().rev()) {
        *bytes = limb.to_be_bytes();
    }
    bytes
}

/// The coordinates in a public key's structure. Functions of the library write points of the curve there, but a
/// program may hand in anything.
#[derive(Clone, Copy)]
pub(crate) struct Coordinates {
    pub(crate) x: [u64; 4],
    pub(crate) y: [u64; 4],
}

impl Coordinates {
    /// Reads a structure. Reports an illegal argument where x is zero, as it is in a structure that a function left
    /// after failing.
    pub(crate) fn load(ctx: Ctx, bytes: &PubkeyBytes) -> Option<Coordinates> {
        let [x, y] = two_numbers(bytes);
        if x == [0; 4] {
            ctx.illegal(c"!secp256k1_fe_is_zero(&ge->x)");
            return None;
        }
        Some(Coordinates { x, y })
    }

    /// Reads a structure without looking at what it holds.
    pub(crate) fn read(bytes: &PubkeyBytes) -> Coordinates {
        let [x, y] = two_numbers(bytes);
        Coordinates { x, y }
    }

    pub(crate) fn of(key: &PublicKey) -> Coordinates {
        let [x, y] = coordinates(key);
        Coordinates { x, y }
    }

    /// The structure.
    pub(crate) fn save(&self) -> PubkeyBytes {
        bytes_of([self.x, self.y])
    }

    /// The coordinates as numbers modulo p.
    pub(crate) fn elements(&self) -> [FieldElement; 2] {
        // Functions of the library write numbers below p.
        [self.x, self.y].map(|limbs| {
            FieldElement::from_limbs(limbs).unwrap_or_else(|| FieldElement::from_bytes_reduced(&big_endian(limbs)))
        })
    }

    pub(crate) fn of_elements(x: &FieldElement, y: &FieldElement) -> Coordinates {
        Coordinates { x: x.limbs(), y: y.limbs() }
    }

    /// Whether these are the same coordinates modulo p.
    pub(crate) fn is_same(&self, other: &Coordinates) -> bool {
        (self.x, self.y) == (other.x, other.y) || self.elements() == other.elements()
    }

    /// Coordinates below p.
    pub(crate) fn reduced(&self) -> Coordinates {
        let [x, y] = self.elements();
        Coordinates::of_elements(&x, &y)
    }

    /// The point with the same x and the other y.
    pub(crate) fn negated(&self) -> Coordinates {
        let [x, y] = self.elements();
        Coordinates::of_elements(&x, &-y)
    }

    pub(crate) fn y_is_odd(&self) -> bool {
        self.y[0] & 1 == 1
    }

    /// The key, none where the coordinates are not those of a point of the curve.
    pub(crate) fn key(&self) -> Option<PublicKey> {
        from_coordinates_vartime([self.x, self.y])
    }
}

/// The numbers in a signature's structure. Functions of the library write numbers below n there.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) r: [u64; 4],
    pub(crate) s: [u64; 4],
}

impl Numbers {
    pub(crate) fn load(bytes: &SignatureBytes) -> Numbers {
        let [r, s] = two_numbers(bytes);
        Numbers { r, s }
    }

    pub(crate) fn of(r: &Scalar, s: &Scalar) -> Numbers {
        Numbers { r: r.limbs(), s: s.limbs() }
    }

    /// The structure.
    pub(crate) fn save(&self) -> SignatureBytes {
        bytes_of([self.r, self.s])
    }

    /// The structure of a recoverable signature.
    pub(crate) fn save_recoverable(&self, id: u8) -> RecoverableBytes {
        let mut bytes = [id; 65];
        bytes[..64].copy_from_slice(&self.save());
        bytes
    }

    /// Reads the structure of a recoverable signature.
    pub(crate) fn load_recoverable(bytes: &RecoverableBytes) -> (Numbers, u8) {
        let (numbers, id) = bytes.split_first_chunk().unwrap();
        (Numbers::load(numbers), id[0])
    }

    /// r and s, big-endian.
    pub(crate) fn compact(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&big_endian(self.r));
        bytes[32..].copy_from_slice(&big_endian(self.s));
        bytes
    }

    /// Reads r and s, none where one is not below n.
    pub(crate) fn from_compact(bytes: &[u8; 64]) -> Option<Numbers> {
        let [r, s] = [0, 1].map(|i| Scalar::from_bytes(&bytes.as_chunks::<32>().0[i]));
        Some(Numbers::of(&r.ok()?, &s.ok()?))
    }

    /// The signature, none where a number is zero or not below n.
    pub(crate) fn signature(&self) -> Option<phalanx::ecdsa::Signature> {
        let (r, s) = (Scalar::from_limbs(self.r)?, Scalar::from_limbs(self.s)?);
        phalanx::ecdsa::Signature::from_scalars(r, s).ok()
    }

    /// Whether s is above n/2. Said of numbers at and above n too.
    pub(crate) fn is_high(&self) -> bool {
        Scalar::from_limbs(self.s).is_none_or(|s| s.is_high().into())
    }

    /// r and n - s, modulo 2^256 where s is above n.
    pub(crate) fn negated(&self) -> Numbers {
        let (mut s, mut borrow) = ([0; 4], false);
        for ((limb, n), old) in s.iter_mut().zip(Scalar::ORDER).zip(self.s) {
            let (difference, first) = n.overflowing_sub(old);
            let (difference, second) = difference.overflowing_sub(borrow.into());
            (*limb, borrow) = (difference, first | second);
        }
        Numbers { r: self.r, s }
    }
}

/// The parts of a key pair's structure.
pub(crate) fn keypair_parts(bytes: &KeypairBytes) -> (&[u8; 32], &PubkeyBytes) {
    let (secret, public) = bytes.split_first_chunk().unwrap();
    (secret, public.first_chunk().unwrap())
}

/// The structure of a key pair.
pub(crate) fn keypair_of(secret: &[u8; 32], public: &PubkeyBytes) -> KeypairBytes {
    let mut bytes = [0; 96];
    bytes[..32].copy_from_slice(secret);
    bytes[32..].copy_from_slice(public);
    bytes
}
