//! The order of public keys, which is that of their serialised forms. Variable time.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
    pubkey::compressed,
};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

/// Compares compressed forms. What is no key counts as zeros, after it has been reported.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_cmp(ctx: Ctx, a: In<PubkeyBytes>, b: In<PubkeyBytes>) -> c_int {
    let [a, b] = [a, b].map(|key| {
        if key.is_null() {
            ctx.illegal(c"pubkey != NULL");
            return [0; 33];
        }
        form(ctx, &key.read())
    });
    difference(&a, &b)
}

/// The compressed form of a key, zeros for what is none.
fn form(ctx: Ctx, key: &PubkeyBytes) -> [u8; 33] {
    Coordinates::load(ctx, key).map_or([0; 33], |point| compressed(&point))
}

/// Compares two keys in the same way.
pub(crate) fn order_of_keys(ctx: Ctx, keys: [&PubkeyBytes; 2]) -> c_int {
    let [a, b] = keys.map(|key| form(ctx, key));
    difference(&a, &b)
}

/// The difference of the first bytes that differ, else 0.
pub(crate) fn difference(a: &[u8], b: &[u8]) -> c_int {
    let differ = a.iter().zip(b).find(|(a, b)| a != b);
    differ.map_or(0, |(a, b)| c_int::from(*a) - c_int::from(*b))
}

/// Puts pointers to keys in order, by a heap sort that makes the comparisons of the original in their order: a key
/// that is none is reported as often, and equal keys end up in the same places.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_sort(ctx: Ctx, pubkeys: Out<In<PubkeyBytes>>, count: usize) -> c_int {
    check!(ctx, !pubkeys.is_null(), c"pubkeys != NULL");
    for i in 0..count {
        check!(ctx, !pubkeys.at(i).is_null(), c"pubkeys[i] != NULL");
    }
    heap_sort(pubkeys, count, &|a, b| secp256k1_ec_pubkey_cmp(ctx, a, b));
    1
}

/// Puts pointers in order, by the comparisons of the original.
pub(crate) fn heap_sort<T>(items: Out<In<T>>, count: usize, compare: &impl Fn(In<T>, In<T>) -> c_int) {
    let compare = |i: usize, j: usize| compare(items.at(i), items.at(j));
    for root in (0..count / 2).rev() {
        sift_down(root, count, &compare, items);
    }
    for last in (1..count).rev() {
        items.swap(0, last);
        sift_down(0, last, &compare, items);
    }
}

/// Moves the element at `i` down until no child is above it. Of two equal children the second one rises.
fn sift_down<T>(mut i: usize, size: usize, compare: &impl Fn(usize, usize) -> c_int, keys: Out<In<T>>) {
    while i < size / 2 {
        let (first, second) = (2 * i + 1, 2 * i + 2);
        let child = if second < size && compare(second, first) >= 0 { second } else { first };
        if compare(child, i) <= 0 {
            return;
        }
        keys.swap(i, child);
        i = child;
    }
}
