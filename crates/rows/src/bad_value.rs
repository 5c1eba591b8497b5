//! What is wrong with a value, in words: how long it is, how long it should be, how it begins, and what it looks like.
//!
//! The one place that describes values, for the command and for Python. Rows are public. Still, no byte is shown of a
//! scalar, of a message, or of a value that is as long as a secret key, in case a column was named wrongly.

use phalanx::{FieldElement, Scalar, Verdict, XOnlyPublicKey};

use crate::block::RowBlock;
use crate::fault::RowFault;
use crate::forms;
use crate::id_places::Reader;
use crate::outcome::{At, Outcome};
use crate::policy::{DerRules, Policy, RecoveryIds};
use crate::recovery_id;
use crate::roles::{ColumnNames, LONGEST, Role};

impl RowBlock<'_> {
    /// The outcome of a row in words: the reason, the column at fault, and what its value looks like.
    pub fn describe(
        &self,
        row: usize,
        outcome: Outcome,
        names: &ColumnNames,
        policy: Policy,
        reader: Reader,
    ) -> String {
        let value = BadValue { block: self, row, policy, reader };
        match value.text(outcome) {
            Some((role, text)) if outcome.column.is_none() => {
                format!("{}: {}: {text}", outcome.text(names), names[role as usize])
            }
            Some((_, text)) => format!("{}: {text}", outcome.text(names)),
            None => outcome.text(names),
        }
    }
}

struct BadValue<'b> {
    block: &'b RowBlock<'b>,
    row: usize,
    policy: Policy,
    reader: Reader,
}

type Described = Option<(Role, String)>;

impl BadValue<'_> {
    /// The role at fault, and what is wrong with its value.
    fn text(&self, outcome: Outcome) -> Described {
        let role = match outcome.column {
            Some(At::Role(role)) => Some(role),
            Some(_) => return None,
            None => None,
        };
        match (outcome.verdict, role, outcome.fault) {
            (Verdict::MalformedRow, Some(Role::V), Some(RowFault::Absent | RowFault::Null)) => self.no_id(),
            (Verdict::MalformedRow, Some(role), Some(RowFault::NotHex | RowFault::NotNumber | RowFault::WrongType)) => {
                let (length, text) = self.block.unread(role, self.row)?;
                Some((role, unread(role, length, text)))
            }
            (Verdict::MalformedRow, Some(role), Some(RowFault::WrongLength)) => {
                let expected = if role == Role::FromAddress { "20" } else { "32" };
                Some((role, length(role, self.value(role)?, expected)))
            }
            (Verdict::MalformedRow, Some(Role::Scheme), Some(RowFault::UnknownScheme)) => {
                let scheme = self.value(Role::Scheme).filter(|scheme| scheme.len() <= 16)?;
                let known = "expected ecdsa, or schnorr to verify";
                Some((Role::Scheme, format!("`{}`, {known}", beginning(scheme))))
            }
            (Verdict::BadPublicKey, Some(Role::Point), _) => Some((Role::Point, self.key(Role::Point)?)),
            (Verdict::BadPublicKey, None, _) => Some((Role::PublicKey, self.key(Role::PublicKey)?)),
            (Verdict::BadSignatureEncoding, None, _) => self.signature(),
            (Verdict::OutOfRange, None, _) => self.id().or_else(|| self.numbers()),
            (Verdict::InvalidSignature, None, _) => self.eip2098(),
            _ => None,
        }
    }

    fn value(&self, role: Role) -> Option<&[u8]> {
        self.block.cell(role, self.row).ok()
    }

    /// A signature that should have a recovery id and has none.
    fn no_id(&self) -> Described {
        let signature = self.value(Role::Signature)?;
        let text = match signature.len() {
            64 => format!(
                "a signature of 64 bytes has no recovery id, unless it is the highest bit of s (EIP-2098): try {}",
                self.reader.option("v", "eip2098")
            ),
            length => format!("a signature of {length} bytes has no recovery id"),
        };
        Some((Role::V, text))
    }

    fn key(&self, role: Role) -> Option<String> {
        let key = self.value(role)?;
        // To recover, keys of 32 bytes are refused, also those that a point has.
        let schnorr = self.is_schnorr() && XOnlyPublicKey::from_bytes(key).is_err();
        let expected = if schnorr { "32" } else { "33 or 65" };
        Some(match (key, key.len()) {
            (_, 32) if schnorr => "no point of the curve has this x".to_owned(),
            ([2 | 3, ..], 33) | ([4, ..], 65) if !schnorr => "not a point of the curve".to_owned(),
            ([6 | 7, ..], 65) if !schnorr && !self.policy.hybrid_keys => {
                "65 bytes, begins with 06 or 07: a hybrid key, which is read only if hybrid keys are allowed".to_owned()
            }
            ([prefix, ..], 33) if !schnorr => format!("33 bytes with the prefix {prefix:02x}, expected 02 or 03"),
            ([prefix, ..], 65) if !schnorr => format!("65 bytes with the prefix {prefix:02x}, expected 04"),
            (_, 64) if !schnorr => format!("{}: a key without its 04?", length(role, key, expected)),
            (_, 32) if role == Role::PublicKey => {
                format!("{}: an x-only key of scheme schnorr?", length(role, key, expected))
            }
            _ => length(role, key, expected),
        })
    }

    fn signature(&self) -> Described {
        let Some(signature) = self.value(Role::Signature) else {
            // r and s have columns of their own.
            let (role, number) = [Role::R, Role::S].into_iter().find_map(|role| {
                Some((role, self.value(role)?)).filter(|(_, number)| number.is_empty() || number.len() > 32)
            })?;
            return Some((role, length(role, number, "at most 32")));
        };
        let schnorr = self.is_schnorr();
        let lax = || match self.policy.der {
            DerRules::Strict => format!("; {} accepts it", self.reader.option("der", "lax")),
            DerRules::Lax => String::new(),
        };
        let text = match forms::behind_der(signature) {
            _ if schnorr => {
                let hash_type = if signature.len() == 65 { ": a sighash type (BIP-341) behind it?" } else { "" };
                format!("{}{hash_type}", length(Role::Signature, signature, "64"))
            }
            Some(1) => format!(
                "1 extra byte, {:02x}, after the DER: a sighash type?{}",
                signature.last()?,
                lax().trim_start_matches(';')
            ),
            Some(0) => format!("{} bytes of DER that break its rules (BIP-66){}", signature.len(), lax()),
            Some(more) => format!("{more} extra bytes after the DER{}", lax()),
            None if signature.first() == Some(&0x30) => {
                format!("{} bytes of DER that breaks off or breaks its rules{}", signature.len(), lax())
            }
            None => length(Role::Signature, signature, "64, 65, or DER"),
        };
        Some((Role::Signature, text))
    }

    /// Whether the row is verified as Schnorr's: its scheme says so or, without one, its key has 32 bytes.
    fn is_schnorr(&self) -> bool {
        match self.block.cell(Role::Scheme, self.row) {
            Ok(scheme) => scheme.eq_ignore_ascii_case(b"schnorr"),
            Err(_) => self.value(Role::PublicKey).is_some_and(|key| key.len() == 32),
        }
    }

    /// The number of a signature that is out of range, and its limit.
    fn numbers(&self) -> Described {
        let schnorr = self.is_schnorr();
        let wrong = |name: &str, number: &[u8]| {
            let mut padded = [0; 32];
            padded[32_usize.checked_sub(number.len())?..].copy_from_slice(number);
            let (below, limit) = match name {
                "r" if schnorr => (FieldElement::from_bytes(&padded).is_ok(), "the prime p of the field"),
                _ => (Scalar::from_bytes(&padded).is_ok(), "the group order n"),
            };
            if !below {
                Some(format!("not below {limit}"))
            } else {
                (padded == [0; 32] && !schnorr).then(|| "zero".to_owned())
            }
        };
        let Some(signature) = self.value(Role::Signature) else {
            let columns = [(Role::R, "r"), (Role::S, "s")].into_iter();
            let mut faults = columns.filter_map(|(role, name)| Some((role, wrong(name, self.value(role)?)?)));
            return faults.next();
        };
        let ids = self.policy.recovery_ids;
        let (r, s) = match (signature.len(), ids) {
            (64, _) => signature.split_at(32),
            (65, RecoveryIds::Header) => signature[1..].split_at(32),
            (65, _) => signature[..64].split_at(32),
            _ => return Some((Role::Signature, "r or s is zero, or not below the group order n".to_owned())),
        };
        let mut s = s.to_vec();
        if signature.len() == 64 && ids == RecoveryIds::Eip2098 && !schnorr {
            s[0] &= 0x7f;
        }
        let mut faults =
            [("r", r), ("s", &s)].into_iter().filter_map(|(name, number)| Some((name, wrong(name, number)?)));
        faults.next().map(|(name, fault)| (Role::Signature, format!("{name} is {fault}")))
    }

    /// A number that is not a recovery id.
    fn id(&self) -> Described {
        let ids = self.policy.recovery_ids;
        let option = |value| self.reader.option("v", value);
        if let Some(signature) = self.value(Role::Signature).and_then(|value| <&[u8; 65]>::try_from(value).ok()) {
            let [front, .., behind] = *signature;
            let header = ids == RecoveryIds::Header;
            let (place, byte) = if header { ("first", front) } else { ("last", behind) };
            if recovery_id::of_byte(byte, ids) != recovery_id::OUT_OF_RANGE {
                return None;
            }
            let hint = match (front, behind) {
                (_, 0..=3 | 27..=30) if header => {
                    format!("; the last byte, {behind}, is: try {}", option("last"))
                }
                (27..=42, _) if !header => {
                    format!("; the first byte, {front}, is (BIP-137): try {}", option("header"))
                }
                (_, 35..) if !header => format!("; by EIP-155 it is: try {}", option("eip155")),
                (0..=3, _) if !header => format!("; the first byte, {front}, is: try {}", option("header")),
                _ => String::new(),
            };
            return Some((Role::Signature, format!("the {place} byte, {byte}, is not a recovery id{hint}")));
        }
        let v = *self.value(Role::V)?.first()?;
        if recovery_id::of_column(v, ids) != recovery_id::OUT_OF_RANGE {
            return None;
        }
        let number = match v {
            recovery_id::OUT_OF_RANGE => "a number below 0".to_owned(),
            43.. => "a number above 42".to_owned(),
            v => v.to_string(),
        };
        let hint = match (ids, v) {
            (RecoveryIds::Header, 0..=3) => format!("; try {}", option("last")),
            (RecoveryIds::Header, _) => String::new(),
            (_, 31..=34) => format!("; as a header (BIP-137) it is: try {}", option("header")),
            _ => String::new(),
        };
        Some((Role::V, format!("{number} is not a recovery id{hint}")))
    }

    /// A signature of 64 bytes whose s has its highest bit set, as an s that a signer made low never has.
    fn eip2098(&self) -> Described {
        let signature = self.value(Role::Signature)?;
        let told = self.policy.recovery_ids == RecoveryIds::Eip2098;
        let key = self.value(Role::PublicKey).map_or(0, <[u8]>::len);
        (!told && signature.len() == 64 && signature[32] >= 0x80 && key != 32).then(|| {
            let option = self.reader.option("v", "eip2098");
            (Role::Signature, format!("the highest bit of s is set: a recovery id (EIP-2098)? Try {option}"))
        })
    }
}

/// The length of bytes, the one that is expected, and how they begin.
fn length(role: Role, value: &[u8], expected: &str) -> String {
    let length = if value.len() < LONGEST { bytes(value.len()) } else { format!("{LONGEST} bytes or more") };
    let hidden = matches!(role, Role::Scalar | Role::Message) || value.len() == 32 || value.is_empty();
    let begins = if hidden { String::new() } else { format!(", begins with {}", const_hex::encode(first(value))) };
    let looks =
        if value.len() > 8 && value.iter().all(u8::is_ascii_hexdigit) { ": hex as bytes, not as text?" } else { "" };
    format!("{length}, expected {expected}{begins}{looks}")
}

fn bytes(count: usize) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

fn first(value: &[u8]) -> &[u8] {
    &value[..value.len().min(4)]
}

/// Text that could not be read: its length, how it begins, and what it looks like.
fn unread(role: Role, length: u64, text: &[u8]) -> String {
    let whole = usize::try_from(length) == Ok(text.len());
    let looks = if whole { looks_like(role, text) } else { None };
    let characters = if length == 1 { "1 character".to_owned() } else { format!("{length} characters") };
    let begins = match could_be_secret(role, length, text) {
        true => String::new(),
        false => format!(", begins with `{}`", beginning(text)),
    };
    format!("{characters}{begins}{}", looks.map_or(String::new(), |looks| format!(": {looks}")))
}

/// Whether a text is about as long as those in which secret keys are written, or may be a list of words.
fn could_be_secret(role: Role, length: u64, text: &[u8]) -> bool {
    let key = matches!(length, 32 | 40..=70 | 95 | 111);
    let extended = text.get(1..4) == Some(b"prv") || text.trim_ascii().contains(&b' ');
    matches!(role, Role::Scalar | Role::Message) || key || extended || text.is_empty()
}

/// The first eight characters.
fn beginning(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(32)]);
    text.chars().take(8).flat_map(char::escape_debug).collect()
}

fn looks_like(role: Role, text: &[u8]) -> Option<String> {
    let text = text.trim_ascii();
    if role == Role::V {
        return None;
    }
    if let Some((form, value)) = forms::readings(role, text).first() {
        return Some(format!("{form}, of {}?", bytes(value.len())));
    }
    let digits = text.strip_prefix(b"0x").or(text.strip_prefix(b"0X")).or(text.strip_prefix(b"\\x")).unwrap_or(text);
    let others = digits.iter().filter(|digit| !digit.is_ascii_hexdigit()).count();
    match text {
        [b'[', ..] => Some("a list of numbers?".to_owned()),
        [b'{', ..] => Some("an object?".to_owned()),
        [b'b', b'\'' | b'"', ..] => Some("Python's text of bytes?".to_owned()),
        [b'\\', digit, ..] if digit.is_ascii_digit() => Some("bytes with octal escapes?".to_owned()),
        _ if others == 0 && digits.len() % 2 == 1 => Some(format!("{} hex digits, an odd number", digits.len())),
        _ if digits.len() >= 16 && others * 8 <= digits.len() => {
            let place = digits.iter().position(|digit| !digit.is_ascii_hexdigit())?;
            let digit = beginning(&digits[place..=place]);
            Some(format!("`{digit}` at character {} is not a hex digit", text.len() - digits.len() + place + 1))
        }
        _ => None,
    }
}
