//! What a column means: roles, the names they go by, and which jobs read them.

/// The part a column plays in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    /// Any type, passed through to the output.
    Id,
    /// `ecdsa` or `schnorr`.
    Scheme,
    /// The 32 bytes that were signed.
    Digest,
    /// What a Schnorr row signs when it is not 32 bytes long.
    Message,
    /// 33, 65 or 32 bytes.
    PublicKey,
    /// Compact, compact with a recovery id, or DER.
    Signature,
    /// The signature's first number.
    R,
    /// The signature's second number.
    S,
    /// The recovery id in one of its encodings.
    V,
    /// The Ethereum address that recovery should find.
    FromAddress,
    /// What a point is multiplied by, 32 bytes.
    Scalar,
    /// A point of a sum, 33 or 65 bytes.
    Point,
}

/// More bytes than any value may have but a message, and a signature in lax DER: that may end in any number of bytes.
pub const LONGEST: usize = 256;

/// What a table calls the column of each role, in the order of [`Role::ALL`].
pub type ColumnNames = [String; Role::COUNT];

impl Role {
    /// How many roles there are.
    pub const COUNT: usize = 12;

    /// All roles, in the order of their numbers.
    pub const ALL: [Role; Role::COUNT] = [
        Role::Id,
        Role::Scheme,
        Role::Digest,
        Role::Message,
        Role::PublicKey,
        Role::Signature,
        Role::R,
        Role::S,
        Role::V,
        Role::FromAddress,
        Role::Scalar,
        Role::Point,
    ];

    /// The names a column of this role may have, the preferred one first. Capitals, underscores, hyphens and spaces do
    /// not matter: `messageHash` is `message_hash`.
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Role::Id => &["id", "transaction_hash", "tx_hash", "txid", "hash"],
            Role::Scheme => &["scheme"],
            Role::Digest => &["msg_hash", "digest", "sighash", "message_hash"],
            Role::Message => &["message"],
            Role::PublicKey => &["pubkey", "public_key"],
            Role::Signature => &["sig", "signature"],
            Role::R => &["r"],
            Role::S => &["s"],
            Role::V => &["v", "recovery_id", "recid", "y_parity", "recovery_param"],
            Role::FromAddress => &["from_address", "from", "sender"],
            Role::Scalar => &["scalar", "coefficient"],
            Role::Point => &["point"],
        }
    }

    /// The preferred name.
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }

    /// The role that a column of this name has, and how much the name is preferred: 0 is best.
    pub fn called(name: &str) -> Option<(Role, usize)> {
        Role::ALL.into_iter().find_map(|role| {
            let rank = role.names().iter().position(|known| is_same_name(known, name))?;
            Some((role, rank))
        })
    }
}

/// Whether two names of columns are equal but for case, underscores, hyphens and spaces.
pub fn is_same_name(one: &str, other: &str) -> bool {
    // Lazily: a name may be as long as a line.
    fn letters(name: &str) -> impl Iterator<Item = u8> {
        name.bytes().filter(|byte| !b"_- ".contains(byte)).map(|byte| byte.to_ascii_lowercase())
    }
    letters(one).eq(letters(other))
}

/// The question that is asked of each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowJob {
    /// Is the signature valid?
    Verify,
    /// Whose is it?
    Recover,
}

/// What rows are for; it decides which columns are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// Each row has an answer.
    Rows(RowJob),
    /// Rows are the terms of one sum.
    Sum,
}

impl Job {
    /// [`RowJob::Verify`].
    pub const VERIFY: Job = Job::Rows(RowJob::Verify);
    /// [`RowJob::Recover`].
    pub const RECOVER: Job = Job::Rows(RowJob::Recover);

    /// Whether rows are judged by what stands in this role. To verify, a recovery id must be one, but not the right
    /// one.
    pub const fn reads(self, role: Role) -> bool {
        match self {
            Job::VERIFY => !matches!(role, Role::Id | Role::FromAddress | Role::Scalar | Role::Point),
            Job::RECOVER => !matches!(role, Role::Id | Role::Message | Role::Scalar | Role::Point),
            Job::Sum => matches!(role, Role::Scalar | Role::Point),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_however_their_words_are_joined() {
        for (names, role) in [
            (&["messageHash", "MessageHash", "message-hash", "Message Hash", "msgHash", "sigHash"][..], Role::Digest),
            (&["publicKey", "PublicKey", "pubKey", "public-key"], Role::PublicKey),
            (&["transactionHash", "txHash", "txId", "ID"], Role::Id),
            (&["recoveryId", "yParity", "recoveryParam", "recId", "V"], Role::V),
            (&["fromAddress"], Role::FromAddress),
        ] {
            for name in names {
                assert_eq!(Role::called(name).map(|(role, _)| role), Some(role), "{name}");
            }
        }
        for name in ["", "_", "keys", "message hashes", "messagehash2", "vv"] {
            assert_eq!(Role::called(name), None, "{name}");
        }
        // No name is another's.
        for role in Role::ALL {
            for (rank, name) in role.names().iter().enumerate() {
                assert_eq!(Role::called(name), Some((role, rank)), "{name}");
            }
        }
    }
}
