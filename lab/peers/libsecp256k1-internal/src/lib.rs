//! The parts of libsecp256k1 that no user can call: field, point formulas, multi-scalar multiplication; and its verification
//! of ECDSA, with the endomorphism as it ships and without. Lanes are computed one after the other.

#[allow(unsafe_code)]
mod ffi;

use ffi::{Fe, Ge, Gej, Loop, Scalar, Scratch};
use lab_abi::{
    Description, Job, Op, Peer, Prepared, Refusal, Request, Shape,
    peer::not_offered,
    rows::{PerRow, part, records},
    sums::Sums,
};
use std::ops::Range;

struct Internal;

lab_abi::export_peer!(Internal);

impl Peer for Internal {
    const LEAVES_OUT: bool = true;

    fn describe() -> Description {
        Description { version: env!("LAB_LIBSECP256K1_VERSION").into(), flags: env!("LAB_C_BUILD").into() }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        let endomorphism = match request.without.as_deref() {
            None => true,
            Some("endomorphism") if request.op == Op::VerifyEcdsa => false,
            Some(technique) => return Err(format!("cannot leave out {technique} of {}", request.op.name())),
        };
        let fes = || records::<32>(input).iter().map(Fe::read).collect::<Vec<_>>();
        Ok(match request.op {
            Op::FieldAdd | Op::FieldMul => {
                let rows = records::<64>(input);
                let a = rows.iter().map(|row| Fe::read(part(row, 0))).collect();
                let b = rows.iter().map(|row| Fe::read(part(row, 32))).collect();
                let step = if request.op == Op::FieldAdd { ffi::ADD_NUMBERS } else { ffi::MUL };
                arithmetic(request, step, a, b, Fe::write)
            }
            Op::FieldSqr => arithmetic(request, ffi::SQR, fes(), fes(), Fe::write),
            Op::FieldInvert => arithmetic(request, ffi::INVERT, fes(), fes(), Fe::write),
            Op::FieldSqrt => {
                let squares: Vec<_> = fes().into_iter().map(Fe::squared).collect();
                arithmetic(request, ffi::SQRT, squares.clone(), squares, Fe::write_even)
            }
            Op::Double => {
                let points: Vec<_> = records(input).iter().map(Gej::read).collect();
                arithmetic(request, ffi::DOUBLE, points.clone(), points, Gej::write)
            }
            Op::AddMixed => {
                let rows = records::<160>(input);
                let a = rows.iter().map(|row| Gej::read(part(row, 0))).collect();
                let b = rows.iter().map(|row| Ge::read(part(row, 96))).collect();
                arithmetic(request, ffi::ADD, a, b, Gej::write)
            }
            Op::Msm | Op::MsmNaive => sums(request, input)?,
            Op::VerifyEcdsa => Prepared::plain(PerRow::new(request, records::<129>(input), move |row, out| {
                out[0] = ffi::verify(row, endomorphism).into();
            })),
            Op::AffineAdd => {
                let rows = records::<128>(input);
                Prepared::plain(Additions {
                    a: rows.iter().map(|row| Ge::read(part(row, 0))).collect(),
                    b: rows.iter().map(|row| Ge::read(part(row, 64))).collect(),
                    group: request.group,
                    room: vec![Gej::default(); request.group],
                    sums: vec![Ge::default(); request.rows],
                })
            }
            _ => return Err(not_offered(request)),
        })
    }
}

/// A loop over rows.
struct Arithmetic<T, U, const N: usize> {
    step: Loop<T, U>,
    a: Vec<T>,
    b: Vec<U>,
    results: Vec<T>,
    shape: Shape,
    write: fn(&T) -> [u8; N],
}

fn arithmetic<T: Copy + Default + 'static, U: 'static, const N: usize>(
    request: &Request,
    step: Loop<T, U>,
    a: Vec<T>,
    b: Vec<U>,
    write: fn(&T) -> [u8; N],
) -> Prepared {
    let count = if request.shape == Shape::Chain { request.lanes } else { request.rows };
    Prepared::plain(Arithmetic { step, a, b, results: vec![T::default(); count], shape: request.shape, write })
}

impl<T, U, const N: usize> Job for Arithmetic<T, U, N> {
    fn run(&mut self, rows: Range<usize>) {
        let (a, b) = (&self.a[rows.clone()], &self.b[rows.clone()]);
        match self.shape {
            Shape::Stream => self.step.stream(&mut self.results[rows], a, b),
            Shape::Chain => self.step.chains(&mut self.results, a, b),
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.results.iter().flat_map(self.write).collect()
    }
}

/// Sums of products, or each product alone.
fn sums(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let (naive, mut scratch) = (request.op == Op::MsmNaive, Scratch::new(request.group));
    let sum = move |scalars: &[Scalar], points: &[Ge]| match (scalars, points) {
        _ if naive => ffi::sum_one_by_one(scalars, points),
        // The lab's sums of two are one multiple of the generator and one of another point.
        ([g, s], [_, p]) => ffi::sum_with_generator(g, s, p),
        _ => scratch.sum(scalars, points),
    };
    let (scalar, point) = (|bytes: &_| Some(Scalar::read(bytes)), |xy: &_| Some(Ge::read(xy)));
    Ok(Prepared::plain(Sums::new(request, input, scalar, point, sum, Gej::write)?))
}

/// Sums of affine points, one inversion a group.
struct Additions {
    a: Vec<Ge>,
    b: Vec<Ge>,
    group: usize,
    room: Vec<Gej>,
    sums: Vec<Ge>,
}

impl Job for Additions {
    fn run(&mut self, rows: Range<usize>) {
        for start in rows.step_by(self.group) {
            let group = start..start + self.group;
            ffi::affine_add(&mut self.sums[group.clone()], &mut self.room, &self.a[group.clone()], &self.b[group]);
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.sums.iter().flat_map(Ge::write).collect()
    }
}
