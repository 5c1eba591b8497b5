use super::*;
use crate::library::{OURS, peers};

fn read(name: &str) -> Study {
    declared(name).unwrap_or_else(|failure| panic!("{name}: {failure:?}"))
}

#[test]
fn every_study_has_a_declaration_of_comparisons_that_exist() {
    let files = fs::read_dir(lab().join("studies")).unwrap().map(|file| file.unwrap().path());
    let stems = files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    assert!(stems.collect::<BTreeSet<_>>().iter().eq(NAMES[..5].iter().collect::<BTreeSet<_>>()));
    for name in &NAMES[..5] {
        let study = read(name);
        assert!(study.source[1].starts_with("https://"), "{name}");
        assert!(study.tables.iter().any(|table| table.answer), "{name} has no closing line");
        for (shared, peers_of_it) in study.asks() {
            assert!(shared.starts_with(SWEEP) == peers_of_it.is_empty(), "{shared}");
            for peer in peers_of_it {
                let asked = record::settings(&format!("{shared} {peer}"), 1.0).unwrap();
                assert!(lab_abi::Op::from_name(&asked.op).is_some(), "{shared}");
                for library in [&asked.ours, &asked.peer] {
                    let library = library.trim_end_matches("-as-shipped");
                    assert!(library == OURS || peers().iter().any(|peer| peer == library), "{library}");
                }
            }
        }
    }
}

/// The lines of a file, each with its cells by column.
fn lines(text: &str) -> Vec<Vec<(&str, &str)>> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a file has a head").split(',').collect();
    lines.map(|line| columns.iter().copied().zip(line.split(',')).collect()).collect()
}

#[test]
fn every_published_row_stands_in_a_table_with_all_its_columns() {
    let mut files = BTreeSet::new();
    for name in &NAMES[..5] {
        let study = read(name);
        let (grids, _) = grids::grids(&study, &BTreeMap::new()).unwrap();
        for (table, grid) in study.tables.iter().zip(&grids) {
            // A library of ours stands beside one of another name.
            let names: BTreeMap<_, _> =
                study.subjects(table).iter().map(|subject| (&subject.name, &subject.published)).collect();
            for file in table.published.iter().map(|published| &published.file) {
                let text = fs::read_to_string(lab().join("published").join(file).with_extension("csv")).unwrap();
                for line in lines(&text) {
                    let is_in = |row: &Vec<String>, (column, value): &(&str, &str)| {
                        let head = [
                            row[..2].join(", "),
                            names.get(&row[0]).and_then(|name| (*name).clone()).unwrap_or_default(),
                        ];
                        let named =
                            head.iter().chain(&grid.columns).any(|text| text.contains(&value.replace('_', " ")));
                        *column == "note" || named || row.iter().any(|cell| cell == value)
                    };
                    assert!(grid.rows.iter().any(|row| line.iter().all(|cell| is_in(row, cell))), "{file}: {line:?}");
                }
                files.insert(file.clone() + ".csv");
            }
        }
    }
    let kept =
        fs::read_dir(lab().join("published")).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(kept.collect::<BTreeSet<_>>(), files);
    let shared = lab().join("../../shared/published");
    if !shared.exists() {
        println!("skipped: the comparison of {} files with those of {}", files.len(), shared.display());
        return;
    }
    for file in files {
        let [ours, theirs] =
            [lab().join("published"), shared.clone()].map(|folder| fs::read_to_string(folder.join(&file)).unwrap());
        assert!(ours.lines().eq(theirs.lines()), "{file}");
    }
}

/// A median time and its spread.
fn times(median: f64, spread: f64) -> BTreeMap<Value, f64> {
    BTreeMap::from([(Value::Time, median), (Value::Spread, spread)])
}

#[test]
fn cells_follow_from_what_was_measured() {
    let text = "title = 't'\nquestion = 'q'\nsource = ['s', 'https://s', 'on m']\n[subjects]\n\
        a = [{ name = 'Phalanx', words = '' }, { name = 'x', words = '--peer x', over = 'Phalanx' }, \
             { name = 'y', words = '--peer y', bring = 'apt-get install y' }]\n\
        [[table]]\ntitle = 'wide'\nkey = 'n'\neach = '--n {2|4}'\nsubjects = 'a'\nanswer = true\n\
        measures = [{ name = 'us', per = 1e3, times_key = true }]\nchart = { kind = 'lines', y = ['us'] }\n\
        [[table]]\ntitle = 'long'\nkey = 'n'\neach = '--n {2|4}'\nsubjects = 'a'\nlong = true\n\
        measures = [{ name = 'ns' }, { name = 'all', times_key = true }, { name = 'times', quotient = ['all', 'ns'] }, \
                    { name = 'gain', gain = 'ns' }, { name = 'a second', value = 'per-second' }]\n";
    let study = Study::read(text).unwrap();
    let peers = ["--peer x", "--peer y"].map(str::to_owned).to_vec();
    assert_eq!(study.asks(), [("--n 2".to_owned(), peers.clone()), ("--n 4".to_owned(), peers)]);
    let mut measured = BTreeMap::new();
    for (shared, peer, time) in
        [("--n 2", "", 1000.0), ("--n 2", "--peer x", 500.0), ("--n 4", "", 1000.0), ("--n 4", "--peer x", 3000.0)]
    {
        measured.insert((shared.to_owned(), peer.to_owned()), Ok(times(time, 0.5)));
    }
    measured.insert(("--n 2".into(), "--peer y".into()), Err("y is absent: no compiler".into()));
    let (grids, answer) = grids::grids(&study, &measured).unwrap();
    let wide = "| n | Phalanx | x | y | fastest here |\n|---|---|---|---|---|\n\
                | 2 | 2 | 1 | absent | x, 2x the next |\n| 4 | 4 | 12 | absent | Phalanx, 3x the next |\n\n\
                - y is absent: no compiler. To bring it: apt-get install y.\n";
    assert!(grids[0].markdown().ends_with(wide), "{}", grids[0].markdown());
    assert!(grids[0].chart.as_ref().unwrap().svg().contains("polyline") && grids[1].chart.is_none());
    let long = grids[1].markdown();
    assert!(long.contains("| Phalanx | 2 | 1000 | 2000 | 2x |  | 1000000 |\n"), "{long}");
    assert!(long.contains("| x | 4 | 3000 | 12000 | 4x | -66.7% | 333333 |\n"), "{long}");
    assert!(long.contains("| y | 4 | absent | absent | absent | absent | absent |\n"), "{long}");
    let said = "fastest in 1 of 2 rows: 3 times as fast as x at n = 4. x is 2 times as fast as Phalanx at n = 2.";
    assert!(answer.ends_with(said), "{answer}");
    assert!(Study::read(&text.replace("subjects = 'a'", "subjects = 'b'")).is_err());
}

#[test]
fn a_lead_within_the_wider_spread_is_no_difference() {
    let text = "title = 't'\nquestion = 'q'\nsource = ['s', 'https://s', 'on m']\n[subjects]\n\
        a = [{ name = 'Phalanx, fma', words = '' }, { name = 'x', words = '--peer x' }, { name = 'y', words = '--peer y' }, \
             { name = 'Phalanx, ifma', words = '--peer phalanx' }]\n\
        [[table]]\nkey = 'n'\neach = '--n {10}'\nsubjects = 'a'\nanswer = true\nmeasures = [{ name = 'ns' }]\n";
    let study = Study::read(text).unwrap();
    let said = |of: [(f64, f64); 4]| {
        let asked = ["", "--peer x", "--peer y", "--peer phalanx"].map(|peer| ("--n 10".to_owned(), peer.to_owned()));
        let figures = of.map(|(time, spread)| Ok(times(time, spread)));
        let (grids, answer) = grids::grids(&study, &asked.into_iter().zip(figures).collect()).unwrap();
        (
            grids[0].rows[0].last().unwrap().clone(),
            answer.replace("Among libraries that a user can call, Phalanx is the ", ""),
        )
    };
    let quiet = |time| (time, 0.01);
    for (of, winner, answer) in [
        // A lead of 10%, and spreads of 1%: it counts.
        (
            [quiet(100.0), quiet(110.0), quiet(150.0), quiet(101.0)],
            "Phalanx, fma, 1.10x the next",
            "1.10 times as fast as x at n = 10 (fma).",
        ),
        // The same lead with a spread of 20% on either side does not.
        (
            [(100.0, 0.2), quiet(110.0), quiet(150.0), quiet(120.0)],
            "no difference: Phalanx, fma; x (spread 20%)",
            "fastest in 0 of 1 rows. No difference was measured at n = 10 (fma) beside x.",
        ),
        (
            [quiet(100.0), (110.0, 0.2), quiet(150.0), quiet(120.0)],
            "no difference: Phalanx, fma; x (spread 20%)",
            "fastest in 0 of 1 rows. No difference was measured at n = 10 (fma) beside x.",
        ),
        // Nor does it before one that is not even the next.
        (
            [quiet(100.0), quiet(110.0), (115.0, 0.2), quiet(120.0)],
            "no difference: Phalanx, fma; y (spread 20%)",
            "No difference was measured at n = 10 (fma) beside y.",
        ),
        // A peer ahead is one, or is not, by the same rule.
        (
            [quiet(120.0), quiet(100.0), quiet(150.0), quiet(130.0)],
            "x, 1.20x the next",
            "x is 1.20 times as fast as Phalanx at n = 10 (fma).",
        ),
        (
            [quiet(120.0), quiet(100.0), quiet(150.0), (110.0, 0.2)],
            "no difference: x; Phalanx, ifma (spread 20%)",
            "No difference was measured at n = 10 (ifma) beside x.",
        ),
    ] {
        let (cell, line) = said(of);
        assert!(cell == winner && line.ends_with(answer), "{of:?}: {cell}: {line}");
    }
}

#[test]
fn sums_and_naive_loops_are_asked_for_in_one_rotation() {
    let asks = read("msm").asks();
    for shared in ["--backend portable --op msm --n 1024", "--backend portable --op affine-add --n 256"] {
        let (_, peers) = asks.iter().find(|(asked, _)| asked == shared).unwrap();
        let (apart, together): (Vec<&str>, Vec<&str>) =
            peers.iter().map(|peer| &**peer).partition(|peer| peer.ends_with(" --apart"));
        let alone = ["--peer phalanx --apart".to_owned()].into_iter();
        assert!(alone.chain(together.iter().map(|peer| format!("{peer} --apart"))).eq(apart), "{peers:?}");
    }
}

#[test]
fn the_endomorphism_is_answered_by_its_gain_here_and_as_published() {
    let study = read("endomorphism");
    let mut measured = BTreeMap::new();
    for (shared, peers) in study.asks().into_iter().filter(|(shared, _)| shared.contains("verify-ecdsa")) {
        for (peer, time, spread) in peers.iter().map(|peer| match &**peer {
            "--peer phalanx --without endomorphism" => (peer, 140.0, 0.01),
            "--peer libsecp256k1-internal --without endomorphism" => (peer, 110.0, 0.2),
            _ => (peer, 100.0, 0.01),
        }) {
            measured.insert((shared.clone(), peer.clone()), Ok(times(time, spread)));
        }
        measured.insert((shared, String::new()), Ok(times(100.0, 0.01)));
    }
    let (grids, answer) = grids::grids(&study, &measured).unwrap();
    let gains =
        "endomorphism: 40.0% in Phalanx; no difference in libsecp256k1, inside (39.7% as published, on i7-6700HQ). ";
    assert!(answer.contains(gains), "{answer}");
    assert!(grids[0].markdown().contains("| 40.0% |") && grids[0].markdown().contains("| no difference |"));
}

#[test]
fn the_page_folds_long_tables_and_needs_nothing_else() {
    let study = read("verkle");
    let (grids, answer) = grids::grids(&study, &BTreeMap::new()).unwrap();
    let section = Section {
        name: "verkle",
        study,
        grids,
        answer,
        conditions: conditions(&[Some(1.5), Some(2.25)], true),
        builds: vec!["a <b>".into()],
    };
    let both = [section.markdown(), page::html(&[section])];
    for text in &both {
        assert!(text.contains("load average 1.5 at the start and 2.25 at the end") && text.contains("by a quick run"));
    }
    let [markdown, html] = both;
    assert!(markdown.contains("](https://hackmd.io/@jsign/") && html.contains("<a href=\"https://hackmd.io/@jsign/"));
    assert!(html.contains("<summary>297 rows</summary>") && html.contains("a &lt;b&gt;"));
    assert!(!html.contains("<script") && !html.contains("src=") && !html.contains("<link"));
}
