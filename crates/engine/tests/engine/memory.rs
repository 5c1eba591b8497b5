//! Words from rows in memory, on every word.

use crate::backends::Backend;
use phalanx_engine::large_pages::room_for_rows;
use phalanx_engine::word::{CacheLine, LANES, Mask8, Op, PointPair, PointRef, Word, prefetch_for_later, prefetch_soon};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Row `i` holds 1000 i + j in place j.
fn rows(count: u64) -> Vec<CacheLine> {
    (0..count).map(|i| CacheLine(core::array::from_fn(|j| 1000 * i + j as u64))).collect()
}

/// Gathers the rows of pairs: words of eight lanes, first and second; the same by half rows; and which are negatives.
struct Gather<'a>(&'a [CacheLine], [PointPair; LANES]);

type Lanes<const N: usize> = [[u64; LANES]; N];

impl Op for Gather<'_> {
    type Output = ([Lanes<8>; 2], [Lanes<4>; 2], [Mask8; 2]);
    #[inline(always)]
    fn call<W: Word>(self) -> Self::Output {
        let lanes = W::gather(self.0, &self.1).map(|words| words.map(W::to_lanes));
        let halves = W::gather_half(self.0, &self.1).map(|words| words.map(W::to_lanes));
        prefetch_soon(self.0, self.1[0][0]);
        prefetch_for_later(self.0, self.1[0][1]);
        (lanes, halves, W::negations(&self.1))
    }
}

/// Transposes the first eight rows.
struct Transpose<'a>(&'a [CacheLine]);

impl Op for Transpose<'_> {
    type Output = [[u64; LANES]; LANES];
    #[inline(always)]
    fn call<W: Word>(self) -> Self::Output {
        let row = |lane: usize| &self.0[lane].0;
        let words = W::transpose([row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)]);
        words.map(W::to_lanes)
    }
}

/// Lane i of word j is place j of row `at[i]`.
fn expected(at: [u64; LANES]) -> [[u64; LANES]; LANES] {
    core::array::from_fn(|j| at.map(|i| 1000 * i + j as u64))
}

#[test]
fn rows_become_lanes() {
    for backend in Backend::of_eight_lanes() {
        assert_eq!(backend.run_op(Transpose(&rows(8))), expected([0, 1, 2, 3, 4, 5, 6, 7]), "{}", backend.name());
    }
}

#[test]
fn gathered_rows_become_lanes() {
    let rows = rows(100);
    for backend in Backend::of_eight_lanes() {
        let orders =
            [[0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0], [99, 3, 3, 41, 0, 99, 64, 3], [99; 8], [0; 8]];
        for firsts in orders {
            for seconds in orders {
                for signs in [0u16, 0x00ff, 0xff00, 0x5a81, 0xffff] {
                    let negated = |bit: usize| signs >> bit & 1 != 0;
                    let pairs = core::array::from_fn(|lane| {
                        let reference = |index: u64, bit| PointRef::new(index as usize, negated(bit));
                        [reference(firsts[lane], lane), reference(seconds[lane], LANES + lane)]
                    });
                    let (whole, half, negations) = backend.run_op(Gather(&rows, pairs));
                    assert_eq!(whole, [expected(firsts), expected(seconds)], "{}", backend.name());
                    assert_eq!(half, whole.map(|words| [words[0], words[1], words[2], words[3]]), "{}", backend.name());
                    assert_eq!(negations, [Mask8(signs as u8), Mask8((signs >> 8) as u8)], "{}", backend.name());
                }
            }
        }
    }
}

#[test]
fn references_keep_index_and_sign() {
    for index in [0, 1, 2, 99, PointRef::LIMIT - 1] {
        for negated in [false, true] {
            let reference = PointRef::new(index, negated);
            assert_eq!((reference.index(), reference.is_negated()), (index, negated));
        }
    }
}

/// In whichever place the reference is, first or second, whole or half, just out or as far as a reference goes.
#[test]
fn a_reference_that_is_not_to_a_row_panics() {
    let refuses = |backend: Backend, rows: &[CacheLine], pairs| {
        let work = AssertUnwindSafe(|| backend.run_op(Gather(rows, pairs)));
        assert!(catch_unwind(work).is_err(), "{} reads {pairs:?} of {} rows", backend.name(), rows.len());
    };
    let inside = PointRef::new(8, true);
    for backend in Backend::of_eight_lanes() {
        let _ = backend.run_op(Gather(&rows(9), [[inside; 2]; LANES]));
        for lane in 0..LANES {
            for which in 0..2 {
                for beyond in [9, 10, 1 << 16, PointRef::LIMIT - 1] {
                    for negated in [false, true] {
                        let mut pairs = [[inside; 2]; LANES];
                        pairs[lane][which] = PointRef::new(beyond, negated);
                        refuses(backend, &rows(9), pairs);
                    }
                }
            }
        }
        refuses(backend, &[], [[PointRef::new(0, false); 2]; LANES]);
    }
}

#[test]
fn room_for_rows_takes_them() {
    for count in [0, 1, 100, 32_767, 100_000] {
        let mut room = room_for_rows(count);
        assert!(room.is_empty() && room.capacity() >= count);
        let start = room.as_ptr();
        room.extend(rows(count as u64));
        assert_eq!(room.as_ptr(), start, "the rows have moved");
        assert_eq!(room, rows(count as u64));
    }
}

/// What Linux notes of a part of memory: `hg` among the flags means that large pages were asked for. Under an emulator of
/// another architecture these notes are of the emulator.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn large_pages_are_asked_for() {
    if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage/enabled").exists() {
        return phalanx_tiers::skipped("large pages", "memory of tables in large pages; this kernel has none");
    }
    // 32 MiB, of which the middle is covered by large pages wherever the memory begins.
    let room = room_for_rows(1 << 19);
    let middle = room.as_ptr().wrapping_add(1 << 18) as usize;
    let maps = std::fs::read_to_string("/proc/self/smaps").expect("this process's memory");
    let mut within = false;
    for line in maps.lines() {
        let range = line.split_once(' ').and_then(|(range, _)| range.split_once('-'));
        if let Some((Ok(from), Ok(to))) =
            range.map(|(from, to)| (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16)))
        {
            within = (from..to).contains(&middle);
        } else if let Some(flags) = line.strip_prefix("VmFlags:").filter(|_| within) {
            return assert!(flags.split_whitespace().any(|flag| flag == "hg"), "{flags}");
        }
    }
    panic!("the memory of the rows is not listed");
}
