//! OpenSSL's ECDSA on secp256k1, by the functions of libcrypto that take r, s and a digest. It draws its nonces, and it
//! has no word for a low s.

#[allow(unsafe_code)]
mod ffi;
mod rows;

use ffi::Group;
use lab_abi::{Description, Peer, Prepared, Refusal, Request};

struct OpenSsl;

lab_abi::export_peer!(OpenSsl);

impl Peer for OpenSsl {
    const TAKES_PARSED: bool = true;
    const DRAWS_NONCES: bool = true;

    fn describe() -> Description {
        ffi::describe()
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        rows::prepare(Group::SECP256K1, request, input)
    }
}
