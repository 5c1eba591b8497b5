//! The C API of libsecp256k1, as far as the lab calls it, under the names that the crate secp256k1-sys gives its
//! symbols, and the thinnest safe face of it. Opaque C structs are byte arrays of the sizes in the C headers.

use core::{
    ffi::{c_int, c_uint, c_void},
    ptr,
};

/// Opaque structs by their sizes.
macro_rules! structs {
    ($($(#[$header:meta])* $name:ident: $size:literal,)*) => {$(
        $(#[$header])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub(crate) struct $name([u8; $size]);

        impl $name {
            const EMPTY: Self = Self([0; $size]);
        }
    )*};
}

structs! {
    /// `secp256k1_pubkey`.
    PublicKey: 64,
    /// `secp256k1_xonly_pubkey`.
    XOnlyKey: 64,
    /// `secp256k1_ecdsa_signature`.
    Signature: 64,
    /// `secp256k1_ecdsa_recoverable_signature`.
    RecoverableSignature: 65,
    /// `secp256k1_keypair`.
    Keypair: 96,
}

const CONTEXT_NONE: c_uint = 1;
const EC_COMPRESSED: c_uint = 1 << 1 | 1 << 8;
const EC_UNCOMPRESSED: c_uint = 1 << 1;

type Ctx = *const c_void;

/// Functions under the names of the C headers, less `secp256k1_`.
macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        unsafe extern "C" {$(
            #[link_name = concat!("rustsecp256k1_v0_14_", stringify!($name))]
            fn $name($($argument: $type),*) -> $result;
        )*}
    };
}

functions! {
    fn context_preallocated_size(flags: c_uint) -> usize;
    fn context_preallocated_create(memory: *mut c_void, flags: c_uint) -> *mut c_void;
    fn context_randomize(context: *mut c_void, seed: *const u8) -> c_int;
    fn ec_pubkey_parse(context: Ctx, key: *mut PublicKey, bytes: *const u8, length: usize) -> c_int;
    fn ec_pubkey_serialize(context: Ctx, out: *mut u8, length: *mut usize, key: *const PublicKey,
        flags: c_uint) -> c_int;
    fn ec_pubkey_create(context: Ctx, key: *mut PublicKey, secret: *const u8) -> c_int;
    fn xonly_pubkey_parse(context: Ctx, key: *mut XOnlyKey, bytes: *const u8) -> c_int;
    fn keypair_create(context: Ctx, keypair: *mut Keypair, secret: *const u8) -> c_int;
    fn ecdsa_signature_parse_compact(context: Ctx, signature: *mut Signature, bytes: *const u8) -> c_int;
    fn ecdsa_signature_serialize_compact(context: Ctx, out: *mut u8, signature: *const Signature) -> c_int;
    fn ecdsa_verify(context: Ctx, signature: *const Signature, digest: *const u8, key: *const PublicKey) -> c_int;
    fn ecdsa_sign(context: Ctx, signature: *mut Signature, digest: *const u8, secret: *const u8,
        nonce_function: *const c_void, nonce_data: *const c_void) -> c_int;
    fn ecdsa_recoverable_signature_parse_compact(context: Ctx, signature: *mut RecoverableSignature, bytes: *const u8,
        id: c_int) -> c_int;
    fn ecdsa_recoverable_signature_serialize_compact(context: Ctx, out: *mut u8, id: *mut c_int,
        signature: *const RecoverableSignature) -> c_int;
    fn ecdsa_sign_recoverable(context: Ctx, signature: *mut RecoverableSignature, digest: *const u8, secret: *const u8,
        nonce_function: *const c_void, nonce_data: *const c_void) -> c_int;
    fn ecdsa_recover(context: Ctx, key: *mut PublicKey, signature: *const RecoverableSignature,
        digest: *const u8) -> c_int;
    fn schnorrsig_sign32(context: Ctx, out: *mut u8, message: *const u8, keypair: *const Keypair,
        auxiliary: *const u8) -> c_int;
    fn schnorrsig_verify(context: Ctx, signature: *const u8, message: *const u8, length: usize,
        key: *const XOnlyKey) -> c_int;
    fn ecdh(context: Ctx, out: *mut u8, key: *const PublicKey, secret: *const u8, hash: *const c_void,
        data: *const c_void) -> c_int;
    fn tagged_sha256(context: Ctx, out: *mut u8, tag: *const u8, taglen: usize, text: *const u8, len: usize) -> c_int;
}

/// A context that is never freed: the jobs of the process share one.
#[derive(Clone, Copy)]
pub(crate) struct Context(Ctx);

// SAFETY: after creation the context is only read, which the library documents as safe from several threads.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// A context blinded from a fixed seed (blinding costs the same whatever the seed).
    pub(crate) fn new() -> Self {
        // SAFETY: a pure function of the flags.
        let size = unsafe { context_preallocated_size(CONTEXT_NONE) };
        let memory: &'static mut [u128] = vec![0u128; size.div_ceil(16)].leak();
        // SAFETY: the memory is at least `size` bytes, aligned to 16 and lives as long as the process; the seed is 32
        // bytes; nothing else uses the context yet.
        unsafe {
            let context = context_preallocated_create(memory.as_mut_ptr().cast(), CONTEXT_NONE);
            assert_eq!(context_randomize(context, [0x5a; 32].as_ptr()), 1);
            Self(context)
        }
    }
}

// SAFETY (of every call below): pointers come from references to arrays of the size that the C header names for the
// argument, valid for the call; null function and data pointers select the documented defaults; the context is alive.
impl Context {
    #[inline(always)]
    pub(crate) fn parse_key(self, bytes: &[u8]) -> Option<PublicKey> {
        let mut key = PublicKey::EMPTY;
        // SAFETY: see the head of this block.
        (unsafe { ec_pubkey_parse(self.0, &mut key, bytes.as_ptr(), bytes.len()) } == 1).then_some(key)
    }

    #[inline(always)]
    fn serialize<const N: usize>(self, key: &PublicKey, flags: c_uint) -> [u8; N] {
        let (mut out, mut length) = ([0; N], N);
        // SAFETY: see the head of this block; `length` tells the room in `out`.
        unsafe { ec_pubkey_serialize(self.0, out.as_mut_ptr(), &mut length, key, flags) };
        out
    }

    #[inline(always)]
    pub(crate) fn compressed(self, key: &PublicKey) -> [u8; 33] {
        self.serialize(key, EC_COMPRESSED)
    }

    pub(crate) fn uncompressed(self, key: &PublicKey) -> [u8; 65] {
        self.serialize(key, EC_UNCOMPRESSED)
    }

    #[inline(always)]
    pub(crate) fn public_key(self, secret: &[u8; 32]) -> Option<PublicKey> {
        let mut key = PublicKey::EMPTY;
        // SAFETY: see the head of this block.
        (unsafe { ec_pubkey_create(self.0, &mut key, secret.as_ptr()) } == 1).then_some(key)
    }

    #[inline(always)]
    pub(crate) fn parse_x_only(self, bytes: &[u8; 32]) -> Option<XOnlyKey> {
        let mut key = XOnlyKey::EMPTY;
        // SAFETY: see the head of this block.
        (unsafe { xonly_pubkey_parse(self.0, &mut key, bytes.as_ptr()) } == 1).then_some(key)
    }

    pub(crate) fn keypair(self, secret: &[u8; 32]) -> Option<Keypair> {
        let mut keypair = Keypair::EMPTY;
        // SAFETY: see the head of this block.
        (unsafe { keypair_create(self.0, &mut keypair, secret.as_ptr()) } == 1).then_some(keypair)
    }

    #[inline(always)]
    pub(crate) fn parse_signature(self, bytes: &[u8; 64]) -> Option<Signature> {
        let mut signature = Signature::EMPTY;
        // SAFETY: see the head of this block.
        (unsafe { ecdsa_signature_parse_compact(self.0, &mut signature, bytes.as_ptr()) } == 1).then_some(signature)
    }

    #[inline(always)]
    pub(crate) fn verify(self, digest: &[u8; 32], signature: &Signature, key: &PublicKey) -> bool {
        // SAFETY: see the head of this block.
        unsafe { ecdsa_verify(self.0, signature, digest.as_ptr(), key) == 1 }
    }

    #[inline(always)]
    pub(crate) fn sign(self, digest: &[u8; 32], secret: &[u8; 32]) -> Option<[u8; 64]> {
        let (mut signature, mut out) = (Signature::EMPTY, [0; 64]);
        // SAFETY: see the head of this block.
        unsafe {
            let signed = ecdsa_sign(self.0, &mut signature, digest.as_ptr(), secret.as_ptr(), ptr::null(), ptr::null());
            ecdsa_signature_serialize_compact(self.0, out.as_mut_ptr(), &signature);
            (signed == 1).then_some(out)
        }
    }

    pub(crate) fn sign_recoverable(self, digest: &[u8; 32], secret: &[u8; 32]) -> Option<([u8; 64], u8)> {
        let (mut signature, mut out, mut id) = (RecoverableSignature::EMPTY, [0; 64], 0);
        // SAFETY: see the head of this block.
        unsafe {
            let (digest, secret) = (digest.as_ptr(), secret.as_ptr());
            let signed = ecdsa_sign_recoverable(self.0, &mut signature, digest, secret, ptr::null(), ptr::null());
            ecdsa_recoverable_signature_serialize_compact(self.0, out.as_mut_ptr(), &mut id, &signature);
            (signed == 1).then_some((out, id as u8))
        }
    }

    #[inline(always)]
    pub(crate) fn parse_recoverable(self, bytes: &[u8; 64], id: u8) -> Option<RecoverableSignature> {
        let mut signature = RecoverableSignature::EMPTY;
        if id > 3 {
            return None;
        }
        // SAFETY: see the head of this block; the id is 0 to 3 as the function demands.
        let parsed =
            unsafe { ecdsa_recoverable_signature_parse_compact(self.0, &mut signature, bytes.as_ptr(), id.into()) };
        (parsed == 1).then_some(signature)
    }

    #[inline(always)]
    pub(crate) fn recover(self, digest: &[u8; 32], signature: &RecoverableSignature) -> Option<PublicKey> {
        let mut key = PublicKey::EMPTY;
        // SAFETY: see the head of this block.
        (unsafe { ecdsa_recover(self.0, &mut key, signature, digest.as_ptr()) } == 1).then_some(key)
    }

    #[inline(always)]
    pub(crate) fn sign_schnorr(self, message: &[u8; 32], keypair: &Keypair, auxiliary: &[u8; 32]) -> [u8; 64] {
        let mut out = [0; 64];
        // SAFETY: see the head of this block.
        unsafe { schnorrsig_sign32(self.0, out.as_mut_ptr(), message.as_ptr(), keypair, auxiliary.as_ptr()) };
        out
    }

    #[inline(always)]
    pub(crate) fn verify_schnorr(self, message: &[u8; 32], signature: &[u8; 64], key: &XOnlyKey) -> bool {
        // SAFETY: see the head of this block.
        unsafe { schnorrsig_verify(self.0, signature.as_ptr(), message.as_ptr(), message.len(), key) == 1 }
    }

    #[inline(always)]
    pub(crate) fn shared_secret(self, key: &PublicKey, secret: &[u8; 32]) -> [u8; 32] {
        let mut out = [0; 32];
        // SAFETY: see the head of this block.
        unsafe { ecdh(self.0, out.as_mut_ptr(), key, secret.as_ptr(), ptr::null(), ptr::null()) };
        out
    }

    #[inline(always)]
    pub(crate) fn tagged_hash(self, tag: &[u8], text: &[u8]) -> [u8; 32] {
        let mut out = [0; 32];
        // SAFETY: see the head of this block.
        unsafe { tagged_sha256(self.0, out.as_mut_ptr(), tag.as_ptr(), tag.len(), text.as_ptr(), text.len()) };
        out
    }
}
