//! An image as Go assembly.
use crate::relocate::Architecture;
use std::fmt::Write;
/// The words of one symbol.
pub(crate) fn assembly(bytes: &[u8], architecture: Architecture) -> String {
    let mut text = String::new();
    text.push_str("#include \"textflag.h\"\n\n");
    match architecture {
        Architecture::Amd64 => {
            text.push_str("TEXT ·image(SB), NOSPLIT|NOFRAME|TOPFRAME, $0\n\tPCALIGN $64\n");
            for word in bytes.as_chunks::<8>().0 { let _ = writeln!(text, "QUAD ${:#x}", u64::from_le_bytes(*word)); }
        }
        Architecture::Arm64 => {
            text.push_str("TEXT ·image(SB), NOSPLIT|NOFRAME|TOPFRAME, $0\n\tPCALIGN $64\n");
            for word in bytes.as_chunks::<4>().0 { let _ = writeln!(text, "WORD ${:#x}", u32::from_le_bytes(*word)); }
        }
    }
    text
}
