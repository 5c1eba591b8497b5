//! `manifest.csv`: each file of the sample with its counts and its SHA-256, which a test compares with the files.

use crate::Fallible;
use crate::error_row::ErrorRow;
use crate::oracle;
use crate::row::VerifyRow;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What a run over a file must count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    pub rows: usize,
    /// Rows valid under `--low-s allow`.
    pub valid: usize,
    /// Rows that `--low-s require` calls `high_s`.
    pub high_s: usize,
}

impl Counts {
    pub(crate) fn all_valid(rows: usize) -> Counts {
        Counts { rows, valid: rows, high_s: 0 }
    }

    pub(crate) fn of_rows(rows: &[VerifyRow]) -> Counts {
        Counts { high_s: oracle::high_s(rows), ..Counts::all_valid(rows.len()) }
    }

    pub(crate) fn of_error_rows(rows: &[ErrorRow]) -> Counts {
        Counts {
            rows: rows.len(),
            valid: rows.iter().filter(|row| row.expected == "valid").count(),
            high_s: rows.iter().filter(|row| row.expected_low_s == "high_s").count(),
        }
    }
}

/// The files of one run.
pub(crate) struct Manifest {
    folder: PathBuf,
    files: Vec<(&'static str, Counts)>,
}

impl Manifest {
    pub(crate) fn new(folder: &Path) -> Manifest {
        Manifest { folder: folder.to_owned(), files: Vec::new() }
    }

    /// Notes a file of the sample and returns the path to write it to.
    pub(crate) fn add(&mut self, name: &'static str, counts: Counts) -> PathBuf {
        self.files.push((name, counts));
        self.folder.join(name)
    }

    /// Writes the manifest, once every file is there, and returns its text.
    pub(crate) fn write(&self) -> Fallible<String> {
        let mut text = String::from("file,rows,valid,high_s,sha256\n");
        for (name, counts) in &self.files {
            let sha256 = hex::encode(Sha256::digest(std::fs::read(self.folder.join(name))?));
            writeln!(text, "{name},{},{},{},{sha256}", counts.rows, counts.valid, counts.high_s)?;
        }
        std::fs::write(self.folder.join("manifest.csv"), &text)?;
        Ok(text)
    }
}
