//! `phalanx senders`: `blocks` makes blocks, and files of them in every form; the other modules hold the tests.

mod alone;
mod blocks;
mod clients;
mod damaged;
mod forms;
#[cfg(target_os = "linux")]
mod hostile;
mod judging;
mod networks;
