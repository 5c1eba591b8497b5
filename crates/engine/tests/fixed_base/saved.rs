//! Tables as a file: they come back as they were, and every damage is refused with its own error.

use crate::groups::{Bandersnatch, Sloped};
use crate::naive::{Basis, order};
use crate::sums::hybrid;
use phalanx_engine::affine_add::OneLane;
use phalanx_engine::curve::Curve;
use phalanx_engine::fixed_base::{Configuration, SavedError, Scheme, Tables};
use phalanx_engine::word::CacheLine;

type C = Bandersnatch;
const POINTS: usize = 5;

fn build() -> (Tables<C>, Vec<CacheLine>) {
    let basis = Basis::<C>::ordinary(POINTS).rows;
    let tables = Tables::build(&OneLane::new(), hybrid::<C>(POINTS), &basis).expect("a configuration that can be");
    (tables, basis)
}

fn save<C: Curve>(tables: &Tables<C>, basis: &[CacheLine]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let sink = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok::<(), ()>(())
    };
    tables.save(basis, sink).expect("a sink that never fails");
    bytes
}

fn error(configuration: Configuration, basis: &[CacheLine], bytes: &[u8]) -> Option<SavedError> {
    Tables::<C>::read(configuration, basis, bytes).err()
}

#[test]
fn tables_come_back() {
    let (tables, basis) = build();
    let bytes = save(&tables, &basis);
    let again = Tables::<C>::read(hybrid::<C>(POINTS), &basis, &bytes).expect("what was saved");
    assert_eq!(again.rows(), tables.rows());
    assert_eq!(again.configuration(), tables.configuration());
    let lines: Vec<CacheLine> = bytes
        .chunks_exact(64)
        .map(|row| CacheLine(core::array::from_fn(|i| u64::from_le_bytes(row[8 * i..8 * i + 8].try_into().unwrap()))))
        .collect();
    let mapped = Tables::<C, _>::of_file(hybrid::<C>(POINTS), &basis, &lines).expect("what was saved");
    assert_eq!(mapped.rows(), tables.rows());
    // A sink that fails stops it.
    assert_eq!(tables.save(&basis, |_| Err("full")), Err("full"));
}

#[test]
fn damage_is_found() {
    let (tables, basis) = build();
    let bytes = save(&tables, &basis);
    let header = bytes.len() - 64 * tables.rows().len();
    let read = |bytes: &[u8]| error(hybrid::<C>(POINTS), &basis, bytes);
    // Every bit of the header, and of each row one bit that moves from row to row.
    let bits = (0..8 * header).chain((0..tables.rows().len()).map(|row| 8 * header + 512 * row + row % 512));
    for bit in bits {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let found = read(&damaged).unwrap_or_else(|| panic!("bit {bit} goes unseen"));
        let expected = match bit / 8 {
            0..8 => SavedError::NotTables,
            8..16 => SavedError::Version,
            // The length of the header may now be more than there is.
            16..24 => {
                assert!(matches!(found, SavedError::Header | SavedError::Truncated), "bit {bit}: {found:?}");
                continue;
            }
            place if place < header => SavedError::Header,
            _ => SavedError::Rows,
        };
        assert_eq!(found, expected, "bit {bit}");
    }
    for end in (0..header).step_by(7).chain([header, bytes.len() - 64, bytes.len() - 1]) {
        assert_eq!(read(&bytes[..end]), Some(SavedError::Truncated), "{end} bytes");
    }
    for more in [1, 63, 64, 65] {
        let longer = [&bytes[..], &vec![0; more]].concat();
        assert_eq!(read(&longer), Some(SavedError::TrailingBytes), "{more} bytes more");
    }
    assert_eq!(read(&[]), Some(SavedError::Truncated));
}

#[test]
fn what_is_foreign_is_refused() {
    let (tables, basis) = build();
    let bytes = save(&tables, &basis);
    let same = || hybrid::<C>(POINTS);
    let mut other_basis = basis.clone();
    other_basis.swap(0, 1);
    assert_eq!(error(same(), &other_basis, &bytes), Some(SavedError::Basis));
    let single = |scheme| Configuration::single(POINTS, order::<C>(), scheme);
    assert_eq!(error(single(Scheme::SignedWindows { b: 4 }), &basis, &bytes), Some(SavedError::Parameters));
    let mut configuration = same();
    configuration.rules[0].nonzero -= 1;
    assert_eq!(error(configuration, &basis, &bytes), Some(SavedError::Parameters));
    let mut configuration = same();
    configuration.order[0] -= 2;
    assert_eq!(error(configuration, &basis, &bytes), Some(SavedError::Parameters));
    let foreign = Tables::<Sloped<11>>::read(hybrid::<C>(POINTS), &basis, &bytes).err();
    assert_eq!(foreign, Some(SavedError::Curve));
    // The messages are different, too.
    assert_ne!(SavedError::Basis.to_string(), SavedError::Curve.to_string());
}
