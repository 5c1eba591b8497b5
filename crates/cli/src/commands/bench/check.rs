//! Whether the backends are right, before anybody asks how fast they are.

use phalanx::Backend;

use super::inputs::EncodedRows;
use super::work::{Answers, BenchBackend, Operation, PRODUCTS, Way};
use crate::exit::RunError;

/// Rows whose answers are compared.
const CHECKED: usize = 256;

/// Fails unless the portable backend gives the answers that are known of the rows, and every backend gives its answers
/// in every way.
pub(super) fn check(tested: &[BenchBackend], rows: &EncodedRows<'_>) -> Result<(), RunError> {
    let portable = BenchBackend::new(Backend::Portable, 1).map_err(RunError::of)?;
    for operation in Operation::all() {
        let checked = match operation {
            // A sum has so many products, and with a given number of rows tables of keys pay.
            Operation::Sum | Operation::VerifyEcdsaFewKeys => PRODUCTS,
            _ => CHECKED,
        };
        let answers =
            |tested: &BenchBackend, way| tested.compute(operation, way, rows, 0..checked).map_err(RunError::of);
        let expected = answers(&portable, Way::OneThread)?.filter(|answers| answers.fit(operation, rows, 0..checked));
        let Some(expected) = expected else {
            return Err(wrong(operation, Backend::Portable, "is wrong about rows that are known"));
        };
        for tested in tested {
            for way in Way::ALL {
                agree(operation, tested.backend, &expected, answers(tested, way)?.as_ref())?;
            }
        }
    }
    Ok(())
}

/// Fails if there are answers, and they are not those expected.
fn agree(operation: Operation, backend: Backend, expected: &Answers, found: Option<&Answers>) -> Result<(), RunError> {
    match found {
        Some(found) if found != expected => {
            Err(wrong(operation, backend, &format!("disagrees with the backend {}", Backend::Portable)))
        }
        _ => Ok(()),
    }
}

fn wrong(operation: Operation, backend: Backend, what: &str) -> RunError {
    let operation = operation.label();
    RunError::new(format!("{operation}: the backend {backend} {what}; nothing was measured, and it must not be used"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::bench::inputs::Inputs;
    use phalanx::bindings::Operation as RowOperation;
    use phalanx::{PublicKey, Verdict};

    fn answers(verdicts: &[Verdict], values: Vec<u8>) -> Answers {
        Answers { verdicts: verdicts.to_vec(), values }
    }

    #[test]
    fn answers_that_differ_end_the_run() {
        let right = || answers(&[Verdict::Valid; 2], vec![1, 2]);
        let ecdh = Operation::Rows(RowOperation::SharedSecrets);
        let agree = |found: Option<Answers>| agree(ecdh, Backend::Portable, &right(), found.as_ref());
        assert!(agree(Some(right())).is_ok() && agree(None).is_ok());
        for wrong in [answers(&[Verdict::Valid; 2], vec![1, 3]), answers(&[Verdict::Valid; 1], vec![1, 2])] {
            let message = agree(Some(wrong)).unwrap_err().to_string();
            assert!(message.starts_with("shared secrets: the backend portable disagrees with"), "{message}");
        }
    }

    #[test]
    fn answers_that_do_not_fit_the_rows_are_seen() {
        let inputs = Inputs::new(1).unwrap();
        let rows = EncodedRows::new(&inputs);
        let [keys, verify] = [RowOperation::PublicKeys, RowOperation::VerifyEcdsa].map(Operation::Rows);
        let two = inputs.publics[3..5].iter().flat_map(PublicKey::to_bytes).collect::<Vec<_>>();
        let found = answers(&[Verdict::Valid; 2], two);
        assert!(found.fit(keys, &rows, 3..5));
        assert!(!found.fit(keys, &rows, 4..6) && !found.fit(keys, &rows, 3..6));
        let verdicts = |verdicts: &[Verdict]| answers(verdicts, vec![]).fit(verify, &rows, 3..5);
        assert!(verdicts(&[Verdict::Valid; 2]));
        assert!(!verdicts(&[Verdict::Valid; 1]) && !verdicts(&[Verdict::HighS; 2]));
        let tested = Backend::available().iter().map(|backend| BenchBackend::new(*backend, 2).unwrap());
        check(&tested.collect::<Vec<_>>(), &rows).unwrap();
    }
}
