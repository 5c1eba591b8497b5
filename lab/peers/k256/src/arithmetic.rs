//! Field and point operations of k256: its lazily reduced field, and its complete formulas on homogeneous coordinates.

use k256::{
    AffinePoint, FieldBytes, ProjectivePoint, Sec1Point, Secp256k1,
    elliptic_curve::{
        hazmat::FieldArithmetic,
        sec1::{FromSec1Point, ToSec1Point},
    },
};
use lab_abi::{
    Job, Op, Prepared, Refusal, Request,
    loops::Loop,
    peer::not_offered,
    rows::{part, records},
};

type Fe = <Secp256k1 as FieldArithmetic>::FieldElement;

pub(crate) fn point(xy: &[u8; 64]) -> Option<AffinePoint> {
    let mut bytes = [4; 65];
    bytes[1..].copy_from_slice(xy);
    AffinePoint::from_sec1_point(&Sec1Point::from_bytes(bytes).ok()?).into()
}

pub(crate) fn write_point(point: &ProjectivePoint) -> [u8; 64] {
    let mut xy = [0; 64];
    if *point != ProjectivePoint::IDENTITY {
        xy.copy_from_slice(&point.to_affine().to_sec1_point(false).as_bytes()[1..]);
    }
    xy
}

fn fe(bytes: &[u8; 32]) -> Fe {
    Option::from(Fe::from_bytes(&FieldBytes::from(*bytes))).expect("the lab's numbers are below the modulus")
}

fn write(x: &Fe) -> [u8; 32] {
    x.normalize().to_bytes().into()
}

fn write_even(x: &Fe) -> [u8; 32] {
    let x = x.normalize();
    if x.is_odd().into() { write(&x.negate(1)) } else { write(&x) }
}

/// The point with a Z of no special form: the row's own z cannot be given to the library.
fn projective(xy: &[u8; 64]) -> ProjectivePoint {
    let point = ProjectivePoint::from(point(xy).expect("the lab's points are on the curve"));
    point - ProjectivePoint::GENERATOR + ProjectivePoint::GENERATOR
}

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let fes = || records::<32>(input).iter().map(fe).collect::<Vec<_>>();
    let none = || vec![(); request.rows];
    let job: Box<dyn Job> = match request.op {
        Op::FieldAdd | Op::FieldMul => {
            let rows = records::<64>(input);
            let a = rows.iter().map(|row| fe(part(row, 0))).collect();
            let b = rows.iter().map(|row| fe(part(row, 32))).collect();
            match request.op {
                Op::FieldAdd => Box::new(Loop::new(request, a, b, |a: Fe, b: &Fe| a + b, write)),
                _ => Box::new(Loop::new(request, a, b, |a: Fe, b: &Fe| a.mul(b), write)),
            }
        }
        Op::FieldSqr => {
            let step = |a: Fe, (): &()| a.square();
            Box::new(Loop::new(request, fes(), none(), step, write))
        }
        Op::FieldInvert => {
            let step = |a: Fe, (): &()| a.invert_vartime().unwrap_or(Fe::ZERO);
            Box::new(Loop::new(request, fes(), none(), step, write))
        }
        Op::FieldSqrt => {
            let squares = fes().iter().map(|x| x.square().normalize()).collect();
            let step = |a: Fe, (): &()| a.sqrt().unwrap_or(Fe::ZERO);
            Box::new(Loop::new(request, squares, none(), step, write_even))
        }
        Op::Double => {
            let points = records::<96>(input).iter().map(|row| projective(part(row, 0))).collect();
            let step = |a: ProjectivePoint, (): &()| a.double();
            Box::new(Loop::new(request, points, none(), step, write_point))
        }
        Op::AddMixed => {
            let rows = records::<160>(input);
            let a = rows.iter().map(|row| projective(part(row, 0))).collect();
            let b = rows.iter().map(|row| point(part(row, 96)).expect("the lab's points are on the curve")).collect();
            let step = |a: ProjectivePoint, b: &AffinePoint| a + b;
            Box::new(Loop::new(request, a, b, step, write_point))
        }
        _ => return Err(not_offered(request)),
    };
    Ok(Prepared { job, backend: "default".into() })
}
