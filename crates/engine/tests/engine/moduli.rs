//! Primes of fields in Montgomery's form.

use phalanx_engine::field::MontgomeryPrime;

/// The order of secp256k1's group. Source: SEC 2, section 2.4.1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderN;
impl MontgomeryPrime for OrderN {
    const MODULUS: [u64; 4] = [0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff];
}

/// The prime of Bandersnatch's coordinates. Source: Masson, Sanso and Zhang, "Bandersnatch", 2021, section 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BandersnatchBase;
impl MontgomeryPrime for BandersnatchBase {
    const MODULUS: [u64; 4] = [0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48];
}

/// The order of Banderwagon's group, of 253 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BanderwagonOrder;
impl MontgomeryPrime for BanderwagonOrder {
    const MODULUS: [u64; 4] = [0x74fd06b52876e7e1, 0xff8f870074190471, 0x0cce760202687600, 0x1cfb69d4ca675f52];
}
