//! Rows as Parquet. Nothing in a file depends on when or where it is written.

use crate::Fallible;
use crate::row::{SenderRow, VerifyRow};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::data_type::{Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// A codec, as a function because a compression level is not a constant.
pub(crate) type Codec = fn() -> Compression;

pub(crate) const SNAPPY: Codec = || Compression::SNAPPY;
pub(crate) const ZSTD: Codec = || Compression::ZSTD(ZstdLevel::default());

const VERIFY_SCHEMA: &str = "message signatures {
    required binary id (string);
    required binary scheme (string);
    required fixed_len_byte_array(32) msg_hash;
    required binary pubkey;
    required binary sig;
}";

const SENDER_SCHEMA: &str = "message transactions {
    required fixed_len_byte_array(32) transaction_hash;
    required int64 block_number (integer(64, false));
    required int32 transaction_index (integer(32, false));
    required fixed_len_byte_array(32) msg_hash;
    required fixed_len_byte_array(32) r;
    required fixed_len_byte_array(32) s;
    required int32 v (integer(8, false));
    required fixed_len_byte_array(20) from_address;
}";

/// Columns `id, scheme, msg_hash, pubkey, sig`.
pub(crate) fn verify_rows(path: &Path, rows: &[VerifyRow], codec: Codec) -> Fallible<()> {
    write(path, VERIFY_SCHEMA, codec, |group| {
        column::<ByteArrayType>(group, rows.iter().map(|row| binary(row.id.as_bytes())))?;
        column::<ByteArrayType>(group, rows.iter().map(|row| binary(row.scheme.name().as_bytes())))?;
        column::<FixedLenByteArrayType>(group, rows.iter().map(|row| fixed(&row.msg_hash)))?;
        column::<ByteArrayType>(group, rows.iter().map(|row| binary(&row.pubkey)))?;
        column::<ByteArrayType>(group, rows.iter().map(|row| binary(&row.sig)))
    })
}

/// Columns `transaction_hash, block_number, transaction_index, msg_hash, r, s, v, from_address`, with `v` as parity.
pub(crate) fn sender_rows(path: &Path, rows: &[SenderRow]) -> Fallible<()> {
    write(path, SENDER_SCHEMA, ZSTD, |group| {
        column::<FixedLenByteArrayType>(group, rows.iter().map(|row| fixed(&row.transaction_hash)))?;
        column::<Int64Type>(group, rows.iter().map(|row| row.block_number as i64))?;
        column::<Int32Type>(group, rows.iter().map(|row| row.transaction_index as i32))?;
        column::<FixedLenByteArrayType>(group, rows.iter().map(|row| fixed(&row.msg_hash)))?;
        column::<FixedLenByteArrayType>(group, rows.iter().map(|row| fixed(&row.r)))?;
        column::<FixedLenByteArrayType>(group, rows.iter().map(|row| fixed(&row.s)))?;
        column::<Int32Type>(group, rows.iter().map(|row| i32::from(row.parity)))?;
        column::<FixedLenByteArrayType>(group, rows.iter().map(|row| fixed(&row.from_address)))
    })
}

fn write(
    path: &Path,
    schema: &str,
    codec: Codec,
    columns: impl FnOnce(&mut SerializedRowGroupWriter<'_, File>) -> Fallible<()>,
) -> Fallible<()> {
    let properties = WriterProperties::builder().set_compression(codec()).set_created_by("make_sample".to_owned());
    let schema = Arc::new(parse_message_type(schema)?);
    let mut file = SerializedFileWriter::new(File::create(path)?, schema, Arc::new(properties.build()))?;
    let mut group = file.next_row_group()?;
    columns(&mut group)?;
    group.close()?;
    file.close()?;
    Ok(())
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: impl Iterator<Item = T::T>,
) -> Fallible<()> {
    let mut column = group.next_column()?.ok_or("the schema has fewer columns than the rows")?;
    column.typed::<T>().write_batch(&values.collect::<Vec<_>>(), None, None)?;
    Ok(column.close()?)
}

fn binary(bytes: &[u8]) -> ByteArray {
    ByteArray::from(bytes.to_vec())
}

fn fixed(bytes: &[u8]) -> FixedLenByteArray {
    ByteArray::from(bytes.to_vec()).into()
}
