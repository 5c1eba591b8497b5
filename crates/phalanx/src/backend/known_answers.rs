//! The known-answer test by which a vector unit proves itself, once a process.
//!
//! Eight signatures of ECDSA, a row in each lane, are made and verified by the code of bulk calls: hashing, choices
//! within registers, products modulo p and n, shared inversions, gathered tables. They must be those that everybody
//! makes (RFC 6979), and a changed digest must not verify. Then the keys are lifted from their x and summed, each times
//! the s of its signature, by the code of sums and batches: digits, rounds of gathered points, the last chain. At last
//! eight messages get their codes by HMAC-SHA-512, as BIP-32 derives keys. A unit that gives another answer is not
//! available: a fault of a CPU, of a hypervisor or of a compiler then costs speed, and no verdict.
//!
//! The test took 0.6 ms on `ifma` and 2 ms on `fma`, in the build of the tests on a busy Intel Xeon (family 6, model
//! 167).

use crate::tuning::LINES_OF_EIGHT_LANES;
use crate::{
    Scalar,
    glv::{Half, split},
    group::{Affine, Fe, Secp256k1, entry, to_affine_vartime},
    hash::HmacSha512,
    lanes::{
        AffineLanes, Fractions, HashLanes, JacobianX8, Lift, MacLanes, Machine, U256x8, divide_fractions, images, lift,
        macs,
        memory::{AffineX8, FeX8Mem},
        rfc6979_candidates,
    },
    mul::{
        Digits, DoubleMulTerms, DoubleMuls, EquationsByX, GeneratorDigits, double_mul_rows, double_mul_terms,
        mul_generator_rows_ct, prove_rows_by_x, same_x,
    },
};
use alloc::{vec, vec::Vec};
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes},
    field::{Field, FieldX1},
    msm::{Extent, Method, SignedInt, SumPlan, Summation},
    word::{CacheLine, LANES, Mask, Mask8},
};

/// SHA-256 of "Phalanx", as a number below n.
const DIGEST: [u64; 4] = [0xc7c0_708e_3350_1dfd, 0x27f4_4ef4_dc4d_1c13, 0xfbb2_c1cd_5771_e88b, 0x82af_8765_3903_e214];

/// Of the secret keys 1 to 8: x of the public key, and r and s of the signature of [`DIGEST`], before s is made low.
const ANSWERS: [[[u64; 4]; 3]; LANES] = [
    [
        [0x59f2_815b_16f8_1798, 0x029b_fcdb_2dce_28d9, 0x55a0_6295_ce87_0b07, 0x79be_667e_f9dc_bbac],
        [0xfaa9_3da8_3857_784f, 0x7d05_2111_83c8_b94a, 0x9e6b_6458_dd80_8c66, 0x4e0e_849b_03c2_b5e9],
        [0x8057_8c2c_708d_c35c, 0xb5c0_4ab9_6e97_ac44, 0x58e2_6267_033a_63f6, 0x3475_6ce4_9418_5afc],
    ],
    [
        [0xabac_09b9_5c70_9ee5, 0x5c77_8e4b_8cef_3ca7, 0x3045_406e_95c0_7cd8, 0xc604_7f94_41ed_7d6d],
        [0xa5f8_c807_6a81_841d, 0xe48c_34bd_af9e_0a0b, 0x5735_d543_e7c5_1304, 0x95cd_d116_f49b_6439],
        [0x9f60_a7d1_811c_113d, 0xd5fd_77ac_5e2e_86df, 0x2cad_81a6_ed70_f8fd, 0x0fcc_6bf1_6841_171e],
    ],
    [
        [0x8601_f113_bce0_36f9, 0xb531_c845_836f_99b0, 0x4934_4f85_f89d_5229, 0xf930_8a01_9258_c310],
        [0x72ca_477a_fd9a_907c, 0x2750_f94a_d42b_fe73, 0xe701_cc1a_e98c_379a, 0x6c7e_70f9_7bc8_914e],
        [0xdd31_cea3_72e3_c39e, 0x4c61_a038_768b_4b9f, 0xbc6b_d027_1aa7_ca8b, 0x01d1_b97b_7be0_590e],
    ],
    [
        [0x74fa_94ab_e8c4_cd13, 0xcc6c_1390_0ee0_7584, 0x581e_4904_930b_1404, 0xe493_dbf1_c10d_80f3],
        [0x00ca_98cd_00c4_250d, 0xa27d_be2c_37fa_73b0, 0x9fee_c2ed_e26f_ab36, 0xd381_d58d_4169_3d0b],
        [0x5de7_dae1_72cd_ea2a, 0xd886_1cc5_87e0_bec0, 0x8dce_2fbc_7d4d_0579, 0x3bbf_f22c_8e76_58b7],
    ],
    [
        [0xcba8_d569_b240_efe4, 0xe88b_84bd_dc61_9ab7, 0x55b4_a725_0a5c_5128, 0x2f8b_de4d_1a07_2093],
        [0xc9a6_c61d_fcc6_80be, 0x0e6a_31bb_fa4d_c9df, 0x92ab_bce3_0352_bef9, 0x49dd_ccd1_acd6_aeb1],
        [0x447e_fc5d_7851_82a3, 0xf927_fdc6_42a2_9f14, 0xd527_3d6d_5b02_f52e, 0x42e6_00f7_eecd_53a4],
    ],
    [
        [0x2f05_7a14_6029_7556, 0x82f6_472f_8568_a18b, 0x2045_3a14_3552_35d3, 0xfff9_7bd5_755e_eea4],
        [0xb09f_e557_9278_5246, 0x3463_ae98_e581_6c14, 0xf410_1b31_d814_68d5, 0xefd5_88af_9266_c806],
        [0x79e6_2be9_ff61_3140, 0x917a_8297_585e_e0b7, 0xb1f0_971d_453e_3640, 0x0343_8534_d5ee_6780],
    ],
    [
        [0xe92b_dded_cac4_f9bc, 0x3d41_9b7e_0330_e39c, 0xa398_f365_f2ea_7a0e, 0x5cbd_f064_6e5d_b4ea],
        [0x7947_7def_dc87_3870, 0x71fc_b5f7_ff65_439d, 0xbf0e_2278_0e15_b75b, 0x7b85_e6c8_c240_d434],
        [0x5b00_351f_cd4a_f64f, 0x26f2_6a54_3cdb_59d0, 0xa5b1_f05a_65fb_d534, 0x687e_282b_6135_b6fc],
    ],
    [
        [0x6778_4ef3_e10a_2a01, 0x0a1b_dd05_e5af_888a, 0xaff3_843f_b70f_3c2f, 0x2f01_e5e1_5cca_351d],
        [0xbd53_14f4_46fe_8de1, 0xd925_a570_757f_8051, 0xa95e_0218_52f3_a35e, 0x442d_6e26_18a3_a6d0],
        [0x8dc2_0363_4b29_ca69, 0x2cf3_a768_49e5_59ff, 0xbfd0_9964_a494_3633, 0x5d24_3995_a933_36f3],
    ],
];

/// The keys whose y is odd: that of 6.
const ODD: Mask8 = Mask8(1 << 5);

/// Coordinates of the sum of each key times the s of its signature.
const SUM: [[u64; 4]; 2] = [
    [0xca79_8f4b_7a64_79b6, 0x8a67_a5ee_24b4_ebb9, 0xb461_6fd3_7876_e816, 0xea36_4d9d_af2c_dad1],
    [0x9d2a_8258_baa0_51b9, 0xe91a_d6ee_1b4b_9f03, 0x09e1_f63a_c6bf_1cdb, 0x15b6_48df_4767_b1e9],
];

/// The HMAC-SHA-512 of 37 bytes that are all the number of a lane, under the key of 32 such bytes: the exclusive or of
/// the code's words.
const CODES: [u64; LANES] = [
    0x0867_4e7c_0150_44ac,
    0x9243_bfaa_3dd9_3ba9,
    0x7b93_a63c_3bf6_ac93,
    0x9078_01c2_d871_8da0,
    0x0b22_b340_32df_0a29,
    0x798b_d78b_a68b_b5a9,
    0xbbee_42da_551d_b575,
    0x9871_17cd_27ba_318c,
];

/// The first answer that is wrong, if one is. Computes on public constants.
pub(super) fn first_wrong<M: Machine>(machine: M) -> Option<&'static str> {
    let mut unit = Tested::new(machine);
    let secrets: [Scalar; LANES] = core::array::from_fn(|lane| Scalar::from(lane as u64 + 1));
    let keys = unit.multiples(&secrets);
    if !(0..LANES).all(|lane| keys[0].get(lane) == ANSWERS[lane][0]) {
        return Some("multiples of the generator");
    }
    let nonces = unit.nonces(&secrets);
    let points = unit.multiples(&nonces);
    if !(0..LANES).all(|lane| points[0].get(lane) == ANSWERS[lane][1]) {
        return Some("nonces and their points");
    }
    if unit.signatures(&secrets, &nonces) != ANSWERS.map(|[_, _, s]| s) {
        return Some("signatures");
    }
    let digest = number(DIGEST);
    if unit.verified(&keys, digest) != Mask8::ALL {
        return Some("verification of valid signatures");
    }
    if unit.verified(&keys, digest + Scalar::ONE).any() {
        return Some("verification of signatures of another digest");
    }
    if unit.proved(digest) != Mask8::ALL {
        return Some("proofs of valid signatures");
    }
    if unit.proved(digest + Scalar::ONE).any() {
        return Some("proofs of signatures of another digest");
    }
    let points = unit.lifted();
    if !points.is_some_and(|points| (0..LANES).all(|lane| points.get(lane).y.to_words() == keys[1].get(lane))) {
        return Some("points from their x");
    }
    if unit.sum(&keys).map(|sum| [sum.x.to_words(), sum.y.to_words()]) != Some(SUM) {
        return Some("a sum of products");
    }
    if unit.codes() != CODES {
        return Some("codes of HMAC-SHA-512");
    }
    None
}

fn number(limbs: [u64; 4]) -> Scalar {
    Scalar::from_limbs_reduced(limbs)
}

/// A unit at its test.
struct Tested<M> {
    machine: M,
    memory: Vec<CacheLine>,
}

impl<M: Machine> Tested<M> {
    fn new(machine: M) -> Self {
        Tested { machine, memory: vec![CacheLine([0; 8]); LINES_OF_EIGHT_LANES] }
    }

    /// The coordinates of k G for each k.
    fn multiples(&mut self, scalars: &[Scalar; LANES]) -> [U256x8; 2] {
        let mut digits = GeneratorDigits::of_one();
        scalars.iter().enumerate().for_each(|(lane, scalar)| digits.set(lane, scalar));
        let mut points = [[U256x8::ZERO; 2]];
        mul_generator_rows_ct(self.machine, &[digits], &mut points, &mut self.memory);
        points[0]
    }

    /// The nonces of RFC 6979.
    fn nonces(&self, secrets: &[Scalar; LANES]) -> [Scalar; LANES] {
        let mut batch = HashLanes::new();
        for (lane, secret) in secrets.iter().enumerate() {
            batch.set(0, lane, secret.limbs());
            batch.set(1, lane, DIGEST);
        }
        rfc6979_candidates(self.machine, &mut batch);
        core::array::from_fn(|lane| number(batch.get(lane)))
    }

    /// a / d and b / d in each lane.
    fn divided(&mut self, fraction: impl Fn(usize) -> [Scalar; 3]) -> Fractions {
        let mut fractions = [Fractions::ONE];
        for lane in 0..LANES {
            let [a, b, d] = fraction(lane);
            fractions[0].set(lane, [&a, &b], &d);
        }
        divide_fractions(self.machine, &mut fractions, &mut self.memory);
        fractions[0]
    }

    /// The s of each signature: (z + r d) / k.
    fn signatures(&mut self, secrets: &[Scalar; LANES], nonces: &[Scalar; LANES]) -> [[u64; 4]; LANES] {
        let signed = |lane: usize| number(DIGEST) + number(ANSWERS[lane][1]) * secrets[lane];
        let fractions = self.divided(|lane| [signed(lane), Scalar::ONE, nonces[lane]]);
        core::array::from_fn(|lane| fractions.get(lane)[0].limbs())
    }

    /// r of each signature, and the digits of z / s and r / s.
    fn equations(&mut self, digest: Scalar) -> ([U256x8; 1], [Digits; 1]) {
        let fractions = self.divided(|lane| [number(ANSWERS[lane][1]), digest, number(ANSWERS[lane][2])]);
        let (mut x, mut digits) = ([U256x8::ZERO], [Digits::ZERO]);
        for (lane, [_, r, _]) in ANSWERS.iter().enumerate() {
            let [a, b] = fractions.get(lane);
            digits[0].set(lane, &a, &b);
            x[0].set(lane, *r);
        }
        (x, digits)
    }

    /// The rows whose signature verifies under these keys.
    fn verified(&mut self, keys: &[U256x8; 2], digest: Scalar) -> Mask8 {
        let (x, digits) = self.equations(digest);
        let mut points = [AffineLanes::generator()];
        (0..LANES).for_each(|lane| points[0].set(lane, &point(keys, lane)));
        let (mut sums, mut infinite) = ([JacobianX8::ZERO], [Mask8::ALL]);
        let work = DoubleMuls { points: &points, digits: &digits, sums: &mut sums, infinite: &mut infinite };
        double_mul_rows(self.machine, work, &mut self.memory);
        same_x(self.machine, &sums[0], &x[0]).and(infinite[0].not())
    }

    /// The same under the keys by their x alone.
    fn proved(&mut self, digest: Scalar) -> Mask8 {
        let (x, digits) = self.equations(digest);
        let keys = [Self::keys_by_x()];
        let (mut points, mut d) = ([AffineLanes::generator()], [FeX8Mem::ZERO]);
        images(self.machine, &keys, &mut points, &mut d);
        let (mut products, mut partial) = ([JacobianX8::ZERO], [[AffineX8::ZERO; 2]]);
        let mut masks = [[Mask8::NONE]; 3];
        let [void, sound, holds] = &mut masks;
        let terms = DoubleMulTerms { points: &points, digits: &digits, products: &mut products, partial: &mut partial };
        double_mul_terms(self.machine, terms, void, &mut self.memory);
        sound[0] = void[0].not();
        let (products, partial) = (&products, &partial);
        let equations = EquationsByX { keys: &keys, d: &d, products, partial, x: &x, even: false, sound, holds };
        prove_rows_by_x(self.machine, equations, &mut self.memory);
        holds[0]
    }

    fn keys_by_x() -> Lift {
        let mut x = U256x8::ZERO;
        ANSWERS.iter().enumerate().for_each(|(lane, [key, ..])| x.set(lane, *key));
        Lift { x, odd: ODD, keep: Mask8::NONE }
    }

    /// The keys by their x alone, if there are such points.
    fn lifted(&self) -> Option<AffineLanes> {
        let (mut points, mut missing) = ([AffineLanes::generator()], [Mask8::ALL]);
        lift(self.machine, &[Self::keys_by_x()], &mut points, &mut missing);
        (missing[0] == Mask8::NONE).then_some(points[0])
    }

    /// The codes of [`CODES`].
    fn codes(&self) -> [u64; LANES] {
        let mut group = [MacLanes::ZERO];
        for lane in 0..LANES {
            group[0].set(lane, &HmacSha512::new(&[lane as u8; 32]), &core::array::from_fn(|_| lane as u8));
        }
        macs(self.machine, &mut group);
        core::array::from_fn(|lane| group[0].get(lane).as_flattened().iter().fold(0, |all, word| all ^ word))
    }

    /// The sum of each key times the s of its signature, if it is finite.
    fn sum(&self, keys: &[U256x8; 2]) -> Option<Affine> {
        let adder = EightLanes::<M, Secp256k1>::new(self.machine);
        let (plan, bits) = (SumPlan { method: Method::Pippenger, width: 4 }, 128);
        let extent = Extent { plan, bits, windows: 0..plan.windows(bits), known: LANES, images: LANES, pieces: 1 };
        let mut memory = vec![CacheLine([0; 8]); extent.lines::<EightLanes<M, Secp256k1>, 2>()];
        let wipe_nothing = |_: &mut [CacheLine]| ();
        let sum = Summation::<_, 2>::run(&adder, &extent, &mut memory, wipe_nothing, |sum| {
            sum.add_with_images(LANES, LANES, |table, numbers| {
                let (known, images) = table.split_at_mut(LANES);
                for (lane, [_, _, s]) in ANSWERS.iter().enumerate() {
                    known[lane] = entry(&point(keys, lane));
                    let (first, second) = split(&number(*s));
                    (numbers[lane], numbers[LANES + lane]) = (signed(first), signed(second));
                }
                adder.images(known, images);
            });
            sum.finish()
        });
        to_affine_vartime(&sum)
    }
}

/// The point of a lane.
fn point(coordinates: &[U256x8; 2], lane: usize) -> Affine {
    let coordinate = |number: &U256x8| <Fe as FieldX1>::from_words(number.get(lane)).normalize();
    Affine { x: coordinate(&coordinates[0]), y: coordinate(&coordinates[1]) }
}

/// A half of a scalar as sums take it.
fn signed(Half { neg, magnitude }: Half) -> SignedInt<2> {
    SignedInt { magnitude: [magnitude as u64, (magnitude >> 64) as u64], negative: neg != 0 }
}

#[cfg(test)]
mod faulty_word;
#[cfg(test)]
mod tests;
