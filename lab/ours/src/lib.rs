//! Our side: phalanx as its users call it, and below that its field and its point formulas.
//!
//! [`single`] and [`bulk`] are the schemes, the latter in [`groups`]; [`sums`] are sums of products, [`additions`] the
//! additions below them, [`batch`] signatures verified together, [`frost`] those of many signers, [`fixed`] commitments
//! over the Verkle basis, [`senders`] those of transactions, [`derive`] children of extended keys, [`scan`] silent
//! payments.
//! [`one_lane`] and [`eight_lanes`] are the arithmetic operations, whose numbers `numbers` reads and writes; [`variants`]
//! is the same code with a technique left out, or on one lane.

mod additions;
mod batch;
mod bulk;
mod derive;
mod eight_lanes;
mod fixed;
mod frost;
mod groups;
mod numbers;
mod one_lane;
mod scan;
mod senders;
mod single;
mod sums;
mod variants;

use lab_abi::{Description, Inputs, Op, Peer, Prepared, Refusal, Request, op::Kind, peer::not_offered};

struct Phalanx;

lab_abi::export_peer!(Phalanx);

impl Peer for Phalanx {
    const TAKES_PARSED: bool = true;
    const LEAVES_OUT: bool = true;

    fn describe() -> Description {
        Description { version: "0.1.0".into(), flags: lab_abi::RUST_BUILD.into() }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        if let Some(technique) = &request.without {
            return variants::without(technique, request, input);
        }
        match (request.op, request.op.kind()) {
            (Op::Derive | Op::Scan | Op::FrostAggregate | Op::Senders, _) if request.inputs == Inputs::Parsed => {
                Err(not_offered(request))
            }
            (Op::MsmFixed | Op::TableBuild | Op::TreeKey, _) => fixed::prepare(request, input),
            (Op::Derive, _) => derive::prepare(request, input),
            (Op::Scan, _) => scan::prepare(request, input),
            (Op::FrostAggregate, _) => frost::prepare(request, input),
            (Op::Senders, _) => senders::prepare(request, input),
            (Op::Challenge, _) => variants::challenge(request, input, true),
            (Op::Msm, _) => sums::prepare(request, input),
            (Op::MsmNaive, _) => sums::prepare_naive(request, input),
            (Op::AffineAdd, _) => additions::prepare(request, input),
            (_, Kind::Arithmetic) if request.lanes == 1 => one_lane::prepare(request, input),
            (_, Kind::Arithmetic) => eight_lanes::prepare(request, input),
            (_, Kind::Scheme) if request.single => single::prepare(request, input),
            (_, Kind::Scheme) => bulk::prepare(request, input),
            (_, Kind::Group) => batch::prepare(request, input),
        }
    }
}
