//! Commitments over the basis of Ethereum's Verkle trees: to public scalars by tables, and to secret ones without.

use phalanx_banderwagon::{Basis, Commit, Element, Lanes, Scalar, Tables, Term, TermLists};
use phalanx_python::threads::{self, Progress};
use phalanx_python::{backends, error, input, output, secret};
use phalanx_rows::Role;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySequence};
use zeroize::Zeroizing;

/// Vectors that are committed to side by side.
const VECTORS: usize = 256;

/// The 256 elements of Banderwagon that Ethereum's Verkle trees commit over, and tables of their multiples.
#[pyclass(frozen, module = "phalanx_verkle")]
pub(crate) struct VerkleBasis {
    lanes: Lanes,
    tables: Tables,
}

#[pymethods]
impl VerkleBasis {
    #[new]
    #[pyo3(signature = (*, backend=None))]
    fn new(py: Python<'_>, backend: Option<&str>) -> PyResult<VerkleBasis> {
        let name = backends::bulk(backend)?.backend().name();
        let lanes = Lanes::named(name).ok_or_else(|| error::value(format!("{name} has no code for Banderwagon")))?;
        py.detach(|| lanes.build(Basis::verkle(), Tables::verkle_configuration()))
            .map(|tables| VerkleBasis { lanes, tables })
            .map_err(error::internal)
    }

    fn __len__(&self) -> usize {
        self.tables.basis().len()
    }

    /// The name of the backend that computes.
    #[getter]
    fn backend(&self) -> String {
        self.lanes.to_string()
    }

    /// The bytes of the tables.
    #[getter]
    fn table_bytes(&self) -> usize {
        self.tables.configuration().bytes()
    }

    /// The elements, 32 bytes each.
    fn elements(&self) -> PyResult<output::Column> {
        let elements = encoded(self.tables.basis().elements());
        output::Column::new(Zeroizing::new(elements.into_flattened()), 32, None)
    }

    /// The sum of these scalars times the first elements, in 32 bytes. `mapped` gives its image among the scalars
    /// instead, which is what a tree commits to one node further up. For public scalars: its time depends on them.
    #[pyo3(signature = (scalars, *, mapped=false))]
    fn sum<'py>(&self, py: Python<'py>, scalars: &Bound<'py, PyAny>, mapped: bool) -> PyResult<Bound<'py, PyBytes>> {
        let column = input::InputColumn::of(scalars)?;
        let vector = column.read(Role::Message, 0..column.rows(), |values| {
            let scalars = values.iter().enumerate().map(|(row, value)| {
                let bytes = value.map_err(|fault| fault.text().to_owned());
                let word = bytes.and_then(|bytes| bytes.try_into().map_err(|_| length(bytes)));
                word.and_then(scalar).map_err(|wrong| error::row(row, wrong))
            });
            self.fits(scalars.collect::<PyResult<_>>()?).map_err(error::PhalanxError::new_err)
        })?;
        let sum = py.detach(|| self.answers(&[vector], mapped));
        Ok(PyBytes::new(py, sum.as_flattened()))
    }

    /// The sum of each row of scalars, 32 bytes each, as `sum` computes it. A row is 32 bytes for each of the first
    /// elements, or for all.
    #[pyo3(signature = (rows, *, mapped=false, threads=None, progress=None))]
    fn sums(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        mapped: bool,
        threads: Option<backends::ThreadCount>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<output::Column> {
        let column = input::InputColumn::of(rows)?;
        let rows = column.rows();
        let length = |piece: usize| VECTORS.min(rows - piece * VECTORS);
        let compute = |piece: usize| {
            let rows = piece * VECTORS..piece * VECTORS + length(piece);
            column.read(Role::Message, rows.clone(), |values| {
                let vectors = values.iter().zip(rows).map(|(value, row)| {
                    let vector = value.map_err(|fault| fault.text().to_owned()).and_then(vector);
                    vector.and_then(|vector| self.fits(vector)).map_err(|wrong| error::row(row, wrong))
                });
                Ok(self.answers(&vectors.collect::<PyResult<Vec<_>>>()?, mapped))
            })
        };
        let mut bytes = Zeroizing::new(Vec::with_capacity(rows * 32));
        let take = |_, sums: Vec<[u8; 32]>| {
            bytes.extend_from_slice(sums.as_flattened());
            Ok(())
        };
        let progress = Progress::new(py, progress, rows);
        let pieces = rows.div_ceil(VECTORS);
        threads::run(progress, pieces, backends::threads(threads, pieces), length, compute, take)?;
        output::Column::new(bytes, 32, None)
    }

    /// The sum of these scalars times the first elements, in 32 bytes, in constant time: for secret scalars. It reads
    /// no tables, and takes many times as long.
    fn commit<'py>(&self, py: Python<'py>, scalars: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        if holds_keys(scalars) {
            return Err(PyTypeError::new_err("a SecretKey is a number of another group: give scalars as 32 bytes"));
        }
        let scalars = Zeroizing::new(secret::read(scalars, "scalar", |bytes| {
            bytes.try_into().map_err(|_| length(bytes)).and_then(scalar)
        })?);
        if scalars.len() > self.__len__() {
            return Err(error::PhalanxError::new_err(self.too_many(scalars.len())));
        }
        let sum = py.detach(|| self.tables.basis().commit(&scalars));
        Ok(PyBytes::new(py, &sum.to_bytes()))
    }
}

impl VerkleBasis {
    /// The scalars, if there are elements for all of them.
    fn fits(&self, vector: Vec<Scalar>) -> Result<Vec<Scalar>, String> {
        if vector.len() <= self.__len__() { Ok(vector) } else { Err(self.too_many(vector.len())) }
    }

    fn too_many(&self, scalars: usize) -> String {
        format!("{scalars} scalars, and {} elements", self.__len__())
    }

    /// The sums over vectors that fit, or their images among the scalars.
    fn answers(&self, vectors: &[Vec<Scalar>], mapped: bool) -> Vec<[u8; 32]> {
        let mut lists = TermLists::new();
        vectors.iter().for_each(|vector| lists.push(Term::dense(vector)));
        let mut committer = self.lanes.committer(&self.tables);
        if mapped {
            let mut images = vec![Scalar::ZERO; vectors.len()];
            committer.map_many_vartime(&Element::identity(), &lists, &mut images);
            images.iter().map(Scalar::to_le_bytes).collect()
        } else {
            let mut sums = vec![Element::identity(); vectors.len()];
            committer.commit_many_vartime(&lists, &mut sums);
            encoded(&sums)
        }
    }
}

/// Whether some value is a secret key of the package `phalanx`, whose bytes stand in the other order.
fn holds_keys(values: &Bound<'_, PyAny>) -> bool {
    let is_key = |value: PyResult<Bound<'_, PyAny>>| {
        value.and_then(|value| value.get_type().name()).is_ok_and(|name| name == "SecretKey")
    };
    values.cast::<PySequence>().is_ok_and(|values| values.try_iter().is_ok_and(|mut values| values.any(is_key)))
}

fn encoded(elements: &[Element]) -> Vec<[u8; 32]> {
    let mut bytes = vec![[0; 32]; elements.len()];
    Element::batch_to_bytes(elements, &mut bytes);
    bytes
}

fn length(bytes: &[u8]) -> String {
    format!("{} bytes, and a scalar has 32", bytes.len())
}

fn scalar(bytes: &[u8; 32]) -> Result<Scalar, String> {
    Scalar::from_le_bytes(bytes).ok_or_else(|| "a scalar is not below the order of Banderwagon".to_owned())
}

fn vector(bytes: &[u8]) -> Result<Vec<Scalar>, String> {
    match bytes.as_chunks() {
        (scalars, []) => scalars.iter().map(scalar).collect(),
        _ => Err(length(bytes)),
    }
}
