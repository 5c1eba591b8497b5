//! Children of one extended public key, as one would write them on libsecp256k1: HMAC-SHA-512 by `sha2`, with the two
//! blocks of the key hashed once, then the tweak, then HASH160.

use lab_abi::{
    Prepared, Refusal, Request,
    rows::{PerRow, part, records},
};
use ripemd::Ripemd160;
use secp256k1::{Error, PublicKey, Scalar};
use sha2::{Digest, Sha256, block_api::compress512};

/// Where SHA-512 starts: FIPS 180-4 section 5.3.5.
const INITIAL: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

struct Parent {
    key: PublicKey,
    /// The key in 33 bytes, room for the index, and the padding behind both.
    block: [u8; 128],
    /// After the inner and the outer block of the chain code.
    states: [[u64; 8]; 2],
}

pub(crate) fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let rows = records::<69>(input);
    let first = rows.first().ok_or("no rows")?;
    let key = PublicKey::from_slice(&first[..33]).map_err(|error| error.to_string())?;
    let parent = Parent::new(key, part(first, 33));
    let indexes: Vec<[u8; 4]> = rows.iter().map(|row| *part(row, 65)).collect();
    Ok(Prepared::plain(PerRow::new(request, indexes, move |index, out| {
        out.copy_from_slice(&parent.child(index).map_or([0; 20], |key| hash160(&key.serialize())));
    })))
}

impl Parent {
    fn new(key: PublicKey, chain_code: &[u8; 32]) -> Self {
        let states = [0x36, 0x5c].map(|pad| {
            let (mut state, mut block) = (INITIAL, [pad; 128]);
            block.iter_mut().zip(chain_code).for_each(|(pad, byte)| *pad ^= byte);
            compress512(&mut state, &[block]);
            state
        });
        let mut block = [0; 128];
        block[..33].copy_from_slice(&key.serialize());
        block[37] = 0x80;
        block[126..].copy_from_slice(&(8 * (128 + 37u16)).to_be_bytes());
        Parent { key, block, states }
    }

    fn child(&self, index: &[u8; 4]) -> Result<PublicKey, Error> {
        let ([mut inner, mut outer], mut block) = (self.states, self.block);
        block[33..37].copy_from_slice(index);
        compress512(&mut inner, &[block]);
        let mut block = [0; 128];
        put(&mut block[..64], &inner);
        block[64] = 0x80;
        block[126..].copy_from_slice(&(8 * (128 + 64u16)).to_be_bytes());
        compress512(&mut outer, &[block]);
        let mut tweak = [0; 32];
        put(&mut tweak, &outer);
        self.key.add_exp_tweak(&Scalar::from_be_bytes(tweak).map_err(|_| Error::InvalidTweak)?)
    }
}

fn put(bytes: &mut [u8], words: &[u64; 8]) {
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
}

fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(bytes)).into()
}
