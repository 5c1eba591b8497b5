//! What instructions of arm64 do to the stack.

use crate::flow::{Next, State};

/// The number of the stack pointer, of the frame pointer.
const SP: u32 = 31;
const FRAME: u32 = 29;

/// `str xzr, [sp]`, which touches a page.
const STORE_ZERO: u32 = 0xf900_03ff;

/// Bits of an instruction as a signed number.
fn signed(instruction: u32, shift: u32, bits: u32) -> i64 {
    let value = (instruction >> shift) & ((1 << bits) - 1);
    (i64::from(value) << (64 - bits)) >> (64 - bits)
}

/// See [`crate::flow::Step`].
pub(crate) fn step(image: &[u8], address: u64, state: &mut State) -> Result<(u64, Next), String> {
    let at = address as usize;
    let bytes = image.get(at..at + 4).ok_or("beyond the image")?;
    let instruction = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let is = |mask: u32, value: u32| instruction & mask == value;
    let to = |shift, bits| address.wrapping_add_signed(4 * signed(instruction, shift, bits));
    let compared = std::mem::take(&mut state.compared);
    let next = if compared && is(0xff00_001f, 0x5400_0001) {
        // The loop that touches each page of a large frame: when it ends, the stack is where the register says.
        state.depth = state.scratch.ok_or("a comparison with something unknown")?.1;
        Next::Falls
    } else if compared && instruction == STORE_ZERO {
        state.compared = true;
        Next::Falls
    } else if is(0xfc00_0000, 0x9400_0000) {
        Next::Calls(Some(to(0, 26)))
    } else if is(0xfc00_0000, 0x1400_0000) {
        Next::Jumps { to: to(0, 26), falls: false }
    } else if is(0xff00_0010, 0x5400_0000) || is(0x7e00_0000, 0x3400_0000) {
        Next::Jumps { to: to(5, 19), falls: true }
    } else if is(0x7e00_0000, 0x3600_0000) {
        Next::Jumps { to: to(5, 14), falls: true }
    } else if is(0xffff_fc1f, 0xd63f_0000) {
        Next::Calls(None)
    } else if is(0xffff_fc1f, 0xd65f_0000) {
        Next::Returns
    } else if is(0xffe0_001f, 0xd420_0000) || instruction >> 16 == 0 {
        Next::Ends
    } else if is(0xfe00_0000, 0xd600_0000) {
        return Err("an indirect jump".into());
    } else if is(0xff00_001f, 0xd400_0001) {
        return Err("a call of the system".into());
    } else {
        change(instruction, state)?;
        Next::Falls
    };
    Ok((4, next))
}

fn change(instruction: u32, state: &mut State) -> Result<(), String> {
    let is = |mask: u32, value: u32| instruction & mask == value;
    let (to, from) = (instruction & 31, instruction >> 5 & 31);
    // Addition and subtraction of a number, perhaps shifted by 12 bits.
    if is(0xbf80_0000, 0x9100_0000) || is(0xff80_0000, 0xd100_0000) {
        let amount = i64::from(instruction >> 10 & 0xfff) << (12 * (instruction >> 22 & 1));
        let deeper = if instruction >> 30 & 1 == 1 { amount } else { -amount };
        let base = match from {
            SP => Some(state.depth),
            FRAME => state.frame,
            _ => None,
        };
        match (to, base) {
            (SP, Some(base)) => state.depth = base + deeper,
            (SP, None) => return Err("an unknown frame".into()),
            (FRAME, base) => state.frame = base.map(|base| base + deeper),
            (_, Some(base)) if from == SP => state.scratch = Some((to, base + deeper)),
            _ => forget(to, state),
        }
        return Ok(());
    }
    // A mask, which aligns what was computed just before.
    if is(0xff80_0000, 0x9200_0000) && to == SP {
        let depth = match state.scratch {
            Some((register, depth)) if register == from => depth,
            _ => return Err("an unknown frame".into()),
        };
        // The mask keeps all but the lowest bits: as many zeros as the ones are fewer than 64.
        let (rotation, ones) = (instruction >> 16 & 63, (instruction >> 10 & 63) + 1);
        if ones + (64 - rotation) % 64 < 64 && rotation != ones {
            return Err("a mask that does not align".into());
        }
        state.depth = depth + (1i64 << (64 - ones)) - 1;
        return Ok(());
    }
    // A comparison with a register.
    if is(0xffe0_001f, 0xeb20_001f) && from == SP {
        state.compared = state.scratch.is_some_and(|(register, _)| register == instruction >> 16 & 31);
        return Ok(());
    }
    // Pairs of registers, with the pointer moved before or after.
    if is(0x3a00_0000, 0x2800_0000) && from == SP && instruction >> 23 & 1 == 1 {
        let (kind, is_vector) = (instruction >> 30, instruction >> 26 & 1 == 1);
        let size = if is_vector { 4i64 << kind } else { 4 << (kind >> 1) };
        state.depth -= size * signed(instruction, 15, 7);
        forget(to, state);
        forget(instruction >> 10 & 31, state);
        return Ok(());
    }
    // One register, likewise.
    if is(0x3b20_0400, 0x3800_0400) && from == SP {
        state.depth -= signed(instruction, 12, 9);
        forget(to, state);
        return Ok(());
    }
    // Lists of vector registers, with the pointer moved; sums of registers.
    let lists = is(0xbf20_0000, 0x0c00_0000) && instruction >> 23 & 1 == 1 && from == SP;
    let sums = (is(0xffe0_0000, 0x8b20_0000) || is(0xffe0_0000, 0xcb20_0000)) && to == SP;
    if lists || sums {
        return Err("the stack pointer is set to something unknown".into());
    }
    forget(to, state);
    Ok(())
}

/// A register that may have been written no longer holds a place of the stack. What only reads it is taken for a write.
fn forget(register: u32, state: &mut State) {
    if state.scratch.is_some_and(|(scratch, _)| scratch == register) {
        state.scratch = None;
    }
    if register == FRAME {
        state.frame = None;
    }
}
