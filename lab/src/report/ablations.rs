//! What each technique gives: the time without it, beside the time with everything.

use super::{
    chart::{Chart, Shape, Step},
    cpus::Cpu,
};
use std::collections::BTreeMap;

/// The list whose peers are ours without one technique.
const LIST: &str = "ablations";

/// A waterfall for each operation and backend.
pub(super) fn waterfalls(cpu: &Cpu) -> Vec<Chart> {
    // By operation, rows and backend: our times, and how many times as long it takes without each technique.
    let mut groups: BTreeMap<[String; 3], (Vec<f64>, Vec<(&str, f64)>)> = BTreeMap::new();
    for row in cpu.rows(LIST).filter(|row| row.peer == "phalanx") {
        let Some(technique) = &row.without else { continue };
        let (ours, without) = groups.entry([row.op.clone(), row.mode(), row.backend.clone()]).or_default();
        ours.push(row.ours_ns);
        without.push((technique, row.ratio));
    }
    groups.into_iter().map(|(of, (ours, without))| waterfall(of, ours, without)).collect()
}

/// The most that any technique gives first.
fn waterfall([op, mode, backend]: [String; 3], mut ours: Vec<f64>, mut without: Vec<(&str, f64)>) -> Chart {
    ours.sort_by(f64::total_cmp);
    without.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    // Each comparison timed ours anew, in turn with its peer. So the ratios count, beside the median of our times.
    let all = ours[ours.len() / 2] / 1e3;
    let mut steps = vec![Step { label: "with everything".into(), value: all }];
    let without = without.into_iter().map(|(technique, ratio)| (technique.replace('-', " "), ratio));
    steps.extend(without.map(|(technique, ratio)| Step { label: format!("without {technique}"), value: all * ratio }));
    Chart {
        title: format!("What each technique gives: {op}, {backend}"),
        note: format!(
            "{mode}. Each technique is left out alone; a bar reaches from the time with everything to the time without it."
        ),
        shape: Shape::Waterfall { unit: "microseconds a row".into(), steps },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{outcome::Outcome, records::row, report::cpus::cpu};

    fn without(technique: Option<&str>, peer: &str, ratio: f64) -> Outcome {
        let mut outcome = row("verify-ecdsa", ratio).outcome;
        (outcome.without, outcome.peer) = (technique.map(str::to_owned), peer.to_owned());
        outcome
    }

    #[test]
    fn a_bar_for_each_technique_the_most_first() {
        let rows = vec![
            without(Some("key-tables"), "phalanx", 1.5),
            without(Some("lanes"), "phalanx", 5.0),
            without(Some("threads"), "phalanx", 0.9),
            without(None, "phalanx", 7.0),
            without(Some("endomorphism"), "libsecp256k1-internal", 8.0),
        ];
        let charts = waterfalls(&cpu("one", vec![("ablations", rows)]));
        let [chart] = &charts[..] else { panic!("one operation, one chart") };
        let Shape::Waterfall { steps, .. } = &chart.shape else { panic!("a waterfall") };
        let steps: Vec<_> = steps.iter().map(|step| (step.label.as_str(), (step.value * 1e3).round())).collect();
        let expected = [
            ("with everything", 100.0),
            ("without lanes", 500.0),
            ("without key tables", 150.0),
            ("without threads", 90.0),
        ];
        assert_eq!(steps, expected);
    }

    #[test]
    fn no_list_no_chart() {
        let rows = vec![without(Some("lanes"), "phalanx", 5.0)];
        assert!(waterfalls(&cpu("one", vec![("bulk", rows)])).is_empty());
    }
}
