//! A row that has been read, except that its key may still turn out to be no point.

use crate::Error;

/// A row whose key comes before its signature in the order of checks, and whose key may be lifted after both were read.
///
/// `K` is what the reader made of the key, for instance a [`RowKey`](super::RowKey); `S` is what the row says beside
/// it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadRow<K, S> {
    key: K,
    signed: Result<S, Error>,
}

impl<K, S> ReadRow<K, S> {
    /// A row whose key has been read, and what came of reading the rest.
    pub(crate) fn new(key: K, signed: Result<S, Error>) -> Self {
        ReadRow { key, signed }
    }

    /// The same row with what `work` makes of its key.
    pub(crate) fn map_key<T>(self, work: impl FnOnce(K) -> T) -> ReadRow<T, S> {
        ReadRow { key: work(self.key), signed: self.signed }
    }

    /// The key as it was read.
    pub(crate) fn key(&self) -> K
    where
        K: Copy,
    {
        self.key
    }

    /// What the row says beside its key, if that can be read: for work that need not wait for the key's point.
    pub(crate) fn signed(&self) -> Option<&S> {
        self.signed.as_ref().ok()
    }

    /// The key's point and the rest of the row, once it can be known whether the key is a point. The key is checked
    /// before the signature, so its error comes first.
    ///
    /// # Errors
    /// The first check that failed.
    pub(crate) fn finish<P>(self, point: impl FnOnce(K) -> Result<P, Error>) -> Result<(P, S), Error> {
        let point = point(self.key)?;
        Ok((point, self.signed?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_speaks_before_the_signature() {
        let (bad_key, bad_signature) = (Err(Error::BadPublicKey), Err(Error::OutOfRange));
        for (point, signed, expected) in [
            (Ok(1), Ok(2), Ok((1, 2))),
            (Ok(1), bad_signature, Err(Error::OutOfRange)),
            (bad_key, Ok(2), Err(Error::BadPublicKey)),
            (bad_key, bad_signature, Err(Error::BadPublicKey)),
        ] {
            assert_eq!(ReadRow::new(point, signed).finish(|point| point), expected);
        }
    }
}
