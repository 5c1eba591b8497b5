//! Charts as SVG: lines over two axes, bars in groups, waterfalls. Colours come from the page's style, light or dark.

mod axes;
mod bars;
mod lines;

pub(crate) use axes::Axis;

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
    /// A waterfall: a bar, and further ones that begin where it ends.
    Waterfall { unit: String, steps: Vec<Step> },
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

/// A bar of a waterfall.
pub(crate) struct Step {
    pub(crate) label: String,
    pub(crate) value: f64,
}

/// The number of colours in the page's style; later series begin again, with other dashes.
pub(crate) const COLOURS: usize = 8;

/// The colours, light or dark.
pub(crate) const PALETTE: &str = include_str!("colours.css");
/// The rest of the style of a chart that stands alone.
const STYLE: &str = include_str!("chart.css");

const WIDTH: f64 = 420.0;

impl Chart {
    /// The chart with its title and legend.
    pub(crate) fn figure(&self) -> Markup {
        html! {
            figure {
                figcaption { strong { (self.title) } ". " (self.note) }
                (match &self.shape {
                    Shape::Lines { x, y, series } => lines::lines(&self.title, x, y, series),
                    Shape::Bars { unit, groups, .. } => bars::bars(&self.title, unit, groups),
                    Shape::Waterfall { unit, steps } => bars::waterfall(&self.title, unit, steps),
                })
                ul.legend { @for (place, name) in self.names() { li { (swatch(place)) " " (name) } } }
            }
        }
    }

    /// A chart of bars as a file of its own, with its title, legend and colours inside.
    ///
    /// # Panics
    /// If it is of another shape.
    pub(crate) fn alone(&self) -> String {
        let Shape::Bars { unit, groups, .. } = &self.shape else { panic!("a chart of bars") };
        let (content, below) = bars::placed(unit, groups);
        let names = self.names();
        let above = 50.0 + names.len() as f64 * 18.0;
        let height = above + below;
        let drawn = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) viewBox=(format!("0 0 {WIDTH} {height}")) {
                style { (PreEscaped(PALETTE)) (PreEscaped(STYLE)) }
                rect.page x="0" y="0" width=(WIDTH) height=(height) {}
                text.title x="0" y="18" { (self.title) }
                text x="0" y="36" { (self.note) }
                @for (line, (place, name)) in names.into_iter().enumerate() {
                    @let y = 56.0 + line as f64 * 18.0;
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
            Shape::Waterfall { steps, .. } => {
                let first = steps.first().map_or(0.0, |step| step.value);
                let shown = |place: &usize| match place {
                    0 => true,
                    1 => steps.iter().any(|step| step.value > first),
                    _ => steps.iter().any(|step| step.value < first),
                };
                bars::FALLS.into_iter().enumerate().filter(|(place, _)| shown(place)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_escaped() {
        let series = vec![Series { name: "<b>".into(), points: vec![(1.0, 1.0), (2.0, 2.0)] }];
        let axis = |log| Axis { label: "a & b".into(), log };
        let shape = Shape::Lines { x: axis(true), y: axis(false), series };
        let text = Chart { title: "<i>".into(), note: String::new(), shape }.figure().into_string();
        assert!(!text.contains("<b>") && !text.contains("<i>") && text.contains("a &amp; b"));
    }
}
