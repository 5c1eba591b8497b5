//! The receiver of a query, by the constant arguments of the call.

use crate::binding::Binding;
use phalanx::{Bulk, PublicKey, Stack};
use phalanx_rows::{KeyLineError, read_secret_key};
use phalanx_silent::Scanner;
use std::fs::File;

/// Where the constant arguments stand. Before them are the columns.
const KEY_FILE: u64 = 2;
const SPEND_KEY: u64 = 3;
const LABELS: u64 = 4;

/// Bytes of stack below the reading of a key, which are overwritten. A scanner overwrites what it uses itself.
const STACK: usize = 16 << 10;

/// The constant arguments.
pub(crate) struct Arguments {
    key_file: String,
    spend_key: String,
    labels: Vec<i64>,
}

impl Arguments {
    /// Reads them. An error is a sentence.
    pub(crate) fn of(binding: &Binding) -> Result<Arguments, String> {
        let constant = |index, name| binding.constant(index).map_err(|wrong| format!("phalanx_scan: {name}: {wrong}"));
        let text =
            |index, name| constant(index, name)?.text().ok_or_else(|| format!("phalanx_scan: {name}: NULL is none"));
        let labels = match binding.arguments() > LABELS {
            true => constant(LABELS, "labels")?.numbers().ok_or("phalanx_scan: labels: NULL is none")?,
            false => Vec::new(),
        };
        // DuckDB is told so where those who write SQL are not trusted with files.
        if !binding.setting(c"enable_external_access").is_some_and(|setting| setting.is_true()) {
            return Err("phalanx_scan: key_file: no file is read without the setting enable_external_access".into());
        }
        Ok(Arguments { key_file: text(KEY_FILE, "key_file")?, spend_key: text(SPEND_KEY, "spend_key")?, labels })
    }
}

/// What a query keeps. The scan secret is wiped when the query is dropped.
pub(crate) struct Wallet {
    pub(crate) scanner: Scanner,
    /// On the calling thread, because DuckDB calls from many.
    pub(crate) bulk: Bulk,
}

impl Wallet {
    /// Reads the scan secret and computes the keys to look for. An error is a sentence, and repeats nothing of the file.
    pub(crate) fn new(arguments: &Arguments) -> Result<Wallet, String> {
        let Arguments { key_file, spend_key, labels } = arguments;
        let wrong = |name: &str, wrong: &dyn std::fmt::Display| format!("phalanx_scan: {name}: {wrong}");
        let bulk = Bulk::builder().threads(1).build().map_err(|error| format!("phalanx_scan: {error}"))?;
        let spend: PublicKey = spend_key.parse().map_err(|error| wrong("spend_key", &error))?;
        let labels = labels.iter().map(|label| u32::try_from(*label)).collect::<Result<Vec<_>, _>>();
        let labels = labels.map_err(|_| wrong("labels", &"numbers from 0 to 4294967295 are needed"))?;
        let scanner = Stack::<STACK>::cleared(|| {
            let file = File::open(key_file).map_err(KeyLineError::Io);
            let secret = file.and_then(|mut file| read_secret_key(&mut file));
            let secret = secret.map_err(|error| wrong("key_file", &format!("{key_file}: {error}")))?;
            Scanner::new(&secret, spend, labels).map_err(|error| wrong("labels", &error))
        })?;
        Ok(Wallet { scanner, bulk })
    }
}
