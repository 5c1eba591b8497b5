//! Lines over two axes.

use super::{Series, Style, WIDTH, at, axes::*, mark};
use maud::{Markup, html};

const HEIGHT: f64 = 320.0;
/// Room for the axes: left, right, above, below.
const MARGIN: [f64; 4] = [60.0, 12.0, 12.0, 48.0];

pub(super) fn lines(title: &str, [x, y]: [&Axis; 2], series: &[Series], styles: &[Style]) -> Markup {
    let [left, right, above, below] = MARGIN;
    let points = || series.iter().flat_map(|series| series.points.iter().copied());
    let across = Scale::of(x, points().map(|(x, _)| x), [left, WIDTH - right]);
    let up = Scale::of(y, points().map(|(_, y)| y), [HEIGHT - below, above]);
    let path = |points: &[(f64, f64)]| {
        let places = points.iter().map(|(x, y)| format!("{},{}", at(across.place(*x)), at(up.place(*y))));
        places.collect::<Vec<_>>().join(" ")
    };
    let [middle, half] = [(left + WIDTH - right) / 2.0, (above + HEIGHT - below) / 2.0];
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
            text x=(at(middle)) y=(at(HEIGHT - 9.0)) text-anchor="middle" { (x.label) }
            text transform=(format!("translate(13 {}) rotate(-90)", at(half))) text-anchor="middle" { (y.label) }
            @for (series, style) in series.iter().zip(styles) {
                g class=(style.class()) {
                    polyline stroke-dasharray=[style.dashes()] points=(path(&series.points)) {}
                    @for (x, y) in &series.points {
                        g {
                            title { (series.name) ": " (short(*y)) " at " (short(*x)) }
                            (mark(style, across.place(*x), up.place(*y)))
                        }
                    }
                }
            }
        }
    }
}
