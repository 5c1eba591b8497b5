//! The counter of allocations counts, to the byte.

use lab_abi::heap::{self, Counting, Heap};
use std::{hint::black_box, thread};

#[global_allocator]
static HEAP: Counting = Counting;

/// The least of some counts: the test's own program may allocate beside them.
fn count(work: impl Fn()) -> Heap {
    let counts = (0..20).map(|_| heap::count(&work));
    counts.min_by_key(|heap| heap.bytes).expect("twenty counts")
}

#[test]
fn planted_allocations_are_counted_to_the_byte() {
    assert_eq!(count(|| ()), Heap { allocations: 0, bytes: 0 });
    let planted = count(|| {
        black_box(vec![1_u8; 1000]);
        black_box(vec![0_u64; 100]);
        let mut block = Vec::with_capacity(1);
        block.push(1_u8);
        black_box(&mut block).reserve_exact(63);
    });
    assert_eq!(planted, Heap { allocations: 4, bytes: 1000 + 800 + 1 + 64 });
    // Outside a count nothing is counted, and a count starts from nothing.
    black_box(vec![1_u8; 5000]);
    assert_eq!(count(|| drop(black_box(Box::new(7_u32)))), Heap { allocations: 1, bytes: 4 });
    let on_two = count(|| {
        thread::scope(|scope| {
            scope.spawn(|| black_box(vec![2_u8; 1 << 20]));
            scope.spawn(|| black_box(vec![3_u8; 1 << 20]));
        });
    });
    assert!(on_two.bytes >= 2 << 20 && on_two.allocations >= 2, "{on_two:?}");
}
