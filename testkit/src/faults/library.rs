//! Faults in secp256k1's own code: multiplications, batches, parsers, checks, hashes.

use super::edit::{LEFT, RECEIVER, answer, call, condition, literal, operation, value};
use super::{Fault, Test, fault, integration, unit};

/// Tests of the library's own.
const fn own(filter: &'static str) -> Test {
    integration("phalanx", "library", filter)
}

/// Tests of this package.
const fn kit(filter: &'static str) -> Test {
    integration("phalanx-testkit", "answers", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("exceptional-additions", "rows crafted to meet equal points are invalid")
        .of(
            "crates/phalanx/src/mul/double/eight_rows.rs",
            "<Chains as ChainPairs>::end",
            kit("bad_input::group::equations_whose_terms_meet"),
        )
        .edit(condition().becomes("false"))
        .on_vectors(),
    fault("exceptional-sums", "keys are not recovered where a P meets a part of b G")
        .of(
            "crates/phalanx/src/mul/double/eight_rows.rs",
            "<SumTerms as Op>::call",
            unit("phalanx", "lanes::tests::exceptional_additions_are_right"),
        )
        .edit(condition().becomes("false")),
    fault("equation-says-nothing", "a row of which the equation without y says nothing must not count as valid")
        .of(
            "crates/phalanx/src/mul/double/by_x/eight_rows.rs",
            "<&mut RowProofs<'_> as BatchInverted>::finish",
            unit("phalanx", "unlifted_tests::terms_that_meet"),
        )
        .edit(call("and").becomes("self.sound[index].not().or(holds)")),
    fault("void-lanes", "a key that is no point makes its neighbours' signatures invalid")
        .of(
            "crates/phalanx/src/bulk/eight_lanes/keys_by_x.rs",
            "KeysByX::settle",
            unit("phalanx", "unlifted_tests::no_x_without_a_point"),
        )
        .edit(call("lane").becomes("false")),
    fault(
        "void-lane-believed",
        "a signature that nobody made is valid, in a lane that a key without a point has voided",
    )
    .of(
        "crates/phalanx/src/bulk/eight_lanes/keys_by_x.rs",
        "KeysByX::new",
        unit("phalanx", "forged_tests::what_a_void_lane"),
    )
    .edit(call("not").becomes("Mask8::ALL")),
    fault("moved-part-believed", "a signature that nobody made is valid, where both parts of b G are one point")
        .of(
            "crates/phalanx/src/mul/double/by_x/eight_rows.rs",
            "<Chords as PairSums>::first_x",
            unit("phalanx", "forged_tests::a_part_that_is_moved"),
        )
        .edit(call("and").becomes("self.sound[index]")),
    fault("second-x-in-lanes", "the second x that reduces to r, where a row is settled in lanes")
        .of(
            "crates/phalanx/src/bulk/operations/verify_ecdsa.rs",
            "decide",
            unit("phalanx", "bulk::operations::tests::hostile_rows"),
        )
        .edit(call("any").becomes("false")),
    fault("equal-keys", "a key added to itself gives no sum")
        .of("crates/phalanx/src/keys/point.rs", "Point::add_key_vartime", unit("phalanx", "keys::point"))
        .edit(call("double").becomes("sum")),
    fault("tangent-at-a-key", "a nonce that two signers send is added by a chord")
        .of("crates/phalanx/src/keys/point.rs", "Sum::new", unit("phalanx", "keys::point"))
        .edit(call("tangent").becomes("Line::chord(point, key.affine())")),
    fault("secret-sums", "partial sums of a nonce stay in memory")
        .of(
            "crates/phalanx/src/mul/generator/eight_rows_ct.rs",
            "mul_generator_rows_ct",
            unit("phalanx", "no_secret_sum_stays"),
        )
        .edit(value("secret").becomes("false")),
    fault("equal-last-sums", "the public key of one secret, and of others in its lane")
        .of("crates/phalanx/src/mul/digits_ct.rs", "generator_words", unit("phalanx", "edges_are_computed_as_alone"))
        .edit(value("is_replaced").becomes("0")),
    fault("glv-split", "one carry of the endomorphism's split, which few scalars have")
        .of("crates/phalanx/src/glv.rs", "split", own("libsecp256k1::shared_secrets"))
        .edit(value("p2").part(1).becomes("0")),
    fault("generator-in-one-lane", "public keys, of every second secret, on CPUs without vector words")
        .of("crates/phalanx/src/mul/generator/one_lane.rs", "read", own("bulk::every_operation"))
        .edit(call("xor").keep(RECEIVER)),
    fault("point-in-one-lane", "ECDH on CPUs without vector words")
        .of("crates/phalanx/src/mul/point/one_lane.rs", "one_lane", own("bulk::every_operation"))
        .edit(value("z").keep(RECEIVER)),
    fault("progression", "the table of one point, made over one denominator")
        .of("crates/phalanx/src/mul/isomorphic_curve.rs", "progress", own("bulk::every_operation"))
        .edit(value("scale").keep(RECEIVER)),
    fault("two-products-in-one-lane", "verification on CPUs without vector words")
        .of("crates/phalanx/src/mul/double/one_lane.rs", "add", own("bulk::every_operation"))
        .edit(call("map_or").becomes("sum.z")),
    fault("spread-generator", "public keys one at a time on vector words")
        .of("crates/phalanx/src/mul/generator/one_row_ct.rs", "<Sums as Op>::call", own("libsecp256k1::public_keys"))
        .edit(value("sum").nth(2).becomes("next"))
        .on_vectors(),
    fault("spread-point", "ECDH one at a time on vector words")
        .of(
            "crates/phalanx/src/mul/point/one_row_ct.rs",
            "<RowChains as Op>::call",
            own("libsecp256k1::shared_secrets"),
        )
        .edit(value("image").keep(RECEIVER))
        .on_vectors(),
    fault("tables-in-lanes", "the multiples of eight points")
        .of(
            "crates/phalanx/src/mul/odd_multiples.rs",
            "<Running as BatchInverted>::operands",
            own("bulk::every_operation"),
        )
        .edit(operation("+").within(value("a")).keep(LEFT)),
    fault("lookup-in-lanes", "the entry of a window that secrets choose")
        .of("crates/phalanx/src/lanes/memory.rs", "<Choose as Kernel>::run", own("bulk::every_operation"))
        .edit(literal("31").becomes("15")),
    fault("digits-in-lanes", "the halves of a scalar made odd, for one scalar in four")
        .of("crates/phalanx/src/mul/digits.rs", "Digits::set_for", own("bulk::every_operation"))
        .edit(call("minus").becomes("b")),
    fault("generator-in-lanes", "the generator's share of verification")
        .of("crates/phalanx/src/mul/generator/eight_rows.rs", "Leaves::pair", own("bulk::every_operation"))
        .edit(call("generator").nth(2).part(1).becomes("window")),
    fault("tweaks-in-lanes", "tweaks in bulk that double a key, or take it to infinity")
        .of("crates/phalanx/src/lanes/addition.rs", "<PointAdditions as Op>::call", kit("bad_input::tweaks"))
        .edit(call("add_mixed_complete").becomes("point.add_mixed(other).0"))
        .on_vectors(),
    fault("secret-point-in-lanes", "ECDH in bulk")
        .of(
            "crates/phalanx/src/mul/point/eight_rows_ct.rs",
            "<ChainsCt as ChainPairs>::end",
            own("bulk::every_operation"),
        )
        .edit(call("add_mixed_complete").becomes("chain.add_mixed(addend).0.double()")),
    fault("sum-by-buckets", "the weights of Pippenger's buckets")
        .of("crates/engine/src/msm/bucket_sums.rs", "LineSums::sum", own("msm::every_case_in_pieces"))
        .edit(value("bit").keep(LEFT)),
    fault("sum-by-tables", "the digits of Straus' method")
        .of("crates/engine/src/msm/straus.rs", "Straus::sums", own("msm::every_case_in_pieces"))
        .edit(value("multiple").becomes("0")),
    fault("batch-coefficients", "coefficients that can be foreseen let forged rows cancel each other")
        .of("crates/phalanx/src/batch/coefficients.rs", "Coefficients::take", own("batch::errors_do_not_cancel"))
        .edit(call("tell").part(1).becomes("Half { neg: neg & 0, magnitude: 1 }")),
    fault("bulk-placeholder", "a row that nothing has decided must not pass for a valid signature")
        .of(
            "crates/phalanx/src/bulk/schedule.rs",
            "Schedule::verify",
            unit("phalanx", "bulk::tests::a_row_that_no_operation_writes"),
        )
        .edit(call("fill").nth(1).part(1).becomes("Verdict::Valid")),
    fault("columns-first-fault", "a later column hides what is wrong with an earlier one")
        .of("crates/phalanx/src/bulk/columns.rs", "Block::fail", own("one_thread::every_operation_takes_columns"))
        .edit(condition().becomes("true")),
    fault("batch-placeholder", "a row that nothing has decided must not pass for a valid signature")
        .of(
            "crates/phalanx/src/batch/verdicts.rs",
            "Verdicts::finish",
            unit("phalanx", "batch::verdicts::tests::a_row_without_a_verdict"),
        )
        .edit(call("unwrap_or").part(1).becomes("Verdict::Valid")),
    fault("batch-search", "half of a batch is cleared by a sum of nothing")
        .of("crates/phalanx/src/batch/search.rs", "Search::halve", own("batch::errors_do_not_cancel"))
        .edit(value("first").part(3).becomes("start..start")),
    fault("batch-hint", "a hint with another x makes any signature valid")
        .of("crates/phalanx/src/batch/ecdsa.rs", "nonce", own("batch::a_hint_must_say_what_the_row_says"))
        .edit(operation("||").becomes("true")),
    fault("der-strict", "padding that BIP-66 forbids")
        .of("crates/phalanx/src/encoding/der.rs", "is_minimal_natural", kit("bad_input::der::"))
        .edit(operation("==").nth(1).becomes("true")),
    fault("der-lax", "old blocks are judged as their nodes judged them")
        .of("crates/phalanx/src/encoding/der.rs", "lax_integer", kit("bad_input::der::"))
        .edit(operation("-").keep(LEFT)),
    fault("hybrid-keys", "hybrid keys only where they are asked for")
        .of("crates/phalanx/src/encoding/sec1.rs", "Sec1::parse", own("verdicts::forms_of_signatures_and_keys"))
        .edit(condition().becomes("true")),
    fault("compressed-keys", "the parity of a compressed key")
        .of("crates/phalanx/src/encoding/sec1.rs", "Sec1::parse", own("libsecp256k1::public_keys"))
        .edit(literal("3").becomes("2")),
    fault("hex", "text that is no number")
        .of("crates/phalanx/src/encoding/hex.rs", "nibble", kit("bad_input::keys::secret_keys"))
        .edit(literal("0x66").becomes("0x67")),
    fault("x-below-p", "coordinates at and above p")
        .of("crates/phalanx/src/field/mod.rs", "FieldElement::from_limbs", kit("bad_input::keys::"))
        .edit(call("declassify").part(1).becomes("true")),
    fault("scalars-below-n", "r and s at and above n")
        .of("crates/phalanx/src/scalar/mod.rs", "Scalar::from_limbs", own("verdicts::the_first_failing"))
        .edit(condition().becomes("{} && limbs[3] != u64::MAX")),
    fault("low-s", "the policy that the caller asked for")
        .of("crates/phalanx/src/ecdsa/read_row.rs", "check_low_s", own("verdicts::the_first_failing_ecdsa"))
        .edit(condition().becomes("false")),
    fault("order-of-checks", "the contract says which check speaks first")
        .of("crates/phalanx/src/keys/read_row.rs", "ReadRow::finish", own("verdicts::the_first_failing_ecdsa"))
        .edit(value("point").becomes("{ self.signed.as_ref().map_err(|error| *error)?; {} }")),
    fault("r-plus-n", "the second x that reduces to r: no random signature has one")
        .of("crates/phalanx/src/group/mod.rs", "above_order", own("libsecp256k1::recovery_beyond_the_order"))
        .edit(condition().becomes("true")),
    fault("parity-of-r", "a nonce's point with an odd y is no BIP-340 signature")
        .of("crates/phalanx/src/schnorr/equation.rs", "is_even", kit("bad_input::schnorr::nonce_points"))
        .edit(answer().becomes("true")),
    fault("rfc6979", "nonces are those of the standard, bit for bit")
        .of("crates/phalanx/src/hash/rfc6979.rs", "NonceGenerator::absorb", own("libsecp256k1::ecdsa_signatures"))
        .edit(call("mac_32").becomes("self.value")),
    fault("tagged-hash", "a tag's hash stands there twice")
        .of("crates/phalanx/src/hash/tagged.rs", "TaggedHash::new", kit("bips::bip341"))
        .edit(call("copy_from_slice").nth(2).part(1).becomes("[0; 32]")),
    fault("challenge", "what signing and verifying share agrees with itself when it is wrong")
        .of("crates/phalanx/src/schnorr/verify.rs", "challenge", own("libsecp256k1::schnorr_signatures"))
        .edit(call("hash_uncleared").part(1).becomes("[key, r, message]")),
    fault("decompression", "the other root, for every second key")
        .of("crates/phalanx/src/group/mod.rs", "lift_x_vartime", own("libsecp256k1::public_keys"))
        .edit(call("normalize").nth(2).becomes("y")),
];
