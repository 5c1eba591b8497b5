//! The crate secp256k1 as people call it: its functions with the global context.

use lab_abi::{
    Description, Op, Peer, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, part, records},
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
                let share = || {
                    let key = PublicKey::from_slice(&row[..33])?;
                    let secret = SecretKey::from_secret_bytes(*part(row, 33))?;
                    Ok(SharedSecret::new(&key, &secret).to_secret_bytes())
                };
                put(out, share());
            })),
            Op::SignSchnorr => return sign_schnorr(request, input),
            Op::Derive => return derive::prepare(request, input),
            Op::Scan => return scan::prepare(request, input),
            _ => return Err(not_offered(request)),
        })
    }
}

/// Writes a result, or zeros where there is none.
#[inline(always)]
fn put<const N: usize>(out: &mut [u8], result: Result<[u8; N], Error>) {
    out.copy_from_slice(&result.unwrap_or([0; N]));
}

fn recoverable(row: &[u8]) -> Result<RecoverableSignature, Error> {
    RecoverableSignature::from_compact(&row[32..96], RecoveryId::try_from(i32::from(row[96]))?)
}

fn sign_schnorr(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let parse = |row: [u8; 96]| {
        let keypair = Keypair::from_secret_bytes(*part(&row, 32)).map_err(|error| error.to_string())?;
        Ok::<_, Refusal>((*part::<32>(&row, 0), keypair, *part::<32>(&row, 64)))
    };
    let rows = records::<96>(input).into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    Ok(Prepared::plain(PerRow::new(request, rows, |(message, keypair, auxiliary), out| {
        put(out, Ok(schnorr::sign_with_aux_rand(message, keypair, auxiliary).to_byte_array()));
    })))
}
