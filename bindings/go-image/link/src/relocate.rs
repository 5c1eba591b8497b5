//! Relocations that do not depend on where the image is: distances within it. All others are refused.

use object::elf::*;

/// Whose instructions an image has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Architecture {
    Amd64,
    Arm64,
}

/// A place to write to, and what the compiler wants there.
#[derive(Clone, Copy)]
pub(crate) struct Resolved {
    pub(crate) place: u64,
    pub(crate) target: u64,
    pub(crate) addend: i64,
}

impl Architecture {
    /// Every one for which there is an image.
    pub(crate) const ALL: [Architecture; 2] = [Architecture::Amd64, Architecture::Arm64];

    /// The name that Go has for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Architecture::Amd64 => "amd64",
            Architecture::Arm64 => "arm64",
        }
    }

    /// The one of a name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| format!("no image for {name}"))
    }

    /// Its name in object files.
    pub(crate) fn in_objects(self) -> object::Architecture {
        match self {
            Architecture::Amd64 => object::Architecture::X86_64,
            Architecture::Arm64 => object::Architecture::Aarch64,
        }
    }

    /// A jump from the beginning of the bytes, by so many bytes.
    pub(crate) fn jump(self, distance: u64) -> Vec<u8> {
        match self {
            Architecture::Amd64 => [&[0xe9][..], &(distance as u32 - 5).to_le_bytes()].concat(),
            Architecture::Arm64 => (0x1400_0000 | distance as u32 >> 2).to_le_bytes().to_vec(),
        }
    }

    /// Instructions that end the program, to stand between functions.
    pub(crate) fn filler(self) -> &'static [u8] {
        match self {
            Architecture::Amd64 => &[0xcc],
            // brk #0
            Architecture::Arm64 => &[0x00, 0x00, 0x20, 0xd4],
        }
    }

    /// How far beyond its symbol a relocation points: on amd64 distances are counted from the end of the instruction.
    pub(crate) fn distance(self, kind: RelocationType, addend: i64) -> i64 {
        match (self, kind) {
            (Architecture::Amd64, R_X86_64_PC32 | R_X86_64_PLT32) => addend + 4,
            (Architecture::Amd64, _) => 0,
            (Architecture::Arm64, _) => addend,
        }
    }

    /// Writes the distance. Answers whether the instruction there calls or jumps, rather than takes an address.
    pub(crate) fn relocate(self, bytes: &mut [u8], kind: RelocationType, to: Resolved) -> Result<bool, String> {
        match self {
            Architecture::Amd64 => amd64(bytes, kind, to),
            Architecture::Arm64 => arm64(bytes, kind, to),
        }
    }
}

fn amd64(bytes: &mut [u8], kind: RelocationType, Resolved { place, target, addend }: Resolved) -> Result<bool, String> {
    let at = place as usize;
    let is_call = match kind {
        R_X86_64_PC32 | R_X86_64_PLT32 => {
            // call and jmp, and conditional jumps.
            matches!(bytes[at - 1], 0xe8 | 0xe9) || (bytes[at - 2] == 0x0f && bytes[at - 1] & 0xf0 == 0x80)
        }
        // Through a table of addresses, which an image has not: the same without the table.
        R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX if addend == -4 => {
            match (bytes[at - 2], bytes[at - 1]) {
                // call *f(%rip): call f, with a prefix that says nothing, so that it is as long.
                (0xff, 0x15) => {
                    (bytes[at - 2], bytes[at - 1]) = (0x67, 0xe8);
                    true
                }
                // jmp *f(%rip): jmp f, in the same way.
                (0xff, 0x25) => {
                    (bytes[at - 2], bytes[at - 1]) = (0x67, 0xe9);
                    true
                }
                // mov f(%rip), register: lea.
                (0x8b, register) if register & 0xc7 == 0x05 => {
                    bytes[at - 2] = 0x8d;
                    false
                }
                (first, second) => return Err(format!("{first:02x} {second:02x} reads a table of addresses")),
            }
        }
        _ => return Err(format!("relocation {kind} of amd64 is no distance")),
    };
    let distance = (target as i64 + addend) - place as i64;
    let distance = i32::try_from(distance).map_err(|_| "too far")?;
    bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
    Ok(is_call)
}

fn arm64(bytes: &mut [u8], kind: RelocationType, Resolved { place, target, addend }: Resolved) -> Result<bool, String> {
    let at = place as usize;
    let distance = (target as i64 + addend) - place as i64;
    if kind == R_AARCH64_PREL32 {
        let distance = i32::try_from(distance).map_err(|_| "too far")?;
        bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        return Ok(false);
    }
    let word = &mut bytes[at..at + 4];
    let mut instruction = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
    // A field of so many bits, at so many bits from the right, which counts instructions.
    let field = |bits: u32, shift: u32| -> Result<u32, String> {
        let half = 1i64 << (bits + 1);
        if distance % 4 != 0 || distance < -half || distance >= half {
            return Err(format!("a distance of {distance}"));
        }
        Ok(((distance >> 2) as u32 & ((1 << bits) - 1)) << shift)
    };
    let is_call = match kind {
        R_AARCH64_CALL26 | R_AARCH64_JUMP26 => {
            instruction |= field(26, 0)?;
            true
        }
        R_AARCH64_CONDBR19 => {
            instruction |= field(19, 5)?;
            true
        }
        R_AARCH64_LD_PREL_LO19 => {
            instruction |= field(19, 5)?;
            false
        }
        R_AARCH64_ADR_PREL_LO21 => {
            if !(-(1 << 20)..1 << 20).contains(&distance) {
                return Err(format!("a distance of {distance}"));
            }
            let bits = distance as u32 & 0x1f_ffff;
            instruction |= (bits & 3) << 29 | (bits >> 2) << 5;
            false
        }
        _ => return Err(format!("relocation {kind} of arm64 is no distance")),
    };
    word.copy_from_slice(&instruction.to_le_bytes());
    Ok(is_call)
}
