//! Schemes, one item at a time, as a user without a batch calls them.

use lab_abi::{
    Inputs, Op, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, WithPair, parsing, part, put, records, with_pairs},
};
use phalanx::{
    Backend, Error, Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, bindings::OneThread, ecdh, ecdsa, internals,
    schnorr,
};

/// What single calls run on: the backend that the request names, or what the library takes.
#[derive(Clone, Copy)]
pub(crate) struct Calls(Option<OneThread>);

impl Calls {
    pub(crate) fn of(request: &Request) -> Result<Self, Refusal> {
        let named = request.backend.as_ref().map(|name| name.parse::<Backend>().and_then(OneThread::of));
        named.transpose().map(Calls).map_err(|error| error.to_string())
    }

    /// The name of what runs: one computation gains by the lanes of `ifma` alone.
    pub(crate) fn backend(self) -> String {
        let name =
            |one: OneThread| if one.backend() == Backend::Ifma { one.backend() } else { Backend::Portable }.name();
        self.0.map_or_else(internals::backend_of_single_calls, name).into()
    }

    fn verify_ecdsa(self, digest: &[u8; 32], signature: &ecdsa::Signature, key: &PublicKey) -> bool {
        let done = match self.0 {
            None => ecdsa::verify(digest, signature, key, LowS::Require),
            Some(one) => one.verify_ecdsa(digest, signature, key, LowS::Require),
        };
        done.is_ok()
    }

    fn verify_schnorr(self, message: &[u8], signature: &schnorr::Signature, key: &XOnlyPublicKey) -> bool {
        let done = match self.0 {
            None => schnorr::verify(message, signature, key),
            Some(one) => one.verify_schnorr(message, signature, key),
        };
        done.is_ok()
    }

    pub(crate) fn recover(
        self,
        digest: &[u8; 32],
        signature: &ecdsa::Signature,
        id: ecdsa::RecoveryId,
    ) -> Result<PublicKey, Error> {
        match self.0 {
            None => ecdsa::recover(digest, signature, id),
            Some(one) => one.recover(digest, signature, id),
        }
    }

    fn shared_secret(self, key: &PublicKey, secret: &SecretKey) -> [u8; 32] {
        self.0.map_or_else(|| ecdh::shared_secret(key, secret), |one| one.shared_secret(key, secret))
    }

    fn sign_schnorr(self, message: &[u8], pair: &Keypair, random: &[u8; 32]) -> schnorr::Signature {
        match self.0 {
            None => schnorr::sign(message, pair, random),
            Some(one) => one.sign_schnorr(message, pair, random),
        }
    }

    fn sign_ecdsa(self, digest: &[u8; 32], secret: &SecretKey) -> ecdsa::Signature {
        self.0.map_or_else(|| ecdsa::sign(digest, secret), |one| one.sign_ecdsa(digest, secret))
    }

    fn public_key(self, secret: &SecretKey) -> PublicKey {
        self.0.map_or_else(|| secret.public_key(), |one| one.public_key(secret))
    }
}

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let calls = Calls::of(request)?;
    let prepared = match (request.op, request.inputs) {
        (Op::VerifyEcdsa, _) => {
            verify_ecdsa(request, input, move |digest, signature, key| calls.verify_ecdsa(digest, signature, key))
        }
        (Op::VerifySchnorr, _) => {
            verify_schnorr(request, input, move |message, signature, key| calls.verify_schnorr(message, signature, key))
        }
        (Op::Recover, _) => parsing(
            request,
            input,
            |row: &[u8; 97]| {
                let signature = ecdsa::Signature::from_compact(&row[32..96]).ok();
                (*part::<32>(row, 0), signature.zip(ecdsa::RecoveryId::from_u8(row[96]).ok()))
            },
            move |(digest, parsed), out| {
                let recover = |(signature, id): &(_, _)| calls.recover(digest, signature, *id).ok();
                put(out, parsed.as_ref().and_then(recover).map(|key| key.to_bytes()));
            },
        ),
        (Op::Ecdh, _) => parsing(
            request,
            input,
            |row: &[u8; 65]| {
                PublicKey::from_bytes(&row[..33]).ok().zip(SecretKey::from_bytes(part::<32>(row, 33)).ok())
            },
            move |parsed, out| put(out, parsed.as_ref().map(|(key, secret)| calls.shared_secret(key, secret))),
        ),
        (Op::SignSchnorr, _) => {
            Prepared::plain(PerRow::new(request, keypairs(input)?, move |(message, pair, random), out| {
                put(out, [calls.sign_schnorr(message, pair, random).to_bytes()]);
            }))
        }
        (_, Inputs::Parsed) => return Err(not_offered(request)),
        (Op::PublicKey, _) => Prepared::plain(PerRow::new(request, records::<32>(input), move |secret, out| {
            put(out, SecretKey::from_bytes(secret).map(|secret| calls.public_key(&secret).to_bytes()));
        })),
        (Op::SignEcdsa, _) => Prepared::plain(PerRow::new(request, records::<64>(input), move |row, out| {
            let sign = |secret| calls.sign_ecdsa(part(row, 0), &secret).to_compact();
            put(out, SecretKey::from_bytes(part::<32>(row, 32)).map(sign));
        })),
        _ => return Err(not_offered(request)),
    };
    Ok(Prepared { backend: calls.backend(), ..prepared })
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
