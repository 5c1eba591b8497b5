//! Arithmetic in one lane: the engine's unreduced field and its point formulas as the library's variable-time code uses
//! them, and the library's own inversion and square root.

use crate::numbers::{Fe, affine, fe, jacobian, write, write_even, write_point};
use lab_abi::{
    Job, Op, Prepared, Refusal, Request, Shape,
    peer::not_offered,
    rows::{part, records},
};
use phalanx::FieldElement;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
};
use std::ops::Range;

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let elements = || records::<32>(input).iter().map(FieldElement::from_bytes_reduced).collect::<Vec<_>>();
    let fes = || records::<32>(input).iter().map(fe).collect::<Vec<_>>();
    let none = || vec![(); request.rows];
    let to_vec = |bytes: &[u8]| bytes.to_vec();
    let job: Box<dyn Job> = match request.op {
        Op::FieldMul => {
            let rows = records::<64>(input);
            let a = rows.iter().map(|row| fe(part(row, 0))).collect();
            let b = rows.iter().map(|row| fe(part(row, 32))).collect();
            let step = |a: Fe, b: &Fe| a.mul(*b);
            Box::new(Loop::new(request, a, b, step, step, move |x: &Fe| to_vec(&write(*x))))
        }
        Op::FieldSqr => {
            let step = |a: Fe, (): &()| a.square();
            Box::new(Loop::new(request, fes(), none(), step, step, move |x: &Fe| to_vec(&write(*x))))
        }
        Op::FieldInvert => {
            let stream = |a: FieldElement, _: &FieldElement| a.invert_vartime().unwrap_or_default();
            let chain = |a: FieldElement, b: &FieldElement| (a + b).invert_vartime().unwrap_or_default();
            let write = move |x: &FieldElement| to_vec(&x.to_bytes());
            Box::new(Loop::new(request, elements(), elements(), stream, chain, write))
        }
        Op::FieldSqrt => {
            let squares = elements().iter().map(FieldElement::square).collect();
            let step = |a: FieldElement, (): &()| a.sqrt().unwrap_or(FieldElement::ZERO);
            let write = move |x: &FieldElement| to_vec(&write_even(fe(&x.to_bytes())));
            Box::new(Loop::new(request, squares, none(), step, step, write))
        }
        Op::Double => {
            let points = records(input).iter().map(jacobian).collect();
            let step = |a: Jacobian<Fe>, (): &()| a.double();
            Box::new(Loop::new(request, points, none(), step, step, move |x: &Jacobian<Fe>| to_vec(&write_point(*x))))
        }
        Op::AddMixed => {
            let rows = records::<160>(input);
            let a = rows.iter().map(|row| jacobian(part(row, 0))).collect();
            let b = rows.iter().map(|row| affine(part(row, 96))).collect();
            Box::new(Loop::new(request, a, b, add, add, move |x: &Jacobian<Fe>| to_vec(&write_point(*x))))
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

/// A loop over rows with two operands.
struct Loop<A, B, S, C, W> {
    a: Vec<A>,
    b: Vec<B>,
    results: Vec<A>,
    lanes: usize,
    shape: Shape,
    stream: S,
    chain: C,
    write: W,
}

impl<A: Copy, B, S, C, W> Loop<A, B, S, C, W>
where
    S: Fn(A, &B) -> A,
    C: Fn(A, &B) -> A,
    W: Fn(&A) -> Vec<u8>,
{
    fn new(request: &Request, a: Vec<A>, b: Vec<B>, stream: S, chain: C, write: W) -> Self {
        let count = if request.shape == Shape::Chain { request.lanes } else { a.len() };
        let results = a[..count].to_vec();
        Self { a, b, results, lanes: request.lanes, shape: request.shape, stream, chain, write }
    }
}

impl<A: Copy, B, S, C, W> Job for Loop<A, B, S, C, W>
where
    S: Fn(A, &B) -> A,
    C: Fn(A, &B) -> A,
    W: Fn(&A) -> Vec<u8>,
{
    fn run(&mut self, rows: Range<usize>) {
        let (a, b) = (&self.a[rows.clone()], &self.b[rows.clone()]);
        match self.shape {
            Shape::Stream => {
                for ((result, a), b) in self.results[rows].iter_mut().zip(a).zip(b) {
                    *result = (self.stream)(*a, b);
                }
            }
            Shape::Chain => {
                for (lane, result) in self.results.iter_mut().enumerate() {
                    *result = b[lane..].iter().step_by(self.lanes).fold(a[lane], &self.chain);
                }
            }
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.results.iter().flat_map(&self.write).collect()
    }
}
