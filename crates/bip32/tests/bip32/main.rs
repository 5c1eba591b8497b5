//! Extended keys against published vectors, other libraries and hostile text.

mod addresses;
mod hostile;
mod musig;
mod ranges;
mod vectors;
