//! The interpreter of scripts: legacy, SegWit version 0, and tapscript.
//!
//! - `conditions`: which instructions are executed;
//! - `arithmetic`: operations on numbers;
//! - `values`: operations that move values, compare them and hash them;
//! - `signatures`: operations that check signatures;
//! - `locks`: operations that compare lock times.

mod arithmetic;
mod conditions;
mod locks;
mod signatures;
mod values;

use crate::flags::Flags;
use crate::judge::Judge;
use crate::number;
use crate::opcode::*;
use crate::script::Instructions;
use crate::script_error::ScriptError;
use crate::sighash::{SpendingTransaction, TaprootSpend};
use crate::stack::Stack;
use conditions::Conditions;
use signatures::Digests;
pub(crate) use signatures::check_schnorr;

/// The longest legacy script and script of SegWit version 0.
const MAX_SCRIPT_BYTES: usize = 10_000;
/// The longest value on a stack.
pub(crate) const MAX_VALUE_BYTES: usize = 520;
/// The most operations of such a script that are not pushes.
const MAX_OPERATIONS: usize = 201;
/// The most values on both stacks.
pub(crate) const MAX_STACK: usize = 1000;
/// The weight that a signature in tapscript uses up.
const WEIGHT_PER_SIGNATURE: i64 = 50;

/// An input with its transaction, and the rules that it is held to.
pub(crate) struct Spend<'s, 't, 'a> {
    pub(crate) transaction: &'s SpendingTransaction<'t, 'a>,
    pub(crate) input: usize,
    pub(crate) flags: Flags,
    pub(crate) judge: &'s mut Judge<'t>,
}

/// What kind of script runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    Legacy,
    SegwitV0,
    Tapscript { spend: TaprootSpend, weight_left: i64 },
}

/// A script that runs.
struct Run<'r, 's, 't, 'a> {
    spend: &'r mut Spend<'s, 't, 'a>,
    language: Language,
    /// What digests cover of the script: from behind the last OP_CODESEPARATOR on.
    code: &'r [u8],
    stack: &'r mut Stack,
    second: Stack,
    conditions: Conditions,
    operations: usize,
    digests: Digests,
}

/// Runs a script on a stack.
///
/// # Errors
/// Why the script fails. Whether the result is true is for the caller to ask.
pub(crate) fn execute(
    spend: &mut Spend<'_, '_, '_>,
    language: Language,
    script: &[u8],
    stack: &mut Stack,
) -> Result<(), ScriptError> {
    let tapscript = matches!(language, Language::Tapscript { .. });
    if script.len() > MAX_SCRIPT_BYTES && !tapscript {
        return Err(ScriptError::ScriptSize);
    }
    let (second, conditions, digests) = (Stack::default(), Conditions::default(), Digests::default());
    let mut run = Run { spend, language, code: script, stack, second, conditions, operations: 0, digests };
    let mut instructions = Instructions::new(script);
    let mut number = 0;
    while let Some(read) = instructions.next() {
        let instruction = read.map_err(|_| ScriptError::BadOpcode)?;
        let opcode = instruction.opcode;
        if instruction.data.len() > MAX_VALUE_BYTES {
            return Err(ScriptError::PushSize);
        }
        if opcode > OP_16 && !tapscript {
            run.count_operations(1)?;
        }
        if is_disabled(opcode) {
            return Err(ScriptError::DisabledOpcode);
        }
        if opcode == OP_CODESEPARATOR && run.is_legacy() && run.has(Flags::CONST_SCRIPTCODE) {
            return Err(ScriptError::OpCodeSeparator);
        }
        let executed = run.conditions.all_true();
        if executed && opcode <= OP_PUSHDATA4 {
            if run.has(Flags::MINIMALDATA) && !instruction.is_minimal_push() {
                return Err(ScriptError::MinimalData);
            }
            run.stack.push(instruction.data.to_vec());
        } else if opcode == OP_CODESEPARATOR && executed {
            run.code = &script[instructions.position()..];
            if let Language::Tapscript { spend: TaprootSpend { leaf: Some((_, separator)), .. }, .. } =
                &mut run.language
            {
                *separator = number;
            }
        } else if executed || (OP_IF..=OP_ENDIF).contains(&opcode) {
            run.step(opcode, executed)?;
        }
        if run.stack.len() + run.second.len() > MAX_STACK {
            return Err(ScriptError::StackSize);
        }
        number += 1;
    }
    if run.conditions.is_empty() { Ok(()) } else { Err(ScriptError::UnbalancedConditional) }
}

impl Run<'_, '_, '_, '_> {
    fn has(&self, flags: Flags) -> bool {
        self.spend.flags.contains(flags)
    }

    fn is_legacy(&self) -> bool {
        matches!(self.language, Language::Legacy)
    }

    /// Whether numbers have to be in their shortest form.
    fn minimal(&self) -> bool {
        self.has(Flags::MINIMALDATA)
    }

    fn count_operations(&mut self, more: usize) -> Result<(), ScriptError> {
        self.operations += more;
        if self.operations > MAX_OPERATIONS { Err(ScriptError::OpCount) } else { Ok(()) }
    }

    /// Does what an opcode says that is neither a push of bytes nor OP_CODESEPARATOR.
    fn step(&mut self, opcode: u8, executed: bool) -> Result<(), ScriptError> {
        match opcode {
            OP_1NEGATE | OP_1..=OP_16 => self.stack.push(number::write(i64::from(opcode) - i64::from(OP_1) + 1)),
            OP_NOP => {}
            OP_IF | OP_NOTIF => self.begin_condition(opcode == OP_NOTIF, executed)?,
            OP_ELSE => self.conditions.toggle()?,
            OP_ENDIF => self.conditions.end()?,
            OP_VERIFY => self.verify(ScriptError::Verify)?,
            OP_RETURN => return Err(ScriptError::OpReturn),
            OP_CHECKLOCKTIMEVERIFY => self.check_lock_time()?,
            OP_CHECKSEQUENCEVERIFY => self.check_sequence()?,
            OP_NOP1 | OP_NOP4..=OP_NOP10 => {
                if self.has(Flags::DISCOURAGE_UPGRADABLE_NOPS) {
                    return Err(ScriptError::DiscourageUpgradableNops);
                }
            }
            OP_CHECKSIG..=OP_CHECKMULTISIGVERIFY | OP_CHECKSIGADD => self.check_signatures(opcode)?,
            OP_1ADD..=OP_1SUB | OP_NEGATE..=OP_SUB | OP_BOOLAND..=OP_WITHIN => self.compute(opcode)?,
            _ => self.move_values(opcode)?,
        }
        Ok(())
    }

    /// Begins a condition. Where nothing is executed it takes no value.
    fn begin_condition(&mut self, negated: bool, executed: bool) -> Result<(), ScriptError> {
        let mut holds = false;
        if executed {
            let value = self.stack.pop().map_err(|_| ScriptError::UnbalancedConditional)?;
            let minimal = matches!(value[..], [] | [1]);
            match self.language {
                Language::Tapscript { .. } if !minimal => return Err(ScriptError::TapscriptMinimalIf),
                Language::SegwitV0 if !minimal && self.has(Flags::MINIMALIF) => return Err(ScriptError::MinimalIf),
                _ => {}
            }
            holds = number::is_true(&value) != negated;
        }
        self.conditions.begin(holds);
        Ok(())
    }

    /// Takes the top value away if it is true, and fails otherwise.
    fn verify(&mut self, otherwise: ScriptError) -> Result<(), ScriptError> {
        self.stack.need(1)?;
        if self.stack.is_true() { self.stack.drop(1) } else { Err(otherwise) }
    }
}
