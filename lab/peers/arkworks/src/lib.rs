//! The crates ark-ec and ark-secp256k1: multi-scalar multiplication as people call it, over its own affine points and
//! scalars, with its threads.

mod pooled;

use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{BigInteger, PrimeField};
use ark_secp256k1::{Affine, Fq, Fr, Projective};
use lab_abi::{Description, Op, Peer, Prepared, Refusal, Request, peer::not_offered, sums::Sums};
use pooled::Pooled;

struct Arkworks;

lab_abi::export_peer!(Arkworks);

impl Peer for Arkworks {
    fn describe() -> Description {
        Description { version: "0.6.0".into(), flags: format!("{}; features parallel, asm", lab_abi::RUST_BUILD) }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        if !matches!(request.op, Op::Msm | Op::MsmNaive) {
            return Err(not_offered(request));
        }
        let point = |xy: &[u8; 64]| {
            let point =
                Affine::new_unchecked(Fq::from_be_bytes_mod_order(&xy[..32]), Fq::from_be_bytes_mod_order(&xy[32..]));
            point.is_on_curve().then_some(point)
        };
        let scalar = |bytes: &[u8; 32]| Some(Fr::from_be_bytes_mod_order(bytes));
        let sum = if request.op == Op::Msm { together } else { one_by_one };
        let job = Sums::new(request, input, scalar, point, sum, write)?;
        Ok(Prepared::plain(Pooled::new(request.threads, job)?))
    }
}

fn together(scalars: &[Fr], points: &[Affine]) -> Projective {
    Projective::msm_unchecked(points, scalars)
}

fn one_by_one(scalars: &[Fr], points: &[Affine]) -> Projective {
    points.iter().zip(scalars).map(|(point, scalar)| *point * scalar).sum()
}

fn write(sum: &Projective) -> [u8; 64] {
    let mut bytes = [0; 64];
    if let Some((x, y)) = sum.into_affine().xy() {
        bytes[..32].copy_from_slice(&x.into_bigint().to_bytes_be());
        bytes[32..].copy_from_slice(&y.into_bigint().to_bytes_be());
    }
    bytes
}
