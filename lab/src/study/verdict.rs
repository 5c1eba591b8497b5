//! What a table says: which library is fastest by how much, and where no difference was measured.

use super::{
    declaration::{Key, Measure, Subject, Value},
    grids::{BY_BACKEND, View, digits},
};
use crate::stats::{Summary, is_noise};

/// Our forms have names that begin so.
const OURS: &str = "Phalanx";
/// A name that ends so is of functions that no user can call.
const INSIDE: &str = "inside";

impl View<'_> {
    /// The fastest of a row by how much, or those between which no difference was measured.
    pub(super) fn winner(&self, key: &Key) -> String {
        // Our forms beside each other say nothing of other libraries.
        let rivals = |name: &str, other: &str| !(name.starts_with(OURS) && other.starts_with(OURS));
        let ranked = self.ranked(key, |_| true);
        let Some((first, name)) = ranked.first() else { return String::new() };
        let rest: Vec<_> = ranked[1..].iter().filter(|(_, other)| rivals(name, other)).collect();
        let equals: Vec<_> = rest.iter().filter(|(time, _)| is_noise(*first, *time)).collect();
        let spread = equals.iter().map(|(time, _)| time.spread).fold(first.spread, f64::max);
        let names = [*name].into_iter().chain(equals.iter().map(|(_, name)| *name)).collect::<Vec<_>>().join("; ");
        match rest.first() {
            None => (*name).to_owned(),
            Some((next, _)) if equals.is_empty() => {
                format!("{name}, {}x the next", digits(next.median / first.median))
            }
            Some(_) => format!("no difference: {names} (spread {:.0}%)", spread * 100.0),
        }
    }

    /// The time of a cell with its spread.
    fn time(&self, subject: &Subject, key: &Key, measure: &Measure) -> Option<Summary> {
        let median = self.figure(subject, key, measure)?;
        let figures = self.measured.get(&self.study.ask(self.table, subject, key, measure)?)?.as_ref().ok()?;
        Some(Summary { median, spread: *figures.get(&Value::Spread)?, ..Summary::default() })
    }

    /// Libraries by the first measure, the least first.
    fn ranked(&self, key: &Key, wanted: impl Fn(&Subject) -> bool) -> Vec<(Summary, &str)> {
        let time = |subject| self.time(subject, key, &self.table.measures[0]);
        let wanted = self.subjects.iter().filter(|subject| wanted(subject));
        let mut ranked: Vec<_> = wanted.filter_map(|subject| Some((time(subject)?, &*subject.name))).collect();
        ranked.sort_by(|left, right| left.0.median.total_cmp(&right.0.median));
        ranked
    }

    /// The closing line of a table: its gains, or what is fastest.
    pub(super) fn answer(&self) -> String {
        self.table.measures.iter().find_map(|measure| self.gains(measure)).unwrap_or_else(|| self.fastest())
    }

    /// The library that a gain is over.
    fn over(&self, subject: &Subject) -> Option<&Subject> {
        self.subjects.iter().find(|other| subject.over.as_ref() == Some(&other.name))
    }

    /// In percent, how much less a measure is than that of the library that the gain is over, and whether that is noise.
    pub(super) fn gain(&self, subject: &Subject, key: &Key, measure: &Measure) -> Option<(f64, bool)> {
        let of = self.table.measure(measure.gain.as_ref()?)?;
        let [with, without] = [self.time(subject, key, of)?, self.time(self.over(subject)?, key, of)?];
        Some(((without.median / with.median - 1.0) * 100.0, is_noise(with, without)))
    }

    /// A measure of gains in words: of each library that has one, here and as published.
    fn gains(&self, measure: &Measure) -> Option<String> {
        let of = measure.gain.as_ref()?;
        let mut said = Vec::new();
        for (subject, key) in self.subjects.iter().flat_map(|subject| self.keys.iter().map(move |key| (subject, key))) {
            let Some(over) = self.over(subject) else { continue };
            let here = match self.gain(subject, key, measure) {
                Some((_, true)) => "no difference".into(),
                Some((percent, _)) => digits(percent) + "%",
                None => "not measured".into(),
            };
            let mut text = format!("{here} in {}", subject.name);
            let cells = [subject, over].map(|subject| self.published(subject.published.as_ref(), &key.name));
            for ((name, machine), (with, without)) in self.elsewhere().zip(cells[0].iter().zip(&cells[1])) {
                if let (true, Ok(with), Ok(without)) = (name == of, with.parse::<f64>(), without.parse::<f64>()) {
                    let percent = digits((without / with - 1.0) * 100.0);
                    text += &format!(" ({percent}% as published, on {machine})");
                }
            }
            said.push(text);
        }
        Some(format!("The {}: {}.", measure.name, said.join("; ")))
    }

    /// What is fastest by how much, among libraries that a user can call.
    fn fastest(&self) -> String {
        let (mut ahead, mut level, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        for key in &self.keys {
            let ours = self.ranked(key, |subject| subject.name.starts_with(OURS));
            let others = self.ranked(key, |subject| !subject.name.starts_with(OURS) && !subject.name.ends_with(INSIDE));
            let Some(((ours, name), (other, peer))) = ours.first().zip(others.first()) else { continue };
            let letter = if self.table.key.len() == 1 { format!("{} = ", self.table.key) } else { String::new() };
            let form = name.strip_prefix(BY_BACKEND).map_or_else(String::new, |form| format!(" ({form})"));
            let (place, ratio) = (format!("{letter}{}{form}", key.name), other.median / ours.median);
            let times = |ratio: f64| format!("{} times as fast as", digits(ratio));
            let equals: Vec<&str> =
                others.iter().filter(|(other, _)| is_noise(*ours, *other)).map(|(_, name)| *name).collect();
            if equals.contains(peer) || ratio > 1.0 && !equals.is_empty() {
                level.push(format!("{place} beside {}", equals.join(", ")));
            } else if ratio > 1.0 {
                ahead.push((ratio, format!("{} {peer} at {place}", times(ratio))));
            } else {
                behind.push(format!("{peer} is {} Phalanx at {place}", times(1.0 / ratio)));
            }
        }
        let all = ahead.len() + level.len() + behind.len();
        if all == 0 {
            return "Phalanx was not measured beside another library.".to_owned();
        }
        ahead.sort_by(|left, right| left.0.total_cmp(&right.0));
        let range = match &ahead[..] {
            [] => String::new(),
            [(_, only)] => format!(": {only}"),
            [(_, least), .., (_, most)] => format!(": {least} to {most}"),
        };
        let mut said = vec![format!(
            "Among libraries that a user can call, Phalanx is the fastest in {} of {all} rows{range}.",
            ahead.len()
        )];
        if !level.is_empty() {
            said.push(format!("No difference was measured at {}.", level.join("; ")));
        }
        said.extend(behind.into_iter().map(|row| row + "."));
        said.join(" ")
    }
}
