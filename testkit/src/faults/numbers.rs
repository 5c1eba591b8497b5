//! Faults in numbers of four digits, numbers in doubles, and what decides whether a machine computes in them.

use super::{Fault, Test, integration, unit};

const fn engine(filter: &'static str) -> Test {
    integration("phalanx-engine", "engine", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "digits-last-carry",
        file: "crates/engine/src/field/digits.rs",
        place: "let (r0, carry) = r0.carrying_add(«L::mask(carry).and(c)», false);",
        wrong: "L::literal(0)",
        test: engine("digits::"),
        why: "the carry out of the fourth digit, which random products of real size never have",
        vectors: false,
    },
    Fault {
        name: "digits-last-borrow",
        file: "crates/engine/src/field/digits.rs",
        place: "[«r0.last_sub(L::mask(borrow).and(c))», r1, r2, r3]",
        wrong: "r0",
        test: engine("digits::"),
        why: "the second borrow of a difference, which only numbers beside p have",
        vectors: false,
    },
    Fault {
        name: "digits-square",
        file: "crates/engine/src/field/digits.rs",
        place: "let (across3, across4) = «a[1].product(a[2])»;",
        wrong: "a[1].product(a[3])",
        test: engine("field::"),
        why: "squares have a schedule of their own",
        vectors: false,
    },
    Fault {
        name: "doubles-product",
        file: "crates/engine/src/field/fe_f64x8/kernels.rs",
        place: "let c7 = Sum::up(start(7), [a3, b4]).less(«Sum::down(start(7), [a4, b3])»);",
        wrong: "Sum::down(start(7), [a3, b4])",
        test: engine("field::"),
        why: "a column takes one product twice and another never",
        vectors: false,
    },
    Fault {
        name: "doubles-start",
        file: "crates/engine/src/field/fe_f64x8/kernels.rs",
        place: "D::splat((«1.5 + power_of_two(-8)») * K as f64",
        wrong: "1.0 + power_of_two(-8)",
        test: engine("doubles::"),
        why: "sums leave the doubles of one gap, for some inputs only: the intervals see it for all",
        vectors: false,
    },
    Fault {
        name: "doubles-state",
        file: "crates/engine/src/word/state.rs",
        place: "set_state(«DEFAULT»);\n        Self { callers }",
        wrong: "callers",
        test: unit("phalanx-engine", "state"),
        why: "products of doubles would depend on how the caller rounds",
        vectors: true,
    },
    Fault {
        name: "fma-fold",
        file: "crates/engine/src/word/doubles/fused.rs",
        place: "rest: Self(«R::product_less(x.0, factor, high, zero).add(self.0)») }",
        wrong: "R::product_less(x.0, factor, high, zero)",
        test: engine("field::"),
        why: "the machine's own arithmetic, beside that of the emulation",
        vectors: true,
    },
    Fault {
        name: "untested-backend",
        file: "crates/phalanx/src/backend/available.rs",
        place: "} else if «unit.is_tested()» {",
        wrong: "true",
        test: unit("phalanx", "available"),
        why: "code that has run nowhere would become the default",
        vectors: false,
    },
];
