//! Transactions in, senders out: published and real ones, all forks, wrong bytes, and alloy's word on random ones.

mod alloy;
mod blocks;
mod columns;
mod forks;
mod judged;
mod leftovers;
mod malformed;
mod published;
mod real;
mod samples;
mod unsigned;
