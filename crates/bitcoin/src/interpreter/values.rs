//! Operations that move values, compare them and hash them.

use phalanx::hash::sha256;
use ripemd::Ripemd160;
use sha1::{Digest, Sha1};

use super::Run;
use crate::bytes::double_sha256;
use crate::number;
use crate::opcode::*;
use crate::script_error::ScriptError;

impl Run<'_, '_, '_, '_> {
    /// Does what an opcode says that is known here; all others make the script fail.
    pub(super) fn move_values(&mut self, opcode: u8) -> Result<(), ScriptError> {
        let minimal = self.minimal();
        let stack = &mut *self.stack;
        match opcode {
            OP_TOALTSTACK => self.second.push(stack.pop()?),
            OP_FROMALTSTACK => stack.push(self.second.pop().map_err(|_| ScriptError::InvalidAltstackOperation)?),
            OP_2DROP => stack.drop(2)?,
            OP_2DUP => stack.copy(1, 2)?,
            OP_3DUP => stack.copy(2, 3)?,
            OP_2OVER => stack.copy(3, 2)?,
            OP_2ROT => stack.raise(5, 2)?,
            OP_2SWAP => stack.raise(3, 2)?,
            OP_IFDUP => {
                stack.need(1)?;
                if stack.is_true() {
                    stack.copy(0, 1)?;
                }
            }
            OP_DEPTH => stack.push(number::write(stack.len() as i64)),
            OP_DROP => stack.drop(1)?,
            OP_DUP => stack.copy(0, 1)?,
            OP_NIP => {
                stack.raise(1, 1)?;
                stack.drop(1)?;
            }
            OP_OVER => stack.copy(1, 1)?,
            OP_PICK | OP_ROLL => {
                stack.need(2)?;
                let depth = stack.number(0, minimal)?;
                stack.drop(1)?;
                let depth = usize::try_from(depth).map_err(|_| ScriptError::InvalidStackOperation)?;
                if opcode == OP_PICK { stack.copy(depth, 1)? } else { stack.raise(depth, 1)? }
            }
            OP_ROT => stack.raise(2, 1)?,
            OP_SWAP => stack.raise(1, 1)?,
            OP_TUCK => stack.tuck()?,
            OP_SIZE => {
                let size = stack.peek(0)?.len();
                stack.push(number::write(size as i64));
            }
            OP_EQUAL | OP_EQUALVERIFY => {
                stack.need(2)?;
                let equal = stack.pop()? == stack.pop()?;
                stack.push_bool(equal);
                if opcode == OP_EQUALVERIFY {
                    self.verify(ScriptError::EqualVerify)?;
                }
            }
            OP_RIPEMD160..=OP_HASH256 => {
                let value = stack.pop()?;
                stack.push(match opcode {
                    OP_RIPEMD160 => Ripemd160::digest(&value).to_vec(),
                    OP_SHA1 => Sha1::digest(&value).to_vec(),
                    OP_SHA256 => sha256(&value).to_vec(),
                    OP_HASH160 => Ripemd160::digest(sha256(&value)).to_vec(),
                    _ => double_sha256(&value).to_vec(),
                });
            }
            _ => return Err(ScriptError::BadOpcode),
        }
        Ok(())
    }
}
