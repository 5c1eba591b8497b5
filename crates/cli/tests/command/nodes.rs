//! Files that other programs have written: folders by Bitcoin Core's code, an archive by go-ethereum. `data/nodes` says
//! how.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::running::{Run, directory, names, path, phalanx};

fn nodes(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/nodes").join(name)
}

/// A node's folder, unpacked into `blocks` of a folder.
fn unpack(name: &str, folder: &std::path::Path) {
    let blocks = folder.join("blocks");
    fs::create_dir(&blocks).unwrap();
    for file in names(&nodes(name)) {
        let bytes = fs::read(nodes(name).join(&file)).unwrap();
        match file.strip_suffix(".zst") {
            Some(plain) => fs::write(blocks.join(plain), zstd::decode_all(&bytes[..]).unwrap()).unwrap(),
            None => fs::write(blocks.join(file), bytes).unwrap(),
        }
    }
}

fn summary(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn folders_by_bitcoin_core() {
    let mut outputs = Vec::new();
    for (name, key) in [("bitcoin-with-key", true), ("bitcoin-without-key", false)] {
        let directory = directory();
        unpack(name, directory.path());
        let blocks = directory.path().join("blocks");
        assert_eq!(fs::read(blocks.join("xor.dat")).unwrap() != [0; 8], key);
        assert_eq!(fs::metadata(blocks.join("blk00000.dat")).unwrap().len(), 1 << 24, "room taken in advance");
        let folder = directory.path().to_str().unwrap();
        let out = path(&directory, "checks.jsonl");
        let run = phalanx(["blocks", "--json", "--out", &out, folder]).expect(0);
        assert_eq!(run.stderr, "");
        let found = summary(&run);
        for (name, expected) in [
            ("blocks", 109),
            ("inputs", 47),
            ("valid", 47),
            ("invalid", 0),
            // What Bitcoin Core's interpreter asked for.
            ("ecdsa", 62),
            ("schnorr", 13),
            ("commitments", 4),
            ("executed_again", 0),
            ("blocks_not_valid", 0),
            ("stale_blocks", 3),
            ("fault_count", 0),
        ] {
            assert_eq!(found[name], expected, "{name}");
        }
        assert!(found["speculative"].as_u64().is_some_and(|count| count > 0));
        let verified = &found["verified"][0];
        assert_eq!((&verified["network"], &verified["last_height"]), (&json!("regtest"), &json!(108)));
        outputs.push((fs::read(&out).unwrap(), verified["last_block"].clone()));
        assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 62 + 13);
        let text = phalanx(["blocks", folder]).expect(0).stdout;
        let stale = found["stale_hashes"].as_array().unwrap();
        assert!(stale.len() == 3 && !stale.contains(&verified["last_block"]), "{stale:?}");
        assert!(stale.iter().all(|hash| text.contains(&format!("stale: {}\n", hash.as_str().unwrap()))), "{text}");
        assert!(text.contains("3  stale blocks\n") && text.contains("regtest, heights 0 to 108"), "{text}");
        // Without a key, the file that says so may be missing, as it is in older nodes' folders.
        fs::remove_file(blocks.join("xor.dat")).unwrap();
        if key {
            assert!(phalanx(["blocks", folder]).expect(2).stderr.contains("no file begins with a block of a known"));
        } else {
            assert_eq!(summary(&phalanx(["blocks", "--json", folder]).expect(0))["valid"], 47);
        }
    }
    assert!(outputs[0] == outputs[1], "both nodes got the same blocks");
}

#[test]
fn a_bit_flipped_in_a_folder_by_bitcoin_core_is_found() {
    let directory = directory();
    unpack("bitcoin-without-key", directory.path());
    let file = directory.path().join("blocks/rev00000.dat");
    let good = fs::read(&file).unwrap();
    let end = good.len() - good.iter().rev().position(|byte| *byte != 0).unwrap();
    // The last record that undoes a block, and the first one: in the records stand amounts and scripts.
    for place in [end - 40, 9] {
        let mut bytes = good.clone();
        bytes[place] ^= 1;
        fs::write(&file, bytes).unwrap();
        let run = phalanx(["blocks", "--json", directory.path().to_str().unwrap()]);
        let found = summary(&run);
        // The hash behind the record says that it undoes no block; one that spends nothing needs none.
        let spends = place > 9;
        assert_eq!((run.status, &found["fault_count"]), (if spends { 3 } else { 0 }, &json!(u64::from(spends))));
    }
}

#[test]
fn a_flipped_bit_makes_no_block_of_bitcoin_core_invalid() {
    let directory = directory();
    unpack("bitcoin-with-key", directory.path());
    let mut draws = phalanx_tiers::Draws::of_run();
    let mut damaged = 0;
    for (name, trials) in [("blk00000.dat", 30), ("rev00000.dat", 8), ("xor.dat", 4)] {
        let file = directory.path().join("blocks").join(name);
        let good = fs::read(&file).unwrap();
        // Without the room that was taken in advance.
        let written = good.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        for _ in 0..phalanx_tiers::size(trials, 10 * trials) {
            let (place, bit) = (draws.below(written), draws.below(8));
            let mut bytes = good.clone();
            bytes[place] ^= 1 << bit;
            fs::write(&file, bytes).unwrap();
            let run = phalanx(["blocks", "-q", "--json", directory.path().to_str().unwrap()]);
            assert!([0, 2, 3].contains(&run.status), "{name}, byte {place}, bit {bit}: {}", run.stdout);
            if run.status != 2 {
                let found = summary(&run);
                assert_eq!((&found["invalid"], &found["blocks_not_valid"]), (&json!(0), &json!(0)), "{place}, {bit}");
            }
            damaged += u32::from(run.status != 0);
        }
        fs::write(&file, good).unwrap();
    }
    assert!(damaged > 10, "{damaged}");
}

#[test]
fn an_archive_by_go_ethereum() {
    let file = nodes("go-ethereum.era1");
    let file = file.to_str().unwrap();
    let run = phalanx(["senders", "--out", "-", "--json", file]).expect(0).counts([30, 30, 0, 0]);
    let row = |row: &Value| {
        let text = |name: &str| row[name].as_str().unwrap().trim_start_matches("0x").to_owned();
        format!("{},{},0x{},0x{}", row["block"], row["index"], text("hash"), text("sender"))
    };
    let found: Vec<String> = run.answers().iter().map(row).collect();
    let expected = fs::read_to_string(nodes("go-ethereum.csv")).unwrap();
    assert_eq!(found, expected.lines().collect::<Vec<_>>());
    // Cut within a record, and between two.
    let bytes = fs::read(file).unwrap();
    let directory = directory();
    for length in [bytes.len() - 1, bytes.len() / 2, 8] {
        let cut = crate::running::place(&directory, "cut.era1", &bytes[..length]);
        phalanx(["senders", "--json", &cut]).expect(2);
    }
}
