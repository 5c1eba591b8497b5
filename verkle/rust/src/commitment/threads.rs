//! Commitments to many vectors on several threads.

use super::{Commit, Lanes, LanesCommitter, Tables, Term, TermLists};
use crate::{Basis, Element};
use alloc::vec::Vec;
use std::thread;

/// Vectors, at least, that a thread is started for. An estimate: starting one takes as long as a few commitments.
const VECTORS_PER_THREAD: usize = 64;

/// A committer that shares the vectors of one call among threads, which it starts and joins within the call. One vector
/// alone is committed to on the calling thread.
///
/// ```
/// use phalanx_banderwagon::{Basis, Commit, Element, Lanes, Scalar, Term, TermLists};
/// use phalanx_banderwagon::tables::{Configuration, Scheme};
///
/// let (basis, lanes) = (Basis::draw(b"a seed", 3), Lanes::detect());
/// let tables = lanes.build(basis.clone(), Configuration::single(3, Scalar::ORDER, Scheme::SignedWindows { b: 4 }))?;
/// let mut committer = lanes.committer_on_threads(&tables, 2);
/// let mut lists = TermLists::new();
/// (0..1000).for_each(|_| lists.push([Term { position: 2, scalar: Scalar::ONE }]));
/// let mut commitments = vec![Element::identity(); 1000];
/// committer.commit_many_vartime(&lists, &mut commitments);
/// assert_eq!(commitments, [basis.elements()[2]; 1000]);
/// # Ok::<(), phalanx_banderwagon::tables::ConfigurationError>(())
/// ```
pub struct ThreadsCommitter<'a> {
    /// One for each thread.
    committers: Vec<LanesCommitter<'a>>,
}

impl Lanes {
    /// A committer by these tables on a given number of threads, or on one if that is zero. [`Lanes::committer`] starts
    /// none.
    pub fn committer_on_threads(self, tables: &Tables, threads: usize) -> ThreadsCommitter<'_> {
        ThreadsCommitter { committers: (0..threads.max(1)).map(|_| self.committer(tables)).collect() }
    }
}

impl Commit for ThreadsCommitter<'_> {
    fn basis(&self) -> &Basis {
        self.committers[0].basis()
    }

    fn commit_sparse_vartime(&mut self, terms: &[Term]) -> Element {
        self.committers[0].commit_sparse_vartime(terms)
    }

    fn commit_many_vartime(&mut self, lists: &TermLists, out: &mut [Element]) {
        assert_eq!(lists.len(), out.len(), "a place per list");
        let threads = self.committers.len().min(lists.len() / VECTORS_PER_THREAD);
        if threads < 2 {
            return self.committers[0].commit_many_vartime(lists, out);
        }
        let each = lists.len().div_ceil(threads);
        thread::scope(|scope| {
            for (part, (committer, out)) in self.committers.iter_mut().zip(out.chunks_mut(each)).enumerate() {
                scope.spawn(move || {
                    let mut of_part = TermLists::new();
                    (0..out.len()).for_each(|i| of_part.push(lists.get(part * each + i).iter().copied()));
                    committer.commit_many_vartime(&of_part, out);
                });
            }
        });
    }
}
