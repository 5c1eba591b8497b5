//! The crate halo2curves: multi-scalar multiplication as people call it, over its own affine points and scalars, with
//! its threads.

#[path = "../../arkworks/src/pooled.rs"]
mod pooled;

use halo2curves::{
    CurveAffine,
    ff::PrimeField,
    group::Curve,
    msm::msm_best,
    secp256k1::{Fp, Fq, Secp256k1, Secp256k1Affine},
};
use lab_abi::{Description, Op, Peer, Prepared, Refusal, Request, peer::not_offered, sums::Sums};
use pooled::Pooled;

struct Halo2curves;

lab_abi::export_peer!(Halo2curves);

impl Peer for Halo2curves {
    fn describe() -> Description {
        Description { version: "0.10.0".into(), flags: format!("{}; features std, asm", lab_abi::RUST_BUILD) }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        if !matches!(request.op, Op::Msm | Op::MsmNaive) {
            return Err(not_offered(request));
        }
        let scalar = |bytes: &[u8; 32]| read::<Fq>(bytes);
        let point = |xy: &[u8; 64]| {
            let [x, y] = [&xy[..32], &xy[32..]].map(read::<Fp>);
            Secp256k1Affine::from_xy(x?, y?).into_option()
        };
        let sum = if request.op == Op::Msm { msm_best::<Secp256k1Affine> } else { one_by_one };
        let job = Sums::new(request, input, scalar, point, sum, write)?;
        Ok(Prepared::plain(Pooled::new(request.threads, job)?))
    }
}

fn one_by_one(scalars: &[Fq], points: &[Secp256k1Affine]) -> Secp256k1 {
    points.iter().zip(scalars).map(|(point, scalar)| point * scalar).sum()
}

/// An integer from big-endian bytes; the library's own order is little-endian.
fn read<F: PrimeField>(bytes: impl AsRef<[u8]>) -> Option<F> {
    let mut repr = F::Repr::default();
    repr.as_mut().iter_mut().zip(bytes.as_ref().iter().rev()).for_each(|(to, from)| *to = *from);
    F::from_repr(repr).into_option()
}

fn write(sum: &Secp256k1) -> [u8; 64] {
    let mut bytes = [0; 64];
    if let Some(point) = sum.to_affine().coordinates().into_option() {
        for (half, coordinate) in bytes.chunks_exact_mut(32).zip([point.x(), point.y()]) {
            half.copy_from_slice(coordinate.to_repr().as_ref());
            half.reverse();
        }
    }
    bytes
}
