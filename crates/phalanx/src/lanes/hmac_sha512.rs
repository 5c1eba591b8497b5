//! HMAC-SHA-512 (RFC 2104, FIPS 180-4) of eight short messages side by side, each under its own key. Constant time.

use super::{
    memory::{LaneWords, Machine},
    schedule::schedule,
};
use crate::hash::HmacSha512;
use phalanx_engine::word::{Kernel, Op, Word};

/// Bytes of a message: the data of a child key in BIP-32.
const MESSAGE: usize = 37;

/// A key and a message in each lane, and the codes of the messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MacLanes {
    /// The states after the inner and the outer key block.
    states: [[LaneWords; 8]; 2],
    /// The message with its padding, as far as it is not zero.
    message: [LaneWords; 5],
    code: [LaneWords; 8],
}

impl MacLanes {
    pub(crate) const ZERO: MacLanes =
        MacLanes { states: [[LaneWords::ZERO; 8]; 2], message: [LaneWords::ZERO; 5], code: [LaneWords::ZERO; 8] };

    /// Sets the key and the message of a lane.
    pub(crate) fn set(&mut self, lane: usize, key: &HmacSha512, message: &[u8; MESSAGE]) {
        for (lines, words) in self.states.iter_mut().zip(key.states()) {
            for (line, word) in lines.iter_mut().zip(words) {
                line.0[lane] = *word;
            }
        }
        let mut padded = [0; 40];
        padded[..MESSAGE].copy_from_slice(message);
        padded[MESSAGE] = 0x80;
        for (line, bytes) in self.message.iter_mut().zip(padded.as_chunks::<8>().0) {
            line.0[lane] = u64::from_be_bytes(*bytes);
        }
    }

    /// The code of a lane as two numbers in words, least significant first.
    pub(crate) fn get(&self, lane: usize) -> [[u64; 4]; 2] {
        let [a, b, c, d, e, f, g, h] = self.code.map(|line| line.0[lane]);
        [[d, c, b, a], [h, g, f, e]]
    }
}

/// Computes the codes.
pub(crate) fn macs<M: Machine>(machine: M, groups: &mut [MacLanes]) {
    machine.run(Macs(groups));
}

struct Macs<'a>(&'a mut [MacLanes]);

impl Op for Macs<'_> {
    type Output = ();
    const INTEGERS: bool = true;

    #[inline(always)]
    fn call<W: Word>(self) {
        for group in self.0 {
            let [zero, end] = [W::splat(0), W::splat(1 << 63)];
            let [a, b, c, d, e] = &group.message;
            // The lengths are those with the key block.
            let length = W::splat(8 * (128 + MESSAGE as u64));
            let message = [a.load(), b.load(), c.load(), d.load(), e.load()];
            let mut block = padded(message, [zero; 3], [zero; 7], length);
            // In a loop, so that the code is there once.
            for state in &group.states {
                let [a, b, c, d, e, f, g, h] = compressed(state, block);
                block =
                    padded([a, b, c, d, e], [f, g, h], [end, zero, zero, zero, zero, zero, zero], W::splat(8 * 192));
            }
            for (line, word) in group.code.iter_mut().zip(block) {
                line.store(word);
            }
        }
    }
}

#[inline(always)]
fn padded<W>([a, b, c, d, e]: [W; 5], [f, g, h]: [W; 3], [i, j, k, l, m, n, o]: [W; 7], length: W) -> [W; 16] {
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, length]
}

#[inline(always)]
fn load8<W: Word>([a, b, c, d, e, f, g, h]: &[LaneWords; 8]) -> [W; 8] {
    [a.load(), b.load(), c.load(), d.load(), e.load(), f.load(), g.load(), h.load()]
}

/// The states after a block: FIPS 180-4 section 6.4.2.
#[inline(always)]
fn compressed<W: Word>(state: &[LaneWords; 8], mut words: [W; 16]) -> [W; 8] {
    let mut now = load8(state);
    for (rounds, k) in ROUNDS.iter().enumerate() {
        // In the loop, so that its code is there once.
        if rounds > 0 {
            words = expand(words);
        }
        now = sixteen(now, words, k);
    }
    let ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]) = (load8::<W>(state), now);
    let sum = W::wrapping_add;
    [sum(a, i), sum(b, j), sum(c, k), sum(d, l), sum(e, m), sum(f, n), sum(g, o), sum(h, p)]
}

/// Sixteen rounds: section 6.4.2, step 3. No loop, which the compiler would keep in memory.
#[inline(always)]
fn sixteen<W: Word>(state: [W; 8], words: [W; 16], k: &[u64; 16]) -> [W; 8] {
    let round = |state, t: usize| round(state, words[t], k[t]);
    let state = round(round(round(round(state, 0), 1), 2), 3);
    let state = round(round(round(round(state, 4), 5), 6), 7);
    let state = round(round(round(round(state, 8), 9), 10), 11);
    round(round(round(round(state, 12), 13), 14), 15)
}

#[inline(always)]
fn round<W: Word>([a, b, c, d, e, f, g, h]: [W; 8], word: W, k: u64) -> [W; 8] {
    let sum1 = e.rotate_right::<14>().xor(e.rotate_right::<18>()).xor(e.rotate_right::<41>());
    let choice = e.and(f.xor(g)).xor(g);
    let t1 = h.wrapping_add(word.wrapping_add(W::splat(k))).wrapping_add(choice).wrapping_add(sum1);
    let sum0 = a.rotate_right::<28>().xor(a.rotate_right::<34>()).xor(a.rotate_right::<39>());
    // Where a and b are equal they are the majority, elsewhere c is. The next round has b ^ c again.
    let majority = a.xor(b).and(b.xor(c)).xor(b);
    let t2 = sum0.wrapping_add(majority);
    [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g]
}

/// The next sixteen words of the message schedule: section 6.4.2, step 1.
#[inline(always)]
fn expand<W: Word>(w: [W; 16]) -> [W; 16] {
    schedule(w, |w0, w1, w9, w14| W::kernel(ScheduleWord([w0, w1, w9, w14])))
}

/// The word that follows from four others.
struct ScheduleWord<W>([W; 4]);

impl<W: Word> Kernel for ScheduleWord<W> {
    type Output = W;

    #[inline(always)]
    fn run(self) -> W {
        let [w0, w1, w9, w14] = self.0;
        let sigma0 = w1.rotate_right::<1>().xor(w1.rotate_right::<8>()).xor(w1.shr::<7>());
        let sigma1 = w14.rotate_right::<19>().xor(w14.rotate_right::<61>()).xor(w14.shr::<6>());
        w0.wrapping_add(sigma0).wrapping_add(w9.wrapping_add(sigma1))
    }
}

/// FIPS 180-4 section 4.2.3.
const ROUNDS: [[u64; 16]; 5] = [
    [
        0x428a2f98d728ae22,
        0x7137449123ef65cd,
        0xb5c0fbcfec4d3b2f,
        0xe9b5dba58189dbbc,
        0x3956c25bf348b538,
        0x59f111f1b605d019,
        0x923f82a4af194f9b,
        0xab1c5ed5da6d8118,
        0xd807aa98a3030242,
        0x12835b0145706fbe,
        0x243185be4ee4b28c,
        0x550c7dc3d5ffb4e2,
        0x72be5d74f27b896f,
        0x80deb1fe3b1696b1,
        0x9bdc06a725c71235,
        0xc19bf174cf692694,
    ],
    [
        0xe49b69c19ef14ad2,
        0xefbe4786384f25e3,
        0x0fc19dc68b8cd5b5,
        0x240ca1cc77ac9c65,
        0x2de92c6f592b0275,
        0x4a7484aa6ea6e483,
        0x5cb0a9dcbd41fbd4,
        0x76f988da831153b5,
        0x983e5152ee66dfab,
        0xa831c66d2db43210,
        0xb00327c898fb213f,
        0xbf597fc7beef0ee4,
        0xc6e00bf33da88fc2,
        0xd5a79147930aa725,
        0x06ca6351e003826f,
        0x142929670a0e6e70,
    ],
    [
        0x27b70a8546d22ffc,
        0x2e1b21385c26c926,
        0x4d2c6dfc5ac42aed,
        0x53380d139d95b3df,
        0x650a73548baf63de,
        0x766a0abb3c77b2a8,
        0x81c2c92e47edaee6,
        0x92722c851482353b,
        0xa2bfe8a14cf10364,
        0xa81a664bbc423001,
        0xc24b8b70d0f89791,
        0xc76c51a30654be30,
        0xd192e819d6ef5218,
        0xd69906245565a910,
        0xf40e35855771202a,
        0x106aa07032bbd1b8,
    ],
    [
        0x19a4c116b8d2d0c8,
        0x1e376c085141ab53,
        0x2748774cdf8eeb99,
        0x34b0bcb5e19b48a8,
        0x391c0cb3c5c95a63,
        0x4ed8aa4ae3418acb,
        0x5b9cca4f7763e373,
        0x682e6ff3d6b2b8a3,
        0x748f82ee5defb2fc,
        0x78a5636f43172f60,
        0x84c87814a1f0ab72,
        0x8cc702081a6439ec,
        0x90befffa23631e28,
        0xa4506cebde82bde9,
        0xbef9a3f7b2c67915,
        0xc67178f2e372532b,
    ],
    [
        0xca273eceea26619c,
        0xd186b8c721c0c207,
        0xeada7dd6cde0eb1e,
        0xf57d4f7fee6ed178,
        0x06f067aa72176fba,
        0x0a637dc5a2c898a6,
        0x113f9804bef90dae,
        0x1b710b35131c471b,
        0x28db77f523047d84,
        0x32caab7b40c72493,
        0x3c9ebe0a15c9bebc,
        0x431d67c49c100d4c,
        0x4cc5d4becb3e42b6,
        0x597f299cfc657e2a,
        0x5fcb6fab3ad6faec,
        0x6c44198c4a475817,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::tests::on_machines;

    on_machines! {
        fn codes_are_those_of_one_lane(machine) {
            let message = |row: usize| core::array::from_fn::<u8, MESSAGE, _>(|i| (i * 31 + row * 113 + i * row) as u8);
            let key = |row: usize| HmacSha512::new(&[row as u8 * 7; 32]);
            let mut groups = [MacLanes::ZERO; 3];
            for row in 0..24 {
                groups[row / 8].set(row % 8, &key(row), &message(row));
            }
            macs(machine, &mut groups);
            for row in 0..24 {
                let code = groups[row / 8].get(row % 8).map(|number| crate::encoding::bytes_of_words(&number));
                assert_eq!(code.as_flattened(), key(row).mac(&[&message(row)]), "row {row}");
            }
        }
    }
}
