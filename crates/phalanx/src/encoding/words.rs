//! Big-endian bytes on the outside, 64-bit words with the least significant first on the inside.

/// A number's four words, least significant first.
#[inline]
pub(crate) fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_be_bytes(words[3 - i]))
}

/// The same number as 32 bytes, most significant first.
#[inline]
pub(crate) fn bytes(words: &[u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(words.iter().rev()) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_is_the_highest() {
        let mut one = [0; 32];
        one[31] = 1;
        assert_eq!(words(&one), [1, 0, 0, 0]);
        let counting = core::array::from_fn(|i| i as u8);
        assert_eq!(words(&counting)[3], 0x0001_0203_0405_0607);
        assert_eq!(bytes(&words(&counting)), counting);
    }
}
