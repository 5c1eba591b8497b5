//! Inputs for tests of many cases, repeatable from a seed: every second number lies on an edge.
//!
//! Case i of an operation depends on the seed, the operation's name and i alone, so one case can be had again without
//! those before it, and threads change nothing.

use sha2::{Digest, Sha256};

/// The order n of the group, big-endian.
pub const ORDER: [u8; 32] = number("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
/// The prime p of the coordinates, big-endian.
pub const PRIME: [u8; 32] = number("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");
/// (n - 1) / 2, the largest low s.
pub const HALF_ORDER: [u8; 32] = number("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0");
/// p - n: how many x coordinates are not below the order.
pub const PRIME_MINUS_ORDER: [u8; 32] = number("000000000000000000000000000000014551231950b75fc4402da1722fc9baee");

/// Numbers whose neighbourhoods are edges: 0, n, p, 2^256 (as the wrap of 0), the halves of n, what r may lack to n,
/// the cube roots of 1 modulo n and p other than 1, and the bounds of what the endomorphism leaves.
const CENTRES: [[u8; 32]; 10] = [
    [0; 32],
    ORDER,
    PRIME,
    HALF_ORDER,
    PRIME_MINUS_ORDER,
    number("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72"),
    number("ac9c52b33fa3cf1f5ad9e3fd77ed9ba4a880b9fc8ec739c2e0cfc810b51283ce"),
    number("7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee"),
    number("0000000000000000000000000000000100000000000000000000000000000000"),
    number("8000000000000000000000000000000000000000000000000000000000000000"),
];

/// A stream of inputs for one case.
#[derive(Debug, Clone)]
pub struct Draws {
    prefix: Sha256,
    blocks: u64,
    block: [u8; 32],
    used: usize,
}

impl Draws {
    /// The inputs of case `case` of the operation.
    pub fn new(seed: u64, operation: &str, case: u64) -> Draws {
        let prefix = Sha256::new().chain_update(seed.to_be_bytes()).chain_update(case.to_be_bytes());
        Draws { prefix: prefix.chain_update(operation), blocks: 0, block: [0; 32], used: 32 }
    }

    /// A uniform byte.
    pub fn byte(&mut self) -> u8 {
        if self.used == 32 {
            self.block = self.prefix.clone().chain_update(self.blocks.to_be_bytes()).finalize().into();
            (self.blocks, self.used) = (self.blocks + 1, 0);
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// One of `0..count`, for a count of at most 256; as good as uniform for a test.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) * count / 256
    }

    /// 32 uniform bytes.
    pub fn uniform(&mut self) -> [u8; 32] {
        std::array::from_fn(|_| self.byte())
    }

    /// A number below 2^256, half the time on an edge.
    pub fn number(&mut self) -> [u8; 32] {
        if self.byte() & 1 == 0 { self.uniform() } else { self.edge() }
    }

    /// A number on an edge: near a centre, small, sparse, or made of limbs of ones and zeros.
    pub fn edge(&mut self) -> [u8; 32] {
        match self.below(8) {
            0..=2 => {
                let centre = CENTRES[self.below(CENTRES.len())];
                add(centre, self.below(9) as i8 - 4)
            }
            3 => add([0; 32], self.below(128) as i8),
            4 => self.sparse(),
            5 => {
                let sparse = self.sparse();
                sparse.map(|byte| !byte)
            }
            6 => self.limbs(),
            _ => self.runs(),
        }
    }

    /// One to three bits set.
    fn sparse(&mut self) -> [u8; 32] {
        let mut number = [0; 32];
        for _ in 0..1 + self.below(3) {
            let bit = self.byte();
            number[usize::from(bit / 8)] |= 1 << (bit % 8);
        }
        number
    }

    /// Four limbs of 64 bits, each of zeros, of ones or any.
    fn limbs(&mut self) -> [u8; 32] {
        let mut number = self.uniform();
        for limb in number.chunks_exact_mut(8) {
            match self.below(5) {
                0 | 1 => limb.fill(0xff),
                2 | 3 => limb.fill(0),
                _ => {}
            }
        }
        number
    }

    /// Runs of equal bits, up to 64 long, so that limbs of any width get carries along all of them.
    fn runs(&mut self) -> [u8; 32] {
        let mut number = [0; 32];
        let (mut bit, mut ones) = (0, self.byte() & 1 == 1);
        while bit < 256 {
            let end = bit + 1 + self.below(64);
            for position in bit..end.min(256) {
                number[position / 8] |= u8::from(ones) << (position % 8);
            }
            (bit, ones) = (end, !ones);
        }
        number
    }

    /// A number as [`number`](Self::number), at least 1 and below n.
    pub fn scalar(&mut self) -> [u8; 32] {
        loop {
            let number = self.number();
            if number != [0; 32] && number < ORDER {
                return number;
            }
        }
    }

    /// A message of 0 to 255 bytes, 32 most often.
    pub fn message(&mut self) -> Vec<u8> {
        let length = if self.byte() & 1 == 0 { 32 } else { usize::from(self.byte()) };
        (0..length).map(|_| self.byte()).collect()
    }
}

/// The number plus a small offset, modulo 2^256.
pub fn add(mut number: [u8; 32], offset: i8) -> [u8; 32] {
    let mut carry = i16::from(offset);
    for byte in number.iter_mut().rev() {
        let sum = i16::from(*byte) + carry;
        (*byte, carry) = (sum.rem_euclid(256) as u8, sum.div_euclid(256));
    }
    number
}

const fn number(digits: &str) -> [u8; 32] {
    match hex::const_decode_to_array(digits.as_bytes()) {
        Ok(bytes) => bytes,
        Err(_) => panic!("not 64 hexadecimal digits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_offsets_carry_and_wrap() {
        assert_eq!(add([0; 32], -1), [0xff; 32]);
        assert_eq!(add([0xff; 32], 1), [0; 32]);
        assert_eq!(add(add(ORDER, -128), 127), add(ORDER, -1));
    }

    #[test]
    fn half_of_the_numbers_lie_on_edges() {
        let mut draws = Draws::new(1, "edges", 0);
        let numbers: Vec<_> = (0..10_000).map(|_| draws.number()).collect();
        // A uniform number has neither eight equal bytes nor a neighbour in the list of centres.
        let special = |number: &&[u8; 32]| {
            let near = CENTRES.iter().any(|centre| (-4..=4).any(|offset| add(*centre, offset) == **number));
            near || number.windows(2).filter(|pair| pair[0] == pair[1]).count() >= 4
        };
        let edges = numbers.iter().filter(special).count();
        assert!(edges > 4_000, "{edges}");
        for centre in CENTRES {
            assert!(
                numbers.contains(&centre) && numbers.contains(&add(centre, 1)) && numbers.contains(&add(centre, -1))
            );
        }
    }

    #[test]
    fn a_case_can_be_had_again() {
        let case = |seed, operation, case| Draws::new(seed, operation, case).uniform();
        assert_eq!(case(1, "a", 2), case(1, "a", 2));
        assert!(case(1, "a", 2) != case(2, "a", 2) && case(1, "a", 2) != case(1, "b", 2));
        assert_ne!(case(1, "a", 2), case(1, "a", 3));
    }
}
