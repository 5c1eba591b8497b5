use super::*;
use crate::{
    outcome::{AbsentPeer, Outcome},
    records::row,
    report::{cpus::cpu, table::of_cell},
    sweep,
};

/// The published tables of each study: its text, its rows and columns.
const PUBLISHED: [(Study, &str, usize, usize); 9] = [
    (Study::Msm, include_str!("../../../published/sums.csv"), 40, 4),
    (Study::Msm, include_str!("../../../published/affine-additions.csv"), 8, 3),
    (Study::Signer, include_str!("../../../published/signers.csv"), 12, 5),
    (Study::Verkle, include_str!("../../../published/commitments.csv"), 36, 5),
    (Study::Verkle, include_str!("../../../published/table-builds.csv"), 2, 4),
    (Study::Verkle, include_str!("../../../published/sweep.csv"), 297, 6),
    (Study::Endomorphism, include_str!("../../../published/endomorphism.csv"), 4, 6),
    (Study::Endomorphism, include_str!("../../../published/endomorphism-users.csv"), 4, 3),
    (Study::Ppad, include_str!("../../../published/haskell.csv"), 4, 3),
];

/// A row with a change.
fn with(op: &str, peer: &str, change: impl Fn(&mut Outcome)) -> Outcome {
    let mut outcome = row(op, 2.0).outcome;
    outcome.peer = peer.to_owned();
    change(&mut outcome);
    outcome
}

/// A CPU that has something of every study.
fn made() -> Cpu {
    let single = |row: &mut Outcome| row.single = true;
    let study = vec![
        with("msm", "arkworks", |row| row.n = 64),
        with("msm-naive", "arkworks", |row| row.n = 64),
        with("affine-add", "libsecp256k1-internal", |row| row.n = 8),
    ];
    let calls = ["sign-ecdsa", "verify-ecdsa", "sign-schnorr", "verify-schnorr", "ecdh", "public-key"];
    let calls = calls.map(|op| with(op, "btcec", single)).to_vec();
    let commitment = with("msm-fixed", "go-ipa", |row| {
        row.single = true;
        row.row_class = "4 non-zero, spread".into();
    });
    let mut cpu = cpu("one", vec![("study-msm", study), ("study-signer", calls), ("fixed-base", vec![commitment])]);
    cpu.sweep = Some(sweep::sweep("one"));
    cpu
}

/// The cells of a row in these columns.
fn cells(table: &Table, row: &[String], columns: &[&str]) -> Vec<String> {
    columns.iter().map(|column| row[table.column(column)].clone()).collect()
}

#[test]
fn every_study_has_its_published_tables_whole() {
    for (study, text, rows, columns) in PUBLISHED {
        let csv: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
        assert_eq!((csv.len(), csv[0].len()), (rows + 1, columns), "{study:?}");
        let tables = study.tables(&[]);
        let same = |table: &&Table| table.columns.len() >= columns && table.columns[..columns] == csv[0];
        let table = tables.iter().find(same).expect("the study has the table");
        assert!(table.title.contains("measured elsewhere"), "{study:?}");
        for (row, published) in table.rows.iter().zip(&csv[1..]) {
            assert_eq!(row[..columns], **published, "{study:?}");
        }
        assert!(table.rows.len() >= rows && table.rows.iter().all(|row| row.len() == table.columns.len()), "{study:?}");
    }
}

#[test]
fn what_is_measured_here_has_every_row_and_column_of_what_was_published() {
    let cpus = [made()];
    // What tells the rows of a study apart, where the measured ones are named alike.
    let keys: [&[&str]; 7] = [
        &["library", "n"],
        &["k"],
        &["implementation", "operation"],
        &["extra_table_mib", "workload"],
        &["extra_table_mib"],
        &["msm_length", "t", "b"],
        &["curve", "endomorphism"],
    ];
    let haskell: &[&str] = &["operation"];
    let texts = PUBLISHED.iter().filter(|(.., rows, columns)| (*rows, *columns) != (4, 3));
    for ((study, text, ..), key) in texts.zip(keys).chain([(&PUBLISHED[8], haskell)]) {
        let published = Table::published(text);
        let tables = study.tables(&cpus);
        let here = |table: &&Table| {
            table.title.starts_with("Measured here")
                && published.columns.iter().all(|name| table.columns.contains(name))
        };
        let table = tables.iter().find(here).unwrap_or_else(|| panic!("{study:?} {key:?} has every column"));
        // A row of ours may stand for several machines of the study, and then names them.
        let machine = published.columns.iter().position(|column| column == "machine");
        for row in &published.rows {
            let wanted = cells(&published, row, key);
            let names = |here: &Vec<String>| machine.is_none_or(|place| here[place].contains(&row[place]));
            let is_there = table.rows.iter().any(|here| cells(table, here, key) == wanted && names(here));
            assert!(is_there, "{study:?} {wanted:?} {:?}", machine.map(|place| &row[place]));
        }
    }
}

#[test]
fn what_was_not_measured_says_so() {
    let empty = [cpu("one", vec![("lanes", vec![row("field-mul", 2.0).outcome])])];
    for study in [Study::Msm, Study::Signer, Study::Verkle, Study::Endomorphism, Study::Ppad] {
        let tables = study.tables(&empty);
        let said = tables.iter().any(|table| table.title.starts_with("Not measured on one"));
        assert!(said && tables.iter().all(|table| !table.title.starts_with("Measured here")), "{study:?}");
    }
    let tables = Study::Msm.tables(&[made()]);
    let row = |n: &str| tables[1].rows.iter().find(|row| row[..2] == ["ark-secp256k1", n]).unwrap().join(",");
    assert_eq!(row("64"), "ark-secp256k1,64,12.80,12.80,1.00,0.20");
    assert_eq!(row("2"), format!("ark-secp256k1,2{}", ",not measured".repeat(4)));
}

#[test]
fn old_and_new_are_there_for_both_places_of_points_and_each_backend() {
    let mut cpu = made();
    let named = &sweep::sweep("one").rows[2];
    let rows = [("ifma", "first", 4, 1.0), ("ifma", "rest", 16, 2.0), ("fma", "rest", 16, 3.0)];
    let rows = rows.map(|(backend, positions, msm_length, us)| sweep::Row {
        msm_length,
        backend: backend.into(),
        positions: positions.into(),
        ns_per_op: us * 1e3,
        ..named.clone()
    });
    cpu.sweep = Some(sweep::Sweep { rows: rows.into(), ..sweep::sweep("one") });
    let tables = Study::Verkle.tables(&[cpu]);
    let table = &tables[1];
    let of = |backend: &str, workload: &str| {
        let [place, old] = ["backend", "old_us"].map(|name| table.column(name));
        let row = table.rows.iter().find(|row| row[place] == backend && row[2].ends_with(workload)).unwrap();
        row[old].clone()
    };
    assert_eq!(
        [of("ifma", "[0:5]/msmLength=4"), of("ifma", "[5:256]/msmLength=4"), of("ifma", "[5:256]/msmLength=16")],
        ["1.00", "not measured", "2.00"]
    );
    assert_eq!([of("fma", "[0:5]/msmLength=4"), of("fma", "[5:256]/msmLength=16")], ["not measured", "3.00"]);
}

#[test]
fn a_library_of_the_study_that_is_absent_has_its_reason_below_the_table() {
    let mut cpu = made();
    let reason = "Unable to find libclang".to_owned();
    cpu.lists.get_mut("study-msm").unwrap().rows[0].absent_peers =
        vec![AbsentPeer { peer: "p256k1".into(), reason: reason.clone() }];
    let tables = Study::Msm.tables(&[cpu]);
    let row = tables[1].rows.iter().find(|row| row[..2] == ["p256k1", "64"]).unwrap();
    assert_eq!(row[2..4], ["absent", "absent"]);
    assert_eq!(tables[1].notes, [format!("p256k1 is absent: {reason}")]);
    let halo = tables[1].rows.iter().find(|row| row[..2] == ["halo2curves", "64"]).unwrap();
    assert_eq!(halo[2], "not measured");
}

#[test]
fn quotients_are_of_the_published_figures() {
    let tables = Study::Msm.tables(&[]);
    let last = tables[0].rows.last().unwrap();
    assert_eq!(last.join(","), "halo2curves,1024,12951.051,136053.208,10.51,12.65");
    assert_eq!(of_cell(last, 4), Some(10.51));
}
