//! The conditions that an instruction stands in.

use crate::script_error::ScriptError;

/// A stack of truth values, of which only the number and the place of the lowest false one are kept: what is above it
/// is not executed, whatever it is. So conditions in conditions take no memory and no time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conditions {
    depth: usize,
    first_false: Option<usize>,
}

impl Conditions {
    pub(super) fn is_empty(&self) -> bool {
        self.depth == 0
    }

    pub(super) fn all_true(&self) -> bool {
        self.first_false.is_none()
    }

    pub(super) fn begin(&mut self, holds: bool) {
        if !holds && self.first_false.is_none() {
            self.first_false = Some(self.depth);
        }
        self.depth += 1;
    }

    /// Negates the innermost one.
    pub(super) fn toggle(&mut self) -> Result<(), ScriptError> {
        let top = self.depth.checked_sub(1).ok_or(ScriptError::UnbalancedConditional)?;
        match self.first_false {
            None => self.first_false = Some(top),
            Some(first) if first == top => self.first_false = None,
            Some(_) => {}
        }
        Ok(())
    }

    /// Ends the innermost one.
    pub(super) fn end(&mut self) -> Result<(), ScriptError> {
        self.depth = self.depth.checked_sub(1).ok_or(ScriptError::UnbalancedConditional)?;
        self.first_false = self.first_false.filter(|first| *first < self.depth);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_a_stack_of_truth_values() {
        // All words of ten steps over begin(true), begin(false), toggle and end.
        for word in 0..4_u32.pow(10) {
            let (mut conditions, mut stack) = (Conditions::default(), Vec::new());
            for step in 0..10 {
                let (done, expected) = match word >> (2 * step) & 3 {
                    0 | 1 => {
                        let holds = word >> (2 * step) & 1 == 0;
                        stack.push(holds);
                        conditions.begin(holds);
                        (true, true)
                    }
                    2 => (conditions.toggle().is_ok(), stack.last_mut().map(|top| *top = !*top).is_some()),
                    _ => (conditions.end().is_ok(), stack.pop().is_some()),
                };
                assert_eq!(done, expected);
                if !done {
                    break;
                }
                assert_eq!(conditions.all_true(), stack.iter().all(|holds| *holds));
                assert_eq!(conditions.is_empty(), stack.is_empty());
            }
        }
    }
}
