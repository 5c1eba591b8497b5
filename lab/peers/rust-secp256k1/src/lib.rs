//! The crate secp256k1 as people call it: its functions with the global context.

use lab_abi::{
    Description, Op, Peer, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, part, put, records, with_pairs},
};
use secp256k1::{
    Error, Keypair, Message, PublicKey, SecretKey, XOnlyPublicKey,
    ecdh::SharedSecret,
    ecdsa::{self, RecoverableSignature, RecoveryId, Signature},
    schnorr,
};

mod derive;
mod scan;

struct RustSecp256k1;

lab_abi::export_peer!(RustSecp256k1);

impl Peer for RustSecp256k1 {
    fn describe() -> Description {
        Description {
            version: "0.33.1".into(),
            flags: format!(
                "{}; its C by {}; features std, recovery; hashes by sha2 0.11 and ripemd 0.2",
                lab_abi::RUST_BUILD,
                lab_abi::C_FLAGS
            ),
        }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        Ok(match request.op {
            Op::VerifyEcdsa => Prepared::plain(PerRow::new(request, records::<129>(input), |row, out| {
                let verify = || {
                    let key = PublicKey::from_slice(&row[96..])?;
                    Signature::from_compact(&row[32..96])?.verify(Message::from_digest(*part(row, 0)), &key)
                };
                out[0] = verify().is_ok().into();
            })),
            Op::VerifySchnorr => Prepared::plain(PerRow::new(request, records::<128>(input), |row, out| {
                let verify = || {
                    let key = XOnlyPublicKey::from_byte_array(*part(row, 96))?;
                    schnorr::Signature::from_byte_array(*part(row, 32)).verify(&row[..32], &key)
                };
                out[0] = verify().is_ok().into();
            })),
            Op::Recover => Prepared::plain(PerRow::new(request, records::<97>(input), |row, out| {
                let recover = || recoverable(row)?.recover_ecdsa(Message::from_digest(*part(row, 0)));
                put(out, recover().map(|key| key.serialize()));
            })),
            Op::PublicKey => Prepared::plain(PerRow::new(request, records::<32>(input), |secret, out| {
                put(out, SecretKey::from_secret_bytes(*secret).map(|secret| secret.public_key().serialize()));
            })),
            Op::SignEcdsa => Prepared::plain(PerRow::new(request, records::<64>(input), |row, out| {
                let sign = |secret| ecdsa::sign(Message::from_digest(*part(row, 0)), &secret).serialize_compact();
                put(out, SecretKey::from_secret_bytes(*part(row, 32)).map(sign));
            })),
            Op::Ecdh => Prepared::plain(PerRow::new(request, records::<65>(input), |row, out| {
                let share = || -> Result<_, Error> {
                    let key = PublicKey::from_slice(&row[..33])?;
                    let secret = SecretKey::from_secret_bytes(*part(row, 33))?;
                    Ok(SharedSecret::new(&key, &secret).to_secret_bytes())
                };
                put(out, share().ok());
            })),
            Op::SignSchnorr => return sign_schnorr(request, input),
            Op::Derive => return derive::prepare(request, input),
            Op::Scan => return scan::prepare(request, input),
            _ => return Err(not_offered(request)),
        })
    }
}

fn recoverable(row: &[u8]) -> Result<RecoverableSignature, Error> {
    RecoverableSignature::from_compact(&row[32..96], RecoveryId::try_from(i32::from(row[96]))?)
}

fn sign_schnorr(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let rows = with_pairs(input, |secret| Keypair::from_secret_bytes(*secret))?;
    Ok(Prepared::plain(PerRow::new(request, rows, |(message, keypair, auxiliary), out| {
        put(out, [schnorr::sign_with_aux_rand(message, keypair, auxiliary).to_byte_array()]);
    })))
}
