//! What the vector roots of a binary multiply and call, read from its disassembly by `objdump`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// What code was compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// Registers of 512 bits that multiply 52 bits.
    Ifma,
    /// Registers of 512 bits that multiply doubles.
    Fma512,
    /// Pairs of 256-bit registers that multiply doubles.
    Fma,
}

impl Words {
    /// What functions are called in the symbol table: instances of those of `phalanx_engine::word`.
    const NAMES: [(&str, Words); 13] = [
        ("vector_root", Words::Ifma),
        ("vector_kernel", Words::Ifma),
        ("fma512_root", Words::Fma512),
        ("fma512_kernel", Words::Fma512),
        ("fma512_call", Words::Fma512),
        ("fma512_product", Words::Fma512),
        ("lanewise512", Words::Fma512),
        ("formula512", Words::Fma512),
        ("fma_root", Words::Fma),
        ("fma_kernel", Words::Fma),
        ("fma_call", Words::Fma),
        ("fma_product", Words::Fma),
        ("lanewise", Words::Fma),
    ];

    /// What a function was compiled for, if it is a root, or a kernel or a product that a root calls.
    pub(crate) fn of(symbol: &str) -> Option<Words> {
        Self::NAMES.iter().find(|(name, _)| symbol.contains(name)).map(|(_, words)| *words)
    }
}

/// Whether it is a root, what a root calls, or the function between the two, which is for any CPU.
pub(crate) fn is_vector_code(symbol: &str) -> bool {
    (symbol.contains("avx") && symbol.contains("between_")) || Words::of(symbol).is_some()
}

/// The machine code of a root, a kernel or a product, as far as the tests look.
#[derive(Debug, Default)]
pub(crate) struct Root {
    /// Multiplications of 52 bits in 512-bit registers.
    pub(crate) multiplications: usize,
    /// The same in narrower registers, in the encoding of AVX-512.
    pub(crate) narrow: usize,
    /// Whether registers of 256 bits are used.
    pub(crate) ymm: bool,
    /// Instructions that need AVX-512 for their registers: of 512 bits, of masks, or the upper sixteen.
    pub(crate) avx512: usize,
    /// Where it calls or jumps out of itself.
    pub(crate) calls: Vec<String>,
}

impl Root {
    /// What it has that code for these words must not have.
    pub(crate) fn faults(&self, words: Words) -> Vec<&'static str> {
        let of = |is: bool, fault| is.then_some(fault);
        let multiplies = self.multiplications + self.narrow > 0;
        let faults = [
            of(words == Words::Ifma && self.narrow > 0, "multiplies in narrow registers"),
            of(words != Words::Ifma && multiplies, "multiplies by instructions of IFMA"),
            of(words == Words::Fma && self.avx512 > 0, "has registers that AVX2 has not"),
        ];
        faults.into_iter().flatten().collect()
    }
}

/// What the tests look for in a binary.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The roots by their symbols.
    pub(crate) roots: BTreeMap<String, Root>,
    /// The kernels and products that roots call.
    pub(crate) called: BTreeMap<String, Root>,
    /// Functions that call an instruction of AVX or AVX-512 instead of having it within: they were compiled without.
    pub(crate) without_vectors: BTreeSet<String>,
    /// Functions with 256-bit registers or wider and, beside them, 128-bit instructions in the legacy encoding.
    pub(crate) mixed: BTreeSet<String>,
    /// Functions that set the floating-point state and, beside that, compute with vectors of doubles: the compiler may
    /// then move the one past the other. And those that compute with doubles in the caller's state.
    pub(crate) unshielded: BTreeSet<String>,
    /// The CPU's SHA instructions.
    pub(crate) hashing: usize,
}

/// Whether `objdump` is there.
pub(crate) fn is_possible() -> bool {
    Command::new("objdump").arg("--version").output().is_ok()
}

/// What is in a binary.
pub(crate) fn look(binary: &Path) -> Found {
    let imports = imports(&objdump(binary, &["-R"]), &objdump(binary, &["-t"]));
    read(&objdump(binary, &["-d", "--no-show-raw-insn"]), &imports)
}

fn objdump(binary: &Path, arguments: &[&str]) -> String {
    let output = Command::new("objdump").args(arguments).arg(binary).output().expect("objdump runs");
    assert!(output.status.success(), "objdump of {}: {}", binary.display(), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("objdump writes text")
}

/// The names of functions by the address, in hexadecimal, from which a call through memory reads where they are.
type Imports = BTreeMap<String, String>;

fn imports(relocations: &str, symbols: &str) -> Imports {
    let bare = |address: &str| address.trim_start_matches('0').to_owned();
    let symbol = |line: &str| {
        let mut words = line.split_whitespace();
        Some((bare(words.next()?), words.next_back()?.to_owned()))
    };
    let own: BTreeMap<_, _> = symbols.lines().filter_map(symbol).collect();
    let entry = |line: &str| {
        let mut words = line.split_whitespace();
        let (address, name) = (bare(words.next()?), words.nth(1)?);
        let here = name.strip_prefix("*ABS*+0x").and_then(|address| own.get(&bare(address)));
        Some((address, here.map_or(name, |name| name).to_owned()))
    };
    relocations.lines().filter_map(entry).collect()
}

fn read(text: &str, imports: &Imports) -> Found {
    let mut found = Found::default();
    let mut current = Reader::default();
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(">:").and_then(|line| line.split_once('<')).map(|(_, name)| name) {
            std::mem::replace(&mut current, Reader { name, ..Reader::default() }).end(&mut found);
        } else {
            current.read(line.split_once(":\t").map_or("", |(_, instruction)| instruction), imports);
        }
    }
    current.end(&mut found);
    found
}

/// Whether the symbol is of a function that stands for an instruction of AVX or AVX-512.
fn is_instruction(symbol: &str) -> bool {
    symbol.contains("core_arch") && (symbol.contains("avx") || symbol.contains("fma"))
}

#[derive(Default)]
struct Reader<'a> {
    name: &'a str,
    root: Root,
    /// The functions whose addresses registers hold.
    registers: Imports,
    /// Whether registers of 256 bits and more are used.
    wide: bool,
    /// Whether some instruction on a register of 128 bits has the legacy encoding: all others begin with a `v`.
    legacy: bool,
    /// Whether the floating-point state is set.
    sets_state: bool,
    /// Whether vectors of doubles are added or multiplied.
    doubles: bool,
    hashing: usize,
}

impl Reader<'_> {
    fn end(self, found: &mut Found) {
        if !is_instruction(self.name) && self.root.calls.iter().any(|call| is_instruction(call)) {
            found.without_vectors.insert(self.name.to_owned());
        }
        found.hashing += self.hashing;
        if self.wide && self.legacy {
            found.mixed.insert(self.name.to_owned());
        }
        if (self.sets_state || self.name.contains("_root_of_integers")) && self.doubles {
            found.unshielded.insert(self.name.to_owned());
        }
        if Words::of(self.name).is_some() {
            let into = if self.name.contains("_root") { &mut found.roots } else { &mut found.called };
            into.insert(self.name.to_owned(), self.root);
        }
    }

    fn read(&mut self, instruction: &str, imports: &Imports) {
        // Behind the sign is the address that an operand relative to the instruction has.
        let (code, place) = instruction.split_once("# ").unwrap_or((instruction, ""));
        let import = place.split_whitespace().next().and_then(|address| imports.get(address));
        self.wide |= code.contains("%ymm") || code.contains("%zmm");
        self.legacy |= code.contains("%xmm") && !code.starts_with('v');
        self.sets_state |= code.contains("ldmxcsr");
        let name = code.split_whitespace().next().unwrap_or_default();
        let computes = ["vadd", "vsub", "vmul", "vfm", "vfnm"].iter().any(|start| name.starts_with(start));
        self.doubles |= computes && name.ends_with("pd");
        self.hashing += usize::from(code.starts_with("sha256"));
        self.root.ymm |= code.contains("%ymm");
        let upper = (16..32).any(|number| code.contains(&format!("mm{number}")));
        self.root.avx512 += usize::from(upper || ["%zmm", "%k"].iter().any(|register| code.contains(register)));
        let operand = code.trim_end().rsplit([',', ' ']).next().unwrap_or_default();
        if code.starts_with("vpmadd52") {
            let count = if code.contains("%zmm") { &mut self.root.multiplications } else { &mut self.root.narrow };
            *count += 1;
        } else if code.starts_with("call") {
            let held = operand.strip_prefix('*').and_then(|register| self.registers.get(register));
            self.root.calls.push(import.or(held).cloned().unwrap_or_else(|| instruction.to_owned()));
        } else if code.starts_with("jmp") {
            // A jump to another function is a call in the last place; one through a register may be a table of this
            // one.
            let leaves = code.contains('<') && !code.contains(&format!("<{}+", self.name));
            self.root.calls.extend(import.cloned().or(leaves.then(|| instruction.to_owned())));
        } else if operand.starts_with('%') {
            self.registers.remove(operand);
            if let (true, Some(import)) = (code.starts_with("mov "), import) {
                self.registers.insert(operand.to_owned(), import.clone());
            }
        }
    }
}

/// What the tests look for is found where it is.
#[test]
fn planted_calls_are_seen() {
    let text = "
0000000000001000 <vector_root17h1>:
    1000:\tvpmadd52luq %zmm1,%zmm2,%zmm3
    1006:\tcall   2000 <helper>
    100b:\tcall   *0x10(%rip)        # 3000 <_DYNAMIC+0x8>
    1011:\tjmp    1000 <vector_root17h1+0x6>
    1013:\tmov    0x10(%rip),%r12        # 3008 <_DYNAMIC+0x10>
    1014:\tcall   *%r12
    1015:\tpop    %r12
    1016:\tcall   *%r12
    1017:\tjmp    *0x10(%rip)        # 3000 <_DYNAMIC+0x8>
    1018:\tjmp    2000 <helper>

0000000000002000 <helper>:
    2000:\tvpmadd52luq %ymm1,%ymm2,%ymm3

0000000000002100 <vector_root17h2>:
    2100:\tvpmadd52luq %ymm1,%ymm2,%ymm3

0000000000002110 <fma_root17h3>:
    211c:\tvmovdqu64 (%rdi),%zmm3
    2122:\tvpaddq %ymm1,%ymm2,%ymm17
    2128:\tvpcmpeqq %ymm1,%ymm2,%k1

0000000000002130 <fma_product17h4>:
    2130:\tvpmadd52luq %ymm1,%ymm2,%ymm3

0000000000002180 <sha>:
    2180:\tvmovdqu (%rdi),%ymm1
    2184:\tsha256rnds2 %xmm0,%xmm1,%xmm2

00000000000021c0 <clean>:
    21c0:\tvmovdqu (%rdi),%xmm1
    21c4:\tsha256rnds2 %xmm0,%xmm1,%xmm2

0000000000002200 <outside>:
    2200:\tvldmxcsr 0x10(%rsp)
    2204:\tcall   2220 <inside>
    2208:\tvldmxcsr 0x14(%rsp)

0000000000002220 <inside>:
    2220:\tvfmadd213pd %ymm0,%ymm1,%ymm2

0000000000002240 <both>:
    2240:\tldmxcsr 0x10(%rsp)
    2244:\tvfmadd213pd %ymm0,%ymm1,%ymm2

0000000000002248 <fma_root_of_integers17h5>:
    2248:\tvaddpd %ymm0,%ymm1,%ymm2

0000000000002260 <closure>:
    2260:\tcall   2300 <core_arch::avx512f::_mm512_and_si512>

0000000000002300 <core_arch::avx512f::_mm512_and_si512>:
    2300:\tcall   2300 <core_arch::avx512f::_mm512_undefined>
";
    let relocations = "OFFSET TYPE VALUE\n0000003000 R_X86_64_GLOB_DAT memcpy@GLIBC_2.14\n0000003008 R_X86_64_RELATIVE *ABS*+0x2000\n";
    let symbols = "0000000000002000 l     F .text  0000000000000010 helper\n";
    let Found { roots, called, without_vectors, mixed, unshielded, hashing } =
        read(text, &imports(relocations, symbols));
    assert_eq!((mixed, hashing), (BTreeSet::from(["sha".to_owned()]), 2));
    assert_eq!(without_vectors, BTreeSet::from(["closure".to_owned()]));
    assert_eq!(unshielded, BTreeSet::from(["both".to_owned(), "fma_root_of_integers17h5".to_owned()]));
    let Root { multiplications, narrow, calls, .. } = &roots["vector_root17h1"];
    assert_eq!((roots.len(), called.len(), *multiplications, *narrow), (4, 1, 1, 0));
    assert_eq!(roots["vector_root17h2"].faults(Words::Ifma).len(), 1);
    assert_eq!((roots["fma_root17h3"].faults(Words::Fma).len(), roots["fma_root17h3"].avx512), (1, 3));
    let product = &called["fma_product17h4"];
    assert_eq!((product.narrow, product.avx512, product.ymm), (1, 0, true));
    assert_eq!([Words::Fma, Words::Ifma].map(|of| product.faults(of).len()), [1, 1]);
    let memory = "memcpy@GLIBC_2.14";
    assert_eq!(calls, &["call   2000 <helper>", memory, "helper", "call   *%r12", memory, "jmp    2000 <helper>"]);
    assert_eq!(roots["vector_root17h2"].narrow, 1);
}
