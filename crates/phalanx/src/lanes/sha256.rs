//! SHA-256 (FIPS 180-4) of sixteen messages side by side. Constant time.
//!
//! What is hashed here are numbers of 256 bits in fixed places, so that messages are put together in registers.

use super::memory::Machine;
use crate::hash::{INITIAL, TaggedHash};
use phalanx_engine::word::{NARROW_LANES, Narrow, Op, Word};
use zeroize::optimization_barrier;

/// One 32-bit word of each message, on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Line16([u32; NARROW_LANES]);

impl Line16 {
    const ZERO: Line16 = Line16([0; NARROW_LANES]);
}

/// The words of a state, or of a number of 256 bits with the most significant first.
pub(crate) type EightWords<N> = [N; 8];

/// Sixteen rows of at most four numbers, what is computed from each row, and memory for the computation. Wiped on drop.
pub(crate) struct HashLanes {
    input: [EightWords<Line16>; 4],
    output: EightWords<Line16>,
    state: EightWords<Line16>,
    block: [EightWords<Line16>; 2],
}

impl HashLanes {
    pub(crate) const fn new() -> Self {
        HashLanes {
            input: [[Line16::ZERO; 8]; 4],
            output: [Line16::ZERO; 8],
            state: [Line16::ZERO; 8],
            block: [[Line16::ZERO; 8]; 2],
        }
    }

    /// Sets a number of a row from its words of 64 bits, least significant first.
    pub(crate) fn set(&mut self, number: usize, row: usize, [a, b, c, d]: [u64; 4]) {
        let words = [d >> 32, d, c >> 32, c, b >> 32, b, a >> 32, a];
        for (line, word) in self.input[number].iter_mut().zip(words) {
            line.0[row] = word as u32;
        }
    }

    /// The hash of a row, as a number in words of 64 bits, least significant first.
    pub(crate) fn get(&self, row: usize) -> [u64; 4] {
        let word = |at: usize| u64::from(self.output[at].0[row]);
        core::array::from_fn(|i| word(6 - 2 * i) << 32 | word(7 - 2 * i))
    }

    #[inline(always)]
    pub(crate) fn number<N: Narrow>(&self, number: usize) -> EightWords<N> {
        load8(&self.input[number])
    }

    #[inline(always)]
    pub(crate) fn finish<N: Narrow>(&mut self, hash: EightWords<N>) {
        store8(&mut self.output, hash);
    }

    /// The state after a block of two halves.
    #[inline(always)]
    pub(crate) fn compress<W: Word>(
        &mut self,
        state: EightWords<W::Narrow>,
        first: EightWords<W::Narrow>,
        second: EightWords<W::Narrow>,
    ) -> EightWords<W::Narrow> {
        store8(&mut self.state, state);
        store8(&mut self.block[0], first);
        store8(&mut self.block[1], second);
        W::root(Compress { state: &mut self.state, block: &self.block });
        load8(&self.state)
    }
}

impl Drop for HashLanes {
    fn drop(&mut self) {
        (self.input, self.output) = ([[Line16::ZERO; 8]; 4], [Line16::ZERO; 8]);
        (self.state, self.block) = ([Line16::ZERO; 8], [[Line16::ZERO; 8]; 2]);
        optimization_barrier(self);
    }
}

#[inline(always)]
fn load8<N: Narrow>(lines: &EightWords<Line16>) -> EightWords<N> {
    let [a, b, c, d, e, f, g, h] = lines;
    let load = |line: &Line16| N::from_lanes(line.0);
    [load(a), load(b), load(c), load(d), load(e), load(f), load(g), load(h)]
}

#[inline(always)]
fn store8<N: Narrow>(lines: &mut EightWords<Line16>, [a, b, c, d, e, f, g, h]: EightWords<N>) {
    let line = |word: N| Line16(word.to_lanes());
    *lines = [line(a), line(b), line(c), line(d), line(e), line(f), line(g), line(h)];
}

/// The same state in all lanes.
#[inline(always)]
pub(crate) fn splat8<N: Narrow>([a, b, c, d, e, f, g, h]: [u32; 8]) -> EightWords<N> {
    let splat = N::splat;
    [splat(a), splat(b), splat(c), splat(d), splat(e), splat(f), splat(g), splat(h)]
}

/// The second half of a message's last block when the message fills the first: padding, and the length in bytes.
#[inline(always)]
pub(crate) fn padding<N: Narrow>(length: u32) -> EightWords<N> {
    splat8([1 << 31, 0, 0, 0, 0, 0, 0, 8 * length])
}

/// The BIP-340 challenges of sixteen rows: numbers 0 to 2 are x of the nonce's point, x of the key, and the message.
pub(crate) fn challenges<M: Machine>(machine: M, batch: &mut HashLanes) {
    machine.run(Challenges(batch));
}

struct Challenges<'a>(&'a mut HashLanes);

impl Op for Challenges<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let batch = self.0;
        let [nonce, key, message] = [batch.number(0), batch.number(1), batch.number(2)];
        let state = batch.compress::<W>(splat8(TaggedHash::BIP340_CHALLENGE.state()), nonce, key);
        let hash = batch.compress::<W>(state, message, padding(160));
        batch.finish(hash);
    }
}

/// The hashes of sixteen compressed points: number 0 is x, number 1 the parity of y.
pub(crate) fn compressed_points<M: Machine>(machine: M, batch: &mut HashLanes) {
    machine.run(CompressedPoints(batch));
}

struct CompressedPoints<'a>(&'a mut HashLanes);

impl Op for CompressedPoints<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let batch = self.0;
        let (x, parity): (EightWords<W::Narrow>, EightWords<W::Narrow>) = (batch.number(0), batch.number(1));
        let mut rest = padding(33);
        rest[0] = x[7].shl::<24>().or(W::Narrow::splat(0x80 << 16));
        let hash = batch.compress::<W>(splat8(INITIAL), moved(parity[7].or(W::Narrow::splat(2)), x), rest);
        batch.finish(hash);
    }
}

/// A number moved down by eight bits, below the last eight bits of what comes before it.
#[inline(always)]
pub(crate) fn moved<N: Narrow>(before: N, [a, b, c, d, e, f, g, h]: EightWords<N>) -> EightWords<N> {
    let join = |high: N, low: N| high.shl::<24>().or(low.shr::<8>());
    [join(before, a), join(a, b), join(b, c), join(c, d), join(d, e), join(e, f), join(f, g), join(g, h)]
}

/// One compression, as a root of its own: it is called from many places.
struct Compress<'a> {
    state: &'a mut EightWords<Line16>,
    block: &'a [EightWords<Line16>; 2],
}

impl Op for Compress<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let [a, b, c, d, e, f, g, h] = load8(&self.block[0]);
        let [i, j, k, l, m, n, o, p] = load8(&self.block[1]);
        let mut words: [W::Narrow; 16] = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
        let before = load8(self.state);
        let [k0, k1, k2, k3] = &ROUNDS;
        let mut state = sixteen(before, words, k0);
        for k in [k1, k2, k3] {
            words = expand(words);
            state = sixteen(state, words, k);
        }
        let ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]) = (before, state);
        store8(self.state, [a.add(i), b.add(j), c.add(k), d.add(l), e.add(m), f.add(n), g.add(o), h.add(p)]);
    }
}

/// Sixteen rounds: FIPS 180-4 section 6.2.2, step 3.
#[inline(always)]
fn sixteen<N: Narrow>(state: EightWords<N>, words: [N; 16], k: &[u32; 16]) -> EightWords<N> {
    let state = round(state, words[0], k[0]);
    let state = round(state, words[1], k[1]);
    let state = round(state, words[2], k[2]);
    let state = round(state, words[3], k[3]);
    let state = round(state, words[4], k[4]);
    let state = round(state, words[5], k[5]);
    let state = round(state, words[6], k[6]);
    let state = round(state, words[7], k[7]);
    let state = round(state, words[8], k[8]);
    let state = round(state, words[9], k[9]);
    let state = round(state, words[10], k[10]);
    let state = round(state, words[11], k[11]);
    let state = round(state, words[12], k[12]);
    let state = round(state, words[13], k[13]);
    let state = round(state, words[14], k[14]);
    round(state, words[15], k[15])
}

#[inline(always)]
fn round<N: Narrow>([a, b, c, d, e, f, g, h]: EightWords<N>, word: N, k: u32) -> EightWords<N> {
    let sum1 = N::xor3(e.rotate_right::<6>(), e.rotate_right::<11>(), e.rotate_right::<25>());
    let t1 = h.add(word.add(N::splat(k))).add(e.choose(f, g)).add(sum1);
    let sum0 = N::xor3(a.rotate_right::<2>(), a.rotate_right::<13>(), a.rotate_right::<22>());
    let t2 = sum0.add(N::majority(a, b, c));
    [t1.add(t2), a, b, c, d.add(t1), e, f, g]
}

/// The next sixteen words of the message schedule: FIPS 180-4 section 6.2.2, step 1.
#[inline(always)]
fn expand<N: Narrow>(w: [N; 16]) -> [N; 16] {
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

#[inline(always)]
fn next<N: Narrow>(w0: N, w1: N, w9: N, w14: N) -> N {
    let sigma0 = N::xor3(w1.rotate_right::<7>(), w1.rotate_right::<18>(), w1.shr::<3>());
    let sigma1 = N::xor3(w14.rotate_right::<17>(), w14.rotate_right::<19>(), w14.shr::<10>());
    w0.add(sigma0).add(w9.add(sigma1))
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
