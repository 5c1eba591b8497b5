//! Commitments to secret scalars.

use crate::{
    Basis, Element, Scalar,
    element::{Multiples, digits, sum_of_products},
};
use alloc::vec::Vec;

impl Basis {
    /// The commitment to `scalars`, which stand at the first positions, in time that depends on their number alone: for
    /// scalars that must stay secret. Zeroes are computed with like any other scalar, and so are positions that a
    /// caller leaves unused: pass zeroes for these.
    ///
    /// By Straus' method, with every entry of a table read at each choice. The basis is public. The digits of the scalars
    /// are wiped; what the compiler keeps of them on the stack is not.
    ///
    /// ```
    /// use phalanx_banderwagon::{Basis, Commit, Obvious, Scalar};
    ///
    /// let basis = Basis::draw(b"a seed of this protocol", 2);
    /// let (value, blinding) = (Scalar::from(42u64), Scalar::from(0x1234_5678u64));
    /// assert_eq!(basis.commit(&[value, blinding]), Obvious(&basis).commit_vartime(&[value, blinding]));
    /// ```
    ///
    /// # Panics
    /// If there are more scalars than elements in the basis.
    pub fn commit(&self, scalars: &[Scalar]) -> Element {
        assert!(scalars.len() <= self.len(), "an element per scalar");
        let multiples: Vec<Multiples> = self.elements()[..scalars.len()].iter().map(Multiples::of).collect();
        let digits: Vec<_> = scalars.iter().map(digits).collect();
        sum_of_products(&multiples, &digits)
    }
}
