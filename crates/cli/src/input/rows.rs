//! Rows of a job, in columns that names tell.

use phalanx_rows::{ColumnNames, ColumnPlaces, Job};

use super::{Content, InputSettings};
use crate::exit::RunError;

/// Rows of signatures, or the terms of a sum.
pub(crate) struct Rows {
    pub(crate) job: Job,
    pub(crate) settings: InputSettings,
}

impl Content for Rows {
    fn settings(&self) -> &InputSettings {
        &self.settings
    }

    fn job(&self) -> Option<Job> {
        Some(self.job)
    }

    fn select(&self, header: &[&str], names: &mut ColumnNames) -> Result<(Vec<usize>, ColumnPlaces), RunError> {
        let selection = self.settings.names.select(header, self.job)?;
        selection.name(header, names);
        Ok(selection.project(self.job))
    }
}
