//! The secrets of each operation, computed by the parent from the same inputs.

use crate::needles::{Needles, order, to_bytes};
use num_bigint::BigUint;
use phalanx::hash::HmacSha512;
use phalanx::{Keypair, PublicKey, SecretKey, ecdh, ecdsa, schnorr};
use phalanx_testkit::draws::Draws;
use std::iter;

/// Rows that a thread of several takes at once.
const CHUNK: usize = 32;

/// The inputs of one row. Key and tweak are secret, the rest is public.
pub(crate) struct Row {
    pub(crate) key: [u8; 32],
    pub(crate) tweak: [u8; 32],
    pub(crate) digest: [u8; 32],
    pub(crate) aux: [u8; 32],
    pub(crate) public: PublicKey,
}

impl Row {
    /// Another row for every number.
    pub(crate) fn new(number: u64) -> Row {
        let mut draws = Draws::new(number, "remains", u64::from(std::process::id()));
        let public = SecretKey::from_bytes(&draws.uniform()).expect("a key, but for a chance of 2^-127").public_key();
        Row { key: draws.uniform(), tweak: draws.uniform(), digest: draws.uniform(), aux: draws.uniform(), public }
    }

    /// A key that is not below the order, with 96 random bits.
    pub(crate) fn out_of_range(number: u64) -> Row {
        let mut row = Row::new(number);
        row.key[..20].fill(0xff);
        row
    }

    pub(crate) fn secret(&self) -> SecretKey {
        SecretKey::from_bytes(&self.key).expect("a key, but for a chance of 2^-127")
    }

    pub(crate) fn pair(&self) -> Keypair {
        Keypair::from_secret(self.secret())
    }

    pub(crate) fn d(&self) -> BigUint {
        BigUint::from_bytes_be(&self.key)
    }

    fn t(&self) -> BigUint {
        BigUint::from_bytes_be(&self.tweak)
    }

    /// The scalar of the point with an even y.
    pub(crate) fn even(&self) -> BigUint {
        if self.pair().public_key().to_bytes()[0] == 2 { self.d() } else { order() - self.d() }
    }
}

/// Puts the secrets of all rows of a call among the needles.
pub(crate) type Of = fn(&[Row], &mut Needles);

pub(crate) fn each(rows: &[Row], needles: &mut Needles, note: impl Fn(&Row, &mut Needles)) {
    for (number, row) in rows.iter().enumerate() {
        needles.row = number;
        note(row, needles);
    }
}

fn inverse(scalar: &BigUint) -> BigUint {
    scalar.modpow(&(order() - 2u8), &order())
}

/// The key, and what its text holds of it.
pub(crate) fn key(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        let (small, capitals) = (hex(&row.key), hex(&row.key).to_uppercase());
        needles.of("key").number(&row.d()).text(small.as_bytes()).text(capitals.as_bytes());
    });
}

/// The children of extended secret keys that are derived: one of each kind.
pub(crate) const INDEXES: [u32; 2] = [7, phalanx_bip32::HARDENED + 7];

/// The key as the seed of BIP-32: the master key, and children.
pub(crate) fn extended(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("seed").number(&row.d());
        let [master, chain_code] = halves(&HmacSha512::new(b"Bitcoin seed").mac(&[&row.key]));
        let number = BigUint::from_bytes_be(&master);
        needles.of("master key").number(&number).bytes(&chain_code);
        let public = SecretKey::from_bytes(&master).expect("a master key").public_key().to_bytes();
        for index in INDEXES {
            let key = if index < phalanx_bip32::HARDENED { public.to_vec() } else { [&[0], &master[..]].concat() };
            let code = HmacSha512::new(&chain_code).mac(&[&key, &index.to_be_bytes()]);
            let [tweak, chain_code] = halves(&code);
            let tweak = BigUint::from_bytes_be(&tweak);
            needles.of("tweak of a child").number(&tweak).bytes(&chain_code);
            needles.of("child").number(&((&number + &tweak) % order()));
        }
    });
}

fn halves(code: &[u8; 64]) -> [[u8; 32]; 2] {
    [0, 32].map(|at| std::array::from_fn(|i| code[at + i]))
}

/// The key, negated too.
pub(crate) fn negated(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d());
        needles.of("negated key").scalar(&(order() - row.d()));
    });
}

/// d G.
pub(crate) fn public_key(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d()).generator_digits(&row.d());
    });
}

/// d G, and the first block of the hash that the encoding of d G comes from. The state behind it is no secret.
pub(crate) fn ellswift(rows: &[Row], needles: &mut Needles) {
    public_key(rows, needles);
    each(rows, needles, |row, needles| {
        needles.schedule("the first block", &[row.key, [0; 32]].concat().try_into().expect("a block"));
    });
}

/// d + t, and with `even` of the even key, and their multiples of G; d t.
pub(crate) fn tweaked(rows: &[Row], needles: &mut Needles) {
    let tap = phalanx::hash::TaggedHash::new(b"TapTweak");
    each(rows, needles, |row, needles| {
        let (d, t, even) = (row.d(), row.t(), row.even());
        needles.of("key").scalar(&d);
        needles.of("tweak").scalar(&t);
        needles.of("even key").scalar(&even);
        needles.of("product with the tweak").product(&(&d * &t));
        let taproot = BigUint::from_bytes_be(&tap.hash(&[&row.pair().x_only().to_bytes(), &row.digest]));
        for (what, made) in [
            ("key plus tweak", (&d + &t) % order()),
            ("even key plus tweak", (&even + &t) % order()),
            ("taproot key", (&even + &taproot) % order()),
            ("key times tweak", &d * &t % order()),
        ] {
            needles.of(what).scalar(&made).generator_digits(&made);
        }
    });
}

/// t G and t P.
pub(crate) fn tweak_of_point(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        let t = row.t();
        needles.of("tweak").scalar(&t).generator_digits(&t).point_digits(&t);
    });
}

fn ecdsa(rows: &[Row], needles: &mut Needles, entropy: bool) {
    let mut nonces = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        needles.row = number;
        let (d, secret) = (row.d(), row.secret());
        needles.of("key").scalar(&d);
        let k = needles.rfc6979(&row.key, &row.digest, if entropy { &row.aux } else { &[] });
        let signature = if entropy {
            ecdsa::sign_with_entropy(&row.digest, &secret, &row.aux)
        } else {
            ecdsa::sign(&row.digest, &secret)
        };
        let r = BigUint::from_bytes_be(&signature.to_compact()[..32]);
        assert_eq!(BigUint::from_bytes_be(&x_of(&k)) % order(), r, "not the nonce of the signature");
        needles.of("nonce").scalar(&k).generator_digits(&k);
        needles.of("inverse of the nonce").scalar(&inverse(&k));
        let sum = BigUint::from_bytes_be(&row.digest) + &r * &d;
        needles.of("r d").product(&(&r * &d));
        needles.of("z + r d").product(&sum);
        // Reduced it is public.
        needles.of("s").wide(&(inverse(&k) * (sum % order())));
        nonces.push(k);
    }
    shared_inversion("nonces", &nonces, needles);
}

/// What a shared inversion passes through, of all rows on one thread, and of the later chunks on several.
fn shared_inversion(what: &str, scalars: &[BigUint], needles: &mut Needles) {
    let chunks =
        iter::once(0..scalars.len()).chain((1..scalars.len().div_ceil(CHUNK)).map(|i| CHUNK * i..scalars.len()));
    for chunk in chunks {
        let mut product = BigUint::from(1u8);
        for i in chunk.clone() {
            needles.row = i;
            product = product * &scalars[i] % order();
            let name = format!("product of {what} from row {}", chunk.start);
            needles.of(&name).scalar(&product);
            needles.of(&format!("inverse of the {name}")).scalar(&inverse(&product));
        }
    }
}

pub(crate) fn ecdsa_sign(rows: &[Row], needles: &mut Needles) {
    ecdsa(rows, needles, false);
}

pub(crate) fn ecdsa_sign_with_entropy(rows: &[Row], needles: &mut Needles) {
    ecdsa(rows, needles, true);
}

fn schnorr(rows: &[Row], needles: &mut Needles, message: impl Fn(&Row) -> Vec<u8>) {
    each(rows, needles, |row, needles| {
        let (pair, even, message) = (row.pair(), row.even(), message(row));
        needles.of("key").scalar(&row.d());
        needles.of("even key").scalar(&even);
        let x = pair.x_only().to_bytes();
        let k = needles.bip340(&even, &x, &message, &row.aux);
        let signature = schnorr::sign(&message, &pair, &row.aux).to_bytes();
        assert_eq!(x_of(&k), signature[..32], "not the nonce of the signature");
        needles.of("nonce").scalar(&k).generator_digits(&k);
        needles.of("negated nonce").scalar(&(order() - &k));
        let challenge = phalanx::hash::TaggedHash::new(b"BIP0340/challenge").hash(&[&signature[..32], &x, &message]);
        needles.of("e d").product(&(BigUint::from_bytes_be(&challenge) % order() * even));
    });
}

/// For messages of 32 bytes.
pub(crate) fn schnorr_sign(rows: &[Row], needles: &mut Needles) {
    schnorr(rows, needles, |row| row.digest.to_vec());
}

/// For messages of 100 bytes.
pub(crate) fn schnorr_sign_long(rows: &[Row], needles: &mut Needles) {
    schnorr(rows, needles, |row| long_message(&row.digest).to_vec());
}

/// A message of another length than 32 bytes.
pub(crate) fn long_message(digest: &[u8; 32]) -> [u8; 100] {
    std::array::from_fn(|i| digest[i % 32])
}

/// d P, its coordinates, and their hash.
pub(crate) fn shared(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d()).point_digits(&row.d());
        let point = row.public.tweak_mul(&row.key).expect("the key is not zero");
        let bytes = point.to_bytes_uncompressed();
        needles.of("shared x").number(&BigUint::from_bytes_be(&bytes[1..33]));
        needles.of("shared y").number(&BigUint::from_bytes_be(&bytes[33..]));
        let hash = needles.sha256(&point.to_bytes());
        assert_eq!(hash, ecdh::shared_secret(&row.public, &row.secret()), "not the secret that is shared");
    });
}

/// The nonce alone.
pub(crate) fn nonce(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d());
        let k = needles.rfc6979(&row.key, &row.digest, &row.aux);
        needles.of("nonce").scalar(&k);
    });
}

/// Inverses of the keys, one by one and shared, modulo the order.
pub(crate) fn inversions(rows: &[Row], needles: &mut Needles) {
    let keys: Vec<_> = rows.iter().map(Row::d).collect();
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d());
        needles.of("inverse of the key").scalar(&inverse(&row.d()));
    });
    shared_inversion("keys", &keys, needles);
}

/// The same modulo p.
pub(crate) fn field_inversions(rows: &[Row], needles: &mut Needles) {
    let p = BigUint::from_bytes_be(&phalanx_testkit::draws::PRIME);
    let inverse = |x: &BigUint| x.modpow(&(&p - 2u8), &p);
    let mut product = BigUint::from(1u8);
    for (number, row) in rows.iter().enumerate() {
        needles.row = number;
        product = product * row.d() % &p;
        needles.of("element").number(&row.d());
        needles.of("inverse of the element").number(&inverse(&row.d()));
        needles.of("product so far").number(&product);
        needles.of("inverse of the product so far").number(&inverse(&product));
    }
}

/// The key as a message; its hash is a result.
pub(crate) fn hashed(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("message").bytes(&row.key);
    });
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The x coordinate of the scalar's multiple of the generator.
pub(crate) fn x_of(scalar: &BigUint) -> [u8; 32] {
    let secret = SecretKey::from_bytes(&to_bytes(scalar)).expect("not zero, below the order");
    secret.public_key().x_only().0.to_bytes()
}
