//! A table as Markdown.

/// A table.
#[derive(Debug, Default)]
pub(super) struct Table {
    title: String,
    columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// What is said below it.
    pub(super) notes: Vec<String>,
}

impl Table {
    pub(super) fn new(title: &str, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { title: title.into(), columns: columns.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        let notes: String = self.notes.iter().map(|note| format!("\n- {note}\n")).collect();
        format!("{}\n\n{}|{}\n{rows}{notes}", self.title, line(&self.columns), "---|".repeat(self.columns.len()))
    }
}
