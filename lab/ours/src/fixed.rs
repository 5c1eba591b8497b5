//! Commitments over the Verkle basis, and keys of Verkle trees. Scalars are parsed in the untimed part, as by the peer;
//! the terms of a bulk call are listed in the timed part.

use crate::groups::{Groups, put};
use lab_abi::{
    Job, Op, Prepared, Refusal, Request,
    rows::{part, records},
};
use phalanx_banderwagon::verkle::{Address, Position, TreeKeys};
use phalanx_banderwagon::{Basis, Commit, Element, Lanes, LanesCommitter, Scalar, Tables, Term, TermLists};
use std::ops::Range;
use std::sync::OnceLock;

/// The tables, which serve all lanes, computed once.
fn tables(lanes: Lanes) -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| build(lanes))
}

fn build(lanes: Lanes) -> Tables {
    lanes.build(Basis::verkle(), Tables::verkle_configuration()).expect("the configuration is one over this basis")
}

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    if request.threads > 1 {
        return Err("commits on one thread".into());
    }
    let lanes = match request.backend.as_deref() {
        None => Lanes::detect(),
        Some(name) => Lanes::named(name).ok_or_else(|| format!("does not commit by {name} on this CPU"))?,
    };
    if request.op == Op::TableBuild {
        let job = Builds { lanes, vectors: vectors(input), tables: (0..request.rows).map(|_| None).collect() };
        return Ok(Prepared { job: Box::new(job), backend: lanes.to_string() });
    }
    let committer = lanes.committer(tables(lanes));
    let single = request.single;
    let job: Box<dyn Job> = if request.op == Op::TreeKey {
        keys(request, input, committer, single)
    } else {
        let results = vec![Element::identity(); request.rows];
        Box::new(Commitments { committer, vectors: vectors(input), single, results })
    };
    Ok(Prepared { job, backend: lanes.to_string() })
}

/// The vectors, without the zeros behind the last other scalar.
fn vectors(input: &[u8]) -> Vec<Vec<Scalar>> {
    let vector = |row: &[u8; 8192]| {
        let scalar = |bytes: &[u8; 32]| Scalar::from_be_bytes(bytes).expect("the lab's scalars are in range");
        let mut scalars: Vec<Scalar> = row.as_chunks().0.iter().map(scalar).collect();
        let end = scalars.iter().rposition(|scalar| *scalar != Scalar::ZERO).map_or(0, |last| last + 1);
        scalars.truncate(end);
        scalars
    };
    records::<8192>(input).iter().map(vector).collect()
}

fn encoded(elements: &[Element]) -> Vec<u8> {
    let mut bytes = vec![[0; 32]; elements.len()];
    Element::batch_to_bytes(elements, &mut bytes);
    bytes.into_flattened()
}

/// Tables, made for each vector anew.
struct Builds {
    lanes: Lanes,
    vectors: Vec<Vec<Scalar>>,
    tables: Vec<Option<Box<Tables>>>,
}

impl Job for Builds {
    fn run(&mut self, rows: Range<usize>) {
        for tables in &mut self.tables[rows] {
            // The last ones go first, so that there are never two.
            *tables = None;
            *tables = Some(Box::new(build(self.lanes)));
        }
    }

    fn output(&mut self) -> Vec<u8> {
        let built = self.tables.iter().map(|tables| tables.as_deref().expect("every row has been computed"));
        let commit = |(tables, vector): (&Tables, &Vec<Scalar>)| self.lanes.committer(tables).commit_vartime(vector);
        encoded(&built.zip(&self.vectors).map(commit).collect::<Vec<_>>())
    }
}

/// Commitments, by a call a vector or by one call for all.
struct Commitments {
    committer: LanesCommitter<'static>,
    vectors: Vec<Vec<Scalar>>,
    single: bool,
    results: Vec<Element>,
}

impl Job for Commitments {
    fn run(&mut self, rows: Range<usize>) {
        let (vectors, results) = (&self.vectors[rows.clone()], &mut self.results[rows]);
        if self.single {
            for (result, vector) in results.iter_mut().zip(vectors) {
                *result = self.committer.commit_vartime(vector);
            }
            return;
        }
        let mut lists = TermLists::new();
        for vector in vectors {
            lists.push(Term::dense(vector));
        }
        self.committer.commit_many_vartime(&lists, results);
    }

    fn output(&mut self) -> Vec<u8> {
        encoded(&self.results)
    }
}

/// Keys of the first value of each place.
fn keys(request: &Request, input: &[u8], mut committer: LanesCommitter<'static>, single: bool) -> Box<dyn Job> {
    let keys = TreeKeys::new_vartime(&mut committer);
    let place = |row: &[u8; 64]| -> (Address, Position) {
        (*part(row, 0), Position { tree_index: *part(row, 32), sub_index: 0 })
    };
    let places: Vec<_> = records::<64>(input).iter().map(place).collect();
    Box::new(Groups::new(request, move |group, out| {
        if single {
            let of = |(address, position)| keys.key_vartime(&mut committer, address, position);
            return put(out, places[group].iter().map(|(address, position)| (address, position)).map(of));
        }
        let mut made = vec![[0; 32]; group.len()];
        keys.keys_vartime(&mut committer, &places[group], &mut made);
        put(out, made);
    }))
}
