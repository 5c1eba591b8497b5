//! Faults in Banderwagon and in sums over a fixed basis.

use super::edit::{LEFT, RIGHT, call, condition, literal, operation, value};
use super::{Fault, Test, fault, integration, unit};

const fn elements(filter: &'static str) -> Test {
    integration("phalanx-banderwagon", "banderwagon", filter)
}

const fn fixed_base(filter: &'static str) -> Test {
    integration("phalanx-engine", "fixed_base", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("banderwagon-addition", "the curve's constant in the sum of two points")
        .of("verkle/rust/src/element/edwards.rs", "Extended::add", elements("elements::"))
        .edit(call("scale").part(1).becomes("{} - 1")),
    fault("banderwagon-sign", "of an element's two points, the one whose x is written")
        .of("verkle/rust/src/element/encoding.rs", "Element::encode_with", elements("elements::"))
        .edit(call("is_high").part(1).becomes("x.normalize()")),
    fault("banderwagon-subgroup", "points outside of the group become elements")
        .of("verkle/rust/src/element/encoding.rs", "Element::from_uncompressed", elements("elements::"))
        .edit(condition().nth(2).becomes("false")),
    fault("banderwagon-twin", "the one of an element's two points on which formulas have no exception")
        .of("verkle/rust/src/element/encoding.rs", "Element::of_member_vartime", elements("elements::"))
        .edit(condition().becomes("is_high(y).any()")),
    fault("banderwagon-self-test", "a vector unit that commits wrongly would be taken")
        .of(
            "verkle/rust/src/commitment/known_answers.rs",
            "commits_as_one_lane",
            unit("phalanx-banderwagon", "known_answers"),
        )
        .edit(operation("==").becomes("commitments(adder).is_some()")),
    fault("banderwagon-duplicate-positions", "two scalars at one position: the first is lost")
        .of("crates/engine/src/fixed_base/in_workspace.rs", "put_in_order", elements("commitments::"))
        .edit(call("plus").becomes("scalar")),
    fault("verkle-zero-value", "a value of zero is an empty place")
        .of("verkle/rust/src/verkle/leaf.rs", "scalars", elements("verkle::"))
        .edit(operation("+").keep(LEFT)),
    fault("verkle-halves", "value 128 is committed to in the wrong half")
        .of("verkle/rust/src/verkle/leaf.rs", "half_of", elements("verkle::"))
        .edit(literal("128").becomes("129")),
    fault("verkle-cached-address", "keys of an address whose sum is known")
        .of("verkle/rust/src/verkle/tree_key.rs", "TreeKeys::key_of_vartime", elements("verkle::"))
        .edit(call("halves").part(2).becomes("1")),
    fault("fixed-base-shorter", "scalars above half of the order, by signed windows")
        .of("crates/engine/src/fixed_base/lookups.rs", "Layout::lookups", fixed_base("sums::"))
        .edit(operation("!=").keep(RIGHT)),
    fault("fixed-base-foreign-file", "tables over another basis are taken for these")
        .of("crates/engine/src/fixed_base/saved.rs", "check_header", fixed_base("saved::"))
        .edit(operation("==").nth(8).becomes("true")),
    fault("fixed-base-parts", "many points: a part that ends within a window")
        .of("crates/engine/src/fixed_base/build.rs", "Configuration::parts", fixed_base("sums::"))
        .edit(value("whole").becomes("1")),
    fault("fixed-base-apart", "a column that is longer than the others, in lanes")
        .of("crates/engine/src/fixed_base/across_lanes.rs", "plan_apart", fixed_base("sums::"))
        .edit(value("start").keep(LEFT)),
];
