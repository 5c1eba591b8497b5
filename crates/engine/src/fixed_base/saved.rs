//! Tables as a file: a header that says what they are of, and the rows.
//!
//! A file is a whole number of rows of eight words of 64 bits, the lowest byte first, so that it can be mapped to
//! memory where bytes lie in this order. The header is made from the curve, the configuration and the basis alone;
//! reading it back means to make it again and to compare.
//!
//! | row | words |
//! |---|---|
//! | 0 | mark, version, rows of the header, rows of the tables, points, tables, rules, checksum of the curve's constants |
//! | 1 | the group's order; checksum of the basis |
//! | 2 | checksum of the header with zeros here; checksum of the tables' rows |
//! | then one a table | kind of scheme, its three numbers or zero, first place, last place and one |
//! | then one a rule | number of non-zero scalars, number of tables, the tables |

use super::{
    checksum::{Checksum, checksum},
    configuration::{Configuration, ConfigurationError, MAX_TABLES_OF_RULE},
    require,
    scheme::Scheme,
    tables::{Tables, fill},
};
use crate::{affine_add::AffineAdder, curve::Curve, field::BaseField, large_pages::room_for_rows, word::CacheLine};
use alloc::{vec, vec::Vec};
use core::fmt;

/// "phxfixed", as a word.
const MARK: u64 = u64::from_le_bytes(*b"phxfixed");
const VERSION: u64 = 1;
const ROW: usize = size_of::<CacheLine>();
/// The header's row of checksums.
const SUMS: usize = 2;

/// Why a file of tables is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SavedError {
    /// The configuration that was asked for cannot be.
    Configuration(ConfigurationError),
    /// The file does not begin as one of tables does.
    NotTables,
    /// The file is of another version.
    Version,
    /// The file ends early.
    Truncated,
    /// The file goes on behind its last row.
    TrailingBytes,
    /// The header is damaged.
    Header,
    /// The tables are over another curve.
    Curve,
    /// The tables are of another configuration.
    Parameters,
    /// The tables are over another basis.
    Basis,
    /// The rows are damaged.
    Rows,
    /// This CPU keeps the highest byte of a word first, and cannot use the file as it lies in memory.
    ByteOrder,
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Configuration(error) => return error.fmt(f),
            Self::NotTables => "this is no file of tables",
            Self::Version => "the tables are of another version of the format",
            Self::Truncated => "the file of tables ends early",
            Self::TrailingBytes => "the file of tables goes on behind its last row",
            Self::Header => "the header of the tables is damaged",
            Self::Curve => "the tables are over another curve",
            Self::Parameters => "the tables are of another configuration",
            Self::Basis => "the tables are over another basis",
            Self::Rows => "the rows of the tables are damaged",
            Self::ByteOrder => "the file of tables has the other byte order than this CPU",
        })
    }
}

impl core::error::Error for SavedError {}

/// The header but for its checksums.
fn header<C: Curve>(configuration: &Configuration, basis: &[CacheLine]) -> Vec<CacheLine> {
    let Configuration { points, order, tables, rules } = configuration;
    let length = 3 + tables.len() + rules.len();
    let [x, y] = C::GENERATOR;
    let curve = checksum(&[row(*C::Field::MODULUS.value(), C::A), row(C::B, x), row(y, [0; 4])])[0];
    let counts = [configuration.rows(), *points, tables.len(), rules.len()].map(|count| count as u64);
    let [rows, points, table_count, rule_count] = counts;
    let mut header = vec![CacheLine([MARK, VERSION, length as u64, rows, points, table_count, rule_count, curve])];
    header.extend([row(*order, checksum(basis)), row([0; 4], [0; 4])]);
    header.extend(tables.iter().map(|table| {
        let [kind, t, b, group] = match table.scheme {
            Scheme::Subsets { t, b } => [0, t, b, 0],
            Scheme::SignedWindows { b } => [1, 0, b, 0],
            Scheme::SignedComb { t, b, group } => [2, t, b, group],
        }
        .map(u64::from);
        CacheLine([kind, t, b, group, table.places.start as u64, table.places.end as u64, 0, 0])
    }));
    header.extend(rules.iter().map(|rule| {
        let mut words = [0; 8];
        (words[0], words[1]) = (rule.nonzero as u64, rule.tables.len() as u64);
        words[2..2 + MAX_TABLES_OF_RULE]
            .iter_mut()
            .zip(rule.tables.iter())
            .for_each(|(word, table)| *word = *table as u64);
        CacheLine(words)
    }));
    header
}

fn row([a, b, c, d]: [u64; 4], [e, f, g, h]: [u64; 4]) -> CacheLine {
    CacheLine([a, b, c, d, e, f, g, h])
}

/// The words of the row with the header's checksum and that of the tables' rows.
fn with_sums(header: &mut [CacheLine], rows: Checksum) {
    header[SUMS] = row([0; 4], rows);
    header[SUMS] = row(checksum(header), rows);
}

fn little_endian(CacheLine(words): &CacheLine) -> [u8; ROW] {
    let mut bytes = [0; ROW];
    bytes.chunks_exact_mut(8).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    bytes
}

fn from_little_endian(bytes: &[u8]) -> CacheLine {
    CacheLine(core::array::from_fn(|i| {
        u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes of a row"))
    }))
}

impl<C: Curve, R: AsRef<[CacheLine]>> Tables<C, R> {
    /// Writes the tables, over this basis, to `sink`, piece by piece.
    ///
    /// # Errors
    /// The first one of the sink.
    pub fn save<E>(&self, basis: &[CacheLine], mut sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut header = header::<C>(self.configuration(), basis);
        with_sums(&mut header, checksum(self.rows()));
        header.iter().chain(self.rows()).try_for_each(|row| sink(&little_endian(row)))
    }
}

impl Configuration {
    /// The rows of a file of these tables, 64 bytes each: the header's, and those of the tables.
    pub fn rows_of_file(&self) -> usize {
        SUMS + 1 + self.tables.len() + self.rules.len() + self.rows()
    }
}

impl<C: Curve> Tables<C> {
    /// Builds the tables of a configuration over a basis where a file of them is to lie: the same bytes as
    /// [`Tables::build`] and [`Tables::save`] give.
    ///
    /// # Errors
    /// If the configuration does not pass [`Configuration::check`].
    ///
    /// # Panics
    /// If the basis is not as long as the configuration says, or the file has not [`Configuration::rows_of_file`] rows.
    pub fn build_file<A: AffineAdder<Curve = C>>(
        adder: &A,
        configuration: &Configuration,
        basis: &[CacheLine],
        file: &mut [CacheLine],
    ) -> Result<(), ConfigurationError> {
        configuration.check()?;
        assert_eq!(file.len(), configuration.rows_of_file(), "the rows of the file");
        let mut header = header::<C>(configuration, basis);
        let (first, rows) = file.split_at_mut(header.len());
        fill(adder, configuration, basis, rows);
        with_sums(&mut header, checksum(rows));
        first.copy_from_slice(&header);
        if cfg!(target_endian = "big") {
            file.iter_mut().for_each(|CacheLine(words)| *words = words.map(u64::to_le));
        }
        Ok(())
    }

    /// Reads tables back that were saved over this basis with this configuration.
    ///
    /// Damage is found by checksums. A file that someone made up is not: only trusted files may be read.
    ///
    /// # Errors
    /// What is wrong with the file, or with the configuration.
    pub fn read(configuration: Configuration, basis: &[CacheLine], bytes: &[u8]) -> Result<Self, SavedError> {
        let line = |index: usize| from_little_endian(&bytes[index * ROW..][..ROW]);
        let (header, sum) = check_header::<C>(&configuration, basis, line, bytes.len())?;
        let mut rows = room_for_rows(configuration.rows());
        rows.extend(bytes[header * ROW..].chunks_exact(ROW).map(from_little_endian));
        require(checksum(&rows) == sum, SavedError::Rows)?;
        Ok(Tables::of_rows(configuration, rows))
    }
}

/// A file that lies in memory row by row, of which the rows of tables are the part behind the header.
#[derive(Clone, Debug)]
pub struct SavedRows<F> {
    file: F,
    header: usize,
}

impl<F: AsRef<[CacheLine]>> AsRef<[CacheLine]> for SavedRows<F> {
    fn as_ref(&self) -> &[CacheLine] {
        &self.file.as_ref()[self.header..]
    }
}

impl<C: Curve, F: AsRef<[CacheLine]>> Tables<C, SavedRows<F>> {
    /// As [`Tables::read`], for a file that lies in memory row by row and stays there, as one does that is mapped.
    ///
    /// # Errors
    /// What is wrong with the file, or with the configuration.
    pub fn of_file(configuration: Configuration, basis: &[CacheLine], file: F) -> Result<Self, SavedError> {
        require(cfg!(target_endian = "little"), SavedError::ByteOrder)?;
        let lines = file.as_ref();
        let (header, sum) = check_header::<C>(&configuration, basis, |index| lines[index], size_of_val(lines))?;
        require(checksum(&lines[header..]) == sum, SavedError::Rows)?;
        Ok(Tables::of_rows(configuration, SavedRows { file, header }))
    }
}

/// Checks the header of a file of a given number of bytes, whose rows `line` gives by their index, and that the file is
/// as long as the header says. Returns the number of the header's rows, and the checksum of those behind them.
fn check_header<C: Curve>(
    configuration: &Configuration,
    basis: &[CacheLine],
    line: impl Fn(usize) -> CacheLine,
    bytes: usize,
) -> Result<(usize, Checksum), SavedError> {
    configuration.check().map_err(SavedError::Configuration)?;
    require(bytes >= ROW, SavedError::Truncated)?;
    let CacheLine(first) = line(0);
    require(first[0] == MARK, SavedError::NotTables)?;
    require(first[1] == VERSION, SavedError::Version)?;
    let length = usize::try_from(first[2]).unwrap_or(usize::MAX);
    require(length > SUMS, SavedError::Header)?;
    require(length <= bytes / ROW, SavedError::Truncated)?;
    let mut found: Vec<CacheLine> = (0..length).map(line).collect();
    let sums @ CacheLine([_, _, _, _, r0, r1, r2, r3]) = found[SUMS];
    with_sums(&mut found, [r0, r1, r2, r3]);
    require(found[SUMS] == sums, SavedError::Header)?;
    let expected = header::<C>(configuration, basis);
    require(first[7] == expected[0].0[7], SavedError::Curve)?;
    let order_and_basis = (found[1].0, expected[1].0);
    let rest = SUMS + 1..;
    let same_order = order_and_basis.0[..4] == order_and_basis.1[..4];
    let same_parameters = found[0] == expected[0] && same_order && found[rest.clone()] == expected[rest];
    require(same_parameters, SavedError::Parameters)?;
    require(order_and_basis.0[4..] == order_and_basis.1[4..], SavedError::Basis)?;
    let end = (length + configuration.rows()) * ROW;
    require(bytes >= end, SavedError::Truncated)?;
    require(bytes <= end, SavedError::TrailingBytes)?;
    Ok((length, [r0, r1, r2, r3]))
}
