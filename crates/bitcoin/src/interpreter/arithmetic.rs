//! Operations on numbers.

use super::Run;
use crate::number;
use crate::opcode::*;
use crate::script_error::ScriptError;

impl Run<'_, '_, '_, '_> {
    pub(super) fn compute(&mut self, opcode: u8) -> Result<(), ScriptError> {
        let minimal = self.minimal();
        if matches!(opcode, OP_1ADD..=OP_0NOTEQUAL) {
            let a = self.stack.number(0, minimal)?;
            self.stack.drop(1)?;
            self.stack.push(number::write(match opcode {
                OP_1ADD => a + 1,
                OP_1SUB => a - 1,
                OP_NEGATE => -a,
                OP_ABS => a.abs(),
                OP_NOT => (a == 0).into(),
                _ => (a != 0).into(),
            }));
            return Ok(());
        }
        if opcode == OP_WITHIN {
            self.stack.need(3)?;
            let [a, least, above] = [2, 1, 0].map(|depth| self.stack.number(depth, minimal));
            let within = (least?..above?).contains(&a?);
            self.stack.drop(3)?;
            self.stack.push_bool(within);
            return Ok(());
        }
        self.stack.need(2)?;
        let (a, b) = (self.stack.number(1, minimal)?, self.stack.number(0, minimal)?);
        self.stack.drop(2)?;
        self.stack.push(number::write(match opcode {
            OP_ADD => a + b,
            OP_SUB => a - b,
            OP_BOOLAND => (a != 0 && b != 0).into(),
            OP_BOOLOR => (a != 0 || b != 0).into(),
            OP_NUMEQUAL | OP_NUMEQUALVERIFY => (a == b).into(),
            OP_NUMNOTEQUAL => (a != b).into(),
            OP_LESSTHAN => (a < b).into(),
            OP_GREATERTHAN => (a > b).into(),
            OP_LESSTHANOREQUAL => (a <= b).into(),
            OP_GREATERTHANOREQUAL => (a >= b).into(),
            OP_MIN => a.min(b),
            OP_MAX => a.max(b),
            _ => return Err(ScriptError::BadOpcode),
        }));
        if opcode == OP_NUMEQUALVERIFY { self.verify(ScriptError::NumEqualVerify) } else { Ok(()) }
    }
}
