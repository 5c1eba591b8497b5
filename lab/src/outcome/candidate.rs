//! The libraries among which the fastest that a user can call was looked for.

use super::Outcome;
use serde::{Deserialize, Serialize};

/// A library that has the operation, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub(crate) struct Candidate {
    pub(crate) peer: String,
    /// Nanoseconds a row.
    pub(crate) ns: f64,
    /// None in older records: there the time is the least of some runs, and nobody compared results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) how: Option<How>,
}

/// How a candidate was measured: the median of whole runs over all rows, after its results were found equal to ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct How {
    pub(crate) runs: usize,
    pub(crate) spread: f64,
    pub(crate) version: String,
    pub(crate) flags: String,
}

/// A library that could not be built or opened, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct AbsentPeer {
    pub(crate) peer: String,
    pub(crate) reason: String,
}

/// The forms in which records have a candidate.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kept {
    /// Of older records.
    Pair(String, f64),
    /// Of the others.
    Whole { peer: String, ns: f64, how: Option<How> },
}

impl From<Kept> for Candidate {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Pair(peer, ns) => Self { peer, ns, how: None },
            Kept::Whole { peer, ns, how } => Self { peer, ns, how },
        }
    }
}

/// What is to be said of the figures of candidates that were not the fastest; nothing where there are none.
pub(crate) fn about_candidates<'a>(rows: impl Iterator<Item = &'a Outcome>) -> String {
    let (mut runs, mut older) = (Vec::new(), false);
    for row in rows {
        for candidate in row.candidates.iter().filter(|candidate| candidate.peer != row.peer) {
            match &candidate.how {
                Some(how) => runs.push(how.runs),
                None => older = true,
            }
        }
    }
    let mut text = String::new();
    if let Some((least, most)) = runs.iter().min().zip(runs.iter().max()) {
        text += &format!(
            " Where the fastest public library was looked for, the others have the median of {least} to {most} runs over all \
             rows, in turn, with results equal to ours."
        );
    }
    if older {
        text += " In older records the libraries that were not the fastest have the least of 2 to 10 runs over all rows, and \
                 their results were not compared.";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::row;

    #[test]
    fn both_forms_of_records_read() {
        let old: Candidate = serde_json::from_str(r#"["k256",2.5]"#).unwrap();
        assert_eq!(old, Candidate { peer: "k256".into(), ns: 2.5, how: None });
        let how = How { runs: 3, spread: 0.01, version: "1".into(), flags: "-O3".into() };
        let new = Candidate { how: Some(how), ..old };
        let text = serde_json::to_string(&new).unwrap();
        assert_eq!(serde_json::from_str::<Candidate>(&text).unwrap(), new);
        assert!(serde_json::from_str::<Candidate>(r#"["k256"]"#).is_err());
    }

    #[test]
    fn what_is_said_of_candidates_is_of_those_that_were_not_the_fastest() {
        let mut row = row("msm", 2.0).outcome;
        let how = How { runs: 4, spread: 0.01, version: "1".into(), flags: "-O3".into() };
        let candidate = |peer: &str, how| Candidate { peer: peer.into(), ns: 1.0, how };
        row.candidates = vec![candidate("k256", None)];
        assert_eq!(about_candidates([&row].into_iter()), "", "the row's own peer is sampled in turn with ours");
        row.candidates.push(candidate("arkworks", Some(how)));
        assert!(about_candidates([&row].into_iter()).contains("median of 4 to 4 runs"));
        row.candidates.push(candidate("halo2curves", None));
        assert!(about_candidates([&row].into_iter()).contains("were not compared"));
    }
}
