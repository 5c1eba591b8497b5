//! The bytes that scripts are made of.

pub(crate) const OP_0: u8 = 0x00;
pub(crate) const OP_PUSHDATA1: u8 = 0x4c;
pub(crate) const OP_PUSHDATA2: u8 = 0x4d;
pub(crate) const OP_PUSHDATA4: u8 = 0x4e;
pub(crate) const OP_1NEGATE: u8 = 0x4f;
pub(crate) const OP_1: u8 = 0x51;
pub(crate) const OP_16: u8 = 0x60;
pub(crate) const OP_NOP: u8 = 0x61;
pub(crate) const OP_IF: u8 = 0x63;
pub(crate) const OP_NOTIF: u8 = 0x64;
pub(crate) const OP_ELSE: u8 = 0x67;
pub(crate) const OP_ENDIF: u8 = 0x68;
pub(crate) const OP_VERIFY: u8 = 0x69;
pub(crate) const OP_RETURN: u8 = 0x6a;
pub(crate) const OP_TOALTSTACK: u8 = 0x6b;
pub(crate) const OP_FROMALTSTACK: u8 = 0x6c;
pub(crate) const OP_2DROP: u8 = 0x6d;
pub(crate) const OP_2DUP: u8 = 0x6e;
pub(crate) const OP_3DUP: u8 = 0x6f;
pub(crate) const OP_2OVER: u8 = 0x70;
pub(crate) const OP_2ROT: u8 = 0x71;
pub(crate) const OP_2SWAP: u8 = 0x72;
pub(crate) const OP_IFDUP: u8 = 0x73;
pub(crate) const OP_DEPTH: u8 = 0x74;
pub(crate) const OP_DROP: u8 = 0x75;
pub(crate) const OP_DUP: u8 = 0x76;
pub(crate) const OP_NIP: u8 = 0x77;
pub(crate) const OP_OVER: u8 = 0x78;
pub(crate) const OP_PICK: u8 = 0x79;
pub(crate) const OP_ROLL: u8 = 0x7a;
pub(crate) const OP_ROT: u8 = 0x7b;
pub(crate) const OP_SWAP: u8 = 0x7c;
pub(crate) const OP_TUCK: u8 = 0x7d;
pub(crate) const OP_SIZE: u8 = 0x82;
pub(crate) const OP_EQUAL: u8 = 0x87;
pub(crate) const OP_EQUALVERIFY: u8 = 0x88;
pub(crate) const OP_1ADD: u8 = 0x8b;
pub(crate) const OP_1SUB: u8 = 0x8c;
pub(crate) const OP_NEGATE: u8 = 0x8f;
pub(crate) const OP_ABS: u8 = 0x90;
pub(crate) const OP_NOT: u8 = 0x91;
pub(crate) const OP_0NOTEQUAL: u8 = 0x92;
pub(crate) const OP_ADD: u8 = 0x93;
pub(crate) const OP_SUB: u8 = 0x94;
pub(crate) const OP_BOOLAND: u8 = 0x9a;
pub(crate) const OP_BOOLOR: u8 = 0x9b;
pub(crate) const OP_NUMEQUAL: u8 = 0x9c;
pub(crate) const OP_NUMEQUALVERIFY: u8 = 0x9d;
pub(crate) const OP_NUMNOTEQUAL: u8 = 0x9e;
pub(crate) const OP_LESSTHAN: u8 = 0x9f;
pub(crate) const OP_GREATERTHAN: u8 = 0xa0;
pub(crate) const OP_LESSTHANOREQUAL: u8 = 0xa1;
pub(crate) const OP_GREATERTHANOREQUAL: u8 = 0xa2;
pub(crate) const OP_MIN: u8 = 0xa3;
pub(crate) const OP_MAX: u8 = 0xa4;
pub(crate) const OP_WITHIN: u8 = 0xa5;
pub(crate) const OP_RIPEMD160: u8 = 0xa6;
pub(crate) const OP_SHA1: u8 = 0xa7;
pub(crate) const OP_SHA256: u8 = 0xa8;
pub(crate) const OP_HASH160: u8 = 0xa9;
pub(crate) const OP_HASH256: u8 = 0xaa;
pub(crate) const OP_CODESEPARATOR: u8 = 0xab;
pub(crate) const OP_CHECKSIG: u8 = 0xac;
pub(crate) const OP_CHECKSIGVERIFY: u8 = 0xad;
pub(crate) const OP_CHECKMULTISIG: u8 = 0xae;
pub(crate) const OP_CHECKMULTISIGVERIFY: u8 = 0xaf;
pub(crate) const OP_NOP1: u8 = 0xb0;
pub(crate) const OP_CHECKLOCKTIMEVERIFY: u8 = 0xb1;
pub(crate) const OP_CHECKSEQUENCEVERIFY: u8 = 0xb2;
pub(crate) const OP_NOP4: u8 = 0xb3;
pub(crate) const OP_NOP10: u8 = 0xb9;
pub(crate) const OP_CHECKSIGADD: u8 = 0xba;

/// Whether an opcode makes a legacy script fail wherever it stands, also where it is not executed: CAT to RIGHT,
/// INVERT to XOR, 2MUL, 2DIV, MUL to RSHIFT.
pub(crate) fn is_disabled(opcode: u8) -> bool {
    matches!(opcode, 0x7e..=0x81 | 0x83..=0x86 | 0x8d | 0x8e | 0x95..=0x99)
}

/// Whether an opcode makes a tapscript succeed wherever it stands (BIP-342).
pub(crate) fn is_success(opcode: u8) -> bool {
    matches!(opcode, 0x50 | 0x62 | 0x7e..=0x81 | 0x83..=0x86 | 0x89 | 0x8a | 0x8d | 0x8e | 0x95..=0x99 | 0xbb..=0xfe)
}
