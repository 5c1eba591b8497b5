//! Scripts as bytes: their instructions, the forms that consensus knows, and the number of signatures they ask for.

use crate::opcode::{
    OP_0, OP_1, OP_16, OP_CHECKMULTISIG, OP_CHECKMULTISIGVERIFY, OP_CHECKSIG, OP_CHECKSIGVERIFY, OP_CODESEPARATOR,
    OP_EQUAL, OP_HASH160, OP_PUSHDATA1, OP_PUSHDATA2, OP_PUSHDATA4,
};

/// The most keys that CHECKMULTISIG takes.
pub(crate) const MAX_MULTISIG_KEYS: usize = 20;

/// An opcode with what it pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction<'a> {
    pub(crate) opcode: u8,
    /// Empty for all but pushes.
    pub(crate) data: &'a [u8],
}

impl Instruction<'_> {
    /// Whether it is the shortest push of its value.
    pub(crate) fn is_minimal_push(&self) -> bool {
        match (self.data, self.data.len()) {
            ([], _) => self.opcode == OP_0,
            ([1..=16], _) | ([0x81], _) => false,
            (_, length @ 1..=75) => usize::from(self.opcode) == length,
            (_, 76..=255) => self.opcode == OP_PUSHDATA1,
            (_, 256..=65535) => self.opcode == OP_PUSHDATA2,
            _ => true,
        }
    }
}

/// A push that has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndlessPush;

/// The instructions of a script, one after the other. After an error there are no more.
#[derive(Clone, Debug)]
pub(crate) struct Instructions<'a> {
    script: &'a [u8],
    at: usize,
}

impl<'a> Instructions<'a> {
    pub(crate) fn new(script: &'a [u8]) -> Instructions<'a> {
        Instructions { script, at: 0 }
    }

    /// Where the next instruction begins.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.script.get(self.at..)?.get(..length)?;
        self.at += length;
        Some(taken)
    }

    fn read(&mut self) -> Option<Instruction<'a>> {
        let opcode = self.take(1)?[0];
        let length = match opcode {
            OP_PUSHDATA1 => self.take(1)?[0].into(),
            OP_PUSHDATA2 => u16::from_le_bytes(self.take(2)?.try_into().ok()?).into(),
            OP_PUSHDATA4 => u32::from_le_bytes(self.take(4)?.try_into().ok()?).try_into().ok()?,
            0..OP_PUSHDATA1 => opcode.into(),
            _ => 0,
        };
        Some(Instruction { opcode, data: self.take(length)? })
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>, EndlessPush>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.script.len() {
            return None;
        }
        let read = self.read().ok_or(EndlessPush);
        if read.is_err() {
            self.at = self.script.len();
        }
        Some(read)
    }
}

/// Whether a script does nothing but push.
pub(crate) fn is_push_only(script: &[u8]) -> bool {
    Instructions::new(script).all(|read| read.is_ok_and(|instruction| instruction.opcode <= OP_16))
}

/// Whether an output is paid to the hash of a script (BIP-16).
pub(crate) fn is_script_hash(script: &[u8]) -> bool {
    matches!(script, [OP_HASH160, 20, _hash @ .., OP_EQUAL] if script.len() == 23)
}

/// The version and the program of an output that is spent by witness (BIP-141).
pub(crate) fn witness_program(script: &[u8]) -> Option<(u8, &[u8])> {
    let [version, length, program @ ..] = script else { return None };
    let version = match *version {
        OP_0 => 0,
        version @ OP_1..=OP_16 => version - OP_1 + 1,
        _ => return None,
    };
    ((2..=40).contains(&program.len()) && usize::from(*length) == program.len()).then_some((version, program))
}

/// The push of a value by its length, as old scripts were written: not the shortest for small numbers.
pub(crate) fn push(data: &[u8]) -> Vec<u8> {
    let length = data.len();
    let mut script = match length {
        0..0x4c => vec![length as u8],
        0x4c..=0xff => vec![OP_PUSHDATA1, length as u8],
        0x100..=0xffff => [&[OP_PUSHDATA2][..], &(length as u16).to_le_bytes()].concat(),
        _ => [&[OP_PUSHDATA4][..], &(length as u32).to_le_bytes()].concat(),
    };
    script.extend_from_slice(data);
    script
}

/// A script without each place at which an instruction begins and `pattern` stands; none where there is no such place.
/// Linear in the script's length times the pattern's, and patterns are at most 523 bytes long.
pub(crate) fn without(script: &[u8], pattern: &[u8]) -> Option<Vec<u8>> {
    if pattern.is_empty() || pattern.len() > script.len() {
        return None;
    }
    let mut kept = Vec::new();
    let mut found = false;
    // From here on the script is kept.
    let mut from = 0;
    let mut instructions = Instructions::new(script);
    loop {
        let mut at = instructions.position();
        kept.extend_from_slice(&script[from..at]);
        while script[at..].starts_with(pattern) {
            at += pattern.len();
            found = true;
        }
        (from, instructions.at) = (at, at);
        if !matches!(instructions.next(), Some(Ok(_))) {
            break;
        }
    }
    kept.extend_from_slice(&script[from..]);
    found.then_some(kept)
}

/// A script without OP_CODESEPARATOR.
pub(crate) fn without_separators(script: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(script.len());
    let mut instructions = Instructions::new(script);
    let mut from = 0;
    loop {
        let at = instructions.position();
        match instructions.next() {
            Some(Ok(Instruction { opcode: OP_CODESEPARATOR, .. })) => {
                kept.extend_from_slice(&script[from..at]);
                from = at + 1;
            }
            Some(Ok(_)) => {}
            Some(Err(EndlessPush)) | None => break,
        }
    }
    kept.extend_from_slice(&script[from..]);
    kept
}

/// How many signatures a script may check, as limits of blocks count it. CHECKMULTISIG counts as its number of keys if
/// that stands before it and `accurate` is set, else as 20.
pub(crate) fn signature_operations(script: &[u8], accurate: bool) -> usize {
    let mut count = 0;
    let mut last = 0xff;
    for instruction in Instructions::new(script).map_while(Result::ok) {
        count += match instruction.opcode {
            OP_CHECKSIG | OP_CHECKSIGVERIFY => 1,
            OP_CHECKMULTISIG | OP_CHECKMULTISIGVERIFY => match last {
                OP_1..=OP_16 if accurate => usize::from(last - OP_1 + 1),
                _ => MAX_MULTISIG_KEYS,
            },
            _ => 0,
        };
        last = instruction.opcode;
    }
    count
}

/// What the last instruction of a script pushes, if all it does is push.
pub(crate) fn last_push(script: &[u8]) -> Option<&[u8]> {
    is_push_only(script).then(|| Instructions::new(script).last()?.ok().map(|instruction| instruction.data))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_deleted_where_instructions_begin() {
        // Cases in the manner of Bitcoin Core's `script_FindAndDelete`.
        let deleted = |script: &[u8], pattern: &[u8]| without(script, pattern);
        assert_eq!(deleted(&[0x51, 0x52], &[]), None);
        assert_eq!(deleted(&[0x51, 0x52, 0x53], &[0x52]), Some(vec![0x51, 0x53]));
        assert_eq!(deleted(&[0x53, 0x51, 0x53, 0x53, 0x54, 0x53], &[0x53]), Some(vec![0x51, 0x54]));
        assert_eq!(deleted(&[2, 0xff, 3], &[2, 0xff, 3]), Some(vec![]));
        assert_eq!(deleted(&[2, 0xff, 3, 2, 0xff, 3], &[0xff]), None);
        assert_eq!(deleted(&[2, 0xff, 3, 2, 0xff, 3], &[2]), Some(vec![0xff, 3, 2, 0xff, 3]));
        assert_eq!(deleted(&[2, 0xfe, 0xed, 0x51, 0x69], &[0xfe, 0xed, 0x51]), None);
        assert_eq!(deleted(&[2, 0xfe, 0xed, 0x51, 0x69], &[2, 0xfe, 0xed, 0x51]), Some(vec![0x69]));
        // Deleted in one pass, though what is left has the pattern again.
        assert_eq!(deleted(&[0, 0, 0x51, 0x51], &[0, 0x51]), Some(vec![0, 0x51]));
        assert_eq!(deleted(&[0, 0, 0x51, 0, 0x51, 0x51], &[0, 0x51]), Some(vec![0, 0x51]));
        // A push without end stays, and so does what it would have pushed.
        assert_eq!(deleted(&[0x51, 0x4c, 9, 0x51], &[0x51]), Some(vec![0x4c, 9, 0x51]));
    }

    #[test]
    fn pushes_and_instructions_agree() {
        for length in [0, 1, 75, 76, 255, 256, 65535, 65536] {
            let data = vec![0xab; length];
            let script = push(&data);
            let read: Vec<_> = Instructions::new(&script).collect();
            assert!(matches!(&read[..], [Ok(instruction)] if instruction.data == data), "{length}");
            assert!(read[0].is_ok_and(|instruction| instruction.is_minimal_push()));
            let cut = Instructions::new(&script[..script.len() - 1]).last();
            assert!(cut.is_none_or(|read| read.is_err()), "{length}");
        }
    }

    #[test]
    fn separators_within_pushes_stay() {
        assert_eq!(without_separators(&[0xab, 1, 0xab, 0xab, 0xac, 0xab]), [1, 0xab, 0xac]);
        assert_eq!(without_separators(&[0xab, 0x4c, 0xab]), [0x4c, 0xab]);
    }

    #[test]
    fn signature_operations_are_counted() {
        assert_eq!(signature_operations(&[0xac, 0xad, 0x52, 0xae, 0xae], true), 2 + 2 + 20);
        assert_eq!(signature_operations(&[0xac, 0xad, 0x52, 0xae, 0xae], false), 2 + 20 + 20);
        assert_eq!(signature_operations(&[0xac, 0x4c, 9, 0xac], true), 1);
    }
}
