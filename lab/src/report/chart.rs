//! Bars in groups, as SVG. Names stand before the bars, so that nobody has to tell colours apart.

use maud::{PreEscaped, html};

const WIDTH: f64 = 420.0;
/// Room above the bars: for the title and the note.
const ABOVE: f64 = 50.0;
/// The height of a bar, the room above a group for its name, and that below all for the unit.
const BAR: f64 = 15.0;
const NAME: f64 = 22.0;
const UNIT: f64 = 28.0;
/// The room for the number behind the longest bar, the width of a letter, and the room between names and bars.
const NUMBERS: f64 = 60.0;
const LETTER: f64 = 7.7;
const GAP: f64 = 8.0;

/// A chart, in words and numbers.
pub(super) struct Chart {
    pub(super) title: &'static str,
    /// What is measured, in a sentence.
    pub(super) note: &'static str,
    /// What the values are.
    pub(super) unit: &'static str,
    /// What has a bar in a group.
    pub(super) series: Vec<String>,
    /// Each group with its bars: the place of the series, and the value.
    pub(super) groups: Vec<(String, Vec<(usize, f64)>)>,
}

/// A coordinate with one decimal.
fn at(value: f64) -> String {
    format!("{value:.1}")
}

/// A number in few digits.
fn short(value: f64) -> String {
    let text = format!("{value:.decimals$}", decimals = 2 - usize::from(value >= 10.0));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Chart {
    /// The file, with its colours inside, light or dark.
    pub(super) fn svg(&self) -> String {
        let values = || self.groups.iter().flat_map(|(_, bars)| bars);
        let most = values().map(|(_, value)| *value).fold(0.0, f64::max);
        let letters = self.series.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        let left = letters as f64 * LETTER + GAP;
        let length = |value: f64| value / most * (WIDTH - NUMBERS - left);
        let height = ABOVE + self.groups.len() as f64 * NAME + values().count() as f64 * BAR + UNIT;
        let mut top = ABOVE;
        let mut next = |room: f64| {
            top += room;
            top - room
        };
        let drawn = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height)
                viewBox=(format!("0 0 {WIDTH} {height}")) {
                style { (PreEscaped(include_str!("chart.css"))) }
                rect.page x="0" y="0" width=(WIDTH) height=(height) {}
                text.title x="0" y="18" { (self.title) }
                text x="0" y="36" { (self.note) }
                @for (name, bars) in &self.groups {
                    text.group x="0" y=(at(next(NAME) + NAME - 6.0)) { (name) }
                    @for (series, value) in bars {
                        @let top = next(BAR);
                        text x=(at(left - GAP)) y=(at(top + 11.5)) text-anchor="end" { (self.series[*series]) }
                        rect class=(format!("c{series}")) x=(at(left)) y=(at(top + 1.0)) width=(at(length(*value)))
                            height=(at(BAR - 2.0)) {}
                        text x=(at(left + length(*value) + 5.0)) y=(at(top + 11.5)) { (short(*value)) }
                    }
                }
                text x="0" y=(at(next(UNIT) + 20.0)) { (self.unit) }
            }
        };
        drawn.into_string() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_names_stand_beside_bars() {
        let groups = vec![("a & b".to_owned(), vec![(0, 1.0)]), ("c".to_owned(), vec![(0, 12.34)])];
        let chart = Chart { title: "<i>", note: "Note.", unit: "us", series: vec!["<b>".to_owned()], groups };
        let text = chart.svg();
        assert!(!text.contains("<b>") && !text.contains("<i>") && text.contains("a &amp; b"));
        assert!(text.matches(">&lt;b&gt;<").count() == 2 && text.contains(">1<") && text.contains(">12.3<"), "{text}");
    }
}
