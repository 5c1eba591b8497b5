//! Faults in senders of Ethereum transactions: rules of forks, what was signed, what a file states.

use super::edit::{call, condition, literal, operation, value};
use super::{Fault, Test, fault, integration};

const fn of_library(filter: &'static str) -> Test {
    integration("phalanx-ethereum", "transactions", filter)
}

const fn of_command(filter: &'static str) -> Test {
    integration("phalanx-cli", "command", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("high-s-by-fork", "since Homestead a transaction has one form, not two")
        .of("crates/ethereum/src/signed.rs", "checked", of_library("forks::high_s"))
        .edit(value("refused").becomes("false")),
    fault("parities-of-senders", "a recovery id of 2 or 3 is none of Ethereum's")
        .of("crates/ethereum/src/senders.rs", "senders_in_columns", of_library("columns::they_are_those"))
        .edit(operation(">").becomes("false")),
    fault("addresses-of-refused-senders", "an address is given for a row that the policy refuses")
        .of("crates/ethereum/src/senders.rs", "senders_in_columns", of_library("columns::they_are_those"))
        .edit(call("is_none").becomes("true")),
    fault("types-by-fork", "a fork refuses what a later one brought")
        .of("crates/ethereum/src/rules.rs", "Rules::check", of_library("forks::a_type_is_refused"))
        .edit(condition().nth(1).becomes("false")),
    fault("chain-of-a-transaction", "a transaction of another chain is not one of this")
        .of("crates/ethereum/src/rules.rs", "Rules::check", of_library("forks::a_type_is_refused"))
        .edit(operation("!=").becomes("false")),
    fault("nonce-of-an-authorization", "EIP-7702 refuses the last nonce")
        .of(
            "crates/ethereum/src/authorization.rs",
            "<Authorization as Signed>::row",
            of_library("forks::authorizations"),
        )
        .edit(operation("==").nth(3).becomes("false")),
    fault("trailing-bytes-of-rlp", "one transaction would have many encodings, and many hashes")
        .of("crates/ethereum/src/rlp.rs", "Reader::finish", of_library("malformed::a_field_too_few"))
        .edit(call("is_empty").becomes("true")),
    fault("leading-zeros-of-rlp", "one number would have many encodings")
        .of("crates/ethereum/src/rlp.rs", "Reader::number", of_library("malformed::numbers"))
        .edit(condition().becomes("false")),
    fault("nibbles-of-the-trie", "a body is held to its header by the root of the trie")
        .of("crates/ethereum/src/trie.rs", "compact", of_library("blocks::roots"))
        .edit(literal("2").nth(2).becomes("3")),
    fault("roots-of-blocks", "transactions that a block does not have are told of as its own")
        .of("crates/cli/src/input/chain/raw.rs", "RawTransactions::decode", of_command("chain::damaged"))
        .edit(operation("!=").becomes("false")),
    fault("hashes-of-transactions", "a sender is told of another transaction than the named one")
        .of("crates/cli/src/input/chain/rows.rs", "TransactionRows::push_decoded", of_command("chain::judging"))
        .edit(operation("!=").nth(1).becomes("false")),
    fault("types-without-a-signature", "a row of the main chain that nobody signed passes unjudged")
        .of("crates/cli/src/input/chain/rows.rs", "TransactionRows::push_other_type", of_command("chain::networks"))
        .edit(call("allows_unsigned").becomes("true")),
    fault("roots-of-json-blocks", "a line of JSON can leave out a transaction of its block")
        .of("crates/cli/src/input/chain/json.rs", "check_root", of_command("chain::judging::lines"))
        .edit(operation("!=").becomes("false")),
    fault("addresses-that-signed", "an address that did not sign is taken for the sender")
        .of("crates/rows/src/recover.rs", "judge", of_command("chain::judging::another"))
        .edit(value("is_address").becomes("true")),
];
