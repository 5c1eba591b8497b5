//! The order in which SHA-256 and SHA-512 make the words of a message's schedule.

/// The sixteen words after sixteen others. `next` makes a word from those that stand 16, 15, 7 and 2 places before it.
#[inline(always)]
pub(super) fn schedule<T: Copy>(w: [T; 16], next: impl Fn(T, T, T, T) -> T) -> [T; 16] {
    let w0 = next(w[0], w[1], w[9], w[14]);
    let w1 = next(w[1], w[2], w[10], w[15]);
    let w2 = next(w[2], w[3], w[11], w0);
    let w3 = next(w[3], w[4], w[12], w1);
    let w4 = next(w[4], w[5], w[13], w2);
    let w5 = next(w[5], w[6], w[14], w3);
    let w6 = next(w[6], w[7], w[15], w4);
    let w7 = next(w[7], w[8], w0, w5);
    let w8 = next(w[8], w[9], w1, w6);
    let w9 = next(w[9], w[10], w2, w7);
    let w10 = next(w[10], w[11], w3, w8);
    let w11 = next(w[11], w[12], w4, w9);
    let w12 = next(w[12], w[13], w5, w10);
    let w13 = next(w[13], w[14], w6, w11);
    let w14 = next(w[14], w[15], w7, w12);
    [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, next(w[15], w0, w8, w13)]
}
