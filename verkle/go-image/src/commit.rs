//! Commitments by tables.
#![allow(unsafe_code)]

use crate::{
    element::{bytes, of_bytes},
    elements,
    operation::*,
    tables::configuration,
};
use phalanx_banderwagon::{Bandersnatch, Element, Scalar, Term, commit_in_vartime};
use phalanx_engine::{
    affine_add::AffineAdder,
    arena::{Numbers, lines_for},
    fixed_base::Tables,
    word::CacheLine,
};
use phalanx_go_image::{
    call::MISUSED,
    ffi::{Given, answer},
    vectors::{self, TERM, Vectors, place},
};

/// An element as lines of a workspace.
type Kept = [CacheLine; ELEMENT / 64];

/// The lines of the sums beside those of committing.
fn kept(vectors: usize) -> usize {
    lines_for::<Kept>(vectors)
}

pub(crate) fn lines<A: AffineAdder<Curve = Bandersnatch>>(given: Given<'_>) -> Result<u32, u32> {
    let (configuration, terms) = (configuration(given)?, &given.call().inputs[1]);
    let vectors = (given.call().flags >> 10) as usize;
    if vectors > VECTORS_AT_ONCE {
        return Err(MISUSED);
    }
    let longest = terms.stride.min(configuration.points);
    answer(kept(vectors) + configuration.lines_of_terms::<A>(vectors, longest, terms.width / TERM))
}

fn term(term: &vectors::Term) -> Term {
    let word = |i: usize| u64::from_le_bytes(term.as_chunks().0[i]);
    Term { position: place(term), scalar: Scalar::from_limbs_reduced([word(1), word(2), word(3), word(4)]) }
}

pub(crate) fn commit<A: AffineAdder<Curve = Bandersnatch>>(adder: &A, given: Given<'_>) -> Result<u32, u32> {
    let (configuration, rows) = (configuration(given)?, given.call().rows);
    let (table, vectors) = (given.lines(0)?, Vectors::of(given, configuration.points)?);
    let infinity = given.call().flags & FLAG_INFINITY != 0;
    if rows > VECTORS_AT_ONCE || table.len() != configuration.rows() {
        return Err(MISUSED);
    }
    let (all, longest) = (vectors.terms().len(), vectors.longest().min(configuration.points));
    let tables = Tables::<Bandersnatch, _>::of_parts(configuration, table, infinity).map_err(|_| MISUSED)?;
    // SAFETY: the one place of this operation that asks, once a call.
    let memory = unsafe { given.workspace() }?;
    if memory.len() < kept(rows) + tables.configuration().lines_of_terms::<A>(rows, longest, all) {
        return Err(MISUSED);
    }
    let (first, memory) = memory.split_at_mut(kept(rows));
    let sums: &mut [Kept] = Numbers::new(first).take(rows);
    let terms = (0..rows).map(|i| vectors.vector(i).iter().map(term));
    let offset = if given.call().inputs[3].width == 0 { None } else { Some(given.values::<ELEMENT>(3)?) };
    let mut done = Ok(());
    commit_in_vartime(adder, &tables, all, terms, memory, |i, sum| {
        let sum = offset.map_or(sum, |offset| of_bytes(offset(i)) + sum);
        sums[i] = kept_of(&sum);
        if given.width(0) != 0 {
            done = done.and_then(|()| given.write(0, i, &bytes(&sum)));
        }
    });
    done?;
    if given.width(1) != 0 { elements::map(given, 1, |i| of_kept(&sums[i])) } else { Ok(0) }
}

fn kept_of(element: &Element) -> Kept {
    let [[a, b, c, d], [e, f, g, h], [i, j, k, l], [m, n, o, p]] = element.to_coordinates();
    [CacheLine([a, b, c, d, e, f, g, h]), CacheLine([i, j, k, l, m, n, o, p])]
}

fn of_kept([CacheLine([a, b, c, d, e, f, g, h]), CacheLine([i, j, k, l, m, n, o, p])]: &Kept) -> Element {
    Element::from_coordinates(&[[*a, *b, *c, *d], [*e, *f, *g, *h], [*i, *j, *k, *l], [*m, *n, *o, *p]])
}
