use super::*;

fn chart(across: Option<&str>, points: &[(&str, &str, f64)]) -> Chart {
    let point =
        |(series, at, value): &(&str, &str, f64)| Point { series: (*series).into(), at: (*at).into(), value: *value };
    let points = points.iter().map(point).collect();
    Chart { title: "<i>".into(), note: "Note.".into(), unit: "us".into(), across: across.map(str::to_owned), points }
}

#[test]
fn texts_are_escaped_and_names_stand_beside_bars_or_in_a_legend() {
    let points = [("<b>", "2", 1.0), ("<b>", "3", 2.0)];
    for (across, legends) in [(Some("a & b"), 1), (None, 0)] {
        let text = chart(across, &points).figure().into_string();
        assert!(!text.contains("<b>") && !text.contains("<i>") && text.matches("legend").count() == legends);
        assert_eq!(text.matches(">&lt;b&gt;<").count(), if legends == 0 { 2 } else { 0 });
        assert_eq!(text.matches("a &amp; b").count(), legends);
    }
    assert!(chart(None, &points).alone().contains(">&lt;b&gt;<"));
}

#[test]
fn every_point_of_a_chart_is_in_its_table() {
    let lines = [("a", "16384", 12.3456), ("a", "2", 0.123_456), ("b", "2", 123_456.0)];
    let table = chart(Some("n"), &lines).data();
    assert_eq!((table.title.as_str(), table.columns), ("Note. In us.", ["n", "a", "b"].map(String::from).into()));
    assert_eq!(table.rows, [["2", "0.123", "123456"], ["16384", "12.35", ""]].map(|row| row.map(String::from)));
}

#[test]
fn a_library_keeps_its_colour_and_series_of_one_chart_differ() {
    let one = styles(&["Phalanx, ifma", "libsecp256k1"]);
    let other =
        styles(&["libsecp256k1, one by one", "b = 8", "Phalanx, ifma, in bulk", "Phalanx, ifma, one at a time"]);
    assert_eq!((one[0].colour, one[1].colour), (other[2].colour, other[0].colour));
    assert_eq!((other[2].dashes(), other[3].dashes()), (None, Some("6 4")));
    let many: Vec<String> = (0..25).map(|series| format!("b = {series}")).collect();
    let styles = styles(&many.iter().map(String::as_str).collect::<Vec<_>>());
    assert!((0..25).all(|place| !styles[..place].contains(&styles[place])));
}

#[test]
fn numbers_are_short() {
    let texts =
        [(0.034, "0.03"), (1.0, "1"), (2.5, "2.5"), (16384.0, "16.4 k"), (377_600.0, "378 k"), (1_048_576.0, "1.05 M")];
    assert!(texts.iter().all(|(value, text)| short(*value) == *text));
}

#[test]
fn an_axis_keeps_equal_steps_for_equal_factors() {
    let scale = Scale::of([1.0, 1000.0].into_iter(), [0.0, 300.0]);
    let step = |a, b| scale.place(b) - scale.place(a);
    assert!((step(1.0, 10.0) - step(100.0, 1000.0)).abs() < 1e-9);
    assert_eq!(scale.ticks(), [1.0, 10.0, 100.0, 1000.0]);
    assert_eq!(Scale::of([3.0, 30.0].into_iter(), [0.0, 1.0]).ticks(), [5.0, 10.0, 20.0]);
}

/// Lightness and the two axes of colour of OKLab (Ottosson, 2020), in which equal distances look equally far.
fn oklab(hex: &str) -> [f64; 3] {
    let linear = |place: usize| {
        let value = f64::from(u8::from_str_radix(&hex[place..place + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let times = |matrix: [[f64; 3]; 3], [x, y, z]: [f64; 3]| matrix.map(|[a, b, c]| a * x + b * y + c * z);
    let cones = [
        [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
        [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
        [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ];
    let axes = [
        [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
        [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
        [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
    ];
    times(axes, times(cones, [0, 2, 4].map(linear)).map(f64::cbrt))
}

#[test]
fn colours_can_be_told_apart_in_light_and_dark() {
    let class = |place| PALETTE.contains(&format!(".c{place} {{ color: var(--c{place}); }}"));
    assert!((0..COLOURS).all(class));
    for palette in PALETTE.split("@media").take(2) {
        let colour = |place: usize| {
            let (_, rest) = palette.split_once(&format!("--c{place}: #")).unwrap();
            oklab(&rest[..6])
        };
        for (one, other) in (0..COLOURS).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let distance = colour(one).iter().zip(colour(other)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            assert!(distance > 0.095, "colours {one} and {other} are {distance:.3} apart");
        }
    }
}
