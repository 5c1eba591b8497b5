//! Axes: where a value lies, and which round values are marked.

/// An axis.
pub(crate) struct Axis {
    /// What it counts, with its unit.
    pub(crate) label: String,
    pub(crate) log: bool,
}

/// An axis as it is drawn: the ends of its range, and where they lie.
pub(super) struct Scale {
    range: [f64; 2],
    ends: [f64; 2],
    log: bool,
}

impl Scale {
    pub(super) fn of(axis: &Axis, values: impl Iterator<Item = f64> + Clone, ends: [f64; 2]) -> Self {
        let (least, most) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
        let range = if axis.log { [least / 1.15, most * 1.15] } else { [0.0, most * 1.05] };
        Self { range, ends, log: axis.log }
    }

    /// Where a value lies.
    pub(super) fn place(&self, value: f64) -> f64 {
        let measure = |value: f64| if self.log { value.ln() } else { value };
        let [low, high] = self.range.map(measure);
        self.ends[0] + (measure(value) - low) / (high - low) * (self.ends[1] - self.ends[0])
    }

    /// Round values in the range: in a few decades only powers of ten, in fewer also what lies between.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.range;
        if !self.log {
            let step = nice(high / 5.0);
            return (0..).map(|i| f64::from(i) * step).take_while(|tick| *tick <= high).collect();
        }
        let between: &[f64] = match high / low {
            decades if decades < 5.0 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
            decades if decades < 150.0 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
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
        let one = Scale::of(&axis, [20.0, 30.0].into_iter(), [0.0, 1.0]);
        assert_eq!(one.ticks(), [20.0, 30.0]);
    }
}
