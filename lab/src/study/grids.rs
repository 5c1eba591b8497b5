//! The tables of a study, from what was measured and what was published.

use super::declaration::{Ask, Key, Kind, Measure, Published, Study, Subject, Table, Value};
use crate::{
    chart::{Bars, Chart, Plot, Series},
    outcome::table,
    revision::lab,
};
use std::{collections::BTreeMap, fs};

/// The figures of a library, or why it has none.
pub(super) type Figures = Result<BTreeMap<Value, f64>, String>;

/// A table as it is printed.
pub(super) struct Grid {
    pub(super) title: String,
    pub(super) about: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) notes: Vec<String>,
    pub(super) chart: Option<Chart>,
}

/// Our forms by one backend, which not every CPU has, have names that begin so.
pub(super) const BY_BACKEND: &str = "Phalanx, ";

impl Grid {
    pub(super) fn markdown(&self) -> String {
        let notes: String = self.notes.iter().map(|note| format!("\n- {note}\n")).collect();
        let about = if self.about.is_empty() { String::new() } else { format!("{}\n\n", self.about) };
        format!("### {}\n\n{about}{}{notes}", self.title, table(&self.columns, &self.rows))
    }
}

/// A row of a published file: its cells by column.
type Line = BTreeMap<String, String>;

/// The rows of a published file that the table shows.
fn read(published: &Published) -> Result<Vec<Line>, String> {
    let path = lab().join("published").join(&published.file).with_extension("csv");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let columns = lines.next().unwrap_or_default();
    let wanted = published
        .cells
        .iter()
        .map(|[_, column]| column)
        .chain(&published.subject)
        .chain(&published.key)
        .chain(published.only.keys());
    if let Some(missing) = wanted.into_iter().find(|column| !columns.contains(column)) {
        return Err(format!("{} has no column {missing}", path.display()));
    }
    let rows = lines.map(|cells| columns.iter().cloned().zip(cells).collect::<Line>());
    Ok(rows.filter(|row| published.only.iter().all(|(column, value)| row[column] == *value)).collect())
}

/// The library of a published row, if one is named.
fn library(file: &Published, line: &Line) -> Option<String> {
    let named = if file.subject.is_empty() { file.library.clone() } else { joined(line, &file.subject) };
    Some(named).filter(|name| !name.is_empty())
}

/// The cells of some columns as one name.
fn joined(row: &Line, columns: &[String]) -> String {
    columns.iter().map(|column| row[column].replace('_', " ")).collect::<Vec<_>>().join(", ")
}

/// Three significant digits.
pub(super) fn digits(value: f64) -> String {
    let decimals = match value.abs() {
        _ if value.fract() == 0.0 || value.abs() >= 100.0 => 0,
        size if size < 0.01 => 5,
        size if size < 0.1 => 4,
        size if size < 10.0 => 2,
        size => usize::from(size < 100.0),
    };
    format!("{value:.decimals$}")
}

/// A table with what it shows.
pub(super) struct View<'a> {
    pub(super) study: &'a Study,
    pub(super) table: &'a Table,
    pub(super) measured: &'a BTreeMap<Ask, Figures>,
    pub(super) subjects: &'a [Subject],
    pub(super) keys: Vec<Key>,
    /// The published files with their rows.
    files: Vec<(&'a Published, Vec<Line>)>,
}

/// The grids of a study, and its closing line.
pub(super) fn grids(study: &Study, measured: &BTreeMap<Ask, Figures>) -> Result<(Vec<Grid>, String), String> {
    let (mut grids, mut answers) = (Vec::new(), Vec::new());
    for table in &study.tables {
        let files = table.published.iter().map(|file| Ok((file, read(file)?))).collect::<Result<Vec<_>, String>>()?;
        let view = View { study, table, measured, subjects: study.subjects(table), keys: table.keys(), files };
        grids.push(view.grid());
        answers.extend(table.answer.then(|| view.answer()));
    }
    Ok((grids, answers.join(" ")))
}

impl View<'_> {
    fn grid(&self) -> Grid {
        let Table { title, about, .. } = self.table;
        let (columns, rows) = match self.table {
            Table { measures, .. } if measures.is_empty() => self.fixed(),
            Table { long: true, .. } => self.long(),
            _ => self.wide(),
        };
        let notes = self.subjects.iter().filter(|subject| !self.is_there(subject)).map(|subject| self.absence(subject));
        let (notes, chart) = (notes.collect(), self.chart());
        Grid { title: title.clone(), about: about.clone(), columns, rows, notes, chart }
    }

    /// The figure of a cell.
    pub(super) fn figure(&self, subject: &Subject, key: &Key, measure: &Measure) -> Option<f64> {
        if let Some([above, below]) = &measure.quotient {
            let figure = |name: &str| self.figure(subject, key, self.table.measure(name)?);
            return Some(figure(above)? / figure(below)?);
        }
        let figures = self.measured.get(&self.study.ask(self.table, subject, key, measure)?)?.as_ref().ok()?;
        let figure = match measure.value {
            Value::PerSecond => 1e9 / figures.get(&Value::Time)?,
            value => figures.get(&value)? / measure.per.unwrap_or(1.0),
        };
        Some(if measure.times_key { figure * key.name.parse::<f64>().ok()? } else { figure })
    }

    fn text(&self, subject: &Subject, key: &Key, measure: &Measure) -> String {
        if measure.gain.is_some() {
            return match self.gain(subject, key, measure) {
                Some((_, true)) => "no difference".into(),
                gain => gain.map_or_else(String::new, |(percent, _)| digits(percent) + "%"),
            };
        }
        let unit = if measure.quotient.is_some() { "x" } else { "" };
        let whole = [Value::Bytes, Value::Allocations].contains(&measure.value) && measure.per.is_none();
        let figure = self.figure(subject, key, measure).map(|value| if whole { value.round() } else { value });
        figure.map_or_else(String::new, |value| digits(value) + unit)
    }

    /// What was measured of a library in this table.
    fn results(&self, subject: &Subject) -> impl Iterator<Item = &Figures> {
        let asks = self.keys.iter().flat_map(move |key| {
            self.table.measures.iter().filter_map(move |measure| self.study.ask(self.table, subject, key, measure))
        });
        asks.filter_map(|ask| self.measured.get(&ask))
    }

    fn is_there(&self, subject: &Subject) -> bool {
        self.results(subject).any(Result::is_ok)
    }

    /// A backend that this CPU lacks has nothing to show.
    fn is_shown(&self, subject: &Subject) -> bool {
        self.is_there(subject) || !subject.name.starts_with(BY_BACKEND)
    }

    /// Why a library has no figure, and what brings it.
    fn absence(&self, subject: &Subject) -> String {
        let reason = self.results(subject).find_map(|result| result.as_ref().err().cloned());
        let reason = reason.unwrap_or_else(|| "not measured, because the run was stopped".into());
        let reason = reason.split_once(" is absent: ").map_or(&*reason, |(_, reason)| reason);
        let bring = subject.bring.as_ref().map_or_else(String::new, |bring| format!(" To bring it: {bring}."));
        format!("{} is absent: {}.{bring}", subject.name, reason.trim_end_matches('.'))
    }

    /// The published columns: each with its measure and its machine.
    pub(super) fn elsewhere(&self) -> impl Iterator<Item = (&String, &String)> {
        self.files.iter().flat_map(|(file, _)| file.cells.iter().map(move |[measure, _]| (measure, &file.machine)))
    }

    /// Their cells for a library's name and a key.
    pub(super) fn published(&self, name: Option<&String>, key: &str) -> Vec<String> {
        let cells = self.files.iter().flat_map(|(file, lines)| {
            let is_it = |line: &&Line| {
                library(file, line).is_none_or(|library| Some(&library) == name)
                    && (file.key.is_empty() || joined(line, &file.key) == key)
            };
            let line = lines.iter().find(is_it);
            file.cells.iter().map(move |[_, column]| line.map_or_else(String::new, |line| line[column].clone()))
        });
        cells.collect()
    }

    /// A table without measures: what stands in its declaration, and what was published.
    fn fixed(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let with = |cells: &[String], source: &str| [cells, &[source.to_owned()]].concat();
        let published = self.files.iter().flat_map(|(file, lines)| {
            lines.iter().map(|line| file.cells.iter().map(|[_, column]| line[column].clone()).collect::<Vec<_>>())
        });
        let stated = self.table.rows.iter().map(|row| with(row, "stated here"));
        let rows = stated.chain(published.map(|row| with(&row, "published"))).collect();
        (with(&self.table.columns, "source"), rows)
    }

    /// A row a library and key, with published figures behind those measured here.
    fn long(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let measures = &self.table.measures;
        let elsewhere = self.elsewhere().map(|(measure, machine)| format!("{measure}, published, {machine}"));
        let head = ["library".to_owned(), self.table.key.clone()].into_iter();
        let columns = head.chain(measures.iter().map(|measure| measure.name.clone())).chain(elsewhere).collect();
        let mut rows = Vec::new();
        for subject in self.subjects.iter().filter(|subject| self.is_shown(subject)) {
            let gap = if self.is_there(subject) { "" } else { "absent" };
            for key in &self.keys {
                let text = |measure| Some(self.text(subject, key, measure)).filter(|text| !text.is_empty());
                let measured = measures.iter().map(|measure| text(measure).unwrap_or_else(|| gap.to_owned()));
                let cells: Vec<_> = measured.chain(self.published(subject.published.as_ref(), &key.name)).collect();
                if cells.iter().any(|cell| !cell.is_empty()) {
                    rows.push([vec![subject.name.clone(), key.name.clone()], cells].concat());
                }
            }
        }
        let known = |name: &String| self.subjects.iter().any(|subject| subject.published.as_ref() == Some(name));
        for (file, lines) in &self.files {
            for line in lines {
                let (name, key) = (library(file, line), joined(line, &file.key));
                let Some(name) = name.filter(|name| !known(name)) else { continue };
                let none = vec!["not measured here".to_owned(); measures.len()];
                let cells = self.published(Some(&name), &key);
                rows.push([vec![name, key], none, cells].concat());
            }
        }
        (columns, rows)
    }

    /// A row a key with a column a library, of the first measure.
    fn wide(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let measure = &self.table.measures[0];
        let shown: Vec<&Subject> = self.subjects.iter().filter(|subject| self.is_shown(subject)).collect();
        let names = shown.iter().map(|subject| subject.name.clone());
        let columns = [self.table.key.clone()].into_iter().chain(names).chain(["fastest here".to_owned()]).collect();
        let row = |key: &Key| {
            let cell = |subject: &&Subject| {
                if self.is_there(subject) { self.text(subject, key, measure) } else { "absent".into() }
            };
            [key.name.clone()].into_iter().chain(shown.iter().map(cell)).chain([self.winner(key)]).collect()
        };
        (columns, self.keys.iter().map(row).collect())
    }

    fn chart(&self) -> Option<Chart> {
        let declared = self.table.chart.as_ref()?;
        let y: Vec<&Measure> = declared.y.iter().filter_map(|name| self.table.measure(name)).collect();
        let x = declared.x.as_ref().and_then(|name| self.table.measure(name));
        let there: Vec<&Subject> = self.subjects.iter().filter(|subject| self.is_there(subject)).collect();
        let first = |names: &str| names.split(',').next().unwrap_or_default().to_owned();
        let title = there.first().map(|_| self.table.title.clone())?;
        if declared.kind == Kind::Bars {
            let bars = |key: &Key| {
                let value = |(place, subject): (usize, &&Subject)| Some((place, self.figure(subject, key, y[0])?));
                (key.name.clone(), there.iter().enumerate().filter_map(value).collect())
            };
            let series = there.iter().map(|subject| subject.name.clone()).collect();
            let groups = self.keys.iter().map(bars).collect();
            return Some(Chart::Bars(Bars { title, note: String::new(), unit: y[0].name.clone(), series, groups }));
        }
        let mut series: Vec<Series> = Vec::new();
        for (colour, subject) in there.iter().enumerate() {
            for (style, measure) in y.iter().enumerate() {
                for key in &self.keys {
                    let at = x.map_or_else(|| key.name.parse().ok(), |x| self.figure(subject, key, x));
                    let Some(point) = at.zip(self.figure(subject, key, measure)) else { continue };
                    let name = match (declared.kind, y.len()) {
                        (Kind::Points, _) => [&self.table.key, &key.name].map(|name| first(name)).join(" "),
                        (_, 1) => subject.name.clone(),
                        _ => format!("{}, {}", subject.name, measure.name),
                    };
                    if let Some(last) = series.last_mut().filter(|last| last.name == name) {
                        last.points.push(point);
                        continue;
                    }
                    let colour = if declared.kind == Kind::Points { series.len() } else { colour };
                    series.push(Series { name, colour, is_dashed: style > 0, points: vec![point] });
                }
            }
        }
        let axes = [x.map_or_else(|| self.table.key.clone(), |x| x.name.clone()), declared.y.join(", ")];
        Some(Chart::Plot(Plot { title, axes, are_lines: declared.kind == Kind::Lines, series }))
    }
}
