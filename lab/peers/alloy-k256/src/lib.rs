//! Senders by the crate alloy-consensus, as people who take no C use it.

mod rows;

use lab_abi::{Description, Peer, Prepared, Refusal, Request};

struct AlloyK256;

lab_abi::export_peer!(AlloyK256);

impl Peer for AlloyK256 {
    fn describe() -> Description {
        Description { version: rows::VERSION.into(), flags: format!("{}; features std, k256", lab_abi::RUST_BUILD) }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        rows::prepare(request, input)
    }
}
