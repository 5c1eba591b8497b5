//! Why a script does not allow a spend.

use std::fmt;

/// Each reason with its name in Bitcoin Core.
macro_rules! reasons {
    ($($variant:ident $name:literal $text:literal;)*) => {
        /// Why an input is not valid. The name of each reason is that of Bitcoin Core.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ScriptError {
            $(#[doc = $text] $variant,)*
        }

        impl ScriptError {
            /// The reason's name, as Bitcoin Core's vectors write it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(ScriptError::$variant => $name,)*
                }
            }
        }

        impl fmt::Display for ScriptError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(ScriptError::$variant => $text,)*
                })
            }
        }
    };
}

reasons! {
    EvalFalse "EVAL_FALSE" "The script's result is false.";
    OpReturn "OP_RETURN" "The script runs into OP_RETURN.";
    ScriptSize "SCRIPT_SIZE" "The script is longer than 10,000 bytes.";
    PushSize "PUSH_SIZE" "A value is longer than 520 bytes.";
    OpCount "OP_COUNT" "The script has more than 201 operations.";
    StackSize "STACK_SIZE" "More than 1,000 values are on the stacks.";
    SigCount "SIG_COUNT" "CHECKMULTISIG asks for a wrong number of signatures.";
    PubkeyCount "PUBKEY_COUNT" "CHECKMULTISIG has a wrong number of keys.";
    Verify "VERIFY" "OP_VERIFY finds false.";
    EqualVerify "EQUALVERIFY" "OP_EQUALVERIFY finds two different values.";
    CheckSigVerify "CHECKSIGVERIFY" "OP_CHECKSIGVERIFY finds no valid signature.";
    CheckMultisigVerify "CHECKMULTISIGVERIFY" "OP_CHECKMULTISIGVERIFY finds too few valid signatures.";
    NumEqualVerify "NUMEQUALVERIFY" "OP_NUMEQUALVERIFY finds two different numbers.";
    BadOpcode "BAD_OPCODE" "An opcode is not known, or a push has no end.";
    DisabledOpcode "DISABLED_OPCODE" "An opcode is disabled.";
    InvalidStackOperation "INVALID_STACK_OPERATION" "An operation finds too few values.";
    InvalidAltstackOperation "INVALID_ALTSTACK_OPERATION" "An operation finds nothing on the second stack.";
    UnbalancedConditional "UNBALANCED_CONDITIONAL" "A condition has no begin or no end.";
    NegativeLocktime "NEGATIVE_LOCKTIME" "A lock time is negative.";
    UnsatisfiedLocktime "UNSATISFIED_LOCKTIME" "A lock time is not reached.";
    SigHashtype "SIG_HASHTYPE" "A signature has an unknown sighash type.";
    SigDer "SIG_DER" "A signature is not strict DER.";
    MinimalData "MINIMALDATA" "A push is not the shortest.";
    SigPushonly "SIG_PUSHONLY" "The script of an input does more than push.";
    SigHighS "SIG_HIGH_S" "s is above half the group order.";
    SigNullDummy "SIG_NULLDUMMY" "The superfluous element of CHECKMULTISIG is not empty.";
    PubkeyType "PUBKEYTYPE" "A public key has an unknown form.";
    CleanStack "CLEANSTACK" "More than the result is left on the stack.";
    MinimalIf "MINIMALIF" "A condition is neither empty nor the byte 1.";
    NullFail "NULLFAIL" "A signature that does not hold is not empty.";
    DiscourageUpgradableNops "DISCOURAGE_UPGRADABLE_NOPS" "A NOP that is kept for later rules is used.";
    DiscourageUpgradableWitnessProgram "DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM"
        "A witness version that is kept for later rules is used.";
    DiscourageUpgradableTaprootVersion "DISCOURAGE_UPGRADABLE_TAPROOT_VERSION"
        "A leaf version that is kept for later rules is used.";
    DiscourageOpSuccess "DISCOURAGE_OP_SUCCESS" "An opcode that is kept for later rules is used.";
    DiscourageUpgradablePubkeyType "DISCOURAGE_UPGRADABLE_PUBKEYTYPE"
        "A form of keys that is kept for later rules is used.";
    WitnessProgramWrongLength "WITNESS_PROGRAM_WRONG_LENGTH" "A witness program has a wrong length.";
    WitnessProgramWitnessEmpty "WITNESS_PROGRAM_WITNESS_EMPTY" "A witness program has an empty witness.";
    WitnessProgramMismatch "WITNESS_PROGRAM_MISMATCH" "The witness does not match the program.";
    WitnessMalleated "WITNESS_MALLEATED" "A spend by witness has a script, too.";
    WitnessMalleatedP2sh "WITNESS_MALLEATED_P2SH" "A spend by witness has more than a push in its script.";
    WitnessUnexpected "WITNESS_UNEXPECTED" "A spend without a witness program has a witness.";
    WitnessPubkeyType "WITNESS_PUBKEYTYPE" "A public key in a witness is not compressed.";
    SchnorrSigSize "SCHNORR_SIG_SIZE" "A Schnorr signature has neither 64 nor 65 bytes.";
    SchnorrSigHashtype "SCHNORR_SIG_HASHTYPE" "A Schnorr signature has an unknown sighash type.";
    SchnorrSig "SCHNORR_SIG" "A Schnorr signature does not hold.";
    TaprootWrongControlSize "TAPROOT_WRONG_CONTROL_SIZE" "A control block has a wrong length.";
    TapscriptValidationWeight "TAPSCRIPT_VALIDATION_WEIGHT" "There are too many signatures for the weight.";
    TapscriptCheckMultisig "TAPSCRIPT_CHECKMULTISIG" "Tapscript has no CHECKMULTISIG.";
    TapscriptMinimalIf "TAPSCRIPT_MINIMALIF" "A condition is neither empty nor the byte 1, in tapscript.";
    OpCodeSeparator "OP_CODESEPARATOR" "A legacy script has OP_CODESEPARATOR.";
    SigFindAndDelete "SIG_FINDANDDELETE" "A legacy script contains the signature that it checks.";
    ScriptNumber "UNKNOWN_ERROR" "A number is too long, or not the shortest.";
}

impl std::error::Error for ScriptError {}
