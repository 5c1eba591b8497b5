//! SHA-256 (FIPS 180-4) of sixteen messages side by side. Constant time.
//!
//! What is hashed here are numbers of 256 bits in fixed places. Blocks are put together in memory; only the compression
//! runs on the words of a vector unit.

use super::{memory::Machine, schedule::schedule};
use crate::hash::{INITIAL, tags};
use phalanx_engine::word::{Kernel, NARROW_LANES, Narrow, Op, Word};
use zeroize::optimization_barrier;

/// One 32-bit word of each message, on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Line16(pub(super) [u32; NARROW_LANES]);

/// A state of each message, half a block, or a number of 256 bits with the most significant word first.
pub(super) type EightWords = [Line16; 8];

const ZERO: EightWords = splat([0; 8]);

/// Sixteen rows of at most four numbers, the hash of each row, and memory for the computation. Wiped on drop.
pub(crate) struct HashLanes {
    pub(super) input: [EightWords; 4],
    pub(super) output: EightWords,
    pub(super) scratch: [EightWords; 6],
}

impl HashLanes {
    pub(crate) const fn new() -> Self {
        HashLanes { input: [ZERO; 4], output: ZERO, scratch: [ZERO; 6] }
    }

    /// Sets a number of a row from its words of 64 bits, least significant first.
    pub(crate) fn set(&mut self, number: usize, row: usize, [a, b, c, d]: [u64; 4]) {
        let words = [d >> 32, d, c >> 32, c, b >> 32, b, a >> 32, a];
        for (line, word) in self.input[number].iter_mut().zip(words) {
            line.0[row] = word as u32;
        }
    }

    /// Sets numbers 0 and 1 of a row for the functions that hash compressed points.
    pub(crate) fn set_point(&mut self, row: usize, x: [u64; 4], y: [u64; 4]) {
        self.set(0, row, x);
        self.set(1, row, [y[0] & 1, 0, 0, 0]);
    }

    /// The hash of a row, as a number in words of 64 bits, least significant first.
    pub(crate) fn get(&self, row: usize) -> [u64; 4] {
        let word = |at: usize| u64::from(self.output[at].0[row]);
        core::array::from_fn(|i| word(6 - 2 * i) << 32 | word(7 - 2 * i))
    }
}

impl Drop for HashLanes {
    fn drop(&mut self) {
        (self.input, self.output, self.scratch) = ([ZERO; 4], ZERO, [ZERO; 6]);
        optimization_barrier(self);
    }
}

/// The same words in all lanes.
pub(super) const fn splat([a, b, c, d, e, f, g, h]: [u32; 8]) -> EightWords {
    const fn line(word: u32) -> Line16 {
        Line16([word; NARROW_LANES])
    }
    [line(a), line(b), line(c), line(d), line(e), line(f), line(g), line(h)]
}

/// The second half of a message's last block when the message fills the first: padding, and the length in bytes.
pub(super) const fn padding(length: u32) -> EightWords {
    splat([1 << 31, 0, 0, 0, 0, 0, 0, 8 * length])
}

/// `a = f(a, b)` in each lane of each word.
pub(super) fn combine(a: &mut [Line16], b: &[Line16], f: impl Fn(u32, u32) -> u32) {
    for (a, b) in a.iter_mut().zip(b) {
        for (a, b) in a.0.iter_mut().zip(b.0) {
            *a = f(*a, b);
        }
    }
}

/// Sets `moved` to a number moved down by eight bits, below the last eight bits of the word before it.
pub(super) fn move_down(moved: &mut EightWords, before: &Line16, number: &EightWords) {
    *moved = *number;
    combine(&mut moved[..1], core::slice::from_ref(before), |word, above| above << 24 | word >> 8);
    combine(&mut moved[1..], &number[..7], |word, above| above << 24 | word >> 8);
}

/// The second half of the last block of a message that ends with a number moved by [`move_down`]: its last byte, then
/// padding and the length in bytes.
pub(super) fn rest_of_moved(rest: &mut EightWords, number: &EightWords, length: u32) {
    *rest = padding(length);
    combine(&mut rest[..1], &number[7..], |_, last| last << 24 | 0x80 << 16);
}

/// The BIP-340 challenges of sixteen rows: numbers 0 to 2 are x of the nonce's point, x of the key, and the message.
pub(crate) fn challenges<M: Machine>(machine: M, batch: &mut HashLanes) {
    let HashLanes { input: [nonce, key, message, _], output: state, .. } = batch;
    *state = splat(tags::BIP340_CHALLENGE.state());
    compress(machine, state, nonce, key);
    compress(machine, state, message, const { &padding(160) });
}

/// The hashes of sixteen compressed points: number 0 is x, number 1 the parity of y.
pub(crate) fn compressed_points<M: Machine>(machine: M, batch: &mut HashLanes) {
    let HashLanes { input: [x, parity, ..], output: state, scratch: [first, rest, ..] } = batch;
    move_compressed(first, rest, x, parity, 33);
    *state = splat(INITIAL);
    compress(machine, state, first, rest);
}

/// The block of a compressed point, at the end of a message of so many bytes.
fn move_compressed(
    first: &mut EightWords,
    rest: &mut EightWords,
    x: &EightWords,
    parity: &mut EightWords,
    length: u32,
) {
    combine(&mut parity[7..], &[splat([2; 8])[7]], |parity, even| parity | even);
    move_down(first, &parity[7], x);
    rest_of_moved(rest, x, length);
}

/// The hashes by which BIP-352 tweaks sixteen outputs: numbers 0 and 1 as for [`compressed_points`], number 2 is k.
pub(crate) fn output_tweaks<M: Machine>(machine: M, batch: &mut HashLanes) {
    let HashLanes { input: [x, parity, k, _], output: state, scratch: [first, rest, ..] } = batch;
    move_compressed(first, rest, x, parity, 64 + 37);
    // Four bytes of k come between the last byte of x and the padding.
    combine(&mut rest[..1], &k[7..], |last, k| last & 0xff << 24 | k >> 8);
    combine(&mut rest[1..2], &k[7..], |_, k| k << 24 | 0x80 << 16);
    *state = splat(tags::BIP352_SHARED_SECRET.state());
    compress(machine, state, first, rest);
}

/// Replaces the states by those after a block of two halves: FIPS 180-4 section 6.2.2.
pub(super) fn compress<M: Machine>(machine: M, state: &mut EightWords, first: &EightWords, second: &EightWords) {
    machine.run(Compress { state, block: [first, second] });
}

struct Compress<'a> {
    state: &'a mut EightWords,
    block: [&'a EightWords; 2],
}

impl Op for Compress<'_> {
    type Output = ();
    const INTEGERS: bool = true;

    #[inline(always)]
    fn call<W: Word>(self) {
        let [a, b, c, d, e, f, g, h] = load8(self.block[0]);
        let [i, j, k, l, m, n, o, p] = load8(self.block[1]);
        let mut words: [W::Narrow; 16] = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
        let before = load8(self.state);
        let mut state = before;
        for (rounds, k) in ROUNDS.iter().enumerate() {
            // In the loop, so that its code is there once.
            if rounds > 0 {
                words = expand::<W>(words);
            }
            state = sixteen(state, words, k);
        }
        let ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]) = (before, state);
        store8(self.state, [a.add(i), b.add(j), c.add(k), d.add(l), e.add(m), f.add(n), g.add(o), h.add(p)]);
    }
}

#[inline(always)]
fn load8<N: Narrow>(lines: &EightWords) -> [N; 8] {
    let [a, b, c, d, e, f, g, h] = lines;
    let load = |line: &Line16| N::from_lanes(line.0);
    [load(a), load(b), load(c), load(d), load(e), load(f), load(g), load(h)]
}

#[inline(always)]
fn store8<N: Narrow>(lines: &mut EightWords, [a, b, c, d, e, f, g, h]: [N; 8]) {
    let line = |word: N| Line16(word.to_lanes());
    *lines = [line(a), line(b), line(c), line(d), line(e), line(f), line(g), line(h)];
}

/// Sixteen rounds: FIPS 180-4 section 6.2.2, step 3. No loop, which the compiler would keep in memory.
#[inline(always)]
fn sixteen<N: Narrow>(state: [N; 8], words: [N; 16], k: &[u32; 16]) -> [N; 8] {
    let round = |state, t: usize| round(state, words[t], k[t]);
    let state = round(round(round(round(state, 0), 1), 2), 3);
    let state = round(round(round(round(state, 4), 5), 6), 7);
    let state = round(round(round(round(state, 8), 9), 10), 11);
    round(round(round(round(state, 12), 13), 14), 15)
}

/// No kernel: signing on `ifma` took 3 % longer with one.
#[inline(always)]
fn round<N: Narrow>([a, b, c, d, e, f, g, h]: [N; 8], word: N, k: u32) -> [N; 8] {
    let sum1 = N::xor3(e.rotate_right::<6>(), e.rotate_right::<11>(), e.rotate_right::<25>());
    let t1 = h.add(word.add(N::splat(k))).add(e.choose(f, g)).add(sum1);
    let sum0 = N::xor3(a.rotate_right::<2>(), a.rotate_right::<13>(), a.rotate_right::<22>());
    let t2 = sum0.add(N::majority(a, b, c));
    [t1.add(t2), a, b, c, d.add(t1), e, f, g]
}

/// The next sixteen words of the message schedule: FIPS 180-4 section 6.2.2, step 1.
#[inline(always)]
fn expand<W: Word>(w: [W::Narrow; 16]) -> [W::Narrow; 16] {
    schedule(w, |w0, w1, w9, w14| W::kernel(Next([w0, w1, w9, w14])))
}

struct Next<N>([N; 4]);

impl<N: Narrow> Kernel for Next<N> {
    type Output = N;

    #[inline(always)]
    fn run(self) -> N {
        let [w0, w1, w9, w14] = self.0;
        let sigma0 = N::xor3(w1.rotate_right::<7>(), w1.rotate_right::<18>(), w1.shr::<3>());
        let sigma1 = N::xor3(w14.rotate_right::<17>(), w14.rotate_right::<19>(), w14.shr::<10>());
        w0.add(sigma0).add(w9.add(sigma1))
    }
}

/// FIPS 180-4 section 4.2.2.
const ROUNDS: [[u32; 16]; 4] = [
    [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
        0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    ],
    [
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152,
        0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    ],
    [
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1,
        0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    ],
    [
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee,
        0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ],
];
