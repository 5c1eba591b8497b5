//! Rows in every form that the command reads.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, FixedSizeBinaryArray, RecordBatch, StringArray};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use tempfile::TempDir;

use crate::rows::{Signed, rows};
use crate::running::{directory, place};

pub(crate) fn hex(bytes: &[u8]) -> String {
    const_hex::encode(bytes)
}

pub(crate) fn csv(rows: &[Signed]) -> String {
    let mut text = "id,scheme,msg_hash,pubkey,sig\n".to_owned();
    for row in rows {
        let fields = [&row.id, row.scheme, &hex(&row.digest), &hex(&row.key), &hex(&row.signature)];
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

/// A directory with a file `rows.csv` of valid rows.
pub(crate) fn valid_rows(count: u32) -> (TempDir, String) {
    let directory = directory();
    let file = place(&directory, "rows.csv", csv(&rows(count)).as_bytes());
    (directory, file)
}

pub(crate) fn json_line(row: &Signed) -> String {
    serde_json::json!({
        "id": row.id,
        "scheme": row.scheme,
        "msg_hash": hex(&row.digest),
        "pubkey": const_hex::encode_prefixed(&row.key),
        "sig": const_hex::encode_prefixed(&row.signature),
    })
    .to_string()
}

pub(crate) fn json_lines(rows: &[Signed]) -> String {
    rows.iter().map(|row| json_line(row) + "\n").collect()
}

/// Binary columns, and text for id and scheme.
pub(crate) fn table(rows: &[Signed]) -> RecordBatch {
    let digests = rows.iter().map(|row| row.digest.as_slice());
    RecordBatch::try_from_iter([
        ("id", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.id))) as ArrayRef),
        ("scheme", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.scheme)))),
        ("msg_hash", Arc::new(FixedSizeBinaryArray::try_from_iter(digests).unwrap())),
        ("pubkey", Arc::new(BinaryArray::from_iter_values(rows.iter().map(|row| &row.key)))),
        ("sig", Arc::new(BinaryArray::from_iter_values(rows.iter().map(|row| &row.signature)))),
    ])
    .unwrap()
}

/// The same table with another column in place of the one of that name.
pub(crate) fn with_column(table: &RecordBatch, name: &str, array: &ArrayRef) -> RecordBatch {
    let columns = table.schema_ref().fields().iter().zip(table.columns()).map(|(field, column)| {
        let column = if field.name() == name { array } else { column };
        (field.name().clone(), Arc::clone(column), true)
    });
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// A Parquet file with a row group for every `group` rows.
pub(crate) fn parquet(table: &RecordBatch, group: usize) -> Vec<u8> {
    parquet_with(table, WriterProperties::builder().set_max_row_group_row_count(Some(group)).build())
}

pub(crate) fn parquet_with(table: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, table.schema(), Some(properties)).unwrap();
    writer.write(table).unwrap();
    writer.close().unwrap();
    bytes
}

/// All rows of a Parquet file.
pub(crate) fn read_parquet(path: &str) -> RecordBatch {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let schema = Arc::clone(reader.schema());
    let batches: Vec<_> = reader.build().unwrap().map(Result::unwrap).collect();
    arrow_select::concat::concat_batches(&schema, &batches).unwrap()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}
