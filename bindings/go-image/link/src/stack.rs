//! How much stack a function may need, with all that it calls: by following every instruction of the image.
//!
//! What cannot be followed is refused: recursion, an address that is computed, a stack pointer that is set to something
//! unknown, an access below the stack pointer. An indirect call is followed to every function whose address the code
//! takes; the link step says which these are, and they may only be the functions that copy and fill memory.

use crate::{
    flow::{Next, State, Step},
    flow_amd64, flow_arm64,
    image::{Function, Image},
    relocate::Architecture,
};
use std::collections::{BTreeMap, HashMap};

/// Functions that may be called by a register.
const MAY_BE_TAKEN: [&str; 4] = ["memcpy", "memset", "memmove", "memcmp"];

/// The stack that functions of an image need.
pub(crate) struct Bounds<'a> {
    image: &'a Image,
    step: Step,
    /// What a call puts on the stack.
    call: i64,
    taken: Vec<u64>,
    known: HashMap<u64, Known>,
    open: Vec<u64>,
}

/// What is known of a function.
#[derive(Clone, Copy)]
struct Known {
    /// The bytes that it and all that it calls put on the stack at most.
    bytes: i64,
    /// Whether it may return. One that ends the program does not, and compilers put nothing behind a call of it that
    /// belongs there.
    returns: bool,
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
            Architecture::Amd64 => (flow_amd64::step, 8),
            Architecture::Arm64 => (flow_arm64::step, 0),
        };
        Ok(Bounds { image, step, call, taken, known: HashMap::new(), open: Vec::new() })
    }

    /// The bytes that the function at this address and all that it calls put on the stack at most.
    pub(crate) fn of(&mut self, start: u64) -> Result<i64, String> {
        self.about(start).map(|known| known.bytes)
    }

    fn about(&mut self, start: u64) -> Result<Known, String> {
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
        let mut known: Vec<_> = self.known.iter().map(|(start, known)| (known.bytes, name(start))).collect();
        known.sort_unstable_by(|a, b| b.cmp(a));
        known
    }

    fn follow(&mut self, function: &Function) -> Result<Known, String> {
        let mut seen: BTreeMap<u64, State> = BTreeMap::new();
        let mut open = vec![(function.start, State::default())];
        let (mut most, mut returns) = (0, false);
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
                        let other = self.about(to)?;
                        most = most.max(other.bytes);
                        returns |= other.returns;
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
                    let mut goes_on = false;
                    for target in targets {
                        let other = self.about(target)?;
                        most = most.max(after.depth + self.call + other.bytes);
                        goes_on |= other.returns;
                    }
                    if goes_on && inside(address + length) {
                        open.push((address + length, after));
                    }
                }
                Next::Returns if after.depth == 0 => returns = true,
                Next::Returns => return Err(format!("{address:#x}: returns with {} bytes", after.depth)),
                Next::Ends => {}
            }
        }
        Ok(Known { bytes: most, returns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// What functions of these bytes need, each of which begins at a multiple of 16. The first is asked.
    fn bound(architecture: Architecture, functions: &[(&str, &[u8])], taken: &[u64]) -> Result<i64, String> {
        let mut image = Image {
            bytes: Vec::new(),
            code: 0,
            functions: Vec::new(),
            taken: taken.iter().copied().collect::<HashSet<_>>(),
        };
        for (name, bytes) in functions {
            let start = image.bytes.len() as u64;
            image.functions.push(Function { start, end: start + bytes.len() as u64, name: (*name).to_owned() });
            image.bytes.extend_from_slice(bytes);
            image.bytes.resize(image.bytes.len().next_multiple_of(16), 0xcc);
        }
        Bounds::new(&image, architecture)?.of(0)
    }

    fn amd64(functions: &[(&str, &[u8])]) -> Result<i64, String> {
        bound(Architecture::Amd64, functions, &[])
    }

    fn arm64(functions: &[(&str, &[u32])]) -> Result<i64, String> {
        let bytes: Vec<(&str, Vec<u8>)> = functions
            .iter()
            .map(|(name, words)| (*name, words.iter().flat_map(|word| word.to_le_bytes()).collect()))
            .collect();
        let functions: Vec<(&str, &[u8])> = bytes.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
        bound(Architecture::Arm64, &functions, &[])
    }

    /// `sub rsp, 24; call f; add rsp, 24; ret`, where f begins 16 bytes later.
    const CALLER: &[u8] = &[0x48, 0x83, 0xec, 24, 0xe8, 7, 0, 0, 0, 0x48, 0x83, 0xc4, 24, 0xc3];
    /// `push rbx; pop rbx; ret`
    const LEAF: &[u8] = &[0x53, 0x5b, 0xc3];

    #[test]
    fn frames_add_up_along_calls() {
        assert_eq!(amd64(&[("caller", CALLER), ("leaf", LEAF)]), Ok(24 + 8 + 8));
        // push rbp; mov rbp, rsp; and rsp, -64; lea rsp, [rbp]; pop rbp; ret
        let aligned = [0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xe4, 0xc0, 0x48, 0x8d, 0x65, 0, 0x5d, 0xc3];
        assert_eq!(amd64(&[("aligned", &aligned)]), Ok(8 + 63));
        // stp x29, x30, [sp, #-32]!; sub sp, sp, #64; bl +16; add sp, sp, #64; ldp x29, x30, [sp], #32; ret
        let caller = [0xa9be_7bfd, 0xd101_03ff, 0x9400_0006, 0x9101_03ff, 0xa8c2_7bfd, 0xd65f_03c0];
        // str x19, [sp, #-16]!; ldr x19, [sp], #16; ret
        let leaf = [0xf81f_0ff3, 0xf841_07f3, 0xd65f_03c0];
        assert_eq!(arm64(&[("caller", &caller), ("leaf", &leaf)]), Ok(32 + 64 + 16));
    }

    #[test]
    fn nothing_follows_a_call_that_does_not_return() {
        // call f; pop rbx; ret: what stands behind the call is reached by nobody. f: push rbx; ud2
        let caller = [0xe8, 11, 0, 0, 0, 0x5b, 0xc3];
        assert_eq!(amd64(&[("caller", &caller), ("f", &[0x53, 0x0f, 0x0b])]), Ok(8 + 8));
        // The same with an f that returns.
        assert!(amd64(&[("caller", &caller), ("f", LEAF)]).is_err());
    }

    #[test]
    fn what_cannot_be_followed_is_refused() {
        let refused: [(&str, &[u8]); 8] = [
            // call itself
            ("calls itself", &[0xe8, 0xfb, 0xff, 0xff, 0xff, 0xc3]),
            // call rax
            ("an indirect call", &[0xff, 0xd0, 0xc3]),
            // jmp rax
            ("IndirectBranch", &[0xff, 0xe0]),
            // mov rsp, rax
            ("sets the stack pointer", &[0x48, 0x89, 0xc4, 0xc3]),
            // mov rsp, rbp, which nobody set
            ("an unknown frame", &[0x48, 0x89, 0xec, 0xc3]),
            // mov [rsp - 8], rax
            ("below the stack", &[0x48, 0x89, 0x44, 0x24, 0xf8, 0xc3]),
            // push rax; ret
            ("returns with 8 bytes", &[0x50, 0xc3]),
            // test eax, eax; je over push; push rax; pop rbx reached with and without
            ("is reached with", &[0x85, 0xc0, 0x74, 1, 0x50, 0x5b, 0xc3]),
        ];
        for (reason, bytes) in refused {
            let found = amd64(&[("f", bytes)]).expect_err(reason);
            assert!(found.contains(reason), "{found}, not {reason}");
        }
        for (reason, words) in [
            ("calls itself", &[0x9400_0000, 0xd65f_03c0][..]),
            ("an indirect call", &[0xd63f_0100, 0xd65f_03c0]),
            ("an indirect jump", &[0xd61f_0100]),
            ("an unknown frame", &[0x9100_011f, 0xd65f_03c0]),
            ("returns with 16 bytes", &[0xd100_43ff, 0xd65f_03c0]),
        ] {
            let found = arm64(&[("f", words)]).expect_err(reason);
            assert!(found.contains(reason), "{found}, not {reason}");
        }
    }

    #[test]
    fn only_functions_of_memory_are_called_by_register() {
        let indirect = [0xff, 0xd0, 0xc3];
        let functions = |name: &'static str| [("f", &indirect[..]), (name, LEAF)];
        assert_eq!(bound(Architecture::Amd64, &functions("memcpy"), &[16]), Ok(8 + 8));
        assert!(bound(Architecture::Amd64, &functions("other"), &[16]).is_err());
    }
}
