//! A chain of regtest: coins of every kind that are spent once they may be.

use crate::{
    encoding::{double_sha256, put_size},
    outputs::OutputKind,
    scripts::{OP_1, push},
    spending::{Spending, SpendingInput},
};
use phalanx_bitcoin::{Output, Verifier};

/// The easiest target.
const BITS: u32 = 0x207f_ffff;
/// What a block creates before the first halving.
const REWARD: u64 = 5_000_000_000;

/// An output that nothing has spent.
#[derive(Clone, Copy)]
pub(crate) struct Coin {
    txid: [u8; 32],
    index: u32,
    value: u64,
    kind: OutputKind,
}

/// A block.
#[derive(Clone)]
pub(crate) struct MinedBlock {
    pub(crate) height: u32,
    pub(crate) hash: [u8; 32],
    pub(crate) bytes: Vec<u8>,
    /// What the first transaction pays.
    pub(crate) reward: Vec<Coin>,
}

/// A transaction that spends some coins, and creates a coin of each of these kinds. `number` varies its signatures.
pub(crate) fn payment(
    coins: &[Coin],
    kinds: &[OutputKind],
    number: usize,
    verifier: &Verifier,
) -> (Spending, Vec<Coin>) {
    let share = coins.iter().map(|coin| coin.value).sum::<u64>() / kinds.len() as u64 - 1000;
    let mut spending = Spending {
        version: 2,
        inputs: coins.iter().map(|coin| SpendingInput::of(coin.txid, coin.index)).collect(),
        outputs: kinds.iter().map(|kind| kind.output(share)).collect(),
        lock_time: 0,
        spent: coins.iter().map(|coin| coin.kind.output(coin.value)).collect(),
    };
    for (input, coin) in coins.iter().enumerate() {
        coin.kind.spend(&mut spending, input, number + input, verifier);
    }
    let coins = created(&spending, kinds);
    (spending, coins)
}

fn created(spending: &Spending, kinds: &[OutputKind]) -> Vec<Coin> {
    let txid = spending.txid();
    let coin = |(index, (output, kind)): (usize, (&Output<'_>, &OutputKind))| Coin {
        txid,
        index: index as u32,
        value: output.value,
        kind: *kind,
    };
    spending.outputs.iter().zip(kinds).enumerate().map(coin).collect()
}

/// The block of a height behind another, with a reward of these kinds and some transactions. `salt` makes blocks that
/// differ.
pub(crate) fn block(
    height: u32,
    previous: [u8; 32],
    salt: u8,
    kinds: &[OutputKind],
    transactions: &[Spending],
) -> MinedBlock {
    let share = REWARD / kinds.len() as u64;
    let number = height.to_le_bytes();
    let named = match height {
        1..=16 => vec![OP_1 - 1 + height as u8],
        17..=127 => push(&number[..1]),
        _ => push(&number[..2]),
    };
    let mut coinbase = Spending {
        version: 2,
        inputs: vec![SpendingInput::of([0; 32], u32::MAX)],
        outputs: kinds.iter().map(|kind| kind.output(share)).collect(),
        lock_time: 0,
        spent: vec![],
    };
    coinbase.inputs[0].script = [named, push(&[salt])].concat();
    if !transactions.is_empty() {
        // BIP-141: the ids with witnesses, where that of the first transaction counts as zero, and a value of its
        // witness.
        let ids = transactions.iter().map(|spending| double_sha256(&spending.encoded()));
        let root = merkle_root([[0; 32]].into_iter().chain(ids).collect());
        coinbase.inputs[0].witness = vec![vec![0; 32]];
        let commitment = double_sha256(&[root, [0; 32]].concat());
        let script = [&[0x6a, 36, 0xaa, 0x21, 0xa9, 0xed][..], &commitment].concat();
        coinbase.outputs.push(Output { value: 0, script: script.into() });
    }
    let reward = created(&coinbase, kinds);
    let all: Vec<&Spending> = [&coinbase].into_iter().chain(transactions).collect();
    let root = merkle_root(all.iter().map(|spending| spending.txid()).collect());
    let time = 1_700_000_000 + 600 * height;
    let mut bytes = [&0x2000_0000_u32.to_le_bytes()[..], &[0; 32], &root, &time.to_le_bytes(), &[0; 8]].concat();
    put_size(all.len(), &mut bytes);
    all.iter().for_each(|spending| bytes.extend(spending.encoded()));
    let bytes = with_work(&bytes, previous);
    MinedBlock { height, hash: double_sha256(&bytes[..80]), bytes, reward }
}

/// The block behind another one, with proof of work.
pub(crate) fn with_work(block: &[u8], previous: [u8; 32]) -> Vec<u8> {
    let mut bytes = block.to_vec();
    bytes[4..36].copy_from_slice(&previous);
    bytes[72..76].copy_from_slice(&BITS.to_le_bytes());
    for nonce in 0_u32.. {
        bytes[76..80].copy_from_slice(&nonce.to_le_bytes());
        // One in two proves it.
        if double_sha256(&bytes[..80])[31] < 0x7f {
            break;
        }
    }
    bytes
}

fn merkle_root(mut nodes: Vec<[u8; 32]>) -> [u8; 32] {
    while nodes.len() > 1 {
        nodes = nodes.chunks(2).map(|pair| double_sha256(&[pair[0], pair[pair.len() - 1]].concat())).collect();
    }
    nodes[0]
}
