//! Many inputs at once.
//!
//! 1. Each input's scripts run once, and signatures are taken for true where their encoding allows it.
//! 2. What was taken for true is verified in bulk, the checks of many inputs in one call ([`settle`](crate::settle)).
//! 3. Where all of it holds, the first run was that of consensus, and its result stands, whatever it is. Otherwise the
//!    scripts run again with the answers that are known by now; an answer that lacks is computed alone.
//!
//! A CHECKMULTISIG is taken for true as a whole, unless one of its signatures can hold under no key. Which signatures
//! hold under which keys is found in rounds, so a key that is passed over costs a round and no second run.

use std::collections::HashMap;

use phalanx::{Batch, Bulk};

use crate::block::Block;
use crate::check::{Check, Claim};
use crate::flags::Flags;
use crate::judge::{Hearing, Judge};
use crate::limits::{BlockFault, check_block};
use crate::script_error::ScriptError;
use crate::settle::{most_checks, settle};
use crate::sighash::SpendingTransaction;
use crate::spend::run;
use crate::transaction::{Output, Transaction, TransactionFault};

/// Inputs whose scripts run before their checks are verified. A legacy script has at most 201 operations, so its claims
/// take some 35 KB at most, and the digests of a large transaction 30 KB: all together some 130 MB. Those of a witness
/// take less than four times its bytes.
const INPUTS: usize = 2048;

/// Checks that are verified together, of inputs with more claims than usual. A check takes some 200 bytes: 25 MB.
const CHECKS: usize = 1 << 17;

/// Verifies inputs, with the backend and the threads of a [`Bulk`].
#[derive(Clone, Debug)]
pub struct Verifier {
    batch: Batch,
}

/// A check of an input that consensus comes to, and its answer.
#[derive(Clone, Copy, Debug)]
pub struct CheckRow<'r> {
    /// The number of the transaction in the block.
    pub transaction: usize,
    /// The number of the input in the transaction.
    pub input: usize,
    /// What was asked.
    pub check: &'r Check,
    /// Whether it holds. An input can be valid though a check does not hold: CHECKMULTISIG tries a signature under one
    /// key after another.
    pub holds: bool,
}

/// An input that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidInput {
    /// The number of the transaction in the block.
    pub transaction: usize,
    /// The number of the input in the transaction.
    pub input: usize,
    /// Why.
    pub error: ScriptError,
}

/// What was found of some inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Inputs that spend something.
    pub inputs: u64,
    /// Checks of ECDSA signatures.
    pub ecdsa: u64,
    /// Checks of Schnorr signatures.
    pub schnorr: u64,
    /// Checks of commitments to scripts in Taproot.
    pub commitments: u64,
    /// Checks that were computed with others, and that consensus does not come to. They are in no other number.
    pub speculative: u64,
    /// Inputs whose scripts ran twice.
    pub executed_again: u64,
    /// Inputs that are not valid, in the order of the block.
    pub invalid: Vec<InvalidInput>,
}

/// How the scripts of an input end if all claims are true.
struct Assumed {
    result: Result<(), ScriptError>,
    hearing: Hearing,
}

impl Verifier {
    /// By the means of these bulk operations. Scripts run on their threads, too.
    pub fn new(bulk: &Bulk) -> Verifier {
        Verifier { batch: Batch::with(bulk) }
    }

    /// Verifies every input of a block. `spent` has the outputs that the inputs spend, in the order of the inputs, of
    /// all transactions but the first. `each` gets every check of consensus with its answer: input after input, and as
    /// consensus makes them within each. The proof of work is not checked.
    ///
    /// # Errors
    /// What is wrong with the block as a whole. Where an input is not valid, the witnesses are compared with the block's
    /// commitment to them; if they are others, the block is damaged or mutated, and what `each` got says nothing.
    pub fn verify_block(
        &self,
        block: &Block<'_>,
        spent: &[Output<'_>],
        flags: Flags,
        each: impl FnMut(CheckRow<'_>),
    ) -> Result<Report, BlockFault> {
        let found = check_block(block, spent, flags).map(|()| self.verify_inputs(block, spent, flags, each));
        let in_doubt = match &found {
            Ok(report) => !report.invalid.is_empty(),
            Err(fault) => fault.depends_on_witnesses(),
        };
        // BIP-147 holds from the block on from which SegWit does.
        if in_doubt && !block.commits_to_witnesses(flags.contains(Flags::NULLDUMMY)) {
            return Err(BlockFault::WitnessCommitment);
        }
        found
    }

    /// Verifies every input of a block. `spent` has one output for each of them.
    fn verify_inputs(
        &self,
        block: &Block<'_>,
        spent: &[Output<'_>],
        flags: Flags,
        each: impl FnMut(CheckRow<'_>),
    ) -> Report {
        let mut rest = spent;
        let mut transactions = Vec::with_capacity(block.transactions.len());
        for (number, transaction) in block.transactions.iter().enumerate().skip(1) {
            let (own, others) = rest.split_at(transaction.inputs.len());
            rest = others;
            transactions.push((number, SpendingTransaction::new(transaction, own)));
        }
        self.verify(&transactions, flags, each)
    }

    /// Verifies every input of a transaction that stands alone: it is number 0. `spent` has the outputs that its inputs
    /// spend, in their order.
    ///
    /// # Errors
    /// It breaks a rule of [`Transaction::check`], it is a coinbase, or there are more or fewer outputs than inputs.
    pub fn verify_transaction(
        &self,
        transaction: &Transaction<'_>,
        spent: &[Output<'_>],
        flags: Flags,
        each: impl FnMut(CheckRow<'_>),
    ) -> Result<Report, BlockFault> {
        let spends = if transaction.is_coinbase() { Err(TransactionFault::IsCoinbase) } else { Ok(()) };
        let checked = transaction.check().and(spends);
        checked.map_err(|fault| BlockFault::of_transaction(0, transaction, fault))?;
        if transaction.inputs.len() != spent.len() {
            return Err(BlockFault::SpentOutputs { inputs: transaction.inputs.len(), outputs: spent.len() });
        }
        Ok(self.verify(&[(0, SpendingTransaction::new(transaction, spent))], flags, each))
    }

    fn verify(
        &self,
        transactions: &[(usize, SpendingTransaction<'_, '_>)],
        flags: Flags,
        each: impl FnMut(CheckRow<'_>),
    ) -> Report {
        let of = |place: usize| (0..transactions[place].1.transaction.inputs.len()).map(move |input| (place, input));
        let inputs: Vec<(usize, usize)> = (0..transactions.len()).flat_map(of).collect();
        let report = Report { inputs: inputs.len() as u64, ..Report::default() };
        let mut found = Findings { report, each };
        for inputs in inputs.chunks(INPUTS) {
            let mut assumed: Vec<Option<Assumed>> = inputs.iter().map(|_| None).collect();
            self.batch.bulk().in_chunks(&mut assumed, |range, out, _, _| {
                for ((place, input), out) in inputs[range].iter().zip(out) {
                    *out = Some(assume(&self.batch, &transactions[*place].1, *input, flags));
                }
            });
            let assumed: Vec<Assumed> = assumed.into_iter().flatten().collect();
            assert_eq!(assumed.len(), inputs.len(), "every input has run");
            let mut done = 0;
            while done < inputs.len() {
                let group = done..done + group_length(&assumed[done..]);
                self.settle_group(transactions, &inputs[group.clone()], &assumed[group.clone()], flags, &mut found);
                done = group.end;
            }
        }
        found.report
    }

    /// Settles the claims of some inputs, and runs again those that have a false one.
    fn settle_group(
        &self,
        transactions: &[(usize, SpendingTransaction<'_, '_>)],
        inputs: &[(usize, usize)],
        assumed: &[Assumed],
        flags: Flags,
        found: &mut Findings<impl FnMut(CheckRow<'_>)>,
    ) {
        let claims: Vec<&[Claim]> = assumed.iter().map(|assumed| &assumed.hearing.claims[..]).collect();
        let settled = settle(&self.batch, &claims);
        let mut answered = settled.answered.iter().peekable();
        for (index, (&(place, input), Assumed { result, hearing })) in inputs.iter().zip(assumed).enumerate() {
            let (transaction, spending) = (transactions[place].0, &transactions[place].1);
            let mut own = Vec::new();
            while let Some(answered) = answered.next_if(|answered| answered.owner == index) {
                own.push(answered);
            }
            let (result, asked, speculative) = if settled.holds[index] {
                let tried = own.iter().filter(|answered| answered.tried);
                let asked: Vec<_> = tried.map(|answered| (answered.check, answered.holds)).collect();
                let speculative = own.len() - asked.len();
                (*result, asked, speculative)
            } else {
                let known = own.iter().map(|answered| (answered.check, answered.holds));
                let mut judge = Judge::knowing(&self.batch, known).with_digests(hearing.digests.clone());
                let result = run(spending, input, flags, &mut judge);
                let asked = judge.finish().asked;
                found.report.executed_again += 1;
                let mut came_to: HashMap<&Check, u64> = HashMap::new();
                asked.iter().for_each(|(check, _)| *came_to.entry(check).or_default() += 1);
                let mut in_vain = |check: &Check| match came_to.get_mut(check) {
                    Some(left @ 1..) => {
                        *left -= 1;
                        false
                    }
                    _ => true,
                };
                let speculative = own.iter().map(|answered| &answered.check).filter(|check| in_vain(check)).count();
                (result, asked, speculative)
            };
            found.report.speculative += speculative as u64;
            asked.iter().for_each(|(check, holds)| found.tell(CheckRow { transaction, input, check, holds: *holds }));
            if let Err(error) = result {
                found.report.invalid.push(InvalidInput { transaction, input, error });
            }
        }
    }
}

/// How many of these inputs are settled together: at least one, and no more than keep the bound on checks.
fn group_length(assumed: &[Assumed]) -> usize {
    let mut checks = 0;
    let fits = |assumed: &&Assumed| {
        checks += assumed.hearing.claims.iter().map(most_checks).sum::<usize>();
        checks <= CHECKS
    };
    assumed.iter().take_while(fits).count().max(1)
}

/// What is found, and who is told of each check.
struct Findings<F> {
    report: Report,
    each: F,
}

impl<F: FnMut(CheckRow<'_>)> Findings<F> {
    fn tell(&mut self, row: CheckRow<'_>) {
        self.report.count(row.check);
        (self.each)(row);
    }
}

impl Report {
    fn count(&mut self, check: &Check) {
        *match check {
            Check::Ecdsa { .. } => &mut self.ecdsa,
            Check::Schnorr { .. } => &mut self.schnorr,
            Check::Commitment { .. } => &mut self.commitments,
        } += 1;
    }

    /// Adds what was found of other inputs, but not which are not valid.
    pub fn add_counts(&mut self, other: &Report) {
        self.inputs += other.inputs;
        self.ecdsa += other.ecdsa;
        self.schnorr += other.schnorr;
        self.commitments += other.commitments;
        self.speculative += other.speculative;
        self.executed_again += other.executed_again;
    }
}

/// Runs an input's scripts, taking signatures for true.
fn assume(batch: &Batch, transaction: &SpendingTransaction<'_, '_>, input: usize, flags: Flags) -> Assumed {
    let mut judge = Judge::assuming(batch);
    let result = run(transaction, input, flags, &mut judge);
    Assumed { result, hearing: judge.finish() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::*;
    use crate::script::push;
    use phalanx::{SecretKey, ecdsa};
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    /// A sighash type under which an input without an output of its number signs the number one, whatever the script.
    const SINGLE: u8 = 3;

    /// Signatures, good and bad, and keys.
    fn values() -> Vec<Vec<u8>> {
        let mut one = [0; 32];
        one[0] = 1;
        let secrets = [1, 2, 3].map(|seed| SecretKey::from_bytes(&[seed; 32]).unwrap());
        let signed = |digest| secrets.iter().map(move |secret| ecdsa::sign(digest, secret).to_der().to_vec());
        let signatures = signed(&one).chain(signed(&[7; 32]));
        let mut values: Vec<Vec<u8>> = signatures.map(|der| [&der[..], &[SINGLE]].concat()).collect();
        values.extend(secrets.iter().map(|secret| secret.public_key().to_bytes().to_vec()));
        values.extend([vec![], vec![1], vec![0x30, SINGLE]]);
        values
    }

    /// The places of signatures among the values, of a key in place of one, and of an empty one.
    const SIGNATURES: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 9];

    /// A random script that mostly checks signatures and branches on the results.
    fn script(draw: &mut impl FnMut(usize) -> usize, values: &[Vec<u8>]) -> Vec<u8> {
        let mut script = Vec::new();
        for _ in 0..1 + draw(6) {
            match draw(8) {
                0..3 => {
                    script.extend(push(&values[SIGNATURES[draw(SIGNATURES.len())]]));
                    script.extend(push(&values[6 + draw(3)]));
                    script.push([OP_CHECKSIG, OP_CHECKSIG, OP_CHECKSIGVERIFY][draw(3)]);
                }
                3 | 4 => {
                    let need = draw(3);
                    script.push(OP_0);
                    (0..need).for_each(|_| script.extend(push(&values[SIGNATURES[draw(SIGNATURES.len())]])));
                    script.push(if need == 0 { OP_0 } else { OP_1 + need as u8 - 1 });
                    (0..3).for_each(|_| script.extend(push(&values[6 + draw(3)])));
                    script.extend([OP_1 + 2, OP_CHECKMULTISIG]);
                }
                5 => script.push([OP_NOT, OP_IFDUP, OP_DUP, OP_SIZE][draw(4)]),
                6 => {
                    let count = draw(2);
                    script.extend([OP_IF, OP_1 + count as u8, OP_ELSE]);
                    script.extend(push(&values[draw(values.len())]));
                    script.push(OP_ENDIF);
                }
                _ => script.push([OP_BOOLAND, OP_BOOLOR, OP_SWAP, OP_DROP][draw(4)]),
            }
        }
        script
    }

    #[test]
    fn random_scripts_end_as_if_each_signature_was_verified_where_it_stands() {
        let mut draws = phalanx_tiers::Draws::of_run();
        let mut draw = |bound: usize| draws.below(bound);
        let bytes =
            [&[2, 0, 0, 0, 2][..], &[7; 36], &[0, 1, 0, 0, 0], &[8; 36], &[0, 1, 0, 0, 0], &[1], &[0; 13]].concat();
        let transaction = Transaction::decode(&bytes).unwrap();
        let values = values();
        let verifier = Verifier::new(&Bulk::builder().threads(1).build().unwrap());
        let mut kinds: BTreeMap<(&str, bool), u32> = BTreeMap::new();
        for round in 0..phalanx_tiers::size(2_000, 40_000) {
            let script = script(&mut draw, &values);
            let spent = [&[OP_1][..], &script].map(|script| Output { value: 0, script: Cow::Borrowed(script) });
            let sets = [Flags::NONE, Flags::DERSIG | Flags::NULLDUMMY, Flags::NULLFAIL | Flags::STRICTENC];
            let flags = sets[round % sets.len()];
            let mut rows = Vec::new();
            let each = |row: CheckRow<'_>| rows.push((*row.check, row.holds));
            let report = verifier.verify_transaction(&transaction, &spent, flags, each).unwrap();
            let found = report.invalid.first().map_or(Ok(()), |invalid| Err(invalid.error));

            let spending = SpendingTransaction::new(&transaction, &spent);
            let mut judge = Judge::knowing(&verifier.batch, []);
            let expected = run(&spending, 1, flags, &mut judge);
            assert_eq!(found, expected, "{}", const_hex::encode(&script));
            assert_eq!(rows, judge.finish().asked, "{}", const_hex::encode(&script));
            let name = expected.map_or_else(ScriptError::name, |()| "OK");
            *kinds.entry((name, report.executed_again > 0)).or_default() += 1;
        }
        println!("{kinds:?}");
        for name in ["OK", "EVAL_FALSE", "CHECKSIGVERIFY", "NULLFAIL"] {
            assert!(kinds.keys().any(|(other, again)| *other == name && *again), "{name} in a second run");
        }
        assert!(kinds.get(&("OK", false)).is_some_and(|count| *count > 10));
    }
}
