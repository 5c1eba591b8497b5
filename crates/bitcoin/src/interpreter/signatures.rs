//! Operations that check signatures.
//!
//! Where the encoding lets a signature hold, the judge is asked. It may take the answer for true and have it verified
//! later; the script then runs on as if the signature held.

use std::borrow::Cow;

use phalanx::ecdsa;

use super::{Language, Run, Spend, WEIGHT_PER_SIGNATURE};
use crate::check::{Check, EcdsaKey, MultisigClaim};
use crate::flags::Flags;
use crate::number;
use crate::opcode::*;
use crate::script::{MAX_MULTISIG_KEYS, push, without};
use crate::script_error::ScriptError;
use crate::sighash::TaprootSpend;
use crate::signature::{check_key, check_signature};

impl<'r> Run<'r, '_, '_, '_> {
    pub(super) fn check_signatures(&mut self, opcode: u8) -> Result<(), ScriptError> {
        match opcode {
            OP_CHECKSIG | OP_CHECKSIGVERIFY => {
                self.stack.need(2)?;
                let (key, signature) = (self.stack.pop()?, self.stack.pop()?);
                let holds = self.check_signature(&signature, &key)?;
                self.stack.push_bool(holds);
                if opcode == OP_CHECKSIGVERIFY { self.verify(ScriptError::CheckSigVerify) } else { Ok(()) }
            }
            OP_CHECKSIGADD => {
                if !matches!(self.language, Language::Tapscript { .. }) {
                    return Err(ScriptError::BadOpcode);
                }
                self.stack.need(3)?;
                let count = self.stack.number(1, self.minimal())?;
                let key = self.stack.pop()?;
                self.stack.drop(1)?;
                let signature = self.stack.pop()?;
                let holds = self.check_signature(&signature, &key)?;
                self.stack.push(number::write(count + i64::from(holds)));
                Ok(())
            }
            _ => {
                let holds = self.check_multisig()?;
                self.stack.push_bool(holds);
                if opcode == OP_CHECKMULTISIGVERIFY { self.verify(ScriptError::CheckMultisigVerify) } else { Ok(()) }
            }
        }
    }

    fn check_signature(&mut self, signature: &[u8], key: &[u8]) -> Result<bool, ScriptError> {
        if let Language::Tapscript { spend, weight_left } = &mut self.language {
            return check_in_tapscript(self.spend, spend, weight_left, signature, key);
        }
        let code = self.code_without([signature])?;
        check_signature(signature, self.spend.flags)?;
        check_key(key, self.spend.flags, !self.is_legacy())?;
        let holds = match (parsed(signature), EcdsaKey::new(key)) {
            (Some((signature, hash_type)), Some(key)) => {
                let digest = self.digest(&code, hash_type);
                self.spend.judge.ask(Check::Ecdsa { digest, key, signature })
            }
            _ => false,
        };
        self.refuse_null_fail(holds, [signature])?;
        Ok(holds)
    }

    /// Takes what CHECKMULTISIG takes from the stack; returns whether it holds.
    fn check_multisig(&mut self) -> Result<bool, ScriptError> {
        if matches!(self.language, Language::Tapscript { .. }) {
            return Err(ScriptError::TapscriptCheckMultisig);
        }
        let minimal = self.minimal();
        let keys = self.stack.number(0, minimal)?;
        let keys = usize::try_from(keys).ok().filter(|keys| *keys <= MAX_MULTISIG_KEYS);
        let keys = keys.ok_or(ScriptError::PubkeyCount)?;
        self.count_operations(keys)?;
        let signatures = self.stack.number(1 + keys, minimal)?;
        let signatures = usize::try_from(signatures).ok().filter(|signatures| *signatures <= keys);
        let signatures = signatures.ok_or(ScriptError::SigCount)?;
        self.stack.need(2 + keys + signatures)?;
        // The last ones first, as consensus tries them.
        self.stack.drop(1)?;
        let keys: Vec<Vec<u8>> = (0..keys).map(|_| self.stack.pop()).collect::<Result<_, _>>()?;
        self.stack.drop(1)?;
        let signatures: Vec<Vec<u8>> = (0..signatures).map(|_| self.stack.pop()).collect::<Result<_, _>>()?;

        let code = self.code_without(signatures.iter().map(Vec::as_slice))?;
        let holds = self.match_signatures(&signatures, &keys, &code)?;
        self.refuse_null_fail(holds, signatures.iter().map(Vec::as_slice))?;
        let dummy = self.stack.pop()?;
        if self.has(Flags::NULLDUMMY) && !dummy.is_empty() {
            return Err(ScriptError::SigNullDummy);
        }
        Ok(holds)
    }

    /// Whether each signature holds under a key of its own, in the order of the keys.
    fn match_signatures(&mut self, signatures: &[Vec<u8>], keys: &[Vec<u8>], code: &[u8]) -> Result<bool, ScriptError> {
        let (flags, v0) = (self.spend.flags, !self.is_legacy());
        let forms = || {
            signatures.iter().try_for_each(|signature| check_signature(signature, flags))?;
            keys.iter().try_for_each(|key| check_key(key, flags, v0))
        };
        let parsed_signatures: Option<Vec<_>> = signatures.iter().map(|signature| parsed(signature)).collect();
        let mut claim = MultisigClaim { signatures: Vec::new(), keys: Vec::new() };
        if forms().is_ok() {
            // One that cannot hold is enough: no form ends the script on the way there.
            let Some(parsed_signatures) = parsed_signatures else { return Ok(false) };
            let with_digest = |(signature, hash_type)| (signature, self.digest(code, hash_type));
            claim.signatures = parsed_signatures.into_iter().map(with_digest).collect();
            claim.keys = keys.iter().map(|key| EcdsaKey::new(key)).collect();
            match self.spend.judge.assume(claim) {
                Ok(()) => return Ok(true),
                Err(back) => claim = back,
            }
        }
        // Forms are looked at where they are tried: the first wrong one may come after the end.
        let (mut signature, mut key) = (0, 0);
        while signature < signatures.len() && keys.len() - key >= signatures.len() - signature {
            check_signature(&signatures[signature], flags)?;
            check_key(&keys[key], flags, v0)?;
            let check = if claim.signatures.is_empty() {
                parsed(&signatures[signature]).zip(EcdsaKey::new(&keys[key])).map(|((signature, hash_type), key)| {
                    Check::Ecdsa { digest: self.digest(code, hash_type), key, signature }
                })
            } else {
                claim.pair(signature, key)
            };
            signature += usize::from(check.is_some_and(|check| self.spend.judge.prove(check)));
            key += 1;
        }
        Ok(signature == signatures.len())
    }

    /// What digests cover of the script. Legacy scripts are hashed without the signatures.
    fn code_without<'v>(&self, signatures: impl IntoIterator<Item = &'v [u8]>) -> Result<Cow<'r, [u8]>, ScriptError> {
        let mut code = Cow::Borrowed(self.code);
        if self.is_legacy() {
            for signature in signatures {
                if let Some(shorter) = without(&code, &push(signature)) {
                    if self.has(Flags::CONST_SCRIPTCODE) {
                        return Err(ScriptError::SigFindAndDelete);
                    }
                    code = Cow::Owned(shorter);
                }
            }
        }
        Ok(code)
    }

    fn digest(&mut self, code: &[u8], hash_type: u8) -> [u8; 32] {
        if self.digests.code != code {
            self.digests = Digests { code: code.to_vec(), known: Vec::new() };
        }
        if let Some((_, digest)) = self.digests.known.iter().find(|(known, _)| *known == hash_type) {
            return *digest;
        }
        let Spend { transaction, input, .. } = *self.spend;
        let digest = match self.language {
            Language::Legacy => {
                let size = transaction.transaction.stripped_size();
                let compute = || transaction.legacy(input, code, hash_type.into());
                self.spend.judge.legacy_digest(size, code, hash_type, compute)
            }
            _ => transaction.segwit_v0(input, code, hash_type.into()),
        };
        self.digests.known.push((hash_type, digest));
        digest
    }

    fn refuse_null_fail<'v>(
        &self,
        holds: bool,
        signatures: impl IntoIterator<Item = &'v [u8]>,
    ) -> Result<(), ScriptError> {
        let refused =
            !holds && self.has(Flags::NULLFAIL) && signatures.into_iter().any(|signature| !signature.is_empty());
        if refused { Err(ScriptError::NullFail) } else { Ok(()) }
    }
}

/// The digests of one code by sighash type: a legacy digest hashes the whole transaction.
#[derive(Default)]
pub(super) struct Digests {
    code: Vec<u8>,
    known: Vec<(u8, [u8; 32])>,
}

/// A signature with its sighash type, if its encoding and its numbers let it hold. It is read as consensus reads it: as
/// strict as the flags have it, and beyond that as nodes did before BIP-66.
fn parsed(signature: &[u8]) -> Option<(ecdsa::Signature, u8)> {
    let (hash_type, der) = signature.split_last()?;
    Some((ecdsa::Signature::from_der_lax(der).ok()?, *hash_type))
}

/// A signature operation of BIP-342.
fn check_in_tapscript(
    spend: &mut Spend<'_, '_, '_>,
    taproot: &TaprootSpend,
    weight_left: &mut i64,
    signature: &[u8],
    key: &[u8],
) -> Result<bool, ScriptError> {
    let signed = !signature.is_empty();
    if signed {
        *weight_left -= WEIGHT_PER_SIGNATURE;
        if *weight_left < 0 {
            return Err(ScriptError::TapscriptValidationWeight);
        }
    }
    if key.is_empty() {
        return Err(ScriptError::PubkeyType);
    }
    match <[u8; 32]>::try_from(key) {
        Ok(key) if signed => check_schnorr(spend, taproot, signature, key)?,
        Err(_) if spend.flags.contains(Flags::DISCOURAGE_UPGRADABLE_PUBKEYTYPE) => {
            return Err(ScriptError::DiscourageUpgradablePubkeyType);
        }
        _ => {}
    }
    Ok(signed)
}

/// Fails unless a signature of Taproot holds.
pub(crate) fn check_schnorr(
    spend: &mut Spend<'_, '_, '_>,
    taproot: &TaprootSpend,
    signature: &[u8],
    key: [u8; 32],
) -> Result<(), ScriptError> {
    let (signature, rest) = signature.split_first_chunk::<64>().ok_or(ScriptError::SchnorrSigSize)?;
    let hash_type = match rest {
        [] => 0,
        [0] => return Err(ScriptError::SchnorrSigHashtype),
        [hash_type] => *hash_type,
        _ => return Err(ScriptError::SchnorrSigSize),
    };
    let digest = spend.transaction.taproot(spend.input, taproot, hash_type).ok_or(ScriptError::SchnorrSigHashtype)?;
    let check = Check::Schnorr { digest, key, signature: *signature };
    if spend.judge.ask(check) { Ok(()) } else { Err(ScriptError::SchnorrSig) }
}
