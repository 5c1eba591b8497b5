//! Banderwagon against published vectors, big integers and arkworks' Bandersnatch.

mod arkworks;
mod bases;
mod commitments;
mod elements;
mod published;
mod roots;
mod samples;
mod saved;
mod scalars;
mod sums;
mod verkle;
mod workloads;
