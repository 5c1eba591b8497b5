//! The columns of the output, in their order: this is the one list. `text` and `table` know how a value of each is
//! written.

use std::collections::HashSet;

use crate::exit::RunError;
use crate::input::{Input, KeptColumn};

/// What is found of each row beside its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Nothing.
    Verdict,
    /// A key, and its address.
    Key,
    /// The address that sent a transaction.
    Sender,
}

/// A column of the output.
pub(super) enum OutputColumn {
    /// One of the input's, passed through: in which place of the input's kept columns, under what name and type.
    Kept(usize, KeptColumn),
    /// The input's name, where there are several inputs.
    File,
    /// The row's number.
    Row,
    /// The key that was recovered.
    PublicKey,
    /// Its Ethereum address, under this name.
    Address(&'static str),
    /// Whether the row is valid.
    Valid,
    /// The verdict's name.
    Reason,
    /// The column at fault.
    Blamed,
}

impl OutputColumn {
    pub(super) fn name(&self) -> &str {
        match self {
            OutputColumn::Kept(_, column) => &column.name,
            OutputColumn::File => "file",
            OutputColumn::Row => "row",
            OutputColumn::PublicKey => "public_key",
            OutputColumn::Address(name) => name,
            OutputColumn::Valid => "valid",
            OutputColumn::Reason => "reason",
            OutputColumn::Blamed => "column",
        }
    }
}

/// The columns for these inputs. A kept column that has different types in different inputs becomes text.
///
/// Fails when a kept column has the name of one that is written anyway.
pub(super) fn columns(finding: Finding, inputs: &[Input], several: bool) -> Result<Vec<OutputColumn>, RunError> {
    let places = inputs.first().map_or(0, |input| input.kept.len());
    let kept =
        (0..places).filter_map(|place| KeptColumn::common(inputs, place).map(|kept| OutputColumn::Kept(place, kept)));
    let mut columns: Vec<OutputColumn> = kept.collect();
    if several {
        columns.push(OutputColumn::File);
    }
    columns.push(OutputColumn::Row);
    match finding {
        Finding::Verdict => {}
        Finding::Key => columns.extend([OutputColumn::PublicKey, OutputColumn::Address("address")]),
        Finding::Sender => columns.push(OutputColumn::Address("sender")),
    }
    columns.extend([OutputColumn::Valid, OutputColumn::Reason, OutputColumn::Blamed]);
    let mut names = HashSet::new();
    match columns.iter().find(|column| !names.insert(column.name())) {
        Some(column) => Err(RunError::new(format!("the output would have two columns `{}`", column.name()))),
        None => Ok(columns),
    }
}
