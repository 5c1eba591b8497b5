//! Sums of products, group by group. Scalars and affine points are read in the untimed part, as by every peer.

use lab_abi::{Prepared, Refusal, Request, sums::Sums};
use phalanx::{
    Backend, Builder, Point, PublicKey, Scalar,
    msm::{Msm, PointInput},
};

/// The means that are asked for.
pub(crate) fn means(request: &Request) -> Result<Msm, Refusal> {
    means_with(request, |builder| builder)
}

/// The same with a choice more.
fn means_with(request: &Request, choose: impl Fn(Builder<Msm>) -> Builder<Msm>) -> Result<Msm, Refusal> {
    let mut builder = Msm::builder().threads(request.threads);
    if let Some(name) = &request.backend {
        builder = builder.backend(name.parse::<Backend>().map_err(|error| error.to_string())?);
    }
    choose(builder).build().map_err(|error| error.to_string())
}

/// Each product alone, on one lane, by the calls for single points.
pub(crate) fn prepare_naive(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let point = |xy: &[u8; 64]| point(xy).map(|point| Point::from(&point));
    let sum = |scalars: &[Scalar], points: &[Point]| {
        let products = scalars.iter().zip(points).map(|(scalar, point)| point.mul_vartime(scalar));
        products.fold(Point::IDENTITY, |sum, product| sum + product)
    };
    let job = Sums::new(request, input, Scalar::from_bytes, point, sum, write)?;
    Ok(Prepared { job: Box::new(job), backend: Backend::Portable.name().into() })
}

/// Sums over affine points, with a choice more.
pub(crate) fn prepare(
    request: &Request,
    input: &[u8],
    choose: impl Fn(Builder<Msm>) -> Builder<Msm>,
) -> Result<Prepared, Refusal> {
    over(request, input, choose, point)
}

/// Sums over Jacobian points, with a choice more. They are sums, so that no Z is one.
pub(crate) fn prepare_jacobian(
    request: &Request,
    input: &[u8],
    choose: impl Fn(Builder<Msm>) -> Builder<Msm>,
) -> Result<Prepared, Refusal> {
    over(request, input, choose, |xy| point(xy).map(|point| Point::from(&point) - Point::GENERATOR + Point::GENERATOR))
}

fn over<P: PointInput + 'static>(
    request: &Request,
    input: &[u8],
    choose: impl Fn(Builder<Msm>) -> Builder<Msm>,
    read: impl Fn(&[u8; 64]) -> Option<P>,
) -> Result<Prepared, Refusal> {
    let msm = means_with(request, choose)?;
    let backend = msm.backend().name().into();
    let sum = move |scalars: &[Scalar], points: &[P]| {
        msm.sum_of_products(scalars, points).expect("as many scalars as points")
    };
    let job = Sums::new(request, input, Scalar::from_bytes, read, sum, write)?;
    Ok(Prepared { job: Box::new(job), backend })
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
