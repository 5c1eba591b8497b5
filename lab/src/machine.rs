//! The machine that measurements are taken on.

use std::{env, fs};

fn cpuinfo(key: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let value = text.lines().find(|line| line.split(':').next().is_some_and(|name| name.trim() == key))?;
    Some(value.split_once(':')?.1.trim().to_owned())
}

/// Whether the CPU has a feature, by its name in the kernel.
pub(crate) fn has(feature: &str) -> bool {
    cpuinfo("flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == feature))
}

/// The model as the CPU names itself, with family and model numbers.
pub(crate) fn cpu() -> String {
    let name = cpuinfo("model name").unwrap_or_else(|| env::consts::ARCH.to_owned());
    let numbers = cpuinfo("cpu family").zip(cpuinfo("model"));
    numbers.map_or(name.clone(), |(family, model)| format!("{name} (family {family} model {model})"))
}

/// The CPU's name as part of a folder's name.
pub(crate) fn slug() -> String {
    let words = cpu().to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), " ");
    let words = words.split_whitespace().filter(|word| !["r", "tm", "cpu"].contains(word));
    words.collect::<Vec<_>>().join("-")
}

/// Processes that wanted to run at the same time, on average over the last minute: above the number of processors, the
/// measurement was not alone.
pub(crate) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}
