//! The parts of libsecp256k1 that no user can call: field, point formulas, multi-scalar multiplication; and its verification
//! of ECDSA, with the endomorphism as it ships and without. One lane and one thread, always; lanes are computed one after
//! the other.

#[allow(unsafe_code)]
mod ffi;

use ffi::{BinaryLoop, Fe, Ge, Gej, Scalar, Scratch, UnaryLoop};
use lab_abi::{
    Description, Job, Op, Peer, Prepared, Refusal, Request, Shape,
    peer::not_offered,
    rows::{part, records},
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
            Op::FieldMul => {
                let rows = records::<64>(input);
                let a = rows.iter().map(|row| Fe::read(part(row, 0))).collect();
                let b = rows.iter().map(|row| Fe::read(part(row, 32))).collect();
                Prepared::plain(Binary { step: ffi::MUL, a, b, out: Results::new(request, Fe::write) })
            }
            Op::FieldSqr => Prepared::plain(Unary { step: ffi::SQR, a: fes(), out: Results::new(request, Fe::write) }),
            Op::FieldInvert => {
                Prepared::plain(Unary { step: ffi::INVERT, a: fes(), out: Results::new(request, Fe::write) })
            }
            Op::FieldSqrt => {
                let a = fes().into_iter().map(Fe::squared).collect();
                Prepared::plain(Unary { step: ffi::SQRT, a, out: Results::new(request, Fe::write_even) })
            }
            Op::Double => {
                let a = records(input).iter().map(Gej::read).collect();
                Prepared::plain(Unary { step: ffi::DOUBLE, a, out: Results::new(request, Gej::write) })
            }
            Op::AddMixed => {
                let rows = records::<160>(input);
                let a = rows.iter().map(|row| Gej::read(part(row, 0))).collect();
                let b = rows.iter().map(|row| Ge::read(part(row, 96))).collect();
                Prepared::plain(Binary { step: ffi::ADD, a, b, out: Results::new(request, Gej::write) })
            }
            Op::Msm | Op::MsmNaive => Prepared::plain(Sums::new(request, input)),
            Op::VerifyEcdsa => {
                let rows = records::<129>(input);
                Prepared::plain(Verifications { verdicts: vec![0; rows.len()], rows, endomorphism })
            }
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

/// The results of a loop.
struct Results<T, const N: usize> {
    values: Vec<T>,
    shape: Shape,
    write: fn(&T) -> [u8; N],
}

impl<T: Clone + Default, const N: usize> Results<T, N> {
    fn new(request: &Request, write: fn(&T) -> [u8; N]) -> Self {
        let count = if request.shape == Shape::Chain { request.lanes } else { request.rows };
        Self { values: vec![T::default(); count], shape: request.shape, write }
    }

    fn bytes(&self) -> Vec<u8> {
        self.values.iter().flat_map(self.write).collect()
    }
}

struct Unary<T, const N: usize> {
    step: UnaryLoop<T>,
    a: Vec<T>,
    out: Results<T, N>,
}

impl<T: Copy + Default, const N: usize> Job for Unary<T, N> {
    fn run(&mut self, rows: Range<usize>) {
        match self.out.shape {
            Shape::Stream => self.step.stream(&mut self.out.values[rows.clone()], &self.a[rows]),
            Shape::Chain => self.step.chains(&mut self.out.values, &self.a[rows]),
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.out.bytes()
    }
}

struct Binary<T, U, const N: usize> {
    step: BinaryLoop<T, U>,
    a: Vec<T>,
    b: Vec<U>,
    out: Results<T, N>,
}

impl<T: Copy + Default, U, const N: usize> Job for Binary<T, U, N> {
    fn run(&mut self, rows: Range<usize>) {
        match self.out.shape {
            Shape::Stream => {
                self.step.stream(&mut self.out.values[rows.clone()], &self.a[rows.clone()], &self.b[rows]);
            }
            Shape::Chain => self.step.chains(&mut self.out.values, &self.a[rows.clone()], &self.b[rows]),
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.out.bytes()
    }
}

/// Sums of products, group by group.
struct Sums {
    scalars: Vec<Scalar>,
    points: Vec<Ge>,
    group: usize,
    scratch: Scratch,
    /// Whether each product is computed alone.
    naive: bool,
    sums: Vec<Gej>,
}

impl Sums {
    fn new(request: &Request, input: &[u8]) -> Self {
        let rows = records::<96>(input);
        Self {
            scalars: rows.iter().map(|row| Scalar::read(part(row, 0))).collect(),
            points: rows.iter().map(|row| Ge::read(part(row, 32))).collect(),
            group: request.group,
            scratch: Scratch::new(request.group),
            naive: request.op == Op::MsmNaive,
            sums: vec![Gej::default(); request.rows / request.group],
        }
    }
}

impl Job for Sums {
    fn run(&mut self, rows: Range<usize>) {
        for start in rows.step_by(self.group) {
            let (scalars, points) = (&self.scalars[start..start + self.group], &self.points[start..start + self.group]);
            self.sums[start / self.group] = match (scalars, points) {
                _ if self.naive => ffi::sum_one_by_one(scalars, points),
                // The lab's sums of two are one multiple of the generator and one of another point.
                ([g, s], [_, p]) => ffi::sum_with_generator(g, s, p),
                _ => self.scratch.sum(scalars, points),
            };
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.sums.iter().flat_map(Gej::write).collect()
    }
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

/// Verifications of ECDSA.
struct Verifications {
    rows: Vec<[u8; 129]>,
    verdicts: Vec<u8>,
    endomorphism: bool,
}

impl Job for Verifications {
    fn run(&mut self, rows: Range<usize>) {
        ffi::verify(&mut self.verdicts[rows.clone()], &self.rows[rows], self.endomorphism);
    }

    fn output(&mut self) -> Vec<u8> {
        self.verdicts.clone()
    }
}
