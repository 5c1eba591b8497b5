//! Charts as SVG: bars in groups, and lines or points over two logarithmic axes. A page or a file takes them as they are.

use maud::{Markup, PreEscaped, html};

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

/// The height of a plot above its legend, and the room around it.
const PLOT: f64 = 290.0;
const LEFT: f64 = 60.0;
const MARGIN: f64 = 12.0;
/// An axis upwards that is longer has powers of ten.
const DECADES: f64 = 4.6;
/// Colours of the style sheet.
const COLOURS: usize = 10;

/// A chart.
pub(crate) enum Chart {
    Bars(Bars),
    Plot(Plot),
}

/// Bars in groups. Names stand before the bars, so that nobody has to tell colours apart.
pub(crate) struct Bars {
    pub(crate) title: String,
    /// What is measured, in a sentence.
    pub(crate) note: String,
    /// What the values are.
    pub(crate) unit: String,
    /// What has a bar in a group.
    pub(crate) series: Vec<String>,
    /// Each group with its bars: the place of the series, and the value.
    pub(crate) groups: Vec<(String, Vec<(usize, f64)>)>,
}

/// Lines or points over two logarithmic axes, named first across, then up.
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) axes: [String; 2],
    pub(crate) are_lines: bool,
    pub(crate) series: Vec<Series>,
}

/// What has a line.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) colour: usize,
    pub(crate) is_dashed: bool,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A coordinate with one decimal.
fn at(value: f64) -> String {
    format!("{value:.1}")
}

/// A number in few digits.
fn short(value: f64) -> String {
    let decimals = [10.0, 100.0].iter().filter(|size| value >= **size).count();
    let text = format!("{value:.0$}", 2 - decimals);
    if decimals == 2 {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Chart {
    /// The file, with its colours inside, light or dark.
    pub(crate) fn svg(&self) -> String {
        let (title, (drawn, height)) = match self {
            Self::Bars(bars) => (&bars.title, bars.draw()),
            Self::Plot(plot) => (&plot.title, plot.draw()),
        };
        let svg = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height)
                viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(title) {
                style { (PreEscaped(include_str!("chart.css"))) }
                rect.page x="0" y="0" width=(WIDTH) height=(height) {}
                text.title x="0" y="18" { (title) }
                (drawn)
            }
        };
        svg.into_string() + "\n"
    }
}

impl Bars {
    /// The bars and their height.
    fn draw(&self) -> (Markup, f64) {
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
        };
        (drawn, height)
    }
}

/// A logarithmic scale from the least to the greatest of some values.
struct Scale {
    least: f64,
    span: f64,
}

impl Scale {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (least, most) = (values.clone().fold(f64::MAX, f64::min), values.fold(0.0, f64::max));
        Self { least: least.ln(), span: (most / least).ln().max(1e-9) }
    }

    /// From 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.ln() - self.least) / self.span
    }

    /// Powers of a number within it.
    fn ticks(&self, base: f64) -> Vec<f64> {
        let power = |value: f64| value / base.ln();
        let (from, to) =
            ((power(self.least) - 1e-9).ceil() as i32, (power(self.least + self.span) + 1e-9).floor() as i32);
        (from..=to).map(|power| base.powi(power)).collect()
    }
}

impl Plot {
    /// The plot with its legend, the highest line first, and the height of both.
    fn draw(&self) -> (Markup, f64) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let (x, y) = (Scale::of(points().map(|point| point.0)), Scale::of(points().map(|point| point.1)));
        let across = |value: f64| at(LEFT + x.place(value) * (WIDTH - LEFT - 2.0 * MARGIN));
        let up = |value: f64| PLOT - y.place(value) * (PLOT - ABOVE);
        let line = |series: &Series| {
            series.points.iter().map(|(x, y)| format!("{},{}", across(*x), at(up(*y)))).collect::<Vec<_>>().join(" ")
        };
        let class =
            |series: &Series| format!("c{}{}", series.colour % COLOURS, if series.is_dashed { " dashed" } else { "" });
        let mut legend: Vec<&Series> = self.series.iter().collect();
        let last = |series: &Series| series.points.last().map_or(0.0, |point| point.1);
        legend.sort_by(|left, right| last(right).total_cmp(&last(left)));
        let below = PLOT + UNIT + BAR;
        let width = legend.iter().map(|series| series.name.chars().count()).max().unwrap_or_default() as f64 * LETTER;
        let columns = if width < WIDTH / 2.0 - 24.0 { 2 } else { 1 };
        let drawn = html! {
            text x="0" y="36" { (self.axes[1]) }
            @for tick in y.ticks(if y.span > DECADES { 10.0 } else { 2.0 }) {
                line.grid x1=(LEFT) x2=(WIDTH - MARGIN) y1=(at(up(tick))) y2=(at(up(tick))) {}
                text x=(LEFT - GAP) y=(at(up(tick) + 4.0)) text-anchor="end" { (tick) }
            }
            @for tick in x.ticks(if self.are_lines { 2.0 } else { 10.0 }) { text x=(across(tick)) y=(PLOT + BAR + 3.0) text-anchor="middle" { (tick) } }
            text x=(WIDTH - MARGIN) y=(PLOT + UNIT + 4.0) text-anchor="end" { (self.axes[0]) }
            @for series in &self.series {
                @if self.are_lines { polyline class=(class(series)) points=(line(series)) {} }
                @for (x, y) in &series.points { circle class=(class(series)) cx=(across(*x)) cy=(at(up(*y))) r="2.5" {} }
            }
            @for (place, series) in legend.iter().enumerate() {
                @let (left, top) = ((place % columns) as f64 * WIDTH / 2.0, below + (place / columns + 1) as f64 * BAR);
                line class=(class(series)) x1=(left) x2=(left + 18.0) y1=(top - 4.0) y2=(top - 4.0) {}
                text x=(left + 24.0) y=(top) { (series.name) }
            }
        };
        (drawn, below + legend.len().div_ceil(columns) as f64 * BAR + GAP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_names_stand_beside_bars() {
        let groups = vec![("a & b".to_owned(), vec![(0, 1.0)]), ("c".to_owned(), vec![(0, 12.34)])];
        let [title, note, unit] = ["<i>", "Note.", "us"].map(str::to_owned);
        let text = Chart::Bars(Bars { title, note, unit, series: vec!["<b>".to_owned()], groups }).svg();
        assert!(!text.contains("<b>") && !text.contains("<i>") && text.contains("a &amp; b"));
        assert!(text.matches(">&lt;b&gt;<").count() == 2 && text.contains(">1<") && text.contains(">12.3<"), "{text}");
    }

    #[test]
    fn powers_lie_at_even_distances() {
        let points = [1.0, 10.0, 100.0, 1e4].map(|x| (x, x)).to_vec();
        let series = vec![Series { name: "a".into(), colour: 1, is_dashed: true, points }];
        let text =
            Chart::Plot(Plot { title: "t".into(), axes: ["x".into(), "y".into()], are_lines: true, series }).svg();
        let line = format!("points=\"{}\"", "60.0,290.0 144.0,230.0 228.0,170.0 396.0,50.0");
        assert!(text.contains(&line) && text.contains("c1 dashed") && text.contains(">1000<"), "{text}");
    }
}
