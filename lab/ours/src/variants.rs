//! The library's own code with a technique left out, and single calls on one lane: what an ablation sets side by side.
//!
//! A technique that the code cannot leave out is refused. The lists `ablations*` say which and why.

use crate::{Phalanx, additions, bulk, single, sums};
use lab_abi::{
    Op, Peer, Prepared, Refusal, Request, Tables,
    op::Kind,
    rows::{PerRow, records},
};
use phalanx::{
    Backend,
    hash::TaggedHash,
    internals::{self, Method, SumPlan, SumVariant},
};

/// Techniques of one-lane verification, and the names of [`internals::verifications`] without them.
const OF_ONE_LANE: [(&str, &str); 5] = [
    ("endomorphism", "no endomorphism: 256 doublings, point width 5"),
    ("joint-chain", "no joint chain: two multiplications and a sum"),
    ("point-width-5-for-4", "point width 4"),
    ("point-width-5-for-6", "point width 6"),
    ("generator-width-13-for-8", "generator width 8, 8 KiB"),
];

/// What is said of a technique that is none of the operation, or that the code has for good.
const UNKNOWN: &str = "there is no such technique of it, or no code without it";

/// The operation without a technique.
pub(crate) fn without(technique: &str, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let plain = Request { without: None, ..request.clone() };
    let portable = Request { backend: Some(Backend::Portable.name().into()), ..plain.clone() };
    let on_one_lane = request.backend == portable.backend;
    let choice = OF_ONE_LANE.iter().find(|(known, _)| *known == technique);
    if let Some((_, name)) = choice.filter(|_| request.single && on_one_lane && request.op == Op::VerifyEcdsa) {
        return verify_ecdsa_by(name, &plain, input);
    }
    match (request.op, technique) {
        (_, "threads") if request.threads > 1 => Phalanx::prepare(&Request { threads: 1, ..plain }, input),
        (_, "lanes" | "threads") if on_one_lane || technique == "threads" || request.op == Op::MsmNaive => {
            Err(format!("has no {technique} here"))
        }
        (op, "lanes") if has_lanes(op) || op.kind() == Kind::Group => Phalanx::prepare(&portable, input),
        (Op::VerifyEcdsa | Op::VerifySchnorr, "key-tables") if !request.single && !on_one_lane => {
            bulk::prepare(&Request { tables: Tables::Without, ..plain }, input)
        }
        (Op::BatchSchnorr, "sum-of-equations") => {
            let rows = Request { op: Op::VerifySchnorr, ..plain };
            bulk::prepare(&rows, input)
        }
        (Op::Msm, "endomorphism") => {
            sums::prepare_without(&plain, input, |sums| SumVariant { endomorphism: false, ..sums })
        }
        (Op::Msm, _) => {
            let plan = SumVariant::of(sums::means(&plain)?).plan_of(plain.group);
            if technique == "affine-buckets" && plan.method == Method::Pippenger {
                return sums::prepare_without(&plain, input, |sums| SumVariant { affine_buckets: false, ..sums });
            }
            let (method, width) = other_plan(technique, plan.method, plan.width)
                .map_err(|why| not_left_out(technique, &format!("a sum of {} products", plain.group), why))?;
            sums::prepare_without(&plain, input, |sums| SumVariant { plan: Some(SumPlan { method, width }), ..sums })
        }
        (Op::AffineAdd, "shared-inversions") => additions::prepare_alone(&plain, input),
        (Op::Challenge, "tag-prefixes") => challenge(&plain, input, false),
        _ => Err(not_left_out(technique, request.op.name(), UNKNOWN)),
    }
}

/// The method and width of a sum without a technique of its plan; the error says why there is none.
fn other_plan(technique: &str, method: Method, width: u32) -> Result<(Method, u32), &'static str> {
    let most = match method {
        Method::Straus => 10,
        Method::Lanes => 4,
        Method::Pippenger => 16,
    };
    match technique {
        "stretches" if method == Method::Lanes => Ok((Method::Straus, 4)),
        "stretches" => Err("no lane has a stretch of its bits"),
        "width-for-2-narrower" | "width-for-2-wider" if method == Method::Lanes => Err("a window in lanes has 4 bits"),
        "width-for-2-narrower" if width >= 4 => Ok((method, width - 2)),
        "width-for-2-narrower" => Err("a window has 2 bits or more"),
        "width-for-2-wider" if width + 2 <= most => Ok((method, width + 2)),
        "width-for-2-wider" => Err("a window has at most 16 bits, and of tables of points at most 10"),
        "buckets" if method == Method::Pippenger => Ok((Method::Straus, 5)),
        "buckets" | "affine-buckets" => Err("a sum of so few products is computed by tables of points"),
        _ => Err(UNKNOWN),
    }
}

fn not_left_out(technique: &str, of: &str, why: &str) -> Refusal {
    format!("cannot leave out {technique} of {of} here: {why}")
}

/// Whether the operation is one of schemes that lanes compute.
fn has_lanes(op: Op) -> bool {
    use Op::{Derive, Ecdh, PublicKey, Recover, Scan, Senders, SignEcdsa, SignSchnorr, VerifyEcdsa, VerifySchnorr};
    let schemes = [VerifyEcdsa, VerifySchnorr, Recover, Ecdh, PublicKey, SignEcdsa, SignSchnorr];
    schemes.contains(&op) || [Senders, Derive, Scan].contains(&op)
}

/// By the choice of that name.
fn verify_ecdsa_by(name: &str, request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let choices = internals::verifications();
    let (_, verify) = *choices.iter().find(|(choice, _)| *choice == name).ok_or("the library has no such choice")?;
    let prepared = single::verify_ecdsa(request, input, verify);
    Ok(Prepared { backend: Backend::Portable.name().into(), ..prepared })
}

/// The challenge of BIP-340, from the state that the tag leaves or from the tag.
pub(crate) fn challenge(request: &Request, input: &[u8], from_state: bool) -> Result<Prepared, Refusal> {
    let rows = records::<96>(input);
    let new = || TaggedHash::new(b"BIP0340/challenge");
    let made = new();
    let prepared = Prepared::plain(PerRow::new(request, rows, move |row, out| {
        let parts = [&row[..32], &row[32..64], &row[64..]];
        let hash = if from_state { made.hash(&parts) } else { new().hash(&parts) };
        out.copy_from_slice(&hash);
    }));
    Ok(prepared)
}
