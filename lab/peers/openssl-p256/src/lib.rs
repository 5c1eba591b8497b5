//! OpenSSL's ECDSA on P-256, for which it has code of its own. The rows are of that curve; it makes them itself.

#[path = "../../openssl/src/ffi.rs"]
#[allow(unsafe_code)]
mod ffi;
#[path = "../../openssl/src/rows.rs"]
mod rows;

use ffi::Group;
use lab_abi::{Description, Peer, Prepared, Refusal, Request};

struct OpenSslP256;

lab_abi::export_peer!(OpenSslP256);

impl Peer for OpenSslP256 {
    const TAKES_PARSED: bool = true;
    const DRAWS_NONCES: bool = true;
    const OTHER_CURVE: Option<&'static str> = Some("P-256");

    fn describe() -> Description {
        ffi::describe()
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        rows::prepare(Group::P256, request, input)
    }
}
