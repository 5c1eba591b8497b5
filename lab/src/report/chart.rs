//! Charts as SVG: lines over two axes, bars in groups, waterfalls. Colours come from the page's style, light or dark;
//! [`colours`] says which library has which. [`data`] has a chart's numbers as a table.

mod axes;
mod bars;
mod colours;
mod data;
mod lines;

pub(crate) use axes::Axis;

use colours::Style;
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
    /// Bars in groups.
    Bars { unit: String, names: Vec<Name>, groups: Vec<Group> },
    /// A waterfall: a bar, and further ones that begin where it ends.
    Waterfall { unit: String, steps: Vec<Step> },
}

/// A line.
pub(crate) struct Series {
    pub(crate) name: String,
    /// By rising x.
    pub(crate) points: Vec<(f64, f64)>,
}

/// What a bar stands for.
pub(crate) struct Name {
    /// In tables of the chart's numbers.
    pub(crate) text: String,
    /// Beside the bar. No two of a chart are the same.
    pub(crate) short: String,
}

impl Name {
    /// The same text in both places.
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), short: text.to_owned() }
    }
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
    /// Whether it differs from the first by less than the samples do among themselves.
    pub(crate) noise: bool,
}

/// The colours, light or dark.
pub(crate) const PALETTE: &str = include_str!("colours.css");
/// The rest of the style of a chart that stands alone.
const STYLE: &str = include_str!("chart.css");

const WIDTH: f64 = 420.0;

impl Chart {
    /// The chart with its title, and a legend where names do not stand beside what is drawn.
    pub(crate) fn figure(&self) -> Markup {
        let styles = self.styles();
        let swatch = |style: &Style| match &self.shape {
            Shape::Lines { .. } => line_swatch(style),
            Shape::Bars { .. } | Shape::Waterfall { .. } => square(style),
        };
        let has_legend = !matches!(self.shape, Shape::Bars { .. });
        html! {
            figure {
                figcaption { strong { (self.title) } ". " (self.note) }
                (match &self.shape {
                    Shape::Lines { x, y, series } => lines::lines(&self.title, [x, y], series, &styles),
                    Shape::Bars { unit, names, groups } => bars::bars(&self.title, unit, names, groups, &styles),
                    Shape::Waterfall { unit, steps } => bars::waterfall(&self.title, unit, steps, &styles),
                })
                @if has_legend {
                    ul.legend {
                        @for (name, style) in self.names().into_iter().zip(&styles) { li { (swatch(style)) " " (name) } }
                    }
                }
            }
        }
    }

    /// A chart of bars as a file of its own, with its title and colours inside.
    ///
    /// # Panics
    /// If it is of another shape.
    pub(crate) fn alone(&self) -> String {
        let Shape::Bars { unit, names, groups } = &self.shape else { panic!("a chart of bars") };
        let styles = self.styles();
        let (content, below) = bars::placed(unit, names, groups, &styles);
        let above = 50.0;
        let height = above + below;
        let drawn = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) viewBox=(format!("0 0 {WIDTH} {height}")) {
                style { (PreEscaped(PALETTE)) (PreEscaped(STYLE)) }
                rect.page x="0" y="0" width=(WIDTH) height=(height) {}
                text.title x="0" y="18" { (self.title) }
                text x="0" y="36" { (self.note) }
                g transform=(format!("translate(0 {above})")) { (content) }
            }
        };
        drawn.into_string() + "\n"
    }

    /// The names of what has a colour.
    fn names(&self) -> Vec<&str> {
        match &self.shape {
            Shape::Lines { series, .. } => series.iter().map(|series| series.name.as_str()).collect(),
            Shape::Bars { names, .. } => names.iter().map(|name| name.text.as_str()).collect(),
            Shape::Waterfall { steps, .. } => bars::falls(steps),
        }
    }

    /// How each of them is drawn.
    fn styles(&self) -> Vec<Style> {
        colours::styles(&self.names())
    }
}

/// A line with its mark, in a legend.
fn line_swatch(style: &Style) -> Markup {
    html! {
        svg class=(style.class()) width="26" height="10" viewBox="0 0 26 10" aria-hidden="true" {
            line x1="1" y1="5" x2="25" y2="5" stroke-dasharray=[style.dashes()] {}
            (mark(style, 13.0, 5.0))
        }
    }
}

/// The colour of a bar, in a legend.
fn square(style: &Style) -> Markup {
    html! {
        svg class=(style.class()) width="14" height="10" viewBox="0 0 14 10" aria-hidden="true" {
            rect x="0" y="0" width="14" height="10" {}
        }
    }
}

/// A point's mark: series differ in its form too, for readers who do not tell the colours apart.
fn mark(style: &Style, x: f64, y: f64) -> Markup {
    match style.mark() {
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

    #[test]
    fn bars_have_their_names_beside_them_and_no_legend() {
        let names = vec![Name { text: "a long name".into(), short: "short".into() }];
        let groups = vec![Group { label: "group".into(), bars: vec![Bar { series: 0, value: 2.0 }] }];
        let chart =
            Chart { title: "t".into(), note: String::new(), shape: Shape::Bars { unit: "u".into(), names, groups } };
        for text in [chart.figure().into_string(), chart.alone()] {
            assert_eq!((text.matches(">short<").count(), text.matches("a long name").count()), (1, 0));
            assert!(!text.contains("legend") && !text.contains("<line") && !text.contains("<circle"));
        }
    }

    #[test]
    fn colours_without_a_name_beside_them_have_a_legend() {
        let steps = [1.0, 2.0].map(|value| Step { label: "s".into(), value, noise: false }).into();
        let steps = Shape::Waterfall { unit: "u".into(), steps };
        let axis = || Axis { label: "a".into(), log: false };
        let series = vec![Series { name: "line".into(), points: vec![(1.0, 1.0), (2.0, 2.0)] }];
        for (shape, names) in [(steps, 2), (Shape::Lines { x: axis(), y: axis(), series }, 1)] {
            let text = Chart { title: "t".into(), note: String::new(), shape }.figure().into_string();
            let (_, legend) = text.split_once("<ul class=\"legend\">").unwrap();
            assert_eq!(legend.matches("<li>").count(), names);
        }
    }
}
