//! Medians and spreads.

/// The middle and the width of a set of samples.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Summary {
    /// The median.
    pub(crate) median: f64,
    /// The distance between the quartiles, as a fraction of the median.
    pub(crate) spread: f64,
    /// The least: on a busy machine the nearest to an undisturbed run.
    pub(crate) least: f64,
    /// The mean, and the standard deviation around it.
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

/// The quantile `q` of sorted samples, between neighbours by proportion.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (place - low as f64)
}

impl Summary {
    /// Of at least one sample.
    pub(crate) fn of(samples: &[f64]) -> Self {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (median, count) = (quantile(&sorted, 0.5), sorted.len() as f64);
        let mean = sorted.iter().sum::<f64>() / count;
        let deviation = (sorted.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / count).sqrt();
        let spread = (quantile(&sorted, 0.75) - quantile(&sorted, 0.25)) / median;
        Self { median, spread, least: sorted[0], mean, deviation }
    }
}

/// Whether the difference of two medians is smaller than the wider spread.
pub(crate) fn is_noise(left: Summary, right: Summary) -> bool {
    let difference = (left.median - right.median).abs() / left.median.min(right.median);
    difference < left.spread.max(right.spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_quartiles() {
        let (spread, deviation) = (2.0 / 3.0, 2.0_f64.sqrt());
        let summary = Summary { median: 3.0, spread, least: 1.0, mean: 3.0, deviation };
        assert_eq!(Summary::of(&[4.0, 1.0, 3.0, 2.0, 5.0]), summary);
        let summary = Summary { median: 7.0, spread: 0.0, least: 7.0, mean: 7.0, deviation: 0.0 };
        assert_eq!(Summary::of(&[7.0]), summary);
        assert_eq!(Summary::of(&[1.0, 2.0]).median, 1.5);
    }

    #[test]
    fn noise_is_a_difference_inside_the_spread() {
        let summary = |median, spread| Summary { median, spread, ..Summary::default() };
        assert!(is_noise(summary(100.0, 0.05), summary(103.0, 0.01)));
        assert!(!is_noise(summary(100.0, 0.02), summary(103.0, 0.01)));
    }
}
