use super::*;
use crate::{outcome::AbsentPeer, records::row, report::cpus::cpu, sweep};

fn with(op: &str, peer: &str, change: impl Fn(&mut Outcome)) -> Outcome {
    let mut outcome = row(op, 2.0).outcome;
    outcome.peer = peer.to_owned();
    change(&mut outcome);
    outcome
}

fn single(op: &str, peer: &str) -> Outcome {
    with(op, peer, |row| row.single = true)
}

/// A CPU that has something of every study.
fn made() -> Cpu {
    let study = vec![
        with("msm", "arkworks", |row| row.n = 64),
        with("msm-naive", "arkworks", |row| row.n = 64),
        with("affine-add", "libsecp256k1-internal", |row| row.n = 8),
        with("affine-add", "libsecp256k1-internal", |row| row.n = 1),
    ];
    let ops = ["sign-ecdsa", "verify-ecdsa", "sign-schnorr", "verify-schnorr", "ecdh", "public-key"];
    let calls = ops.map(|op| single(op, "btcec")).to_vec();
    let mut cpu = cpu("one", vec![("study-msm", study), ("study-signer", calls)]);
    cpu.sweep = Some(sweep::sweep("one"));
    cpu
}

/// The rows that were measured here and begin so, each joined.
fn here(study: Study, table: usize, cpu: Cpu, begin: &str) -> Vec<String> {
    let mut tables = study.tables(&[cpu]);
    let rows =
        tables.remove(table).rows.into_iter().filter(|row| row.last().is_some_and(|when| when.starts_with("one, ")));
    rows.map(|row| row.join(",")).filter(|row| row.starts_with(begin)).collect()
}

#[test]
fn every_published_table_is_whole_and_has_rows_of_ours_in_its_columns() {
    let mut rows = Vec::new();
    for study in Study::value_variants() {
        for (table, (text, _)) in study.tables(&[made()]).iter().zip(study.published()) {
            let csv: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
            let begin = usize::from(table.columns[0] != csv[0][0]);
            let inside = |row: &[String]| row[begin..begin + csv[0].len()].to_vec();
            assert_eq!(inside(&table.columns), csv[0]);
            let is_published = |row: &&Vec<String>| row.last().is_some_and(|when| when.contains("measured elsewhere"));
            let published: Vec<_> = table.rows.iter().filter(is_published).map(|row| inside(row)).collect();
            assert!(published == csv[1..] && table.rows.len() > published.len(), "{}", table.title);
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.title);
            rows.push(published.len());
        }
    }
    assert_eq!(rows, [40, 8, 12, 36, 2, 297, 4, 4]);
}

#[test]
fn what_was_not_measured_says_so_and_what_is_absent_has_its_reason() {
    for study in Study::value_variants() {
        let empty = cpu("one", vec![("lanes", vec![row("recover", 2.0).outcome])]);
        assert!(study.tables(&[empty]).iter().all(|table| table.notes == ["Not measured on one."]), "{study:?}");
    }
    let mut cpu = made();
    cpu.lists.get_mut("study-msm").unwrap().rows[0].absent_peers =
        vec![AbsentPeer { peer: "p256k1".into(), reason: "no libclang".into() }];
    assert_eq!(Study::Msm.tables(&[cpu])[0].notes, ["p256k1 is absent on one: no libclang"]);
}

#[test]
fn sums_and_additions_are_of_all_products() {
    assert_eq!(here(Study::Msm, 0, made(), "ark"), ["ark-secp256k1,64,12.80,12.80,1.00,0.20,one, one thread"]);
    assert_eq!(
        here(Study::Msm, 1, made(), "libsecp256k1-internal,8"),
        ["libsecp256k1-internal,8,1.60,1.60,one, one thread"]
    );
}

#[test]
fn calls_say_what_they_leave_out_and_which_library_nobody_read() {
    let internal = with("verify-ecdsa", "libsecp256k1-internal", |row| {
        (row.single, row.without) = (true, Some("endomorphism".into()));
    });
    let parsed = with("verify-ecdsa", "phalanx", |row| {
        (row.single, row.without) = (true, Some("endomorphism".into()));
        (row.ours_inputs, row.peer_inputs) = ("parsed".into(), "parsed".into());
    });
    let lanes = with("verify-ecdsa", "phalanx", |row| (row.single, row.without) = (true, Some("lanes".into())));
    let mut rows: Vec<_> =
        ["btcec", "openssl-parsed", "openssl-p256", "newlib"].map(|peer| single("verify-ecdsa", peer)).into();
    rows.extend([internal, parsed, lanes]);
    let cpu = || cpu("one", vec![("ablations", rows.clone())]);
    let column =
        |row: &String| row.split(",secp256").map(|part| part.split(",,").next().unwrap()).collect::<Vec<_>>().join("|");
    assert_eq!(
        here(Study::Endomorphism, 0, cpu(), "").iter().map(column).collect::<Vec<_>>(),
        [
            "Phalanx, ifma|k1,yes",
            "Phalanx, ifma, parsed inputs|k1,yes",
            "Phalanx, ifma, parsed inputs, without endomorphism|k1,no",
            "btcec|k1,yes",
            "libsecp256k1-internal, without endomorphism|k1,no",
            "newlib|k1,not known",
            "openssl|k1,no",
            "openssl-p256|r1,n/a",
        ]
    );
    let of_users = here(Study::Ppad, 0, cpu(), "");
    assert!(of_users.len() == 5 && of_users.iter().all(|row| !row.contains("inputs") && !row.contains("internal")));
}

#[test]
fn the_heap_is_taken_from_the_list_that_counted_it() {
    let counted = with("ecdh", "btcec", |row| {
        (row.single, row.peer_bytes, row.peer_allocations) = (true, Some(832.0), Some(13.0))
    });
    let cpu = cpu("one", vec![("one-at-a-time", vec![single("ecdh", "btcec")]), ("study-heap", vec![counted])]);
    assert_eq!(
        here(Study::Signer, 0, cpu, "btcec"),
        ["btcec (pure Go),ecdh,200,832,13,one, 2026-01-01, load 0.1, ±1%"]
    );
}

#[test]
fn arithmetic_of_fixed_width_has_crypto_bigint_beside_ours() {
    let field = with("field-mul", "crypto-bigint", |row| {
        (row.shape, row.backend) = (Some("stream".into()), "portable".into());
    });
    let rows = here(Study::Ppad, 0, cpu("one", vec![("study-signer", vec![field])]), "");
    let begins: Vec<_> = rows.iter().map(|row| row.rsplit_once(",fresh").unwrap().0).collect();
    assert_eq!(
        begins,
        ["Phalanx, portable,multiplication modulo p,0.1000", "crypto-bigint,multiplication modulo p,0.2000"]
    );
}

#[test]
fn old_and_new_are_there_for_both_places_of_points_and_each_backend() {
    let mut cpu = made();
    let named = sweep::sweep("one").rows[2].clone();
    let make = |(backend, positions, msm_length, us): (&str, &str, usize, f64)| {
        ["baseline", "hybrid-144"].map(|name| Row {
            msm_length,
            backend: backend.into(),
            positions: positions.into(),
            ns_per_op: us * 1e3,
            configuration: Some(name.into()),
            ..named.clone()
        })
    };
    let rows = [("ifma", "first", 4, 1.0), ("ifma", "rest", 16, 2.0), ("fma", "rest", 16, 3.0)];
    cpu.sweep = Some(sweep::Sweep { rows: rows.map(make).concat(), ..sweep::sweep("one") });
    assert_eq!(
        here(Study::Verkle, 0, cpu, ""),
        [
            "Phalanx, fma,144,MSM_in_the_basis[5:256]/msmLength=16,3.00,3.00,one, one thread, load 1",
            "Phalanx, ifma,144,MSM_in_the_basis[0:5]/msmLength=4,1.00,1.00,one, one thread, load 1",
            "Phalanx, ifma,144,MSM_in_the_basis[5:256]/msmLength=16,2.00,2.00,one, one thread, load 1",
        ]
    );
}

#[test]
fn the_choice_is_made_by_one_comparison_with_encoded_rows() {
    let bulk = |peer: &str, ratio: f64, ours_ns: f64, inputs: &str| {
        let (peer, peer_inputs, peer_ns) = (peer.into(), inputs.into(), ours_ns * ratio);
        Outcome { peer, peer_inputs, ours_ns, peer_ns, ..row("recover", ratio).outcome }
    };
    let rows = vec![
        bulk("k256", 4.0, 1000.0, "encoded"),
        bulk("btcec", 3.0, 9000.0, "encoded"),
        bulk("libsecp256k1-parsed", 1.5, 1000.0, "parsed"),
        bulk("libsecp256k1-internal", 1.2, 1000.0, "encoded"),
    ];
    let table = fastest(&cpu("one", vec![("bulk", rows)]));
    let expected = ["recover, 4,096 rows, a row", "Phalanx", "ifma", "9.00", "btcec", "27.00", "3.00"];
    assert!(table.rows.len() == 1 && table.rows[0][..7] == expected, "{table:?}");
}
