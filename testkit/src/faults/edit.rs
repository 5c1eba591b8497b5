//! Edits that name what they change: an expression within a function, and another that takes its place.
//!
//! `call("madd").within(value("c9")).keep(RECEIVER)` drops the one call of `madd` in what `c9` is set to. Where a name
//! stands more than once, `nth` counts from 1, within the function or what `within` names, in the order of the source.
//! An edit elsewhere moves nothing.
//!
//! These are our own operators over `syn`, and not cargo-mutants: that makes all mutants of a function by its own
//! choice and compiles each, while a fault here is one certain edit that stands in one build with all others.

use super::functions::nodes_of;
use super::nodes::{Kind, Node};
use std::collections::BTreeMap;
use std::ops::Range;

/// The part 0 of a call of a method.
pub const RECEIVER: usize = 0;
/// The part 0 of an operation.
pub const LEFT: usize = 0;
/// The part 1 of an operation.
pub const RIGHT: usize = 1;

/// An expression of a function: the steps that lead to it, each within the place where the one before it leads.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    steps: [Step; STEPS],
    /// How many of them count.
    count: usize,
}

/// More than any place takes.
const STEPS: usize = 4;

#[derive(Debug, Clone, Copy)]
enum Step {
    Find { kind: Kind, name: &'static str, nth: Option<usize> },
    Part(usize),
}

/// What an expression becomes.
#[derive(Debug, Clone, Copy)]
enum Change {
    Keep(usize),
    Swap(usize, usize),
    Rename(&'static str),
    Become(&'static str),
}

/// A place and its change.
#[derive(Debug, Clone, Copy)]
pub struct Edit {
    place: Place,
    change: Change,
}

/// What an edit comes to in the source of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// The bytes of an expression that can be chosen when the program runs.
    pub at: Range<usize>,
    /// The wrong expression.
    pub wrong: String,
}

/// A call of a function, a method or a macro, by the last name of its path.
pub const fn call(name: &'static str) -> Place {
    find(Kind::Call, name)
}

/// What a variable, a field or a constant is set to, by `let`, `=` or another assignment, or `field: value`.
pub const fn value(name: &'static str) -> Place {
    find(Kind::Value, name)
}

/// The condition of an `if`, a `while` or the guard of an arm.
pub const fn condition() -> Place {
    find(Kind::Condition, "")
}

/// An operation, by its operator. Assignments are some.
pub const fn operation(operator: &'static str) -> Place {
    find(Kind::Operation, operator)
}

/// A literal as it is written.
pub const fn literal(text: &'static str) -> Place {
    find(Kind::Literal, text)
}

/// The last expression of the function.
pub const fn answer() -> Place {
    find(Kind::Answer, "")
}

const fn find(kind: Kind, name: &'static str) -> Place {
    Place { steps: [Step::Find { kind, name, nth: None }; STEPS], count: 1 }
}

impl Place {
    /// The one with this number, from 1 on, where there are several.
    #[must_use]
    pub const fn nth(mut self, number: usize) -> Place {
        if let Step::Find { nth, .. } = &mut self.steps[self.count - 1] {
            *nth = Some(number);
        }
        self
    }

    /// The same, looked for within another place.
    #[must_use]
    pub const fn within(self, mut outer: Place) -> Place {
        let mut step = 0;
        while step < self.count {
            outer = outer.then(self.steps[step]);
            step += 1;
        }
        outer
    }

    /// A part of a call or an operation: arguments are counted from 1. What is borrowed stands for itself, without `&`.
    #[must_use]
    pub const fn part(self, part: usize) -> Place {
        self.then(Step::Part(part))
    }

    const fn then(mut self, step: Step) -> Place {
        self.steps[self.count] = step;
        self.count += 1;
        self
    }

    /// Leaves one part of a call or an operation.
    #[must_use]
    pub const fn keep(self, part: usize) -> Edit {
        Edit { place: self, change: Change::Keep(part) }
    }

    /// Two parts of a call or an operation change places.
    #[must_use]
    pub const fn swap(self, one: usize, other: usize) -> Edit {
        Edit { place: self, change: Change::Swap(one, other) }
    }

    /// Another function is called, or another operator stands there.
    #[must_use]
    pub const fn rename(self, name: &'static str) -> Edit {
        Edit { place: self, change: Change::Rename(name) }
    }

    /// Something else stands there, in which `{}` is what was there.
    #[must_use]
    pub const fn becomes(self, text: &'static str) -> Edit {
        Edit { place: self, change: Change::Become(text) }
    }
}

impl Edit {
    /// What changes in a file, in the function or the constant with this path.
    ///
    /// # Errors
    /// That the place is not there, or not once, and what could be meant.
    pub fn apply(&self, source: &str, function: &str) -> Result<Replacement, String> {
        let nodes = nodes_of(source, function)?;
        // Where the last step leads to, and what can be chosen around it.
        let (mut at, mut choice) = (0..source.len(), 0..source.len());
        for step in &self.place.steps[..self.place.count] {
            match step {
                Step::Find { kind, name, nth } => {
                    let node = pick(&nodes, &at, *kind, name, *nth, source);
                    let node = node.map_err(|wrong| format!("`{function}` has {wrong}"))?;
                    (at, choice) = (node.at.clone(), node.choice.clone());
                }
                Step::Part(part) => {
                    let whole = whole(&nodes, &at)?;
                    at = behind_borrow(source, part_of(whole, *part)?);
                    choice = if whole.choice == whole.at { at.clone() } else { choice };
                }
            }
        }
        let edits = match self.change {
            Change::Become(text) => vec![(at.clone(), text.replace("{}", &source[at]))],
            Change::Keep(part) => vec![(at.clone(), source[part_of(whole(&nodes, &at)?, part)?].to_owned())],
            Change::Rename(name) => vec![(whole(&nodes, &at)?.name_at.clone(), name.to_owned())],
            Change::Swap(one, other) => {
                let whole = whole(&nodes, &at)?;
                let (one, other) = (part_of(whole, one)?, part_of(whole, other)?);
                vec![(one.clone(), source[other.clone()].to_owned()), (other, source[one].to_owned())]
            }
        };
        let moved = |(at, text): (Range<usize>, String)| (at.start - choice.start..at.end - choice.start, text);
        let wrong = replace(&source[choice.clone()], edits.into_iter().map(moved).collect())?;
        Ok(Replacement { at: choice, wrong })
    }
}

/// A text with some ranges replaced.
///
/// # Errors
/// That two of them meet.
pub fn replace(text: &str, mut edits: Vec<(Range<usize>, String)>) -> Result<String, String> {
    edits.sort_by_key(|(at, _)| at.start);
    let (mut result, mut done) = (String::new(), 0);
    for (at, new) in edits {
        let before = text.get(done..at.start).ok_or_else(|| format!("two edits meet at `{}`", &text[at.clone()]))?;
        result.extend([before, &new]);
        done = at.end;
    }
    result.push_str(&text[done..]);
    Ok(result)
}

/// What is put around some bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// The bytes.
    pub at: Range<usize>,
    /// What stands before them.
    pub before: String,
    /// What stands behind them.
    pub behind: String,
}

/// A text with insertions, which may lie within each other but not across.
pub fn insert(text: &str, mut insertions: Vec<Insertion>) -> String {
    // The outer ones first: theirs then stand further out at a place that they share.
    insertions.sort_by_key(|insertion| (insertion.at.start, std::cmp::Reverse(insertion.at.end)));
    let mut at: BTreeMap<usize, (String, String)> = BTreeMap::new();
    for Insertion { at: bytes, before, behind } in insertions {
        at.entry(bytes.start).or_default().1.push_str(&before);
        at.entry(bytes.end).or_default().0.insert_str(0, &behind);
    }
    let (mut result, mut done) = (String::new(), 0);
    for (place, (ends, starts)) in at {
        result.extend([&text[done..place], &ends, &starts]);
        done = place;
    }
    result.push_str(&text[done..]);
    result
}

/// The node of a kind with a name within these bytes.
///
/// # Errors
/// How many there are, and which could be meant.
fn pick<'n>(
    nodes: &'n [Node],
    within: &Range<usize>,
    kind: Kind,
    name: &str,
    nth: Option<usize>,
    source: &str,
) -> Result<&'n Node, String> {
    let inside = |node: &&Node| node.kind == kind && within.start <= node.at.start && node.at.end <= within.end;
    let all: Vec<&Node> = nodes.iter().filter(inside).collect();
    let named: Vec<&Node> = all.iter().copied().filter(|node| node.name == name).collect();
    match (nth, &named[..]) {
        (None, [one]) => Ok(one),
        (Some(number), named) if (1..=named.len()).contains(&number) => Ok(named[number - 1]),
        _ => {
            let expected = nth.map_or("one".to_owned(), |number| format!("number {number}"));
            let candidates = if named.is_empty() { &all } else { &named };
            let text = |node: &Node| source[node.at.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
            let line = |(number, node): (usize, &&Node)| format!("\n  {number} {}: {}", node.name, text(node));
            let lines: String = (1..).zip(candidates).map(line).collect();
            Err(format!("{} of {kind:?} `{name}` where {expected} is expected; it has{lines}", named.len()))
        }
    }
}

/// The call or the operation that stands there.
fn whole<'n>(nodes: &'n [Node], at: &Range<usize>) -> Result<&'n Node, String> {
    let whole = nodes.iter().find(|node| node.at == *at && !node.parts.is_empty());
    whole.ok_or("what is found is no call and no operation".into())
}

fn part_of(node: &Node, part: usize) -> Result<Range<usize>, String> {
    node.parts.get(part).cloned().ok_or_else(|| format!("`{}` has no part {part}", node.name))
}

/// Without a `&` in front.
fn behind_borrow(source: &str, at: Range<usize>) -> Range<usize> {
    match source[at.clone()].strip_prefix('&') {
        Some(rest) => at.end - rest.strip_prefix("mut ").unwrap_or(rest).len()..at.end,
        None => at,
    }
}
