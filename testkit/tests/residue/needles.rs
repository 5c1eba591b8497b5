//! What a secret looks like in memory: the words to search for, in every form that the library keeps numbers in.
//!
//! A needle is a word of eight bytes that depends on a secret in at least forty of its bits, so that it stands nowhere
//! by chance; where a form has less in a word, such as digits, the words that follow it are part of the needle.

use num_bigint::{BigInt, BigUint};
use std::rc::Rc;

/// One thing to look for.
pub(crate) struct Needle {
    /// The first eight bytes, as a word of this machine. Of a column, the lower and the upper half stand apart.
    pub(crate) word: u64,
    /// The eight bytes after them, and so on.
    pub(crate) rest: Vec<u64>,
    /// Whether the word's halves stand 64 bytes from each other, as the words of one of sixteen hashes do.
    pub(crate) column: bool,
    /// Whose it is.
    pub(crate) secret: Rc<str>,
    /// In which form.
    pub(crate) form: &'static str,
}

/// Everything that one run of an operation must not leave behind.
#[derive(Default)]
pub(crate) struct Needles {
    pub(crate) all: Vec<Needle>,
    /// The row whose secrets are noted.
    pub(crate) row: usize,
}

impl Needles {
    /// A secret of the row, to be noted in its forms.
    pub(crate) fn of(&mut self, secret: &str) -> Secret<'_> {
        Secret { name: format!("{secret} of row {}", self.row).into(), needles: &mut self.all }
    }
}

/// A secret whose forms become needles.
pub(crate) struct Secret<'a> {
    name: Rc<str>,
    needles: &'a mut Vec<Needle>,
}

impl Secret<'_> {
    fn push(&mut self, form: &'static str, word: u64, rest: Vec<u64>, column: bool) {
        self.needles.push(Needle { word, rest, column, secret: self.name.clone(), form });
    }

    /// A word, unless too few of its bits tell of the secret.
    fn word(&mut self, form: &'static str, word: u64) {
        let still = word.leading_zeros().max(word.leading_ones()).max(word.trailing_zeros());
        if still <= 24 && turns(word) >= 12 {
            self.push(form, word, Vec::new(), false);
        }
    }

    fn words(&mut self, form: &'static str, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.word(form, word));
    }

    /// Several words on end, whatever they hold.
    fn run(&mut self, form: &'static str, bytes: &[u8]) {
        let (words, []) = bytes.as_chunks() else { panic!("a run is whole words") };
        let mut words = words.iter().map(|word| u64::from_ne_bytes(*word));
        let word = words.next().expect("a run is not empty");
        self.push(form, word, words.collect(), false);
    }

    /// Two neighbouring words of a hash: on end in either order, as vector registers hold them, and in lanes.
    pub(crate) fn hash_words(&mut self, first: u32, second: u32) {
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        self.words("words of a hash", [pair(first, second), pair(second, first)]);
        if turns(first.into()).min(turns(second.into())) >= 6 {
            self.push("words of a hash, in lanes", pair(first, second), Vec::new(), true);
        }
    }

    /// 32 bytes that are hashed or come from a hash; they may begin anywhere in a word of the hash.
    pub(crate) fn bytes(&mut self, bytes: &[u8; 32]) -> &mut Self {
        self.words("bytes", bytes.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word)));
        let word = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        for at in 0..=24 {
            self.hash_words(word(at), word(at + 4));
        }
        self
    }

    /// A number of at most 256 bits: bytes, and limbs of every width. Lanes keep each limb in a word of its own, so
    /// that one lane's limbs are found one by one, wherever they stand.
    pub(crate) fn number(&mut self, number: &BigUint) -> &mut Self {
        self.bytes(&to_bytes(number)).limbs(number)
    }

    /// As [`number`](Self::number), for numbers that are never bytes.
    pub(crate) fn limbs(&mut self, number: &BigUint) -> &mut Self {
        let number = BigInt::from(number.clone());
        self.words("limbs of 64 bits", limbs(&number, 64, 4));
        self.words("limbs of 52 bits", limbs(&number, 52, 5));
        self.words("limbs of 62 bits", limbs(&number, 62, 5));
        self
    }

    /// A product before its reduction.
    pub(crate) fn wide(&mut self, number: &BigUint) -> &mut Self {
        self.words("limbs of 64 bits, not reduced", limbs(&number.clone().into(), 64, 8));
        self
    }

    /// A product before and after its reduction modulo the order.
    pub(crate) fn product(&mut self, number: &BigUint) -> &mut Self {
        self.wide(number).limbs(&(number % order()))
    }

    /// A scalar with what arithmetic modulo the order makes of it: its negative, and the numbers, of either sign, that
    /// inversion by division steps keeps in its place.
    pub(crate) fn scalar(&mut self, scalar: &BigUint) -> &mut Self {
        self.number(scalar);
        let (k, n) = (BigInt::from(scalar.clone()), BigInt::from(order()));
        self.words("negative, limbs of 64 bits", limbs(&(&n - &k), 64, 4));
        for other in [&n - &k, -&k, &k - &n, &k - &n * 2, -&k - &n, &k + &n] {
            self.words("limbs of 62 bits, of either sign", limbs(&other, 62, 5));
        }
        self
    }

    /// A scalar as k G takes it apart: signed windows of six bits on one lane; in eight lanes K = (k + 2^b - 1) / 2 of the
    /// odd one of k and n - k, whole and moved down by windows. For one row b is 258, in words of 60 bits, and for eight
    /// rows 259, in words of 63 bits.
    pub(crate) fn generator_digits(&mut self, scalar: &BigUint) -> &mut Self {
        let opposite = order() - scalar;
        let low = scalar.min(&opposite);
        self.signed_windows(low, 6, 43);
        let odd = if scalar.bit(0) { scalar } else { &opposite };
        self.words("half, limbs of 64 bits", limbs(&(odd >> 1u32).into(), 64, 4));
        for (width, bits, windows_a_word) in [(6, 258u32, 10), (7, 259, 9)] {
            let top = BigUint::from(1u8) << (bits - 1);
            let words = limbs(&(top + (odd >> 1u32)).into(), width * windows_a_word, 5);
            let ones = (1 << (width * windows_a_word)) - 1;
            for word in words.into_iter().flat_map(|word| [word, word ^ ones]) {
                self.words("digits of k G", (0..3).map(|window| word >> (width * window)));
            }
        }
        self
    }

    /// A scalar as k P takes it apart: the halves of the endomorphism, their signed windows of five bits, and the odd
    /// halves with a lattice vector added, in words of 60 bits, whole and moved down by windows.
    pub(crate) fn point_digits(&mut self, scalar: &BigUint) -> &mut Self {
        let hex = |text: &str| BigInt::from(BigUint::parse_bytes(text.as_bytes(), 16).expect("digits"));
        let a = hex("3086d221a7d46bcde86c90e49284eb15");
        let b = hex("e4437ed6010e88286f547fa90abfe4c3");
        let k = BigInt::from(scalar.clone());
        // Rounded products: the nearest point of the lattice.
        let round = |factor: &BigInt| (&k * factor + (BigInt::from(1) << 255u32)) >> 256u32;
        let (c1, c2) = (round(&a), round(&(&b + 1)));
        let k1 = &k - &c1 * &a - &c2 * (&a + &b);
        let k2 = &c1 * &b - &c2 * &a;
        let (zero, sum) = (BigInt::ZERO, &a + &b);
        let (u, v) = match (k1.bit(0), k2.bit(0)) {
            (true, true) => (&zero, -&zero),
            (false, false) => (&a, -&b),
            (true, false) => (&sum, a.clone()),
            (false, true) => (&b, sum.clone()),
        };
        for coefficient in [&c1, &c2] {
            self.words("rounded quotient of the split", limbs(coefficient, 64, 2));
        }
        for (half, odd) in [(&k1, &k1 + u), (&k2, &k2 + v)] {
            self.words("half of the split", limbs(half, 64, 3));
            self.words("half of the split", limbs(&half.magnitude().clone().into(), 64, 3));
            self.words("odd half", limbs(&odd, 64, 3));
            self.signed_windows(half.magnitude(), 5, 26);
            let shifted: BigInt = (BigInt::from(1) << 129u32) + (&odd >> 1u32);
            self.words("odd half", limbs(&(&odd >> 1u32), 64, 3));
            for word in limbs(&shifted, 60, 3) {
                self.words("digits of k P", (0..3).map(|window| word >> (5 * window)));
            }
        }
        self
    }

    /// Sixteen digits on end, from every fourth on.
    fn signed_windows(&mut self, number: &BigUint, width: u32, count: usize) {
        let (mut carry, mut digits) = (0, Vec::new());
        for window in limbs(&number.clone().into(), width, count) {
            let value = window as i64 + carry;
            carry = i64::from(value > 1 << (width - 1));
            digits.push((value - (carry << width)) as i16);
        }
        for at in (0..=count - 16).step_by(4) {
            let bytes: Vec<u8> = digits[at..][..16].iter().flat_map(|digit| digit.to_ne_bytes()).collect();
            self.run("signed windows", &bytes);
        }
    }

    /// Text, sixteen characters at a time.
    pub(crate) fn text(&mut self, text: &[u8]) -> &mut Self {
        for at in (0..=text.len() - 16).step_by(8) {
            self.run("text", &text[at..][..16]);
        }
        self
    }
}

/// How often a bit differs from the next one: for most words half the time, seldom for those that stand anywhere.
fn turns(word: u64) -> u32 {
    (word ^ word >> 1).count_ones()
}

/// The order of the group.
pub(crate) fn order() -> BigUint {
    BigUint::from_bytes_be(&phalanx_testkit::draws::ORDER)
}

/// So many limbs of so many bits, the least significant first; of a negative number in two's complement.
fn limbs(number: &BigInt, width: u32, count: usize) -> Vec<u64> {
    let all = BigInt::from(1) << (width as usize * count);
    let number = ((number % &all) + &all) % &all;
    let mask = (BigInt::from(1) << width) - 1;
    let limb = |at: usize| (&number >> (width as usize * at)) & &mask;
    (0..count).map(|at| u64::try_from(limb(at)).expect("at most 64 bits")).collect()
}

/// 32 big-endian bytes.
pub(crate) fn to_bytes(number: &BigUint) -> [u8; 32] {
    let bytes = number.to_bytes_be();
    let mut padded = [0; 32];
    padded[32 - bytes.len()..].copy_from_slice(&bytes);
    padded
}
