//! Sums over points that never change, beside one multiplication per scalar, on every backend.

use phalanx::internals::EMULATED;
use phalanx::msm::{FixedBase, MapError, Msm, SavedError};
use phalanx::{Backend, Error, Point, PublicKey, Scalar, SecretKey};

/// Every backend that can run here, and the code of eight lanes on emulated words.
fn backends() -> Vec<Msm> {
    let mut backends = Backend::available().to_vec();
    backends.push(EMULATED);
    let by = |backend: &Backend| Msm::builder().backend(*backend).build().expect("it is available");
    println!("on {}", backends.iter().map(|backend| backend.name()).collect::<Vec<_>>().join(", "));
    backends.iter().map(by).collect()
}

/// Numbers below n that look random.
fn scalar(seed: u64) -> Scalar {
    Scalar::from(seed | 1).pow([1000 + seed])
}

/// Points with infinity, an equal pair and an opposite pair among them.
fn points(count: usize) -> Vec<Point> {
    let mut points: Vec<Point> = (0..count).map(|i| Point::mul_generator(&scalar(i as u64 + 9))).collect();
    if count > 6 {
        points[2] = Point::IDENTITY;
        points[4] = points[3];
        points[6] = -points[5];
    }
    points
}

fn obvious(points: &[Point], scalars: &[Scalar]) -> Point {
    points.iter().zip(scalars).fold(Point::IDENTITY, |sum, (point, scalar)| sum + point.mul_vartime(scalar))
}

fn vectors(points: usize) -> Vec<Vec<Scalar>> {
    let edges = [Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::from(2u64), -Scalar::from(2u64)];
    let mut vectors = vec![vec![], vec![Scalar::ZERO; points]];
    vectors.extend(edges.iter().map(|edge| vec![*edge; points]));
    vectors.extend((0..points.min(9)).map(|at| {
        let mut vector = vec![Scalar::ZERO; at];
        vector.push(scalar(at as u64));
        vector
    }));
    vectors.extend((0..4).map(|seed| (0..points as u64).map(|i| scalar(1000 * seed + i)).collect()));
    vectors
}

#[test]
fn sums_are_the_obvious_ones_on_every_backend_and_budget() {
    for (count, memory) in [(1, 0), (7, 0), (8, 1 << 16), (33, 1 << 20), (40, 1 << 22)] {
        let (points, vectors) = (points(count), vectors(count));
        let expected: Vec<Point> = vectors.iter().map(|scalars| obvious(&points, scalars)).collect();
        for msm in backends() {
            let base = FixedBase::build(&msm, &points, memory).expect("they are points");
            assert!(base.bytes() <= memory.max(256 * count), "{count} points: {} bytes", base.bytes());
            assert_eq!(base.points(), points);
            let mut sums = base.sums();
            for (scalars, expected) in vectors.iter().zip(&expected) {
                assert_eq!(sums.sum_vartime(scalars), Ok(*expected), "{count} points by {:?}", msm.backend());
            }
            let all: Vec<&[Scalar]> = vectors.iter().map(Vec::as_slice).collect();
            let mut found = vec![Point::IDENTITY; all.len()];
            sums.sums_vartime(&all, &mut found).expect("a place for each");
            assert_eq!(found, expected, "{count} points side by side by {:?}", msm.backend());
        }
        let base = FixedBase::build(&Msm::new(), &points, memory).expect("they are points");
        for (scalars, expected) in vectors.iter().zip(&expected) {
            assert_eq!(base.commit(scalars), Ok(*expected), "{count} points in constant time");
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let keys: Vec<PublicKey> = (1..4u8).map(|i| SecretKey::from_bytes(&[i; 32]).unwrap().public_key()).collect();
    let base = FixedBase::build(&Msm::new(), &keys, 1 << 16).expect("they are points");
    let four = [Scalar::ONE; 4];
    assert_eq!(base.sums().sum_vartime(&four), Err(Error::LengthMismatch { left: 4, right: 3 }));
    assert_eq!(base.commit(&four), Err(Error::LengthMismatch { left: 4, right: 3 }));
    let mut places = [Point::IDENTITY; 2];
    assert!(base.sums().sums_vartime(&[&four[..1]], &mut places).is_err());
    assert!(FixedBase::build(&Msm::new(), &[[5u8; 33]], 1 << 16).is_err());
}

#[test]
fn no_points_sum_to_infinity() {
    let base = FixedBase::build::<Point>(&Msm::new(), &[], 1 << 16).expect("no point is wrong");
    assert_eq!((base.bytes(), base.sums().sum_vartime(&[])), (0, Ok(Point::IDENTITY)));
    assert_eq!(base.commit(&[]), Ok(Point::IDENTITY));
    assert!(base.sums().sum_vartime(&[Scalar::ONE]).is_err());
}

/// Positions in any order, twice the same, and none.
#[test]
fn sparse_sums() {
    let points = points(40);
    let term = |i: u64, k: u64| ((7 * i + 13 * (k % 3)) as usize % 40, scalar(11 * i + k));
    let sparse: Vec<Vec<(usize, Scalar)>> =
        (0..300u64).map(|i| (0..i % 5).map(|k| term(i, k)).rev().collect()).collect();
    for msm in backends() {
        let base = FixedBase::build(&msm, &points, 1 << 20).expect("they are points");
        let mut sums = base.sums();
        for terms in &sparse {
            let expected =
                terms.iter().fold(Point::IDENTITY, |sum, (at, scalar)| sum + points[*at].mul_vartime(scalar));
            assert_eq!(sums.sum_sparse_vartime(terms), Ok(expected), "{terms:?} by {:?}", msm.backend());
        }
        let outside = sums.sum_sparse_vartime(&[(40, Scalar::ZERO)]);
        assert_eq!(outside, Err(Error::LengthMismatch { left: 41, right: 40 }));
    }
}

#[test]
fn tables_come_back_from_files() {
    let (points, memory) = (points(9), 1 << 16);
    let msm = Msm::new();
    let base = FixedBase::build(&msm, &points, memory).expect("they are points");
    let saved = |base: &FixedBase| {
        let mut file = Vec::new();
        let sink = |piece: &[u8]| {
            file.extend_from_slice(piece);
            Ok::<(), ()>(())
        };
        base.save(sink).expect("memory takes all of it");
        file
    };
    let file = saved(&base);
    let scalars: Vec<Scalar> = (0..9).map(scalar).collect();
    let expected = base.sums().sum_vartime(&scalars);
    // Whatever backend wrote it.
    for msm in backends() {
        let again = FixedBase::read(&msm, &points, memory, &file).expect("what was saved");
        assert_eq!(again.sums().sum_vartime(&scalars), expected, "{:?}", msm.backend());
        assert!(saved(&again) == file);
    }
    let refused = |points: &[Point], memory, file: &[u8]| FixedBase::read(&msm, points, memory, file).err();
    assert_eq!(refused(&points, memory, &file[..100]), Some(Error::BadTables(SavedError::Truncated)));
    assert_eq!(refused(&points, 2 * memory, &file), Some(Error::BadTables(SavedError::Parameters)));
    let mut others = points.clone();
    others.swap(0, 1);
    assert_eq!(refused(&others, memory, &file), Some(Error::BadTables(SavedError::Basis)));
    let mut damaged = file.clone();
    *damaged.last_mut().expect("not empty") ^= 1;
    assert_eq!(refused(&points, memory, &damaged), Some(Error::BadTables(SavedError::Rows)));
    assert!(FixedBase::read::<Point>(&msm, &[], memory, &[]).is_ok());

    let path = std::env::temp_dir().join(format!("phalanx-fixed-base-{}", std::process::id()));
    let map = |file: &[u8]| {
        std::fs::write(&path, file).expect("a file can be written");
        let file = std::fs::File::open(&path).expect("it is there");
        // SAFETY: the name is this test's own, and what has no name any more nobody opens.
        #[allow(unsafe_code)]
        let tables = unsafe { FixedBase::map(&msm, &points, memory, &file) };
        std::fs::remove_file(&path).expect("it is there");
        tables
    };
    let mapped = map(&file).expect("what was saved");
    assert_eq!(mapped.sums().sum_vartime(&scalars), expected);
    assert!(matches!(map(&damaged).err(), Some(MapError::Refused(Error::BadTables(SavedError::Rows)))));
}

/// What happens to a mapped file, and what becomes of a process that sums by it. It runs in a process of its own, and
/// sums once before that and once after it.
#[cfg(target_os = "linux")]
fn after(happens: impl FnOnce(&std::path::Path)) -> std::process::Output {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};

    static FILES: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = FILES.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("phalanx-mapped-{}-{number}", std::process::id()));
    let mut file = std::fs::File::create(&path).expect("a file can be written");
    let base = FixedBase::build(&Msm::new(), &points(9), MAPPED).expect("they are points");
    base.save(|piece| file.write_all(piece)).expect("the file takes all of it");
    assert!(file.metadata().expect("it is there").len() > 64 << 10, "tables of many pages");

    let mut child = Command::new(std::env::current_exe().expect("a test knows its program"))
        .args(["--exact", "fixed_base::sums_by_a_mapped_file", "--nocapture"])
        .env("PHALANX_TEST_MAPPED", &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut first = String::new();
    while !first.contains("the first sum") {
        assert_ne!(said.read_line(&mut first).expect("text"), 0, "the process ended early: {first}");
    }
    happens(&path);
    child.stdin.take().expect("it is piped").write_all(b"\n").expect("it waits");
    let mut rest = Vec::new();
    said.read_to_end(&mut rest).expect("what it says");
    let mut output = child.wait_with_output().expect("it ends");
    output.stdout = rest;
    std::fs::remove_file(&path).expect("it is there");
    output
}

/// The budget of tables that are mapped.
#[cfg(target_os = "linux")]
const MAPPED: usize = 1 << 18;

/// The other process of [`after`].
#[cfg(target_os = "linux")]
#[test]
fn sums_by_a_mapped_file() {
    let Some(path) = std::env::var_os("PHALANX_TEST_MAPPED") else { return };
    let file = std::fs::File::open(path).expect("it is there");
    // SAFETY: what the parent does to the file is what is tested. Rows of any words are values.
    #[allow(unsafe_code)]
    let base = unsafe { FixedBase::map(&Msm::new(), &points(9), MAPPED, &file) }.expect("what was saved");
    let scalars: Vec<Scalar> = (0..9).map(scalar).collect();
    let first = base.sums().sum_vartime(&scalars);
    println!("the first sum");
    std::io::stdin().read_line(&mut String::new()).expect("a line");
    let second = base.sums().sum_vartime(&scalars);
    println!("the second sum is {}", if second == first { "the same" } else { "another" });
}

/// The process ends by a signal, and gives no sum out. A file that another one replaces by its name stays as it was.
#[cfg(target_os = "linux")]
#[test]
fn a_mapped_file_that_is_cut_ends_the_process() {
    use std::os::unix::process::ExitStatusExt;

    const SIGBUS: i32 = 7;
    for left in [0, 4096] {
        let output = after(|path| {
            let file = std::fs::OpenOptions::new().write(true).open(path).expect("it is there");
            file.set_len(left).expect("it can be cut");
        });
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.signal(), Some(SIGBUS), "{said}");
        assert!(!said.contains("the second sum"), "{said}");
    }
    let output = after(|path| {
        let other = path.with_extension("other");
        std::fs::write(&other, b"another file").expect("it can be written");
        std::fs::rename(&other, path).expect("it can be replaced");
    });
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("the second sum is the same"), "{said}");
}
