//! Files that are cut off, that lie about lengths, or that hold something else.

use std::time::Instant;

use serde_json::json;

use super::blocks::{PRAGUE, block, era1, header, index, list, record, snappy, string};
use crate::running::{directory, path, phalanx, phalanx_on, place};

/// Expects that a file fails, and why.
#[track_caller]
fn fails(bytes: &[u8], format: &str, why: &str) {
    let run = phalanx_on(bytes, ["senders", "--format", format, "-"]).expect(2);
    assert!(run.stderr.contains(why), "{why}: {}", run.stderr);
}

#[test]
fn blocks_that_are_cut_off_or_none() {
    let good = block(PRAGUE, 3).rlp();
    for cut in [1, 2, 3, 50, good.len() - 1] {
        fails(&good[..cut], "rlp", "cut off");
        let run = phalanx_on(&[&good[..], &good[..cut]].concat(), ["senders", "-"]).expect(2);
        assert!(run.stderr.contains(&format!("at byte {}", good.len())), "{}", run.stderr);
    }
    fails(&[&good[..], &[0x80]].concat(), "rlp", "no list of RLP");
    fails(&list(&[]), "rlp", "header");
    fails(&list(&[header(1, &[]), list(&[vec![0xb8]]), list(&[])]), "rlp", "transactions");
    fails(&list(&[header(1, &[]), string(&[1; 60]), list(&[])]), "rlp", "transactions");
    fails(&[0xff; 40], "rlp", "at most 16777216 are read");
    fails(&[0xfb, 1, 0, 0, 0], "rlp", "cut off");
    // A transaction that is none is a row.
    let header_of_three = header(PRAGUE, &[&[7], &[2, 0xc0], &[0xc0]]);
    let wrong = list(&[header_of_three.clone(), list(&[vec![7], string(&[2, 0xc0]), list(&[])]), list(&[])]);
    let run = phalanx_on(&wrong, ["senders", "--json", "--out", "-", "-"]).expect(3).counts([3, 0, 0, 3]);
    let columns: Vec<_> = run.answers().iter().map(|row| row["column"].clone()).collect();
    assert_eq!(columns, [json!("type"), json!("chain_id"), json!("nonce")]);
    // Of a block whose transactions are not those of its header nothing is told; of the one before, everything is.
    for transactions in [vec![], vec![vec![7]], vec![vec![7], list(&[]), string(&[2, 0xc0])]] {
        let other = list(&[header_of_three.clone(), list(&transactions), list(&[])]);
        let bytes = [&good[..], &other, &good].concat();
        fails(&bytes, "rlp", &format!("block {PRAGUE}: its transactions are not those of its header"));
        for rows in ["1", "4096"] {
            let run = phalanx_on(&bytes, ["senders", "--block-rows", rows, "--out", "-", "-"]).expect(2);
            assert!(rows == "4096" || run.answers().len() == 3, "{}", run.stdout);
        }
    }
}

#[test]
fn archives_that_lie() {
    let blocks = [block(1, 2), block(2, 1)];
    let blocks = blocks.map(|block| super::blocks::TestBlock { number: PRAGUE + block.number, ..block });
    let good = era1(&blocks);
    phalanx_on(&good, ["senders", "--json", "-"]).expect(0).counts([3, 3, 0, 0]);
    let version = record([0x65, 0x32], &[]);
    let with = |records: &[Vec<u8>]| [&version[..], &records.concat()].concat();
    let (head, body) =
        (record([3, 0], &snappy(&header(1, &[]))), record([4, 0], &snappy(&list(&[list(&[]), list(&[])]))));
    fails(&good[..good.len() - 1], "era1", "cut off");
    fails(&good[..good.len() - 30], "era1", "no record begins here");
    // Cut between records, and an index of other blocks.
    fails(&good[..good.len() - index(2).len()], "era1", "cut off");
    fails(&version, "era1", "cut off");
    fails(&[&good[..good.len() - index(2).len()], &index(3)].concat(), "era1", "cut off");
    fails(&with(std::slice::from_ref(&head)), "era1", "the last header has no body");
    fails(&with(&[head.clone(), head.clone()]), "era1", "a header follows a header");
    fails(&with(std::slice::from_ref(&body)), "era1", "a body without a header");
    fails(&with(&[record([1, 0], &[0; 9])]), "era1", "consensus layer");
    fails(&with(&[record([3, 0], &header(1, &[]))]), "era1", "Snappy");
    fails(&with(&[record([3, 0], &snappy(&list(&[])))]), "era1", "header");
    fails(&with(&[head.clone(), record([4, 0], &snappy(&[0xc0]))]), "era1", "transactions");
    let mut reserved = version.clone();
    reserved[7] = 1;
    fails(&reserved, "era1", "no record begins here");
    // A record that claims four gigabytes takes neither memory nor time.
    let start = Instant::now();
    for kind in [[3, 0], [5, 0], [9, 9]] {
        let claim = [&version[..], &kind, &[255; 4], &[0, 0], &snappy(&header(1, &[]))].concat();
        fails(&claim, "era1", "cut off");
    }
    assert!(start.elapsed().as_secs() < 60);
    // One that unfolds beyond the limit is not kept.
    fails(&with(&[record([3, 0], &snappy(&vec![0; 17 << 20]))]), "era1", "more than 16777216 bytes");
    // Records of other types are stepped over.
    let other = with(&[record([0x77, 0x77], &[1; 500]), head, record([5, 0], &[]), body, index(1)]);
    phalanx_on(&other, ["senders", "--json", "-"]).expect(0).counts([0, 0, 0, 0]);
}

#[test]
fn files_of_something_else() {
    let directory = directory();
    for (name, bytes) in [("a.tsv", b"a\tb\n".to_vec()), ("text", b"hello".to_vec()), ("zeros", vec![0; 100])] {
        let run = phalanx(["senders", &place(&directory, name, &bytes)]).expect(2);
        assert!(run.stderr.contains("--format FORMAT names it"), "{}", run.stderr);
    }
    let array = phalanx_on(b"[{\"number\":\"0x1\"}]", ["senders", "-"]).expect(2);
    assert!(array.stderr.contains("JSON array"), "{}", array.stderr);
    phalanx(["senders", &path(&directory, "nothing.rlp")]).expect(2);
}

#[test]
fn many_transactions_of_nothing_are_one_row() {
    for count in [70_000, 2_000_000] {
        let line = format!("{{\"number\":\"0x1\",\"transactions\":[{}{{}}]}}\n", "{},".repeat(count));
        phalanx_on(line.as_bytes(), ["senders", "--json", "-"]).expect(3).counts([1, 0, 0, 1]);
    }
    let nested = format!("{{\"transactions\":{}", "[".repeat(1 << 20));
    phalanx_on(nested.as_bytes(), ["senders", "--json", "-"]).expect(3).counts([1, 0, 0, 1]);
    // In RLP such a block is none.
    let many = list(&[header(1, &[]), list(&vec![vec![7]; 1 << 20]), list(&[])]);
    fails(&many, "rlp", "more than 65536 transactions");
}
