//! Children as a table of Arrow: what programs that write files and hand on columns give of them.

use crate::{Chain, LockingScript, ScriptKind};
use arrow_array::builder::{BinaryBuilder, FixedSizeBinaryBuilder, StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use phalanx::children::Child;
use std::sync::Arc;

/// Rows of children, column by column: the number of the parent, the index and the key; with a kind of script, the
/// script and its address too.
#[derive(Debug)]
pub struct ChildTable {
    kind: Option<ScriptKind>,
    key: UInt64Builder,
    index: UInt32Builder,
    public_key: FixedSizeBinaryBuilder,
    script: BinaryBuilder,
    address: StringBuilder,
}

impl ChildTable {
    /// No rows yet. Without a kind of script there are keys alone.
    pub fn new(kind: Option<ScriptKind>) -> ChildTable {
        ChildTable {
            kind,
            key: UInt64Builder::new(),
            index: UInt32Builder::new(),
            public_key: FixedSizeBinaryBuilder::new(33),
            script: BinaryBuilder::new(),
            address: StringBuilder::new(),
        }
    }

    /// The columns.
    pub fn schema(kind: Option<ScriptKind>) -> SchemaRef {
        let mut fields = vec![
            Field::new("key", DataType::UInt64, false),
            Field::new("index", DataType::UInt32, false),
            Field::new("public_key", DataType::FixedSizeBinary(33), true),
        ];
        if kind.is_some() {
            fields.push(Field::new("script", DataType::Binary, true));
            fields.push(Field::new("address", DataType::Utf8, true));
        }
        Arc::new(Schema::new(fields))
    }

    /// Appends a child of the parent of this number, which has the payload of the kind, or says that an index has none.
    ///
    /// # Errors
    /// As the builder of the column of keys.
    pub fn push(&mut self, key: u64, index: u32, child: Option<&Child>, chain: Chain) -> Result<(), ArrowError> {
        self.key.append_value(key);
        self.index.append_value(index);
        match child {
            Some(child) => self.public_key.append_value(child.public_key.to_bytes())?,
            None => self.public_key.append_null(),
        }
        let script = self.kind.zip(child).and_then(|(kind, child)| LockingScript::of_child(kind, child));
        self.script.append_option(script.map(|script| script.to_bytes()));
        self.address.append_option(script.map(|script| script.address(chain)));
        Ok(())
    }

    /// The rows as a table.
    ///
    /// # Errors
    /// As [`RecordBatch::try_new`].
    pub fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.key.finish()), Arc::new(self.index.finish()), Arc::new(self.public_key.finish())];
        if self.kind.is_some() {
            columns.push(Arc::new(self.script.finish()));
            columns.push(Arc::new(self.address.finish()));
        }
        RecordBatch::try_new(ChildTable::schema(self.kind), columns)
    }
}
