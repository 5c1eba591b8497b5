//! The functions of libcrypto that the lab calls, and the thinnest safe face of them.

use core::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr::{self, NonNull},
};
use lab_abi::{Description, Refusal};
use std::sync::OnceLock;

type Opaque = *mut c_void;
type Give = unsafe extern "C" fn(size: usize, file: *const c_char, line: c_int) -> Opaque;
type Grow = unsafe extern "C" fn(block: Opaque, size: usize, file: *const c_char, line: c_int) -> Opaque;
type Take = unsafe extern "C" fn(block: Opaque, file: *const c_char, line: c_int);

unsafe extern "C" {
    fn OpenSSL_version(kind: c_int) -> *const c_char;
    fn CRYPTO_set_mem_functions(give: Give, grow: Grow, take: Take) -> c_int;
    fn malloc(size: usize) -> Opaque;
    fn realloc(block: Opaque, size: usize) -> Opaque;
    fn free(block: Opaque);

    fn BN_bin2bn(bytes: *const u8, length: c_int, number: Opaque) -> Opaque;
    fn BN_bn2binpad(number: *const c_void, to: *mut u8, length: c_int) -> c_int;
    fn BN_clear_free(number: Opaque);

    fn EC_GROUP_new_by_curve_name(nid: c_int) -> Opaque;
    fn EC_POINT_new(group: *const c_void) -> Opaque;
    fn EC_POINT_free(point: Opaque);
    fn EC_POINT_mul(
        group: *const c_void,
        to: Opaque,
        of_generator: *const c_void,
        point: *const c_void,
        of_point: *const c_void,
        context: Opaque,
    ) -> c_int;
    fn EC_POINT_point2oct(
        group: *const c_void,
        point: *const c_void,
        form: c_int,
        to: *mut u8,
        length: usize,
        context: Opaque,
    ) -> usize;

    fn EC_KEY_new() -> Opaque;
    fn EC_KEY_free(key: Opaque);
    fn EC_KEY_set_group(key: Opaque, group: *const c_void) -> c_int;
    fn EC_KEY_oct2key(key: Opaque, bytes: *const u8, length: usize, context: Opaque) -> c_int;
    fn EC_KEY_set_private_key(key: Opaque, secret: *const c_void) -> c_int;

    fn ECDSA_SIG_new() -> Opaque;
    fn ECDSA_SIG_free(signature: Opaque);
    fn ECDSA_SIG_set0(signature: Opaque, r: Opaque, s: Opaque) -> c_int;
    fn ECDSA_SIG_get0(signature: *const c_void, r: *mut *const c_void, s: *mut *const c_void);
    fn ECDSA_do_verify(digest: *const u8, length: c_int, signature: *const c_void, key: Opaque) -> c_int;
    fn ECDSA_do_sign(digest: *const u8, length: c_int, key: Opaque) -> Opaque;
}

const COMPRESSED: c_int = 2;

/// A curve's number in libcrypto.
#[derive(Clone, Copy)]
pub(crate) struct Group(c_int);

// Each of the two peers has one.
#[allow(dead_code)]
impl Group {
    pub(crate) const SECP256K1: Self = Self(714);
    pub(crate) const P256: Self = Self(415);
}

pub(crate) fn describe() -> Description {
    let text = |kind| {
        // SAFETY: the function gives a text that lives as long as the library, for every kind.
        unsafe { CStr::from_ptr(OpenSSL_version(kind)) }.to_string_lossy().into_owned()
    };
    let version = text(0).trim_start_matches("OpenSSL ").split(' ').next().unwrap_or("unknown").to_owned();
    // "compiler: gcc -fPIC ... -DNAME ...": the optimiser's part of it, without the definitions.
    let flags = text(1);
    let flags = flags.trim_start_matches("compiler: ").split(' ').filter(|word| !word.starts_with("-D"));
    Description { version, flags: format!("of the system: {}", flags.collect::<Vec<_>>().join(" ")) }
}

// SAFETY (of the three): they are the functions of C, under their contracts, called through this library's wrapping.
unsafe extern "C" fn give(size: usize, _: *const c_char, _: c_int) -> Opaque {
    // SAFETY: see above.
    unsafe { malloc(size) }
}

unsafe extern "C" fn grow(block: Opaque, size: usize, _: *const c_char, _: c_int) -> Opaque {
    // SAFETY: see above.
    unsafe { realloc(block, size) }
}

unsafe extern "C" fn take(block: Opaque, _: *const c_char, _: c_int) {
    // SAFETY: see above.
    unsafe { free(block) }
}

/// A curve, made once and never freed.
#[derive(Clone, Copy)]
pub(crate) struct Curve(*const c_void);

// SAFETY: after it is made a group is only read, which libcrypto documents as safe from several threads.
unsafe impl Send for Curve {}
// SAFETY: as above.
unsafe impl Sync for Curve {}

impl Curve {
    /// The curve. The first call has libcrypto take its memory from here, so that it is counted; that has to come before
    /// all other use of libcrypto in the process.
    pub(crate) fn new(group: Group) -> Result<Self, Refusal> {
        static COUNTED: OnceLock<bool> = OnceLock::new();
        // SAFETY: the functions keep the contracts of those that they replace.
        if !COUNTED.get_or_init(|| unsafe { CRYPTO_set_mem_functions(give, grow, take) } == 1) {
            return Err("cannot count its allocations, since libcrypto is in use in this process".into());
        }
        // SAFETY: a pure function of the number.
        let group = unsafe { EC_GROUP_new_by_curve_name(group.0) };
        if group.is_null() { Err("does not have the curve".into()) } else { Ok(Self(group)) }
    }

    pub(crate) fn public_key(self, secret: &[u8; 32]) -> Option<[u8; 33]> {
        let secret = Number::read(secret)?;
        let mut bytes = [0; 33];
        // SAFETY: the group and the number are alive; the point is made and freed here; `bytes` has the length that is
        // passed.
        unsafe {
            let point = NonNull::new(EC_POINT_new(self.0))?.as_ptr();
            let made = EC_POINT_mul(self.0, point, secret.0.as_ptr(), ptr::null(), ptr::null(), ptr::null_mut());
            let length = EC_POINT_point2oct(self.0, point, COMPRESSED, bytes.as_mut_ptr(), 33, ptr::null_mut());
            EC_POINT_free(point);
            (made == 1 && length == 33).then_some(bytes)
        }
    }
}

/// What libcrypto made, freed at the end by the function for its kind.
struct Owned(NonNull<c_void>, unsafe extern "C" fn(Opaque));

// SAFETY: what it made is only read afterwards, which libcrypto documents as safe from several threads.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Owned {
    fn new(made: Opaque, free: unsafe extern "C" fn(Opaque)) -> Option<Self> {
        NonNull::new(made).map(|made| Self(made, free))
    }

    fn as_ptr(&self) -> Opaque {
        self.0.as_ptr()
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: this is the owner, at its end.
        unsafe { self.1(self.0.as_ptr()) }
    }
}

/// A number.
struct Number(Owned);

impl Number {
    fn read(bytes: &[u8]) -> Option<Self> {
        // SAFETY: the bytes are readable for their length; a null number has one made.
        let number = unsafe { BN_bin2bn(bytes.as_ptr(), bytes.len() as c_int, ptr::null_mut()) };
        Owned::new(number, BN_clear_free).map(Self)
    }
}

/// A key.
pub(crate) struct Key(Owned);

impl Key {
    fn new(curve: Curve) -> Option<Self> {
        // SAFETY: no argument.
        let key = Self(Owned::new(unsafe { EC_KEY_new() }, EC_KEY_free)?);
        // SAFETY: both are alive; the key takes a copy of the group.
        (unsafe { EC_KEY_set_group(key.0.as_ptr(), curve.0) } == 1).then_some(key)
    }

    pub(crate) fn of_point(curve: Curve, bytes: &[u8; 33]) -> Option<Self> {
        let key = Self::new(curve)?;
        // SAFETY: the key is alive, and the bytes are readable for their length.
        (unsafe { EC_KEY_oct2key(key.0.as_ptr(), bytes.as_ptr(), 33, ptr::null_mut()) } == 1).then_some(key)
    }

    pub(crate) fn of_secret(curve: Curve, secret: &[u8; 32]) -> Option<Self> {
        let (key, secret) = (Self::new(curve)?, Number::read(secret)?);
        // SAFETY: both are alive; the key takes a copy of the number.
        (unsafe { EC_KEY_set_private_key(key.0.as_ptr(), secret.0.as_ptr()) } == 1).then_some(key)
    }

    pub(crate) fn verifies(&self, digest: &[u8; 32], signature: &Signature) -> bool {
        // SAFETY: the key and the signature are alive, and the digest is readable for its length.
        unsafe { ECDSA_do_verify(digest.as_ptr(), 32, signature.0.as_ptr(), self.0.as_ptr()) == 1 }
    }

    pub(crate) fn sign(&self, digest: &[u8; 32]) -> Option<[u8; 64]> {
        // SAFETY: the key is alive, and the digest is readable for its length.
        let made = unsafe { ECDSA_do_sign(digest.as_ptr(), 32, self.0.as_ptr()) };
        let signature = Signature(Owned::new(made, ECDSA_SIG_free)?);
        let (mut r, mut s, mut bytes) = (ptr::null(), ptr::null(), [0; 64]);
        // SAFETY: the signature is alive, and its numbers with it; the halves of `bytes` have 32 bytes.
        unsafe {
            ECDSA_SIG_get0(signature.0.as_ptr(), &mut r, &mut s);
            BN_bn2binpad(r, bytes.as_mut_ptr(), 32);
            BN_bn2binpad(s, bytes[32..].as_mut_ptr(), 32);
        }
        Some(bytes)
    }
}

/// A signature.
pub(crate) struct Signature(Owned);

impl Signature {
    pub(crate) fn read(bytes: &[u8; 64]) -> Option<Self> {
        let (r, s) = (Number::read(&bytes[..32])?, Number::read(&bytes[32..])?);
        // SAFETY: no argument.
        let signature = Self(Owned::new(unsafe { ECDSA_SIG_new() }, ECDSA_SIG_free)?);
        // SAFETY: all are alive; on success the signature owns the numbers, which are forgotten here.
        if unsafe { ECDSA_SIG_set0(signature.0.as_ptr(), r.0.as_ptr(), s.0.as_ptr()) } != 1 {
            return None;
        }
        core::mem::forget((r, s));
        Some(signature)
    }
}
