//! Sums of products, group by group. Scalars and affine points are read in the untimed part, as by every peer.

use lab_abi::{Prepared, Refusal, Request, sums::Sums};
use phalanx::{
    Backend, Error, Point, PublicKey, Scalar,
    internals::SumVariant,
    msm::{Msm, PointInput},
};

/// What is asked for.
pub(crate) fn means(request: &Request) -> Result<Msm, Refusal> {
    let mut builder = Msm::builder().threads(request.threads);
    if let Some(name) = &request.backend {
        builder = builder.backend(name.parse::<Backend>().map_err(|error| error.to_string())?);
    }
    builder.build().map_err(|error| error.to_string())
}

/// Each product alone, on one lane, by the calls for single points.
pub(crate) fn prepare_naive(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let point = |xy: &[u8; 64]| point(xy).map(|point| Point::from(&point));
    let sum = |scalars: &[Scalar], points: &[Point]| {
        let products = scalars.iter().zip(points).map(|(scalar, point)| point.mul_vartime(scalar));
        products.fold(Point::IDENTITY, |sum, product| sum + product)
    };
    let job = Sums::new(request, input, |bytes: &[u8; 32]| Scalar::from_bytes(bytes).ok(), point, sum, write)?;
    Ok(Prepared { job: Box::new(job), backend: Backend::Portable.name().into() })
}

/// Sums over affine points.
pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let msm = means(request)?;
    over(request, input, msm.backend(), move |scalars, points| msm.sum_of_products(scalars, points), point)
}

/// The same without a technique.
pub(crate) fn prepare_without(
    request: &Request,
    input: &[u8],
    leave_out: impl Fn(SumVariant) -> SumVariant,
) -> Result<Prepared, Refusal> {
    let msm = means(request)?;
    let (backend, sums) = (msm.backend(), leave_out(SumVariant::of(msm)));
    over(request, input, backend, move |scalars, points| sums.sum_of_products(scalars, points), point)
}

/// Sums over Jacobian points.
pub(crate) fn prepare_jacobian(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let msm = means(request)?;
    over(request, input, msm.backend(), move |scalars, points| msm.sum_of_products(scalars, points), jacobian)
}

/// The same, with each point normalised alone.
pub(crate) fn prepare_jacobian_alone(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let msm = means(request)?;
    let (backend, sums) = (msm.backend(), SumVariant { normalize_together: false, ..SumVariant::of(msm) });
    over(request, input, backend, move |scalars, points| sums.sum_of_products(scalars, points), jacobian)
}

fn over<P: PointInput + 'static>(
    request: &Request,
    input: &[u8],
    backend: Backend,
    sum: impl Fn(&[Scalar], &[P]) -> Result<Point, Error> + 'static,
    read: impl Fn(&[u8; 64]) -> Option<P>,
) -> Result<Prepared, Refusal> {
    let sum = move |scalars: &[Scalar], points: &[P]| sum(scalars, points).expect("as many scalars as points");
    let job = Sums::new(request, input, |bytes: &[u8; 32]| Scalar::from_bytes(bytes).ok(), read, sum, write)?;
    Ok(Prepared { job: Box::new(job), backend: backend.name().into() })
}

/// The Jacobian point of affine bytes: a sum, so that Z is not one.
fn jacobian(xy: &[u8; 64]) -> Option<Point> {
    point(xy).map(|point| Point::from(&point) - Point::GENERATOR + Point::GENERATOR)
}

/// The point of affine bytes.
pub(crate) fn point(xy: &[u8; 64]) -> Option<PublicKey> {
    let mut bytes = [4; 65];
    bytes[1..].copy_from_slice(xy);
    PublicKey::from_bytes(&bytes).ok()
}

fn write(sum: &Point) -> [u8; 64] {
    let mut xy = [0; 64];
    if let Some((x, y)) = sum.to_affine_vartime() {
        xy[..32].copy_from_slice(&x.to_bytes());
        xy[32..].copy_from_slice(&y.to_bytes());
    }
    xy
}
