//! Bars in groups, and bars that each begin where the first one ends.

use super::{Group, Step, WIDTH, at, axes::short, colour};
use maud::{Markup, html};

/// The height of a bar, and the room above a group for its name.
const BAR: f64 = 15.0;
const NAME: f64 = 22.0;
/// The room for the number behind the longest bar.
const NUMBERS: f64 = 60.0;

pub(super) fn bars(title: &str, unit: &str, groups: &[Group]) -> Markup {
    let (content, height) = placed(unit, groups);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(title) { (content) }
    }
}

/// What is drawn, and how high it is.
pub(super) fn placed(unit: &str, groups: &[Group]) -> (Markup, f64) {
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

/// Colours of a waterfall: the first bar, one that reaches beyond it, one that ends before it.
pub(super) const FALLS: [&str; 3] = ["with everything", "slower without it", "faster without it"];

/// The first bar from zero, each further one from where the first ends to its own value.
pub(super) fn waterfall(title: &str, unit: &str, steps: &[Step]) -> Markup {
    let first = steps.first().map_or(0.0, |step| step.value);
    let most = steps.iter().map(|step| step.value).fold(0.0, f64::max);
    let place = |value: f64| value / most * (WIDTH - NUMBERS - 40.0);
    let height = steps.len() as f64 * (NAME + BAR);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", at(height + 28.0))) role="img" aria-label=(title) {
            @for (i, step) in steps.iter().enumerate() {
                @let top = i as f64 * (NAME + BAR);
                @let begin = if i == 0 { 0.0 } else { first };
                @let (low, high) = (place(begin.min(step.value)), place(begin.max(step.value)));
                @let kind = if i == 0 { 0 } else { 1 + usize::from(step.value < first) };
                text x="0" y=(at(top + NAME - 6.0)) { (step.label) }
                g class=(colour(kind)) {
                    rect x=(at(low)) y=(at(top + NAME + 1.0)) width=(at((high - low).max(1.0))) height=(at(BAR - 2.0)) {}
                }
                g.grid {
                    line x1=(at(place(first))) x2=(at(place(first))) y1=(at(top + NAME - 2.0)) y2=(at(top + NAME + BAR + 2.0)) {}
                }
                text x=(at(high + 5.0)) y=(at(top + NAME + 11.5)) {
                    (short(step.value))
                    @if i > 0 { (format!(" ({:+.0}%)", (step.value / first - 1.0) * 100.0)) }
                }
            }
            text x="0" y=(at(height + 20.0)) { (unit) }
        }
    }
}
