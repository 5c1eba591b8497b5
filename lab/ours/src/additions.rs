//! Additions of affine points that share an inversion, group by group. The points are read in the untimed part, as by
//! the peers, and the sums stay the library's own points.

use crate::sums::{means, point};
use lab_abi::{
    Job, Prepared, Refusal, Request,
    rows::{part, records},
};
use phalanx::{Backend, Error, PublicKey, internals::add_pairs_alone};
use std::ops::Range;

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let msm = means(request)?;
    let backend = msm.backend().name().into();
    with(request, input, backend, move |a, b| msm.add_pairs(a, b))
}

/// An inversion for each pair, on one lane.
pub(crate) fn prepare_alone(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    with(request, input, Backend::Portable.name().into(), add_pairs_alone)
}

/// The sums of pairs, where there is one.
type Added = Result<Vec<Option<PublicKey>>, Error>;

fn with(
    request: &Request,
    input: &[u8],
    backend: String,
    add: impl Fn(&[PublicKey], &[PublicKey]) -> Added + 'static,
) -> Result<Prepared, Refusal> {
    let rows = records::<128>(input);
    let points = |at| {
        let points: Option<Vec<_>> = rows.iter().map(|row| point(part(row, at))).collect();
        points.ok_or("a point is refused")
    };
    let (a, b) = (points(0)?, points(64)?);
    let sums = vec![Vec::new(); request.rows / request.group];
    Ok(Prepared { job: Box::new(AffineAdder { add, a, b, group: request.group, sums }), backend })
}

struct AffineAdder<F> {
    add: F,
    a: Vec<PublicKey>,
    b: Vec<PublicKey>,
    group: usize,
    /// Of each group.
    sums: Vec<Vec<Option<PublicKey>>>,
}

impl<F: Fn(&[PublicKey], &[PublicKey]) -> Added> Job for AffineAdder<F> {
    fn run(&mut self, rows: Range<usize>) {
        for start in rows.step_by(self.group) {
            let group = start..start + self.group;
            let sums = (self.add)(&self.a[group.clone()], &self.b[group]);
            self.sums[start / self.group] = sums.expect("as many of each");
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.sums.iter().flatten().flat_map(write).collect()
    }
}

fn write(sum: &Option<PublicKey>) -> [u8; 64] {
    sum.map_or([0; 64], |sum| *part(&sum.to_bytes_uncompressed(), 1))
}
