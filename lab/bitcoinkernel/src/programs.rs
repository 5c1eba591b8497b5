//! Outputs of every witness version, length and wrapping, under each set of the rules that they meet. They are spent by
//! witnesses that need no signature. Both give each input the same verdict.

use crate::{
    Failure,
    cases::{Case, Found},
    kernel,
    scripts::{OP_1, TAPSCRIPT, committed, push, script_hash},
    spending::{Spending, SpendingInput},
};
use phalanx::{Bulk, hash::sha256};
use phalanx_bitcoin::{Flags, Output, Verifier};

const OP_PUSHDATA1: u8 = 0x4c;
/// What stands for the version: OP_0 and OP_1 to OP_16, and beside them OP_1NEGATE, OP_RESERVED and OP_NOP.
const VERSIONS: [u8; 20] = [
    0x00, 0x4f, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x5b, 0x5c, 0x5d, 0x5e, 0x5f, 0x60,
    0x61,
];
/// The longest program has 40 bytes.
const MOST_BYTES: usize = 43;
/// Pay-to-anchor.
const ANCHOR: [u8; 2] = [0x4e, 0x73];

/// Where a program stands.
#[derive(Clone, Copy, Debug)]
enum Wrapping {
    Output,
    ScriptHash,
    /// The script of the input pushes more.
    ScriptHashAndMore,
    WitnessScript,
    NestedWitnessScript,
    Tapscript,
}

const WRAPPINGS: [Wrapping; 6] = [
    Wrapping::Output,
    Wrapping::ScriptHash,
    Wrapping::ScriptHashAndMore,
    Wrapping::WitnessScript,
    Wrapping::NestedWitnessScript,
    Wrapping::Tapscript,
];

impl Wrapping {
    /// A transaction that spends a program with this witness.
    fn spending(self, program: &[u8], witness: &[Vec<u8>]) -> Spending {
        let hashed = [&[0, 32][..], &sha256(program)].concat();
        let (spent, script, behind) = match self {
            Self::Output => (program.to_vec(), vec![], vec![]),
            Self::ScriptHash => (script_hash(program), push(program), vec![]),
            Self::ScriptHashAndMore => (script_hash(program), [&[OP_1][..], &push(program)].concat(), vec![]),
            Self::WitnessScript => (hashed, vec![], vec![program.to_vec()]),
            Self::NestedWitnessScript => (script_hash(&hashed), push(&hashed), vec![program.to_vec()]),
            Self::Tapscript => {
                let (key, control) = committed(program, TAPSCRIPT, &[]);
                ([&[OP_1, 32][..], &key].concat(), vec![], vec![program.to_vec(), control])
            }
        };
        let mut input = SpendingInput::of([7; 32], 0);
        (input.script, input.witness) = (script, [witness, &behind].concat());
        let output = |script: Vec<u8>| Output { value: 1, script: script.into() };
        Spending {
            version: 2,
            inputs: vec![input],
            outputs: vec![output(vec![OP_1])],
            lock_time: 0,
            spent: vec![output(spent)],
        }
    }
}

/// Scripts that begin with an opcode for a version and push `length` bytes: any, the hash of a script, or an anchor, by
/// an opcode or with a length byte of their own, and with nothing or something behind them.
fn programs(version: u8, length: usize) -> Vec<Vec<u8>> {
    let mut values = vec![vec![7; length], vec![0; length]];
    match length {
        2 => values.push(ANCHOR.to_vec()),
        32 => values.push(sha256(&[OP_1]).to_vec()),
        _ => {}
    }
    let forms = |value: Vec<u8>| {
        let plain = [&[version][..], &push(&value)].concat();
        let longer = [&[version, OP_PUSHDATA1, length as u8][..], &value].concat();
        let more = [&plain[..], &[OP_1]].concat();
        [plain, longer, more]
    };
    values.into_iter().flat_map(forms).collect()
}

/// Witnesses: none, values, and the script that some programs are the hash of.
fn witnesses() -> [Vec<Vec<u8>>; 6] {
    [vec![], vec![vec![]], vec![vec![1]], vec![vec![7; 64]], vec![vec![1], vec![2; 33]], vec![vec![OP_1]]]
}

/// Compares all of them.
pub(crate) fn command() -> Result<(), Failure> {
    let bulk = Bulk::builder().threads(1).build().map_err(|error| Failure::NotThere(error.to_string()))?;
    let verifier = Verifier::new(&bulk);
    let witness = Flags::P2SH | Flags::WITNESS;
    let sets = [Flags::NONE, Flags::P2SH, witness, witness | Flags::TAPROOT, kernel::today()];
    let (mut outputs, mut counts) = (0_u64, [0; 2]);
    for (version, length) in
        VERSIONS.into_iter().flat_map(|version| (0..=MOST_BYTES).map(move |length| (version, length)))
    {
        for (program, wrapping) in
            programs(version, length).iter().flat_map(|program| WRAPPINGS.map(|wrapping| (program, wrapping)))
        {
            outputs += 1;
            for (witness, flags) in witnesses().iter().flat_map(|witness| sets.map(|flags| (witness, flags))) {
                let spending = wrapping.spending(program, witness);
                let case = Case { bytes: spending.encoded(), spent: spending.spent, flags };
                let different = |reason| {
                    Failure::Different(format!(
                        "version opcode {version}, {length} bytes, {wrapping:?}: {reason}\n{case}"
                    ))
                };
                match case.compare(&verifier).map_err(different)? {
                    Found::Judged { valid, invalid, .. } => counts = [counts[0] + valid, counts[1] + invalid],
                    Found::Refused => return Err(different("no verdict".into())),
                }
            }
        }
    }
    let [valid, invalid] = counts;
    println!("{outputs} outputs: {valid} inputs valid and {invalid} not");
    if valid == 0 || invalid == 0 {
        return Err(Failure::NotThere("all verdicts are the same".into()));
    }
    Ok(())
}
