//! How fast each backend of this CPU is beside the one that is taken by default: bulk calls in turn, in one process, on
//! one thread. Prints the least time of a row, in nanoseconds, and how many times that of the default it is.
//!
//! `cargo run --release -p phalanx --example backends -- [ROUNDS]`

use phalanx::{Backend, Bulk, Keypair, LowS, PublicKey, Scalar, SecretKey, Verdict, ecdsa, hash, msm::Msm, schnorr};
use std::time::Instant;

const ROWS: usize = 1024;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(20), |count| count.parse())?;
    let digests: Vec<[u8; 32]> = (0..ROWS).map(|i| hash::sha256(&i.to_be_bytes())).collect();
    let secrets: Result<Vec<SecretKey>, _> = digests.iter().map(|d| SecretKey::from_bytes(&hash::sha256(d))).collect();
    let secrets = secrets?;
    let keys: Vec<PublicKey> = secrets.iter().map(SecretKey::public_key).collect();
    let signatures: Vec<_> = digests.iter().zip(&secrets).map(|(digest, key)| ecdsa::sign(digest, key)).collect();
    let pairs: Vec<Keypair> = secrets.iter().map(|secret| Keypair::from_secret(secret.clone())).collect();
    let x_only: Vec<_> = pairs.iter().map(Keypair::x_only).collect();
    let schnorr_signatures: Vec<[u8; 64]> =
        digests.iter().zip(&pairs).map(|(digest, pair)| schnorr::sign(digest, pair, &[0; 32]).to_bytes()).collect();
    let scalars: Vec<Scalar> = digests.iter().map(Scalar::from_bytes_reduced).collect();
    let rows = ecdsa::rows(&digests, &signatures, &keys)?;
    let schnorr_rows = schnorr::rows(&digests, &schnorr_signatures, &x_only)?;

    let backends = Backend::available();
    let mut machines = Vec::new();
    for backend in backends {
        machines.push((
            Bulk::builder().backend(*backend).threads(1).build()?,
            Msm::builder().backend(*backend).threads(1).build()?,
        ));
    }
    let expected = machines[0].1.sum_of_products(&scalars, &keys)?;
    let names = ["verify-ecdsa", "verify-schnorr", "public-key", "msm"];
    let mut least = vec![[f64::INFINITY; 4]; backends.len()];
    for _ in 0..rounds {
        for ((bulk, msm), least) in machines.iter().zip(&mut least) {
            let mut time = |of: usize, work: &mut dyn FnMut() -> bool| {
                let begin = Instant::now();
                assert!(work(), "{} on {}", names[of], bulk.backend());
                least[of] = least[of].min(begin.elapsed().as_nanos() as f64 / ROWS as f64);
            };
            time(0, &mut || bulk.verify_ecdsa(&rows, LowS::Require).iter().all(|verdict| *verdict == Verdict::Valid));
            time(1, &mut || bulk.verify_schnorr(&schnorr_rows).iter().all(|verdict| *verdict == Verdict::Valid));
            time(2, &mut || bulk.public_keys(&secrets) == keys);
            time(3, &mut || msm.sum_of_products(&scalars, &keys) == Ok(expected));
        }
    }
    let best = *least.last().ok_or("no backend")?;
    for (backend, least) in backends.iter().zip(&least) {
        let figures: Vec<_> =
            (0..names.len()).map(|i| format!("{} {:.0} ({:.2})", names[i], least[i], least[i] / best[i])).collect();
        println!("{backend:>9}: {}", figures.join(", "));
    }
    Ok(())
}
