//! How much stack a function may need, with all that it calls: by following every instruction of the image.
//!
//! What cannot be followed is refused: recursion, an address that is computed, a stack pointer that is set to something
//! unknown, an access below the stack pointer. An indirect call is followed to every function whose address the code
//! takes; the link step says which these are, and they may only be the functions that copy and fill memory.

use crate::{
    image::{Function, Image},
    relocate::Architecture,
    stack_amd64, stack_arm64,
};
use std::collections::{BTreeMap, HashMap};

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

/// Functions that may be called by a register.
const MAY_BE_TAKEN: [&str; 4] = ["memcpy", "memset", "memmove", "memcmp"];

/// The stack that functions of an image need.
pub(crate) struct Bounds<'a> {
    image: &'a Image,
    step: Step,
    /// What a call puts on the stack.
    call: i64,
    taken: Vec<u64>,
    known: HashMap<u64, i64>,
    open: Vec<u64>,
}

impl<'a> Bounds<'a> {
    pub(crate) fn new(image: &'a Image, architecture: Architecture) -> Result<Self, String> {
        let mut taken: Vec<u64> = image.taken.iter().copied().collect();
        taken.sort_unstable();
        for address in &taken {
            let name = image.function(*address).map_or("?", |function| &function.name);
            if !MAY_BE_TAKEN.contains(&name) {
                return Err(format!("the address of {name} is taken"));
            }
        }
        let (step, call): (Step, i64) = match architecture {
            Architecture::Amd64 => (stack_amd64::step, 8),
            Architecture::Arm64 => (stack_arm64::step, 0),
        };
        Ok(Bounds { image, step, call, taken, known: HashMap::new(), open: Vec::new() })
    }

    /// The bytes that the function at this address and all that it calls put on the stack at most.
    pub(crate) fn of(&mut self, start: u64) -> Result<i64, String> {
        if let Some(known) = self.known.get(&start) {
            return Ok(*known);
        }
        let function = self.image.function(start).ok_or_else(|| format!("{start:#x} is no function"))?.clone();
        if self.open.contains(&start) {
            return Err(format!("{} calls itself", function.name));
        }
        self.open.push(start);
        let bound = self.follow(&function).map_err(|error| format!("{}: {error}", function.name))?;
        self.open.pop();
        self.known.insert(start, bound);
        Ok(bound)
    }

    /// What each function needs that has been asked for so far, largest first.
    pub(crate) fn known(&self) -> Vec<(i64, &str)> {
        let name = |start: &u64| self.image.function(*start).map_or("?", |function| &function.name[..]);
        let mut known: Vec<_> = self.known.iter().map(|(start, bound)| (*bound, name(start))).collect();
        known.sort_unstable_by(|a, b| b.cmp(a));
        known
    }

    fn follow(&mut self, function: &Function) -> Result<i64, String> {
        let mut seen: BTreeMap<u64, State> = BTreeMap::new();
        let mut open = vec![(function.start, State::default())];
        let mut most = 0;
        while let Some((address, state)) = open.pop() {
            if let Some(other) = seen.get(&address) {
                if other.depth != state.depth {
                    return Err(format!("{address:#x} is reached with {} and {} bytes", other.depth, state.depth));
                }
                continue;
            }
            seen.insert(address, state);
            let mut after = state;
            let (length, next) = (self.step)(&self.image.bytes, address, &mut after)
                .map_err(|error| format!("{address:#x}: {error}"))?;
            most = most.max(after.depth).max(state.depth);
            if after.depth < 0 {
                return Err(format!("{address:#x}: more is taken from the stack than was put there"));
            }
            let inside = |to: u64| (function.start..function.end).contains(&to);
            match next {
                Next::Falls => open.push((address + length, after)),
                Next::Jumps { to, falls } => {
                    if inside(to) {
                        open.push((to, after));
                    } else if after.depth == 0 {
                        most = most.max(self.of(to)?);
                    } else {
                        return Err(format!("{address:#x}: a jump out of the function"));
                    }
                    if falls {
                        open.push((address + length, after));
                    }
                }
                Next::Calls(target) => {
                    let targets = target.map_or_else(|| self.taken.clone(), |target| vec![target]);
                    if targets.is_empty() {
                        return Err(format!("{address:#x}: an indirect call"));
                    }
                    for target in targets {
                        most = most.max(after.depth + self.call + self.of(target)?);
                    }

                    if inside(address + length) {
                        open.push((address + length, after));
                    }
                }
                Next::Returns if after.depth == 0 => {}
                Next::Returns => return Err(format!("{address:#x}: returns with {} bytes", after.depth)),
                Next::Ends => {}
            }
        }
        Ok(most)
    }
}
