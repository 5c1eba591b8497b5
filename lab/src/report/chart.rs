//! Charts as SVG: lines over two axes, and bars in groups. Colours come from the page's style, light or dark.

use maud::{Markup, PreEscaped, html};

/// A chart, in words and numbers.
pub(crate) struct Chart {
    pub(crate) title: String,
    /// What is measured, in a sentence.
    pub(crate) note: String,
    pub(crate) shape: Shape,
}

/// How it is drawn.
pub(crate) enum Shape {
    /// Lines over two axes.
    Lines { x: Axis, y: Axis, series: Vec<Series> },
    /// Bars in groups. A name that no bar has is kept, so that colours stay the same from chart to chart, and is not shown.
    Bars { unit: String, names: Vec<(bool, String)>, groups: Vec<Group> },
}

/// An axis.
pub(crate) struct Axis {
    /// What it counts, with its unit.
    pub(crate) label: String,
    pub(crate) log: bool,
}

/// A line.
pub(crate) struct Series {
    pub(crate) name: String,
    /// By rising x.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Bars side by side under one name.
pub(crate) struct Group {
    pub(crate) label: String,
    pub(crate) bars: Vec<Bar>,
}

/// A bar.
pub(crate) struct Bar {
    /// Which of the chart's names it belongs to.
    pub(crate) series: usize,
    pub(crate) value: f64,
}

/// The number of colours in the page's style; later series begin again, with other dashes.
pub(crate) const COLOURS: usize = 8;

/// The colours, light or dark.
pub(crate) const PALETTE: &str = include_str!("colours.css");
/// The rest of the style of a chart that stands alone.
const STYLE: &str = include_str!("chart.css");

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 330.0;
/// Room for the axes: left, right, above, below.
const MARGIN: [f64; 4] = [62.0, 14.0, 12.0, 48.0];

impl Chart {
    /// The chart with its title and legend.
    pub(crate) fn figure(&self) -> Markup {
        html! {
            figure {
                figcaption { strong { (self.title) } ". " (self.note) }
                (match &self.shape {
                    Shape::Lines { x, y, series } => lines(&self.title, x, y, series),
                    Shape::Bars { unit, groups, .. } => bars(&self.title, unit, groups),
                })
                ul.legend { @for (place, name) in self.names() { li { (swatch(place)) " " (name) } } }
            }
        }
    }

    /// A chart of bars as a file of its own, with its title, legend and colours inside.
    ///
    /// # Panics
    /// If it is one of lines.
    pub(crate) fn alone(&self) -> String {
        let Shape::Bars { unit, groups, .. } = &self.shape else { panic!("a chart of bars") };
        let (content, below) = placed_bars(unit, groups);
        let names = self.names();
        let above = 34.0 + names.len() as f64 * 18.0;
        let height = above + below;
        let drawn = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) viewBox=(format!("0 0 {WIDTH} {height}")) {
                style { (PreEscaped(PALETTE)) (PreEscaped(STYLE)) }
                rect.page x="0" y="0" width=(WIDTH) height=(height) {}
                text.title x="0" y="18" { (self.title) ". " (self.note) }
                @for (line, (place, name)) in names.into_iter().enumerate() {
                    @let y = 38.0 + line as f64 * 18.0;
                    g class=(colour(place)) { rect x="0" y=(at(y - 9.0)) width="14" height="10" {} }
                    text x="22" y=(at(y)) { (name) }
                }
                g transform=(format!("translate(0 {above})")) { (content) }
            }
        };
        drawn.into_string() + "\n"
    }

    /// The names of the legend, each with the number of its colour.
    fn names(&self) -> Vec<(usize, &str)> {
        match &self.shape {
            Shape::Lines { series, .. } => series.iter().map(|series| series.name.as_str()).enumerate().collect(),
            Shape::Bars { names, .. } => {
                let shown = names.iter().enumerate().filter(|(_, (shown, _))| *shown);
                shown.map(|(place, (_, name))| (place, name.as_str())).collect()
            }
        }
    }
}

fn colour(place: usize) -> String {
    format!("c{}", place % COLOURS)
}

fn dashes(place: usize) -> Option<&'static str> {
    (place >= COLOURS).then_some("6 4")
}

fn swatch(place: usize) -> Markup {
    html! {
        svg class=(colour(place)) width="26" height="10" viewBox="0 0 26 10" aria-hidden="true" {
            line x1="1" y1="5" x2="25" y2="5" stroke-dasharray=[dashes(place)] {}
            (mark(place, 13.0, 5.0))
        }
    }
}

/// A point's mark: series differ in its form too, for readers who do not tell the colours apart.
fn mark(place: usize, x: f64, y: f64) -> Markup {
    match place % 4 {
        0 => html! { circle cx=(at(x)) cy=(at(y)) r="3.5" {} },
        1 => html! { rect x=(at(x - 3.2)) y=(at(y - 3.2)) width="6.4" height="6.4" {} },
        2 => html! { path d=(format!("M{} {}l4.2 7.4h-8.4z", at(x), at(y - 4.6))) {} },
        _ => html! { path d=(format!("M{} {}l4.2 4.2l-4.2 4.2l-4.2 -4.2z", at(x), at(y - 4.2))) {} },
    }
}

/// A coordinate with one decimal.
fn at(value: f64) -> String {
    format!("{value:.1}")
}

/// An axis as it is drawn: the ends of its range, and where they lie.
struct Scale {
    range: [f64; 2],
    ends: [f64; 2],
    log: bool,
}

impl Scale {
    fn of(axis: &Axis, values: impl Iterator<Item = f64> + Clone, ends: [f64; 2]) -> Self {
        let (least, most) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
        let range = if axis.log { [least / 1.15, most * 1.15] } else { [0.0, most * 1.05] };
        Self { range, ends, log: axis.log }
    }

    /// Where a value lies.
    fn place(&self, value: f64) -> f64 {
        let measure = |value: f64| if self.log { value.ln() } else { value };
        let [low, high] = self.range.map(measure);
        self.ends[0] + (measure(value) - low) / (high - low) * (self.ends[1] - self.ends[0])
    }

    /// Round values in the range. Where there are two decades or fewer, 2 and 5 stand between the powers of ten.
    fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.range;
        if !self.log {
            let step = nice(high / 5.0);
            return (0..).map(|i| f64::from(i) * step).take_while(|tick| *tick <= high).collect();
        }
        let between: &[f64] = if high / low < 150.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let ticks = decades.flat_map(|decade| between.iter().map(move |factor| factor * 10f64.powi(decade)));
        ticks.filter(|tick| (low..=high).contains(tick)).collect()
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below the value.
fn nice(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= value).unwrap_or(value)
}

/// A number in few characters: 65536 as 65.5 k.
pub(crate) fn short(value: f64) -> String {
    let (value, unit) = match value {
        value if value >= 999_500.0 => (value / 1e6, " M"),
        value if value >= 10_000.0 => (value / 1e3, " k"),
        value => (value, ""),
    };
    let decimals = match value {
        value if value >= 100.0 => 0,
        value if value >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

fn lines(title: &str, x: &Axis, y: &Axis, series: &[Series]) -> Markup {
    let [left, right, above, below] = MARGIN;
    let points = || series.iter().flat_map(|series| series.points.iter().copied());
    let across = Scale::of(x, points().map(|(x, _)| x), [left, WIDTH - right]);
    let up = Scale::of(y, points().map(|(_, y)| y), [HEIGHT - below, above]);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(title) {
            g.grid {
                @for tick in across.ticks() {
                    line x1=(at(across.place(tick))) x2=(at(across.place(tick))) y1=(at(above)) y2=(at(HEIGHT - below)) {}
                }
                @for tick in up.ticks() {
                    line x1=(at(left)) x2=(at(WIDTH - right)) y1=(at(up.place(tick))) y2=(at(up.place(tick))) {}
                }
            }
            @for tick in across.ticks() {
                text x=(at(across.place(tick))) y=(at(HEIGHT - below + 17.0)) text-anchor="middle" { (short(tick)) }
            }
            @for tick in up.ticks() {
                text x=(at(left - 7.0)) y=(at(up.place(tick) + 4.5)) text-anchor="end" { (short(tick)) }
            }
            text x=(at((left + WIDTH - right) / 2.0)) y=(at(HEIGHT - 9.0)) text-anchor="middle" { (x.label) }
            text transform=(format!("translate(15 {}) rotate(-90)", at((above + HEIGHT - below) / 2.0))) text-anchor="middle" { (y.label) }
            @for (place, series) in series.iter().enumerate() {
                g class=(colour(place)) {
                    polyline stroke-dasharray=[dashes(place)] points=(series.points.iter()
                        .map(|(x, y)| format!("{},{}", at(across.place(*x)), at(up.place(*y)))).collect::<Vec<_>>().join(" ")) {}
                    @for (x, y) in &series.points {
                        g {
                            title { (series.name) ": " (short(*y)) " at " (short(*x)) }
                            (mark(place, across.place(*x), up.place(*y)))
                        }
                    }
                }
            }
        }
    }
}

/// The height of a bar, and the room above a group for its name.
const BAR: f64 = 15.0;
const NAME: f64 = 22.0;
/// The room for the number behind the longest bar.
const NUMBERS: f64 = 60.0;

fn bars(title: &str, unit: &str, groups: &[Group]) -> Markup {
    let (content, height) = placed_bars(unit, groups);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(title) { (content) }
    }
}

/// What is drawn, and how high it is.
fn placed_bars(unit: &str, groups: &[Group]) -> (Markup, f64) {
    let most = groups.iter().flat_map(|group| &group.bars).map(|bar| bar.value).fold(0.0, f64::max);
    let length = |value: f64| value / most * (WIDTH - NUMBERS);
    let mut height = 0.0;
    let mut begin = |group: &Group| {
        let begin = height;
        height += NAME + group.bars.len() as f64 * BAR;
        begin
    };
    let placed: Vec<_> = groups.iter().map(|group| (begin(group), group)).collect();
    let content = html! {
        @for (begin, group) in placed {
            text x="0" y=(at(begin + NAME - 6.0)) { (group.label) }
            @for (i, bar) in group.bars.iter().enumerate() {
                @let top = begin + NAME + i as f64 * BAR;
                g class=(colour(bar.series)) {
                    rect x="0" y=(at(top + 1.0)) width=(at(length(bar.value))) height=(at(BAR - 2.0)) {}
                }
                text x=(at(length(bar.value) + 5.0)) y=(at(top + 11.5)) { (short(bar.value)) }
            }
        }
        text x="0" y=(at(height + 20.0)) { (unit) }
    };
    (content, height + 28.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [
            (0.034, "0.03"),
            (1.0, "1"),
            (2.5, "2.5"),
            (16384.0, "16.4 k"),
            (377_600.0, "378 k"),
            (1_048_576.0, "1.05 M"),
        ];
        for (value, text) in texts {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn a_log_axis_keeps_equal_steps_for_equal_factors() {
        let axis = Axis { label: String::new(), log: true };
        let scale = Scale::of(&axis, [1.0, 1000.0].into_iter(), [0.0, 300.0]);
        let step = |a, b| scale.place(b) - scale.place(a);
        assert!((step(1.0, 10.0) - step(100.0, 1000.0)).abs() < 1e-9);
        assert_eq!(scale.ticks(), [1.0, 10.0, 100.0, 1000.0]);
        let few = Scale::of(&axis, [3.0, 30.0].into_iter(), [0.0, 1.0]);
        assert_eq!(few.ticks(), [5.0, 10.0, 20.0]);
    }

    #[test]
    fn every_text_is_escaped() {
        let series = vec![Series { name: "<b>".into(), points: vec![(1.0, 1.0), (2.0, 2.0)] }];
        let axis = |log| Axis { label: "a & b".into(), log };
        let shape = Shape::Lines { x: axis(true), y: axis(false), series };
        let text = Chart { title: "<i>".into(), note: String::new(), shape }.figure().into_string();
        assert!(!text.contains("<b>") && !text.contains("<i>") && text.contains("a &amp; b"));
    }
}
