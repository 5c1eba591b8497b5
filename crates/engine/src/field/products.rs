//! Products with their reduction, each as one [`ReducedProduct`], so that a word may keep it a call.
//!
//! What is done with the columns of a product is a [`Finish`]: the fields of eight lanes reduce, and each in its way.

use super::columns::{self, Columns, add_product, add_square};
use crate::word::{ReducedProduct, Word};
use core::marker::PhantomData;

/// What becomes of the ten columns of a product: `N` words, a number's five limbs or columns again.
pub(super) trait Finish<const N: usize> {
    /// The limbs of a factor as they are multiplied.
    #[inline(always)]
    fn factor<W: Word>(limbs: [W; 5]) -> [W; 5] {
        limbs
    }
    /// A number that is added to a product, as columns.
    fn addend<W: Word>(limbs: [W; 5]) -> Columns<W>;
    /// Does so. Implementors mark it `#[inline(always)]`.
    fn finish<W: Word>(columns: Columns<W>) -> [W; N];
}

/// Declares a product of operands of five limbs: its work, and the function that has it done. What takes fewer than
/// four operands has the others repeat the first.
macro_rules! products {
    ($($(#[$note:meta])* $function:ident, $work:ident($($input:ident),*; $($unused:ident),*) { $columns:expr })*) => {$(
        struct $work<F>(PhantomData<F>);

        impl<F: Finish<N>, const N: usize> ReducedProduct<N> for $work<F> {
            #[inline(always)]
            fn run<W: Word>([$($input,)* $($unused),*]: [&[W; 5]; 4]) -> [W; N] {
                F::finish($columns)
            }
        }

        $(#[$note])*
        #[inline(always)]
        pub(super) fn $function<F: Finish<N>, W: Word, const N: usize>($($input: &[W; 5]),*) -> [W; N] {
            products!(@call $work<F>, $($input),*)
        }
    )*};
    (@call $work:ty, $a:ident) => { W::product::<$work, N>($a, $a, $a, $a) };
    (@call $work:ty, $a:ident, $b:ident) => { W::product::<$work, N>($a, $b, $a, $a) };
    (@call $work:ty, $a:ident, $b:ident, $c:ident) => { W::product::<$work, N>($a, $b, $c, $a) };
    (@call $work:ty, $a:ident, $b:ident, $c:ident, $d:ident) => { W::product::<$work, N>($a, $b, $c, $d) };
}

products! {
    /// From `a * b`.
    product, OfTwo(a, b; _c, _d) { add_product(columns::zero(), F::factor(*a), F::factor(*b)) }
    /// From `a^2`.
    square, OfOne(a; _b, _c, _d) { columns::square(F::factor(*a)) }
    /// From `a * b + c`.
    product_and, OfTwoAnd(a, b, c; _d) { add_product(F::addend(*c), F::factor(*a), F::factor(*b)) }
    /// From `a^2 + c`.
    square_and, OfOneAnd(a, c; _b, _d) { add_square(F::addend(*c), F::factor(*a)) }
    /// From `a * b` and the columns of another product, the lower and the higher ones.
    product_plus, OfTwoPlus(a, b, low, high;) {
        add_product(columns::joined(*low, *high), F::factor(*a), F::factor(*b))
    }
    /// From `a^2` and the columns of another product, the lower and the higher ones.
    square_plus, OfOnePlus(a, low, high; _d) { add_square(columns::joined(*low, *high), F::factor(*a)) }
}
