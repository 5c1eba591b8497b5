//! What both peers measure: alloy's own recovery of a sender, whichever library computes it.

use alloy_consensus::crypto::secp256k1::recover_signer;
use alloy_primitives::{B256, Signature};
use lab_abi::{
    Op, Prepared, Refusal, Request,
    peer::not_offered,
    rows::{PerRow, part, records},
};

/// The version of alloy-consensus.
pub(crate) const VERSION: &str = "2.5.0";

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    if request.op != Op::Senders {
        return Err(not_offered(request));
    }
    Ok(Prepared::plain(PerRow::new(request, records::<97>(input), |row, out| {
        let signature = Signature::from_bytes_and_parity(&row[32..96], row[96] == 1);
        let sender = recover_signer(&signature, B256::new(*part(row, 0)));
        out.copy_from_slice(&sender.map_or([0; 20], |address| address.into_array()));
    })))
}
