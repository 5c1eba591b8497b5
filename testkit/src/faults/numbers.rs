//! Faults in numbers of four digits, numbers in doubles, and what decides whether a machine computes in them.

use super::edit::{RECEIVER, call, condition, literal, operation, value};
use super::{Fault, Test, fault, integration, unit};

const fn engine(filter: &'static str) -> Test {
    integration("phalanx-engine", "engine", filter)
}

const fn library(filter: &'static str) -> Test {
    unit("phalanx-engine", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("digits-last-carry", "the carry out of the fourth digit, which random products of real size never have")
        .of("crates/engine/src/field/digits.rs", "close_unsigned", engine("digits::"))
        .edit(call("and").becomes("L::literal(0)")),
    fault("digits-last-borrow", "the second borrow of a difference, which only numbers beside p have")
        .of("crates/engine/src/field/digits.rs", "closed_difference", engine("digits::"))
        .edit(call("last_sub").keep(RECEIVER)),
    fault("digits-square", "squares have a schedule of their own")
        .of("crates/engine/src/field/digits.rs", "square", engine("field::"))
        .edit(call("product").nth(6).part(1).becomes("a[3]")),
    fault(
        "one-lane-addend",
        "the carry of a top times C is lost, where that is longer than a digit: the proof sees it for all inputs",
    )
    .of("crates/engine/src/field/fe4.rs", "<Fe4 as Field>::mul_add", engine("carries::"))
    .edit(call("close").rename("close_small")),
    fault("halves52-start", "products of large factors are rounded to another grid; those of small ones are right")
        .of("crates/engine/src/word/doubles/halves52.rs", "Halves52::of_factors", library("halves52"))
        .edit(literal("104").becomes("103")),
    fault("halves52-middle", "half of all low parts leave the doubles whose bits are read")
        .of("crates/engine/src/word/doubles/halves52.rs", "MIDDLE", library("halves52"))
        .edit(value("MIDDLE").becomes("power_of_two(52)"))
        .in_constant(),
    fault("doubles-product", "a column takes one product twice and another never")
        .of("crates/engine/src/field/fe_f64x8/kernels.rs", "product", engine("field::"))
        .edit(call("less").within(value("c7")).part(1).becomes("ColumnSum::down(start(7), [a3, b4])")),
    fault("doubles-start", "sums leave the doubles of one gap, for some inputs only: the intervals see it for all")
        .of("crates/engine/src/field/fe_f64x8/kernels.rs", "start", engine("doubles::"))
        .edit(literal("1.5").becomes("1.0")),
    fault("doubles-state", "products of doubles would depend on how the caller rounds")
        .of("crates/engine/src/word/state.rs", "DefaultState::enter", library("state"))
        .edit(call("set_state").part(1).becomes("callers"))
        .on_vectors(),
    fault("fma-fold", "the machine's own arithmetic, beside that of the emulation")
        .of("crates/engine/src/word/doubles/fused.rs", "<Fused as Double>::fold", engine("field::"))
        .edit(call("add").within(value("rest")).keep(RECEIVER))
        .on_vectors(),
    fault("untested-backend", "code that has run nowhere would become the default")
        .of("crates/phalanx/src/backend/available.rs", "Detected::of", unit("phalanx", "available"))
        .edit(call("is_tested").becomes("true")),
    fault("self-test-panic", "a backend that panics in its known-answer test would be offered")
        .of("crates/phalanx/src/backend/available.rs", "said_wrong", unit("phalanx", "available"))
        .edit(call("unwrap_or").part(1).becomes("None")),
    fault("self-test-sum", "a backend that gathers wrong rows would be offered")
        .of("crates/phalanx/src/backend/known_answers.rs", "first_wrong", unit("phalanx", "known_answers"))
        .edit(condition().nth(7).becomes("unit.sum(&keys).is_none()")),
    fault("digits-canonical", "numbers from p to 2^256, which random ones never are")
        .of("crates/engine/src/field/fe4.rs", "<Fe4 as Field>::normalize", engine("field::"))
        .edit(call("mask").part(1).becomes("L::NO_CARRY")),
    fault("halves52-borrow", "the high half of a product in doubles is one too large where the low half is below zero")
        .of("crates/engine/src/word/doubles/halves52.rs", "Halves52::add_high", engine("montgomery::"))
        .edit(value("borrow").becomes("I::splat(0)"))
        .on_vectors(),
    fault("words-of-doubles", "the way from digits to words, which products do not take")
        .of("crates/engine/src/field/fe_f64x8/words.rs", "words_of_fields", engine("doubles::"))
        .edit(literal("38").becomes("37")),
    fault("one-copy-of-divisions", "the last of an odd number of divisions has no company")
        .of("crates/engine/src/field/batch_inversion.rs", "backward_inverses_in_one_copy", engine("additions::"))
        .edit(call("take").part(1).becomes("2")),
    fault("company-of-an-odd-division", "the division that an odd number leaves is finished twice")
        .of("crates/engine/src/field/batch_inversion.rs", "backward_inverses_two_by_two", engine("divisions::"))
        .edit(operation(">").becomes("true")),
];
