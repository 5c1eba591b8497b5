//! Which column of a table plays which role, and what a job cannot be done without.

use std::fmt;

use crate::roles::{ColumnNames, Job, Role, RowJob};

/// Why the columns of a table do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnsError {
    /// A pair that is not `role=name`.
    NotAPair(String),
    /// A pair whose role is none.
    UnknownRole(String),
    /// A pair whose role has a name already.
    MappedTwice(String, Role),
    /// A column that is there twice.
    Twice(String),
    /// Two columns whose names stand for one role.
    TwoNames(String, String),
    /// A column that was named for a role is not there; and those that are.
    Absent(String, String),
    /// A column that was to be kept is not there; and those that are.
    AbsentToKeep(String, String),
    /// What the job cannot be done without, in words, is not there; and the columns that are.
    Lacking(&'static str, String),
}

impl fmt::Display for ColumnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnsError::NotAPair(pair) => write!(f, "{pair}: expected ROLE=NAME, as in sig=signature"),
            ColumnsError::UnknownRole(pair) => {
                write!(f, "{pair}: unknown role; roles are {}", Role::ALL.map(Role::name).join(", "))
            }
            ColumnsError::MappedTwice(pair, role) => write!(f, "{pair}: {} is mapped twice", role.name()),
            ColumnsError::Twice(column) => write!(f, "column `{column}` is there twice"),
            ColumnsError::TwoNames(one, other) => {
                write!(f, "columns `{one}` and `{other}` are two names for the same value")
            }
            ColumnsError::Absent(column, listed) => write!(f, "no column `{column}`; columns are: {listed}"),
            ColumnsError::AbsentToKeep(column, listed) => {
                write!(f, "no column `{column}` to keep; columns are: {listed}")
            }
            ColumnsError::Lacking(wanted, listed) => write!(f, "no column {wanted}; columns are: {listed}"),
        }
    }
}

impl std::error::Error for ColumnsError {}

/// By which names tables call the roles: those that are known, unless the user named others; and further columns to
/// keep.
#[derive(Clone, Debug, Default)]
pub struct Names {
    mapped: [Option<String>; Role::COUNT],
    /// Further columns to pass through, in the order asked for.
    pub keep: Vec<String>,
}

impl Names {
    /// Reads `role=name` pairs and the names to keep.
    ///
    /// # Errors
    /// An unknown role, a pair without `=`, and a role that is mapped twice.
    pub fn new(pairs: &[String], keep: &[String]) -> Result<Names, ColumnsError> {
        let mut names = Names { keep: keep.to_vec(), ..Names::default() };
        for pair in pairs {
            let Some((role, name)) = pair.split_once('=').filter(|(role, name)| !role.is_empty() && !name.is_empty())
            else {
                return Err(ColumnsError::NotAPair(pair.clone()));
            };
            let Some((role, _)) = Role::called(role) else {
                return Err(ColumnsError::UnknownRole(pair.clone()));
            };
            if names.mapped[role as usize].replace(name.to_owned()).is_some() {
                return Err(ColumnsError::MappedTwice(pair.clone(), role));
            }
        }
        Ok(names)
    }

    /// The role a column of this name plays and how much the name is preferred (0 is best), if it plays any.
    pub fn role_of(&self, column: &str) -> Option<(Role, usize)> {
        for role in Role::ALL {
            if self.mapped[role as usize].as_deref() == Some(column) {
                return Some((role, 0));
            }
        }
        Role::called(column).filter(|(role, _)| self.mapped[*role as usize].is_none())
    }

    /// The name by which a role is asked for when no table says otherwise.
    pub fn name_of(&self, role: Role) -> &str {
        self.mapped[role as usize].as_deref().unwrap_or(role.name())
    }

    /// Finds each role and each kept column among a table's columns.
    ///
    /// # Errors
    /// A column that was named, for a role or to be kept, is not there; a column is there twice; two columns have names
    /// of one role that the job reads; the job cannot be done without a column that is missing.
    pub fn select(&self, columns: &[&str], job: Job) -> Result<Selection, ColumnsError> {
        let mut best: [Option<(usize, usize)>; Role::COUNT] = [None; Role::COUNT];
        for (index, column) in columns.iter().enumerate() {
            if let Some((role, rank)) = self.role_of(column) {
                match best[role as usize] {
                    Some((_, known)) if known == rank => {
                        return Err(ColumnsError::Twice((*column).to_owned()));
                    }
                    // Which of them counts would decide the verdict.
                    Some((other, _)) if job.reads(role) => {
                        return Err(ColumnsError::TwoNames(columns[other].to_owned(), (*column).to_owned()));
                    }
                    Some((_, known)) if known < rank => {}
                    _ => best[role as usize] = Some((index, rank)),
                }
            }
        }
        let listed = || list(columns);
        for role in Role::ALL {
            if let (Some(name), None) = (&self.mapped[role as usize], best[role as usize]) {
                return Err(ColumnsError::Absent(name.clone(), listed()));
            }
        }
        let selection = Selection { at: best.map(|found| found.map(|(index, _)| index)), kept: Vec::new() };
        if let Some(wanted) = selection.lacks(job) {
            return Err(ColumnsError::Lacking(wanted, listed()));
        }
        let mut kept = vec![selection.at[Role::Id as usize].filter(|_| job != Job::Sum)];
        for name in &self.keep {
            match columns.iter().position(|column| column == name) {
                Some(index) => kept.push(Some(index).filter(|_| !kept.contains(&Some(index)))),
                None => return Err(ColumnsError::AbsentToKeep(name.clone(), listed())),
            }
        }
        Ok(Selection { kept, ..selection })
    }
}

/// Column names for a message, cut short: they may come from a file that is no table at all.
fn list(columns: &[&str]) -> String {
    let mut names: Vec<String> = columns.iter().take(10).map(|name| name.escape_debug().take(30).collect()).collect();
    if columns.len() > names.len() {
        names.push(format!("and {} more", columns.len() - names.len()));
    }
    names.join(", ")
}

/// What a table lacks that has no keys.
pub const NO_PUBLIC_KEY: &str = "`pubkey`";

/// What a table lacks whose recovery ids are nowhere.
pub const NO_RECOVERY_ID: &str = "`v` (or a 65th byte of `sig`)";

/// Where in a table's columns each role and each kept column stands.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The column of each role.
    pub at: [Option<usize>; Role::COUNT],
    /// The columns to pass through, in the same places for every table: the id, then those to keep. A place is empty
    /// where there is no id and where a column has a place already.
    pub kept: Vec<Option<usize>>,
}

impl Selection {
    fn has(&self, role: Role) -> bool {
        self.at[role as usize].is_some()
    }

    /// What the job cannot be done without, in words, if it is not there.
    fn lacks(&self, job: Job) -> Option<&'static str> {
        let signature =
            (self.has(Role::Signature) || (self.has(Role::R) && self.has(Role::S)), "`sig` (or `r` and `s`)");
        let needed: &[(bool, &'static str)] = match job {
            Job::Sum => &[(self.has(Role::Scalar), "`scalar`"), (self.has(Role::Point), "`point`")],
            Job::Rows(RowJob::Verify) => &[
                (self.has(Role::Digest) || self.has(Role::Message), "`msg_hash` (or `message`)"),
                (self.has(Role::PublicKey), NO_PUBLIC_KEY),
                signature,
            ],
            Job::Rows(RowJob::Recover) => &[
                (self.has(Role::Digest), "`msg_hash`"),
                signature,
                (self.has(Role::Signature) || self.has(Role::V), NO_RECOVERY_ID),
            ],
        };
        needed.iter().find(|(is_there, _)| !is_there).map(|(_, what)| *what)
    }

    /// The columns to read, ascending, and where among them each role and each kept column stands.
    pub fn project(&self, job: Job) -> (Vec<usize>, ColumnPlaces) {
        let roles = Role::ALL.into_iter().filter(|role| job.reads(*role)).filter_map(|role| self.at[role as usize]);
        let mut needed: Vec<usize> = roles.chain(self.kept.iter().copied().flatten()).collect();
        needed.sort_unstable();
        needed.dedup();
        let place = |index: usize| needed.binary_search(&index).ok();
        let mut roles = [None; Role::COUNT];
        for role in Role::ALL.into_iter().filter(|role| job.reads(*role)) {
            roles[role as usize] = self.at[role as usize].and_then(place);
        }
        let kept = self.kept.iter().map(|kept| kept.and_then(place)).collect();
        (needed, ColumnPlaces { roles, kept })
    }

    /// Writes down what a table calls the columns of the roles it has.
    pub fn name(&self, header: &[&str], columns: &mut ColumnNames) {
        for (column, at) in columns.iter_mut().zip(self.at) {
            if let Some(index) = at {
                header[index].clone_into(column);
            }
        }
    }
}

/// Where roles and kept columns stand among the columns that are read. A role that the job does not read stands
/// nowhere.
#[derive(Clone, Debug)]
pub struct ColumnPlaces {
    /// The place of each role.
    pub roles: [Option<usize>; Role::COUNT],
    /// The place of each kept column.
    pub kept: Vec<Option<usize>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pairs: &[&str]) -> Names {
        Names::new(&pairs.iter().map(|pair| (*pair).to_owned()).collect::<Vec<_>>(), &[]).unwrap()
    }

    #[test]
    fn other_names_are_found() {
        let columns = ["hash", "Signature", "digest", "public_key", "txid", "from", "sender"];
        let selection = names(&[]).select(&columns, Job::VERIFY).unwrap();
        assert_eq!(selection.at[Role::PublicKey as usize], Some(3));
        assert_eq!(selection.at[Role::Signature as usize], Some(1));
        assert_eq!(selection.at[Role::Digest as usize], Some(2));
        // Of the names of an id, by which nothing is judged, the preferred one counts.
        assert_eq!(selection.project(Job::VERIFY).0, [1, 2, 3, 4]);
    }

    #[test]
    fn two_names_of_what_is_judged_are_refused_unless_one_is_mapped() {
        let columns = ["msg_hash", "pubkey", "sig", "v", "Digest", "sender", "from"];
        for (job, pair) in [(Job::VERIFY, "`msg_hash` and `Digest`"), (Job::RECOVER, "`msg_hash` and `Digest`")] {
            let failure = names(&[]).select(&columns, job).unwrap_err();
            assert!(failure.to_string().contains(pair), "{failure}");
        }
        let selection = names(&["msg_hash=Digest"]).select(&columns, Job::VERIFY).unwrap();
        assert_eq!(selection.at[Role::Digest as usize], Some(4));
        let failure = names(&["msg_hash=Digest"]).select(&columns, Job::RECOVER).unwrap_err();
        assert!(failure.to_string().contains("`sender` and `from`"), "{failure}");
        // The same name in other capitals is there twice, whatever the job.
        let failure = names(&[]).select(&["msg_hash", "pubkey", "sig", "from", "FROM"], Job::VERIFY).unwrap_err();
        assert!(failure.to_string().contains("`FROM` is there twice"), "{failure}");
    }

    #[test]
    fn a_mapped_role_forgets_its_aliases() {
        let names = names(&["sig=other"]);
        assert_eq!(names.role_of("signature"), None);
        assert_eq!(names.role_of("other"), Some((Role::Signature, 0)));
        let missing = names.select(&["msg_hash", "pubkey", "sig"], Job::VERIFY).unwrap_err();
        assert!(missing.to_string().contains("`other`"));
    }

    #[test]
    fn each_job_names_what_it_lacks() {
        for (columns, job, lack) in [
            (&["pubkey", "sig"][..], Job::VERIFY, "msg_hash"),
            (&["msg_hash", "sig"], Job::VERIFY, "pubkey"),
            (&["msg_hash", "pubkey", "r"], Job::VERIFY, "sig"),
            (&["message", "sig"], Job::RECOVER, "msg_hash"),
            (&["msg_hash", "r", "s"], Job::RECOVER, "`v`"),
            (&["point", "sig"], Job::Sum, "`scalar`"),
            (&["scalar", "pubkey"], Job::Sum, "`point`"),
        ] {
            let failure = names(&[]).select(columns, job).unwrap_err();
            assert!(failure.to_string().contains(lack), "{failure}");
        }
    }
}
