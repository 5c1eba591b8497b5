//! The traits of the crate `ff` that are alike for scalars and coordinates: elements of a field as other people's
//! generic code wants them.

/// `Field` and `FromUniformBytes` of a type, by its own methods, and a square root by what is given.
macro_rules! ff_traits {
    ($type:ident, $sqrt:expr) => {
        /// Constant time, except what has `_vartime` in its name.
        impl group::ff::Field for $type {
            const ZERO: Self = $type::ZERO;
            const ONE: Self = $type::ONE;

            /// 64 bytes modulo the field's order, whose distance from uniform is below 2^-256. May be zero.
            fn try_random<R: rand_core::TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
                let mut bytes = [0; 64];
                let filled = rng.try_fill_bytes(&mut bytes);
                let element = $type::from_bytes_wide(&bytes);
                $crate::wipe::wipe(&mut bytes);
                filled.map(|()| element)
            }

            fn square(&self) -> Self {
                $type::square(self)
            }

            fn double(&self) -> Self {
                $type::double(self)
            }

            fn invert(&self) -> subtle::CtOption<Self> {
                $type::invert(self)
            }

            /// As `ff`'s own `sqrt_ratio_generic`, without its assertions, which branch on what is always true.
            fn sqrt_ratio(num: &Self, div: &Self) -> (subtle::Choice, Self) {
                let ratio = $type::invert(div).unwrap_or($type::ZERO) * num;
                let roots =
                    [ratio, ratio * <Self as group::ff::PrimeField>::ROOT_OF_UNITY].map(|square| $sqrt(&square));
                let is_square = roots[0].is_some();
                let [root, of_nonsquare] = roots.map(|root| root.unwrap_or($type::ZERO));
                let is_right = is_square & (num.is_zero() | !div.is_zero());
                (is_right, subtle::ConditionallySelectable::conditional_select(&of_nonsquare, &root, is_square))
            }

            fn sqrt(&self) -> subtle::CtOption<Self> {
                $sqrt(self)
            }

            fn pow<S: AsRef<[u64]>>(&self, exponent: S) -> Self {
                $type::pow(self, exponent)
            }

            fn pow_vartime<S: AsRef<[u64]>>(&self, exponent: S) -> Self {
                $crate::arithmetic::pow_vartime(self, exponent.as_ref())
            }
        }

        impl group::ff::FromUniformBytes<64> for $type {
            /// 64 bytes modulo the field's order. They are little-endian, as `ff` asks of every field; those of
            /// `from_bytes_wide` are big-endian.
            fn from_uniform_bytes(bytes: &[u8; 64]) -> Self {
                let mut reversed = *bytes;
                reversed.reverse();
                let element = $type::from_bytes_wide(&reversed);
                $crate::wipe::wipe(&mut reversed);
                element
            }
        }
    };
}

pub(crate) use ff_traits;
