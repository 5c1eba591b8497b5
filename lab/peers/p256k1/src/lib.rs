//! The crate p256k1, which exposes the inside of libsecp256k1 0.3: its multi-scalar multiplication as people call it. It
//! converts points and sets up its working memory on each call.

use lab_abi::{Description, Op, Peer, Prepared, Refusal, Request, peer::not_offered, sums::Sums};
use p256k1::{field::Element, point::Point, scalar::Scalar, traits::MultiMult};

struct P256k1;

lab_abi::export_peer!(P256k1);

impl Peer for P256k1 {
    fn describe() -> Description {
        Description {
            version: "7.2.2".into(),
            flags: format!("{}; its C by {}; default features", lab_abi::RUST_BUILD, lab_abi::C_FLAGS),
        }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        if !matches!(request.op, Op::Msm | Op::MsmNaive) {
            return Err(not_offered(request));
        }
        let scalar = |bytes: &[u8; 32]| Some(Scalar::from(*bytes));
        let point = |xy: &[u8; 64]| {
            let (coordinates, _) = xy.as_chunks::<32>();
            Some(Point::from((Element::from(coordinates[0]), Element::from(coordinates[1]))))
        };
        let sum = if request.op == Op::Msm { together } else { one_by_one };
        Ok(Prepared::plain(Sums::new(request, input, scalar, point, sum, write)?))
    }
}

fn together(scalars: &[Scalar], points: &[Point]) -> Point {
    Point::multimult_trait(&mut Terms { scalars, points }).expect("the library has memory for the sum")
}

fn one_by_one(scalars: &[Scalar], points: &[Point]) -> Point {
    scalars.iter().zip(points).fold(Point::identity(), |sum, (scalar, point)| sum + scalar * point)
}

/// The library's way to hand over terms without copies.
struct Terms<'a> {
    scalars: &'a [Scalar],
    points: &'a [Point],
}

impl MultiMult for Terms<'_> {
    fn get_scalar(&self, index: usize) -> &Scalar {
        &self.scalars[index]
    }

    fn get_point(&self, index: usize) -> &Point {
        &self.points[index]
    }

    fn get_size(&self) -> usize {
        self.points.len()
    }
}

fn write(sum: &Point) -> [u8; 64] {
    let mut bytes = [0; 64];
    if sum.gej.infinity == 0 {
        bytes[..32].copy_from_slice(&sum.x().normalize().to_bytes());
        bytes[32..].copy_from_slice(&sum.y().normalize().to_bytes());
    }
    bytes
}
