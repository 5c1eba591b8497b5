//! libsecp256k1 as its users call it: one item at a time by the C API, no wrapper in between.
//!
//! It verifies no batches; the batch operations are its single verification, with keys parsed beforehand where asked.

#[allow(unsafe_code)]
mod ffi;

use ffi::Context;
use lab_abi::{
    Description, Inputs, Op, Peer, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, part, put, records, with_pairs},
};

struct Libsecp256k1;

lab_abi::export_peer!(Libsecp256k1);

impl Peer for Libsecp256k1 {
    const TAKES_PARSED: bool = true;

    fn describe() -> Description {
        Description { version: env!("LAB_LIBSECP256K1_VERSION").into(), flags: env!("LAB_C_BUILD").into() }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        let context = Context::new();
        match request.inputs {
            Inputs::Encoded => encoded(context, request, input),
            Inputs::Parsed => parsed(context, request, input),
        }
    }
}

fn encoded(context: Context, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    Ok(match request.op {
        Op::VerifyEcdsa => Prepared::plain(PerRow::new(request, records::<129>(input), move |row, out| {
            verify_ecdsa(context, row, out)
        })),
        Op::BatchEcdsa => Prepared::plain(PerRow::new(request, records::<130>(input), move |row, out| {
            verify_ecdsa(context, row, out)
        })),
        Op::VerifySchnorr | Op::BatchSchnorr => {
            Prepared::plain(PerRow::new(request, records::<128>(input), move |row, out| {
                let key = context.parse_x_only(part(row, 96));
                out[0] = key.is_some_and(|key| context.verify_schnorr(part(row, 0), part(row, 32), &key)).into();
            }))
        }
        Op::Recover => Prepared::plain(PerRow::new(request, records::<97>(input), move |row, out| {
            let signature = context.parse_recoverable(part(row, 32), row[96]);
            let key = signature.and_then(|signature| context.recover(part(row, 0), &signature));
            put(out, key.map(|key| context.compressed(&key)));
        })),
        Op::PublicKey => Prepared::plain(PerRow::new(request, records::<32>(input), move |secret, out| {
            put(out, context.public_key(secret).map(|key| context.compressed(&key)));
        })),
        Op::SignEcdsa => Prepared::plain(PerRow::new(request, records::<64>(input), move |row, out| {
            put(out, context.sign(part(row, 0), part(row, 32)));
        })),
        Op::SignSchnorr => return sign_schnorr(context, request, input),
        Op::Ecdh => Prepared::plain(PerRow::new(request, records::<65>(input), move |row, out| {
            put(out, context.parse_key(&row[..33]).map(|key| context.shared_secret(&key, part(row, 33))));
        })),
        Op::Challenge => Prepared::plain(PerRow::new(request, records::<96>(input), move |row, out| {
            put(out, Some(context.tagged_hash(b"BIP0340/challenge", row)));
        })),
        Op::MakePoint => Prepared::plain(PerRow::new(request, records::<32>(input), move |secret, out| {
            put(out, context.public_key(secret).map(|key| *part::<64>(&context.uncompressed(&key), 1)));
        })),
        Op::MakeRecoverable => Prepared::plain(PerRow::new(request, records::<64>(input), move |row, out| {
            if let Some((signature, id)) = context.sign_recoverable(part(row, 0), part(row, 32)) {
                out[..64].copy_from_slice(&signature);
                out[64] = id;
            }
        })),
        Op::BatchSchnorrLifted => return parsed(context, request, input),
        _ => return Err(not_offered(request)),
    })
}

#[inline(always)]
fn verify_ecdsa(context: Context, row: &[u8], out: &mut [u8]) {
    let key = context.parse_key(&row[96..129]);
    let signature = context.parse_signature(part(row, 32));
    out[0] = match (key, signature) {
        (Some(key), Some(signature)) => context.verify(part(row, 0), &signature, &key).into(),
        _ => 0,
    };
}

fn sign_schnorr(context: Context, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let rows = with_pairs(input, |secret| context.keypair(secret).ok_or("a secret is out of range"))?;
    Ok(Prepared::plain(PerRow::new(request, rows, move |(message, keypair, auxiliary), out| {
        put(out, Some(context.sign_schnorr(message, keypair, auxiliary)));
    })))
}

fn parsed(context: Context, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    Ok(match request.op {
        Op::VerifyEcdsa | Op::BatchEcdsa => {
            let parse = |row: &[u8]| {
                let key = context.parse_key(&row[96..129]);
                (*part::<32>(row, 0), context.parse_signature(part(row, 32)).zip(key))
            };
            let rows = input.chunks_exact(request.op.row_bytes()).map(parse).collect();
            Prepared::plain(PerRow::new(request, rows, move |(digest, parsed), out| {
                out[0] = parsed.as_ref().is_some_and(|(signature, key)| context.verify(digest, signature, key)).into();
            }))
        }
        Op::VerifySchnorr | Op::BatchSchnorr | Op::BatchSchnorrLifted => {
            let parse = |row: [u8; 128]| (row, context.parse_x_only(part(&row, 96)));
            let rows = records::<128>(input).into_iter().map(parse).collect();
            Prepared::plain(PerRow::new(request, rows, move |(row, key), out| {
                let verify = |key| context.verify_schnorr(part(row, 0), part(row, 32), key);
                out[0] = key.as_ref().is_some_and(verify).into();
            }))
        }
        Op::Recover => {
            let parse = |row: [u8; 97]| (*part::<32>(&row, 0), context.parse_recoverable(part(&row, 32), row[96]));
            let rows = records::<97>(input).into_iter().map(parse).collect();
            Prepared::plain(PerRow::new(request, rows, move |(digest, signature), out| {
                let key = signature.as_ref().and_then(|signature| context.recover(digest, signature));
                put(out, key.map(|key| context.compressed(&key)));
            }))
        }
        Op::Ecdh => {
            let parse = |row: [u8; 65]| (context.parse_key(&row[..33]), *part::<32>(&row, 33));
            let rows = records::<65>(input).into_iter().map(parse).collect();
            Prepared::plain(PerRow::new(request, rows, move |(key, secret), out| {
                put(out, key.as_ref().map(|key| context.shared_secret(key, secret)));
            }))
        }
        Op::SignSchnorr => return sign_schnorr(context, request, input),
        _ => return Err(not_offered(request)),
    })
}
