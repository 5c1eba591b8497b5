//! Eight lanes emulated on eight `u64`: the vector word's meaning, on any CPU.

use crate::word::{EmulatedNarrow, Kernel, LANES, Mask8, Op, Table32, Word};

const LOW52: u64 = (1 << 52) - 1;

/// Eight `u64`, each operation lane by lane. Not fast; it gives the vector backend's algorithms a reference that runs
/// anywhere.
///
/// Kernels, roots and the longer operations stay calls: inlined, they would make tests compile for minutes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Emulated([u64; LANES]);

/// In loops: `map` of arrays is a call where nothing is optimised at link time.
impl Emulated {
    #[inline(always)]
    fn each(mut self, f: impl Fn(u64) -> u64) -> Self {
        for lane in &mut self.0 {
            *lane = f(*lane);
        }
        self
    }
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        for (lane, other) in self.0.iter_mut().zip(other.0) {
            *lane = f(*lane, other);
        }
        self
    }
}

impl Word for Emulated {
    const NAME: &'static str = "emulated";
    const PRODUCTS_ARE_CALLS: bool = true;
    const SEVERAL_REGISTERS: bool = true;

    type Narrow = EmulatedNarrow;
    type Doubles = crate::word::doubles::NoDoubles<Self>;

    fn splat(value: u64) -> Self {
        Self([value; LANES])
    }
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        Self(lanes)
    }
    fn to_lanes(self) -> [u64; LANES] {
        self.0
    }
    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }
    fn sub(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
    fn shl<const BITS: u32>(self) -> Self {
        self.each(|a| a << BITS)
    }
    fn shr<const BITS: u32>(self) -> Self {
        self.each(|a| a >> BITS)
    }
    fn sar<const BITS: u32>(self) -> Self {
        self.each(|a| (a as i64 >> BITS) as u64)
    }
    #[inline(never)]
    fn rotate_right<const BITS: u32>(self) -> Self {
        self.each(|a| a.rotate_right(BITS))
    }
    #[inline(never)]
    fn shr_lanes(self, bits: Self) -> Self {
        self.zip(bits, |a, b| a >> b)
    }
    #[inline(never)]
    fn shl_lanes(self, bits: Self) -> Self {
        self.zip(bits, |a, b| a << b)
    }
    #[inline(never)]
    fn proved_at_most(self, largest: u64) -> Self {
        for lane in self.0 {
            assert!(lane <= largest, "{lane:#x} is above the proved bound {largest:#x}");
        }
        self
    }
    fn expect_at_most(self, largest: u64) -> Self {
        self.proved_at_most(largest)
    }
    fn madd_lo(self, a: Self, b: Self) -> Self {
        let low = |a, b| u64::wrapping_mul(a & LOW52, b & LOW52) & LOW52;
        self.zip(a.zip(b, low), u64::wrapping_add)
    }
    fn madd_hi(self, a: Self, b: Self) -> Self {
        let high = |a, b| ((u128::from(a & LOW52) * u128::from(b & LOW52)) >> 52) as u64;
        self.zip(a.zip(b, high), u64::wrapping_add)
    }
    fn equal(self, other: Self) -> Mask8 {
        Mask8((0..LANES).fold(0, |mask, i| mask | u8::from(self.0[i] == other.0[i]) << i))
    }
    fn less(self, other: Self) -> Mask8 {
        Mask8((0..LANES).fold(0, |mask, i| mask | u8::from(self.0[i] < other.0[i]) << i))
    }
    fn negative(self) -> Mask8 {
        Mask8((0..LANES).fold(0, |mask, i| mask | ((self.0[i] >> 63) as u8) << i))
    }
    #[inline(never)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        let mut differences = if_set.zip(if_clear, |a, b| a ^ b);
        for (i, lane) in differences.0.iter_mut().enumerate() {
            *lane &= u64::from(mask.0 >> i & 1).wrapping_neg();
        }
        if_clear.zip(differences, |a, b| a ^ b)
    }
    #[inline(never)]
    fn lookup32([lower, upper]: &Table32, index: Self) -> Self {
        chosen(core::array::from_fn::<_, 32, _>(|i| u64::from(upper[i]) << 32 | u64::from(lower[i])), index)
    }
    #[inline(never)]
    fn permute(self, index: Self) -> Self {
        chosen(self.0, index)
    }
    #[inline(never)]
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        core::array::from_fn(|column| Self(rows.map(|row| row[column])))
    }
    #[inline(never)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
    #[inline(never)]
    fn root<O: Op>(op: O) -> O::Output {
        op.call::<Self>()
    }
}

/// The word that each index points to. All are read.
fn chosen<const N: usize>(table: [u64; N], index: Emulated) -> Emulated {
    index.each(|wanted| {
        (0u64..).zip(table).fold(0, |found, (i, entry)| {
            let differs = i ^ wanted;
            let bits = ((differs | differs.wrapping_neg()) >> 63).wrapping_sub(1);
            found | (bits & entry)
        })
    })
}
