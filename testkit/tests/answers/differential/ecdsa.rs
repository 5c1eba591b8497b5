//! ECDSA: signing, verification, recovery.

use super::keys::{oracle_secret, secret};
use super::operation::{Operation, run};
use k256::elliptic_curve::PrimeField;
use k256::elliptic_curve::ops::Reduce;
use k256::elliptic_curve::point::AffineCoordinates;
use k256::{ProjectivePoint, Scalar, ecdsa::signature::hazmat::PrehashVerifier};
use phalanx::ecdsa::{RecoverRow, Row, SignatureRef};
use phalanx::{LowS, PublicKeyRef, Verdict, ecdsa};
use phalanx_testkit::der;
use phalanx_testkit::draws::{Draws, PRIME_MINUS_ORDER};
use phalanx_testkit::surface::{Surface, Verifier, surfaces, verifiers};
use secp256k1::{self as oracle, Message};

/// The signature in compact form.
type Compact = [u8; 64];

/// Of a digest and a secret key; the answer has the recovery id too.
#[test]
fn sign() {
    run(&Operation::<([u8; 32], [u8; 32]), Option<(Compact, u8)>, dyn Surface> {
        name: "ECDSA sign",
        surfaces,
        draw: |draws| (draws.number(), draws.scalar()),
        libsecp256k1: |(digest, secret)| {
            let (message, secret) = (Message::from_digest(*digest), oracle_secret(secret));
            let signature = oracle::ecdsa::RecoverableSignature::sign_ecdsa_recoverable(message, &secret);
            let (id, compact) = signature.serialize_compact();
            Some((compact, u8::from(id)))
        },
        k256: |(digest, secret)| {
            let (signature, id) = k256::ecdsa::SigningKey::from_slice(secret).ok()?.sign_prehash_recoverable(digest);
            Some((signature.to_bytes().into(), id.to_byte()))
        },
        phalanx: |surface, cases| {
            let (digests, keys): (Vec<_>, Vec<_>) = cases.iter().map(|(digest, key)| (*digest, secret(key))).unzip();
            let recoverable = digests.iter().zip(&keys).map(|(digest, key)| ecdsa::sign_recoverable(digest, key));
            let signatures = surface.sign_ecdsa(&digests, &keys).into_iter().zip(recoverable);
            let same = signatures.inspect(|(signature, (recoverable, _))| assert_eq!(signature, recoverable));
            same.map(|(signature, (_, id))| Some((signature.to_compact(), id.to_u8()))).collect()
        },
    });
}

#[derive(Debug)]
struct Claim {
    digest: [u8; 32],
    signature: Compact,
    der: bool,
    public: Vec<u8>,
    low_s: LowS,
}

impl Claim {
    fn draw(draws: &mut Draws) -> Claim {
        let (mut digest, mut signature, secret) = signed(draws);
        let key = oracle_secret(&secret).public_key();
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
        Claim { digest, signature, der: draws.byte() & 1 == 0, public, low_s }
    }

    fn row<'a>(&'a self, der: &'a [u8]) -> Row<'a> {
        let signature = if self.der { SignatureRef::Der(der) } else { SignatureRef::Compact(&self.signature) };
        Row { digest: &self.digest, signature, public_key: PublicKeyRef::Encoded(&self.public) }
    }
}

#[test]
fn verify() {
    run(&Operation::<Claim, Verdict, dyn Verifier> {
        name: "ECDSA verify",
        surfaces: verifiers,
        draw: Claim::draw,
        libsecp256k1: |claim| {
            let mut signature = oracle::ecdsa::Signature::from_compact(&claim.signature).ok()?;
            if claim.low_s == LowS::Allow {
                signature.normalize_s();
            }
            let public = oracle::PublicKey::from_slice(&claim.public).ok()?;
            public.verify(Message::from_digest(claim.digest), &signature).ok()
        },
        k256: |claim| {
            let signature = k256::ecdsa::Signature::from_slice(&claim.signature).ok()?;
            let signature = if claim.low_s == LowS::Allow { signature.normalize_s() } else { signature };
            let public = k256::ecdsa::VerifyingKey::from_sec1_bytes(&claim.public).ok()?;
            public.verify_prehash(&claim.digest, &signature).ok()
        },
        phalanx: |surface, cases| {
            let ders: Vec<_> = cases.iter().map(|case| der::encode(&case.signature)).collect();
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
        },
    });
}

/// Digest, signature, recovery id.
type Recovery = ([u8; 32], Compact, u8);

fn recovery(draws: &mut Draws) -> Recovery {
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
    (digest, signature, id)
}

/// The answer is the key, compressed.
#[test]
fn recover() {
    run(&Operation::<Recovery, Result<[u8; 33], phalanx::Error>, dyn Surface> {
        name: "ECDSA recover",
        surfaces,
        draw: recovery,
        libsecp256k1: |(digest, signature, id)| {
            let id = oracle::ecdsa::RecoveryId::try_from(i32::from(*id)).expect("0 to 3");
            let signature = oracle::ecdsa::RecoverableSignature::from_compact(signature, id).ok()?;
            Some(signature.recover_ecdsa(Message::from_digest(*digest)).ok()?.serialize())
        },
        k256: |(digest, signature, id)| {
            let signature = k256::ecdsa::Signature::from_slice(signature).ok()?;
            // It takes low s only; (r, -s) belongs to the point's negative.
            let normalized = signature.normalize_s();
            let id = k256::ecdsa::RecoveryId::from_byte(id ^ u8::from(normalized != signature)).expect("0 to 3");
            let key = k256::ecdsa::VerifyingKey::recover_from_prehash(digest, &normalized, id).ok()?;
            key.to_sec1_point(true).as_bytes().try_into().ok()
        },
        phalanx: |surface, cases| {
            let rows = cases.iter().map(|(digest, signature, id)| RecoverRow {
                digest,
                signature: SignatureRef::Compact(signature),
                recovery_id: *id,
            });
            let keys = surface.recover(&rows.collect::<Vec<_>>());
            keys.into_iter().map(|key| key.map(|key| key.to_bytes())).collect()
        },
    });
}

/// A digest, a signature of it that is valid, perhaps with high s, and its secret key. Half the time it comes from
/// signing, half the time from chosen u1 and u2, so that the two factors of the equation lie on edges as well.
fn signed(draws: &mut Draws) -> ([u8; 32], Compact, [u8; 32]) {
    let secret = draws.scalar();
    let constructed = if draws.byte() & 1 == 0 { construct(draws, &secret) } else { None };
    let (digest, mut signature) = constructed.unwrap_or_else(|| {
        let digest = draws.number();
        (digest, oracle::ecdsa::sign(Message::from_digest(digest), &oracle_secret(&secret)).serialize_compact())
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
