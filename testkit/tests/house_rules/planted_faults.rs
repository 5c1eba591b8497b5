//! The list of planted faults fits the source: each edit finds its place, and every kind of code has faults.
//! That the short tier catches them is shown by the example of the same name, of which the step `planted-faults` of
//! `cargo xtask` runs ten.

use phalanx_testkit::faults::edit::{Edit, LEFT, RECEIVER, RIGHT, answer, call, condition, literal, operation};
use phalanx_testkit::faults::edit::{Replacement, replace, value};
use phalanx_testkit::faults::{Fault, all, repository};
use std::collections::{BTreeMap, BTreeSet};

/// The source of a file with all faults that stand in it.
fn planted(file: &str, faults: &[Fault]) -> Result<String, String> {
    let source = std::fs::read_to_string(repository().join(file)).map_err(|error| format!("{file}: {error}"))?;
    let mut edits = Vec::new();
    for fault in faults {
        let Replacement { at, wrong } = fault.replacement(&source)?;
        if source[at.clone()] == wrong {
            return Err(format!("{}: {file}: nothing changes", fault.name));
        }
        edits.push((at, wrong));
    }
    let planted = replace(&source, edits).map_err(|error| format!("{file}: {error}"))?;
    syn::parse_file(&planted).map_err(|error| format!("{file}: with its faults it is not Rust: {error}"))?;
    Ok(planted)
}

#[test]
fn every_fault_can_be_planted() {
    let mut files: BTreeMap<&str, Vec<Fault>> = BTreeMap::new();
    for fault in all() {
        files.entry(fault.file).or_default().push(fault);
    }
    let wrong: Vec<String> = files.iter().filter_map(|(file, faults)| planted(file, faults).err()).collect();
    assert!(wrong.is_empty(), "the list does not fit the source:\n{}", wrong.join("\n"));
}

#[test]
fn the_list_is_long_and_names_are_used_once() {
    let faults = all();
    let names: BTreeSet<_> = faults.iter().map(|fault| fault.name).collect();
    assert!(faults.len() >= 30 && names.len() == faults.len(), "{} faults", faults.len());
    let engine = ["field", "word", "safegcd", "curve", "lanes", "affine_add", "msm"].map(|folder| ("engine", folder));
    let library = ["lanes", "mul", "batch", "encoding", "ecdsa", "schnorr", "hash", "group"];
    for (package, folder) in engine.into_iter().chain(library.map(|folder| ("phalanx", folder))) {
        let folder = format!("crates/{package}/src/{folder}/");
        assert!(faults.iter().any(|fault| fault.file.starts_with(&folder)), "no fault in {folder}");
    }
    assert!(faults.iter().filter(|fault| fault.file.starts_with("crates/cli/src")).count() >= 5);
}

const SOURCE: &str = r"
    const LIMIT: u64 = 3 * 50;
    fn sum(x: u64, y: u64) -> u64 {
        let mut low = x.add(y).add(1);
        low = low.shift::<5>(2);
        let (first, second) = (scale(&x, 7), scale(y, 8));
        match low {
            7 if first > 2 => return 7,
            _ => {}
        }
        if x + y == 2 && second < 3 { 0 } else { checked!(low.add(4), first) }
    }
    impl<F> Field for Fe<F> {
        fn sum(self) -> Self { self.sum }
    }
    mod deep {
        impl<'a> Point<'a> {
            fn sum(self) { self.total += 1; }
        }
    }
    kernels! {
        fn within<W>(w: W) -> W { w.add(w) }
    }
";

/// What stands in the place of which expression.
fn change(function: &str, edit: Edit) -> (&'static str, String) {
    let Replacement { at, wrong } = edit.apply(SOURCE, function).expect("the place is there");
    (&SOURCE[at], wrong)
}

#[test]
fn places_are_found_by_name_and_number() {
    let place = |edit| change("sum", edit).0;
    assert_eq!(place(call("scale").nth(2).becomes("0")), "scale(y, 8)");
    assert_eq!(place(call("add").nth(2).becomes("0")), "x.add(y).add(1)");
    assert_eq!(place(call("add").nth(1).within(value("low").nth(1)).becomes("0")), "x.add(y)");
    assert_eq!(place(call("scale").within(value("first")).part(1).becomes("0")), "x");
    assert_eq!(place(value("second").part(2).becomes("0")), "8");
    assert_eq!(place(value("low").nth(2).becomes("0")), "low.shift::<5>(2)");
    assert_eq!(place(condition().nth(1).becomes("true")), "first > 2");
    assert_eq!(place(operation("==").becomes("true")), "x + y == 2");
    assert_eq!(place(operation("&&").part(RIGHT).becomes("true")), "second < 3");
    assert_eq!(place(literal("7").nth(1).becomes("0")), "7");
    assert!(place(answer().becomes("0")).starts_with("if x + y"));
    assert_eq!(change("LIMIT", value("LIMIT").keep(LEFT)), ("3 * 50", "3".to_owned()));
}

#[test]
fn places_change_in_four_ways() {
    let wrong = |edit| change("sum", edit).1;
    assert_eq!(wrong(call("add").nth(2).keep(RECEIVER)), "x.add(y)");
    assert_eq!(wrong(call("add").nth(1).swap(RECEIVER, 1)), "y.add(x)");
    assert_eq!(wrong(call("scale").nth(1).swap(1, 2)), "scale(7, &x)");
    assert_eq!(wrong(call("scale").nth(1).rename("halve")), "halve(&x, 7)");
    assert_eq!(wrong(operation("==").rename("!=")), "x + y != 2");
    assert_eq!(wrong(condition().nth(2).becomes("!({})")), "!(x + y == 2 && second < 3)");
}

#[test]
fn what_no_running_program_can_choose_is_chosen_with_the_call_around_it() {
    assert_eq!(change("sum", literal("5").becomes("6")), ("low.shift::<5>(2)", "low.shift::<6>(2)".to_owned()));
    let (call, wrong) = change("sum", literal("4").becomes("6"));
    assert_eq!((call, &wrong[..]), ("checked!(low.add(4), first)", "checked!(low.add(6), first)"));
}

#[test]
fn functions_are_found_by_their_paths() {
    assert_eq!(change("<Fe as Field>::sum", answer().becomes("0")).0, "self.sum");
    assert_eq!(change("deep::Point::sum", value("total").becomes("2")), ("1", "2".to_owned()));
    assert_eq!(change("within", call("add").keep(RECEIVER)), ("w.add(w)", "w".to_owned()));
}

#[test]
fn a_place_that_is_gone_or_there_twice_is_an_error_that_says_what_there_is() {
    let error = |function, edit: Edit| edit.apply(SOURCE, function).expect_err("no such place");
    for (function, edit, said) in [
        ("product", answer().becomes("0"), "sum, <Fe as Field>::sum, deep::Point::sum, within"),
        (
            "sum",
            call("scale").becomes("0"),
            "2 of Call `scale` where one is expected; it has\n  1 scale: scale(&x, 7)\n  2 scale: scale(y, 8)",
        ),
        ("sum", call("scale").nth(3).becomes("0"), "2 of Call `scale` where number 3 is expected"),
        (
            "sum",
            call("double").becomes("0"),
            "`sum` has 0 of Call `double` where one is expected; it has\n  1 add: x.add(y)\n",
        ),
        ("sum", call("scale").within(value("low").nth(1)).becomes("0"), "  2 add: x.add(y).add(1)"),
        ("sum", condition().becomes("0"), "2 : x + y == 2 && second < 3"),
        ("sum", call("scale").nth(1).keep(3), "no part 3"),
        ("sum", condition().nth(1).part(LEFT).keep(LEFT), "no call and no operation"),
    ] {
        let error = error(function, edit);
        assert!(error.contains(said), "{error}");
    }
    let twice = [SOURCE, "fn within() {}"].concat();
    let error = answer().becomes("0").apply(&twice, "within").expect_err("two have the name");
    assert!(error.contains("2 are called `within`"), "{error}");
}

#[test]
fn edits_that_meet_are_an_error() {
    assert_eq!(replace("a + b", vec![(4..5, "c".into()), (0..1, "(d)".into())]).as_deref(), Ok("(d) + c"));
    assert!(replace("a + b", vec![(0..5, "c".into()), (4..5, "d".into())]).is_err());
}
