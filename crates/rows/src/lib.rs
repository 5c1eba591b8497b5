//! Rows of secp256k1 signatures that stand in columns: what a column means, how a row is read, and what is found of it.
//! The command `phalanx` is built on it, and so is the Python package; so may be whatever else holds tables. It knows
//! no file and no thread, and of Arrow no more than the module `arrow`, behind the feature of that name.
//!
//! ```text
//! names of columns ──> Names::select ──> Selection ──> ColumnPlaces    which column plays which role
//! columns, borrowed ──> Cells::new, one for each role ──> RowBlock     a few thousand rows
//! RowBlock, Policy, Verifier ──> answer ──> Answers                    an outcome for each row
//! RowBlock ──> SumTerms::take                                          the terms of a sum of products
//! ```
//!
//! A [`ValueColumn`] borrows its values where they are: [`Bytes`] has the layouts of Arrow, so that a table of Arrow is
//! verified without copying a value. Text is decoded into [`Packed`] values; a reader of lines pushes there directly.
//!
//! ```
//! use phalanx::{Bulk, LowS, SecretKey, ecdsa};
//! use phalanx_rows::{
//!     BatchMode, Bytes, Cells, Job, Names, Policy, Role, RowBlock, RowJob, ValueColumn, Values, Verifier, answer,
//! };
//!
//! // Two rows of a table with the columns `digest`, `public_key` and `sig`; the second signature is of something else.
//! let secret = SecretKey::from_bytes(&[7; 32])?;
//! let signature = ecdsa::sign(&[1; 32], &secret).to_compact();
//! let (digests, keys, signatures) = ([[1; 32], [2; 32]], [secret.public_key().to_bytes(); 2], [signature; 2]);
//!
//! let names = Names::default();
//! let (columns, layout) = names.select(&["digest", "public_key", "sig"], Job::VERIFY)?.project(Job::VERIFY);
//! assert_eq!(columns, [0, 1, 2]);
//! let tables = [digests.as_flattened(), keys.as_flattened(), signatures.as_flattened()];
//! let cells = Role::ALL.map(|role| match layout.roles[role as usize] {
//!     Some(place) => {
//!         let values = tables[columns[place]];
//!         let values = Values::Binary(Bytes::Fixed { values, width: values.len() / 2 });
//!         Cells::new(role, ValueColumn { rows: 2, values, nulls: Default::default() })
//!     }
//!     None => Cells::Absent,
//! });
//!
//! let verifier = Verifier::new(&Bulk::new(), BatchMode::Auto);
//! let policy = Policy { low_s: LowS::Require, ..Policy::default() };
//! let answers = answer(RowJob::Verify, &verifier, policy, &RowBlock::new(2, cells));
//! let reasons: Vec<&str> = answers.outcomes.iter().map(|outcome| outcome.verdict.reason()).collect();
//! assert_eq!(reasons, ["valid", "invalid_signature"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`read_secret_key`] reads what a key file begins with.
//!
//! Nothing fails open: a row has no outcome until one is written, and a row that was forgotten is a panic, never a
//! valid row. Functions on rows take variable time: rows are public.

mod answers;
#[cfg(feature = "arrow")]
pub mod arrow;
mod bad_value;
mod batching;
mod block;
mod cells;
mod column;
mod event;
mod fault;
mod forms;
mod id_places;
#[cfg(feature = "arrow")]
mod index;
mod key_line;
mod outcome;
mod packed;
mod policy;
mod recover;
mod recovery_id;
mod roles;
mod selection;
mod signature;
mod tally;
mod terms;
mod verify;

pub use answers::answer;
pub use batching::{BatchMode, Verifier};
pub use block::{Contest, RowBlock};
pub use cells::Cells;
pub use column::{Bytes, Nulls, ValueColumn, Values};
pub use event::EventKey;
pub use fault::RowFault;
pub use id_places::{IdPlaces, Reader};
#[cfg(feature = "arrow")]
pub use index::{BadIndexRow, Index, IndexRows, NO_TWEAK_POINT};
pub use key_line::{KeyLineError, behind_byte_order_mark, read_secret_key};
pub use outcome::{Answers, At, Outcome, Recovered};
pub use packed::Packed;
pub use policy::{DerRules, Policy, RecoveryIds};
pub use recovery_id::recovery_id_of;
pub use roles::{ColumnNames, Job, LONGEST, Role, RowJob, is_same_name};
pub use selection::{ColumnPlaces, ColumnsError, NO_PUBLIC_KEY, NO_RECOVERY_ID, Names, Selection};
pub use tally::Tally;
pub use terms::SumTerms;
