//! What instructions of amd64 do to the stack.

use crate::flow::{Next, State};
use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpKind, Register,
};

/// The number of the one scratch register that is followed, R11.
const SCRATCH: u32 = 11;

/// See [`crate::flow::Step`].
pub(crate) fn step(image: &[u8], address: u64, state: &mut State) -> Result<(u64, Next), String> {
    let mut decoder = Decoder::with_ip(64, &image[address as usize..], address, DecoderOptions::NONE);
    let instruction = decoder.decode();
    let length = instruction.len() as u64;
    let compared = std::mem::take(&mut state.compared);
    let next = match instruction.flow_control() {
        FlowControl::Next => Next::Falls,
        FlowControl::UnconditionalBranch => Next::Jumps { to: instruction.near_branch_target(), falls: false },
        // The loop that touches each page of a large frame: when it ends, the stack is where the scratch register says.
        FlowControl::ConditionalBranch if compared && state.scratch.is_some() => {
            if let (Mnemonic::Jne, Some((_, depth))) = (instruction.mnemonic(), state.scratch) {
                state.depth = depth;
                return Ok((length, Next::Falls));
            }
            return Err("a jump by the stack pointer".into());
        }
        FlowControl::ConditionalBranch => Next::Jumps { to: instruction.near_branch_target(), falls: true },
        FlowControl::Call => Next::Calls(Some(instruction.near_branch_target())),
        FlowControl::IndirectCall => Next::Calls(None),
        FlowControl::Return => Next::Returns,
        FlowControl::Exception => Next::Ends,
        other => return Err(format!("{other:?}")),
    };
    if matches!(next, Next::Falls) {
        change(&instruction, state)?;
    }
    below(&instruction)?;
    Ok((length, next))
}

/// Fails where memory below the stack pointer is used, which on Windows may change at any time. An access with an index
/// may lie above it all the same, as that to the element before the one of an index in an array on the stack; there the
/// compiler's word stands, which is told to use nothing below (`no-redzone`).
fn below(instruction: &Instruction) -> Result<(), String> {
    let uses = (0..instruction.op_count()).any(|operand| instruction.op_kind(operand) == OpKind::Memory);
    let below = instruction.memory_base() == Register::RSP
        && instruction.memory_index() == Register::None
        && (instruction.memory_displacement64() as i64) < 0;
    if uses && below && instruction.mnemonic() != Mnemonic::Lea { Err("memory below the stack".into()) } else { Ok(()) }
}

fn change(instruction: &Instruction, state: &mut State) -> Result<(), String> {
    use Register::{R11, RBP, RSP};
    let first = instruction.op0_register();
    // Where an address lies that is made from a register that is the stack's.
    let address = |base: Option<i64>| base.map(|base| base - instruction.memory_displacement64() as i64);
    let base = match instruction.memory_base() {
        RSP => Some(state.depth),
        RBP => state.frame,
        _ => None,
    };
    let immediate = || instruction.immediate32to64();
    let has_immediate = instruction.op_count() == 2
        && matches!(instruction.op1_kind(), OpKind::Immediate32to64 | OpKind::Immediate8to64 | OpKind::Immediate32);
    let small = || match instruction.op1_kind() {
        OpKind::Immediate8to64 => instruction.immediate8to64(),
        _ => immediate(),
    };
    match (instruction.mnemonic(), first, instruction.op1_register()) {
        (Mnemonic::Push | Mnemonic::Pop | Mnemonic::Pushfq | Mnemonic::Popfq, ..) => {
            state.depth -= i64::from(instruction.stack_pointer_increment());
            if first == RBP && instruction.mnemonic() == Mnemonic::Pop {
                state.frame = None;
            }
            return Ok(());
        }
        (Mnemonic::Sub, RSP, _) if has_immediate => state.depth += small(),
        (Mnemonic::Add, RSP, _) if has_immediate => state.depth -= small(),
        // Alignment moves the pointer by less than what it is aligned to.
        (Mnemonic::And, RSP, _) if has_immediate && small() < 0 => state.depth += -small() - 1,
        (Mnemonic::Mov, RBP, RSP) => state.frame = Some(state.depth),
        (Mnemonic::Mov, RSP, RBP) => state.depth = state.frame.ok_or("an unknown frame")?,
        (Mnemonic::Lea, RSP, _) if instruction.memory_index() == Register::None => {
            state.depth = address(base).ok_or("an unknown frame")?;
        }
        (Mnemonic::Lea, RBP, _) if base.is_some() && instruction.memory_index() == Register::None => {
            state.frame = address(base);
        }
        (Mnemonic::Lea, R11, _) if instruction.memory_base() == RSP => {
            state.scratch = address(base).map(|depth| (SCRATCH, depth));
        }
        (Mnemonic::Mov, R11, RSP) => state.scratch = Some((SCRATCH, state.depth)),
        (Mnemonic::Sub, R11, _) if has_immediate => {
            state.scratch = state.scratch.map(|(_, depth)| (SCRATCH, depth + small()));
        }
        (Mnemonic::Cmp, RSP, R11) => state.compared = true,
        _ => {
            for used in InstructionInfoFactory::new().info(instruction).used_registers() {
                let is_written = !matches!(
                    used.access(),
                    iced_x86::OpAccess::None | iced_x86::OpAccess::Read | iced_x86::OpAccess::CondRead
                ) && instruction.code() != Code::Nopd;
                match used.register().full_register() {
                    RSP if is_written => return Err(format!("{instruction:?} sets the stack pointer")),
                    RBP if is_written => state.frame = None,
                    R11 if is_written => state.scratch = None,
                    _ => {}
                }
            }
        }
    }
    Ok(())
}
