//! The functions under test as C declares them, and a context that notes what is reported.
#![allow(unsafe_code)]

use secp256k1 as _;
use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
};

/// A context of the library.
#[repr(C)]
pub(crate) struct Opaque([u8; 0]);

pub(crate) type NonceFunction =
    unsafe extern "C" fn(*mut u8, *const u8, *const u8, *const u8, *mut c_void, c_uint) -> c_int;
pub(crate) type HashFunction = unsafe extern "C-unwind" fn(*mut u8, *const u8, *const u8, *mut c_void) -> c_int;
pub(crate) type Compression = unsafe extern "C" fn(*mut u32, *const u8, usize);
pub(crate) type Report = unsafe extern "C-unwind" fn(*const c_char, *mut c_void);

unsafe extern "C" {
    pub(crate) static secp256k1_context_static: *const Opaque;
    pub(crate) static secp256k1_nonce_function_rfc6979: NonceFunction;
    pub(crate) fn secp256k1_context_create(flags: c_uint) -> *mut Opaque;
    pub(crate) fn secp256k1_context_destroy(context: *mut Opaque);
    pub(crate) fn secp256k1_context_clone(context: *const Opaque) -> *mut Opaque;
    pub(crate) fn secp256k1_context_preallocated_size(flags: c_uint) -> usize;
    pub(crate) fn secp256k1_context_set_illegal_callback(c: *mut Opaque, report: Option<Report>, data: *const c_void);
    pub(crate) fn secp256k1_context_randomize(context: *mut Opaque, seed: *const u8) -> c_int;
    pub(crate) fn secp256k1_context_set_sha256_compression(context: *mut Opaque, function: Option<Compression>);
    pub(crate) fn secp256k1_ec_pubkey_parse(c: *const Opaque, key: *mut u8, input: *const u8, length: usize) -> c_int;
    pub(crate) fn secp256k1_ec_pubkey_serialize(
        c: *const Opaque,
        output: *mut u8,
        length: *mut usize,
        key: *const u8,
        flags: c_uint,
    ) -> c_int;
    pub(crate) fn secp256k1_ec_pubkey_create(c: *const Opaque, key: *mut u8, secret: *const u8) -> c_int;
    pub(crate) fn secp256k1_ec_pubkey_negate(c: *const Opaque, key: *mut u8) -> c_int;
    pub(crate) fn secp256k1_ec_pubkey_tweak_add(c: *const Opaque, key: *mut u8, tweak: *const u8) -> c_int;
    pub(crate) fn secp256k1_ec_pubkey_combine(c: *const Opaque, o: *mut u8, keys: *const *const u8, n: usize) -> c_int;
    pub(crate) fn secp256k1_ec_pubkey_sort(c: *const Opaque, keys: *mut *const u8, count: usize) -> c_int;
    pub(crate) fn secp256k1_ec_pubkey_cmp(c: *const Opaque, a: *const u8, b: *const u8) -> c_int;
    pub(crate) fn secp256k1_ec_seckey_verify(c: *const Opaque, secret: *const u8) -> c_int;
    pub(crate) fn secp256k1_ec_seckey_negate(c: *const Opaque, secret: *mut u8) -> c_int;
    pub(crate) fn secp256k1_ecdsa_signature_parse_der(c: *const Opaque, s: *mut u8, i: *const u8, n: usize) -> c_int;
    pub(crate) fn secp256k1_ecdsa_signature_normalize(c: *const Opaque, output: *mut u8, input: *const u8) -> c_int;
    pub(crate) fn secp256k1_ecdsa_verify(c: *const Opaque, s: *const u8, digest: *const u8, key: *const u8) -> c_int;
    pub(crate) fn secp256k1_ecdsa_sign_recoverable(
        c: *const Opaque,
        signature: *mut u8,
        digest: *const u8,
        secret: *const u8,
        function: Option<NonceFunction>,
        data: *const c_void,
    ) -> c_int;
    pub(crate) fn secp256k1_ecdsa_recover(c: *const Opaque, key: *mut u8, s: *const u8, digest: *const u8) -> c_int;
    pub(crate) fn secp256k1_ecdh(
        c: *const Opaque,
        output: *mut u8,
        key: *const u8,
        secret: *const u8,
        function: Option<HashFunction>,
        data: *mut c_void,
    ) -> c_int;
    pub(crate) fn secp256k1_xonly_pubkey_parse(c: *const Opaque, key: *mut u8, input: *const u8) -> c_int;
    pub(crate) fn secp256k1_keypair_create(c: *const Opaque, pair: *mut u8, secret: *const u8) -> c_int;
    pub(crate) fn secp256k1_keypair_xonly_tweak_add(c: *const Opaque, pair: *mut u8, tweak: *const u8) -> c_int;
    pub(crate) fn secp256k1_schnorrsig_sign32(
        c: *const Opaque,
        signature: *mut u8,
        message: *const u8,
        pair: *const u8,
        aux: *const u8,
    ) -> c_int;
    pub(crate) fn secp256k1_schnorrsig_verify(
        c: *const Opaque,
        signature: *const u8,
        message: *const u8,
        length: usize,
        key: *const u8,
    ) -> c_int;
}

thread_local! {
    static REPORTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C-unwind" fn note(text: *const c_char, _: *mut c_void) {
    // SAFETY: the interface of callbacks.
    let text = unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned();
    REPORTS.with_borrow_mut(|reports| reports.push(text));
}

/// What was reported since the last time.
pub(crate) fn reports() -> Vec<String> {
    REPORTS.with_borrow_mut(std::mem::take)
}

/// A context that notes illegal arguments.
pub(crate) struct Context(pub(crate) *mut Opaque);

impl Context {
    pub(crate) fn new() -> Context {
        // SAFETY: plain calls of the interface.
        unsafe {
            let context = Context(secp256k1_context_create(1));
            context.report_from(context.0);
            context
        }
    }

    /// Notes illegal arguments of another context too.
    pub(crate) fn report_from(&self, context: *mut Opaque) {
        // SAFETY: a plain call of the interface.
        unsafe { secp256k1_context_set_illegal_callback(context, Some(note), ptr::null()) };
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by the library, and not used again.
        unsafe { secp256k1_context_destroy(self.0) };
    }
}

/// A number as 32 big-endian bytes.
pub(crate) fn number(value: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[31] = value;
    bytes
}

/// The group order.
pub(crate) fn order() -> [u8; 32] {
    let mut bytes = [0xff; 32];
    bytes[15] = 0xfe;
    bytes[16..].copy_from_slice(&0xbaae_dce6_af48_a03b_bfd2_5e8c_d036_4141u128.to_be_bytes());
    bytes
}

/// The public key of a secret key.
pub(crate) fn key(context: &Context, secret: &[u8; 32]) -> [u8; 64] {
    let mut key = [0; 64];
    // SAFETY: buffers of the sizes that the interface states.
    assert_eq!(unsafe { secp256k1_ec_pubkey_create(context.0, key.as_mut_ptr(), secret.as_ptr()) }, 1);
    key
}
