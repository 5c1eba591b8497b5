//! Rows that are the terms of one sum of products.

use phalanx::{Bulk, ParseNumberError, PublicKey, Scalar, Verdict};

use crate::block::RowBlock;
use crate::fault::RowFault;
use crate::outcome::Outcome;
use crate::roles::Role;

/// The infinite point, as the library writes it.
const INFINITY: [u8; 33] = [0; 33];

/// Scalars and as many points. A row whose point is infinity is no term: it adds nothing.
#[derive(Clone, Debug, Default)]
pub struct SumTerms {
    scalars: Vec<Scalar>,
    points: Vec<PublicKey>,
}

impl SumTerms {
    /// Adds the terms of a block.
    ///
    /// # Errors
    /// Which row is the first that is no term, and its outcome. No term of the block is added then.
    pub fn take(&mut self, bulk: &Bulk, block: &RowBlock<'_>) -> Result<(), (usize, Outcome)> {
        let before = self.scalars.len();
        let mut encoded = Vec::with_capacity(block.rows());
        let mut places = Vec::with_capacity(block.rows());
        let mut bad = None;
        for row in 0..block.rows() {
            match term(block, row) {
                Ok((_, point)) if point == INFINITY => {}
                Ok((scalar, point)) => {
                    self.scalars.push(scalar);
                    encoded.push(point);
                    places.push(row);
                }
                Err(outcome) => {
                    bad = Some((row, outcome));
                    break;
                }
            }
        }
        let decompressed = bulk.decompress(&encoded);
        assert_eq!(decompressed.len(), places.len(), "as many points as rows");
        for (row, point) in places.into_iter().zip(decompressed) {
            match point {
                Ok(point) => self.points.push(point),
                Err(_) => {
                    bad = Some((row, Outcome::invalid(Verdict::BadPublicKey, Role::Point)));
                    break;
                }
            }
        }
        if let Some(bad) = bad {
            self.scalars.truncate(before);
            self.points.truncate(before);
            return Err(bad);
        }
        Ok(())
    }

    /// The scalars.
    pub fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// The points, one for each scalar.
    pub fn points(&self) -> &[PublicKey] {
        &self.points
    }

    /// Forgets all terms and keeps their room.
    pub fn clear(&mut self) {
        self.scalars.clear();
        self.points.clear();
    }
}

/// The scalar of a row and its point, still encoded.
fn term<'a>(block: &'a RowBlock<'_>, row: usize) -> Result<(Scalar, &'a [u8]), Outcome> {
    if let Some(outcome) = block.predecided(row) {
        return Err(outcome);
    }
    let cell = |role| block.cell(role, row).map_err(|fault| Outcome::malformed(Some(role), fault));
    let (scalar, point) = (cell(Role::Scalar)?, cell(Role::Point)?);
    let scalar = Scalar::from_bytes(scalar).map_err(|wrong| match wrong {
        ParseNumberError::InvalidLength => Outcome::malformed(Some(Role::Scalar), RowFault::WrongLength),
        _ => Outcome::invalid(Verdict::OutOfRange, Role::Scalar),
    })?;
    Ok((scalar, point))
}
