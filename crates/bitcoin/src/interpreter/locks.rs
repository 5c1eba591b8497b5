//! Operations that compare lock times: BIP-65 and BIP-112.

use super::Run;
use crate::flags::Flags;
use crate::number::{self, LOCK_TIME_BYTES};
use crate::script_error::ScriptError;

/// Lock times below it are heights, others are times.
const TIMES: i64 = 500_000_000;
/// The sequence number of an input that is final.
const FINAL: u32 = 0xffff_ffff;
/// Set where a sequence number is no relative lock time.
const DISABLED: u32 = 1 << 31;
/// Set where a relative lock time is a time.
const TIME: i64 = 1 << 22;
/// The bits of a relative lock time that are compared.
const MASK: i64 = TIME | 0xffff;

impl Run<'_, '_, '_, '_> {
    /// The lock time on the stack, which stays there.
    fn lock_time(&self) -> Result<i64, ScriptError> {
        let wanted = number::read(self.stack.peek(0)?, LOCK_TIME_BYTES, self.minimal())?;
        if wanted < 0 { Err(ScriptError::NegativeLocktime) } else { Ok(wanted) }
    }

    pub(super) fn check_lock_time(&mut self) -> Result<(), ScriptError> {
        if !self.has(Flags::CHECKLOCKTIMEVERIFY) {
            return Ok(());
        }
        let wanted = self.lock_time()?;
        let transaction = self.spend.transaction.transaction;
        let own = i64::from(transaction.lock_time);
        let reached = (own < TIMES) == (wanted < TIMES) && wanted <= own;
        let counts = transaction.inputs[self.spend.input].sequence != FINAL;
        if reached && counts { Ok(()) } else { Err(ScriptError::UnsatisfiedLocktime) }
    }

    pub(super) fn check_sequence(&mut self) -> Result<(), ScriptError> {
        if !self.has(Flags::CHECKSEQUENCEVERIFY) {
            return Ok(());
        }
        let wanted = self.lock_time()?;
        if wanted & i64::from(DISABLED) != 0 {
            return Ok(());
        }
        let transaction = self.spend.transaction.transaction;
        let sequence = transaction.inputs[self.spend.input].sequence;
        let (own, wanted) = (i64::from(sequence) & MASK, wanted & MASK);
        let reached = (own < TIME) == (wanted < TIME) && wanted <= own;
        let counts = transaction.version >= 2 && sequence & DISABLED == 0;
        if reached && counts { Ok(()) } else { Err(ScriptError::UnsatisfiedLocktime) }
    }
}
