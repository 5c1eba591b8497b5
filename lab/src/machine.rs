//! The machine that measurements are taken on.

use serde::Serialize;
use std::{env, fs, thread, time::SystemTime};

/// CPU features that decide which code can run, in the names of the kernel.
const FEATURES: [&str; 13] = [
    "avx2",
    "fma",
    "bmi2",
    "adx",
    "sha_ni",
    "avx_ifma",
    "avx512f",
    "avx512dq",
    "avx512bw",
    "avx512vl",
    "avx512ifma",
    "avx512vbmi",
    "vaes",
];

/// What a record says of the machine.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Machine {
    /// The model as the CPU names itself, with family and model numbers.
    pub(crate) cpu: String,
    /// Those of the features named above that it has.
    pub(crate) features: Vec<&'static str>,
    /// Logical processors available.
    pub(crate) processors: usize,
    /// Caches of one core, as the kernel reports them.
    pub(crate) caches: String,
    /// The operating system and architecture.
    pub(crate) system: String,
}

fn cpuinfo(key: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let value = text.lines().find(|line| line.split(':').next().is_some_and(|name| name.trim() == key))?;
    Some(value.split_once(':')?.1.trim().to_owned())
}

/// Whether the CPU has a feature, by its name in the kernel.
pub(crate) fn has(feature: &str) -> bool {
    cpuinfo("flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == feature))
}

impl Machine {
    /// This machine.
    pub(crate) fn this() -> Self {
        let name = cpuinfo("model name").unwrap_or_else(|| env::consts::ARCH.to_owned());
        let numbers = cpuinfo("cpu family").zip(cpuinfo("model"));
        Self {
            cpu: numbers.map_or(name.clone(), |(family, model)| format!("{name} (family {family} model {model})")),
            features: FEATURES.into_iter().filter(|feature| has(feature)).collect(),
            processors: thread::available_parallelism().map_or(1, usize::from),
            caches: caches(),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
        }
    }

    /// The CPU's name as part of a folder's name.
    pub(crate) fn slug(&self) -> String {
        let words = self.cpu.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), " ");
        let words = words.split_whitespace().filter(|word| !["r", "tm", "cpu"].contains(word));
        words.collect::<Vec<_>>().join("-")
    }
}

fn caches() -> String {
    let read = |index: usize, file: &str| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{file}");
        fs::read_to_string(path).map(|text| text.trim().to_owned()).ok()
    };
    let describe = |index| {
        let letter = match read(index, "type")?.as_str() {
            "Data" => "d",
            "Instruction" => "i",
            _ => "",
        };
        Some(format!("L{}{letter} {}", read(index, "level")?, read(index, "size")?))
    };
    (0..5).filter_map(describe).collect::<Vec<_>>().join(", ")
}

/// Processes that wanted to run at the same time, on average over the last minute: above the number of processors, the
/// measurement was not alone.
pub(crate) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// Today in universal time, year-month-day.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The civil date of a day counted from 1970-01-01: years of the Gregorian calendar start on 1 March here, so that the
/// leap day is the last, and 400 of them are 146,097 days.
fn date(days: u64) -> String {
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + carry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_at_the_edges_of_months_and_leap_years() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (20_454, "2026-01-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
