//! The forms of signatures and keys that scripts are held to.

use phalanx::ecdsa;

use crate::flags::Flags;
use crate::script_error::ScriptError;

/// Fails if a signature with its sighash type has a form that the flags forbid. An empty one is allowed: it is false.
pub(crate) fn check_signature(signature: &[u8], flags: Flags) -> Result<(), ScriptError> {
    let Some((hash_type, der)) = signature.split_last() else { return Ok(()) };
    if flags.intersects(Flags::DERSIG | Flags::LOW_S | Flags::STRICTENC) && !is_strict_der(signature) {
        return Err(ScriptError::SigDer);
    }
    if flags.contains(Flags::LOW_S) && ecdsa::Signature::from_der_lax(der).is_ok_and(|signature| signature.is_high_s())
    {
        return Err(ScriptError::SigHighS);
    }
    if flags.contains(Flags::STRICTENC) && !matches!(hash_type & !0x80, 1..=3) {
        return Err(ScriptError::SigHashtype);
    }
    Ok(())
}

/// Whether a signature with its sighash type is what BIP-66 asks for: two numbers in the shortest form, of any size
/// that the whole has room for. Whether they are below the group order is another question.
fn is_strict_der(signature: &[u8]) -> bool {
    let Some((_, der)) = signature.split_last() else { return false };
    let [0x30, length, body @ ..] = der else { return false };
    let integer = |bytes: &[u8]| -> Option<usize> {
        let [2, length, rest @ ..] = bytes else { return None };
        let number = rest.get(..usize::from(*length))?;
        let minimal = match number {
            [0, second, ..] => second & 0x80 != 0,
            [first, ..] => first & 0x80 == 0,
            [] => false,
        };
        minimal.then_some(2 + number.len())
    };
    let two = || {
        let first = integer(body)?;
        Some(first + integer(&body[first..])?)
    };
    (9..=73).contains(&signature.len()) && usize::from(*length) == body.len() && two() == Some(body.len())
}

/// Fails if a key has a form that the flags forbid. `v0` says that it is in a script of SegWit version 0.
pub(crate) fn check_key(key: &[u8], flags: Flags, v0: bool) -> Result<(), ScriptError> {
    let compressed = matches!(key, [2 | 3, x @ ..] if x.len() == 32);
    let uncompressed = matches!(key, [4, point @ ..] if point.len() == 64);
    if flags.contains(Flags::STRICTENC) && !compressed && !uncompressed {
        return Err(ScriptError::PubkeyType);
    }
    if flags.contains(Flags::WITNESS_PUBKEYTYPE) && v0 && !compressed {
        return Err(ScriptError::WitnessPubkeyType);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_der_is_what_bip_66_says() {
        let der = |r: &[u8], s: &[u8]| {
            let body = [&[2, r.len() as u8], r, &[2, s.len() as u8], s].concat();
            [&[0x30, body.len() as u8], &body[..], &[1]].concat()
        };
        assert!(is_strict_der(&der(&[1; 32], &[2; 32])) && is_strict_der(&der(&[0, 0x80], &[0x7f])));
        // Zero is well formed, and so is a number of 33 bytes that is too large.
        assert!(is_strict_der(&der(&[0], &[1])) && is_strict_der(&der(&[1; 33], &[1; 33])));
        for (r, s) in [(&[][..], &[1][..]), (&[0x80], &[1]), (&[0, 1], &[1]), (&[1], &[0, 0]), (&[1; 34], &[1; 34])] {
            assert!(!is_strict_der(&der(r, s)), "{r:?} {s:?}");
        }
        let good = der(&[1], &[1]);
        for place in [0, 1, 2, 3, 5, 6] {
            let mut bad = good.clone();
            bad[place] ^= 0x40;
            assert!(!is_strict_der(&bad), "{place}");
        }
        assert!(!is_strict_der(&[&good[..], &[1]].concat()) && !is_strict_der(&good[..8]) && !is_strict_der(&[]));
    }
}
