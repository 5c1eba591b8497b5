//! Scripts and blocks against published vectors, real blocks and hostile input.

mod assembly;
mod blocks;
mod commitments;
mod core_vectors;
mod folder_damage;
mod folder_forms;
mod folders;
mod hostile;
mod multisig;
mod refusals;
mod rules;
mod script_rules;
mod shared;
mod spends;
mod taproot;
