//! As much of Ethereum's recursive length prefix (RLP, yellow paper appendix B) as a transaction needs: a flat view of
//! one list, and lists made of items that are already encoded.

use crate::Fallible;

/// One item of a list: its encoding as a whole, and the payload inside it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item<'a> {
    pub encoded: &'a [u8],
    pub payload: &'a [u8],
}

impl Item<'_> {
    /// The payload as a number of at most 32 bytes, padded on the left.
    pub(crate) fn word(&self) -> Fallible<[u8; 32]> {
        let start = 32usize.checked_sub(self.payload.len()).ok_or("a number of more than 32 bytes")?;
        let mut word = [0; 32];
        word[start..].copy_from_slice(self.payload);
        Ok(word)
    }

    /// The payload as a number of at most 8 bytes.
    pub(crate) fn number(&self) -> Fallible<u64> {
        let word = self.word()?;
        let (high, low) = word.split_last_chunk().ok_or("a word has 32 bytes")?;
        if high == [0; 24] { Ok(u64::from_be_bytes(*low)) } else { Err("a number of more than 8 bytes".into()) }
    }
}

/// The items of the list that `bytes` is.
pub(crate) fn items(bytes: &[u8]) -> Fallible<Vec<Item<'_>>> {
    let (list, rest) = split(bytes)?;
    if bytes.first().is_none_or(|first| *first < 0xc0) || !rest.is_empty() {
        return Err("not one RLP list".into());
    }
    let mut items = Vec::new();
    let mut rest = list.payload;
    while !rest.is_empty() {
        let (item, after) = split(rest)?;
        items.push(item);
        rest = after;
    }
    Ok(items)
}

/// The list of items that are encoded already.
pub(crate) fn list<'a>(items: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let payload = items.into_iter().collect::<Vec<_>>().concat();
    let mut encoded = header(0xc0, payload.len());
    encoded.extend(payload);
    encoded
}

/// A number, without leading zeros.
pub(crate) fn number(number: u64) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let digits = &bytes[number.leading_zeros() as usize / 8..];
    if let [digit @ 0..0x80] = digits {
        return vec![*digit];
    }
    let mut encoded = header(0x80, digits.len());
    encoded.extend(digits);
    encoded
}

fn header(base: u8, length: usize) -> Vec<u8> {
    if length <= 55 {
        return vec![base + length as u8];
    }
    let bytes = length.to_be_bytes();
    let digits = &bytes[length.leading_zeros() as usize / 8..];
    [&[base + 55 + digits.len() as u8], digits].concat()
}

/// The first item and what follows it.
fn split(bytes: &[u8]) -> Fallible<(Item<'_>, &[u8])> {
    let first = *bytes.first().ok_or("RLP ends where an item is due")?;
    let (header, length) = match first {
        0..0x80 => (0, 1),
        0x80..=0xb7 => (1, usize::from(first - 0x80)),
        0xb8..=0xbf => long(bytes, usize::from(first - 0xb7))?,
        0xc0..=0xf7 => (1, usize::from(first - 0xc0)),
        0xf8.. => long(bytes, usize::from(first - 0xf7))?,
    };
    let end = header.checked_add(length).ok_or("an RLP length that overflows")?;
    let (encoded, rest) = bytes.split_at_checked(end).ok_or("RLP ends inside an item")?;
    Ok((Item { encoded, payload: &encoded[header..] }, rest))
}

/// Header and payload length when the length itself takes `digits` bytes.
fn long(bytes: &[u8], digits: usize) -> Fallible<(usize, usize)> {
    let digits = bytes.get(1..=digits).ok_or("RLP ends inside a length")?;
    let length = digits.iter().fold(0usize, |length, digit| (length << 8) | usize::from(*digit));
    Ok((1 + digits.len(), length))
}
