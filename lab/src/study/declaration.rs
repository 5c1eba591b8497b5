//! What a file of `lab/studies` declares: the libraries, the rows and the columns of a study's tables.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A study.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Study {
    pub(super) title: String,
    /// What its readers want to know.
    pub(super) question: String,
    /// The write-up: its title, its address, and what it measured on which machine.
    pub(super) source: [String; 3],
    /// Groups of libraries. A group is measured in turn on the same rows.
    #[serde(default)]
    subjects: BTreeMap<String, Vec<Subject>>,
    #[serde(rename = "table")]
    pub(super) tables: Vec<Table>,
}

/// A library, or ours in one of its forms.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Subject {
    pub(super) name: String,
    /// Words of `lab compare`: our side of the first of a group, the peer of the others. Or `sweep` and words of a sweep.
    words: String,
    /// The command that brings it to a machine that lacks it.
    pub(super) bring: Option<String>,
    /// Its name in published files.
    pub(super) published: Option<String>,
    /// The library that its gain is over.
    pub(super) over: Option<String>,
}

/// A table. One without measures has published rows and rows that stand here.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Table {
    pub(super) title: String,
    pub(super) about: String,
    /// What a key is.
    pub(super) key: String,
    /// Rows by name, with their words.
    keys: Vec<[String; 2]>,
    /// Or `--n {2|4|8}`: a row for each choice, named by it.
    each: String,
    /// A group of libraries.
    subjects: String,
    /// One row a library and key with all measures, in place of a column a library with the first.
    pub(super) long: bool,
    pub(super) measures: Vec<Measure>,
    pub(super) published: Vec<Published>,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// The study's closing line is about the first measure of this table.
    pub(super) answer: bool,
    pub(super) chart: Option<Chart>,
}

/// A chart of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chart {
    pub(super) kind: Kind,
    /// The measures that it draws.
    pub(super) y: Vec<String>,
    /// A measure; without this the key.
    pub(super) x: Option<String>,
}

/// What a chart draws. Axes of lines and points are logarithmic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Lines,
    Bars,
    /// One colour for each first part of a key.
    Points,
}

/// A row of a table: what it is called, and the words that it adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) name: String,
    words: String,
}

/// A column of figures.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Measure {
    pub(super) name: String,
    words: String,
    /// Each row by itself, in turn with rows computed together.
    apart: bool,
    /// Another group, with libraries of the same names.
    subjects: Option<String>,
    pub(super) value: Value,
    /// Divides nanoseconds, bytes or whatever the figure is.
    pub(super) per: Option<f64>,
    /// Multiplies a row's figure with the key.
    pub(super) times_key: bool,
    /// Of two other measures.
    pub(super) quotient: Option<[String; 2]>,
    /// In percent, how much less another measure is than that of the library that the gain is over.
    pub(super) gain: Option<String>,
}

/// What a figure is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Value {
    /// The median time.
    #[default]
    Time,
    /// The distance between the quartiles, as a fraction of the median.
    Spread,
    Mean,
    Deviation,
    Bytes,
    Allocations,
    PerSecond,
    /// Of a sweep: additions and doublings of a sum, the size of the tables, and the time to build them.
    Additions,
    Mebibytes,
    Build,
}

/// A published file, and where its figures stand in the table.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Published {
    pub(super) file: String,
    /// Where they were measured.
    pub(super) machine: String,
    /// Only rows with these values, by column.
    pub(super) only: BTreeMap<String, String>,
    /// The library that was measured, where it has rows of its own and no column names it.
    pub(super) library: String,
    /// The columns with the name of the library; without these and a library, a figure stands beside every library.
    pub(super) subject: Vec<String>,
    /// The columns that make the key.
    pub(super) key: Vec<String>,
    /// Measures, each with its column; in a table without measures, the columns in order.
    pub(super) cells: Vec<[String; 2]>,
}

/// What has to be measured for a cell: words that a group shares, and those of the peer, empty on our side.
pub(super) type Ask = (String, String);

/// Begins the words of a sweep.
pub(super) const SWEEP: &str = "sweep ";

impl Study {
    /// Reads a declaration.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let study: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let own = study.tables.iter().map(|table| &table.subjects).filter(|group| !group.is_empty());
        let others =
            study.tables.iter().flat_map(|table| &table.measures).filter_map(|measure| measure.subjects.as_ref());
        let unknown = own.chain(others).find(|group| !study.subjects.contains_key(*group)).cloned();
        unknown.map_or(Ok(study), |group| Err(format!("no libraries named {group}")))
    }

    /// The libraries of a table.
    pub(super) fn subjects(&self, table: &Table) -> &[Subject] {
        self.subjects.get(&table.subjects).map_or(&[], Vec::as_slice)
    }

    /// What is measured for a cell; nothing for a figure that follows from others.
    pub(super) fn ask(&self, table: &Table, subject: &Subject, key: &Key, measure: &Measure) -> Option<Ask> {
        let group = self.subjects.get(measure.subjects.as_ref().unwrap_or(&table.subjects))?;
        let place = group.iter().position(|other| other.name == subject.name)?;
        if measure.quotient.is_some() || measure.gain.is_some() {
            return None;
        }
        let own = &group[place].words;
        let first = if own.starts_with(SWEEP) { own } else { &group[0].words };
        let shared = [first, &*measure.words, &key.words].join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let peer = match (place, measure.apart) {
            (0, true) => "--peer phalanx --apart".to_owned(),
            (_, true) => format!("{own} --apart"),
            (0, false) => String::new(),
            (_, false) if own.starts_with(SWEEP) => String::new(),
            (_, false) => own.clone(),
        };
        Some((shared, peer))
    }

    /// All that has to be measured, in the order of the tables: the words of each group with those of its peers.
    pub(super) fn asks(&self) -> Vec<(String, Vec<String>)> {
        let mut asks: Vec<(String, Vec<String>)> = Vec::new();
        for table in &self.tables {
            for key in table.keys() {
                for measure in &table.measures {
                    for (shared, peer) in
                        self.subjects(table).iter().filter_map(|subject| self.ask(table, subject, &key, measure))
                    {
                        let place = asks.iter().position(|(other, _)| *other == shared).unwrap_or_else(|| {
                            asks.push((shared, Vec::new()));
                            asks.len() - 1
                        });
                        if !peer.is_empty() && !asks[place].1.contains(&peer) {
                            asks[place].1.push(peer);
                        }
                    }
                }
            }
        }
        asks
    }
}

impl Table {
    pub(super) fn keys(&self) -> Vec<Key> {
        let named = self.keys.iter().cloned().map(|[name, words]| Key { name, words });
        if self.each.is_empty() { named.collect() } else { expanded(&self.each) }
    }

    pub(super) fn measure(&self, name: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name == name)
    }
}

/// A key for each way to choose from the alternatives `{a|b|c}` of a pattern, named by what was chosen.
fn expanded(pattern: &str) -> Vec<Key> {
    let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (choices, after))) = parts else {
        return vec![Key { name: String::new(), words: pattern.to_owned() }];
    };
    let with = |choice| {
        expanded(after).into_iter().map(move |rest| Key {
            name: if rest.name.is_empty() { str::to_owned(choice) } else { format!("{choice}, {}", rest.name) },
            words: format!("{before}{choice}{}", rest.words),
        })
    };
    choices.split('|').flat_map(with).collect()
}
