//! ECDSA: signing, verification, recovery.

use crate::operation::{Operation, run};
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::ops::Reduce;
use k256::elliptic_curve::point::AffineCoordinates;
use k256::{ProjectivePoint, Scalar};
use phalanx::ecdsa::{RecoverRow, Row, SignatureRef};
use phalanx::{LowS, PublicKeyRef, SecretKey, Verdict, ecdsa};
use phalanx_testkit::draws::{Draws, PRIME_MINUS_ORDER};
use phalanx_testkit::surface::{Surface, Verifier};
use secp256k1::{self as oracle, Message};

struct Sign;

#[derive(Debug)]
pub(crate) struct SignCase {
    digest: [u8; 32],
    secret: [u8; 32],
}

/// The signature in compact form.
type Compact = [u8; 64];

impl Operation for Sign {
    const NAME: &'static str = "ECDSA sign";
    type Case = SignCase;
    /// With the recovery id.
    type Answer = (Compact, u8);
    type Detail = (Compact, u8);
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> SignCase {
        SignCase { digest: draws.number(), secret: draws.scalar() }
    }

    fn libsecp256k1(case: &SignCase) -> (Compact, u8) {
        let secret = oracle::SecretKey::from_secret_bytes(case.secret).expect("in range");
        let message = Message::from_digest(case.digest);
        let (id, compact) =
            oracle::ecdsa::RecoverableSignature::sign_ecdsa_recoverable(message, &secret).serialize_compact();
        (compact, u8::from(id))
    }

    fn k256(case: &SignCase) -> (Compact, u8) {
        let key = k256::ecdsa::SigningKey::from_slice(&case.secret).expect("in range");
        let (signature, id) = key.sign_prehash_recoverable(&case.digest);
        (signature.to_bytes().into(), id.to_byte())
    }

    fn phalanx(surface: &Self::Surface, cases: &[SignCase]) -> Vec<(Compact, u8)> {
        let (digests, secrets): (Vec<_>, Vec<_>) =
            cases.iter().map(|case| (case.digest, SecretKey::from_bytes(&case.secret).expect("in range"))).unzip();
        let recoverable = digests.iter().zip(&secrets).map(|(digest, secret)| ecdsa::sign_recoverable(digest, secret));
        let signatures = surface.sign_ecdsa(&digests, &secrets).into_iter().zip(recoverable);
        let check = |(signature, (recoverable, id)): (ecdsa::Signature, (ecdsa::Signature, ecdsa::RecoveryId))| {
            assert_eq!(signature, recoverable);
            (signature.to_compact(), id.to_u8())
        };
        signatures.map(check).collect()
    }

    fn answer(detail: &(Compact, u8)) -> (Compact, u8) {
        *detail
    }

    fn is_positive(_: &(Compact, u8)) -> bool {
        true
    }
}

struct Verify;

#[derive(Debug)]
pub(crate) struct VerifyCase {
    digest: [u8; 32],
    signature: Compact,
    der: bool,
    public: Vec<u8>,
    low_s: LowS,
}

impl VerifyCase {
    fn row<'a>(&'a self, der: &'a [u8]) -> Row<'a> {
        let signature = if self.der { SignatureRef::Der(der) } else { SignatureRef::Compact(&self.signature) };
        Row { digest: &self.digest, signature, public_key: PublicKeyRef::Encoded(&self.public) }
    }
}

impl Operation for Verify {
    const NAME: &'static str = "ECDSA verify";
    type Case = VerifyCase;
    type Answer = bool;
    type Detail = Verdict;
    type Surface = dyn Verifier;

    fn draw(draws: &mut Draws) -> VerifyCase {
        let (mut digest, mut signature, secret) = signed(draws);
        let key = oracle::SecretKey::from_secret_bytes(secret).expect("in range").public_key();
        let mut public =
            if draws.byte() & 1 == 0 { key.serialize().to_vec() } else { key.serialize_uncompressed().to_vec() };
        match draws.below(4) {
            0 => forge(draws, &mut signature),
            1 => match draws.below(4) {
                0 => flip(draws, &mut digest),
                1 => flip(draws, &mut public[1..]),
                2 => public[1..33].copy_from_slice(&draws.number()),
                _ => public[0] ^= 1,
            },
            _ => {}
        }
        // The encodings that all three read alike; the hybrid ones are for a test of their own.
        if !matches!((public[0], public.len()), (2 | 3, 33) | (4, 65)) {
            public[0] = 2;
        }
        let low_s = if draws.byte() & 1 == 0 { LowS::Allow } else { LowS::Require };
        VerifyCase { digest, signature, der: draws.byte() & 1 == 0, public, low_s }
    }

    fn libsecp256k1(case: &VerifyCase) -> bool {
        let parsed =
            (oracle::ecdsa::Signature::from_compact(&case.signature), oracle::PublicKey::from_slice(&case.public));
        let (Ok(mut signature), Ok(public)) = parsed else { return false };
        if case.low_s == LowS::Allow {
            signature.normalize_s();
        }
        public.verify(Message::from_digest(case.digest), &signature).is_ok()
    }

    fn k256(case: &VerifyCase) -> bool {
        let public = k256::ecdsa::VerifyingKey::from_sec1_bytes(&case.public);
        let (Ok(signature), Ok(public)) = (k256::ecdsa::Signature::from_slice(&case.signature), public) else {
            return false;
        };
        let signature = if case.low_s == LowS::Allow { signature.normalize_s() } else { signature };
        public.verify_prehash(&case.digest, &signature).is_ok()
    }

    fn phalanx(surface: &Self::Surface, cases: &[VerifyCase]) -> Vec<Verdict> {
        let ders: Vec<_> = cases.iter().map(|case| der(&case.signature)).collect();
        // Each policy is one call.
        let mut verdicts = vec![Verdict::MalformedRow; cases.len()];
        for low_s in [LowS::Allow, LowS::Require] {
            let chosen: Vec<_> = (0..cases.len()).filter(|index| cases[*index].low_s == low_s).collect();
            let rows: Vec<_> = chosen.iter().map(|index| cases[*index].row(&ders[*index])).collect();
            for (index, verdict) in chosen.into_iter().zip(surface.verify_ecdsa(&rows, low_s)) {
                verdicts[index] = verdict;
            }
        }
        verdicts
    }

    fn answer(detail: &Verdict) -> bool {
        detail.is_valid()
    }

    fn is_positive(answer: &bool) -> bool {
        *answer
    }
}

struct Recover;

#[derive(Debug)]
pub(crate) struct RecoverCase {
    digest: [u8; 32],
    signature: Compact,
    id: u8,
}

impl RecoverCase {
    fn row(&self) -> RecoverRow<'_> {
        let signature = SignatureRef::Compact(&self.signature);
        RecoverRow { digest: &self.digest, signature, recovery_id: self.id }
    }
}

impl Operation for Recover {
    const NAME: &'static str = "ECDSA recover";
    type Case = RecoverCase;
    /// The key, compressed.
    type Answer = Option<[u8; 33]>;
    type Detail = Result<[u8; 33], phalanx::Error>;
    type Surface = dyn Surface;

    fn draw(draws: &mut Draws) -> RecoverCase {
        let (digest, mut signature, _) = signed(draws);
        let mut id = draws.byte() & 1;
        match draws.below(4) {
            0 => forge(draws, &mut signature),
            1 => {
                // r below p - n, where r + n is a candidate too.
                let mut r = draws.number();
                r[..16].fill(0);
                if r < PRIME_MINUS_ORDER {
                    signature[..32].copy_from_slice(&r);
                }
                id |= draws.byte() & 2;
            }
            _ => {}
        }
        RecoverCase { digest, signature, id }
    }

    fn libsecp256k1(case: &RecoverCase) -> Option<[u8; 33]> {
        let id = oracle::ecdsa::RecoveryId::try_from(i32::from(case.id)).expect("0 to 3");
        let signature = oracle::ecdsa::RecoverableSignature::from_compact(&case.signature, id).ok()?;
        Some(signature.recover_ecdsa(Message::from_digest(case.digest)).ok()?.serialize())
    }

    fn k256(case: &RecoverCase) -> Option<[u8; 33]> {
        let mut id = case.id;
        let mut signature = k256::ecdsa::Signature::from_slice(&case.signature).ok()?;
        // It takes low s only; (r, -s) belongs to the point's negative.
        let normalized = signature.normalize_s();
        if normalized != signature {
            (signature, id) = (normalized, id ^ 1);
        }
        let id = k256::ecdsa::RecoveryId::from_byte(id).expect("0 to 3");
        let key = k256::ecdsa::VerifyingKey::recover_from_prehash(&case.digest, &signature, id).ok()?;
        key.to_sec1_point(true).as_bytes().try_into().ok()
    }

    fn phalanx(surface: &Self::Surface, cases: &[RecoverCase]) -> Vec<Result<[u8; 33], phalanx::Error>> {
        let rows: Vec<_> = cases.iter().map(RecoverCase::row).collect();
        surface.recover(&rows).into_iter().map(|key| key.map(|key| key.to_bytes())).collect()
    }

    fn answer(detail: &Result<[u8; 33], phalanx::Error>) -> Option<[u8; 33]> {
        detail.ok()
    }

    fn is_positive(answer: &Option<[u8; 33]>) -> bool {
        answer.is_some()
    }
}

/// A digest, a signature of it that is valid, perhaps with high s, and its secret key. Half the time it comes from
/// signing, half the time from chosen u1 and u2, so that the two factors of the equation lie on edges as well.
fn signed(draws: &mut Draws) -> ([u8; 32], Compact, [u8; 32]) {
    let secret = draws.scalar();
    let constructed = if draws.byte() & 1 == 0 { construct(draws, &secret) } else { None };
    let (digest, mut signature) = constructed.unwrap_or_else(|| {
        let digest = draws.number();
        let key = oracle::SecretKey::from_secret_bytes(secret).expect("in range");
        (digest, oracle::ecdsa::sign(Message::from_digest(digest), &key).serialize_compact())
    });
    if draws.below(4) == 0 {
        let s = scalar(signature[32..].try_into().expect("32 bytes"));
        signature[32..].copy_from_slice(&(-s).to_bytes());
    }
    (digest, signature, secret)
}

/// R = u1 G + u2 Q for the u1 and u2 drawn: r = R.x, s = r / u2, z = u1 s. None if R is infinity.
fn construct(draws: &mut Draws, secret: &[u8; 32]) -> Option<([u8; 32], Compact)> {
    let (u1, u2) = (scalar(draws.scalar()), scalar(draws.scalar()));
    let nonce = u1 + u2 * scalar(*secret);
    if nonce == Scalar::ZERO {
        return None;
    }
    let x = (ProjectivePoint::GENERATOR * nonce).to_affine().x();
    let r = <Scalar as Reduce<k256::FieldBytes>>::reduce(&x);
    let s = r * Option::<Scalar>::from(u2.invert())?;
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&r.to_bytes());
    signature[32..].copy_from_slice(&s.to_bytes());
    Some(((u1 * s).to_bytes().into(), signature))
}

fn scalar(bytes: [u8; 32]) -> Scalar {
    Option::from(Scalar::from_repr(bytes.into())).expect("in range")
}

/// Puts a number in the place of r, of s, or of both, exchanges them, or flips a bit.
fn forge(draws: &mut Draws, signature: &mut Compact) {
    match draws.below(5) {
        0 => signature[..32].copy_from_slice(&draws.number()),
        1 => signature[32..].copy_from_slice(&draws.number()),
        2 => {
            signature[..32].copy_from_slice(&draws.number());
            signature[32..].copy_from_slice(&draws.number());
        }
        3 => signature.rotate_left(32),
        _ => flip(draws, signature),
    }
}

fn flip(draws: &mut Draws, bytes: &mut [u8]) {
    let position = draws.below(bytes.len());
    bytes[position] ^= 1 << draws.below(8);
}

/// The DER form of any two numbers, in range or not.
fn der(signature: &Compact) -> Vec<u8> {
    let integer = |bytes: &[u8]| {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count().min(31);
        let padding = if bytes[zeros] & 0x80 == 0 { &[][..] } else { &[0] };
        let bytes = [padding, &bytes[zeros..]].concat();
        [&[2, bytes.len() as u8], &bytes[..]].concat()
    };
    let body = [integer(&signature[..32]), integer(&signature[32..])].concat();
    [&[0x30, body.len() as u8], &body[..]].concat()
}

#[test]
fn sign() {
    run::<Sign>();
}

#[test]
fn verify() {
    run::<Verify>();
}

#[test]
fn recover() {
    run::<Recover>();
}
