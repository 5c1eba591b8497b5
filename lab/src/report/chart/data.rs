//! The numbers of a chart as a table.

use super::{Chart, Series, Shape, Step};
use crate::report::table::Table;
use std::collections::BTreeSet;

/// Four significant digits.
fn digits(value: f64) -> String {
    let before = if value.abs() < 1.0 { 1 } else { value.abs().log10().floor() as usize + 1 };
    let decimals = 4usize.saturating_sub(before);
    format!("{value:.decimals$}")
}

impl Chart {
    /// The title, what is measured, and the numbers.
    pub(crate) fn data(&self) -> Table {
        let title = |unit: &str| format!("{}. {} In {unit}.", self.title, self.note.trim_end());
        match &self.shape {
            Shape::Lines { x, y, series } => of_lines(title(&y.label), [&x.label, &y.label], series),
            Shape::Bars { unit, names, groups } => {
                let columns: Vec<&str> = [""].into_iter().chain(names.iter().map(|name| name.text.as_str())).collect();
                let mut table = Table::new(title(unit), &columns);
                for group in groups {
                    let cell = |series: usize| {
                        let bar = group.bars.iter().find(|bar| bar.series == series);
                        bar.map_or_else(String::new, |bar| digits(bar.value))
                    };
                    table.rows.push([group.label.clone()].into_iter().chain((0..names.len()).map(cell)).collect());
                }
                table
            }
            Shape::Waterfall { unit, steps } => {
                let mut table = Table::new(title(unit), &["", unit]);
                let value = |step: &Step| digits(step.value) + if step.noise { " (noise)" } else { "" };
                table.rows = steps.iter().map(|step| vec![step.label.clone(), value(step)]).collect();
                table
            }
        }
    }
}

/// A column for each series where they have most of x in common, else a row for each point.
fn of_lines(title: String, [x, y]: [&str; 2], series: &[Series]) -> Table {
    let places: BTreeSet<u64> = series.iter().flat_map(|series| &series.points).map(|(x, _)| x.to_bits()).collect();
    // Numbers above zero have the order of their bits.
    let places: Vec<f64> = places.into_iter().map(f64::from_bits).collect();
    let longest = series.iter().map(|series| series.points.len()).max().unwrap_or_default();
    if places.len() > 2 * longest {
        let mut table = Table::new(title, &["series", x, y]);
        let rows = series
            .iter()
            .flat_map(|series| series.points.iter().map(|(x, y)| vec![series.name.clone(), digits(*x), digits(*y)]));
        table.rows = rows.collect();
        return table;
    }
    let columns: Vec<&str> = [x].into_iter().chain(series.iter().map(|series| series.name.as_str())).collect();
    let mut table = Table::new(title, &columns);
    for place in places {
        let cell = |series: &Series| {
            let point = series.points.iter().find(|(x, _)| *x == place);
            point.map_or_else(String::new, |(_, y)| digits(*y))
        };
        let whole = if place.fract() == 0.0 { format!("{place:.0}") } else { digits(place) };
        table.rows.push([whole].into_iter().chain(series.iter().map(cell)).collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::{Axis, Bar, Group, Name};

    fn chart(shape: Shape) -> Table {
        Chart { title: "T".into(), note: "Note.".into(), shape }.data()
    }

    fn lines(series: &[(&str, &[(f64, f64)])]) -> Table {
        let axis = |label: &str| Axis { label: label.into(), log: true };
        let series = series.iter().map(|(name, points)| Series { name: (*name).into(), points: points.to_vec() });
        chart(Shape::Lines { x: axis("n"), y: axis("us"), series: series.collect() })
    }

    #[test]
    fn every_point_of_a_chart_is_in_its_table() {
        let table = lines(&[("a", &[(2.0, 0.123_456), (16384.0, 12.3456)]), ("b", &[(2.0, 123_456.0)])]);
        assert_eq!(
            (table.title.as_str(), &table.columns[..]),
            ("T. Note. In us.", &["n", "a", "b"].map(String::from)[..])
        );
        assert_eq!(
            table.rows,
            [["2", "0.123", "123456"], ["16384", "12.35", ""]].map(|row| row.map(String::from).to_vec())
        );
        let apart = lines(&[("a", &[(1.5, 1.0)]), ("b", &[(2.5, 1.0)]), ("c", &[(3.5, 1.0)])]);
        assert_eq!(apart.rows[2], ["c", "3.500", "1.000"]);
    }

    #[test]
    fn bars_and_steps_are_rows() {
        let groups = vec![Group { label: "g".into(), bars: vec![Bar { series: 1, value: 2.5 }] }];
        let names = ["x", "y"].map(Name::new).into();
        assert_eq!(chart(Shape::Bars { unit: "u".into(), names, groups }).rows, [["g", "", "2.500"]].map(Vec::from));
        let steps = [false, true].map(|noise| Step { label: "s".into(), value: 10.0, noise }).into();
        let rows = chart(Shape::Waterfall { unit: "u".into(), steps }).rows;
        assert_eq!(rows, [["s", "10.00"], ["s", "10.00 (noise)"]].map(Vec::from));
    }
}
