//! The functions of `internal.c`, whose types are copied about by value and never looked into.

use core::ffi::{c_int, c_void};

/// `secp256k1_fe` (5 limbs of 52 bits).
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Fe([u64; 5]);
/// `secp256k1_ge`: x, y and an `int`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Ge([u64; 11]);
/// `secp256k1_gej`: X, Y, Z and an `int`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Gej([u64; 16]);
/// `secp256k1_scalar` (4 limbs of 64 bits).
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Scalar([u64; 4]);

unsafe extern "C" {
    fn lab_fe_read(r: *mut Fe, bytes: *const u8);
    fn lab_fe_write(bytes: *mut u8, a: *const Fe);
    fn lab_fe_write_even(bytes: *mut u8, a: *const Fe);
    fn lab_fe_square(r: *mut Fe);
    fn lab_ge_read(r: *mut Ge, xy: *const u8);
    fn lab_gej_read(r: *mut Gej, xyz: *const u8);
    fn lab_gej_write(xy: *mut u8, a: *const Gej);
    fn lab_scalar_read(r: *mut Scalar, bytes: *const u8);
    fn lab_fe_add(out: *mut Fe, a: *const Fe, b: *const Fe, n: usize, lanes: usize);
    fn lab_mul(out: *mut Fe, a: *const Fe, b: *const Fe, n: usize, lanes: usize);
    fn lab_sqr(out: *mut Fe, a: *const Fe, b: *const Fe, n: usize, lanes: usize);
    fn lab_invert(out: *mut Fe, a: *const Fe, b: *const Fe, n: usize, lanes: usize);
    fn lab_sqrt(out: *mut Fe, a: *const Fe, b: *const Fe, n: usize, lanes: usize);
    fn lab_double(out: *mut Gej, a: *const Gej, b: *const Gej, n: usize, lanes: usize);
    fn lab_add(out: *mut Gej, a: *const Gej, b: *const Ge, n: usize, lanes: usize);
    fn lab_affine_add(out: *mut Ge, room: *mut Gej, a: *const Ge, b: *const Ge, n: usize);
    fn lab_ge_write(xy: *mut u8, a: *const Ge);
    fn lab_scratch_new(n: usize) -> *mut c_void;
    fn lab_scratch_free(scratch: *mut c_void);
    fn lab_msm(out: *mut Gej, scratch: *mut c_void, scalars: *const Scalar, points: *const Ge, n: usize) -> c_int;
    fn lab_verify(row: *const u8, endomorphism: c_int) -> c_int;
    fn lab_msm_naive(out: *mut Gej, scalars: *const Scalar, points: *const Ge, n: usize);
    fn lab_msm_generator(out: *mut Gej, g: *const Scalar, s: *const Scalar, p: *const Ge);
}

/// A value from its bytes.
fn read<T: Default, const N: usize>(by: unsafe extern "C" fn(*mut T, *const u8), bytes: &[u8; N]) -> T {
    let mut value = T::default();
    // SAFETY: each C function that is passed below writes one value, and reads as many bytes as its caller's array has.
    unsafe { by(&mut value, bytes.as_ptr()) };
    value
}

/// The bytes of a value.
fn written<T, const N: usize>(by: unsafe extern "C" fn(*mut u8, *const T), value: &T) -> [u8; N] {
    let mut bytes = [0; N];
    // SAFETY: each C function that is passed below reads one value, and writes as many bytes as its caller's array has.
    unsafe { by(bytes.as_mut_ptr(), value) };
    bytes
}

impl Fe {
    pub(crate) fn read(bytes: &[u8; 32]) -> Self {
        read(lab_fe_read, bytes)
    }

    pub(crate) fn write(&self) -> [u8; 32] {
        written(lab_fe_write, self)
    }

    /// The even one of the element and its negative.
    pub(crate) fn write_even(&self) -> [u8; 32] {
        written(lab_fe_write_even, self)
    }

    pub(crate) fn squared(mut self) -> Self {
        // SAFETY: the C function reads and writes one element.
        unsafe { lab_fe_square(&mut self) };
        self
    }
}

impl Ge {
    pub(crate) fn read(xy: &[u8; 64]) -> Self {
        read(lab_ge_read, xy)
    }

    pub(crate) fn write(&self) -> [u8; 64] {
        written(lab_ge_write, self)
    }
}

impl Gej {
    pub(crate) fn read(xyz: &[u8; 96]) -> Self {
        read(lab_gej_read, xyz)
    }

    pub(crate) fn write(&self) -> [u8; 64] {
        written(lab_gej_write, self)
    }
}

impl Scalar {
    pub(crate) fn read(bytes: &[u8; 32]) -> Self {
        read(lab_scalar_read, bytes)
    }
}

/// A loop of steps. One whose step has one operand never reads the second.
pub(crate) struct Loop<T, U>(unsafe extern "C" fn(*mut T, *const T, *const U, usize, usize));

pub(crate) const ADD_NUMBERS: Loop<Fe, Fe> = Loop(lab_fe_add);
pub(crate) const MUL: Loop<Fe, Fe> = Loop(lab_mul);
pub(crate) const SQR: Loop<Fe, Fe> = Loop(lab_sqr);
pub(crate) const INVERT: Loop<Fe, Fe> = Loop(lab_invert);
pub(crate) const SQRT: Loop<Fe, Fe> = Loop(lab_sqrt);
pub(crate) const DOUBLE: Loop<Gej, Gej> = Loop(lab_double);
pub(crate) const ADD: Loop<Gej, Ge> = Loop(lab_add);

impl<T, U> Loop<T, U> {
    pub(crate) fn stream(&self, out: &mut [T], a: &[T], b: &[U]) {
        assert!(out.len() == a.len() && b.len() == a.len());
        // SAFETY: the function touches as many elements as the three slices have.
        unsafe { self.0(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), a.len(), 0) }
    }

    pub(crate) fn chains(&self, out: &mut [T], a: &[T], b: &[U]) {
        assert!((1..=a.len()).contains(&out.len()) && b.len() == a.len());
        // SAFETY: the function reads `a.len()` elements of both and writes as many as there are lanes.
        unsafe { self.0(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), a.len(), out.len()) }
    }
}

/// Independent sums of affine points, which share one inversion; `room` is overwritten.
pub(crate) fn affine_add(out: &mut [Ge], room: &mut [Gej], a: &[Ge], b: &[Ge]) {
    assert!(room.len() >= out.len() && a.len() == out.len() && b.len() == out.len());
    // SAFETY: each slice has at least as many elements as said.
    unsafe { lab_affine_add(out.as_mut_ptr(), room.as_mut_ptr(), a.as_ptr(), b.as_ptr(), out.len()) }
}

/// The working memory of a sum.
pub(crate) struct Scratch(*mut c_void);

impl Scratch {
    /// For sums of up to `n` products.
    pub(crate) fn new(n: usize) -> Self {
        // SAFETY: allocates and touches nothing else.
        let scratch = unsafe { lab_scratch_new(n) };
        assert!(!scratch.is_null(), "no memory for the sum");
        Self(scratch)
    }

    /// The sum of products, by the algorithm that the library chooses.
    pub(crate) fn sum(&mut self, scalars: &[Scalar], points: &[Ge]) -> Gej {
        assert_eq!(scalars.len(), points.len());
        let mut out = Gej::default();
        // SAFETY: both arrays have as many elements as said; the scratch is alive and used by this call only.
        let done = unsafe { lab_msm(&mut out, self.0, scalars.as_ptr(), points.as_ptr(), points.len()) };
        assert_eq!(done, 1, "ecmult_multi_var refused");
        out
    }
}

/// The sum of products, each computed alone.
pub(crate) fn sum_one_by_one(scalars: &[Scalar], points: &[Ge]) -> Gej {
    assert_eq!(scalars.len(), points.len());
    let mut out = Gej::default();
    // SAFETY: both arrays have as many elements as said.
    unsafe { lab_msm_naive(&mut out, scalars.as_ptr(), points.as_ptr(), points.len()) };
    out
}

/// `g` times the generator plus `s` times `p`.
pub(crate) fn sum_with_generator(g: &Scalar, s: &Scalar, p: &Ge) -> Gej {
    let mut out = Gej::default();
    // SAFETY: each pointer is to one element.
    unsafe { lab_msm_generator(&mut out, g, s, p) };
    out
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: made by `lab_scratch_new`, freed once.
        unsafe { lab_scratch_free(self.0) };
    }
}

/// The verdict on a row, with the endomorphism or without.
pub(crate) fn verify(row: &[u8; 129], endomorphism: bool) -> bool {
    // SAFETY: the function reads the bytes of a row.
    unsafe { lab_verify(row.as_ptr(), endomorphism.into()) == 1 }
}
