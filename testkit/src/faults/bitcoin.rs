//! Faults in Bitcoin's scripts, in the checks of many inputs, and in a node's folder.

use super::edit::{call, condition, literal, operation, value};
use super::{Fault, Test, fault, integration, unit};

const fn bitcoin(filter: &'static str) -> Test {
    integration("phalanx-bitcoin", "bitcoin", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("false-claims", "an input whose signature does not hold stays valid")
        .of("crates/bitcoin/src/answer.rs", "answer", bitcoin("taproot::key_paths"))
        .edit(operation("=").becomes("answers[*place] = true")),
    fault("claims-of-multisig", "too few signatures are enough for CHECKMULTISIG")
        .of("crates/bitcoin/src/settle.rs", "Open::learn", bitcoin("multisig::signatures_hold"))
        .edit(condition().nth(1).becomes("true")),
    fault("checks-in-vain", "false signatures in CHECKMULTISIG take ten times the checks of consensus")
        .of("crates/bitcoin/src/settle.rs", "Open::learn", bitcoin("multisig::few_checks"))
        .edit(value("pairs").nth(2).becomes("64")),
    fault("checks-of-a-script", "the checks of a script are told in the order of the rounds")
        .of("crates/bitcoin/src/settle.rs", "settle", bitcoin("multisig::random_scripts"))
        .edit(call("sort_by_key").becomes("all.sort_by_key(|answered| answered.owner)")),
    fault("unreadable-signatures", "CHECKMULTISIG holds though one of its signatures is empty")
        .of("crates/bitcoin/src/check.rs", "MultisigClaim::can_hold", bitcoin("multisig::signatures_that_cannot"))
        .edit(operation("==").becomes("true")),
    fault("superfluous-element", "CHECKMULTISIG checks signatures though the superfluous element is missing")
        .of(
            "crates/bitcoin/src/interpreter/signatures.rs",
            "Run::check_multisig",
            bitcoin("multisig::without_the_superfluous"),
        )
        .edit(literal("3").becomes("2")),
    fault("nested-taproot", "a chain split: Taproot's rules in a script of a hash")
        .of("crates/bitcoin/src/spend.rs", "run_witness", bitcoin("spends::programs"))
        .edit(condition().nth(3).becomes("true")),
    fault("digests-by-type", "digests of a large transaction are mixed up if sighash types differ")
        .of("crates/bitcoin/src/judge.rs", "Judge::legacy_digest", bitcoin("hostile::digests"))
        .edit(call("sha256").becomes("sha256(code)")),
    fault("hashes-in-vain", "a large transaction is hashed for signatures that consensus never tries")
        .of(
            "crates/bitcoin/src/interpreter/signatures.rs",
            "Run::match_signatures",
            unit("phalanx-bitcoin", "a_large_transaction_is_hashed"),
        )
        .edit(call("has_expensive_digests").becomes("false")),
    fault("second-run", "where an answer was taken for true that is not, the first run decides")
        .of("crates/bitcoin/src/verifier.rs", "Verifier::settle_group", bitcoin("taproot::commitments"))
        .edit(condition().nth(2).becomes("true")),
    fault("weight-of-signatures", "signatures in tapscript cost nothing")
        .of("crates/bitcoin/src/interpreter/signatures.rs", "check_in_tapscript", bitcoin("taproot::rules"))
        .edit(condition().nth(2).becomes("false")),
    fault("nested-conditions", "what stands in a false condition is executed")
        .of(
            "crates/bitcoin/src/interpreter/conditions.rs",
            "Conditions::begin",
            unit("phalanx-bitcoin", "conditions::tests"),
        )
        .edit(condition().becomes("false")),
    fault("signature-operations", "a block of a million signatures is judged")
        .of("crates/bitcoin/src/limits.rs", "check_block", bitcoin("hostile::a_million"))
        .edit(condition().nth(7).becomes("false")),
    fault("mutated-witnesses", "an input with another witness than its block's makes the block invalid")
        .of("crates/bitcoin/src/verifier.rs", "Verifier::verify_block", bitcoin("commitments::an_input"))
        .edit(condition().becomes("false")),
    fault("records-of-others", "what another block spends is taken for what this one spends")
        .of("crates/bitcoin/src/folder/undo_index.rs", "Matching::add", bitcoin("folders::the_chain_with"))
        .edit(operation("==").nth(2).becomes("true")),
    fault("work", "blocks that prove nothing make the best chain")
        .of("crates/bitcoin/src/work.rs", "proved", bitcoin("folders::damage"))
        .edit(operation("<=").nth(1).becomes("true")),
    fault("stale-branches", "a shorter branch that came first is verified")
        .of("crates/bitcoin/src/folder/chain.rs", "Links::best_chain", bitcoin("folders::the_chain_with"))
        .edit(value("sum").nth(2).becomes("self.links[link].work")),
];
