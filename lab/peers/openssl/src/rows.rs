//! The operations on rows, for either curve.

use crate::ffi::{Curve, Group, Key, Signature};
use lab_abi::{
    Inputs, Op, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, parsing, part, put, records},
};

pub(crate) fn prepare(group: Group, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let curve = Curve::new(group)?;
    Ok(match (request.op, request.inputs) {
        (Op::VerifyEcdsa, _) => parsing(
            request,
            input,
            move |row: &[u8; 129]| {
                let signature = Signature::read(part(row, 32));
                (*part::<32>(row, 0), signature.zip(Key::of_point(curve, part(row, 96))))
            },
            |(digest, parsed), out| {
                out[0] = parsed.as_ref().is_some_and(|(signature, key)| key.verifies(digest, signature)).into();
            },
        ),
        (Op::SignEcdsa, Inputs::Encoded) => {
            Prepared::plain(PerRow::new(request, records::<64>(input), move |row, out| {
                let signature = Key::of_secret(curve, part(row, 32)).and_then(|key| key.sign(part(row, 0)));
                put(out, signature);
            }))
        }
        (Op::PublicKey, Inputs::Encoded) => {
            Prepared::plain(PerRow::new(request, records::<32>(input), move |secret, out| {
                put(out, curve.public_key(secret));
            }))
        }
        _ => return Err(not_offered(request)),
    })
}
