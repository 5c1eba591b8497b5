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

use lab_abi::{Description, Op, Peer, Prepared, Refusal, Request, op::Kind};

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
        if matches!(request.op, Op::MsmFixed | Op::TableBuild | Op::TreeKey) {
            return fixed::prepare(request, input);
        }
        if request.op == Op::Derive {
            return derive::prepare(request, input);
        }
        if request.op == Op::Scan {
            return scan::prepare(request, input);
        }
        if request.op == Op::FrostAggregate {
            return frost::prepare(request, input);
        }
        if request.op == Op::Senders {
            return senders::prepare(request, input);
        }
        if request.single && request.backend.as_deref() == Some("portable") && variants::has_one_lane(request.op) {
            return variants::on_one_lane(request, input);
        }
        match (request.op.kind(), request.lanes) {
            (Kind::Arithmetic, 1) => one_lane::prepare(request, input),
            (Kind::Arithmetic, _) => eight_lanes::prepare(request, input),
            (Kind::Scheme, _) if request.op == Op::Challenge => variants::challenge(request, input, true),
            (Kind::Scheme, _) if request.single => single::prepare(request, input),
            (Kind::Scheme, _) => bulk::prepare(request, input),
            (Kind::Group, _) if request.op == Op::Msm => sums::prepare(request, input, |builder| builder),
            (Kind::Group, _) if request.op == Op::MsmNaive => sums::prepare_naive(request, input),
            (Kind::Group, _) if request.op == Op::MsmJacobian => {
                sums::prepare_jacobian(request, input, |builder| builder)
            }
            (Kind::Group, _) if request.op == Op::AffineAdd => additions::prepare(request, input),
            (Kind::Group, _) => batch::prepare(request, input),
        }
    }
}
