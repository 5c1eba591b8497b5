//! How a type gets a binary operator and its assigning form.

/// Implements both by a function of the two operands.
macro_rules! operator {
    ($type:ident: $trait:ident $method:ident, $assign:ident $assigning:ident, $function:expr) => {
        impl $trait for $type {
            type Output = $type;
            #[inline]
            fn $method(self, other: $type) -> $type {
                ($function)(self, other)
            }
        }
        impl $assign for $type {
            #[inline]
            fn $assigning(&mut self, other: $type) {
                *self = ($function)(*self, other);
            }
        }
    };
}
pub(crate) use operator;
