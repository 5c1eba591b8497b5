//! Sums of products, group by group. Scalars and affine points are read in the untimed part, as by every peer.

use lab_abi::{Prepared, Refusal, Request, sums::Sums};
use phalanx::{
    Backend, Error, Point, PublicKey, Scalar,
    internals::SumVariant,
    msm::Msm,
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
    over(request, input, msm.backend(), move |scalars, points| msm.sum_of_products(scalars, points))
}

/// The same without a technique.
pub(crate) fn prepare_without(
    request: &Request,
    input: &[u8],
    leave_out: impl Fn(SumVariant) -> SumVariant,
) -> Result<Prepared, Refusal> {
    let msm = means(request)?;
    let (backend, sums) = (msm.backend(), leave_out(SumVariant::of(msm)));
    over(request, input, backend, move |scalars, points| sums.sum_of_products(scalars, points))
}

fn over(
    request: &Request,
    input: &[u8],
    backend: Backend,
    sum: impl Fn(&[Scalar], &[PublicKey]) -> Result<Point, Error> + 'static,
) -> Result<Prepared, Refusal> {
    let sum = move |scalars: &[Scalar], points: &[PublicKey]| sum(scalars, points).expect("as many scalars as points");
    let job = Sums::new(request, input, |bytes: &[u8; 32]| Scalar::from_bytes(bytes).ok(), point, sum, write)?;
    Ok(Prepared { job: Box::new(job), backend: backend.name().into() })
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
