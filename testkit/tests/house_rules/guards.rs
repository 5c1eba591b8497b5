//! Guards are found in source, and planted so that it stays Rust. The example of the same name shows that tests fail
//! without them.

use phalanx_testkit::faults::edit::insert;
use phalanx_testkit::faults::guards::{of_crate, of_source};
use phalanx_testkit::faults::repository;

const SOURCE: &str = r"
mod elsewhere;
#[cfg(test)]
mod tests;
impl Stack {
    fn pop(&mut self, most: usize) -> Result<u8, Error> {
        if self.values.is_empty() || most == 0 { return Err(Error::Empty); }
        if let Some(first) = self.first && first > most { return Err(Error::Large) }
        let Some(last) = self.values.pop() else { return Err(Error::Gone) };
        self.check(last)?;
        let last = self.table.get(last).ok_or(Error::Table)?;
        let last = last.filter(|last| *last < 7 && *last != 5).ok_or(Error::Seven)?;
        let last = (last > 2).then_some(last).ok_or(Error::Two)?;
        let last = last.parse().map_err(|_| Error::Text)?;
        match last {
            1 if most > 3 => return Err(Error::One),
            2 => return Ok(2),
            _ => {}
        }
        match most {
            0 => Err(Error::Zero),
            1.. => if last == most { Ok(last) } else { Err(Error::Last) },
        }
    }
}
const fn checked(x: u8) -> u8 { if x > 3 { return 3 } x }
#[cfg(test)]
fn pops() { if true { return } }
";

#[test]
fn guards_are_found_with_what_is_put_around_them() {
    let (guards, modules) = of_source("lib.rs", SOURCE).expect("it is Rust");
    assert_eq!(modules, ["elsewhere"]);
    let places: Vec<&str> = guards.iter().map(|guard| guard.place.as_str()).collect();
    assert_eq!(
        places,
        [
            "Stack::pop: self.values.is_empty()",
            "Stack::pop: most == 0",
            "Stack::pop: let Some(first) = self.first && first > most",
            "Stack::pop: return Err(Error::Gone)",
            "Stack::pop: self.check(last)?",
            "Stack::pop: self.table.get(last)",
            "Stack::pop: *last < 7",
            "Stack::pop: *last != 5",
            "Stack::pop: (last > 2)",
            "Stack::pop: last.parse()",
            "Stack::pop: most > 3",
            "Stack::pop: 2 => return Ok(2)",
            "Stack::pop: Err(Error::Zero)",
            "Stack::pop: last == most",
        ]
    );
    let insertions = (1..).zip(&guards).flat_map(|(number, guard)| guard.insertions(number));
    let planted = insert(SOURCE, insertions.collect());
    syn::parse_file(&planted).expect("it stays Rust");
    for part in [
        "if (self.values.is_empty()) && !crate::planted::off(1) || (most == 0) && !crate::planted::off(2) {",
        "&& first > most && !crate::planted::off(3) {",
        "else { ({ crate::planted::fires(4); return Err(Error::Gone) }) }",
        "if !crate::planted::off(5) { self.check(last)?; }",
        "crate::planted::some(6, self.table.get(last)).ok_or",
        "filter(|last| ((*last < 7) || crate::planted::off(7)) && ((*last != 5) || crate::planted::off(8)))",
        "(((last > 2)) || crate::planted::off(9)).then_some(last)",
        "crate::planted::right(10, last.parse()).map_err",
        "1 if (most > 3) && !crate::planted::off(11) => return",
        "2 if !crate::planted::off(12) => return Ok(2)",
        "0 => ({ crate::planted::fires(13); Err(Error::Zero) })",
        "if ((last == most) || crate::planted::off(14)) { Ok(last) }",
    ] {
        assert!(planted.contains(part), "{part}\n{planted}");
    }
}

#[test]
fn every_crate_with_guards_can_be_planted() {
    for name in ["ethereum", "bitcoin", "frost", "bip32", "silent", "musig"] {
        let guards = of_crate(repository(), &format!("crates/{name}")).expect("its files can be read");
        assert!(guards.len() > 15, "{name}: {} guards", guards.len());
    }
}
