//! Tagged hashes (BIP-340, "Design"). Time depends on lengths alone.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    sha256::tagged,
    wipe::cleared,
};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

/// SHA-256 of the tag's hash, twice, and the message.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_tagged_sha256(
    ctx: Ctx,
    output: Out<[u8; 32]>,
    tag: In<u8>,
    tag_length: usize,
    message: In<u8>,
    length: usize,
) -> c_int {
    check!(ctx, !output.is_null(), c"hash32 != NULL");
    check!(ctx, !tag.is_null(), c"tag != NULL");
    check!(ctx, !message.is_null(), c"msg != NULL");
    let digest = cleared(|| {
        let mut hash = tag.with_bytes(tag_length, |tag| tagged(ctx.get().compression(), tag));
        message.with_bytes(length, |message| hash.update_uncleared(message));
        hash.finish_uncleared()
    });
    output.write(digest);
    1
}
