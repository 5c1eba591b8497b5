//! Which inputs of a transaction count, and by which keys: BIP-352, "Inputs For Shared Secret Derivation".

use phalanx::hash::sha256;
use phalanx_bitcoin::Input;
use ripemd::{Digest, Ripemd160};

use crate::Error;

/// The x without a known secret by which BIP-341 makes outputs that no key spends.
const NUMS: [u8; 32] = [
    0x50, 0x92, 0x9b, 0x74, 0xc1, 0xa0, 0x49, 0x54, 0xb7, 0x8b, 0x4b, 0x60, 0x35, 0xe9, 0x7a, 0x5e, 0x07, 0x8a, 0x5a,
    0x0f, 0x28, 0xec, 0x96, 0xd5, 0x47, 0xbf, 0xee, 0x9a, 0xce, 0x80, 0x3a, 0xc0,
];
/// The first byte of an annex (BIP-341).
const ANNEX: u8 = 0x50;

/// A compressed key, which may be no point.
pub(crate) type InputKey = [u8; 33];

/// The key of an input that counts, none of one that does not. The script in which the spent output names a hash of the
/// key is searched for the key from its end, because others can change it without making it invalid.
///
/// # Errors
/// [`Error::UnknownWitnessVersion`].
pub(crate) fn input_key(input: &Input<'_>, spent: &[u8]) -> Result<Option<InputKey>, Error> {
    Ok(match spent {
        [0x76, 0xa9, 20, hash @ .., 0x88, 0xac] if hash.len() == 20 => key_of_hash(input.script, hash),
        [0xa9, 20, _hash @ .., 0x87] if spent.len() == 23 => match input.script {
            [22, 0, 20, hash @ ..] if hash.len() == 20 => last_element(input),
            _ => None,
        },
        [0, 20, hash @ ..] if hash.len() == 20 => last_element(input),
        [0x51, 32, x @ ..] if x.len() == 32 => taproot_key(input, x),
        [0x52..=0x60, length @ 2..=40, program @ ..] if program.len() == usize::from(*length) => {
            return Err(Error::UnknownWitnessVersion);
        }
        _ => None,
    })
}

/// The last 33 bytes of the script, or the last before them and so on, that hash to what is asked.
fn key_of_hash(script: &[u8], hash: &[u8]) -> Option<InputKey> {
    let mut windows = script.windows(33).rev().filter_map(|window| InputKey::try_from(window).ok());
    windows.find(|window| is_compressed(window) && Ripemd160::digest(sha256(window))[..] == *hash)
}

/// The witness's last element, which consensus holds to the hash.
fn last_element(input: &Input<'_>) -> Option<InputKey> {
    InputKey::try_from(*input.witness.last()?).ok().filter(is_compressed)
}

fn is_compressed(key: &InputKey) -> bool {
    matches!(key[0], 2 | 3)
}

/// The output's own key, unless a script was run that says that nobody has its secret.
fn taproot_key(input: &Input<'_>, x: &[u8]) -> Option<InputKey> {
    let witness = match &input.witness[..] {
        [] => return None,
        [rest @ .., annex] if !rest.is_empty() && annex.first() == Some(&ANNEX) => rest,
        all => all,
    };
    if let [_, .., control] = witness
        && control.get(1..33) == Some(&NUMS)
    {
        return None;
    }
    let mut key = [2; 33];
    key[1..].copy_from_slice(x);
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use phalanx::SecretKey;
    use phalanx_bitcoin::OutPoint;

    fn input<'a>(script: &'a [u8], witness: &[&'a [u8]]) -> Input<'a> {
        Input { previous: OutPoint { txid: [7; 32], index: 1 }, script, sequence: 0, witness: witness.to_vec() }
    }

    fn key() -> InputKey {
        SecretKey::from_bytes(&[9; 32]).unwrap().public_key().to_bytes()
    }

    fn hash(key: &[u8]) -> [u8; 20] {
        Ripemd160::digest(sha256(key)).into()
    }

    #[test]
    fn a_key_is_found_wherever_the_script_has_it() {
        let key = key();
        let spent = [&[0x76, 0xa9, 20][..], &hash(&key), &[0x88, 0xac]].concat();
        let find = |script: &[u8]| input_key(&input(script, &[]), &spent);
        for script in [
            [&[71][..], &[1; 71], &[33], &key].concat(),
            [&[33][..], &key, &[33], &[2; 33]].concat(),
            [&[33][..], &key, &[0x75, 0x61]].concat(),
            key.to_vec(),
        ] {
            assert_eq!(find(&script), Ok(Some(key)));
        }
        assert_eq!(find(&key[..32]), Ok(None));
        assert_eq!(find(&[]), Ok(None));
        // An uncompressed key does not count, even if it is the one that was hashed.
        let full = SecretKey::from_bytes(&[9; 32]).unwrap().public_key().to_bytes_uncompressed();
        let spent = [&[0x76, 0xa9, 20][..], &hash(&full), &[0x88, 0xac]].concat();
        assert_eq!(input_key(&input(&full, &[]), &spent), Ok(None));
    }

    #[test]
    fn witnesses_are_read_by_the_form_of_the_output() {
        let key = key();
        let program = [&[0, 20][..], &hash(&key)].concat();
        let nested = [&[22][..], &program].concat();
        let script_hash = [&[0xa9, 20][..], &hash(&program), &[0x87]].concat();
        let signature = [1; 71];
        let witness: &[&[u8]] = &[&signature, &key];
        assert_eq!(input_key(&input(&[], witness), &program), Ok(Some(key)));
        assert_eq!(input_key(&input(&nested, witness), &script_hash), Ok(Some(key)));
        assert_eq!(input_key(&input(&[], witness), &script_hash), Ok(None));
        assert_eq!(input_key(&input(&nested[1..], witness), &script_hash), Ok(None));
        assert_eq!(input_key(&input(&[], &[]), &program), Ok(None));
        let full = [4; 65];
        assert_eq!(input_key(&input(&[], &[&signature, &full]), &program), Ok(None));
        assert_eq!(input_key(&input(&[], &[&signature, &[5; 33]]), &program), Ok(None));
        // To a hash of a script with 32 bytes, and to a key as it is.
        for other in [[&[0, 32][..], &[1; 32]].concat(), [&[33][..], &key, &[0xac]].concat(), vec![0x6a], vec![]] {
            assert_eq!(input_key(&input(&[], witness), &other), Ok(None));
        }
    }

    #[test]
    fn taproot_counts_unless_nobody_has_its_key() {
        let spent = [&[0x51, 32][..], &key()[1..]].concat();
        let mut even = key();
        even[0] = 2;
        let (leaf, signature, annex) = ([0x51u8], [1u8; 64], [ANNEX, 1, 2]);
        let (mut usual, mut nums) = ([0xc0; 65], [0xc1; 65]);
        usual[1..33].fill(7);
        nums[1..33].copy_from_slice(&NUMS);
        let find = |witness: &[&[u8]]| input_key(&input(&[], witness), &spent);
        let counting: [&[&[u8]]; 6] = [
            &[&signature],
            &[&signature, &annex],
            &[&leaf, &usual],
            &[&leaf, &usual, &annex],
            // One element is no script path, whatever it is.
            &[&nums],
            &[&nums, &annex],
        ];
        assert!(counting.into_iter().all(|witness| find(witness) == Ok(Some(even))));
        let others: [&[&[u8]]; 4] = [&[], &[&leaf, &nums], &[&leaf, &nums, &annex], &[&leaf, &leaf, &nums]];
        assert!(others.into_iter().all(|witness| find(witness) == Ok(None)));
    }

    #[test]
    fn later_witness_versions_are_told() {
        for version in 0..=0xff {
            for length in [1, 2, 32, 40, 41] {
                let spent = [&[version, length][..], &vec![5; length.into()]].concat();
                let later = (0x52..=0x60).contains(&version) && (2..=40).contains(&length);
                assert_eq!(input_key(&input(&[], &[]), &spent).is_err(), later, "{version} {length}");
            }
        }
        // The length says otherwise.
        assert_eq!(input_key(&input(&[], &[]), &[0x52, 3, 1, 1]), Ok(None));
    }
}
