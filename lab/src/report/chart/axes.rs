//! Axes that count by factors: where a value lies, and which round values are marked.

/// An axis as it is drawn: the ends of its range, and where they lie.
pub(super) struct Scale {
    range: [f64; 2],
    ends: [f64; 2],
}

impl Scale {
    pub(super) fn of(values: impl Iterator<Item = f64>, ends: [f64; 2]) -> Self {
        let (least, most) =
            values.fold((f64::INFINITY, 0.0), |(least, most), value| (value.min(least), value.max(most)));
        Self { range: [least / 1.15, most * 1.15], ends }
    }

    /// Where a value lies.
    pub(super) fn place(&self, value: f64) -> f64 {
        let [low, high] = self.range.map(f64::ln);
        self.ends[0] + (value.ln() - low) / (high - low) * (self.ends[1] - self.ends[0])
    }

    /// Round values in the range: in many decades only powers of ten, in fewer also what lies between.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.range;
        let between: &[f64] = match high / low {
            factor if factor < 5.0 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
            factor if factor < 150.0 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let ticks = decades.flat_map(|decade| between.iter().map(move |factor| factor * 10f64.powi(decade)));
        ticks.filter(|tick| (low..=high).contains(tick)).collect()
    }
}

/// A number in few characters: 65536 as 65.5 k.
pub(super) fn short(value: f64) -> String {
    let (value, unit) = match value {
        value if value >= 999_500.0 => (value / 1e6, " M"),
        value if value >= 10_000.0 => (value / 1e3, " k"),
        value => (value, ""),
    };
    let decimals = if value >= 100.0 { 0 } else { 2 - usize::from(value >= 10.0) };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}
