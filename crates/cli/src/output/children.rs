//! Children of extended keys as a table.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, FixedSizeBinaryBuilder, StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use phalanx_bip32::{LockingScript, ScriptKind};

use crate::exit::RunError;

/// The columns. Without a kind of script there are keys alone.
pub(crate) fn schema(kind: Option<ScriptKind>) -> SchemaRef {
    columns(kind.is_some())
}

fn columns(scripts: bool) -> SchemaRef {
    let mut fields = vec![
        Field::new("key", DataType::UInt64, false),
        Field::new("index", DataType::UInt32, false),
        Field::new("public_key", DataType::FixedSizeBinary(33), true),
    ];
    if scripts {
        fields.push(Field::new("script", DataType::Binary, true));
        fields.push(Field::new("address", DataType::Utf8, true));
    }
    Arc::new(Schema::new(fields))
}

/// Rows of children, column by column.
pub(crate) struct ChildTable {
    scripts: bool,
    key: UInt64Builder,
    index: UInt32Builder,
    public_key: FixedSizeBinaryBuilder,
    script: BinaryBuilder,
    address: StringBuilder,
    /// A value had another length than its column.
    broken: bool,
}

impl ChildTable {
    pub(crate) fn new(scripts: bool) -> ChildTable {
        ChildTable {
            scripts,
            key: UInt64Builder::new(),
            index: UInt32Builder::new(),
            public_key: FixedSizeBinaryBuilder::new(33),
            script: BinaryBuilder::new(),
            address: StringBuilder::new(),
            broken: false,
        }
    }

    /// Appends a child: the number of its parent, its index, and what there is of it.
    pub(crate) fn push(
        &mut self,
        key: u64,
        index: u32,
        public_key: Option<&[u8; 33]>,
        script: Option<&LockingScript>,
        address: Option<&str>,
    ) {
        self.key.append_value(key);
        self.index.append_value(index);
        match public_key {
            Some(public_key) => self.broken |= self.public_key.append_value(public_key).is_err(),
            None => self.public_key.append_null(),
        }
        self.script.append_option(script.map(LockingScript::to_bytes));
        self.address.append_option(address);
    }

    /// The rows as a table.
    pub(crate) fn finish(mut self) -> Result<RecordBatch, RunError> {
        if self.broken {
            return Err(RunError::new("internal error: a value had another length than its column"));
        }
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.key.finish()), Arc::new(self.index.finish()), Arc::new(self.public_key.finish())];
        if self.scripts {
            columns.push(Arc::new(self.script.finish()));
            columns.push(Arc::new(self.address.finish()));
        }
        RecordBatch::try_new(self::columns(self.scripts), columns).map_err(RunError::of)
    }
}
