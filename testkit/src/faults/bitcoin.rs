//! Faults in Bitcoin's scripts, in the checks of many inputs, and in a node's folder.

use super::edit::{condition, operation, value};
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
        .edit(condition().nth(5).becomes("false")),
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
