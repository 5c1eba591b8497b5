//! Operations that check signatures.
//!
//! Where the encoding lets a signature hold, the judge is asked. It may take the answer for true and have it verified
//! later; the script then runs on as if the signature held.

use std::borrow::Cow;

use phalanx::ecdsa;

use super::{Language, Run, Spend, WEIGHT_PER_SIGNATURE};
use crate::check::{Check, EcdsaKey, MultisigClaim};
use crate::flags::Flags;
use crate::judge::LARGE;
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
        // Beside both numbers, the keys and the signatures, there has to be a superfluous element.
        self.stack.need(3 + keys + signatures)?;
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
        // A form that the flags forbid ends the script where it is tried, and that may be behind the end.
        let allowed = signatures.iter().all(|signature| check_signature(signature, flags).is_ok())
            && keys.iter().all(|key| check_key(key, flags, v0).is_ok());
        if allowed && !self.has_expensive_digests(signatures) {
            let signed = signatures.iter().map_while(|signature| parsed(signature));
            let claim = MultisigClaim {
                signatures: signed.map(|(signature, hash_type)| (signature, self.digest(code, hash_type))).collect(),
                needed: signatures.len(),
                keys: keys.iter().map(|key| EcdsaKey::new(key)).collect(),
            };
            if let Some(holds) = self.spend.judge.assume(claim) {
                return Ok(holds);
            }
        }
        let (mut signature, mut key) = (0, 0);
        while signature < signatures.len() && keys.len() - key >= signatures.len() - signature {
            check_signature(&signatures[signature], flags)?;
            check_key(&keys[key], flags, v0)?;
            let pair = parsed(&signatures[signature]).zip(EcdsaKey::new(&keys[key]));
            signature += usize::from(pair.is_some_and(|((signature, hash_type), key)| {
                let digest = self.digest(code, hash_type);
                self.spend.judge.prove(Check::Ecdsa { digest, key, signature })
            }));
            key += 1;
        }
        Ok(signature == signatures.len())
    }

    /// Whether the digests of a CHECKMULTISIG, of which consensus may need a single one, take many hashes of a large
    /// transaction.
    fn has_expensive_digests(&self, signatures: &[Vec<u8>]) -> bool {
        let mut hash_types = signatures.iter().filter_map(|signature| signature.last());
        let first = hash_types.next();
        self.is_legacy()
            && self.spend.transaction.transaction.stripped_size() >= LARGE
            && hash_types.any(|other| Some(other) != first)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Judge;
    use crate::sighash::SpendingTransaction;
    use crate::spend::run;
    use crate::transaction::{Output, Transaction};
    use phalanx::{Batch, Bulk, SecretKey};

    #[test]
    fn a_large_transaction_is_hashed_only_for_signatures_that_are_tried() {
        // As many signatures as keys, of twenty sighash types. None holds, so consensus tries one of them.
        let secret = SecretKey::from_bytes(&[1; 32]).unwrap();
        let der = ecdsa::sign(&[1; 32], &secret).to_der().to_vec();
        let signatures: Vec<u8> = (1..=20).flat_map(|hash_type| push(&[&der[..], &[hash_type]].concat())).collect();
        let keys = push(&secret.public_key().to_bytes()).repeat(20);
        let script = [&[OP_0][..], &signatures, &[1, 20], &keys, &[1, 20, OP_CHECKMULTISIG]].concat();

        let large = [&[1][..], &[0; 8], &[0xfd, 0x20, 0x4e], &[0; LARGE]].concat();
        let bytes = [&[2, 0, 0, 0, 1][..], &[7; 36], &[0, 0, 0, 0, 0], &large, &[0; 4]].concat();
        let transaction = Transaction::decode(&bytes).unwrap();
        let spent = [Output { value: 0, script: script.into() }];
        let batch = Batch::with(&Bulk::builder().threads(1).build().unwrap());
        let mut judge = Judge::assuming(&batch);
        let spending = SpendingTransaction::new(&transaction, &spent);
        assert_eq!(run(&spending, 0, Flags::NONE, &mut judge), Err(ScriptError::EvalFalse));
        assert_eq!(judge.finish().digests.len(), 1);
    }
}
