//! What was measured, for people and for machines.

use std::fmt::Write;

use phalanx::Backend;
use serde_json::{Value, json};

use super::sample::{Measured, Rate};
use super::work::Way;

/// Columns of a terminal that all text keeps within.
const WIDTH: usize = 80;
/// Columns of an operation's name.
const NAMES: usize = 24;
/// Columns of a gain.
const GAIN: usize = 9;
/// A spread above which rates are called rough.
const ROUGH: f64 = 0.1;

/// A completed run.
pub(super) struct BenchReport {
    pub(super) cpu: Option<String>,
    pub(super) features: Vec<&'static str>,
    pub(super) threads: usize,
    /// Threads of all programs that wanted to run before this one began.
    pub(super) load: Option<f64>,
    /// Those that were measured.
    pub(super) backends: Vec<Backend>,
    pub(super) chosen: Backend,
    pub(super) seconds: f64,
    pub(super) measured: Vec<Measured>,
}

impl BenchReport {
    /// One JSON object on one line; the help of the command describes it.
    pub(super) fn json(&self) -> String {
        let rates = self.measured.iter().flat_map(|measured| {
            let rates = self.backends.iter().zip(&measured.rates);
            rates.filter_map(|(backend, rate)| Some(self.rate_json(measured, *backend, rate.as_ref()?)))
        });
        let gains = self.measured.iter().filter_map(|measured| {
            let Value::Object(mut object) = self.what_json(measured) else { return None };
            object.insert("gain".into(), json!(measured.gain?));
            object.insert("best".into(), json!(self.best(measured)));
            Some(object)
        });
        let names: Vec<&str> = self.backends.iter().map(|backend| backend.name()).collect();
        let json = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "cpu": self.cpu,
            "features": self.features,
            "threads": self.threads,
            "load": self.load,
            "backends": names,
            "backend": self.chosen.name(),
            "seconds": self.seconds,
            "rates": rates.collect::<Vec<_>>(),
            "gains": gains.collect::<Vec<_>>(),
        });
        format!("{json}\n")
    }

    /// What a rate or a gain is of.
    fn what_json(&self, measured: &Measured) -> Value {
        json!({
            "operation": measured.operation.name(),
            "way": if measured.way == Way::Single { "single" } else { "bulk" },
            "threads": if measured.way == Way::AllThreads { self.threads } else { 1 },
        })
    }

    fn rate_json(&self, measured: &Measured, backend: Backend, rate: &Rate) -> Value {
        let mut json = self.what_json(measured);
        json["backend"] = json!(backend.name());
        json["rows_per_second"] = json!(rate.rows_per_second);
        json["spread"] = json!(rate.spread);
        json["samples"] = json!(rate.samples);
        json["rows_per_call"] = json!(rate.rows_per_call);
        json
    }

    /// The name of the backend with the highest rate.
    fn best(&self, measured: &Measured) -> Option<&'static str> {
        let rates = self.backends.iter().zip(&measured.rates);
        let rates = rates.filter_map(|(backend, rate)| Some((backend.name(), rate.as_ref()?.rows_per_second)));
        rates.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(name, _)| name)
    }

    /// A table for each way, and what was measured on.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("Rows per second; of a sum, products per second.\n\n");
        for way in Way::ALL {
            self.table(way, &mut text);
        }
        self.foot(&mut text);
        text
    }

    /// The operations computed in one way, a line each. Backends that a line has no room for get a table of their own.
    fn table(&self, way: Way, text: &mut String) {
        let measured: Vec<&Measured> = self.measured.iter().filter(|measured| measured.way == way).collect();
        let there = |place: &usize| measured.iter().any(|measured| measured.rates[*place].is_some());
        let places: Vec<usize> = (0..self.backends.len()).filter(there).collect();
        let shown_at = |measured: &Measured, place: usize| measured.rates[place].map_or("-".into(), Rate::shown);
        let widths = places.iter().map(|place| {
            let rates = measured.iter().map(|measured| shown_at(measured, *place).len());
            rates.chain([self.backends[*place].name().len()]).max().unwrap_or(0)
        });
        let width = widths.max().unwrap_or(0) + 1;
        let tables = places.chunks(((WIDTH - NAMES - GAIN) / (width + 1)).max(1));
        let last = tables.len().saturating_sub(1);
        for (number, places) in tables.enumerate() {
            let gains = number == last && measured.iter().any(|measured| measured.gain.is_some());
            let gain = |gain: String| if gains { format!("{gain:>GAIN$}") } else { String::new() };
            let names = places.iter().map(|place| format!("{:>width$} ", self.backends[*place].name()));
            let line = format!("{:NAMES$}{}{}", self.title(way), names.collect::<String>(), gain("gain".into()));
            // Writing to memory does not fail.
            let _ = writeln!(text, "{}", line.trim_end());
            for measured in &measured {
                let best = self.best(measured).filter(|_| places.len() > 1);
                let cell = |place: &usize| {
                    let mark = if best == Some(self.backends[*place].name()) { '*' } else { ' ' };
                    format!("{:>width$}{mark}", shown_at(measured, *place))
                };
                let cells: String = places.iter().map(cell).collect();
                let gain = gain(measured.gain.map(times).unwrap_or_default());
                let line = format!("{:NAMES$}{cells}{gain}", measured.operation.label());
                let _ = writeln!(text, "{}", line.trim_end());
            }
            text.push('\n');
        }
    }

    fn title(&self, way: Way) -> String {
        match way {
            Way::Single => "One at a time".into(),
            Way::OneThread => "In bulk, one thread".into(),
            Way::AllThreads => format!("In bulk, {} threads", self.threads),
        }
    }

    fn foot(&self, text: &mut String) {
        let chosen = match self.backends[..] {
            [only] => format!("{only}, the only one measured"),
            _ => format!("{}, chosen of {}", self.chosen, self.backends.len()),
        };
        let _ = writeln!(text, "cpu      {}", self.cpu.as_deref().unwrap_or("unknown"));
        let _ = writeln!(text, "threads  {}", self.threads);
        let _ = writeln!(text, "version  {}", env!("CARGO_PKG_VERSION"));
        let _ = writeln!(text, "backend  {chosen}\n");
        if self.measured.iter().any(|measured| measured.gain.is_some()) {
            let (chosen, portable) = (self.chosen, Backend::Portable);
            let _ = writeln!(text, "The gain is the rate of {chosen} over that of {portable}. * marks the best.");
        }
        if self.threads == 1 {
            text.push_str("This machine has one thread, so there is no table of more.\n");
        }
        let rates = || self.measured.iter().flat_map(|measured| measured.rates.iter().flatten());
        let fewest = rates().map(|rate| rate.samples).min().unwrap_or(0);
        let samples = if fewest == 1 { "sample" } else { "samples" };
        let _ = writeln!(text, "Medians of {fewest} {samples} or more, backends in turn, in {:.1} s.", self.seconds);
        if let Some(load) = self.load {
            let _ = writeln!(text, "Other programs lower the rates; the load was {load:.2} when this one began.");
        }
        let rough = rates().filter(|rate| rate.spread > ROUGH).count();
        if rough > 0 {
            let all = rates().count();
            let _ = writeln!(text, "{rough} of {all} rates are rough: their quartiles lie over 10% apart.");
        }
    }
}

fn times(gain: f64) -> String {
    if gain < 9.995 { format!("{gain:.2}x") } else { format!("{gain:.1}x") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::bench::work::Operation;

    fn rate(rows_per_second: f64) -> Rate {
        Rate { rows_per_second, spread: 0.2, samples: 9, rows_per_call: 256 }
    }

    fn report(threads: usize, backends: usize) -> BenchReport {
        let backends = vec![Backend::Portable; backends];
        let ways = Way::ALL.into_iter().filter(|way| threads > 1 || *way != Way::AllThreads);
        let measured = ways.flat_map(|way| Operation::all().map(move |operation| (way, operation)));
        let measured = measured.map(|(way, operation)| Measured {
            operation,
            way,
            rates: backends.iter().enumerate().map(|(place, _)| Some(rate(123_456.0 * (1 + place) as f64))).collect(),
            gain: Some(12.34),
        });
        let measured = measured.collect();
        BenchReport {
            cpu: None,
            features: vec![],
            threads,
            load: Some(0.5),
            chosen: backends[0],
            backends,
            seconds: 10.0,
            measured,
        }
    }

    #[test]
    fn gains_of_three_digits() {
        assert_eq!([times(1.234), times(9.996), times(12.36)], ["1.23x", "10.0x", "12.4x"]);
    }

    /// The words of the line of an operation in the table of a way.
    fn cells(text: &str, way: &str, operation: Operation) -> Vec<String> {
        let (_, table) = text.split_once(way).unwrap();
        let (table, _) = table.split_once("\n\n").unwrap();
        let rest = table.lines().find_map(|line| line.strip_prefix(&format!("{:NAMES$}", operation.label()))).unwrap();
        rest.split_whitespace().map(Into::into).collect()
    }

    #[test]
    fn the_table_and_the_json_tell_the_same_figures() {
        let mut report = report(2, 2);
        report.backends[1] = Backend::Fma;
        report.chosen = Backend::Fma;
        for (place, measured) in report.measured.iter_mut().enumerate() {
            let of = |backend: usize| Some(rate(1234.5 * (1 + 2 * place + backend) as f64));
            measured.rates = vec![of(0), of(1)];
            measured.gain = Some(1.0 + place as f64 / 8.0);
        }
        let json: Value = serde_json::from_str(&report.json()).unwrap();
        let told = |list: &str, what: &Value, key: &str| -> Vec<f64> {
            let of = |told: &&Value| ["operation", "way", "threads"].iter().all(|name| told[name] == what[name]);
            json[list].as_array().unwrap().iter().filter(of).map(|told| told[key].as_f64().unwrap()).collect()
        };
        let text = report.text();
        for measured in &report.measured {
            let what = report.what_json(measured);
            let rates = told("rates", &what, "rows_per_second").into_iter().map(|rows| rate(rows).shown());
            let gains = told("gains", &what, "gain").into_iter().map(times);
            let mut expected: Vec<String> = rates.chain(gains).collect();
            assert_eq!(expected.len(), 3, "{what}");
            expected[1].push('*');
            assert_eq!(cells(&text, &report.title(measured.way), measured.operation), expected, "{what}");
        }
    }

    #[test]
    fn the_text_keeps_within_a_terminal_and_names_everything() {
        for (threads, backends) in [(1, 1), (2, 2), (128, 4), (1024, 9)] {
            let text = report(threads, backends).text();
            assert!(text.is_ascii() && text.lines().all(|line| line.len() <= WIDTH), "{text}");
            assert!(text.contains(&format!("In bulk, {threads} threads")) == (threads > 1), "{text}");
            assert!(text.contains("one thread, so there is no table") == (threads == 1), "{text}");
            for operation in Operation::all() {
                assert!(text.contains(&operation.label()), "{text}");
            }
        }
    }
}
