//! Scripts as Bitcoin Core's vectors write them: numbers, opcodes, text in quotes, and bytes that stand as they are.

/// The names from OP_NOP on, in the order of the opcodes.
const NAMES: [&str; 90] = [
    "NOP",
    "VER",
    "IF",
    "NOTIF",
    "VERIF",
    "VERNOTIF",
    "ELSE",
    "ENDIF",
    "VERIFY",
    "RETURN",
    "TOALTSTACK",
    "FROMALTSTACK",
    "2DROP",
    "2DUP",
    "3DUP",
    "2OVER",
    "2ROT",
    "2SWAP",
    "IFDUP",
    "DEPTH",
    "DROP",
    "DUP",
    "NIP",
    "OVER",
    "PICK",
    "ROLL",
    "ROT",
    "SWAP",
    "TUCK",
    "CAT",
    "SUBSTR",
    "LEFT",
    "RIGHT",
    "SIZE",
    "INVERT",
    "AND",
    "OR",
    "XOR",
    "EQUAL",
    "EQUALVERIFY",
    "RESERVED1",
    "RESERVED2",
    "1ADD",
    "1SUB",
    "2MUL",
    "2DIV",
    "NEGATE",
    "ABS",
    "NOT",
    "0NOTEQUAL",
    "ADD",
    "SUB",
    "MUL",
    "DIV",
    "MOD",
    "LSHIFT",
    "RSHIFT",
    "BOOLAND",
    "BOOLOR",
    "NUMEQUAL",
    "NUMEQUALVERIFY",
    "NUMNOTEQUAL",
    "LESSTHAN",
    "GREATERTHAN",
    "LESSTHANOREQUAL",
    "GREATERTHANOREQUAL",
    "MIN",
    "MAX",
    "WITHIN",
    "RIPEMD160",
    "SHA1",
    "SHA256",
    "HASH160",
    "HASH256",
    "CODESEPARATOR",
    "CHECKSIG",
    "CHECKSIGVERIFY",
    "CHECKMULTISIG",
    "CHECKMULTISIGVERIFY",
    "NOP1",
    "CHECKLOCKTIMEVERIFY",
    "CHECKSEQUENCEVERIFY",
    "NOP4",
    "NOP5",
    "NOP6",
    "NOP7",
    "NOP8",
    "NOP9",
    "NOP10",
    "CHECKSIGADD",
];

fn opcode(name: &str) -> Option<u8> {
    let name = name.strip_prefix("OP_").unwrap_or(name);
    match name {
        "0" | "FALSE" => Some(0),
        "RESERVED" => Some(0x50),
        "NOP2" => Some(0xb1),
        "NOP3" => Some(0xb2),
        _ => NAMES.iter().position(|other| *other == name).map(|place| 0x61 + place as u8),
    }
}

/// The push of a value by its length.
pub(crate) fn push(data: &[u8]) -> Vec<u8> {
    let length = data.len();
    let head = match length {
        0..=75 => vec![length as u8],
        76..=255 => vec![0x4c, length as u8],
        _ => vec![0x4d, length as u8, (length >> 8) as u8],
    };
    [head, data.to_vec()].concat()
}

fn number(number: i64) -> Vec<u8> {
    match number {
        0 => return vec![0],
        -1 => return vec![0x4f],
        1..=16 => return vec![0x50 + number as u8],
        _ => {}
    }
    let mut bytes = number.unsigned_abs().to_le_bytes().to_vec();
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    if bytes.last().is_some_and(|last| last & 0x80 != 0) {
        bytes.push(0);
    }
    if number < 0 {
        *bytes.last_mut().expect("not zero") |= 0x80;
    }
    push(&bytes)
}

/// The bytes of a script.
pub(crate) fn assemble(text: &str) -> Vec<u8> {
    let word = |word: &str| -> Vec<u8> {
        if let Ok(value) = word.parse() {
            number(value)
        } else if let Some(hex) = word.strip_prefix("0x") {
            const_hex::decode(hex).expect("hex")
        } else if let Some(text) = word.strip_prefix('\'') {
            push(text.strip_suffix('\'').expect("a quote").as_bytes())
        } else {
            vec![opcode(word).unwrap_or_else(|| panic!("no opcode {word}"))]
        }
    };
    text.split_ascii_whitespace().flat_map(word).collect()
}

#[test]
fn names_stand_at_their_opcodes() {
    for (name, expected) in
        [("CHECKSIG", 0xac), ("OP_CHECKSIGADD", 0xba), ("SIZE", 0x82), ("WITHIN", 0xa5), ("NOP1", 0xb0)]
    {
        assert_eq!(opcode(name), Some(expected));
    }
    assert_eq!(assemble("-1 16 17 255 'Az' 0x4c01ab"), [0x4f, 0x60, 1, 17, 2, 0xff, 0, 2, b'A', b'z', 0x4c, 1, 0xab]);
}
