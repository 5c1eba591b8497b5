//! Arithmetic in one lane: the engine's unreduced field and its point formulas as the library's variable-time code uses
//! them, and the library's own inversion and square root.

use crate::numbers::{Fe, affine, fe, jacobian, write, write_even, write_point};
use lab_abi::{
    Job, Op, Prepared, Refusal, Request,
    loops::Loop,
    peer::not_offered,
    rows::{part, records},
};
use phalanx::FieldElement;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
};

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let elements = || records::<32>(input).iter().map(FieldElement::from_bytes_reduced).collect::<Vec<_>>();
    let fes = || records::<32>(input).iter().map(fe).collect::<Vec<_>>();
    let none = || vec![(); request.rows];
    let job: Box<dyn Job> = match request.op {
        Op::FieldAdd | Op::FieldMul => {
            let rows = records::<64>(input);
            let a = rows.iter().map(|row| fe(part(row, 0))).collect();
            let b = rows.iter().map(|row| fe(part(row, 32))).collect();
            let write = |x: &Fe| write(*x);
            match request.op {
                Op::FieldAdd => Box::new(Loop::new(request, a, b, |a: Fe, b: &Fe| a.add(*b), write)),
                _ => Box::new(Loop::new(request, a, b, |a: Fe, b: &Fe| a.mul(*b), write)),
            }
        }
        Op::FieldSqr => {
            let step = |a: Fe, (): &()| a.square();
            Box::new(Loop::new(request, fes(), none(), step, |x: &Fe| write(*x)))
        }
        Op::FieldInvert => {
            let step = |a: FieldElement, (): &()| a.invert_vartime().unwrap_or_default();
            Box::new(Loop::new(request, elements(), none(), step, FieldElement::to_bytes))
        }
        Op::FieldSqrt => {
            let squares = elements().iter().map(FieldElement::square).collect();
            let step = |a: FieldElement, (): &()| a.sqrt().unwrap_or(FieldElement::ZERO);
            let write = |x: &FieldElement| write_even(fe(&x.to_bytes()));
            Box::new(Loop::new(request, squares, none(), step, write))
        }
        Op::Double => {
            let points = records(input).iter().map(jacobian).collect();
            let step = |a: Jacobian<Fe>, (): &()| a.double();
            Box::new(Loop::new(request, points, none(), step, |x: &Jacobian<Fe>| write_point(*x)))
        }
        Op::AddMixed => {
            let rows = records::<160>(input);
            let a = rows.iter().map(|row| jacobian(part(row, 0))).collect();
            let b = rows.iter().map(|row| affine(part(row, 96))).collect();
            Box::new(Loop::new(request, a, b, add, |x: &Jacobian<Fe>| write_point(*x)))
        }
        _ => return Err(not_offered(request)),
    };
    Ok(Prepared { job, backend: "portable".into() })
}

/// The incomplete addition and the test that tells whether it holds; nothing random ever needs the other case.
#[inline(always)]
fn add(a: Jacobian<Fe>, b: &Affine<Fe>) -> Jacobian<Fe> {
    let (sum, h) = a.add_mixed(*b);
    if h.is_zero_vartime() { Jacobian::infinity() } else { sum }
}
