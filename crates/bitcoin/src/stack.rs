//! The stack of a script.

use crate::number::{self, NUMBER_BYTES};
use crate::script_error::ScriptError;

const TOO_FEW: ScriptError = ScriptError::InvalidStackOperation;

/// Values, the top one last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    values: Vec<Vec<u8>>,
}

impl Stack {
    pub(crate) fn of<'v>(values: impl IntoIterator<Item = &'v [u8]>) -> Stack {
        Stack { values: values.into_iter().map(<[u8]>::to_vec).collect() }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Fails if there are fewer values.
    pub(crate) fn need(&self, count: usize) -> Result<(), ScriptError> {
        if self.values.len() < count { Err(TOO_FEW) } else { Ok(()) }
    }

    pub(crate) fn push(&mut self, value: Vec<u8>) {
        self.values.push(value);
    }

    pub(crate) fn push_bool(&mut self, value: bool) {
        self.push(number::write(value.into()));
    }

    pub(crate) fn pop(&mut self) -> Result<Vec<u8>, ScriptError> {
        self.values.pop().ok_or(TOO_FEW)
    }

    /// Takes the top values away.
    pub(crate) fn drop(&mut self, count: usize) -> Result<(), ScriptError> {
        self.need(count)?;
        self.values.truncate(self.values.len() - count);
        Ok(())
    }

    /// The value at a depth; 0 is the top.
    pub(crate) fn peek(&self, depth: usize) -> Result<&[u8], ScriptError> {
        Ok(&self.values[self.index(depth)?])
    }

    fn index(&self, depth: usize) -> Result<usize, ScriptError> {
        self.values.len().checked_sub(depth).and_then(|above| above.checked_sub(1)).ok_or(TOO_FEW)
    }

    /// The number at a depth.
    pub(crate) fn number(&self, depth: usize, minimal: bool) -> Result<i64, ScriptError> {
        number::read(self.peek(depth)?, NUMBER_BYTES, minimal)
    }

    /// Pushes copies of `count` values, the lowest of which is at a depth.
    pub(crate) fn copy(&mut self, depth: usize, count: usize) -> Result<(), ScriptError> {
        let from = self.index(depth)?;
        self.values.extend_from_within(from..from + count);
        Ok(())
    }

    /// Takes `count` values out, the lowest of which is at a depth, and puts them on top.
    pub(crate) fn raise(&mut self, depth: usize, count: usize) -> Result<(), ScriptError> {
        let from = self.index(depth)?;
        self.values[from..].rotate_left(count);
        Ok(())
    }

    /// Puts the top value under the one below it.
    pub(crate) fn tuck(&mut self) -> Result<(), ScriptError> {
        self.need(2)?;
        self.copy(0, 1)?;
        let from = self.index(2)?;
        self.values[from..].rotate_right(1);
        Ok(())
    }

    /// Whether the top value is true; false if there is none.
    pub(crate) fn is_true(&self) -> bool {
        self.values.last().is_some_and(|value| number::is_true(value))
    }
}
