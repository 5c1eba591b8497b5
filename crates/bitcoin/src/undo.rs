//! The outputs that a block spends, as Bitcoin Core keeps them to undo a block.

use std::borrow::Cow;

use phalanx::PublicKey;

use crate::block::Block;
use crate::bytes::{DecodeError, Reader};
use crate::opcode::{OP_CHECKSIG, OP_DUP, OP_EQUAL, OP_EQUALVERIFY, OP_HASH160, OP_RETURN};
use crate::transaction::Output;

/// The longest script that is kept: a longer one cannot be spent, and stands as OP_RETURN.
pub(crate) const MAX_SCRIPT_BYTES: usize = 10_000;
/// How many forms of scripts are kept shorter.
const FORMS: u64 = 6;

/// Reads the outputs that a block's inputs spend, in the order of the inputs.
///
/// # Errors
/// The bytes are no such record, or one of another block.
pub(crate) fn decode<'b>(bytes: &'b [u8], block: &Block<'_>) -> Result<Vec<Output<'b>>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let count = reader.count(1)?;
    if count != block.transactions.len().saturating_sub(1) {
        return Err(DecodeError::Truncated);
    }
    let mut outputs = Vec::with_capacity(block.spending_inputs());
    for transaction in block.transactions.iter().skip(1) {
        if reader.compact_size()? != transaction.inputs.len() {
            return Err(DecodeError::Truncated);
        }
        for _ in &transaction.inputs {
            outputs.push(output(&mut reader)?);
        }
    }
    reader.end()?;
    Ok(outputs)
}

fn output<'b>(reader: &mut Reader<'b>) -> Result<Output<'b>, DecodeError> {
    let height = number(reader)? >> 1;
    if height > 0 {
        // Once a version.
        number(reader)?;
    }
    let value = amount(number(reader)?).ok_or(DecodeError::TooLarge)?;
    Ok(Output { value, script: script(reader)? })
}

/// A number in digits of base 128, the high ones first. Each but the last has its top bit set, and stands for one more.
fn number(reader: &mut Reader<'_>) -> Result<u64, DecodeError> {
    let mut number: u64 = 0;
    loop {
        let byte = reader.byte()?;
        number = number.checked_mul(128).ok_or(DecodeError::TooLarge)? | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Ok(number);
        }
        number = number.checked_add(1).ok_or(DecodeError::TooLarge)?;
    }
}

/// The amount that a number stands for: e zeros behind the digits, the last of which is not zero if e is below 9.
fn amount(number: u64) -> Option<u64> {
    let Some(number) = number.checked_sub(1) else { return Some(0) };
    let (zeros, number) = (number % 10, number / 10);
    let digits = match zeros {
        9 => number.checked_add(1)?,
        _ => (number / 9).checked_mul(10)?.checked_add(number % 9 + 1)?,
    };
    digits.checked_mul(10_u64.pow(zeros as u32))
}

/// A script as it is kept, not copied where it is long.
fn script<'b>(reader: &mut Reader<'b>) -> Result<Cow<'b, [u8]>, DecodeError> {
    let form = number(reader)?;
    let key = |key: &[u8]| [&[key.len() as u8], key, &[OP_CHECKSIG]].concat();
    let script = match form {
        0 => [&[OP_DUP, OP_HASH160, 20][..], reader.take(20)?, &[OP_EQUALVERIFY, OP_CHECKSIG]].concat(),
        1 => [&[OP_HASH160, 20][..], reader.take(20)?, &[OP_EQUAL]].concat(),
        2 | 3 => key(&[&[form as u8], reader.take(32)?].concat()),
        4 | 5 => {
            let compressed = [&[form as u8 - 2], reader.take(32)?].concat();
            let point = PublicKey::from_bytes(&compressed).map_err(|_| DecodeError::UnknownPart)?;
            key(&point.to_bytes_uncompressed())
        }
        _ => {
            let length = usize::try_from(form - FORMS).map_err(|_| DecodeError::TooLarge)?;
            let script = reader.take(length)?;
            return Ok(Cow::Borrowed(if length > MAX_SCRIPT_BYTES { &[OP_RETURN] } else { script }));
        }
    };
    Ok(Cow::Owned(script))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_form_each() {
        // From the comment on `VarInt` in Bitcoin Core.
        for (bytes, expected) in [
            (&[0][..], 0),
            (&[0x7f], 127),
            (&[0x80, 0], 128),
            (&[0x80, 0x7f], 255),
            (&[0x81, 0], 256),
            (&[0xfe, 0x7f], 16_383),
            (&[0xff, 0], 16_384),
            (&[0x82, 0xfe, 0x7f], 65_535),
            (&[0x8e, 0xfe, 0xfe, 0xff, 0], 1 << 32),
        ] {
            assert_eq!(number(&mut Reader::new(bytes)), Ok(expected));
        }
        assert_eq!(number(&mut Reader::new(&[0xff; 11])), Err(DecodeError::TooLarge));
        assert_eq!(number(&mut Reader::new(&[0xff; 3])), Err(DecodeError::Truncated));
    }

    #[test]
    fn amounts_have_their_zeros_cut() {
        // From Bitcoin Core's `compress_amounts`.
        let coin = 100_000_000;
        for (number, expected) in
            [(0, 0), (1, 1), (7, 1_000_000), (9, coin), (0x32, 50 * coin), (0x140_6f40, 21_000_000 * coin)]
        {
            assert_eq!(amount(number), Some(expected), "{number:x}");
        }
        assert_eq!(amount(u64::MAX), None);
    }
}
