//! A sum of products by a plan, on one thread and in one piece, for any curve.

use super::{
    horner::{Sum, horner},
    pippenger::Buckets,
    plan::{Method, Plan},
    signed_digits::{DigitMatrix, SignedInt},
    straus::{OddMultiples, straus_sums},
    workspace::WorkspaceOf,
};
use crate::{affine_add::AffineAdder, word::CacheLine};

/// The sum of `numbers[i] points[i]`, for numbers below `2^bits` in absolute value and finite points. Variable time.
///
/// ```
/// use phalanx_engine::{
///     affine_add::OneLane,
///     curve::{Affine, Curve},
///     field::{BaseField, Field, FieldX1, Montgomery, MontgomeryPrime},
///     lanes::write_entry,
///     msm::{Method, Plan, SignedInt, sum_of_products},
/// };
///
/// // secq256k1: y^2 = x^3 + 7 modulo the order of secp256k1's group.
/// #[derive(Clone, Copy)]
/// struct N;
/// impl MontgomeryPrime for N {
///     const MODULUS: [u64; 4] = [0xbfd2_5e8c_d036_4141, 0xbaae_dce6_af48_a03b, 0xffff_ffff_ffff_fffe, u64::MAX];
/// }
/// #[derive(Clone, Copy)]
/// struct Secq256k1;
/// impl Curve for Secq256k1 {
///     type Field = Montgomery<N>;
///     const B: [u64; 4] = [7, 0, 0, 0];
///     const GENERATOR: [[u64; 4]; 2] = [
///         [1, 0, 0, 0],
///         [0xc1b8_00d1_ffc2_78c0, 0x4891_6189_041f_2af0, 0x4909_abdf_82c9_bd02, 0x0c7c_9704_5a20_7463],
///     ];
/// }
///
/// let generator = Affine::<<Montgomery<N> as BaseField>::X1>::generator::<Secq256k1>();
/// let points = [write_entry(&generator); 3];
/// let numbers = [1, 2, 4].map(|number| SignedInt { magnitude: [number], negative: false });
/// let plan = Plan { method: Method::Pippenger, width: 4 };
/// let mut workspace = Default::default();
/// let sum = sum_of_products(&OneLane::<Secq256k1>::new(), plan, 64, &numbers, &points, &mut workspace);
/// let seven = (1..7).fold(generator.to_jacobian(), |sum, _| sum.add_mixed_complete(generator));
/// assert!(sum.equals(seven) == phalanx_engine::word::Mask::ALL);
/// ```
///
/// # Panics
/// If `numbers` and `points` differ in length; if a number of `bits` bits does not fit `N` words, or `N` is more than
/// four; if the plan's width is not from 2 to [`super::MAX_WIDTH`].
pub fn sum_of_products<A: AffineAdder, const N: usize>(
    adder: &A,
    plan: Plan,
    bits: u32,
    numbers: &[SignedInt<N>],
    points: &[CacheLine],
    workspace: &mut WorkspaceOf<A>,
) -> Sum<A::Curve> {
    assert_eq!(numbers.len(), points.len());
    let windows = 0..plan.windows(bits);
    workspace.begin(points.len()).copy_from_slice(points);
    let parts = match plan.method {
        Method::Straus => {
            let multiples = OddMultiples::new(adder, plan.width, points.len(), workspace);
            straus_sums(adder, plan.width, windows, numbers, &multiples, workspace)
        }
        Method::Pippenger => {
            let mut digits = DigitMatrix::empty(plan.width, bits, windows.clone());
            digits.set(adder.machine(), numbers);
            let mut buckets = Buckets::new_after_table(plan.width, bits, windows, workspace);
            buckets.add(adder, &digits, workspace);
            buckets.weighted_sums(adder, workspace)
        }
    };
    horner(adder, &parts)
}
