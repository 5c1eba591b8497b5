//! Which colour, dashes and mark a series has. A library has the same colour on every CPU and in every chart.

/// The number of colours in the page's style.
pub(super) const COLOURS: usize = 10;

/// The colours of libraries, and of steps in a waterfall. Those that share one never meet in a chart; where they did, the second would have dashes.
const LIBRARIES: [(&str, usize); 23] = [
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
    ("with everything", 0),
    ("slower without it", 1),
    ("faster without it", 3),
    ("no difference but noise", 7),
];

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    colour: usize,
    /// How many series before it in the chart have the same colour.
    again: usize,
}

impl Style {
    /// The class of its colour.
    pub(super) fn class(self) -> String {
        format!("c{}", self.colour)
    }

    /// The dashes of its line.
    pub(super) fn dashes(self) -> Option<&'static str> {
        match self.again {
            0 => None,
            1 => Some("6 4"),
            _ => Some("2 4"),
        }
    }

    /// The number of its mark, of four.
    pub(super) fn mark(self) -> usize {
        (self.colour + self.again) % 4
    }
}

/// The colour of a library by a name that may say more of it, behind a comma.
fn of_library(name: &str) -> Option<usize> {
    let is = |known: &str| name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(','));
    let mut known = LIBRARIES.iter().filter(|(known, _)| is(known));
    known.next().map(|(_, colour)| *colour)
}

/// The styles of a chart's series: libraries have their own colours, and the others those that are left, in order.
pub(super) fn styles(names: &[&str]) -> Vec<Style> {
    let fixed: Vec<Option<usize>> = names.iter().map(|name| of_library(name)).collect();
    let mut left = (0..COLOURS).filter(|colour| !fixed.contains(&Some(*colour))).cycle();
    let mut styles: Vec<Style> = Vec::new();
    for colour in fixed.iter().copied() {
        let colour = colour.unwrap_or_else(|| left.next().unwrap_or_default());
        let again = styles.iter().filter(|style| style.colour == colour).count();
        styles.push(Style { colour, again });
    }
    styles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::PALETTE;

    #[test]
    fn a_library_keeps_its_colour_and_series_of_one_chart_differ() {
        let one = styles(&["Phalanx, ifma", "libsecp256k1"]);
        let other =
            styles(&["libsecp256k1, one by one", "b = 8", "Phalanx, ifma, in bulk", "Phalanx, ifma, one at a time"]);
        assert_eq!((one[0].colour, one[1].colour), (other[2].colour, other[0].colour));
        assert_ne!(other[1].colour, other[2].colour);
        assert_eq!((other[2].dashes(), other[3].dashes()), (None, Some("6 4")));
        assert_ne!(other[2].mark(), other[3].mark());
        let many: Vec<String> = (0..25).map(|series| format!("b = {series}")).collect();
        let styles = styles(&many.iter().map(String::as_str).collect::<Vec<_>>());
        for (place, style) in styles.iter().enumerate() {
            assert!(!styles[..place].contains(style));
        }
    }

    /// Lightness and the two axes of colour of OKLab (Ottosson, 2020), in which equal distances look equally far.
    fn oklab(hex: &str) -> [f64; 3] {
        let linear = |place: usize| {
            let value = f64::from(u8::from_str_radix(&hex[place..place + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let [r, g, b] = [0, 2, 4].map(linear);
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }

    #[test]
    fn colours_can_be_told_apart_in_light_and_dark() {
        for place in 0..COLOURS {
            assert!(
                PALETTE.contains(&format!(".c{place} {{ color: var(--c{place}); }}")),
                "the class of colour {place}"
            );
        }
        let colour = |palette: &str, place: usize| {
            let (_, rest) = palette.split_once(&format!("--c{place}: #")).unwrap();
            oklab(&rest[..6])
        };
        for palette in PALETTE.split("@media").take(2) {
            for (one, other) in (0..COLOURS).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let (a, b) = (colour(palette, one), colour(palette, other));
                let distance = (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt();
                assert!(distance > 0.095, "colours {one} and {other} are {distance:.3} apart");
            }
        }
    }
}
