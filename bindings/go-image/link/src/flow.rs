//! What an instruction does to the stack, and what comes after it, in the terms of both architectures.

/// Where the stack is at an instruction, counted in bytes from where it was when the function began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct State {
    /// The stack pointer.
    pub(crate) depth: i64,
    /// What the frame pointer holds, if it is the stack pointer of another moment.
    pub(crate) frame: Option<i64>,
    /// The same of another register, with its number.
    pub(crate) scratch: Option<(u32, i64)>,
    /// Whether the flags compare the stack pointer with `scratch`.
    pub(crate) compared: bool,
}

/// What an instruction does next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Next {
    /// The instruction after it.
    Falls,
    /// Another one; perhaps also the one after it.
    Jumps { to: u64, falls: bool },
    /// A function, by its address or by a register, and then the instruction after it.
    Calls(Option<u64>),
    /// Nothing here: the caller.
    Returns,
    /// Nothing: the program ends.
    Ends,
}

/// Decodes an instruction of the image, changes the state as it does, and answers its length and what is next.
pub(crate) type Step = fn(&[u8], u64, &mut State) -> Result<(u64, Next), String>;
