//! What each technique gives: the time without it, beside the time with everything.

use super::{
    chart::{Chart, Shape, Step},
    cpus::Cpu,
};
use std::collections::BTreeMap;

/// The list whose peers are ours without one thing.
const LIST: &str = "ablations";
/// What begins the name of such a peer.
const WITHOUT: &str = "phalanx-without-";

/// A waterfall for each operation and backend.
pub(super) fn waterfalls(cpu: &Cpu) -> Vec<Chart> {
    // By operation, rows and backend: our time, and how many times as long it takes without each thing.
    let mut groups: BTreeMap<[String; 3], (f64, Vec<(String, f64)>)> = BTreeMap::new();
    for row in cpu.rows(LIST) {
        let Some(thing) = row.peer.strip_prefix(WITHOUT) else { continue };
        let key = [row.op.clone(), row.mode(), row.backend.clone()];
        let group = groups.entry(key).or_insert((row.ours_ns, Vec::new()));
        group.0 = group.0.min(row.ours_ns);
        group.1.push((thing.replace('-', " "), row.ratio));
    }
    let chart = |([op, mode, backend], (ours, mut without)): ([String; 3], (f64, Vec<(String, f64)>))| {
        without.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let all = Step { label: "with everything".into(), value: ours / 1e3 };
        let rest = without
            .into_iter()
            .map(|(thing, ratio)| Step { label: format!("without {thing}"), value: ours * ratio / 1e3 });
        Chart {
            title: format!("What each technique gives: {op}, {backend}"),
            note: format!("{mode}; each thing left out alone."),
            shape: Shape::Waterfall {
                unit: "microseconds a row, one thread".into(),
                steps: [all].into_iter().chain(rest).collect(),
            },
        }
    };
    groups.into_iter().map(chart).collect()
}
