//! The inputs of an operation.

use crate::case::Case;
use phalanx::{Bulk, FieldElement, Keypair, PublicKey, Scalar, SecretKey};
use std::{hint::black_box, ops::Range, sync::Arc};
use zeroize::Zeroize;

/// The inputs in the clear, each where the library can take it from.
pub(crate) struct Live {
    pub(crate) case: Arc<Case>,
    pub(crate) keys: Vec<[u8; 32]>,
    pub(crate) tweaks: Vec<[u8; 32]>,
    pub(crate) digests: Vec<[u8; 32]>,
    pub(crate) aux: Vec<[u8; 32]>,
    pub(crate) publics: Vec<PublicKey>,
    pub(crate) text: String,
    pub(crate) secrets: Vec<SecretKey>,
    pub(crate) pairs: Vec<Keypair>,
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) elements: Vec<FieldElement>,
    pub(crate) bulk: Bulk,
}

impl Live {
    /// Out of line, so that what it computes lies below the caller's frame, which the caller then paints over.
    #[inline(never)]
    pub(crate) fn new(case: Arc<Case>, bulk: Bulk) -> Live {
        let (mut keys, mut tweaks) = (vec![[0; 32]; case.rows.len()], vec![[0; 32]; case.rows.len()]);
        for (row, (key, tweak)) in case.rows.iter().zip(keys.iter_mut().zip(&mut tweaks)) {
            row.key.unmask_into(key);
            row.tweak.unmask_into(tweak);
        }
        let mut text = vec![0; case.text.len()];
        case.text.unmask_into(&mut text);
        let count = case.rows.len();
        let (mut secrets, mut pairs) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut scalars, mut elements) = (Vec::with_capacity(count), Vec::with_capacity(count));
        // A key that is out of range is there as bytes alone.
        for secret in keys.iter().filter_map(|key| SecretKey::from_bytes(key).ok()) {
            scalars.push(Scalar::from(&secret));
            pairs.push(Keypair::from_secret(secret.clone()));
            secrets.push(secret);
        }
        elements.extend(keys.iter().map(FieldElement::from_bytes_reduced));
        Live {
            keys,
            tweaks,
            digests: case.rows.iter().map(|row| row.digest).collect(),
            aux: case.rows.iter().map(|row| row.aux).collect(),
            publics: case.rows.iter().map(|row| PublicKey::from_bytes(&row.public).expect("a key")).collect(),
            text: String::from_utf8(text).expect("text"),
            secrets,
            pairs,
            scalars,
            elements,
            bulk,
            case,
        }
    }

    /// Where the inputs stand.
    pub(crate) fn ranges(&self) -> Vec<Range<usize>> {
        fn range<T>(slice: &[T]) -> Range<usize> {
            let Range { start, end } = slice.as_ptr_range();
            start.addr()..end.addr()
        }
        vec![
            range(&self.keys),
            range(&self.tweaks),
            range(self.text.as_bytes()),
            range(&self.secrets),
            range(&self.pairs),
            range(&self.scalars),
            range(&self.elements),
        ]
    }
}

impl Drop for Live {
    /// What does not wipe itself; the keys do.
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut());
        wipe(self.tweaks.as_flattened_mut());
        self.scalars.iter_mut().for_each(Zeroize::zeroize);
        self.elements.iter_mut().for_each(Zeroize::zeroize);
        let mut text = std::mem::take(&mut self.text).into_bytes();
        wipe(&mut text);
    }
}

/// Overwrites bytes where they are.
pub(crate) fn wipe(bytes: &mut [u8]) {
    black_box(&*bytes);
    bytes.fill(0);
    black_box(bytes);
}
