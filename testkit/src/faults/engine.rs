//! Faults in the arithmetic for any curve: kernels, words, division steps, formulas, digits.

use super::edit::{LEFT, RECEIVER, answer, call, condition, literal, operation, value};
use super::{Fault, Test, fault, integration, unit};

const fn engine(filter: &'static str) -> Test {
    integration("phalanx-engine", "engine", filter)
}

const fn library(filter: &'static str) -> Test {
    unit("phalanx-engine", filter)
}

const fn fixed_base(filter: &'static str) -> Test {
    integration("phalanx-engine", "fixed_base", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("lanes-product", "the highest column is zero for numbers below 2^256: only loose factors tell")
        .of("crates/engine/src/field/columns.rs", "add_product", engine("field::products"))
        .edit(call("madd_hi").within(value("c9")).keep(RECEIVER)),
    fault("lanes-square", "low and high halves of a product change places")
        .of("crates/engine/src/field/columns.rs", "square", engine("field::products"))
        .edit(call("madd_hi").nth(3).rename("madd_lo")),
    fault("lanes-carry", "a carry that is negative becomes a large one; most differences have none")
        .of("crates/engine/src/field/columns.rs", "carry_up_signed", engine("field::"))
        .edit(call("sar").within(value("n3")).rename("shr")),
    fault("lanes-canonical", "only numbers from p to 2^256 tell")
        .of("crates/engine/src/field/fe52_x8.rs", "<Normalize as Kernel>::run", engine("field::"))
        .edit(call("shr").part(RECEIVER).becomes("n[4]")),
    fault("lanes-montgomery", "Montgomery's reduction, by which scalars are inverted in lanes")
        .of("crates/engine/src/field/mont_x8.rs", "MontX8::clear", engine("montgomery::"))
        .edit(call("madd_hi").nth(2).part(2).becomes("m0")),
    fault(
        "bound-of-a-formula",
        "a bound that is too small: results are right until limbs are extreme, which intervals see",
    )
    .of("crates/engine/src/curve/jacobian.rs", "Jacobian::finish_addition", engine("intervals::formulas"))
    .edit(operation("*").within(value("x")).keep(LEFT)),
    fault("emulated-word", "the reference of the vector word must cut factors to 52 bits as the instruction does")
        .of("crates/engine/src/word/emulated.rs", "<Emulated as Word>::madd_hi", engine("field::"))
        .edit(operation("&").nth(1).keep(LEFT)),
    fault("ifma-shift", "one instruction for another in the backend that most rows run on")
        .of("crates/engine/src/word/avx512.rs", "<Word512 as Word>::sar", engine("field::"))
        .edit(call("_mm512_srai_epi64").rename("_mm512_srli_epi64"))
        .on_vectors(),
    fault("ifma-mask", "a choice by mask the wrong way round")
        .of("crates/engine/src/word/avx512.rs", "<Word512 as Word>::select", engine("curve::"))
        .edit(call("_mm512_mask_blend_epi64").swap(2, 3))
        .on_vectors(),
    fault("inverse", "too few division steps for most numbers")
        .of("crates/engine/src/safegcd/inverse.rs", "Modulus::invert", library("safegcd"))
        .edit(literal("10").becomes("8")),
    fault("jacobi-symbol", "whether x lifts to a point")
        .of("crates/engine/src/safegcd/divsteps.rs", "divsteps_62_vartime", library("safegcd"))
        .edit(operation("^").within(value("flips").nth(2)).keep(LEFT)),
    fault("double", "the doubling of every chain")
        .of("crates/engine/src/curve/jacobian.rs", "<Doubling as Formula>::run", engine("curve::doubling"))
        .edit(literal("2").nth(1).within(value("minus_2ww")).becomes("1")),
    fault("terms-that-meet", "a key and scalars with a P = b G prove every r: a forgery")
        .of("crates/engine/src/curve/without_y.rs", "<LinearEquation as Formula>::run", engine("every_x::"))
        .edit(value("width").becomes("dz")),
    fault("parity-by-x", "signatures pass under the negative of a key whose root is not taken")
        .of("crates/engine/src/curve/without_y.rs", "SumEquation::holds", engine("every_x::"))
        .edit(value("holds").keep(RECEIVER)),
    fault("key-off-the-curve", "the y that an equation asks for need not be one of the key")
        .of("crates/engine/src/curve/without_y.rs", "SumEquation::holds", engine("every_x::"))
        .edit(value("exists").becomes("F::Mask::ALL")),
    fault("twice-in-three", "a carry of what a doubling takes away, in doubles")
        .of("crates/engine/src/field/fe_f64x8/kernels.rs", "twice_carried_in_three", engine("curve::doubling"))
        .edit(call("add").keep(RECEIVER)),
    fault("secret-entry", "all entries of a table of secrets are found at once")
        .of("crates/engine/src/mask.rs", "entry", library("mask::tests::the_entry"))
        .edit(call("and").keep(1)),
    fault("mixed-addition", "the addition of every chain")
        .of(
            "crates/engine/src/curve/jacobian.rs",
            "<MixedAddition as Formula>::run",
            engine("curve::incomplete_additions"),
        )
        .edit(call("mul_less").within(value("r")).part(1).becomes("zz")),
    fault("complete-addition", "points with opposite y and different x, which a random pair never has")
        .of("crates/engine/src/curve/jacobian.rs", "Jacobian::unified", engine("curve::complete_additions"))
        .edit(value("slope_m").becomes("m")),
    fault("affine-chord", "the addition of sums and of eight lanes")
        .of("crates/engine/src/curve/affine.rs", "Affine::chord_slope", engine("curve::chords_and_tangents"))
        .edit(call("difference").swap(RECEIVER, 1)),
    fault("affine-tangent", "the doubling of tables in lanes, and of equal points in sums")
        .of("crates/engine/src/curve/affine.rs", "Affine::tangent_numerator", engine("curve::chords_and_tangents"))
        .edit(literal("3").nth(1).becomes("2")),
    fault("co-z-addition", "the progressions that tables of one point are made by")
        .of("crates/engine/src/curve/affine.rs", "Affine::add_co_z", engine("curve::additions_on_one_model"))
        .edit(call("difference").within(value("moved")).swap(RECEIVER, 1)),
    fault("co-z-doubling", "the first step of tables of odd multiples")
        .of("crates/engine/src/curve/affine.rs", "Affine::double_co_z_on", engine("curve::doublings_on_one_model"))
        .edit(call("difference").swap(RECEIVER, 1)),
    fault("one-lane-montgomery", "the last carry of a number modulo what fills 256 bits")
        .of("crates/engine/src/field/redc.rs", "Redc::once", engine("one_lane::"))
        .edit(operation("&").keep(LEFT)),
    fault("curve-a", "only a curve whose A is five tells")
        .of("crates/engine/src/curve/coefficient.rs", "multiple", engine("sloped::"))
        .edit(call("add").keep(RECEIVER)),
    fault("shared-inversion", "each lane's inverse is the common one times the products of all others")
        .of("crates/engine/src/lanes/shared_inversion.rs", "<Across as Op>::call", engine("additions::"))
        .edit(value("others").keep(RECEIVER)),
    fault("equal-points-in-a-round", "random points of a sum are never equal")
        .of("crates/engine/src/affine_add/round.rs", "Special::denominator", engine("additions::"))
        .edit(call("select").within(value("chord")).part(1).becomes("*negated")),
    fault("negatives-in-a-round", "the sign of one lane's points")
        .of("crates/engine/src/affine_add/packed.rs", "second_point", engine("additions::"))
        .edit(call("negate_where").part(1).becomes("Mask8({}.0 & 0x7f)")),
    fault("last-chain", "the highest stretch of the exponent")
        .of("crates/engine/src/msm/horner.rs", "next_addition", engine("sums::"))
        .edit(value("lane").becomes("({}).min(6)")),
    fault("equal-points-in-lanes", "random points of a sum in lanes are never equal")
        .of("crates/engine/src/msm/in_lanes/rounds.rs", "TreeInLanes::round", engine("sums::"))
        .edit(condition().nth(2).becomes("({}) && self.infinity")),
    fault("void-lane-of-a-chain", "the chain of a sum in lanes meets equal points, and nobody looks")
        .of("crates/engine/src/msm/in_lanes/chain.rs", "<ChainInLanes as Op>::call", engine("sums::"))
        .edit(answer().becomes("false")),
    fault("even-numbers-in-lanes", "every other number of a sum in lanes is even")
        .of("crates/engine/src/msm/in_lanes.rs", "corrections", engine("sums::"))
        .edit(operation("==").rename("!=")),
    fault("images-in-lanes", "the images' tables of a sum in lanes")
        .of("crates/engine/src/msm/in_lanes/multiples.rs", "<ImagesInLanes as Op>::call", engine("sums::"))
        .edit(call("mul").keep(RECEIVER)),
    fault("signed-windows", "digits of secrets, beyond the tables' ends")
        .of("crates/engine/src/recode.rs", "signed_windows", library("recode"))
        .edit(operation("-").within(value("carry").nth(2)).keep(LEFT)),
    fault("non-adjacent-form", "the last carry of the digits is lost, for one number in a few")
        .of("crates/engine/src/recode.rs", "wnaf_for_each_vartime", library("recode"))
        .edit(operation("^").within(condition()).keep(LEFT)),
    fault("fixed-base-comb", "the sign that a window's entries do not have")
        .of("crates/engine/src/fixed_base/lookups.rs", "Layout::comb_window", fixed_base("sums::"))
        .edit(operation(">>").becomes("signs & 1")),
];
