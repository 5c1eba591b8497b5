//! One input: its script, that of the output it spends, and its witness.

use std::sync::LazyLock;

use phalanx::{
    bindings::tags,
    hash::{TaggedHash, sha256},
};

use crate::bytes::{compact_size_length, put_bytes};
use crate::check::Check;
use crate::flags::Flags;
use crate::interpreter::{Language, MAX_STACK, MAX_VALUE_BYTES, Spend, check_schnorr, execute};
use crate::judge::Judge;
use crate::opcode::{OP_CHECKSIG, OP_DUP, OP_EQUALVERIFY, OP_HASH160, is_success};
use crate::script::{Instructions, is_push_only, is_script_hash, push, witness_program};
use crate::script_error::ScriptError;
use crate::sighash::{SpendingTransaction, TaprootSpend};
use crate::stack::Stack;

/// The first byte of an annex.
const ANNEX: u8 = 0x50;
/// The version of leaves that are tapscript.
const TAPSCRIPT: u8 = 0xc0;
/// The bits of a control block's first byte that are the version.
const LEAF_VERSION: u8 = 0xfe;
/// What a witness may weigh beyond its size.
const WEIGHT_OFFSET: i64 = 50;
/// More than any operation takes from the stack.
const MOST_TAKEN: usize = 64;

static TAP_LEAF: LazyLock<TaggedHash> = LazyLock::new(|| TaggedHash::new(b"TapLeaf"));
static TAP_BRANCH: LazyLock<TaggedHash> = LazyLock::new(|| TaggedHash::new(b"TapBranch"));

/// Runs an input's scripts as consensus does. The judge may take checks for true.
pub(crate) fn run<'t>(
    transaction: &SpendingTransaction<'t, '_>,
    input: usize,
    flags: Flags,
    judge: &mut Judge<'t>,
) -> Result<(), ScriptError> {
    let mut spend = Spend { transaction, input, flags, judge };
    let script = transaction.transaction.inputs[input].script;
    let witness = &transaction.transaction.inputs[input].witness[..];
    let output = &transaction.spent[input].script[..];
    if flags.contains(Flags::SIGPUSHONLY) && !is_push_only(script) {
        return Err(ScriptError::SigPushonly);
    }
    let mut stack = Stack::default();
    execute(&mut spend, Language::Legacy, script, &mut stack)?;
    let pays_to_script = flags.contains(Flags::P2SH) && is_script_hash(output);
    let mut pushed = if pays_to_script { stack.clone() } else { Stack::default() };
    execute(&mut spend, Language::Legacy, output, &mut stack)?;
    succeeded(&stack)?;

    let mut by_witness = false;
    if flags.contains(Flags::WITNESS)
        && let Some((version, program)) = witness_program(output)
    {
        if !script.is_empty() {
            return Err(ScriptError::WitnessMalleated);
        }
        by_witness = true;
        run_witness(&mut spend, version, program, witness, false)?;
        stack.drop(stack.len() - 1)?;
    }
    if pays_to_script {
        if !is_push_only(script) {
            return Err(ScriptError::SigPushonly);
        }
        let redeem = pushed.pop()?;
        stack = pushed;
        execute(&mut spend, Language::Legacy, &redeem, &mut stack)?;
        succeeded(&stack)?;
        if flags.contains(Flags::WITNESS)
            && let Some((version, program)) = witness_program(&redeem)
        {
            if script != push(&redeem) {
                return Err(ScriptError::WitnessMalleatedP2sh);
            }
            by_witness = true;
            run_witness(&mut spend, version, program, witness, true)?;
            stack.drop(stack.len() - 1)?;
        }
    }
    if flags.contains(Flags::CLEANSTACK) && stack.len() != 1 {
        return Err(ScriptError::CleanStack);
    }
    if flags.contains(Flags::WITNESS) && !by_witness && !witness.is_empty() {
        return Err(ScriptError::WitnessUnexpected);
    }
    Ok(())
}

fn succeeded(stack: &Stack) -> Result<(), ScriptError> {
    if stack.is_true() { Ok(()) } else { Err(ScriptError::EvalFalse) }
}

/// A spend by witness: BIP-141 and BIP-341.
fn run_witness(
    spend: &mut Spend<'_, '_, '_>,
    version: u8,
    program: &[u8],
    witness: &[&[u8]],
    nested: bool,
) -> Result<(), ScriptError> {
    match (version, program.len()) {
        (0, 32) => {
            let (script, values) = witness.split_last().ok_or(ScriptError::WitnessProgramWitnessEmpty)?;
            if sha256(script) != program {
                return Err(ScriptError::WitnessProgramMismatch);
            }
            run_witness_script(spend, Language::SegwitV0, script, values)
        }
        (0, 20) => {
            if witness.len() != 2 {
                return Err(ScriptError::WitnessProgramMismatch);
            }
            let script = [&[OP_DUP, OP_HASH160, 20], program, &[OP_EQUALVERIFY, OP_CHECKSIG]].concat();
            run_witness_script(spend, Language::SegwitV0, &script, witness)
        }
        (0, _) => Err(ScriptError::WitnessProgramWrongLength),
        (1, 32) if !nested => match program.try_into() {
            Ok(key) if spend.flags.contains(Flags::TAPROOT) => run_taproot(spend, key, witness),
            _ => Ok(()),
        },
        // Pay-to-anchor: anyone may spend it, by policy too.
        (1, 2) if !nested && program == [0x4e, 0x73] => Ok(()),
        _ if spend.flags.contains(Flags::DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM) => {
            Err(ScriptError::DiscourageUpgradableWitnessProgram)
        }
        _ => Ok(()),
    }
}

fn run_witness_script(
    spend: &mut Spend<'_, '_, '_>,
    language: Language,
    script: &[u8],
    values: &[&[u8]],
) -> Result<(), ScriptError> {
    // With so many, the stack is too large behind the first operation, and too large for a result if there is none.
    if values.len() > MAX_STACK + MOST_TAKEN {
        return Err(ScriptError::StackSize);
    }
    if values.iter().any(|value| value.len() > MAX_VALUE_BYTES) {
        return Err(ScriptError::PushSize);
    }
    let mut stack = Stack::of(values.iter().copied());
    execute(spend, language, script, &mut stack)?;
    if stack.len() != 1 {
        return Err(ScriptError::CleanStack);
    }
    succeeded(&stack)
}

fn run_taproot(spend: &mut Spend<'_, '_, '_>, output: [u8; 32], witness: &[&[u8]]) -> Result<(), ScriptError> {
    let (values, annex) = match witness {
        [values @ .., annex @ [ANNEX, ..]] if !values.is_empty() => {
            let mut bytes = Vec::with_capacity(annex.len() + 5);
            put_bytes(annex, &mut bytes);
            (values, Some(sha256(&bytes)))
        }
        values => (values, None),
    };
    let (values, script, control) = match values {
        [signature] => return check_schnorr(spend, &TaprootSpend { annex, leaf: None }, signature, output),
        [values @ .., script, control] => (values, *script, *control),
        [] => return Err(ScriptError::WitnessProgramWitnessEmpty),
    };
    let (head, path) = control.split_first_chunk::<33>().ok_or(ScriptError::TaprootWrongControlSize)?;
    let (branches, []) = path.as_chunks::<32>() else { return Err(ScriptError::TaprootWrongControlSize) };
    if branches.len() > 128 {
        return Err(ScriptError::TaprootWrongControlSize);
    }
    let [first, internal @ ..] = head;
    let version = first & LEAF_VERSION;
    let leaf = leaf_hash(version, script);
    let root = branches.iter().fold(leaf, |node, other| {
        let (low, high) = if node < *other { (&node, other) } else { (other, &node) };
        TAP_BRANCH.hash(&[low, high])
    });
    let tweak = tags::TAP_TWEAK.hash(&[internal, &root]);
    if !spend.judge.ask(Check::Commitment { tweak, internal: *internal, output, odd: first & 1 == 1 }) {
        return Err(ScriptError::WitnessProgramMismatch);
    }
    if version != TAPSCRIPT {
        let discouraged = spend.flags.contains(Flags::DISCOURAGE_UPGRADABLE_TAPROOT_VERSION);
        return if discouraged { Err(ScriptError::DiscourageUpgradableTaprootVersion) } else { Ok(()) };
    }
    for read in Instructions::new(script) {
        let instruction = read.map_err(|_| ScriptError::BadOpcode)?;
        if is_success(instruction.opcode) {
            let discouraged = spend.flags.contains(Flags::DISCOURAGE_OP_SUCCESS);
            return if discouraged { Err(ScriptError::DiscourageOpSuccess) } else { Ok(()) };
        }
    }
    if values.len() > MAX_STACK {
        return Err(ScriptError::StackSize);
    }
    let taproot = TaprootSpend { annex, leaf: Some((leaf, u32::MAX)) };
    let weight_left = witness_size(witness) + WEIGHT_OFFSET;
    run_witness_script(spend, Language::Tapscript { spend: taproot, weight_left }, script, values)
}

fn leaf_hash(version: u8, script: &[u8]) -> [u8; 32] {
    let mut bytes = Vec::with_capacity(script.len() + 6);
    bytes.push(version);
    put_bytes(script, &mut bytes);
    TAP_LEAF.hash(&[&bytes])
}

/// The bytes of a witness in a transaction.
fn witness_size(witness: &[&[u8]]) -> i64 {
    let of = |value: &&[u8]| compact_size_length(value.len()) + value.len();
    (compact_size_length(witness.len()) + witness.iter().map(of).sum::<usize>()) as i64
}
