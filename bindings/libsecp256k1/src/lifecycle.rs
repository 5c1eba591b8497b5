//! Making, copying and ending contexts; their callbacks, compression function and blinding.
#![allow(unsafe_code)]

use crate::{
    callbacks::{Callback, Compression, CompressionFunction, Report},
    context::{Context, Ctx, CtxMut, NO_CONTEXT, check},
    declassify, sha256,
    wipe::cleared,
};
use phalanx_ffi::by_copy::In;
use std::{
    alloc::{Layout, alloc, dealloc},
    ffi::{c_int, c_uint, c_void},
};

/// What the flags' low byte says a flag is for.
const TYPE: c_uint = 0xff;
const TYPE_CONTEXT: c_uint = 1;
/// For contexts that tell a memory checker what becomes public.
const DECLASSIFY: c_uint = 1 << 10;

/// Memory for a context, aligned for any type.
const LAYOUT: Layout = match Layout::from_size_align(size_of::<Context>(), 16) {
    Ok(layout) => layout,
    Err(_) => panic!("a context has a layout"),
};

/// Ends the program where the library computes wrongly.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_selftest() {
    if !sha256::is_right(Compression::BUILT_IN) {
        Callback::ERROR.call(c"self test failed");
    }
}

/// How much memory a context takes.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_preallocated_size(flags: c_uint) -> usize {
    if flags & TYPE != TYPE_CONTEXT {
        Callback::ILLEGAL.call(c"Invalid flags");
        return 0;
    }
    if flags & DECLASSIFY != 0 && !declassify::is_checked() {
        Callback::ILLEGAL.call(c"Declassify flag requires running with memory checking");
        return 0;
    }
    size_of::<Context>()
}

/// How much memory a copy takes.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_preallocated_clone_size(ctx: Ctx) -> usize {
    check!(ctx, ctx.get().is_proper(), c"secp256k1_context_is_proper(ctx)");
    size_of::<Context>()
}

/// Makes a context in the caller's memory.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_preallocated_create(memory: *mut c_void, flags: c_uint) -> CtxMut {
    secp256k1_selftest();
    if secp256k1_context_preallocated_size(flags) == 0 {
        return NO_CONTEXT;
    }
    if memory.is_null() {
        Callback::ILLEGAL.call(c"prealloc != NULL");
        return NO_CONTEXT;
    }
    CtxMut::place(memory, Context::new(flags & DECLASSIFY != 0))
}

/// Makes a context.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_create(flags: c_uint) -> CtxMut {
    if secp256k1_context_preallocated_size(flags) == 0 {
        return NO_CONTEXT;
    }
    let memory = allocate(Callback::ERROR);
    if memory.is_null() { NO_CONTEXT } else { secp256k1_context_preallocated_create(memory, flags) }
}

/// Copies a context into the caller's memory.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_preallocated_clone(ctx: Ctx, memory: *mut c_void) -> CtxMut {
    check!(ctx, !memory.is_null(), c"prealloc != NULL", NO_CONTEXT);
    check!(ctx, ctx.get().is_proper(), c"secp256k1_context_is_proper(ctx)", NO_CONTEXT);
    CtxMut::place(memory, *ctx.get())
}

/// Copies a context.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_clone(ctx: Ctx) -> CtxMut {
    check!(ctx, ctx.get().is_proper(), c"secp256k1_context_is_proper(ctx)", NO_CONTEXT);
    secp256k1_context_preallocated_clone(ctx, allocate(ctx.get().error()))
}

/// Ends a context in the caller's memory.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_preallocated_destroy(ctx: CtxMut) {
    if may_end(ctx) {
        ctx.change(Context::clear);
    }
}

/// Ends a context that the library made memory for.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_destroy(ctx: CtxMut) {
    if may_end(ctx) {
        ctx.change(Context::clear);
        // SAFETY: by the interface the context is one of `secp256k1_context_create` or `secp256k1_context_clone`, which
        // allocate with this layout, and is not used again.
        unsafe { dealloc(ctx.raw().cast(), LAYOUT) };
    }
}

/// Whether there is a context to end.
fn may_end(ctx: CtxMut) -> bool {
    if ctx.is_null() {
        return false;
    }
    let proper = ctx.shared().get().is_proper();
    check!(ctx.shared(), proper, c"ctx == NULL || secp256k1_context_is_proper(ctx)", false);
    true
}

fn allocate(error: Callback) -> *mut c_void {
    // SAFETY: the size is not zero.
    let memory = unsafe { alloc(LAYOUT) };
    if memory.is_null() {
        error.call(c"Out of memory");
    }
    memory.cast()
}

/// Sets who is told of illegal arguments.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_set_illegal_callback(ctx: CtxMut, report: Option<Report>, data: *const c_void) {
    check!(ctx.shared(), is_changeable(ctx), c"ctx != secp256k1_context_static", void);
    ctx.change(|context| context.set_illegal(Callback::new(report, data, Callback::ILLEGAL)));
}

/// Sets who is told of internal errors.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_set_error_callback(ctx: CtxMut, report: Option<Report>, data: *const c_void) {
    check!(ctx.shared(), is_changeable(ctx), c"ctx != secp256k1_context_static", void);
    ctx.change(|context| context.set_error(Callback::new(report, data, Callback::ERROR)));
}

/// Copies of the static context may have callbacks, the static context itself may not. Null stands for it.
fn is_changeable(ctx: CtxMut) -> bool {
    !ctx.is_null() && !ctx.is_static()
}

/// Sets the SHA-256 compression function, which must be one.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_set_sha256_compression(ctx: CtxMut, function: Option<CompressionFunction>) {
    check!(ctx.shared(), ctx.shared().get().is_proper(), c"secp256k1_context_is_proper(ctx)", void);
    let compression = function.map_or(Compression::BUILT_IN, Compression::new);
    if function.is_some() {
        let right = sha256::is_right(compression) && sha256::agrees_with_built_in(compression);
        check!(ctx.shared(), right, c"secp256k1_selftest_sha256(fn_compression)", void);
    }
    ctx.change(|context| context.set_compression(compression));
}

/// Blinds multiplications of the generator by what is drawn from a seed, or ends that.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_context_randomize(ctx: CtxMut, seed: In<[u8; 32]>) -> c_int {
    check!(ctx.shared(), ctx.shared().get().is_proper(), c"secp256k1_context_is_proper(ctx)");
    cleared(|| ctx.change(|context| context.randomize(seed)));
    1
}
