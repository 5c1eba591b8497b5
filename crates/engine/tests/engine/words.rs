//! Every operation of a word of eight lanes against plain integers, on every machine: random words, and those at which
//! comparisons, carries, signs and the rounding of products change.

use crate::backends::Backend;
use crate::samples::Random;
use phalanx_engine::word::{LANES, Mask8, Op, Table32, Word};

type Lanes = [u64; LANES];

/// Every operation on two words, a mask, shift counts and indices.
struct All {
    a: Lanes,
    b: Lanes,
    c: Lanes,
    mask: u8,
    table: Table32,
}

impl Op for All {
    type Output = ([Lanes; 22], [Mask8; 3]);

    #[inline(always)]
    fn call<W: Word>(self) -> Self::Output {
        let (a, b, c) = (W::from_lanes(self.a), W::from_lanes(self.b), W::from_lanes(self.c));
        let (low3, low5, low6) = (c.and(W::splat(7)), c.and(W::splat(31)), c.and(W::splat(63)));
        let words = [
            a.add(b).to_lanes(),
            a.sub(b).to_lanes(),
            a.and(b).to_lanes(),
            a.or(b).to_lanes(),
            a.xor(b).to_lanes(),
            a.shl::<12>().to_lanes(),
            a.mul_pow2::<3>().to_lanes(),
            a.shr::<52>().to_lanes(),
            a.sar::<52>().to_lanes(),
            a.sar::<1>().to_lanes(),
            a.wrapping_add(b).to_lanes(),
            a.rotate_right::<1>().to_lanes(),
            a.rotate_right::<41>().to_lanes(),
            a.shr_lanes(low6).to_lanes(),
            a.shl_lanes(low6).to_lanes(),
            c.madd_lo(a, b).to_lanes(),
            c.madd_hi(a, b).to_lanes(),
            W::splat(0).madd_lo(a, a).to_lanes(),
            W::select(Mask8(self.mask), a, b).to_lanes(),
            W::lookup32(&self.table, low5).to_lanes(),
            a.permute(low3).to_lanes(),
            W::keep_source_order([a, b, c, a, b])[2].to_lanes(),
        ];
        (words, [a.equal(b), a.less(b), a.negative()])
    }
}

impl All {
    /// The same on one integer after another.
    fn expected(&self) -> <All as Op>::Output {
        let Self { a, b, c, mask, table } = self;
        let each = |f: &dyn Fn(usize) -> u64| core::array::from_fn(f);
        let low52 = |x: u64| u128::from(x & ((1 << 52) - 1));
        let product = |i: usize| low52(a[i]) * low52(b[i]);
        let words = [
            each(&|i| a[i].wrapping_add(b[i])),
            each(&|i| a[i].wrapping_sub(b[i])),
            each(&|i| a[i] & b[i]),
            each(&|i| a[i] | b[i]),
            each(&|i| a[i] ^ b[i]),
            each(&|i| a[i] << 12),
            each(&|i| a[i] << 3),
            each(&|i| a[i] >> 52),
            each(&|i| (a[i] as i64 >> 52) as u64),
            each(&|i| (a[i] as i64 >> 1) as u64),
            each(&|i| a[i].wrapping_add(b[i])),
            each(&|i| a[i].rotate_right(1)),
            each(&|i| a[i].rotate_right(41)),
            each(&|i| a[i] >> (c[i] & 63)),
            each(&|i| a[i] << (c[i] & 63)),
            each(&|i| c[i].wrapping_add(low52(product(i) as u64) as u64)),
            each(&|i| c[i].wrapping_add((product(i) >> 52) as u64)),
            each(&|i| low52((low52(a[i]) * low52(a[i])) as u64) as u64),
            each(&|i| if mask >> i & 1 == 1 { a[i] } else { b[i] }),
            each(&|i| [0, 1].map(|half| u64::from(table[half][c[i] as usize & 31]) << (32 * half)).iter().sum()),
            each(&|i| a[c[i] as usize & 7]),
            *c,
        ];
        let lanes = |f: &dyn Fn(usize) -> bool| Mask8((0..LANES).fold(0, |mask, i| mask | u8::from(f(i)) << i));
        (words, [lanes(&|i| a[i] == b[i]), lanes(&|i| a[i] < b[i]), lanes(&|i| a[i] >> 63 == 1)])
    }
}

/// Where something changes: about 0, and about powers of two and three quarters of them, with bits that take no part in
/// products above.
fn edge(random: &mut Random) -> u64 {
    let power = 1u64 << [0, 12, 25, 26, 27, 50, 51, 52, 53, 62, 63][random.below(11) as usize];
    let number = match random.below(4) {
        0 => 0,
        1 => power,
        2 => power | power >> 1,
        _ => random.below(1 << 52),
    };
    let above = if random.below(4) == 0 { random.below(1 << 12) << 52 } else { 0 };
    number.wrapping_add(random.below(5)).wrapping_sub(2) ^ above
}

#[test]
fn every_operation_is_that_of_integers() {
    let mut random = Random::new(61);
    let backends = Backend::of_eight_lanes();
    for round in 0..20_000 {
        let mut lanes = || core::array::from_fn(|_| edge(&mut random));
        let (a, mut b, c) = (lanes(), lanes(), lanes());
        if round % 4 == 0 {
            b[round % LANES] = a[round % LANES];
        }
        let mask = random.below(256) as u8;
        let table = core::array::from_fn(|_| core::array::from_fn(|_| random.below(1 << 32) as u32));
        for backend in &backends {
            let work = || All { a, b, c, mask, table };
            let say = || format!("{} on {a:x?} {b:x?} {c:x?}", backend.name());
            assert_eq!(backend.run_op(work()), work().expected(), "{}", say());
        }
    }
}

/// Products whose low half is just half of 2^52, where rounding to the nearest is a tie: a b = (2 k + 1) 2^51.
#[test]
fn products_at_ties_of_rounding() {
    for backend in Backend::of_eight_lanes() {
        for shift in 0..51 {
            for odd in [1u64, 3, 5, 0x7_ffff_ffff_ffff >> shift | 1] {
                let a: Lanes = core::array::from_fn(|i| odd + 2 * i as u64);
                let (a, b) = (a.map(|a| a << shift), [1 << (51 - shift); LANES]);
                let work = || All { a, b, c: [5; LANES], mask: 0, table: [[0; 32]; 2] };
                assert_eq!(backend.run_op(work()), work().expected(), "{} on {a:x?} {b:x?}", backend.name());
            }
        }
    }
}
