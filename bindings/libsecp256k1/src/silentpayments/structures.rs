//! The bytes of the structures, and arrays of pointers that may be absent.

use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
};
use phalanx::Scalar;
use phalanx_ffi::by_copy::In;
use std::ffi::CStr;

/// `secp256k1_silentpayments_label`: four bytes that name it, and a point.
pub(super) type LabelBytes = [u8; 68];
/// `secp256k1_silentpayments_prevouts_summary`: four bytes that name it, a byte that says what is multiplied already,
/// the sum of the inputs' keys, the hash of the inputs.
pub(super) type SummaryBytes = [u8; 101];

const LABEL: [u8; 4] = [0x27, 0x9d, 0x44, 0xba];
const SUMMARY: [u8; 4] = [0xa7, 0x1c, 0xd3, 0x5e];

fn part<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut part = [0; N];
    part.copy_from_slice(&bytes[at..at + N]);
    part
}

/// The point of a label's structure. Reports a structure that is none.
pub(super) fn load_label(ctx: Ctx, bytes: &LabelBytes) -> Option<Coordinates> {
    check!(
        ctx,
        bytes[..4] == LABEL,
        c"secp256k1_memcmp_var(&label->data[0], secp256k1_silentpayments_label_magic, 4) == 0",
        None
    );
    Some(Coordinates::read(&part(bytes, 4)))
}

pub(super) fn save_label(point: &PubkeyBytes) -> LabelBytes {
    let mut bytes = [0; 68];
    bytes[..4].copy_from_slice(&LABEL);
    bytes[4..].copy_from_slice(point);
    bytes
}

/// What a recipient knows of a transaction's inputs.
pub(super) struct Summary {
    /// The sum of the inputs' keys.
    pub(super) keys: PubkeyBytes,
    /// What the product of the sum is still to be multiplied by.
    pub(super) factor: Scalar,
}

/// Whether a structure is that of a summary; reports where it is not.
pub(super) fn is_summary(ctx: Ctx, bytes: &SummaryBytes) -> bool {
    check!(
        ctx,
        bytes[..4] == SUMMARY,
        c"secp256k1_memcmp_var(&prevouts_summary->data[0], secp256k1_silentpayments_prevouts_summary_magic, 4) == 0",
        false
    );
    true
}

impl Summary {
    pub(super) fn read(bytes: &SummaryBytes) -> Summary {
        let is_multiplied = bytes[4] != 0;
        let factor = if is_multiplied { Scalar::ONE } else { Scalar::from_bytes_reduced(&part(bytes, 69)) };
        Summary { keys: part(bytes, 5), factor }
    }

    pub(super) fn save(&self) -> SummaryBytes {
        let mut bytes = [0; 101];
        bytes[..4].copy_from_slice(&SUMMARY);
        bytes[5..69].copy_from_slice(&self.keys);
        bytes[69..].copy_from_slice(&self.factor.to_bytes());
        bytes
    }
}

/// What is reported of an array that is absent but counted, that is empty, and that has a null pointer.
pub(super) struct Texts {
    pub(super) counted: &'static CStr,
    pub(super) empty: &'static CStr,
    pub(super) null: &'static CStr,
}

/// Whether an array of pointers is as it must be: absent and not counted, or with pointers that are not null.
pub(super) fn is_list<T>(ctx: Ctx, list: In<In<T>>, count: usize, texts: &Texts) -> bool {
    let wrong = match (list.is_null(), count) {
        (true, 0) => None,
        (true, _) => Some(texts.counted),
        (false, 0) => Some(texts.empty),
        (false, _) => (0..count).any(|i| list.at(i).is_null()).then_some(texts.null),
    };
    if let Some(text) = wrong {
        ctx.illegal(text);
    }
    wrong.is_none()
}
