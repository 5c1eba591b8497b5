//! What was signed, as rows, and who signed it.

use crate::error::SenderError;
use crate::rules::Rules;
use crate::senders::{SenderRow, senders};
use alloc::vec::Vec;
use phalanx::{Bulk, Error, LowS};

/// Something with a recoverable signature, judged by the rules of a fork.
pub trait Signed {
    /// The row to recover the signer from.
    ///
    /// # Errors
    /// What is wrong by the rules, a high s included. What only recovery finds is left to [`senders`].
    fn row(&self, rules: Rules) -> Result<SenderRow, SenderError>;
}

/// The address that signed each item, or why there is none. Answers are in the order of the items. Variable time.
///
/// The items are [`Transaction`](crate::Transaction)s or [`Authorization`](crate::Authorization)s. The documentation of
/// the crate has an example. Items under different rules, or of both kinds, can share one call of [`senders`]:
/// [`Signed::row`] makes its rows.
pub fn signers<T: Signed>(bulk: &Bulk, items: &[T], rules: Rules) -> Vec<Result<[u8; 20], SenderError>> {
    let rows: Vec<_> = items.iter().map(|item| item.row(rules)).collect();
    let readable: Vec<_> = rows.iter().filter_map(|row| row.ok()).collect();
    // The rules on high s were applied when the rows were made.
    let mut found = senders(bulk, &readable, LowS::Allow).into_iter();
    let mut next = || found.next().expect("an answer for each row").map_err(SenderError::Signature);
    rows.into_iter().map(|row| row.and_then(|_| next())).collect()
}

/// The row, if the policy allows its s.
pub(crate) fn checked(row: SenderRow, low_s: LowS) -> Result<SenderRow, SenderError> {
    let refused = low_s == LowS::Require && row.is_high_s();
    if refused { Err(SenderError::Signature(Error::HighS)) } else { Ok(row) }
}
