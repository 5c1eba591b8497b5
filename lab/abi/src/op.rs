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
    /// `secret` -> `key`.
    PublicKey,
    /// `digest, secret` -> `signature` by RFC 6979, low S.
    SignEcdsa,
    /// `message (32), secret, auxiliary randomness (32)` -> `signature`. The key pair is made in the untimed part.
    SignSchnorr,
    /// `key, secret` -> SHA-256 of the compressed shared point.
    Ecdh,
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
    /// The rows and results of [`Op::Msm`], with points that are no longer affine, as sums of points are.
    MsmJacobian,
    /// `xy, xy` in groups that share one inversion -> `xy`.
    AffineAdd,
    /// The rows and results of [`Op::VerifySchnorr`], verified together in groups.
    BatchSchnorr,
    /// The same with public keys lifted in the untimed part.
    BatchSchnorrLifted,
    /// `digest, signature, key, recovery id (1)` -> one byte, 1 for valid, verified together in groups.
    BatchEcdsa,
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

impl Op {
    /// Every operation, in the order of the documentation.
    pub const ALL: [Self; 26] = [
        Self::VerifyEcdsa,
        Self::VerifySchnorr,
        Self::Recover,
        Self::PublicKey,
        Self::SignEcdsa,
        Self::SignSchnorr,
        Self::Ecdh,
        Self::FieldMul,
        Self::FieldSqr,
        Self::FieldInvert,
        Self::FieldSqrt,
        Self::Double,
        Self::AddMixed,
        Self::Msm,
        Self::MsmNaive,
        Self::MsmJacobian,
        Self::AffineAdd,
        Self::BatchSchnorr,
        Self::BatchSchnorrLifted,
        Self::BatchEcdsa,
        Self::MsmFixed,
        Self::TableBuild,
        Self::Challenge,
        Self::TreeKey,
        Self::MakePoint,
        Self::MakeRecoverable,
    ];

    /// The name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::VerifyEcdsa => "verify-ecdsa",
            Self::VerifySchnorr => "verify-schnorr",
            Self::Recover => "recover",
            Self::PublicKey => "public-key",
            Self::SignEcdsa => "sign-ecdsa",
            Self::SignSchnorr => "sign-schnorr",
            Self::Ecdh => "ecdh",
            Self::FieldMul => "field-mul",
            Self::FieldSqr => "field-sqr",
            Self::FieldInvert => "field-invert",
            Self::FieldSqrt => "field-sqrt",
            Self::Double => "double",
            Self::AddMixed => "add-mixed",
            Self::Msm => "msm",
            Self::MsmNaive => "msm-naive",
            Self::MsmJacobian => "msm-jacobian",
            Self::AffineAdd => "affine-add",
            Self::BatchSchnorr => "batch-schnorr",
            Self::BatchSchnorrLifted => "batch-schnorr-lifted",
            Self::BatchEcdsa => "batch-ecdsa",
            Self::MsmFixed => "msm-fixed",
            Self::TableBuild => "table-build",
            Self::Challenge => "challenge",
            Self::TreeKey => "tree-key",
            Self::MakePoint => "make-point",
            Self::MakeRecoverable => "make-recoverable",
        }
    }

    /// The operation of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Bytes of one input row.
    pub const fn row_bytes(self) -> usize {
        match self {
            Self::VerifyEcdsa => 129,
            Self::VerifySchnorr | Self::BatchSchnorr | Self::BatchSchnorrLifted | Self::AffineAdd => 128,
            Self::Recover => 97,
            Self::PublicKey | Self::FieldSqr | Self::FieldInvert | Self::FieldSqrt | Self::MakePoint => 32,
            Self::SignEcdsa | Self::FieldMul | Self::TreeKey | Self::MakeRecoverable => 64,
            Self::SignSchnorr | Self::Double | Self::Msm | Self::MsmNaive | Self::MsmJacobian | Self::Challenge => 96,
            Self::Ecdh => 65,
            Self::AddMixed => 160,
            Self::BatchEcdsa => 130,
            Self::MsmFixed | Self::TableBuild => 256 * 32,
        }
    }

    /// Bytes of one result, of a row or, for [`Op::Msm`], of a group.
    pub const fn result_bytes(self) -> usize {
        match self {
            Self::VerifyEcdsa
            | Self::VerifySchnorr
            | Self::BatchSchnorr
            | Self::BatchSchnorrLifted
            | Self::BatchEcdsa => 1,
            Self::Recover | Self::PublicKey => 33,
            Self::Ecdh
            | Self::FieldMul
            | Self::FieldSqr
            | Self::FieldInvert
            | Self::FieldSqrt
            | Self::MsmFixed
            | Self::TableBuild
            | Self::Challenge
            | Self::TreeKey => 32,
            Self::SignEcdsa
            | Self::SignSchnorr
            | Self::Double
            | Self::AddMixed
            | Self::Msm
            | Self::MsmNaive
            | Self::MsmJacobian
            | Self::AffineAdd
            | Self::MakePoint => 64,
            Self::MakeRecoverable => 65,
        }
    }

    /// How rows belong together.
    pub const fn kind(self) -> Kind {
        match self {
            Self::FieldMul | Self::FieldSqr | Self::FieldInvert | Self::FieldSqrt | Self::Double | Self::AddMixed => {
                Kind::Arithmetic
            }
            Self::Msm
            | Self::MsmNaive
            | Self::MsmJacobian
            | Self::AffineAdd
            | Self::BatchSchnorr
            | Self::BatchSchnorrLifted
            | Self::BatchEcdsa => Kind::Group,
            _ => Kind::Scheme,
        }
    }
}
