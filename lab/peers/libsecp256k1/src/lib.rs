//! libsecp256k1 as its users call it: one item at a time by the C API, no wrapper in between.
//!
//! It verifies no batches; the batch operations are its single verification, with keys parsed beforehand where asked.

#[allow(unsafe_code)]
mod ffi;

use ffi::{Context, PublicKey, Signature};
use lab_abi::{
    Description, Inputs, Op, Peer, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, parsing, part, put, records, with_pairs},
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
        let of_ecdsa = move |row: &[u8]| {
            let key = context.parse_key(&row[96..129]);
            (*part::<32>(row, 0), context.parse_signature(part(row, 32)).zip(key))
        };
        let verify_ecdsa = move |(digest, parsed): &([u8; 32], Option<(Signature, PublicKey)>), out: &mut [u8]| {
            out[0] = parsed.as_ref().is_some_and(|(signature, key)| context.verify(digest, signature, key)).into();
        };
        Ok(match (request.op, request.inputs) {
            (Op::VerifyEcdsa, _) => parsing(request, input, move |row: &[u8; 129]| of_ecdsa(row), verify_ecdsa),
            (Op::BatchEcdsa, _) => parsing(request, input, move |row: &[u8; 130]| of_ecdsa(row), verify_ecdsa),
            (Op::VerifySchnorr | Op::BatchSchnorr | Op::BatchSchnorrLifted, inputs) => {
                let inputs = if request.op == Op::BatchSchnorrLifted { Inputs::Parsed } else { inputs };
                parsing(
                    &Request { inputs, ..request.clone() },
                    input,
                    move |row: &[u8; 128]| (*row, context.parse_x_only(part(row, 96))),
                    move |(row, key), out| {
                        let verify = |key| context.verify_schnorr(part(row, 0), part(row, 32), key);
                        out[0] = key.as_ref().is_some_and(verify).into();
                    },
                )
            }
            (Op::Recover, _) => parsing(
                request,
                input,
                move |row: &[u8; 97]| (*part::<32>(row, 0), context.parse_recoverable(part(row, 32), row[96])),
                move |(digest, signature), out| {
                    let key = signature.as_ref().and_then(|signature| context.recover(digest, signature));
                    put(out, key.map(|key| context.compressed(&key)));
                },
            ),
            (Op::Ecdh, _) => parsing(
                request,
                input,
                move |row: &[u8; 65]| (context.parse_key(&row[..33]), *part::<32>(row, 33)),
                move |(key, secret), out| put(out, key.as_ref().map(|key| context.shared_secret(key, secret))),
            ),
            (Op::SignSchnorr, _) => {
                let rows = with_pairs(input, |secret| context.keypair(secret).ok_or("a secret is out of range"))?;
                Prepared::plain(PerRow::new(request, rows, move |(message, keypair, auxiliary), out| {
                    put(out, [context.sign_schnorr(message, keypair, auxiliary)]);
                }))
            }
            (_, Inputs::Parsed) => return Err(not_offered(request)),
            (Op::PublicKey, _) => Prepared::plain(PerRow::new(request, records::<32>(input), move |secret, out| {
                put(out, context.public_key(secret).map(|key| context.compressed(&key)));
            })),
            (Op::SignEcdsa, _) => Prepared::plain(PerRow::new(request, records::<64>(input), move |row, out| {
                put(out, context.sign(part(row, 0), part(row, 32)));
            })),
            (Op::Challenge, _) => Prepared::plain(PerRow::new(request, records::<96>(input), move |row, out| {
                put(out, [context.tagged_hash(b"BIP0340/challenge", row)]);
            })),
            (Op::MakePoint, _) => Prepared::plain(PerRow::new(request, records::<32>(input), move |secret, out| {
                put(out, context.public_key(secret).map(|key| *part::<64>(&context.uncompressed(&key), 1)));
            })),
            (Op::MakeRecoverable, _) => Prepared::plain(PerRow::new(request, records::<64>(input), move |row, out| {
                if let Some((signature, id)) = context.sign_recoverable(part(row, 0), part(row, 32)) {
                    out[..64].copy_from_slice(&signature);
                    out[64] = id;
                }
            })),
            _ => return Err(not_offered(request)),
        })
    }
}
