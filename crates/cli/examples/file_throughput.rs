//! How much of the pure verification rate is left when the rows come from a file.
//!
//! Signs distinct rows for the purpose, writes them as a file, and then verifies them in turn twice: with one bulk call
//! on encoded rows that are in memory already, and with the command, from the start of the process to its end. The
//! turns are interleaved, so that both see the same machine; the median rates are printed, and the median of the turns'
//! ratios.
//!
//! ```text
//! cargo run --release -p phalanx-cli --example file_throughput -- [ROWS [THREADS [TURNS [parquet|csv|jsonl [OUT]]]]]
//! ```
//!
//! `OUT` has the command write its answers too, in the format of its ending. The command is built first, in the profile
//! of this example: Cargo builds an example without its package's binary, and one that is left over from an earlier
//! build would be compared with another library than its own.
//!
//! Both executables are copied before they run. A linker may leave a file on scattered pages of memory, where the code
//! of the eight lanes, some 30 KiB, can evict itself from the instruction cache: one file of several, byte for byte the
//! same, was seen to run at 60 % of the speed of the others. A copy is written in one go, and lies better.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs};

use arrow_array::{ArrayRef, BinaryArray, FixedSizeBinaryArray, RecordBatch, UInt64Array};
use parquet::arrow::ArrowWriter;
use phalanx::hash::sha256;
use phalanx::{Bulk, LowS, PublicKeyRef, SecretKey, ecdsa};
use serde_json::Value;

/// Rows signed at a time.
const BATCH: u64 = 65_536;

/// Encoded rows, as a file holds them.
#[derive(Default)]
struct Rows {
    digests: Vec<[u8; 32]>,
    keys: Vec<[u8; 33]>,
    signatures: Vec<Vec<u8>>,
}

fn sign(count: u64) -> Result<Rows, Box<dyn Error>> {
    let bulk = Bulk::new();
    let mut rows = Rows::default();
    for start in (0..count).step_by(BATCH as usize) {
        let numbers = start..count.min(start + BATCH);
        let hash = |purpose: &str, number: u64| sha256(format!("{purpose} {number}").as_bytes());
        let secrets = numbers.clone().map(|number| SecretKey::from_bytes(&hash("secret", number)));
        let secrets = secrets.collect::<Result<Vec<_>, _>>()?;
        let digests: Vec<[u8; 32]> = numbers.map(|number| hash("digest", number)).collect();
        rows.keys.extend(bulk.public_keys(&secrets).iter().map(|key| key.to_bytes()));
        rows.signatures
            .extend(bulk.sign_ecdsa(&digests, &secrets)?.iter().map(|signature| signature.to_der().to_vec()));
        rows.digests.extend(digests);
    }
    Ok(rows)
}

fn write(rows: &Rows, path: &Path) -> Result<(), Box<dyn Error>> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("parquet") => {
            let numbers = 0..rows.digests.len() as u64;
            let table = RecordBatch::try_from_iter([
                ("id", Arc::new(UInt64Array::from_iter_values(numbers)) as ArrayRef),
                ("msg_hash", Arc::new(FixedSizeBinaryArray::try_from_iter(rows.digests.iter())?)),
                ("pubkey", Arc::new(BinaryArray::from_iter_values(&rows.keys))),
                ("sig", Arc::new(BinaryArray::from_iter_values(&rows.signatures))),
            ])?;
            let mut writer = ArrowWriter::try_new(fs::File::create(path)?, table.schema(), None)?;
            writer.write(&table)?;
            writer.close()?;
        }
        ending => {
            let json = ending == Some("jsonl");
            let mut text = if json { String::new() } else { "id,msg_hash,pubkey,sig\n".to_owned() };
            for (number, digest) in rows.digests.iter().enumerate() {
                let hex = |bytes: &[u8]| const_hex::encode(bytes);
                let (digest, key, sig) = (hex(digest), hex(&rows.keys[number]), hex(&rows.signatures[number]));
                text += &match json {
                    true => format!(
                        "{{\"id\":{number},\"msg_hash\":\"{digest}\",\"pubkey\":\"{key}\",\"sig\":\"{sig}\"}}\n"
                    ),
                    false => format!("{number},{digest},{key},{sig}\n"),
                };
            }
            fs::write(path, text)?;
        }
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Builds the command from the sources that are there now; says where it is.
fn build() -> Result<PathBuf, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let output = Command::new(cargo)
        .args(["build", "--bin", "phalanx", "--message-format", "json-render-diagnostics", "--profile", profile])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("the command cannot be built".into());
    }
    let messages = output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    let mut executables = messages.filter_map(|message: Value| message["executable"].as_str().map(PathBuf::from));
    executables.next_back().ok_or_else(|| "Cargo does not say where the command is".into())
}

/// Says that this process is the copy.
const COPY: &str = "copy";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.first().is_none_or(|first| first != COPY) {
        let directory = tempfile::tempdir()?;
        let copy = directory.path().join("file_throughput");
        fs::copy(env::current_exe()?, &copy)?;
        let status = Command::new(copy).arg(COPY).args(arguments).status()?;
        return if status.success() { Ok(()) } else { Err("the measurement failed".into()) };
    }
    let arguments = &arguments[1..];
    let number = |place: usize, default: usize| arguments.get(place).map_or(Ok(default), |text| text.parse());
    let (count, turns) = (number(0, 1_000_000)?, number(2, 5)?);
    let threads = number(1, std::thread::available_parallelism()?.get())?;
    let format = arguments.get(3).map_or("parquet", String::as_str);

    let directory = tempfile::tempdir()?;
    let command = directory.path().join("phalanx");
    fs::copy(build()?, &command)?;
    let file = directory.path().join(format!("rows.{format}"));
    let rows = sign(count as u64)?;
    write(&rows, &file)?;
    println!("{count} rows, {} bytes as {format}, {threads} threads, {turns} turns", fs::metadata(&file)?.len());

    let bulk = Bulk::builder().threads(threads).build()?;
    let borrowed = rows.digests.iter().zip(&rows.keys).zip(&rows.signatures).map(|((digest, key), signature)| {
        ecdsa::Row { digest, signature: ecdsa::SignatureRef::Der(signature), public_key: PublicKeyRef::Encoded(key) }
    });
    let borrowed: Vec<ecdsa::Row<'_>> = borrowed.collect();
    let (mut pure, mut run) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        let start = Instant::now();
        let verdicts = bulk.verify_ecdsa(&borrowed, LowS::Allow);
        pure.push(start.elapsed().as_secs_f64());
        assert!(verdicts.iter().all(|verdict| verdict.is_valid()));

        let mut command = Command::new(&command);
        command.args(["verify", "--json", "--threads", &threads.to_string()]).arg(&file);
        if let Some(out) = arguments.get(4) {
            command.arg("--out").arg(directory.path().join(out));
        }
        let start = Instant::now();
        let output = command.output()?;
        run.push(start.elapsed().as_secs_f64());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let part = median(pure.iter().zip(&run).map(|(pure, run)| 100.0 * pure / run).collect());
    let rate = |seconds: Vec<f64>| count as f64 / median(seconds);
    println!("pure     {:>10.0} rows a second, backend {}", rate(pure), bulk.backend().name());
    println!("command  {:>10.0} rows a second, {part:.1} % of the pure rate", rate(run));
    Ok(())
}
