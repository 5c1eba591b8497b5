//! Paths from a key to a descendant.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// The first index of a hardened child: index i' is `HARDENED + i`.
pub const HARDENED: u32 = 1 << 31;

/// Steps of a path at most: no key is deeper.
const MOST: usize = 255;

/// The indexes of a key's descendant, at most 255 of them.
///
/// ```
/// use phalanx_bip32::{DerivationPath, HARDENED};
/// let path: DerivationPath = "m/84'/0h/7".parse()?;
/// assert_eq!(path.indexes(), [HARDENED + 84, HARDENED, 7]);
/// assert_eq!(path.to_string(), "m/84h/0h/7");
/// # Ok::<(), phalanx_bip32::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DerivationPath(Vec<u32>);

impl DerivationPath {
    /// The indexes, from [`HARDENED`] on for hardened children.
    pub fn indexes(&self) -> &[u32] {
        &self.0
    }
}

impl FromStr for DerivationPath {
    type Err = Error;

    /// Reads indexes between slashes, `m` before them or not. `m` alone is the key itself.
    ///
    /// # Errors
    /// [`Error::BadPath`].
    fn from_str(text: &str) -> Result<Self, Error> {
        let steps = match text.strip_prefix('m') {
            Some("") => return Ok(DerivationPath::default()),
            Some(rest) => rest.strip_prefix('/').ok_or(Error::BadPath)?,
            None => text,
        };
        let steps = steps.splitn(MOST + 1, '/').map(index).collect::<Result<Vec<_>, _>>()?;
        if steps.len() > MOST { Err(Error::BadPath) } else { Ok(DerivationPath(steps)) }
    }
}

/// An index with its mark.
fn index(step: &str) -> Result<u32, Error> {
    let digits = step.strip_suffix(['\'', 'h', 'H']).unwrap_or(step);
    let number = Some(digits).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    let index =
        number.and_then(|digits| digits.parse().ok()).filter(|index| *index < HARDENED).ok_or(Error::BadPath)?;
    Ok(if digits.len() < step.len() { index | HARDENED } else { index })
}

impl fmt::Display for DerivationPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("m")?;
        self.0.iter().try_for_each(|index| match index.checked_sub(HARDENED) {
            Some(index) => write!(f, "/{index}h"),
            None => write!(f, "/{index}"),
        })
    }
}
