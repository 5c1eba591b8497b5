//! Schemes, one item at a time, as a user without a batch calls them.

use lab_abi::{
    Inputs, Op, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, WithPair, parsing, part, put, records, with_pairs},
};
use phalanx::{Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, schnorr};

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let prepared = match (request.op, request.inputs) {
        (Op::VerifyEcdsa, _) => verify_ecdsa(request, input, |digest, signature, key| {
            ecdsa::verify(digest, signature, key, LowS::Require).is_ok()
        }),
        (Op::VerifySchnorr, _) => {
            verify_schnorr(request, input, |message, signature, key| schnorr::verify(message, signature, key).is_ok())
        }
        (Op::Recover, _) => parsing(
            request,
            input,
            |row: &[u8; 97]| {
                let signature = ecdsa::Signature::from_compact(&row[32..96]).ok();
                (*part::<32>(row, 0), signature.zip(ecdsa::RecoveryId::from_u8(row[96]).ok()))
            },
            |(digest, parsed), out| {
                let recover = |(signature, id): &(_, _)| ecdsa::recover(digest, signature, *id).ok();
                put(out, parsed.as_ref().and_then(recover).map(|key| key.to_bytes()));
            },
        ),
        (Op::Ecdh, _) => parsing(
            request,
            input,
            |row: &[u8; 65]| PublicKey::from_bytes(&row[..33]).ok().zip(SecretKey::from_bytes(part(row, 33)).ok()),
            |parsed, out| put(out, parsed.as_ref().map(|(key, secret)| ecdh::shared_secret(key, secret))),
        ),
        (Op::SignSchnorr, _) => {
            Prepared::plain(PerRow::new(request, keypairs(input)?, |(message, pair, random), out| {
                put(out, [schnorr::sign(message, pair, random).to_bytes()]);
            }))
        }
        (_, Inputs::Parsed) => return Err(not_offered(request)),
        (Op::PublicKey, _) => Prepared::plain(PerRow::new(request, records::<32>(input), |secret, out| {
            put(out, SecretKey::from_bytes(secret).map(|secret| secret.public_key().to_bytes()));
        })),
        (Op::SignEcdsa, _) => Prepared::plain(PerRow::new(request, records::<64>(input), |row, out| {
            let sign = |secret| ecdsa::sign(part(row, 0), &secret).to_compact();
            put(out, SecretKey::from_bytes(part(row, 32)).map(sign));
        })),
        _ => return Err(not_offered(request)),
    };
    Ok(Prepared { backend: phalanx::internals::backend_of_single_calls().into(), ..prepared })
}

/// Verdicts on rows of ECDSA by a function.
pub(crate) fn verify_ecdsa(
    request: &Request,
    input: &[u8],
    verify: impl Fn(&[u8; 32], &ecdsa::Signature, &PublicKey) -> bool + Sync + 'static,
) -> Prepared {
    let parse = |row: &[u8; 129]| {
        let signature = ecdsa::Signature::from_compact(&row[32..96]).ok();
        (*part::<32>(row, 0), signature.zip(PublicKey::from_bytes(&row[96..]).ok()))
    };
    parsing(request, input, parse, move |(digest, parsed), out| {
        out[0] = parsed.as_ref().is_some_and(|(signature, key)| verify(digest, signature, key)).into();
    })
}

/// Verdicts on rows of BIP-340 by a function.
pub(crate) fn verify_schnorr(
    request: &Request,
    input: &[u8],
    verify: impl Fn(&[u8; 32], &schnorr::Signature, &XOnlyPublicKey) -> bool + Sync + 'static,
) -> Prepared {
    let parse = |row: &[u8; 128]| {
        let signature = schnorr::Signature::from_bytes(&row[32..96]).ok();
        (*part::<32>(row, 0), signature.zip(XOnlyPublicKey::from_bytes(&row[96..]).ok()))
    };
    parsing(request, input, parse, move |(message, parsed), out| {
        out[0] = parsed.as_ref().is_some_and(|(signature, key)| verify(message, signature, key)).into();
    })
}

/// The rows of BIP-340 signing.
pub(crate) fn keypairs(input: &[u8]) -> Result<Vec<WithPair<Keypair>>, Refusal> {
    with_pairs(input, |secret| SecretKey::from_bytes(secret).map(Keypair::from_secret))
}
