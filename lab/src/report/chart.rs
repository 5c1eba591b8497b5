//! Charts as SVG: lines over two axes, or bars in groups. Colours come from the page's style, light or dark; a library
//! has the same one on every CPU and in every chart.

mod axes;

use super::table::Table;
use axes::{Scale, short};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

/// The colours, light or dark.
pub(crate) const PALETTE: &str = include_str!("colours.css");
/// How many there are.
const COLOURS: usize = 10;
/// The colours of libraries and of verdicts on techniques. No two of one chart share one, or their lines differ.
const NAMED: [(&str, usize); 22] = [
    ("Phalanx, ifma", 0),
    ("Phalanx, fma", 1),
    ("Phalanx, neon", 0),
    ("Phalanx, portable", 2),
    ("phalanx verify", 0),
    ("libsecp256k1", 3),
    ("libsecp256k1-internal", 3),
    ("libsecp256k1-as-shipped", 6),
    ("k256", 4),
    ("arkworks", 5),
    ("halo2curves", 6),
    ("gnark-crypto", 7),
    ("p256k1", 8),
    ("rust-secp256k1", 9),
    ("go-ipa", 7),
    ("btcec", 5),
    ("dcrec", 6),
    ("go-ethereum", 8),
    ("coincurve", 5),
    ("slower without it", 1),
    ("faster without it", 3),
    ("no difference but noise", 7),
];

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 320.0;
/// Room for axes: left, right, above, below.
const MARGIN: [f64; 4] = [60.0, 12.0, 12.0, 48.0];
/// The height of a bar, and the room above a group for its name.
const BAR: f64 = 15.0;
const NAME: f64 = 22.0;
/// The room for the number behind the longest bar, the width of a letter, and the room between names and bars.
const NUMBERS: f64 = 60.0;
const LETTER: f64 = 7.7;
const GAP: f64 = 8.0;

/// A chart, in words and numbers.
#[derive(Debug, Serialize)]
pub(crate) struct Chart {
    pub(crate) title: String,
    /// What is measured, in a sentence.
    pub(crate) note: String,
    /// What the values are.
    pub(crate) unit: String,
    /// What the points' places count: then the chart is of lines. Without it places are names of groups of bars.
    pub(crate) across: Option<String>,
    pub(crate) points: Vec<Point>,
}

/// A point of a line, or a bar.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Point {
    pub(crate) series: String,
    pub(crate) at: String,
    pub(crate) value: f64,
}

impl Point {
    /// Where it lies on a line.
    fn x(&self) -> f64 {
        self.at.parse().expect("the points of a line are at numbers")
    }
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Style {
    colour: usize,
    /// How many series before it in the chart have the same colour.
    again: usize,
}

/// The styles of a chart's series: what is known has its own colour, the others those that are left, in order.
fn styles(names: &[&str]) -> Vec<Style> {
    let is =
        |name: &str, known: &str| name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(','));
    let fixed = |name: &&str| NAMED.iter().find(|(known, _)| is(name, known)).map(|(_, colour)| *colour);
    let fixed: Vec<_> = names.iter().map(fixed).collect();
    let mut left = (0..COLOURS).filter(|colour| !fixed.contains(&Some(*colour))).cycle();
    let mut styles: Vec<Style> = Vec::new();
    for colour in &fixed {
        let colour = colour.unwrap_or_else(|| left.next().unwrap_or_default());
        let again = styles.iter().filter(|style| style.colour == colour).count();
        styles.push(Style { colour, again });
    }
    styles
}

impl Style {
    fn class(self) -> String {
        format!("c{}", self.colour)
    }

    fn dashes(self) -> Option<&'static str> {
        [None, Some("6 4"), Some("2 4")][self.again.min(2)]
    }

    /// A point's mark: series differ in its form too, for readers who do not tell the colours apart.
    fn mark(self, x: f64, y: f64) -> Markup {
        match (self.colour + self.again) % 4 {
            0 => html! { circle cx=(at(x)) cy=(at(y)) r="3.5" {} },
            1 => html! { rect x=(at(x - 3.2)) y=(at(y - 3.2)) width="6.4" height="6.4" {} },
            2 => html! { path d=(format!("M{} {}l4.2 7.4h-8.4z", at(x), at(y - 4.6))) {} },
            _ => html! { path d=(format!("M{} {}l4.2 4.2l-4.2 4.2l-4.2 -4.2z", at(x), at(y - 4.2))) {} },
        }
    }
}

/// A coordinate with one decimal.
fn at(value: f64) -> String {
    format!("{value:.1}")
}

/// The distinct texts of some points, in their order.
fn distinct<'a>(points: &'a [Point], text: impl Fn(&'a Point) -> &'a str) -> Vec<&'a str> {
    let mut all = Vec::new();
    for one in points.iter().map(text) {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

impl Chart {
    fn series(&self) -> Vec<&str> {
        distinct(&self.points, |point| &point.series)
    }

    /// The series with their styles and points.
    fn drawn(&self) -> Vec<(&str, Style, Vec<&Point>)> {
        let series = self.series();
        let styles = styles(&series);
        let of = |name| self.points.iter().filter(move |point| point.series == name).collect();
        series.into_iter().zip(styles).map(|(name, style)| (name, style, of(name))).collect()
    }

    /// The chart with its title, and a legend where names do not stand beside what is drawn.
    pub(crate) fn figure(&self) -> Markup {
        let (content, height) = if self.across.is_some() { self.lines() } else { self.bars() };
        html! {
            figure {
                figcaption { strong { (self.title) } ". " (self.note) }
                svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(self.title) { (content) }
                @if self.across.is_some() {
                    ul.legend {
                        @for (name, style, _) in self.drawn() {
                            li {
                                svg class=(style.class()) width="26" height="10" viewBox="0 0 26 10" aria-hidden="true" {
                                    line x1="1" y1="5" x2="25" y2="5" stroke-dasharray=[style.dashes()] {}
                                    (style.mark(13.0, 5.0))
                                }
                                " " (name)
                            }
                        }
                    }
                }
            }
        }
    }

    /// A chart of bars as a file of its own, with its title and colours inside.
    pub(crate) fn alone(&self) -> String {
        let (content, below) = self.bars();
        let height = 50.0 + below;
        let drawn = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) viewBox=(format!("0 0 {WIDTH} {height}")) {
                style { (PreEscaped(PALETTE)) (PreEscaped(include_str!("chart.css"))) }
                rect.page x="0" y="0" width=(WIDTH) height=(height) {}
                text.title x="0" y="18" { (self.title) }
                text x="0" y="36" { (self.note) }
                g transform="translate(0 50)" { (content) }
            }
        };
        drawn.into_string() + "\n"
    }

    /// Bars in groups, and how high that is. Names stand before the bars, so that nobody has to tell colours apart.
    fn bars(&self) -> (Markup, f64) {
        let drawn = self.drawn();
        let most = self.points.iter().map(|point| point.value).fold(0.0, f64::max);
        let letters = drawn.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or_default();
        let left = letters as f64 * LETTER + GAP;
        let length = |value: f64| value / most * (WIDTH - NUMBERS - left);
        let mut top = 0.0;
        let mut next = |room: f64| {
            top += room;
            top - room
        };
        let content = html! {
            @for group in distinct(&self.points, |point| &point.at) {
                text.group x="0" y=(at(next(NAME) + NAME - 6.0)) { (group) }
                @for (name, style, points) in &drawn {
                    @for point in points.iter().filter(|point| point.at == group) {
                        @let top = next(BAR);
                        text x=(at(left - GAP)) y=(at(top + 11.5)) text-anchor="end" { (name) }
                        g class=(style.class()) {
                            rect x=(at(left)) y=(at(top + 1.0)) width=(at(length(point.value))) height=(at(BAR - 2.0)) {}
                        }
                        text x=(at(left + length(point.value) + 5.0)) y=(at(top + 11.5)) { (short(point.value)) }
                    }
                }
            }
            text x="0" y=(at(next(28.0) + 20.0)) { (self.unit) }
        };
        (content, top)
    }

    /// Lines over two axes that both count by factors, and how high that is.
    fn lines(&self) -> (Markup, f64) {
        let [left, right, above, below] = MARGIN;
        let (right, bottom) = (WIDTH - right, HEIGHT - below);
        let across = Scale::of(self.points.iter().map(Point::x), [left, right]);
        let up = Scale::of(self.points.iter().map(|point| point.value), [bottom, above]);
        let place = |point: &&Point| [across.place(point.x()), up.place(point.value)];
        let [middle, half] = [(left + right) / 2.0, (above + bottom) / 2.0];
        let content = html! {
            @for tick in across.ticks() {
                @let x = at(across.place(tick));
                g.grid { line x1=(x) x2=(x) y1=(at(above)) y2=(at(bottom)) {} }
                text x=(x) y=(at(bottom + 17.0)) text-anchor="middle" { (short(tick)) }
            }
            @for tick in up.ticks() {
                @let y = up.place(tick);
                g.grid { line x1=(at(left)) x2=(at(right)) y1=(at(y)) y2=(at(y)) {} }
                text x=(at(left - 7.0)) y=(at(y + 4.5)) text-anchor="end" { (short(tick)) }
            }
            text x=(at(middle)) y=(at(HEIGHT - 9.0)) text-anchor="middle" { (self.across.as_deref().unwrap_or_default()) }
            text transform=(format!("translate(13 {}) rotate(-90)", at(half))) text-anchor="middle" { (self.unit) }
            @for (name, style, mut points) in self.drawn() {
                ({ points.sort_by(|a, b| a.x().total_cmp(&b.x())); "" })
                g class=(style.class()) {
                    @let path: Vec<_> = points.iter().map(|point| place(point).map(at).join(",")).collect();
                    polyline stroke-dasharray=[style.dashes()] points=(path.join(" ")) {}
                    @for point in &points {
                        @let [x, y] = place(point);
                        g { title { (name) ": " (short(point.value)) " at " (short(point.x())) } (style.mark(x, y)) }
                    }
                }
            }
        };
        (content, HEIGHT)
    }

    /// What is measured, and the numbers: a column for each series.
    pub(crate) fn data(&self) -> Table {
        let series = self.series();
        let first = self.across.as_deref().unwrap_or_default();
        let columns = [first].into_iter().chain(series.iter().copied());
        let mut table = Table::new(&format!("{} In {}.", self.note, self.unit), columns);
        let mut places = distinct(&self.points, |point| &point.at);
        if self.across.is_some() {
            places.sort_by(|a, b| a.parse::<f64>().unwrap_or(0.0).total_cmp(&b.parse().unwrap_or(0.0)));
        }
        for place in places {
            let point = |name: &&str| self.points.iter().find(|point| point.series == *name && point.at == place);
            let cells = series.iter().map(|name| point(name).map_or_else(String::new, |point| digits(point.value)));
            table.rows.push([place.to_owned()].into_iter().chain(cells).collect());
        }
        table
    }
}

/// Four significant digits.
fn digits(value: f64) -> String {
    let before = if value.abs() < 1.0 { 1 } else { value.abs().log10().floor() as usize + 1 };
    format!("{value:.decimals$}", decimals = 4usize.saturating_sub(before))
}

#[cfg(test)]
mod tests;
