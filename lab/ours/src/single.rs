//! Schemes, one item at a time, as a user without a batch calls them.

use lab_abi::{
    Inputs, Op, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, part, put, records, with_pairs},
};
use phalanx::{Error, Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, schnorr};

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let mut prepared = match request.inputs {
        Inputs::Encoded => encoded(request, input),
        Inputs::Parsed => parsed(request, input),
    }?;
    prepared.backend = phalanx::internals::backend_of_single_calls().into();
    Ok(prepared)
}

fn encoded(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    Ok(match request.op {
        Op::VerifyEcdsa => Prepared::plain(PerRow::new(request, records::<129>(input), |row, out| {
            let verify = || {
                let key = PublicKey::from_bytes(&row[96..])?;
                ecdsa::verify(part(row, 0), &ecdsa::Signature::from_compact(&row[32..96])?, &key, LowS::Require)
            };
            out[0] = verify().is_ok().into();
        })),
        Op::VerifySchnorr => Prepared::plain(PerRow::new(request, records::<128>(input), |row, out| {
            let verify = || {
                let key = XOnlyPublicKey::from_bytes(&row[96..])?;
                schnorr::verify(&row[..32], &schnorr::Signature::from_bytes(&row[32..96])?, &key)
            };
            out[0] = verify().is_ok().into();
        })),
        Op::Recover => Prepared::plain(PerRow::new(request, records::<97>(input), |row, out| {
            let recover = || {
                let id = ecdsa::RecoveryId::from_u8(row[96])?;
                ecdsa::recover(part(row, 0), &ecdsa::Signature::from_compact(&row[32..96])?, id)
            };
            put(out, recover().map(|key| key.to_bytes()));
        })),
        Op::PublicKey => Prepared::plain(PerRow::new(request, records::<32>(input), |secret, out| {
            put(out, SecretKey::from_bytes(secret).map(|secret| secret.public_key().to_bytes()));
        })),
        Op::SignEcdsa => Prepared::plain(PerRow::new(request, records::<64>(input), |row, out| {
            let sign = |secret| ecdsa::sign(part(row, 0), &secret).to_compact();
            put(out, SecretKey::from_bytes(part(row, 32)).map(sign));
        })),
        Op::Ecdh => Prepared::plain(PerRow::new(request, records::<65>(input), |row, out| {
            let share = || -> Result<_, Error> {
                let key = PublicKey::from_bytes(&row[..33])?;
                Ok(ecdh::shared_secret(&key, &SecretKey::from_bytes(part(row, 33))?))
            };
            put(out, share());
        })),
        Op::SignSchnorr => return sign_schnorr(request, input),
        _ => return Err(not_offered(request)),
    })
}

fn sign_schnorr(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let rows = keypairs(input)?;
    Ok(Prepared::plain(PerRow::new(request, rows, |(message, pair, auxiliary), out| {
        put(out, [schnorr::sign(message, pair, auxiliary).to_bytes()]);
    })))
}

/// The rows of BIP-340 signing: message, key pair, auxiliary randomness.
pub(crate) fn keypairs(input: &[u8]) -> Result<Vec<([u8; 32], Keypair, [u8; 32])>, Refusal> {
    with_pairs(input, |secret| SecretKey::from_bytes(secret).map(Keypair::from_secret))
}

fn parsed(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    Ok(match request.op {
        Op::VerifyEcdsa => {
            let parse = |row: [u8; 129]| {
                let signature = ecdsa::Signature::from_compact(&row[32..96]).ok();
                (*part::<32>(&row, 0), signature.zip(PublicKey::from_bytes(&row[96..]).ok()))
            };
            let rows = records::<129>(input).into_iter().map(parse).collect();
            Prepared::plain(PerRow::new(request, rows, |(digest, parsed), out| {
                let verify =
                    |(signature, key): &(_, PublicKey)| ecdsa::verify(digest, signature, key, LowS::Require).is_ok();
                out[0] = parsed.as_ref().is_some_and(verify).into();
            }))
        }
        Op::VerifySchnorr => {
            let parse = |row: [u8; 128]| {
                let signature = schnorr::Signature::from_bytes(&row[32..96]).ok();
                (*part::<32>(&row, 0), signature.zip(XOnlyPublicKey::from_bytes(&row[96..]).ok()))
            };
            let rows = records::<128>(input).into_iter().map(parse).collect();
            Prepared::plain(PerRow::new(request, rows, |(message, parsed), out| {
                let verify = |(signature, key): &(_, XOnlyPublicKey)| schnorr::verify(message, signature, key).is_ok();
                out[0] = parsed.as_ref().is_some_and(verify).into();
            }))
        }
        Op::Recover => {
            let parse = |row: [u8; 97]| {
                let signature = ecdsa::Signature::from_compact(&row[32..96]).ok();
                (*part::<32>(&row, 0), signature.zip(ecdsa::RecoveryId::from_u8(row[96]).ok()))
            };
            let rows = records::<97>(input).into_iter().map(parse).collect();
            Prepared::plain(PerRow::new(request, rows, |(digest, parsed), out| {
                let recover = |(signature, id): &(_, _)| ecdsa::recover(digest, signature, *id);
                put(out, parsed.as_ref().ok_or(Error::OutOfRange).and_then(recover).map(|key| key.to_bytes()));
            }))
        }
        Op::Ecdh => {
            let parse =
                |row: [u8; 65]| PublicKey::from_bytes(&row[..33]).ok().zip(SecretKey::from_bytes(part(&row, 33)).ok());
            let rows = records::<65>(input).into_iter().map(parse).collect();
            Prepared::plain(PerRow::new(request, rows, |parsed, out| {
                let share = |(key, secret): &(_, _)| ecdh::shared_secret(key, secret);
                put(out, parsed.as_ref().map(share).ok_or(Error::BadPublicKey));
            }))
        }
        Op::SignSchnorr => return sign_schnorr(request, input),
        _ => return Err(not_offered(request)),
    })
}
