//! The crate crypto-bigint: numbers modulo p in Montgomery's form, of fixed width and in constant time, by code for any
//! modulus. The crate k256 stands on it with a field of its own. Its inversion here is the one of constant time.

use crypto_bigint::{U256, const_prime_monty_params, modular::ConstMontyForm};
use lab_abi::{
    Description, Job, Op, Peer, Prepared, Refusal, Request,
    loops::Loop,
    peer::not_offered,
    rows::{part, records},
};

const_prime_monty_params!(
    Modulus,
    U256,
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
    3,
    "The field of secp256k1."
);

type Fe = ConstMontyForm<Modulus, { U256::LIMBS }>;

struct CryptoBigint;

lab_abi::export_peer!(CryptoBigint);

fn read(bytes: &[u8; 32]) -> Fe {
    Fe::new(&U256::from_be_slice(bytes))
}

fn write(x: &Fe) -> [u8; 32] {
    let words = x.retrieve().to_words();
    let mut bytes = [0; 32];
    for (to, word) in bytes.chunks_exact_mut(8).zip(words.iter().rev()) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    bytes
}

/// The even one of the number and its negative.
fn write_even(x: &Fe) -> [u8; 32] {
    let bytes = write(x);
    if bytes[31] & 1 == 1 { write(&x.neg()) } else { bytes }
}

impl Peer for CryptoBigint {
    fn describe() -> Description {
        Description { version: "0.7.10".into(), flags: format!("{}; default features", lab_abi::RUST_BUILD) }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        let numbers = || records::<32>(input).iter().map(read).collect::<Vec<_>>();
        let none = || vec![(); request.rows];
        let job: Box<dyn Job> = match request.op {
            Op::FieldAdd | Op::FieldMul => {
                let rows = records::<64>(input);
                let a = rows.iter().map(|row| read(part(row, 0))).collect();
                let b = rows.iter().map(|row| read(part(row, 32))).collect();
                match request.op {
                    Op::FieldAdd => Box::new(Loop::new(request, a, b, |a: Fe, b: &Fe| a.add(b), write)),
                    _ => Box::new(Loop::new(request, a, b, |a: Fe, b: &Fe| a.mul(b), write)),
                }
            }
            Op::FieldSqr => {
                let step = |a: Fe, (): &()| a.square();
                Box::new(Loop::new(request, numbers(), none(), step, write))
            }
            Op::FieldInvert => {
                let step = |a: Fe, (): &()| a.invert().unwrap_or(Fe::ZERO);
                Box::new(Loop::new(request, numbers(), none(), step, write))
            }
            Op::FieldSqrt => {
                let squares = numbers().iter().map(Fe::square).collect();
                let step = |a: Fe, (): &()| a.sqrt().unwrap_or(Fe::ZERO);
                Box::new(Loop::new(request, squares, none(), step, write_even))
            }
            _ => return Err(not_offered(request)),
        };
        Ok(Prepared { job, backend: "default".into() })
    }
}
