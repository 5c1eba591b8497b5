//! Which rows of two records belong together: those of the same question, asked of the same peer by the same builds.

use crate::{outcome::Outcome, records::Row};

/// A list, and a row of it as if nothing had been measured.
type Question<'a> = (&'a Option<String>, Outcome);

/// A row with what it asks.
type Asked<'a> = (Question<'a>, &'a Row);

fn question(row: &Row) -> Question<'_> {
    let of = row.outcome.clone();
    // Whichever commit of the library.
    let ours = of.ours.split('@').next().unwrap_or_default().to_owned();
    let asked = Outcome {
        op: of.op,
        n: of.n,
        rows: of.rows,
        threads: of.threads,
        lanes: of.lanes,
        shape: of.shape,
        single: of.single,
        row_class: of.row_class,
        keys: of.keys,
        tables: of.tables,
        backend: of.backend,
        ours,
        ours_inputs: of.ours_inputs,
        peer: of.peer,
        without: of.without,
        apart: of.apart,
        peer_backend: of.peer_backend,
        peer_inputs: of.peer_inputs,
        clock: of.clock,
        ..Outcome::default()
    };
    (&row.list, asked)
}

/// How both sides were built. Our version and commit are what a comparison of records is about, so they may differ.
fn built(row: &Row) -> [&str; 3] {
    [&row.outcome.ours_flags, &row.outcome.peer_version, &row.outcome.peer_flags]
}

/// The rows of two records.
pub(super) struct Pairs<'a> {
    /// In both, in the order of the first.
    pub(super) both: Vec<(&'a Row, &'a Row)>,
    /// In the first only, each with whether the other has the same question built otherwise.
    pub(super) only_a: Vec<(&'a Row, bool)>,
    /// In the second only, likewise.
    pub(super) only_b: Vec<(&'a Row, bool)>,
}

impl<'a> Pairs<'a> {
    /// Pairs the rows. Where a record has a row more than once, the first goes with the first, the second with the
    /// second.
    pub(super) fn of(a: &'a [Row], b: &'a [Row]) -> Self {
        let mut rest: Vec<_> = b.iter().map(|row| (question(row), row)).collect();
        let (mut both, mut only_a) = (Vec::new(), Vec::new());
        for row in a {
            let asked = question(row);
            match rest.iter().position(|(other, theirs)| *other == asked && built(row) == built(theirs)) {
                Some(place) => both.push((row, rest.remove(place).1)),
                None => only_a.push((asked, row)),
            }
        }
        let only = |rows: &[Asked<'a>], others: &[Asked<'a>]| {
            let is_asked = |asked: &_| others.iter().any(|(other, _)| other == asked);
            rows.iter().map(|(asked, row)| (*row, is_asked(asked))).collect()
        };
        Self { both, only_a: only(&only_a, &rest), only_b: only(&rest, &only_a) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::row;

    /// A row changed in one place.
    fn with(change: impl Fn(&mut Outcome)) -> Row {
        let mut row = row("recover", 1.0);
        change(&mut row.outcome);
        row
    }

    #[test]
    fn rows_go_with_their_like_in_whatever_order() {
        let a = [row("recover", 1.0), row("ecdh", 2.0), row("msm", 3.0)];
        let b = [row("sign-ecdsa", 4.0), row("ecdh", 5.0), row("recover", 6.0)];
        let pairs = Pairs::of(&a, &b);
        let ratios: Vec<_> = pairs.both.iter().map(|(a, b)| (a.outcome.ratio, b.outcome.ratio)).collect();
        assert_eq!(ratios, [(1.0, 6.0), (2.0, 5.0)]);
        let only = |rows: &[(&Row, bool)]| rows.iter().map(|(row, _)| row.outcome.ratio).collect::<Vec<_>>();
        assert_eq!((only(&pairs.only_a), only(&pairs.only_b)), (vec![3.0], vec![4.0]));
        assert!(!pairs.only_a[0].1 && !pairs.only_b[0].1);
    }

    #[test]
    fn what_is_measured_may_change_and_what_is_asked_may_not() {
        let plain = [row("recover", 1.0)];
        let same: [fn(&mut Outcome); 7] = [
            |row| row.ours_commit = None,
            |row| row.ours = "phalanx@0123456789ab".into(),
            |row| row.ours_version = "2".into(),
            |row| row.ratio = 9.0,
            |row| row.seed = "1".into(),
            |row| row.load = None,
            |row| row.asked = "best-public".into(),
        ];
        for change in same {
            assert_eq!(Pairs::of(&plain, &[with(change)]).both.len(), 1);
        }
        let other: [fn(&mut Outcome); 19] = [
            |row| row.op = "ecdh".into(),
            |row| row.n = 1,
            |row| row.rows = 1,
            |row| row.threads = 2,
            |row| row.lanes = 8,
            |row| row.shape = Some("chain".into()),
            |row| row.single = true,
            |row| row.row_class = "high-s".into(),
            |row| row.keys = Some(1),
            |row| row.tables = Some("fresh".into()),
            |row| row.backend = "portable".into(),
            |row| row.ours = "k256".into(),
            |row| row.ours_inputs = "parsed".into(),
            |row| row.peer = "btcec".into(),
            |row| row.peer_inputs = "parsed".into(),
            |row| row.peer_backend = Some("portable".into()),
            |row| row.clock = "wall".into(),
            |row| row.without = Some("lanes".into()),
            |row| row.apart = true,
        ];
        for (place, change) in other.into_iter().enumerate() {
            let changed = [with(change)];
            let pairs = Pairs::of(&plain, &changed);
            assert!(pairs.both.is_empty() && !pairs.only_a[0].1 && !pairs.only_b[0].1, "change {place}");
        }
    }

    #[test]
    fn rows_of_other_builds_are_listed_as_such() {
        let plain = [row("recover", 1.0)];
        let built: [fn(&mut Outcome); 3] = [
            |row| row.ours_flags = "-O2".into(),
            |row| row.peer_flags = "-O2".into(),
            |row| row.peer_version = "2".into(),
        ];
        for change in built {
            let changed = [with(change)];
            let pairs = Pairs::of(&plain, &changed);
            assert!(pairs.both.is_empty() && pairs.only_a[0].1 && pairs.only_b[0].1);
        }
    }

    #[test]
    fn a_row_that_is_there_twice_pairs_in_order() {
        let a = [row("recover", 1.0), row("recover", 2.0), row("recover", 3.0)];
        let b = [row("recover", 4.0), row("recover", 5.0)];
        let pairs = Pairs::of(&a, &b);
        let ratios: Vec<_> = pairs.both.iter().map(|(a, b)| (a.outcome.ratio, b.outcome.ratio)).collect();
        assert_eq!(ratios, [(1.0, 4.0), (2.0, 5.0)]);
        assert_eq!((pairs.only_a.len(), pairs.only_b.len()), (1, 0));
    }

    #[test]
    fn lists_of_a_folder_stay_apart() {
        let inside = |list: &str| Row { list: Some(list.into()), ..row("recover", 1.0) };
        assert_eq!(Pairs::of(&[inside("bulk")], &[inside("bulk")]).both.len(), 1);
        assert_eq!(Pairs::of(&[inside("bulk")], &[inside("batch")]).both.len(), 0);
    }
}
