//! Who is fastest at what.

use super::{
    cpus::{Cpu, List, rank},
    headline::{SCHEMES, is_plain},
    table::Table,
};
use crate::{compare::INTERNAL, outcome::Outcome};
use std::collections::BTreeMap;

/// The work of a row, sums by their size; none where a row is not of plain work from bytes to bytes.
fn work(row: &Outcome) -> Option<(usize, String)> {
    let is_scheme = SCHEMES.iter().any(|(scheme, _)| *scheme == row.op);
    match (row.op.as_str(), row.single) {
        _ if !is_plain(row) || row.keys.is_some() || row.peer.contains(INTERNAL) => None,
        ("msm", _) => Some((row.n, format!("a sum of {} products, a product", row.n))),
        (op, true) if is_scheme => Some((0, format!("{op}, one at a time"))),
        (op, false) if is_scheme && row.n == 4096 => Some((1, format!("{op}, 4,096 rows, a row"))),
        _ => None,
    }
}

/// For each kind of work the comparison of ours, by its fastest backend, with the library that came nearest to it or
/// before it, among those that a user can call.
pub(super) fn table(cpu: &Cpu) -> Table {
    let columns =
        ["work", "fastest", "backend", "our us", "the best other", "its us", "its time over ours", "measured"];
    let mut table = Table::new("Who is fastest, one thread; both times of a row are of one comparison", columns);
    let mut best: BTreeMap<(usize, String), (&List, &Outcome)> = BTreeMap::new();
    for (list, row) in cpu.rows() {
        let Some(work) = work(row) else { continue };
        let kept = best.entry(work).or_insert((list, row));
        if (rank(&row.backend), row.ratio) < (rank(&kept.1.backend), kept.1.ratio) {
            *kept = (list, row);
        }
    }
    for ((_, work), (list, row)) in best {
        let fastest = match row.ratio {
            _ if row.noise => "as fast",
            ratio if ratio > 1.0 => "Phalanx",
            _ => &row.peer,
        };
        let [ours, theirs] = [row.ours_ns, row.peer_ns].map(|time| format!("{:.2}", time / 1e3));
        let load = row.load.map_or_else(String::new, |load| format!(", load {load}"));
        let spread = row.ours_spread.max(row.peer_spread) * 100.0;
        let measured = format!("{}{load}, ±{spread:.0}%", list.date);
        let (backend, peer, ratio) = (row.backend.clone(), row.peer.clone(), format!("{:.2}", row.ratio));
        table.rows.push(vec![work, fastest.to_owned(), backend, ours, peer, theirs, ratio, measured]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{records::row, report::cpus::cpu};

    #[test]
    fn the_choice_is_made_by_one_comparison_with_encoded_rows() {
        let bulk = |peer: &str, ratio: f64, ours_ns: f64, inputs: &str| {
            let (peer, peer_inputs, peer_ns) = (peer.into(), inputs.into(), ours_ns * ratio);
            Outcome { peer, peer_inputs, ours_ns, peer_ns, ..row("recover", ratio).outcome }
        };
        let rows = vec![
            bulk("k256", 4.0, 1000.0, "encoded"),
            bulk("btcec", 3.0, 9000.0, "encoded"),
            bulk("libsecp256k1-parsed", 1.5, 1000.0, "parsed"),
            bulk("libsecp256k1-internal", 1.2, 1000.0, "encoded"),
        ];
        let table = table(&cpu("one", vec![("bulk", rows)]));
        let expected = ["recover, 4,096 rows, a row", "Phalanx", "ifma", "9.00", "btcec", "27.00", "3.00"];
        assert!(table.rows.len() == 1 && table.rows[0][..7] == expected, "{table:?}");
    }
}
