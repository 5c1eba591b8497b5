//! Copies of secrets, in every form and in every kind of place, which the search must find.

use crate::{case::Case, live::Live, needles::Needles, secrets::Row};
use std::{
    cell::RefCell,
    hint::black_box,
    mem,
    sync::{Mutex, mpsc},
    thread,
};

/// Room for all needles of one row.
const ROOM: usize = 1 << 20;

static PLANTED: Mutex<[u8; ROOM]> = Mutex::new([0; ROOM]);

thread_local! {
    static PLANTED_HERE: RefCell<[u8; ROOM]> = const { RefCell::new([0; ROOM]) };
}

/// A row's scalar in every form there is, a nonce's way, and text.
pub(crate) fn secrets(rows: &[Row], needles: &mut Needles) {
    crate::secrets::key(rows, needles);
    crate::secrets::ecdsa_sign(rows, needles);
    crate::secrets::shared(rows, needles);
}

/// Writes every needle, each at another offset within a word, columns in their places.
fn plant(case: &Case, room: &mut [u8]) {
    // Columns stand at words.
    let (_, places) = room.split_at_mut(room.as_ptr().align_offset(64));
    for (number, needle) in case.needles.iter().enumerate() {
        let place = &mut places[128 * number..][..128];
        if needle.column {
            let word = (needle.word ^ case.pad).to_ne_bytes();
            place[..4].copy_from_slice(&word[..4]);
            place[64..68].copy_from_slice(&word[4..]);
            continue;
        }
        let words = std::iter::once(&needle.word).chain(&needle.rest);
        for (place, word) in place[number % 8..].as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *place = (word ^ case.pad).to_ne_bytes();
        }
    }
    black_box(room);
}

/// Memory that was given back and not taken again looks the same.
pub(crate) fn on_the_heap(live: &Live) {
    let mut room = vec![0; ROOM];
    plant(&live.case, &mut room);
    mem::forget(room);
}

/// Leaves the needles in a frame that is gone.
#[inline(never)]
pub(crate) fn below(case: &Case) {
    let mut room = [0; ROOM];
    plant(case, &mut room);
}

/// The other thread has left the frame, and waits for the end of the process.
pub(crate) fn on_another_stack(live: &Live) {
    let (case, (done, planted)) = (live.case.clone(), mpsc::channel());
    let work = move || {
        below(&case);
        done.send(()).expect("the other end waits");
        loop {
            thread::park();
        }
    };
    thread::Builder::new().stack_size(8 << 20).spawn(work).expect("a thread");
    planted.recv().expect("the thread plants");
}

pub(crate) fn in_a_static(live: &Live) {
    plant(&live.case, &mut PLANTED.lock().expect("nobody else takes it")[..]);
}

pub(crate) fn in_a_thread_local(live: &Live) {
    PLANTED_HERE.with_borrow_mut(|room| plant(&live.case, room));
}
