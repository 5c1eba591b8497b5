//! Rows of bulk calls: what one line of a file holds, borrowed, encoded or parsed.

use super::Signature;
use crate::{Column, Error, PublicKey, PublicKeyRef};
use alloc::vec::Vec;

/// A signature in a row of a bulk call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureRef<'a> {
    /// The 64 bytes that [`Signature::from_compact`] takes.
    Compact(&'a [u8]),
    /// Strict DER, as [`Signature::from_der`].
    Der(&'a [u8]),
    /// DER as before BIP-66, as [`Signature::from_der_lax`].
    DerLax(&'a [u8]),
    /// A signature that has been parsed.
    Parsed(&'a Signature),
}

impl SignatureRef<'_> {
    /// The signature.
    ///
    /// # Errors
    /// As the function that reads this form.
    ///
    /// ```
    /// # use phalanx::ecdsa::{Signature, SignatureRef};
    /// assert_eq!(SignatureRef::Compact(&[1; 64]).parse(), Signature::from_compact(&[1; 64]));
    /// ```
    pub fn parse(&self) -> Result<Signature, Error> {
        match self {
            SignatureRef::Compact(bytes) => Signature::from_compact(bytes),
            SignatureRef::Der(bytes) => Signature::from_der(bytes),
            SignatureRef::DerLax(bytes) => Signature::from_der_lax(bytes),
            SignatureRef::Parsed(signature) => Ok(**signature),
        }
    }
}

/// One signature to verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// The message digest; any length but 32 bytes makes the row malformed.
    pub digest: &'a [u8],
    /// The signature.
    pub signature: SignatureRef<'a>,
    /// The key it is claimed to be made with.
    pub public_key: PublicKeyRef<'a>,
}

/// One signature to recover the public key from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoverRow<'a> {
    /// The message digest; any length but 32 bytes makes the row malformed.
    pub digest: &'a [u8],
    /// The signature.
    pub signature: SignatureRef<'a>,
    /// The recovery id; above 3 it is out of range.
    pub recovery_id: u8,
}

/// Rows from three slices of parsed values, element by element.
///
/// # Errors
/// [`Error::LengthMismatch`] if the slices differ in length.
///
/// ```
/// # use phalanx::{Error, LowS, SecretKey, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let (digests, keys) = ([[7; 32]], [secret.public_key()]);
/// let signatures = [ecdsa::sign(&digests[0], &secret)];
/// let rows = ecdsa::rows(&digests, &signatures, &keys)?;
/// assert!(ecdsa::verify_row(&rows[0], LowS::Require).is_valid());
/// assert_eq!(ecdsa::rows(&digests, &signatures, &[]), Err(Error::LengthMismatch { left: 1, right: 0 }));
/// # Ok::<(), Error>(())
/// ```
pub fn rows<'a>(
    digests: &'a [[u8; 32]],
    signatures: &'a [Signature],
    public_keys: &'a [PublicKey],
) -> Result<Vec<Row<'a>>, Error> {
    Error::check_lengths(digests.len(), signatures.len())?;
    Error::check_lengths(digests.len(), public_keys.len())?;
    let values = digests.iter().zip(signatures).zip(public_keys);
    let row = |((digest, signature), public_key): ((&'a [u8; 32], &'a Signature), &'a PublicKey)| Row {
        digest,
        signature: SignatureRef::Parsed(signature),
        public_key: PublicKeyRef::Parsed(public_key),
    };
    Ok(values.map(row).collect())
}

/// The columns of rows to verify.
///
/// ```
/// use phalanx::{Bulk, LowS, SecretKey, Verdict, bindings::{Column, EcdsaColumns}, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let (digests, keys) = ([[7; 32], [8; 32]], [secret.public_key().to_bytes(); 2]);
/// let signatures = [ecdsa::sign(&digests[0], &secret).to_compact(); 2];
/// let columns = EcdsaColumns::new(Column::of(&digests), Column::of(&signatures), Column::of(&keys))?;
/// let verdicts = Bulk::new().verify_ecdsa(columns, LowS::Require);
/// assert_eq!(verdicts, [Verdict::Valid, Verdict::InvalidSignature]);
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns<'a> {
    digests: Column<'a>,
    signatures: Column<'a>,
    public_keys: Column<'a>,
}

impl<'a> Columns<'a> {
    /// Digests, compact signatures ([`Signature::from_compact`]) and keys in SEC 1 form ([`PublicKey::from_bytes`]).
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the columns differ in their number of rows.
    pub fn new(digests: Column<'a>, signatures: Column<'a>, public_keys: Column<'a>) -> Result<Self, Error> {
        Error::check_lengths(digests.len(), signatures.len())?;
        Error::check_lengths(digests.len(), public_keys.len())?;
        Ok(Columns { digests, signatures, public_keys })
    }

    pub(crate) fn len(&self) -> usize {
        self.digests.len()
    }

    pub(crate) fn get(&self, row: usize) -> Row<'a> {
        Row {
            digest: self.digests.get(row),
            signature: SignatureRef::Compact(self.signatures.get(row)),
            public_key: PublicKeyRef::Encoded(self.public_keys.get(row)),
        }
    }
}

/// What a row says of the point whose x, modulo n, is r. A wrong hint costs time, and changes no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint<'a> {
    /// Nothing: the row is verified alone.
    None,
    /// The recovery id: bit 0 is the parity of y, bit 1 says that x is r + n.
    RecoveryId(u8),
    /// The point itself, compressed or uncompressed.
    Point(&'a [u8]),
}

/// A signature to verify, and what its row says of the nonce's point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HintedRow<'a> {
    /// The row.
    pub row: Row<'a>,
    /// The hint.
    pub hint: Hint<'a>,
}
