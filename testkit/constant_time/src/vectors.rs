//! The operations of vector words themselves: that each hands a secret on, and leaks planted behind them.

use crate::{backend, checker::is_poisoned, planted::branch_on, secret::secret};
use phalanx::{Backend, Bulk, LowS, SecretKey, ecdsa};
use phalanx_engine::word::{Fma, Fma512, Ifma, LANES, Mask, NARROW_LANES, Narrow, Op, Table32, Word};
use std::hint::black_box;

pub(crate) const ALL: &[(&str, fn())] = &[
    // One secret bit of each lane makes all of the lane secret, and no other lane.
    ("vector_words_keep_secrets", || {
        let known = black_box([LIMB - 5; LANES]);
        for bit in [0, 20, 51] {
            let mixed: [u64; LANES] = std::array::from_fn(|i| if i % 2 == 0 { secret(0) & (1 << bit) } else { 7 });
            for (place, word) in on_vectors(Words(black_box(mixed), known)).iter().enumerate() {
                for (lane, value) in word.iter().enumerate() {
                    let only_low_bits_shift = place > 5 && bit > 5;
                    if lane % 2 == 0 && !only_low_bits_shift {
                        assert!(is_poisoned(value), "operation {place}, bit {bit}: lane {lane} lost its secret");
                    } else if lane % 2 == 1 {
                        black_box(*value == 12345);
                        assert!(*value != 12345);
                    }
                }
            }
        }
    }),
    ("vector_halves_keep_secrets", || {
        let results = on_vectors(Halves(secret([3; NARROW_LANES]), black_box([0x5555_1234; NARROW_LANES])));
        assert!(results.iter().flatten().all(is_poisoned));
    }),
    ("vector_masks_keep_secrets", || {
        let results = on_vectors(Masks(secret([9; LANES]).map(|limb| limb & LIMB), black_box([9; LANES])));
        assert!(results.iter().flatten().all(is_poisoned));
    }),
    // A known table and a secret index give what is secret; so do a secret table and a known index.
    ("vector_lookups_keep_secrets", || {
        let table = || black_box(std::array::from_fn(|half| std::array::from_fn(|i| (i + half) as u32)));
        let index = || black_box(std::array::from_fn(|i| i as u64));
        assert!(on_vectors(Lookups(table(), secret(index()))).iter().flatten().all(is_poisoned));
        assert!(on_vectors(Lookups(secret(table()), index())).iter().flatten().all(is_poisoned));
    }),
    // No leak: a secret that is looked up, multiplied and selected, and never let out.
    ("vector_control", || {
        let [found, _] = on_vectors(Lookups(black_box([[11; 32]; 2]), secret([5; LANES])));
        black_box(on_vectors(Masks(on_vectors(Words(found, found))[2], found)));
    }),
    ("planted_vector_branch", || {
        branch_on(product() & 1 == 1);
    }),
    // The sign of a difference of limbs whose top bits are known: there only by what was borrowed.
    ("planted_vector_sign", || {
        branch_on(on_vectors(IsBelow(secret([0x35; LANES]), black_box([0x77; LANES]))));
    }),
    ("planted_vector_mask", || {
        branch_on(on_vectors(Any(secret([0x35; LANES]), black_box([0x77; LANES]))));
    }),
    ("planted_vector_index", || {
        let table = black_box([7u8; 256]);
        black_box(table[(product() & 255) as usize]);
    }),
    // What the exemption of lookups must not hide.
    ("planted_vector_lookup", || {
        let [found, _] = on_vectors(Lookups(black_box([[3; 32]; 2]), secret([5; LANES])));
        let table = black_box([7u8; 256]);
        black_box(table[(found[1] & 255) as usize]);
    }),
    // Vector code of the library that is variable time, given a secret where it expects none.
    ("planted_vector_verify", || {
        let key = SecretKey::from_bytes(&[0x11; 32]).expect("a key");
        let signature = [ecdsa::sign(&[7; 32], &key); LANES];
        let (digests, keys) = (secret([[7; 32]; LANES]), [key.public_key(); LANES]);
        let rows = ecdsa::rows(&digests, &signature, &keys).expect("equal lengths");
        let bulk = Bulk::builder().backend(backend()).threads(1).build().expect("this CPU has the backend");
        black_box(bulk.verify_ecdsa(&rows, LowS::Require));
    }),
];

/// A limb of 52 bits.
const LIMB: u64 = (1 << 52) - 1;

fn on_vectors<O: Op>(op: O) -> O::Output {
    match backend() {
        Backend::Fma => Fma::detect().expect("this CPU has AVX2 and FMA").run(op),
        Backend::Fma512 => Fma512::detect().expect("this CPU has AVX-512").run(op),
        Backend::Ifma => Ifma::detect().expect("this CPU has AVX-512 IFMA").run(op),
        other => unreachable!("{other} is not among those of the test"),
    }
}

/// What closures cannot be: generic over words.
macro_rules! op {
    ($name:ident($($argument:ident: $kind:ty),*) -> $output:ty { $($body:tt)* }) => {
        struct $name($($kind),*);
        impl Op for $name {
            type Output = $output;
            #[inline(always)]
            fn call<W: Word>(self) -> $output {
                let $name($($argument),*) = self;
                $($body)*
            }
        }
    };
}

op!(Words(a: [u64; LANES], b: [u64; LANES]) -> [[u64; LANES]; 10] {
    let (a, b, one) = (W::from_lanes(a), W::from_lanes(b), W::splat(1));
    [
        a.add(one), one.sub(a), one.madd_lo(a, b), one.madd_hi(b, a), a.madd_lo(b, b), b.xor(a).add(b),
        a.wrapping_add(b), a.rotate_right::<41>().add(b),
        b.shl_lanes(a.and(W::splat(63))).add(one), b.shr_lanes(a.and(W::splat(63))).add(one),
    ].map(W::to_lanes)
});

op!(Halves(a: [u32; NARROW_LANES], b: [u32; NARROW_LANES]) -> [[u32; NARROW_LANES]; 6] {
    let (a, b) = (W::Narrow::from_lanes(a), W::Narrow::from_lanes(b));
    [
        a.add(b), a.shr::<3>().add(a), a.rotate_right::<7>(), Narrow::xor3(a, b, b), a.choose(b, b.rotate_right::<1>()).add(a),
        Narrow::majority(a, b, b.rotate_right::<1>()).add(a),
    ].map(Narrow::to_lanes)
});

op!(Masks(a: [u64; LANES], b: [u64; LANES]) -> [[u64; LANES]; 3] {
    let (a, b, one, two) = (W::from_lanes(a), W::from_lanes(b), W::splat(1), W::splat(2));
    [a.equal(b), a.less(b), a.sub(b).negative()].map(|mask| W::select(mask, one, two).add(one).to_lanes())
});

op!(Lookups(table: Table32, index: [u64; LANES]) -> [[u64; LANES]; 2] {
    let index = W::from_lanes(index);
    let first = W::from_lanes(std::array::from_fn(|i| u64::from(table[1][i]) << 32 | u64::from(table[0][i])));
    [W::lookup32(&table, index), first.permute(index)].map(W::to_lanes)
});

/// A product's lane.
fn product() -> u64 {
    on_vectors(Words(secret([0x35; LANES]), black_box([0x77; LANES])))[2][3]
}

op!(IsBelow(a: [u64; LANES], b: [u64; LANES]) -> bool {
    let limbs = [a, b].map(|lanes| W::from_lanes(lanes).and(W::splat(LIMB)));
    limbs[0].sub(limbs[1]).shr::<63>().to_lanes()[5] == 1
});

op!(Any(a: [u64; LANES], b: [u64; LANES]) -> bool {
    W::from_lanes(a).less(W::from_lanes(b)).any()
});
