//! The two families of fields: which field of one lane and which of eight belong to a prime.

use super::{BaseField, Fe4, FeX8, Mont, MontX8, MontgomeryPrime, Prime};
use crate::{safegcd::Modulus, word::Word};
use core::marker::PhantomData;

/// Numbers modulo 2^256 - C, as they are.
#[derive(Clone, Copy, Debug)]
pub struct PseudoMersenne<P>(PhantomData<P>);

impl<P: Prime> BaseField for PseudoMersenne<P> {
    type X1 = Fe4<P>;
    type X8<W: Word> = FeX8<P, W>;
    const MODULUS: Modulus = Modulus::new(Fe4::<P>::MODULUS);
}

/// Numbers modulo any prime from 2^254 to 2^256, in Montgomery's form; in one lane from 2^192.
#[derive(Clone, Copy, Debug)]
pub struct Montgomery<M>(PhantomData<M>);

impl<M: MontgomeryPrime> BaseField for Montgomery<M> {
    type X1 = Mont<M>;
    type X8<W: Word> = MontX8<M, W>;
    const MODULUS: Modulus = Modulus::new(M::MODULUS);
}
