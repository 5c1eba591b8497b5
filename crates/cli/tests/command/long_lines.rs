//! Lines about as long as any row may be, and lines with very many keys.

use crate::files::json_line;
use crate::rows::row;
use crate::running::phalanx_on;

/// The length that no row of text may exceed.
const LONGEST: usize = 16 << 20;

/// A valid row as an object of so many bytes.
fn object(length: usize) -> String {
    let row = json_line(&row(0));
    let start = format!("{},\"padding\":\"", row.trim_end_matches('}'));
    format!("{start}{}\"}}", "x".repeat(length - start.len() - 2))
}

#[test]
fn what_stands_behind_the_longest_object_counts() {
    let longest = object(LONGEST);
    assert_eq!(longest.len(), LONGEST);
    let good = json_line(&row(1));
    for text in [longest.clone(), format!("{longest}\n"), format!("{longest}\n{good}"), object(LONGEST - 1)] {
        phalanx_on(text.as_bytes(), ["verify", "-q", "-"]).expect(0);
    }
    for behind in ["x", "}", " ", "\r", ",{}", &"y".repeat(LONGEST)] {
        let text = format!("{good}\n{longest}{behind}\n{good}");
        let run = phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([3, 2, 0, 1]);
        assert!(run.stderr.contains("row 2: malformed_row: longer than 16 MiB"), "{}", run.stderr);
        let run = phalanx_on(format!("{longest}{behind}").as_bytes(), ["verify", "--json", "-"]).expect(3);
        run.counts([1, 0, 0, 1]);
    }
    // Blank lines are no rows, unless they are that long.
    let blank = " ".repeat(LONGEST + 1);
    phalanx_on(&blank.as_bytes()[1..], ["verify", "--json", "-"]).expect(0).counts([0, 0, 0, 0]);
    phalanx_on(blank.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([1, 0, 0, 1]);
}

#[test]
fn a_row_may_have_a_million_keys() {
    let row = json_line(&row(0));
    let keys: String = (0..1_000_000).map(|number| format!("\"k{number}\":0,")).collect();
    let first = format!("{{{keys}{}", &row[1..]);
    let last = format!("{},{}}}", row.trim_end_matches('}'), keys.trim_end_matches(','));
    assert!(first.len() < LONGEST && last.len() < LONGEST);
    for text in [&first, &last] {
        phalanx_on(text.as_bytes(), ["verify", "-q", "-"]).expect(0);
    }
}

#[test]
fn names_are_learned_from_the_first_line_with_a_row() {
    let keys: String = (0..200).map(|number| format!("\"k{number}\":0,")).collect();
    let row = json_line(&row(0)).replace("\"id\"", "\"tx_hash\"").replace("\"sig\":\"0x", "\"signature\":\"0y");
    let text = format!("\n \n{{{keys}{}", &row[1..]);
    let run = phalanx_on(text.as_bytes(), ["verify", "--quiet", "--out", "-", "-"]).expect(3);
    let answer = r#"{"tx_hash":"row-0","row":3,"valid":false,"reason":"malformed_row","column":"signature"}"#;
    assert_eq!(run.stdout, format!("{answer}\n"));
}
