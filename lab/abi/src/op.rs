//! The operations that can be measured, and the bytes of their rows.
//!
//! Integers are big-endian and 32 bytes wide; `xy` is an affine point as 64 bytes, all zero for infinity; `key` is a
//! compressed public key of 33 bytes; `signature` is compact, 64 bytes.

/// An operation of the lab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// `digest, signature, key` -> one byte, 1 for valid. Low-S signatures, low S required where the library can ask.
    VerifyEcdsa,
    /// `message (32), signature, x-only key (32)` -> one byte, 1 for valid.
    VerifySchnorr,
    /// `digest, signature, recovery id (1)` -> `key`, all zero when there is none.
    Recover,
    /// `signing hash, signature, parity of y (1)` -> the sender's address of 20 bytes, all zero when there is none. Low-S
    /// signatures, low S required.
    Senders,
    /// `key, chain code (32), index (4)` -> HASH160 of the child's key (BIP-32), 20 bytes, all zero when there is none.
    /// All rows have the key and the chain code of the first, which are read and hashed in the untimed part.
    Derive,
    /// `tweak point as a key, first bytes of an output (8), scan secret, spend key` -> one byte, 1 if the output pays the
    /// receiver or its label 0 (BIP-352, k = 0). All rows have the receiver of the first, which is read and whose label is
    /// made in the untimed part.
    Scan,
    /// `secret` -> `key`.
    PublicKey,
    /// `digest, secret` -> `signature` by RFC 6979, low S.
    SignEcdsa,
    /// `message (32), secret, auxiliary randomness (32)` -> `signature`. The key pair is made in the untimed part.
    SignSchnorr,
    /// `key, secret` -> SHA-256 of the compressed shared point.
    Ecdh,
    /// `a, b` -> `a + b` mod p, reduced in the untimed part where the library adds without it.
    FieldAdd,
    /// `a, b` -> `a * b` mod p.
    FieldMul,
    /// `a` -> `a^2` mod p.
    FieldSqr,
    /// `a` -> `1 / a` mod p, variable time.
    FieldInvert,
    /// `r` -> the even root of `r^2` mod p; squaring is untimed.
    FieldSqrt,
    /// `xy, z` -> twice the Jacobian point (x z^2, y z^3, z), as `xy`; conversions are untimed.
    Double,
    /// `xy, z, xy` -> the Jacobian point (x z^2, y z^3, z) plus the affine one, as `xy`; conversions are untimed.
    /// Variable time.
    AddMixed,
    /// `scalar, xy` in groups -> one `xy` a group, the sum of products.
    Msm,
    /// The rows and results of [`Op::Msm`], each product computed alone and added to the sum.
    MsmNaive,
    /// `xy, xy` in groups that share one inversion -> `xy`.
    AffineAdd,
    /// The rows and results of [`Op::VerifySchnorr`], verified together in groups.
    BatchSchnorr,
    /// The same with public keys lifted in the untimed part.
    BatchSchnorrLifted,
    /// `digest, signature, key, recovery id (1)` -> one byte, 1 for valid, verified together in groups.
    BatchEcdsa,
    /// `error, secret share, randomness of a nonce, of another (32 each)` -> one byte, 1 for a share of the signature that
    /// holds. A group of `n` rows is one signature of `frost-secp256k1-tr` by participants 1 to n, who are all needed.
    /// The shares and the nonces are made in the untimed part, and the number `error` is added to the share. Timed are
    /// reading of nonces and shares, aggregation, and the check of every share.
    FrostAggregate,
    /// 256 `scalar`s of Bandersnatch's group -> the Banderwagon encoding of their commitment over the Verkle basis. The
    /// scalars are parsed and the encoding made in the untimed part; zeros behind the last other scalar are cut off.
    MsmFixed,
    /// The rows and results of [`Op::MsmFixed`]: the tables over the Verkle basis are built, one set a row; the commitment
    /// by them is made in the untimed part.
    TableBuild,
    /// Three times 32 bytes -> their BIP-340 challenge hash, `SHA-256(SHA-256(tag) || SHA-256(tag) || bytes)`.
    Challenge,
    /// `address (32), tree index (32)` -> the Verkle tree's key of the first value there, by EIP-6800.
    TreeKey,
    /// `secret` -> `xy`. Only the lab's own input generator asks for it.
    MakePoint,
    /// `digest, secret` -> `signature, recovery id (1)`. Only the lab's own input generator asks for it.
    MakeRecoverable,
}

/// How an operation's rows belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Rows of encoded bytes, as in a file; one call a row or one call for all.
    Scheme,
    /// Field and point operations, `lanes` side by side, as a stream or as dependent chains.
    Arithmetic,
    /// Groups of `n` rows that are computed together.
    Group,
}

/// What is known of an operation: its name on the command line and in records, the bytes of one input row and of one
/// result, and how its rows belong together.
type Facts = (Op, &'static str, usize, usize, Kind);

/// Of every operation, in the order of the documentation.
const FACTS: [Facts; 30] = {
    use Kind::{Arithmetic, Group, Scheme};
    [
        (Op::VerifyEcdsa, "verify-ecdsa", 129, 1, Scheme),
        (Op::VerifySchnorr, "verify-schnorr", 128, 1, Scheme),
        (Op::Recover, "recover", 97, 33, Scheme),
        (Op::Senders, "senders", 97, 20, Scheme),
        (Op::Derive, "derive", 69, 20, Scheme),
        (Op::Scan, "scan", 106, 1, Scheme),
        (Op::PublicKey, "public-key", 32, 33, Scheme),
        (Op::SignEcdsa, "sign-ecdsa", 64, 64, Scheme),
        (Op::SignSchnorr, "sign-schnorr", 96, 64, Scheme),
        (Op::Ecdh, "ecdh", 65, 32, Scheme),
        (Op::FieldAdd, "field-add", 64, 32, Arithmetic),
        (Op::FieldMul, "field-mul", 64, 32, Arithmetic),
        (Op::FieldSqr, "field-sqr", 32, 32, Arithmetic),
        (Op::FieldInvert, "field-invert", 32, 32, Arithmetic),
        (Op::FieldSqrt, "field-sqrt", 32, 32, Arithmetic),
        (Op::Double, "double", 96, 64, Arithmetic),
        (Op::AddMixed, "add-mixed", 160, 64, Arithmetic),
        (Op::Msm, "msm", 96, 64, Group),
        (Op::MsmNaive, "msm-naive", 96, 64, Group),
        (Op::AffineAdd, "affine-add", 128, 64, Group),
        (Op::BatchSchnorr, "batch-schnorr", 128, 1, Group),
        (Op::BatchSchnorrLifted, "batch-schnorr-lifted", 128, 1, Group),
        (Op::BatchEcdsa, "batch-ecdsa", 130, 1, Group),
        (Op::FrostAggregate, "frost-aggregate", 128, 1, Group),
        (Op::MsmFixed, "msm-fixed", 256 * 32, 32, Scheme),
        (Op::TableBuild, "table-build", 256 * 32, 32, Scheme),
        (Op::Challenge, "challenge", 96, 32, Scheme),
        (Op::TreeKey, "tree-key", 64, 32, Scheme),
        (Op::MakePoint, "make-point", 32, 64, Scheme),
        (Op::MakeRecoverable, "make-recoverable", 64, 65, Scheme),
    ]
};

impl Op {
    const fn facts(self) -> Facts {
        FACTS[self as usize]
    }

    /// The names of all.
    pub fn names() -> Vec<&'static str> {
        FACTS.map(|facts| facts.1).into()
    }

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        self.facts().1
    }

    /// The operation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        FACTS.into_iter().find(|facts| facts.1 == name).map(|facts| facts.0)
    }

    /// Bytes of one input row.
    pub const fn row_bytes(self) -> usize {
        self.facts().2
    }

    /// Bytes of one result, of a row or, for [`Op::Msm`], of a group.
    pub const fn result_bytes(self) -> usize {
        self.facts().3
    }

    /// How rows belong together.
    pub const fn kind(self) -> Kind {
        self.facts().4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_stand_at_the_place_of_their_operation() {
        assert!(FACTS.iter().enumerate().all(|(place, facts)| facts.0 as usize == place));
    }
}
