//! Bars in groups, and bars that each begin where the first one ends.

use super::{Group, Name, Step, Style, WIDTH, at, axes::short};
use maud::{Markup, html};

/// The height of a bar, and the room above a group for its name.
const BAR: f64 = 15.0;
const NAME: f64 = 22.0;
/// The room for the number behind the longest bar.
const NUMBERS: f64 = 60.0;
/// The further room in a waterfall, for a percentage and a word.
const NOISE: f64 = 65.0;
/// The width of a letter of a name, and the room between names and bars.
const LETTER: f64 = 7.7;
const GAP: f64 = 8.0;

pub(super) fn bars(title: &str, unit: &str, names: &[Name], groups: &[Group], styles: &[Style]) -> Markup {
    let (content, height) = placed(unit, names, groups, styles);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(title) { (content) }
    }
}

/// What is drawn, and how high it is. Names stand before the bars, so that nobody has to tell colours apart.
pub(super) fn placed(unit: &str, names: &[Name], groups: &[Group], styles: &[Style]) -> (Markup, f64) {
    let most = groups.iter().flat_map(|group| &group.bars).map(|bar| bar.value).fold(0.0, f64::max);
    let letters = names.iter().map(|name| name.short.chars().count()).max().unwrap_or_default();
    let left = letters as f64 * LETTER + GAP;
    let length = |value: f64| value / most * (WIDTH - NUMBERS - left);
    let mut height = 0.0;
    let mut begin = |group: &Group| {
        let begin = height;
        height += NAME + group.bars.len() as f64 * BAR;
        begin
    };
    let placed: Vec<_> = groups.iter().map(|group| (begin(group), group)).collect();
    let content = html! {
        @for (begin, group) in placed {
            text.group x="0" y=(at(begin + NAME - 6.0)) { (group.label) }
            @for (i, bar) in group.bars.iter().enumerate() {
                @let top = begin + NAME + i as f64 * BAR;
                text x=(at(left - GAP)) y=(at(top + 11.5)) text-anchor="end" { (names[bar.series].short) }
                g class=(styles[bar.series].class()) {
                    rect x=(at(left)) y=(at(top + 1.0)) width=(at(length(bar.value))) height=(at(BAR - 2.0)) {}
                }
                text x=(at(left + length(bar.value) + 5.0)) y=(at(top + 11.5)) { (short(bar.value)) }
            }
        }
        text x="0" y=(at(height + 20.0)) { (unit) }
    };
    (content, height + 28.0)
}

/// What the colours of a waterfall stand for, behind the first bar.
const FALLS: [&str; 3] = ["slower without it", "faster without it", "no difference but noise"];

/// What the colours of a waterfall stand for: the first bar, and those of [`FALLS`] that there are.
pub(super) fn falls(steps: &[Step]) -> Vec<&'static str> {
    let there = |fall: &&&str| (1..steps.len()).any(|place| fall_of(steps, place) == **fall);
    ["with everything"].into_iter().chain(FALLS.iter().filter(there).copied()).collect()
}

/// Which of [`FALLS`] a step behind the first is.
fn fall_of(steps: &[Step], place: usize) -> &'static str {
    match &steps[place] {
        step if step.noise => FALLS[2],
        step if step.value >= steps[0].value => FALLS[0],
        _ => FALLS[1],
    }
}

/// Which of [`falls`] a step is.
fn fall(steps: &[Step], place: usize) -> usize {
    let of = |place| falls(steps).iter().position(|fall| *fall == fall_of(steps, place)).unwrap_or_default();
    if place == 0 { 0 } else { of(place) }
}

/// How much more or less than once, in percent.
fn percent(ratio: f64) -> String {
    let percent = ((ratio - 1.0) * 100.0).round();
    if percent == 0.0 { "0%".to_owned() } else { format!("{percent:+.0}%") }
}

/// The first bar from zero, each further one from where the first ends to its own value.
pub(super) fn waterfall(title: &str, unit: &str, steps: &[Step], styles: &[Style]) -> Markup {
    let first = steps.first().map_or(0.0, |step| step.value);
    let most = steps.iter().map(|step| step.value).fold(0.0, f64::max);
    let place = |value: f64| value / most * (WIDTH - NUMBERS - NOISE);
    let height = steps.len() as f64 * (NAME + BAR);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {}", at(height + 28.0))) role="img" aria-label=(title) {
            @for (i, step) in steps.iter().enumerate() {
                @let top = i as f64 * (NAME + BAR);
                @let begin = if i == 0 { 0.0 } else { first };
                @let (low, high) = (place(begin.min(step.value)), place(begin.max(step.value)));
                @let style = styles[fall(steps, i)];
                text x="0" y=(at(top + NAME - 6.0)) { (step.label) }
                g class=(style.class()) {
                    rect x=(at(low)) y=(at(top + NAME + 1.0)) width=(at((high - low).max(1.0))) height=(at(BAR - 2.0)) {}
                }
                g.grid {
                    line x1=(at(place(first))) x2=(at(place(first))) y1=(at(top + NAME - 2.0)) y2=(at(top + NAME + BAR + 2.0)) {}
                }
                text x=(at(high + 5.0)) y=(at(top + NAME + 11.5)) {
                    (short(step.value))
                    @let noise = if step.noise { ", noise" } else { "" };
                    @if i > 0 { " (" (percent(step.value / first)) (noise) ")" }
                }
            }
            text x="0" y=(at(height + 20.0)) { (unit) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_has_a_sign_unless_it_is_none() {
        assert_eq!([1.004, 0.996, 1.5, 0.75].map(percent), ["0%", "0%", "+50%", "-25%"]);
    }

    #[test]
    fn a_waterfall_tells_noise_from_what_is_slower_or_faster() {
        let step = |value, noise| Step { label: String::new(), value, noise };
        let steps = [step(2.0, false), step(3.0, false), step(2.1, true)];
        assert_eq!(falls(&steps), ["with everything", "slower without it", "no difference but noise"]);
        assert_eq!([0, 1, 2].map(|place| fall(&steps, place)), [0, 1, 2]);
        let steps = [step(2.0, false), step(1.0, false)];
        assert_eq!((falls(&steps), fall(&steps, 1)), (vec!["with everything", "faster without it"], 1));
    }
}
