//! Outputs of every common kind, and inputs that spend them.

use crate::{
    scripts::{OP_1, TAPSCRIPT, committed, hash160, push, script_hash},
    signed::asked,
    spending::{Spending, SpendingInput},
};
use phalanx::{Keypair, SecretKey, ecdsa, hash::sha256, schnorr};
use phalanx_bitcoin::{Output, Verifier};

const OP_CHECKSIG: u8 = 0xac;
const OP_CHECKMULTISIG: u8 = 0xae;
const OP_CHECKSIGADD: u8 = 0xba;
const OP_NUMEQUAL: u8 = 0x9c;

/// What an output asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputKind {
    /// A signature under a compressed key.
    Key,
    /// A signature under an uncompressed key.
    LongKey,
    /// A key of a hash.
    KeyHash,
    /// Two signatures under three keys.
    Multisig,
    /// The same, in a script of a hash.
    ScriptHash,
    /// A key of a hash, by a witness.
    WitnessKeyHash,
    /// The same, in a script of a hash.
    NestedKeyHash,
    /// Two signatures under three keys, in a script of a hash, by a witness.
    WitnessScript,
    /// A signature under Taproot's output key.
    OutputKey,
    /// Two signatures in a tapscript.
    Tapscript,
}

/// Who signs where two of three do: none, one or the last key is passed over.
const SIGNERS: [[u8; 2]; 3] = [[2, 3], [1, 3], [1, 2]];
/// For signatures before Taproot: all, none and one output; with this input alone.
const HASH_TYPES: [u8; 6] = [1, 2, 3, 0x81, 0x82, 0x83];

fn secret(seed: u8) -> SecretKey {
    SecretKey::from_bytes(&[seed; 32]).expect("in range")
}

fn key(seed: u8) -> [u8; 33] {
    secret(seed).public_key().to_bytes()
}

fn two_of_three() -> Vec<u8> {
    let keys = [1, 2, 3].map(|seed| push(&key(seed))).concat();
    [&[OP_1 + 1], &keys[..], &[OP_1 + 2, OP_CHECKMULTISIG]].concat()
}

fn tapscript() -> Vec<u8> {
    let [first, second] = [1, 2].map(|seed| push(&key(seed)[1..]));
    [&first[..], &[OP_CHECKSIG], &second, &[OP_CHECKSIGADD, OP_1 + 1, OP_NUMEQUAL]].concat()
}

fn key_program() -> Vec<u8> {
    [&[0, 20], &hash160(&key(1))[..]].concat()
}

/// The output key of the tapscript, and the control block, with a hash beside the leaf.
fn commitment() -> ([u8; 32], Vec<u8>) {
    committed(&tapscript(), TAPSCRIPT, &[[1; 32]])
}

impl OutputKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 10] = [
        Self::Key,
        Self::LongKey,
        Self::KeyHash,
        Self::Multisig,
        Self::ScriptHash,
        Self::WitnessKeyHash,
        Self::NestedKeyHash,
        Self::WitnessScript,
        Self::OutputKey,
        Self::Tapscript,
    ];

    /// An output of this kind.
    pub(crate) fn output(self, value: u64) -> Output<'static> {
        let script = match self {
            Self::Key => [&push(&key(1))[..], &[OP_CHECKSIG]].concat(),
            Self::LongKey => [&push(&secret(1).public_key().to_bytes_uncompressed())[..], &[OP_CHECKSIG]].concat(),
            Self::KeyHash => [&[0x76, 0xa9, 20], &hash160(&key(1))[..], &[0x88, OP_CHECKSIG]].concat(),
            Self::Multisig => two_of_three(),
            Self::ScriptHash => script_hash(&two_of_three()),
            Self::WitnessKeyHash => key_program(),
            Self::NestedKeyHash => script_hash(&key_program()),
            Self::WitnessScript => [&[0, 32], &sha256(&two_of_three())[..]].concat(),
            Self::OutputKey => [&[OP_1, 32], &key(1)[1..]].concat(),
            Self::Tapscript => [&[OP_1, 32], &commitment().0[..]].concat(),
        };
        Output { value, script: script.into() }
    }

    fn signers(self, number: usize) -> Vec<u8> {
        match self {
            Self::Multisig | Self::ScriptHash | Self::WitnessScript => SIGNERS[number % SIGNERS.len()].to_vec(),
            Self::Tapscript => vec![1, 2],
            _ => vec![1],
        }
    }

    fn is_taproot(self) -> bool {
        matches!(self, Self::OutputKey | Self::Tapscript)
    }

    /// A signature of a digest, with its hash type.
    fn sign(self, digest: &[u8; 32], signer: u8, hash_type: u8) -> Vec<u8> {
        if self.is_taproot() {
            let pair = Keypair::from_secret(secret(signer));
            let signature = schnorr::sign(digest, &pair, &[0; 32]).to_bytes();
            // The first type is Taproot's default, which is not written.
            [&signature[..], &[hash_type][..usize::from(hash_type != HASH_TYPES[0])]].concat()
        } else {
            [&ecdsa::sign(digest, &secret(signer)).to_der()[..], &[hash_type]].concat()
        }
    }

    fn fill(self, input: &mut SpendingInput, signatures: Vec<Vec<u8>>) {
        let pushed = signatures.iter().flat_map(|signature| push(signature)).collect::<Vec<u8>>();
        let with = |more: Vec<Vec<u8>>| [signatures.clone(), more].concat();
        (input.script, input.witness) = match self {
            Self::Key | Self::LongKey => (pushed, vec![]),
            Self::KeyHash => ([pushed, push(&key(1))].concat(), vec![]),
            Self::Multisig => ([&[0], &pushed[..]].concat(), vec![]),
            Self::ScriptHash => ([&[0], &pushed[..], &push(&two_of_three())].concat(), vec![]),
            Self::WitnessKeyHash => (vec![], with(vec![key(1).to_vec()])),
            Self::NestedKeyHash => (push(&key_program()), with(vec![key(1).to_vec()])),
            Self::WitnessScript => (vec![], [vec![vec![]], with(vec![two_of_three()])].concat()),
            Self::OutputKey => (vec![], signatures),
            Self::Tapscript => {
                // The first signature that is checked is on top.
                let signatures = signatures.iter().rev().cloned().collect();
                (vec![], [signatures, vec![tapscript(), commitment().1]].concat())
            }
        };
    }

    /// Signs an input that spends an output of this kind; the number chooses signers and the hash type. What is signed
    /// is asked of ours.
    pub(crate) fn spend(self, spending: &mut Spending, input: usize, number: usize, verifier: &Verifier) {
        let hash_type = HASH_TYPES[number % HASH_TYPES.len()];
        let signed = |digest: &[u8; 32]| {
            self.signers(number).into_iter().map(|signer| self.sign(digest, signer, hash_type)).collect::<Vec<_>>()
        };
        self.fill(&mut spending.inputs[input], signed(&[1; 32]));
        let digest = asked(spending, input, verifier).expect("the scripts ask for a signature");
        self.fill(&mut spending.inputs[input], signed(&digest));
    }
}
