//! Seeds of Parquet: every layout that readers of columns tell apart, in as few rows as show it.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, FixedSizeBinaryArray, Int64Array, LargeBinaryArray, RecordBatch, StringArray,
    StructArray, UInt8Array,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use phalanx::{Keypair, SecretKey, ecdsa, schnorr};

use super::Seed;

struct Rows {
    digests: Vec<Vec<u8>>,
    keys: Vec<Vec<u8>>,
    signatures: Vec<Vec<u8>>,
}

fn rows(count: u8) -> Rows {
    let mut rows = Rows { digests: Vec::new(), keys: Vec::new(), signatures: Vec::new() };
    for row in 0..count {
        let pair = Keypair::from_secret(SecretKey::from_bytes(&[1 + row / 2; 32]).expect("below the order"));
        let digest = [row; 32];
        rows.digests.push(digest.to_vec());
        if row % 3 == 2 {
            rows.keys.push(pair.x_only().to_bytes().to_vec());
            rows.signatures.push(schnorr::sign(&digest, &pair, &[0; 32]).to_bytes().to_vec());
        } else {
            rows.keys.push(pair.public_key().to_bytes().to_vec());
            rows.signatures.push(ecdsa::sign(&digest, pair.secret_key()).to_der().as_ref().to_vec());
        }
    }
    rows
}

fn file(columns: Vec<(&str, ArrayRef)>, properties: WriterProperties) -> Vec<u8> {
    let table = RecordBatch::try_from_iter(columns).expect("columns of one length");
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, table.schema(), Some(properties)).expect("memory");
    writer.write(&table).expect("memory");
    writer.close().expect("memory");
    bytes
}

fn properties() -> parquet::file::properties::WriterPropertiesBuilder {
    WriterProperties::builder().set_statistics_enabled(EnabledStatistics::None).set_created_by("seed".to_owned())
}

fn binary(values: &[Vec<u8>]) -> ArrayRef {
    Arc::new(BinaryArray::from_iter_values(values))
}

fn text(values: &[Vec<u8>]) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values.iter().map(hex::encode)))
}

pub(super) fn seeds() -> Vec<Seed> {
    let some = rows(4);
    let plain =
        || vec![("msg_hash", binary(&some.digests)), ("pubkey", binary(&some.keys)), ("sig", binary(&some.signatures))];
    let hex = || vec![("msg_hash", text(&some.digests)), ("pubkey", text(&some.keys)), ("sig", text(&some.signatures))];
    let large = |values: &[Vec<u8>]| -> ArrayRef { Arc::new(LargeBinaryArray::from_iter_values(values)) };
    let fixed = FixedSizeBinaryArray::try_from_iter(some.digests.iter()).expect("32 bytes each");
    let with = |column: (&'static str, ArrayRef)| [plain(), vec![column]].concat();
    let recovered: Vec<Vec<u8>> = (0..4).map(|row| [&[1; 64][..], &[27 + row]].concat()).collect();
    let nulls: ArrayRef = Arc::new(StringArray::from(vec![Some("ecdsa"), None, Some("schnorr"), Some("")]));
    let part: ArrayRef = binary(&some.keys);
    let field = Arc::new(arrow_schema_field(&part));
    let group: ArrayRef = Arc::new(StructArray::from(vec![(field, part)]));
    let codec = |codec| properties().set_compression(codec).build();
    let written = |encoding| properties().set_dictionary_enabled(false).set_encoding(encoding).build();
    let files = [
        ("plain", file(plain(), properties().set_dictionary_enabled(false).build())),
        ("dictionary", file(plain(), properties().build())),
        ("second-version", file(plain(), properties().set_writer_version(WriterVersion::PARQUET_2_0).build())),
        ("delta-length", file(plain(), written(Encoding::DELTA_LENGTH_BYTE_ARRAY))),
        ("delta", file(plain(), written(Encoding::DELTA_BYTE_ARRAY))),
        ("text", file(hex(), codec(Compression::SNAPPY))),
        ("zstd", file(plain(), codec(Compression::ZSTD(ZstdLevel::default())))),
        ("lz4", file(plain(), codec(Compression::LZ4_RAW))),
        ("gzip", file(plain(), codec(Compression::GZIP(Default::default())))),
        (
            "large-and-fixed",
            file(
                vec![
                    ("digest", Arc::new(fixed) as ArrayRef),
                    ("public_key", large(&some.keys)),
                    ("signature", large(&some.signatures)),
                ],
                properties().build(),
            ),
        ),
        (
            "recovery",
            file(
                vec![
                    ("msg_hash", binary(&some.digests)),
                    ("sig", binary(&recovered)),
                    ("v", Arc::new(Int64Array::from(vec![Some(0), None, Some(28), Some(-1)]))),
                    ("id", Arc::new(UInt8Array::from(vec![1, 2, 3, 4]))),
                ],
                properties().build(),
            ),
        ),
        ("nulls", file(with(("scheme", nulls)), properties().build())),
        (
            "kept",
            file(with(("kind", Arc::new(BooleanArray::from(vec![true, false, true, true])))), properties().build()),
        ),
        ("group", file(with(("v", group)), properties().build())),
        ("groups", file(plain(), properties().set_max_row_group_row_count(Some(1)).build())),
        ("pages", file(plain(), properties().set_data_page_row_count_limit(1).set_write_batch_size(1).build())),
    ];
    files.map(|(name, bytes)| Seed("parquet", name.to_owned(), bytes)).into()
}

fn arrow_schema_field(array: &ArrayRef) -> arrow_schema::Field {
    arrow_schema::Field::new("part", array.data_type().clone(), true)
}
