//! Senders by the crate alloy-consensus over the C of libsecp256k1, as nodes use it.

#[path = "../../alloy-k256/src/rows.rs"]
mod rows;

use lab_abi::{Description, Peer, Prepared, Refusal, Request};

struct AlloySecp256k1;

lab_abi::export_peer!(AlloySecp256k1);

impl Peer for AlloySecp256k1 {
    fn describe() -> Description {
        Description {
            version: rows::VERSION.into(),
            flags: format!("{}; its C by {}; features std, secp256k1", lab_abi::RUST_BUILD, lab_abi::C_FLAGS),
        }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        rows::prepare(request, input)
    }
}
