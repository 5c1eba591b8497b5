//! The context: callbacks, the compression function, blinding; and what it lends to computations.
#![allow(unsafe_code)]

use crate::{
    callbacks::{Callback, Compression},
    rfc6979::Generator,
    wipe::wipe,
};
use phalanx::{Point, Scalar};
use phalanx_ffi::by_copy::In;
use std::ffi::{CStr, c_void};
use zeroize::Zeroize;

/// What a program holds as `secp256k1_context`. Of the size that the original has on a 64-bit system.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub(crate) struct Context {
    /// Not zero where the context has been made by a function: it may compute with secret keys.
    built: u64,
    blinding: Blinding,
    compression: Compression,
    illegal: Callback,
    error: Callback,
    declassifies: u64,
}

const _: () = assert!(cfg!(not(target_pointer_width = "64")) || size_of::<Context>() == 216);

/// The context that the library has itself, with which nothing secret can be computed.
pub(crate) static STATIC: Context = Context {
    built: 0,
    blinding: Blinding::NONE,
    compression: Compression::BUILT_IN,
    illegal: Callback::ILLEGAL,
    error: Callback::ERROR,
    declassifies: 0,
};

// SAFETY: a context is only read through shared references, but for the functions that the interface asks programs to
// call while nothing else uses it. The pointers in it are the program's, which answers for its callbacks' data.
unsafe impl Sync for Context {}

/// Where programs find [`STATIC`].
#[repr(transparent)]
struct StaticContext(&'static Context);

/// The built-in context.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static secp256k1_context_static: StaticContext = StaticContext(&STATIC);

/// A context as a function takes it that only reads it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Ctx(*const Context);

/// A context as a function takes it that changes it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct CtxMut(*mut Context);

impl Ctx {
    /// The context; the static one in the place of null, so that misuse is reported and not a crash.
    pub(crate) fn get<'a>(self) -> &'a Context {
        // SAFETY: by the interface null or a context that is not changed during the call.
        unsafe { self.0.as_ref() }.unwrap_or(&STATIC)
    }

    /// Reports an illegal argument.
    #[cold]
    pub(crate) fn illegal(self, text: &CStr) {
        self.get().illegal.call(text);
    }
}

impl CtxMut {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn is_static(self) -> bool {
        std::ptr::eq(self.0, &STATIC)
    }

    /// The same for functions that only read.
    pub(crate) fn shared(self) -> Ctx {
        Ctx(self.0)
    }

    /// Changes the context, which is neither null nor the static one.
    pub(crate) fn change(self, change: impl FnOnce(&mut Context)) {
        debug_assert!(!self.is_null() && !self.is_static());
        // SAFETY: by the interface a context in the program's memory that nothing else uses during the call.
        change(unsafe { &mut *self.0 });
    }

    /// A context at the beginning of memory of the program's.
    pub(crate) fn place(memory: *mut c_void, context: Context) -> CtxMut {
        let place = memory.cast::<Context>();
        // SAFETY: by the interface the memory is as large as the size that it was told, and aligned for any type.
        unsafe { place.write(context) };
        CtxMut(place)
    }

    pub(crate) fn raw(self) -> *mut c_void {
        self.0.cast()
    }
}

/// No context: what functions return that could not make one.
pub(crate) const NO_CONTEXT: CtxMut = CtxMut(std::ptr::null_mut());

/// Answers an illegal argument: reports its text, and returns 0 or what is given.
macro_rules! check {
    ($ctx:expr, $condition:expr, $text:literal) => {
        check!($ctx, $condition, $text, 0)
    };
    ($ctx:expr, $condition:expr, $text:literal, void) => {
        if !$condition {
            return $ctx.illegal($text);
        }
    };
    ($ctx:expr, $condition:expr, $text:literal, $result:expr) => {
        if !$condition {
            $ctx.illegal($text);
            return $result;
        }
    };
}

pub(crate) use check;

impl Context {
    /// As functions make it.
    pub(crate) fn new(declassifies: bool) -> Context {
        Context { built: 1, declassifies: declassifies.into(), ..STATIC }
    }

    /// Whether it is not the static one, nor a copy of that.
    pub(crate) fn is_proper(&self) -> bool {
        self.built != 0
    }

    pub(crate) fn compression(&self) -> Compression {
        self.compression
    }

    pub(crate) fn set_compression(&mut self, compression: Compression) {
        self.compression = compression;
    }

    pub(crate) fn set_illegal(&mut self, callback: Callback) {
        self.illegal = callback;
    }

    pub(crate) fn set_error(&mut self, callback: Callback) {
        self.error = callback;
    }

    pub(crate) fn error(&self) -> Callback {
        self.error
    }

    /// Whether what becomes public is told to a memory checker.
    #[cfg_attr(not(phalanx_valgrind), allow(dead_code))]
    pub(crate) fn declassifies(&self) -> bool {
        self.declassifies != 0
    }

    /// Ends the context.
    pub(crate) fn clear(&mut self) {
        self.built = 0;
        self.blinding.clear();
    }

    /// k G, blinded where the context has been randomised. Constant time.
    pub(crate) fn mul_generator(&self, k: &Scalar) -> Point {
        let Blinding { active, scalar, point } = &self.blinding;
        if *active == 0 {
            return Point::mul_generator(k);
        }
        let mut blinded = k + scalar;
        let product = Point::mul_generator(&blinded) - point;
        blinded.zeroize();
        product
    }

    /// Draws new blinding from a seed and the blinding before; ends it without a seed. Constant time.
    pub(crate) fn randomize(&mut self, seed: In<[u8; 32]>) {
        if seed.is_null() {
            return self.blinding.clear();
        }
        let mut seed = seed.read();
        let mut before = self.blinding.scalar.to_bytes();
        let mut drawn = Generator::new(self.compression, &[&before, &seed, &[], &[]]).draw();
        let mut scalar = Scalar::from_bytes_reduced(&drawn);
        self.blinding = Blinding { active: 1, scalar, point: self.mul_generator(&scalar) };
        scalar.zeroize();
        wipe(&mut drawn);
        wipe(&mut before);
        wipe(&mut seed);
    }
}

/// A scalar b and the point b G: k G is computed as (k + b) G - b G, so that the same k does not walk the same digits
/// under different b. The last addition is complete, so any b will do.
#[derive(Clone, Copy)]
struct Blinding {
    active: u64,
    scalar: Scalar,
    point: Point,
}

impl Blinding {
    const NONE: Blinding = Blinding { active: 0, scalar: Scalar::ZERO, point: Point::IDENTITY };

    fn clear(&mut self) {
        self.active = 0;
        self.scalar.zeroize();
        self.point.zeroize();
    }
}
