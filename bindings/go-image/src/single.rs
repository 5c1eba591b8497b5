//! Operations on one item.

use crate::{
    call::{
        ELLSWIFT_CREATE, ELLSWIFT_DECODE, ELLSWIFT_ENCODE, ELLSWIFT_SECRET, FLAG_ALLOW_HIGH_S, FLAG_LAX, FLAG_NEGATE,
        FLAG_RESPONDER, MUSIG_NONCE, MUSIG_SIGN, NEGATE_SECRET, PUBLIC_KEY, READ_COMPACT, READ_DER, READ_PUBLIC_KEY,
        READ_X_ONLY, RECOVER, SHARED_SECRET, SIGN_ECDSA, SIGN_SCHNORR, SILENT_LABEL, SILENT_TWEAK, TWEAK_PUBLIC,
        TWEAK_SECRET, VERIFY_ECDSA, VERIFY_SCHNORR,
    },
    ffi::Given,
    stack::cleared,
};
use phalanx::{
    Error, LowS, PublicKey, Scalar, SecretKey, Verdict, XOnlyPublicKey,
    bindings::{
        BuiltIn, OneThread, declassify, hasher,
        payments::{Outputs, Row, label_tweak, output_tweak},
        scalar_of, tags,
    },
    ecdsa::{self, RecoveryId},
    ellswift::{self, ElligatorSwift, Party},
    schnorr,
};
use phalanx_musig::bindings as musig;
use zeroize::Zeroize;

/// Why there is no result: what is wrong with a value, or with the call.
enum Failure {
    Value(Error),
    Call(u32),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Value(error)
    }
}

impl From<u32> for Failure {
    fn from(status: u32) -> Self {
        Failure::Call(status)
    }
}

/// Bytes of stack that an operation on secrets is taken to use here and in hashes of a nonce of MuSig2, which do not clear
/// it. The library's other work on secrets overwrites what it uses.
const STACK: usize = 4 << 10;

/// The operation's verdict, or that the call cannot be. None where the number is that of no operation on one item.
pub(crate) fn run(given: Given<'_>, one: OneThread) -> Option<u32> {
    match given.call().operation {
        PUBLIC_KEY | SIGN_ECDSA | SIGN_SCHNORR | SHARED_SECRET | TWEAK_SECRET | NEGATE_SECRET | ELLSWIFT_CREATE
        | ELLSWIFT_SECRET | MUSIG_NONCE | MUSIG_SIGN | SILENT_LABEL | SILENT_TWEAK => {
            cleared::<STACK, _>(|| compute(given, one))
        }
        _ => compute(given, one),
    }
}

fn compute(given: Given<'_>, one: OneThread) -> Option<u32> {
    let done = match given.call().operation {
        PUBLIC_KEY => public_key(given, one),
        READ_PUBLIC_KEY => read_public_key(given),
        READ_X_ONLY => read_x_only(given),
        READ_DER => read_der(given),
        READ_COMPACT => read_compact(given),
        SIGN_ECDSA => sign_ecdsa(given, one),
        VERIFY_ECDSA => verify_ecdsa(given, one),
        RECOVER => recover(given, one),
        SIGN_SCHNORR => sign_schnorr(given, one),
        VERIFY_SCHNORR => verify_schnorr(given, one),
        SHARED_SECRET => shared_secret(given, one),
        TWEAK_PUBLIC => tweak_public(given),
        TWEAK_SECRET => tweak_secret(given),
        NEGATE_SECRET => negate_secret(given),
        ELLSWIFT_CREATE => ellswift_create(given),
        ELLSWIFT_ENCODE => ellswift_encode(given),
        ELLSWIFT_DECODE => ellswift_decode(given),
        ELLSWIFT_SECRET => ellswift_secret(given),
        MUSIG_NONCE => musig_nonce(given),
        MUSIG_SIGN => musig_sign(given),
        SILENT_LABEL => silent_label(given),
        SILENT_TWEAK => silent_tweak(given, one),
        _ => return None,
    };
    Some(match done {
        Ok(()) => Verdict::Valid as u32,
        Err(Failure::Value(error)) => Verdict::from(error) as u32,
        Err(Failure::Call(status)) => status,
    })
}

/// The policy that the flags of a call ask for.
pub(crate) fn policy(flags: u32) -> LowS {
    if flags & FLAG_ALLOW_HIGH_S == 0 { LowS::Require } else { LowS::Allow }
}

fn secret(given: Given<'_>, input: usize) -> Result<SecretKey, Failure> {
    Ok(SecretKey::from_bytes(given.array::<32>(input)?)?)
}

/// Writes what is secret from a place that is wiped.
fn write_secret(given: Given<'_>, mut bytes: [u8; 32]) -> Result<(), Failure> {
    let written = given.write(0, 0, &bytes);
    bytes.zeroize();
    Ok(written?)
}

fn public_key(given: Given<'_>, one: OneThread) -> Result<(), Failure> {
    let key = one.public_key(&secret(given, 0)?);
    Ok(given.write(0, 0, &key.to_bytes_uncompressed())?)
}

fn read_public_key(given: Given<'_>) -> Result<(), Failure> {
    let key = PublicKey::from_bytes(given.bytes(0)?)?;
    Ok(given.write(0, 0, &key.to_bytes_uncompressed())?)
}

fn read_x_only(given: Given<'_>) -> Result<(), Failure> {
    let key = XOnlyPublicKey::from_bytes(given.bytes(0)?)?.public_key();
    Ok(given.write(0, 0, &key.to_bytes_uncompressed())?)
}

fn read_der(given: Given<'_>) -> Result<(), Failure> {
    let lax = given.call().flags & FLAG_LAX != 0;
    let bytes = given.bytes(0)?;
    let signature = if lax { ecdsa::Signature::from_der_lax(bytes)? } else { ecdsa::Signature::from_der(bytes)? };
    Ok(given.write(0, 0, &signature.to_compact())?)
}

fn read_compact(given: Given<'_>) -> Result<(), Failure> {
    ecdsa::Signature::from_compact(given.bytes(0)?)?;
    Ok(())
}

fn sign_ecdsa(given: Given<'_>, one: OneThread) -> Result<(), Failure> {
    let digest = given.array(0)?;
    let (signature, id) = one.sign_ecdsa_recoverable(digest, &secret(given, 1)?);
    given.write(0, 0, &signature.to_compact())?;
    Ok(given.write(1, 0, &[id.to_u8()])?)
}

fn verify_ecdsa(given: Given<'_>, one: OneThread) -> Result<(), Failure> {
    let key = PublicKey::from_bytes(given.array::<65>(2)?)?;
    let signature = ecdsa::Signature::from_compact(given.array::<64>(1)?)?;
    Ok(one.verify_ecdsa(given.array(0)?, &signature, &key, policy(given.call().flags))?)
}

fn recover(given: Given<'_>, one: OneThread) -> Result<(), Failure> {
    let signature = ecdsa::Signature::from_compact(given.array::<64>(1)?)?;
    let [id] = *given.array(2)?;
    let key = one.recover(given.array(0)?, &signature, RecoveryId::from_u8(id)?)?;
    Ok(given.write(0, 0, &key.to_bytes_uncompressed())?)
}

fn sign_schnorr(given: Given<'_>, one: OneThread) -> Result<(), Failure> {
    let pair = one.keypair(secret(given, 1)?);
    let signature = one.sign_schnorr(given.bytes(0)?, &pair, given.array(2)?);
    Ok(given.write(0, 0, &signature.to_bytes())?)
}

fn verify_schnorr(given: Given<'_>, one: OneThread) -> Result<(), Failure> {
    let (key, _) = PublicKey::from_bytes(given.array::<65>(2)?)?.x_only();
    let signature = schnorr::Signature::from_bytes(given.array::<64>(1)?)?;
    Ok(one.verify_schnorr(given.bytes(0)?, &signature, &key)?)
}

fn shared_secret(given: Given<'_>, one: OneThread) -> Result<(), Failure> {
    let public = PublicKey::from_bytes(given.array::<65>(0)?)?;
    write_secret(given, one.shared_secret(&public, &secret(given, 1)?))
}

fn tweak_public(given: Given<'_>) -> Result<(), Failure> {
    let key = PublicKey::from_bytes(given.array::<65>(0)?)?.tweak_add(given.array(1)?)?;
    Ok(given.write(0, 0, &key.to_bytes_uncompressed())?)
}

fn tweak_secret(given: Given<'_>) -> Result<(), Failure> {
    write_secret(given, secret(given, 0)?.tweak_add(given.array(1)?)?.to_bytes())
}

fn negate_secret(given: Given<'_>) -> Result<(), Failure> {
    write_secret(given, secret(given, 0)?.negate().to_bytes())
}

fn ellswift_create(given: Given<'_>) -> Result<(), Failure> {
    let encoding = ElligatorSwift::from_secret(&secret(given, 0)?, Some(given.array(1)?));
    Ok(given.write(0, 0, &encoding.to_bytes())?)
}

fn ellswift_encode(given: Given<'_>) -> Result<(), Failure> {
    let key = PublicKey::from_bytes(given.array::<65>(0)?)?;
    Ok(given.write(0, 0, &ElligatorSwift::encode(&key, given.array(1)?).to_bytes())?)
}

fn ellswift_decode(given: Given<'_>) -> Result<(), Failure> {
    let key = ElligatorSwift::from(*given.array(0)?).decode();
    Ok(given.write(0, 0, &key.to_bytes_uncompressed())?)
}

fn ellswift_secret(given: Given<'_>) -> Result<(), Failure> {
    let [initiator, responder] = [*given.array(0)?, *given.array(1)?].map(ElligatorSwift::from);
    let responds = given.call().flags & FLAG_RESPONDER != 0;
    let party = if responds { Party::Responder } else { Party::Initiator };
    write_secret(given, ellswift::shared_secret(&initiator, &responder, &secret(given, 2)?, party))
}

fn musig_nonce(given: Given<'_>) -> Result<(), Failure> {
    let secret = if given.bytes(1)?.is_empty() { None } else { Some(secret(given, 1)?.to_bytes()) };
    let (mut mask, rest) = (musig::masked(BuiltIn, given.array(0)?, secret), given.bytes(2)?);
    let mut hash = hasher(&tags::MUSIG_NONCE, BuiltIn);
    [&mask[..], rest].iter().for_each(|part| hash.update_uncleared(part));
    mask.zeroize();
    let mut k = [Scalar::ZERO; 2];
    musig::numbers(&hash, &mut k);
    let points = musig::points(&k).ok_or(Error::BadSecretKey)?;
    let mut bytes = [0; 64];
    let (halves, _) = bytes.as_chunks_mut::<32>();
    halves.iter_mut().zip(&k).for_each(|(half, k)| *half = k.to_bytes());
    k.zeroize();
    let written = given.write(0, 0, &bytes);
    bytes.zeroize();
    written?;
    let mut public = [0; 66];
    public[..33].copy_from_slice(&points[0].to_bytes());
    public[33..].copy_from_slice(&points[1].to_bytes());
    Ok(given.write(1, 0, &public)?)
}

fn musig_sign(given: Given<'_>) -> Result<(), Failure> {
    let scalar = |input| Scalar::from_bytes(given.array::<32>(input)?).map_err(|_| Failure::Value(Error::OutOfRange));
    let (halves, _) = given.array::<64>(0)?.as_chunks::<32>();
    let mut k = [0, 1].map(|i| Scalar::from_bytes_reduced(&halves[i]));
    let (coefficient, factor, negated) = (scalar(2)?, scalar(3)?, given.call().flags & FLAG_NEGATE != 0);
    let partial = musig::partial(&k, &coefficient, negated, &factor, scalar_of(&secret(given, 1)?));
    k.zeroize();
    // It is what the signer sends.
    Ok(given.write(0, 0, &declassify(partial).to_bytes())?)
}

fn silent_label(given: Given<'_>) -> Result<(), Failure> {
    write_secret(given, label_tweak(&secret(given, 0)?, u32::from_ne_bytes(*given.array(1)?))?.to_bytes())
}

fn silent_tweak(given: Given<'_>, one: OneThread) -> Result<(), Failure> {
    let point = Row { tweak_point: given.bytes(0)?, outputs: Outputs::Keys(&[]) }.point()?;
    let (scan, k) = (secret(given, 1)?, u32::from_ne_bytes(*given.array(2)?));
    let tweak = one.shared_secret_with(&point, &scan, |x, y| {
        let mut shared = [0; 33];
        shared[0] = 2 | (y[31] & 1);
        shared[1..].copy_from_slice(x);
        let tweak = output_tweak(&shared, k);
        shared.zeroize();
        tweak
    })?;
    write_secret(given, tweak.to_bytes())
}
