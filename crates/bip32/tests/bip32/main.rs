//! Extended keys against published vectors, other libraries and hostile text.

mod addresses;
mod expressions;
mod hostile;
mod musig;
mod ranges;
mod vectors;
