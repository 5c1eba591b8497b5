//! What each technique gives: the time without it, beside the time with everything.

use super::{
    chart::{Chart, Shape, Step},
    cpus::Cpu,
};
use std::collections::BTreeMap;

/// The list whose peers are ours without one technique.
const LIST: &str = "ablations";
/// Rows of which so many techniques were left out have a waterfall of their own, in microseconds.
const SEVERAL: usize = 3;

/// Kinds of operations.
const KINDS: [&str; 4] = ["verification", "signing", "sums", "other operations"];

/// The kind of an operation.
fn kind(op: &str) -> &'static str {
    let is = |parts: &[&str]| parts.iter().any(|part| op.contains(part));
    match op {
        _ if is(&["verify", "batch", "recover", "challenge"]) => KINDS[0],
        _ if is(&["sign"]) => KINDS[1],
        _ if is(&["msm", "affine"]) => KINDS[2],
        _ => KINDS[3],
    }
}

/// What a row of an operation is.
fn row_of(op: &str) -> &'static str {
    match op {
        _ if op.starts_with("msm") => "product",
        _ if op.starts_with("batch") => "signature",
        _ if op.starts_with("affine") => "addition",
        _ => "row",
    }
}

/// Rows that differ in nothing but what is left out.
#[derive(Default)]
struct Group<'a> {
    /// Our times, each taken in turn with its peer.
    ours: Vec<f64>,
    /// How many times as long it takes without each technique, and whether that is noise.
    without: Vec<(&'a str, f64, bool)>,
}

/// Waterfalls of rows with several techniques, then one for each kind of operation with the others.
pub(super) fn waterfalls(cpu: &Cpu) -> Vec<Chart> {
    let mut groups: BTreeMap<[String; 3], Group<'_>> = BTreeMap::new();
    for row in cpu.rows(LIST).filter(|row| row.peer == "phalanx") {
        let Some(technique) = &row.without else { continue };
        let group = groups.entry([row.op.clone(), row.mode(), row.backend.clone()]).or_default();
        group.ours.push(row.ours_ns);
        group.without.push((technique, row.ratio, row.noise));
    }
    let (large, small): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(_, group)| group.without.len() >= SEVERAL);
    let others = KINDS.iter().filter_map(|of| others(of, small.iter().filter(|([op, ..], _)| kind(op) == *of)));
    large.into_iter().map(|(of, group)| waterfall(of, group)).chain(others).collect()
}

fn chart(title: String, note: &str, unit: &str, first: f64, mut steps: Vec<Step>) -> Chart {
    steps.sort_by(|a, b| b.value.total_cmp(&a.value));
    steps.insert(0, Step { label: "with everything".into(), value: first, noise: false });
    let note = format!(
        "{note}The first bar is the time with everything. Each further bar leaves out one technique: it begins at the first bar's \
         end and ends at the time without that technique. A difference smaller than the spread of the samples is noise."
    );
    Chart { title, note, shape: Shape::Waterfall { unit: unit.to_owned(), steps } }
}

/// A technique in words. `width-5-for-4` leaves width 5 out and takes 4.
fn words(technique: &str) -> String {
    let words = |text: &str| text.replace('-', " ");
    let Some((left, taken)) = technique.split_once("-for-") else { return format!("without {}", words(technique)) };
    match left.rsplit_once('-').filter(|(_, last)| last.parse::<u32>().is_ok()) {
        Some((what, number)) => format!("{} {} in place of {number}", words(what), words(taken)),
        None => format!("{} {}", words(left), words(taken)),
    }
}

fn waterfall([op, mode, backend]: [String; 3], mut group: Group<'_>) -> Chart {
    // The ratios count, beside the median of our times.
    group.ours.sort_by(f64::total_cmp);
    let all = group.ours[group.ours.len() / 2] / 1e3;
    let step =
        |(technique, ratio, noise): (&str, f64, bool)| Step { label: words(technique), value: all * ratio, noise };
    let title = format!("What each technique gives: {op}, {backend}");
    let steps = group.without.into_iter().map(step).collect();
    let rows = format!("Rows: {mode}. ");
    chart(title, &rows, &format!("microseconds a {}", row_of(&op)), all, steps)
}

fn others<'a>(kind: &str, groups: impl Iterator<Item = &'a ([String; 3], Group<'a>)>) -> Option<Chart> {
    let step = |([op, mode, backend], group): &'a ([String; 3], Group<'a>)| {
        let step = move |(technique, ratio, noise): &(&str, f64, bool)| Step {
            label: format!("{op}, {mode}, {backend}, {}", words(technique)),
            value: *ratio,
            noise: *noise,
        };
        group.without.iter().map(step)
    };
    let steps: Vec<Step> = groups.flat_map(step).collect();
    let title = format!("What each technique gives: {kind}");
    (!steps.is_empty()).then(|| chart(title, "", "times the time with everything", 1.0, steps))
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
    fn one_technique_of_a_row_stands_with_its_kind() {
        let rows = vec![without(Some("lanes"), "phalanx", 5.0)];
        let charts = waterfalls(&cpu("one", vec![("ablations", rows)]));
        let Shape::Waterfall { steps, .. } = &charts[0].shape else { panic!("a waterfall") };
        let last = (steps[1].label.as_str(), steps[1].value, steps.len(), charts.len());
        assert_eq!(last, ("verify-ecdsa, n = 4096, ifma, without lanes", 5.0, 2, 1));
        assert!(charts[0].title.ends_with(": verification"));
    }

    #[test]
    fn every_operation_has_a_kind() {
        let kinds = ["batch-ecdsa", "sign-schnorr", "msm-jacobian", "public-key"].map(kind);
        assert_eq!(kinds, KINDS);
    }

    #[test]
    fn techniques_in_words() {
        for (technique, text) in [
            ("key-tables", "without key tables"),
            ("point-width-5-for-4", "point width 4 in place of 5"),
            ("width-for-2-narrower", "width 2 narrower"),
        ] {
            assert_eq!(words(technique), text);
        }
    }

    #[test]
    fn no_list_no_chart() {
        let rows = vec![without(Some("lanes"), "phalanx", 5.0)];
        assert!(waterfalls(&cpu("one", vec![("bulk", rows)])).is_empty());
    }
}
