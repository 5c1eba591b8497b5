//! MuSig2: what is accepted is written as it was read, and a session names those who cheat, and nobody else.
//!
//! A session comes from any bytes. The first says how many signers there are, and whether the last one signs without
//! randomness; the next ones are their keys. Then 33 bytes make a change: what is changed and whose, and a number.

use phalanx::{Bulk, Keypair, PublicKey, Scalar, SecretKey, hash::sha256, schnorr};
use phalanx_musig::{
    AggregateNonce, Contribution, Error, KeyAggregation, NonceInputs, PartialSignature, PublicNonce, SecretNonce,
    Session, sign_deterministically,
};

/// Signers of a session at most: more than are verified one by one, in halves that differ.
const MOST_SIGNERS: usize = 9;
const MOST_CHANGES: usize = 16;
const MESSAGE: &[u8] = b"message";

pub(crate) fn check(bytes: &[u8]) {
    partials(bytes);
    for bulk in crate::bulks() {
        nonces(bytes, bulk);
        keys(bytes, bulk);
        check_session(bytes, bulk);
    }
}

/// The verdict on a list of which each value is right or none.
fn all_good<T>(contribution: Contribution, values: &[Option<T>]) -> Result<(), Error> {
    let signers: Vec<usize> = (0..values.len()).filter(|signer| values[*signer].is_none()).collect();
    if signers.is_empty() { Ok(()) } else { Err(Error::BadContribution { contribution, signers }) }
}

fn partials(bytes: &[u8]) {
    let encoded = bytes.as_chunks::<32>().0;
    let alone: Vec<_> = encoded.iter().map(|bytes| PartialSignature::from_bytes(bytes).ok()).collect();
    for (bytes, partial) in encoded.iter().zip(&alone) {
        assert_eq!(partial.map(|partial| partial.to_bytes()), Scalar::from_bytes(bytes).ok().map(|_| *bytes));
    }
    match PartialSignature::read_all(encoded) {
        Ok(read) => assert!(read.into_iter().map(Some).eq(alone)),
        Err(error) => assert_eq!(Err(error), all_good(Contribution::PartialSignature, &alone)),
    }
}

fn nonces(bytes: &[u8], bulk: &Bulk) {
    let encoded = bytes.as_chunks::<66>().0;
    let alone: Vec<_> = encoded.iter().map(|bytes| PublicNonce::from_bytes(bytes).ok()).collect();
    for (bytes, nonce) in encoded.iter().zip(&alone) {
        let sum = AggregateNonce::from_bytes(bytes);
        assert!(sum.as_ref().ok().is_none_or(|sum| sum.to_bytes() == *bytes));
        if let Some(nonce) = nonce {
            assert_eq!(nonce.to_bytes(), *bytes);
            assert_eq!(sum, Ok(AggregateNonce::sum(&[*nonce])));
        }
    }
    match PublicNonce::read_all(bulk, encoded) {
        Ok(read) => {
            let sum = AggregateNonce::sum(&read).to_bytes();
            assert_eq!(AggregateNonce::from_bytes(&sum).map(|sum| sum.to_bytes()), Ok(sum));
            assert!(read.into_iter().map(Some).eq(alone));
        }
        Err(error) => assert_eq!(Err(error), all_good(Contribution::PublicNonce, &alone)),
    }
}

fn keys(bytes: &[u8], bulk: &Bulk) {
    let encoded = bytes.as_chunks::<33>().0;
    let alone: Vec<_> = encoded.iter().map(|bytes| PublicKey::from_bytes(bytes).ok()).collect();
    let read = KeyAggregation::with(bulk, encoded);
    match all_good(Contribution::PublicKey, &alone) {
        Ok(()) if encoded.is_empty() => assert_eq!(read.err(), Some(Error::BadKeys)),
        Ok(()) => {
            let keys: Vec<PublicKey> = alone.into_iter().flatten().collect();
            let (read, single) = (read.expect("keys"), KeyAggregation::new(&keys).expect("keys"));
            assert_eq!((read.keys(), read.public_key()), (&keys[..], single.public_key()));
        }
        Err(error) => assert_eq!(read.err(), Some(error)),
    }
}

/// What the input changes in a session.
#[derive(Default)]
struct Changes {
    /// Added to partial signatures.
    added: [Scalar; MOST_SIGNERS],
    /// Said to be the nonces of signers who sent others.
    nonces: [Option<PublicNonce>; MOST_SIGNERS],
    /// In the place of the sum.
    sum: Option<AggregateNonce>,
    /// Tweaks, and whether each is that of a taproot output key.
    tweaks: Vec<([u8; 32], bool)>,
}

impl Changes {
    fn read(bytes: &[u8], count: usize) -> Self {
        let mut changes = Changes::default();
        for [what, number @ ..] in bytes.as_chunks::<33>().0.iter().take(MOST_CHANGES) {
            let signer = usize::from(what & 15) % count;
            let other = nonce(number, &PublicKey::GENERATOR).map(|(_, public)| public);
            match what >> 4 {
                0 | 1 => changes.added[signer] += Scalar::from_bytes_reduced(number),
                // An error that hides another one in the sum.
                2 => changes.added[signer] -= changes.all_added(),
                3 => changes.nonces[signer] = other,
                4 => changes.sum = other.map(|nonce| AggregateNonce::sum(&[nonce])),
                5 => changes.sum = AggregateNonce::from_bytes(&[0; 66]).ok(),
                6 | 7 => changes.tweaks.push((*number, what >> 4 == 7)),
                _ => {}
            }
        }
        changes
    }

    fn all_added(&self) -> Scalar {
        self.added.iter().fold(Scalar::ZERO, |sum, added| sum + *added)
    }
}

fn nonce(randomness: &[u8; 32], key: &PublicKey) -> Option<(SecretNonce, PublicNonce)> {
    SecretNonce::from_randomness(&mut { *randomness }, key, &NonceInputs::default()).ok()
}

fn tweaked(mut keys: KeyAggregation, tweaks: &[([u8; 32], bool)]) -> KeyAggregation {
    for (tweak, of_output) in tweaks {
        let with = if *of_output { KeyAggregation::tweak_add_x_only } else { KeyAggregation::tweak_add };
        match with(keys.clone(), tweak) {
            Ok(with) => keys = with,
            Err(error) => {
                assert_eq!((error, Scalar::from_bytes(tweak).ok()), (Error::BadTweak, None));
            }
        }
    }
    keys
}

/// Checks a session, and answers what is said of its signature.
pub fn check_session(bytes: &[u8], bulk: &Bulk) -> Option<Result<(), Error>> {
    let (head, rest) = bytes.split_first()?;
    let count = 1 + usize::from(head & 15) % MOST_SIGNERS;
    let (seeds, rest) = rest.split_at_checked(count)?;
    let changes = Changes::read(rest, count);
    let signer = |seed: &u8| Keypair::from_secret(SecretKey::from_bytes(&sha256(&[*seed])).expect("a hash"));
    let signers: Vec<Keypair> = seeds.iter().map(signer).collect();
    let encoded: Vec<[u8; 33]> = signers.iter().map(|signer| signer.public_key().to_bytes()).collect();
    let keys = tweaked(KeyAggregation::with(bulk, &encoded).expect("keys"), &changes.tweaks);

    let made = |(number, signer): (usize, &Keypair)| {
        nonce(&sha256(&number.to_le_bytes()), &signer.public_key()).expect("randomness of a hash")
    };
    let (mut secrets, mut nonces): (Vec<_>, Vec<_>) = signers.iter().enumerate().map(made).unzip();
    // Without a change to the sum, which the last signer does not see, it can sign without randomness.
    let mut last = None;
    if head & 16 != 0 && count > 1 && changes.sum.is_none() {
        let others = AggregateNonce::sum(&nonces[..count - 1]).to_bytes();
        let others = PublicNonce::from_bytes(&others).expect("nonces that do not cancel");
        let randomness = (head & 32 != 0).then_some(&[7; 32]);
        let signed = sign_deterministically(&signers[count - 1], &others, &keys, MESSAGE, randomness);
        let (nonce, partial) = signed.expect("a signer");
        (nonces[count - 1], last) = (nonce, Some(partial));
        secrets.pop();
    }
    let sum = changes.sum.unwrap_or_else(|| AggregateNonce::sum(&nonces));
    let session = Session::new(&keys, &sum, MESSAGE);
    let sign = |(secret, signer)| session.sign(secret, signer).expect("a signer");
    let mut partials: Vec<PartialSignature> = secrets.into_iter().zip(&signers).map(sign).chain(last).collect();
    for (partial, added) in partials.iter_mut().zip(&changes.added) {
        let sum = Scalar::from_bytes(&partial.to_bytes()).expect("a partial signature") + *added;
        *partial = PartialSignature::from_bytes(&sum.to_bytes()).expect("a scalar");
    }
    for (nonce, other) in nonces.iter_mut().zip(&changes.nonces) {
        *nonce = other.unwrap_or(*nonce);
    }

    let cheats = |signer: &usize| changes.added[*signer] != Scalar::ZERO || changes.nonces[*signer].is_some();
    let cheaters: Vec<usize> = (0..count).filter(cheats).collect();
    for signer in 0..count {
        let verdict = session.verify(signer, &nonces[signer], &partials[signer]);
        assert_eq!(verdict.is_err(), cheaters.contains(&signer), "signer {signer}");
    }
    let named = match cheaters.is_empty() {
        true => Ok(()),
        false => {
            let contribution = Contribution::PartialSignature;
            Err(Error::BadContribution { contribution, signers: cheaters })
        }
    };
    assert_eq!(session.verify_all(&nonces, &partials), named);
    assert_eq!(session.verify_all(&nonces[1..], &partials).err(), Some(Error::LengthMismatch));

    // Nonces are looked at only where the sum of all does not hold.
    let holds = changes.sum.is_none() && changes.all_added() == Scalar::ZERO;
    let signature = session.aggregate_checked(&nonces, &partials);
    match &signature {
        Ok(signature) => {
            assert!(holds);
            assert_eq!(schnorr::verify(MESSAGE, signature, &keys.x_only()), Ok(()));
        }
        Err(error) => {
            assert!(!holds);
            assert_eq!(*error, named.err().unwrap_or(Error::OtherNonces));
        }
    }
    Some(signature.map(|_| ()))
}
