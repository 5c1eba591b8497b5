//! What the command makes of files that were made to take long, beside ordinary ones: CPU time per byte after
//! decompression, a value of a dictionary counted once.
//!
//! The rows of an ordinary file have keys of their own. A text of 64 MiB of other lines is compared with one of rows,
//! and a Parquet file in which every row has the same value of 4 MiB with one of as many rows without it.
//!
//! ```text
//! cargo build --release -p phalanx-cli
//! cargo run --release -p phalanx-cli --example cost_per_byte -- target/release/phalanx
//! ```
//!
//! `docs/use/file-limits.md` states the bound. Linux only: CPU time is read from `/proc`.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BinaryArray, DictionaryArray, Int32Array, RecordBatch};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use phalanx::hash::sha256;
use phalanx::{Bulk, SecretKey};

/// Bytes of each text after decompression.
const BYTES: usize = 64 << 20;

/// Runs of each file.
const RUNS: u32 = 10;

/// A digest, a key and a signature.
type SignedRow = ([u8; 32], [u8; 33], [u8; 64]);

fn rows(count: usize) -> Result<Vec<SignedRow>, Box<dyn Error>> {
    let hash = |what: &str, number: usize| sha256(format!("{what} {number}").as_bytes());
    let secrets = (0..count).map(|number| SecretKey::from_bytes(&hash("secret", number)));
    let secrets = secrets.collect::<Result<Vec<_>, _>>()?;
    let digests: Vec<[u8; 32]> = (0..count).map(|number| hash("digest", number)).collect();
    let bulk = Bulk::new();
    let (keys, signatures) = (bulk.public_keys(&secrets), bulk.sign_ecdsa(&digests, &secrets)?);
    let rows = digests.into_iter().zip(keys).zip(signatures);
    Ok(rows.map(|((digest, key), signature)| (digest, key.to_bytes(), signature.to_compact())).collect())
}

fn gzip(path: &Path, parts: &[&[u8]]) -> Result<(), Box<dyn Error>> {
    use std::io::Write;
    let mut encoder = GzEncoder::new(fs::File::create(path)?, Compression::fast());
    parts.iter().try_for_each(|part| encoder.write_all(part))?;
    encoder.finish()?;
    Ok(())
}

/// A file of the rows in which a column, if one is named, has one value of 4 MiB in every row.
fn parquet(path: &Path, rows: &[SignedRow], shared: &str) -> Result<(), Box<dyn Error>> {
    let column = |name: &str, values: Vec<&[u8]>| -> ArrayRef {
        if name != shared {
            return Arc::new(BinaryArray::from_iter_values(values));
        }
        let value = vec![b'0'; 4 << 20];
        let keys = Int32Array::from(vec![0; rows.len()]);
        Arc::new(DictionaryArray::<Int32Type>::new(keys, Arc::new(BinaryArray::from_iter_values([&value]))))
    };
    let mut columns = vec![
        ("msg_hash", column("msg_hash", rows.iter().map(|row| &row.0[..]).collect())),
        ("pubkey", column("pubkey", rows.iter().map(|row| &row.1[..]).collect())),
        ("sig", column("sig", rows.iter().map(|row| &row.2[..]).collect())),
    ];
    if ["id", "r", "v", "scheme", "message"].contains(&shared) {
        columns.push((shared, column(shared, vec![&[]; rows.len()])));
    }
    let table = RecordBatch::try_from_iter(columns)?;
    let properties = WriterProperties::builder().set_dictionary_page_size_limit(16 << 20);
    // The writer would compare each row's value with the others'.
    let properties = properties.set_statistics_enabled(EnabledStatistics::None).build();
    let mut writer = ArrowWriter::try_new(fs::File::create(path)?, table.schema(), Some(properties))?;
    writer.write(&table)?;
    writer.close()?;
    Ok(())
}

/// The CPU time of all children that have ended, in the clock's ticks.
fn ticks() -> Result<u64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = text.rsplit_once(')').ok_or("no name")?.1.split_whitespace().collect();
    // Fields 16 and 17 of proc_pid_stat(5), the first of these being field 3.
    Ok(fields[13].parse::<u64>()? + fields[14].parse::<u64>()?)
}

/// The CPU time of a run on a file, in ticks of 10 ms on the average of some, and its status.
fn run(command: &str, file: &Path) -> Result<(f64, i32), Box<dyn Error>> {
    let before = ticks()?;
    let mut status = 0;
    for _ in 0..RUNS {
        let mut run = Command::new(command);
        run.args(["verify", "-q", "--threads", "1"]).arg(file).stdout(Stdio::null()).stderr(Stdio::null());
        status = run.status()?.code().unwrap_or(-1);
    }
    Ok(((ticks()? - before) as f64 / f64::from(RUNS), status))
}

fn main() -> Result<(), Box<dyn Error>> {
    let command = std::env::args().nth(1).ok_or("name the command to measure")?;
    let directory = tempfile::tempdir()?;
    let place = |name: &str| directory.path().join(name);
    let rows = rows(BYTES / 261)?;
    let hex = const_hex::encode::<&[u8]>;
    let (mut csv, mut json) = ("msg_hash,pubkey,sig\n".to_owned(), String::new());
    for (digest, key, signature) in &rows {
        let [digest, key, signature] = [hex(digest), hex(key), hex(signature)];
        csv += &format!("{digest},{key},{signature}\n");
        json += &format!("{{\"msg_hash\":\"{digest}\",\"pubkey\":\"{key}\",\"sig\":\"{signature}\"}}\n");
    }
    println!("CPU time in ms, and times that of the ordinary file of the same format, per byte");
    for (format, text) in [("csv", &csv), ("jsonl", &json)] {
        gzip(&place(&format!("ordinary.{format}.gz")), &[text.as_bytes()])?;
        let (ordinary, _) = run(&command, &place(&format!("ordinary.{format}.gz")))?;
        let ordinary = ordinary / text.len() as f64;
        println!("{:>8.0}  1.00  ordinary {format}", ordinary * BYTES as f64 * 10.0);
        let first = text.lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
        let lines = [
            ("empty lines", "\n"),
            ("empty lines of Windows", "\r\n"),
            ("lines of blanks", "   \n"),
            ("rows of a digit", "0\n"),
            ("rows of an empty object", "{}\n"),
        ];
        for (name, line) in lines {
            if format == "csv" && ["lines of blanks", "rows of an empty object"].contains(&name) {
                continue;
            }
            let file = place(&format!("lines.{format}.gz"));
            gzip(&file, &[first.as_bytes(), line.repeat(BYTES / line.len()).as_bytes()])?;
            let (time, status) = run(&command, &file)?;
            let ratio = time / BYTES as f64 / ordinary;
            println!("{:>8.0}  {ratio:.2}  {format}, {name}, status {status}", time * 10.0);
        }
    }
    let rows = &rows[..3_000];
    parquet(&place("ordinary.parquet"), rows, "")?;
    let (ordinary, _) = run(&command, &place("ordinary.parquet"))?;
    println!("{:>8.0}  1.00  ordinary parquet, {} rows", ordinary * 10.0, rows.len());
    for name in ["id", "msg_hash", "pubkey", "sig", "r", "v", "scheme", "message"] {
        let file = place("shared.parquet");
        parquet(&file, rows, name)?;
        let (time, status) = run(&command, &file)?;
        // 129 bytes a row, and 4 MiB once.
        let bytes = (129 * rows.len() + (4 << 20)) as f64 / (129 * rows.len()) as f64;
        println!(
            "{:>8.0}  {:.2}  4 MiB as `{name}` in every row, status {status}",
            time * 10.0,
            time / ordinary / bytes
        );
    }
    Ok(())
}
