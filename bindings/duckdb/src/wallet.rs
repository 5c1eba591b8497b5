//! The receiver of a query, by the constant arguments of the call.

use crate::binding::Binding;
use phalanx::{Bulk, PublicKey, SecretKey};
use phalanx_rows::{KeyLineError, read_secret_key};
use phalanx_silent::Scanner;
use std::fmt::Display;

/// Where the constant arguments stand. Before them are the columns.
const KEY_FILE: u64 = 2;
const SPEND_KEY: u64 = 3;
const LABELS: u64 = 4;

/// The constant arguments.
pub(crate) struct Arguments {
    key_file: String,
    spend_key: String,
    labels: Vec<i64>,
}

impl Arguments {
    /// Reads them. An error is a sentence.
    pub(crate) fn of(binding: &Binding) -> Result<Arguments, String> {
        let constant = |index, name| binding.constant(index).map_err(|error| wrong(name, &error));
        let text = |index, name| constant(index, name)?.text().map_err(|error| wrong(name, &error));
        let labels = match binding.arguments() > LABELS {
            true => constant(LABELS, "labels")?.numbers().ok_or("phalanx_scan: labels: NULL is none")?,
            false => Vec::new(),
        };
        Ok(Arguments { key_file: text(KEY_FILE, "key_file")?, spend_key: text(SPEND_KEY, "spend_key")?, labels })
    }

    /// Reads the scan secret through DuckDB, whose settings say which files may be read. An error is a sentence, and
    /// repeats nothing of the file.
    pub(crate) fn scan_secret(&self, binding: &Binding) -> Result<SecretKey, String> {
        let key_file = &self.key_file;
        let wrong = |error: &dyn Display| wrong("key_file", &format!("{key_file}: {error}"));
        // What comes over a network, DuckDB would keep in buffers that nobody wipes.
        if key_file.contains("://") {
            return Err(wrong(&"a file of this machine is needed"));
        }
        let file = binding.open(key_file).map_err(KeyLineError::Io);
        file.and_then(|mut file| read_secret_key(&mut file)).map_err(|error| wrong(&error))
    }
}

/// A sentence on an argument.
fn wrong(name: &str, error: &dyn Display) -> String {
    format!("phalanx_scan: {name}: {error}")
}

/// What a query keeps. The scan secret is wiped when the query is dropped.
pub(crate) struct Wallet {
    pub(crate) scanner: Scanner,
    /// On the calling thread, because DuckDB calls from many.
    pub(crate) bulk: Bulk,
}

impl Wallet {
    /// Computes the keys to look for. An error is a sentence.
    pub(crate) fn new(scan_secret: &SecretKey, arguments: &Arguments) -> Result<Wallet, String> {
        let Arguments { spend_key, labels, .. } = arguments;
        let bulk = Bulk::builder().threads(1).build().map_err(|error| format!("phalanx_scan: {error}"))?;
        let spend: PublicKey = spend_key.parse().map_err(|error| wrong("spend_key", &error))?;
        let labels = labels.iter().map(|label| u32::try_from(*label)).collect::<Result<Vec<_>, _>>();
        let labels = labels.map_err(|_| wrong("labels", &"numbers from 0 to 4294967295 are needed"))?;
        let scanner = Scanner::new(scan_secret, spend, labels).map_err(|error| wrong("labels", &error))?;
        Ok(Wallet { scanner, bulk })
    }
}
