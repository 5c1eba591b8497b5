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

type Unary<T> = unsafe extern "C" fn(*mut T, *const T, usize);
type UnaryChain<T> = unsafe extern "C" fn(*mut T, *const T, usize, usize);
type Binary<T, U> = unsafe extern "C" fn(*mut T, *const T, *const U, usize);
type BinaryChain<T, U> = unsafe extern "C" fn(*mut T, *const T, *const U, usize, usize);

unsafe extern "C" {
    fn lab_fe_read(r: *mut Fe, bytes: *const u8);
    fn lab_fe_write(bytes: *mut u8, a: *const Fe);
    fn lab_fe_write_even(bytes: *mut u8, a: *const Fe);
    fn lab_fe_square(r: *mut Fe);
    fn lab_ge_read(r: *mut Ge, xy: *const u8);
    fn lab_gej_read(r: *mut Gej, xyz: *const u8);
    fn lab_gej_write(xy: *mut u8, a: *const Gej);
    fn lab_scalar_read(r: *mut Scalar, bytes: *const u8);
    fn lab_mul_stream(out: *mut Fe, a: *const Fe, b: *const Fe, n: usize);
    fn lab_mul_chain(out: *mut Fe, a: *const Fe, b: *const Fe, n: usize, lanes: usize);
    fn lab_sqr_stream(out: *mut Fe, a: *const Fe, n: usize);
    fn lab_sqr_chain(out: *mut Fe, a: *const Fe, n: usize, lanes: usize);
    fn lab_invert_stream(out: *mut Fe, a: *const Fe, n: usize);
    fn lab_invert_chain(out: *mut Fe, a: *const Fe, n: usize, lanes: usize);
    fn lab_sqrt_stream(out: *mut Fe, a: *const Fe, n: usize);
    fn lab_sqrt_chain(out: *mut Fe, a: *const Fe, n: usize, lanes: usize);
    fn lab_double_stream(out: *mut Gej, a: *const Gej, n: usize);
    fn lab_double_chain(out: *mut Gej, a: *const Gej, n: usize, lanes: usize);
    fn lab_add_stream(out: *mut Gej, a: *const Gej, b: *const Ge, n: usize);
    fn lab_add_chain(out: *mut Gej, a: *const Gej, b: *const Ge, n: usize, lanes: usize);
    fn lab_affine_add(out: *mut Ge, room: *mut Gej, a: *const Ge, b: *const Ge, n: usize);
    fn lab_ge_write(xy: *mut u8, a: *const Ge);
    fn lab_scratch_new(n: usize) -> *mut c_void;
    fn lab_scratch_free(scratch: *mut c_void);
    fn lab_msm(out: *mut Gej, scratch: *mut c_void, scalars: *const Scalar, points: *const Ge, n: usize) -> c_int;
    fn lab_verify(verdicts: *mut u8, rows: *const u8, n: usize, endomorphism: c_int);
    fn lab_msm_naive(out: *mut Gej, scalars: *const Scalar, points: *const Ge, n: usize);
    fn lab_msm_generator(out: *mut Gej, g: *const Scalar, s: *const Scalar, p: *const Ge);
}

// SAFETY (of the calls in `read` and `write` below): the C functions read or write exactly one element and the bytes of
// the array that the reference points to.
impl Fe {
    pub(crate) fn read(bytes: &[u8; 32]) -> Self {
        let mut r = Self::default();
        // SAFETY: see above.
        unsafe { lab_fe_read(&mut r, bytes.as_ptr()) };
        r
    }

    pub(crate) fn write(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        // SAFETY: see above.
        unsafe { lab_fe_write(bytes.as_mut_ptr(), self) };
        bytes
    }

    /// The even one of the element and its negative.
    pub(crate) fn write_even(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        // SAFETY: see above.
        unsafe { lab_fe_write_even(bytes.as_mut_ptr(), self) };
        bytes
    }

    pub(crate) fn squared(mut self) -> Self {
        // SAFETY: see above.
        unsafe { lab_fe_square(&mut self) };
        self
    }
}

impl Ge {
    pub(crate) fn read(xy: &[u8; 64]) -> Self {
        let mut r = Self::default();
        // SAFETY: see above.
        unsafe { lab_ge_read(&mut r, xy.as_ptr()) };
        r
    }

    pub(crate) fn write(&self) -> [u8; 64] {
        let mut xy = [0; 64];
        // SAFETY: see above.
        unsafe { lab_ge_write(xy.as_mut_ptr(), self) };
        xy
    }
}

impl Gej {
    pub(crate) fn read(xyz: &[u8; 96]) -> Self {
        let mut r = Self::default();
        // SAFETY: see above.
        unsafe { lab_gej_read(&mut r, xyz.as_ptr()) };
        r
    }

    pub(crate) fn write(&self) -> [u8; 64] {
        let mut xy = [0; 64];
        // SAFETY: see above.
        unsafe { lab_gej_write(xy.as_mut_ptr(), self) };
        xy
    }
}

impl Scalar {
    pub(crate) fn read(bytes: &[u8; 32]) -> Self {
        let mut r = Self::default();
        // SAFETY: see above.
        unsafe { lab_scalar_read(&mut r, bytes.as_ptr()) };
        r
    }
}

/// A loop with one operand, as a stream and as chains.
pub(crate) struct UnaryLoop<T>(Unary<T>, UnaryChain<T>);

/// A loop with two operands.
pub(crate) struct BinaryLoop<T, U>(Binary<T, U>, BinaryChain<T, U>);

pub(crate) const SQR: UnaryLoop<Fe> = UnaryLoop(lab_sqr_stream, lab_sqr_chain);
pub(crate) const INVERT: UnaryLoop<Fe> = UnaryLoop(lab_invert_stream, lab_invert_chain);
pub(crate) const SQRT: UnaryLoop<Fe> = UnaryLoop(lab_sqrt_stream, lab_sqrt_chain);
pub(crate) const DOUBLE: UnaryLoop<Gej> = UnaryLoop(lab_double_stream, lab_double_chain);
pub(crate) const MUL: BinaryLoop<Fe, Fe> = BinaryLoop(lab_mul_stream, lab_mul_chain);
pub(crate) const ADD: BinaryLoop<Gej, Ge> = BinaryLoop(lab_add_stream, lab_add_chain);

impl<T> UnaryLoop<T> {
    pub(crate) fn stream(&self, out: &mut [T], a: &[T]) {
        assert_eq!(out.len(), a.len());
        // SAFETY: the function touches as many elements as both slices have.
        unsafe { self.0(out.as_mut_ptr(), a.as_ptr(), a.len()) }
    }

    pub(crate) fn chains(&self, out: &mut [T], a: &[T]) {
        assert!(out.len() <= a.len());
        // SAFETY: the function reads `a.len()` elements and writes as many as there are lanes.
        unsafe { self.1(out.as_mut_ptr(), a.as_ptr(), a.len(), out.len()) }
    }
}

impl<T, U> BinaryLoop<T, U> {
    pub(crate) fn stream(&self, out: &mut [T], a: &[T], b: &[U]) {
        assert!(out.len() == a.len() && b.len() == a.len());
        // SAFETY: the function touches as many elements as the three slices have.
        unsafe { self.0(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), a.len()) }
    }

    pub(crate) fn chains(&self, out: &mut [T], a: &[T], b: &[U]) {
        assert!(out.len() <= a.len() && b.len() == a.len());
        // SAFETY: the function reads `a.len()` elements of both and writes as many as there are lanes.
        unsafe { self.1(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), a.len(), out.len()) }
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

/// Verdicts of rows, with the endomorphism or without.
pub(crate) fn verify(verdicts: &mut [u8], rows: &[[u8; 129]], endomorphism: bool) {
    assert_eq!(verdicts.len(), rows.len());
    // SAFETY: both are as long as the number that is passed says, the one in bytes and the other in rows of 129.
    unsafe { lab_verify(verdicts.as_mut_ptr(), rows.as_ptr().cast(), rows.len(), endomorphism.into()) }
}
