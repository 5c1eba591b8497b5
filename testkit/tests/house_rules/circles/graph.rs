//! Which modules of a crate need which others, and the circles among them.
//!
//! A module needs another when it names an item that the other one defines. A name that is handed on (`pub use`) is
//! followed to its definition, so that what a parent hands on of its children is neither a need of the parent nor of
//! the parent. Three things are no needs: a name that is handed on and not used; a module that is named alone, because
//! what is used of it is named as well; what a module names of its ancestors. The last is a rule: a parent holds the
//! words that its children share, and its functions choose among the children.
//!
//! A circle is sought on each level: among the children of one parent, each with all that is within it. So two folders
//! make a circle when one file of each needs one of the other, even if these are four files.

use crate::source::{Segments, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::slice::from_ref;

/// A module that needs, the module that is needed, and an item of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Need {
    pub(crate) from: Segments,
    pub(crate) to: Segments,
    pub(crate) item: String,
}

/// Children of one parent that need each other.
#[derive(Debug)]
pub(crate) struct Circle {
    pub(crate) members: BTreeSet<Segments>,
    /// The needs between members.
    pub(crate) needs: Vec<Need>,
}

impl Circle {
    /// Its members, side by side.
    pub(crate) fn names(&self) -> String {
        self.members.iter().map(|member| member.join("::")).collect::<Vec<_>>().join(" ")
    }

    /// Who needs what of whom, a line each.
    pub(crate) fn ways(&self) -> String {
        let line = |need: &Need| format!("  {} needs {} of {}\n", need.from.join("::"), need.item, need.to.join("::"));
        self.needs.iter().map(line).collect()
    }
}

/// What the modules of a crate need, those for tests alone left out.
pub(crate) fn needs(source: &Source) -> BTreeSet<Need> {
    let mut needs = BTreeSet::new();
    for (from, module) in source.modules.iter().filter(|(_, module)| !module.test) {
        let mut note = |path: &[String]| {
            let places = source.places(from, path);
            let others = places.into_iter().filter(|(to, _)| !from.starts_with(to));
            needs.extend(others.map(|(to, item)| Need { from: from.clone(), to, item }));
        };
        for import in &module.imports {
            match &import.name[..] {
                // A glob brings in what is used of it.
                "*" => module.idents.iter().for_each(|name| note(&[&import.path[..], from_ref(name)].concat())),
                name if !import.exported || module.idents.contains(name) => note(&import.path),
                _ => {}
            }
        }
        module.paths.iter().for_each(|path| note(path));
    }
    needs
}

/// From the children of one parent to those that they need.
type Level<'a> = BTreeMap<&'a [String], BTreeSet<&'a [String]>>;

/// The circles of each level.
pub(crate) fn circles(needs: &BTreeSet<Need>) -> Vec<Circle> {
    // By parent.
    let mut levels: BTreeMap<&[String], Level> = BTreeMap::new();
    for Need { from, to, .. } in needs {
        let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        // What an ancestor needs of its descendants is on no level.
        if shared < from.len() && shared < to.len() {
            let level = levels.entry(&from[..shared]).or_default();
            level.entry(&from[..=shared]).or_default().insert(&to[..=shared]);
        }
    }
    let mut circles = Vec::new();
    for level in levels.values() {
        let reached: BTreeMap<_, _> = level.keys().map(|&child| (child, reached(level, child))).collect();
        let with = |child: &[String]| -> BTreeSet<Segments> {
            let back = |other: &&[String]| reached.get(other).is_some_and(|reached| reached.contains(child));
            reached[child].iter().filter(|other| back(other)).map(|other| other.to_vec()).collect()
        };
        let found: BTreeSet<_> = level.keys().map(|child| with(child)).filter(|members| !members.is_empty()).collect();
        circles.extend(found.into_iter().map(|members| {
            let member = |path: &[String]| members.iter().find(|member| path.starts_with(member)).cloned();
            let between = |need: &&Need| member(&need.from).zip(member(&need.to)).is_some_and(|(from, to)| from != to);
            Circle { needs: needs.iter().filter(between).cloned().collect(), members }
        }));
    }
    circles
}

/// All that a child needs, and what these need.
fn reached<'a>(level: &Level<'a>, child: &'a [String]) -> BTreeSet<&'a [String]> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![child];
    while let Some(next) = waiting.pop() {
        let needed = level.get(next).into_iter().flatten();
        waiting.extend(needed.filter(|needed| reached.insert(**needed)));
    }
    reached
}

/// Where a path begins that is followed.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// In the module itself.
    Here,
    /// In an import of the module: its first segment is not what a glob brings in, or every glob would lead to itself.
    Import,
    /// In a module that the path has led to.
    Within,
}

impl Source {
    /// The modules that define what a path within a module names, each with the name. None for a path out of the
    /// crate, nor for one that ends at a module.
    fn places(&self, module: &[String], path: &[String]) -> BTreeSet<(Segments, String)> {
        let mut places = BTreeSet::new();
        self.follow(module, path, Start::Here, &mut Vec::new(), &mut places);
        places
    }

    /// `passed` are the imports on the way here, by module and number; none is passed twice.
    fn follow(
        &self,
        at: &[String],
        path: &[String],
        start: Start,
        passed: &mut Vec<(Segments, usize)>,
        places: &mut BTreeSet<(Segments, String)>,
    ) {
        let Some((segment, rest)) = path.split_first() else { return };
        match &segment[..] {
            "crate" => return self.follow(&[], rest, Start::Within, passed, places),
            "self" => return self.follow(at, rest, Start::Within, passed, places),
            "super" => return self.follow(&at[..at.len().saturating_sub(1)], rest, Start::Within, passed, places),
            _ => {}
        }
        let module = &self.modules[at];
        if module.defined.contains(segment) {
            places.insert((at.to_vec(), segment.clone()));
        }
        if module.children.contains(segment) {
            self.follow(&[at, from_ref(segment)].concat(), rest, Start::Within, passed, places);
            // Of an item of the same name nothing can follow.
            if !rest.is_empty() {
                return;
            }
        }
        for (number, import) in module.imports.iter().enumerate() {
            let rest = match &import.name[..] {
                "*" if start != Start::Import => path,
                name if name == segment => rest,
                _ => continue,
            };
            let here = (at.to_vec(), number);
            if !passed.contains(&here) {
                passed.push(here);
                self.follow(at, &[&import.path, rest].concat(), Start::Import, passed, places);
                passed.pop();
            }
        }
    }
}
