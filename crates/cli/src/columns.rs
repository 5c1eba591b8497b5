//! What a column means: roles, the names they go by, and which column of a file plays which role.

use crate::failure::Failure;

/// The part a column plays in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Role {
    /// Any type, passed through to the output.
    Id,
    /// `ecdsa` or `schnorr`.
    Scheme,
    /// The 32 bytes that were signed.
    Digest,
    /// What a Schnorr row signs when it is not 32 bytes long.
    Message,
    /// 33, 65 or 32 bytes.
    PublicKey,
    /// Compact, compact with a recovery id, or DER.
    Signature,
    /// The signature's first number.
    R,
    /// The signature's second number.
    S,
    /// The recovery id in one of its disguises.
    V,
    /// The Ethereum address that recovery should find.
    FromAddress,
    /// What a point is multiplied by, 32 bytes.
    Scalar,
    /// A point of a sum, 33 or 65 bytes.
    Point,
}

impl Role {
    pub(crate) const COUNT: usize = 12;

    pub(crate) const ALL: [Role; Role::COUNT] = [
        Role::Id,
        Role::Scheme,
        Role::Digest,
        Role::Message,
        Role::PublicKey,
        Role::Signature,
        Role::R,
        Role::S,
        Role::V,
        Role::FromAddress,
        Role::Scalar,
        Role::Point,
    ];

    /// The names a column of this role may have, the preferred one first. Case does not matter.
    pub(crate) const fn names(self) -> &'static [&'static str] {
        match self {
            Role::Id => &["id", "transaction_hash", "tx_hash", "txid", "hash"],
            Role::Scheme => &["scheme"],
            Role::Digest => &["msg_hash", "digest", "sighash", "message_hash"],
            Role::Message => &["message"],
            Role::PublicKey => &["pubkey", "public_key"],
            Role::Signature => &["sig", "signature"],
            Role::R => &["r"],
            Role::S => &["s"],
            Role::V => &["v", "recovery_id", "recid", "y_parity", "yparity"],
            Role::FromAddress => &["from_address", "from", "sender"],
            Role::Scalar => &["scalar", "coefficient"],
            Role::Point => &["point"],
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        self.names()[0]
    }

    fn called(name: &str) -> Option<(Role, usize)> {
        Role::ALL.into_iter().find_map(|role| {
            let rank = role.names().iter().position(|known| known.eq_ignore_ascii_case(name))?;
            Some((role, rank))
        })
    }
}

/// Which names the user's files use: the defaults, overridden by `--columns`, plus the columns of `--keep`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    mapped: [Option<String>; Role::COUNT],
    /// Further columns to pass through, in the order asked for.
    pub(crate) keep: Vec<String>,
}

impl Names {
    /// Reads `role=name` pairs and the names to keep.
    ///
    /// Fails on an unknown role, on a pair without `=`, and on a role that is mapped twice.
    pub(crate) fn new(pairs: &[String], keep: &[String]) -> Result<Names, Failure> {
        let mut names = Names { keep: keep.to_vec(), ..Names::default() };
        for pair in pairs {
            let Some((role, name)) = pair.split_once('=').filter(|(role, name)| !role.is_empty() && !name.is_empty())
            else {
                return Err(Failure::new(format!("--columns {pair}: expected ROLE=NAME, as in sig=signature")));
            };
            let Some((role, _)) = Role::called(role) else {
                let known: Vec<_> = Role::ALL.into_iter().map(Role::name).collect();
                return Err(Failure::new(format!("--columns {pair}: unknown role; roles are {}", known.join(", "))));
            };
            if names.mapped[role as usize].replace(name.to_owned()).is_some() {
                return Err(Failure::new(format!("--columns {pair}: {} is mapped twice", role.name())));
            }
        }
        Ok(names)
    }

    /// The role a column of this name plays and how much the name is preferred (0 is best), if it plays any.
    pub(crate) fn role_of(&self, column: &str) -> Option<(Role, usize)> {
        for role in Role::ALL {
            if self.mapped[role as usize].as_deref() == Some(column) {
                return Some((role, 0));
            }
        }
        Role::called(column).filter(|(role, _)| self.mapped[*role as usize].is_none())
    }

    /// The name by which a role is asked for when no file says otherwise.
    pub(crate) fn name_of(&self, role: Role) -> &str {
        self.mapped[role as usize].as_deref().unwrap_or(role.name())
    }

    /// Finds each role and each kept column among a file's columns.
    ///
    /// Fails when a column named by `--columns` or `--keep` is not there, or when the job cannot be done without a
    /// column that is missing.
    pub(crate) fn select(&self, columns: &[&str], job: Job) -> Result<Selection, Failure> {
        let mut best: [Option<(usize, usize)>; Role::COUNT] = [None; Role::COUNT];
        for (index, column) in columns.iter().enumerate() {
            if let Some((role, rank)) = self.role_of(column) {
                match best[role as usize] {
                    Some((_, known)) if known < rank => {}
                    Some((_, known)) if known == rank => {
                        return Err(Failure::new(format!("column `{column}` is there twice")));
                    }
                    _ => best[role as usize] = Some((index, rank)),
                }
            }
        }
        let listed = || list(columns);
        for role in Role::ALL {
            if let (Some(name), None) = (&self.mapped[role as usize], best[role as usize]) {
                return Err(Failure::new(format!("no column `{name}`; columns are: {}", listed())));
            }
        }
        let selection = Selection { at: best.map(|found| found.map(|(index, _)| index)), kept: Vec::new() };
        if let Some(wanted) = selection.lacks(job) {
            return Err(Failure::new(format!(
                "no column {wanted}; columns are: {}; name one with --columns ROLE=NAME",
                listed()
            )));
        }
        let mut kept = vec![selection.at[Role::Id as usize].filter(|_| job != Job::Msm)];
        for name in &self.keep {
            match columns.iter().position(|column| column == name) {
                Some(index) => kept.push(Some(index).filter(|_| !kept.contains(&Some(index)))),
                None => return Err(Failure::new(format!("no column `{name}` to keep; columns are: {}", listed()))),
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

/// What a file lacks whose recovery ids are nowhere.
pub(crate) const NO_RECOVERY_ID: &str = "`v` (or a 65th byte of `sig`)";

/// The question that is asked of each row; it decides which columns are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Verify,
    Recover,
    /// None: rows are the terms of one sum.
    Msm,
}

impl Job {
    /// Whether rows are judged by what stands in this role. To verify, a recovery id must be one, but not the right one.
    pub(crate) const fn reads(self, role: Role) -> bool {
        match self {
            Job::Verify => !matches!(role, Role::Id | Role::FromAddress | Role::Scalar | Role::Point),
            Job::Recover => !matches!(role, Role::Id | Role::Message | Role::Scalar | Role::Point),
            Job::Msm => matches!(role, Role::Scalar | Role::Point),
        }
    }
}

/// Where in a file's columns each role and each kept column stands.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) at: [Option<usize>; Role::COUNT],
    /// The columns to pass through, in the same places for every file: the id, then those of `--keep`. A place is empty
    /// where there is no id and where a column has a place already.
    pub(crate) kept: Vec<Option<usize>>,
}

impl Selection {
    fn has(&self, role: Role) -> bool {
        self.at[role as usize].is_some()
    }

    /// What the job cannot be done without, in words, if it is not there.
    fn lacks(&self, job: Job) -> Option<&'static str> {
        if job == Job::Msm {
            return if !self.has(Role::Scalar) {
                Some("`scalar`")
            } else if !self.has(Role::Point) {
                Some("`point`")
            } else {
                None
            };
        }
        let signature = self.has(Role::Signature) || (self.has(Role::R) && self.has(Role::S));
        if job == Job::Verify && !(self.has(Role::Digest) || self.has(Role::Message)) {
            Some("`msg_hash` (or `message`)")
        } else if job == Job::Recover && !self.has(Role::Digest) {
            Some("`msg_hash`")
        } else if job == Job::Verify && !self.has(Role::PublicKey) {
            Some("`pubkey`")
        } else if !signature {
            Some("`sig` (or `r` and `s`)")
        } else if job == Job::Recover && !self.has(Role::Signature) && !self.has(Role::V) {
            Some(NO_RECOVERY_ID)
        } else {
            None
        }
    }

    /// The columns to read, ascending, and where among them each role and each kept column stands.
    pub(crate) fn project(&self, job: Job) -> (Vec<usize>, Layout) {
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
        (needed, Layout { roles, kept })
    }

    /// Writes down what a file calls the columns of the roles it has.
    pub(crate) fn name(&self, header: &[&str], columns: &mut [String; Role::COUNT]) {
        for (column, at) in columns.iter_mut().zip(self.at) {
            if let Some(index) = at {
                header[index].clone_into(column);
            }
        }
    }
}

/// Where roles and kept columns stand among the columns that are read. A role that the job does not read stands nowhere.
#[derive(Clone)]
pub(crate) struct Layout {
    pub(crate) roles: [Option<usize>; Role::COUNT],
    pub(crate) kept: Vec<Option<usize>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pairs: &[&str]) -> Names {
        Names::new(&pairs.iter().map(|pair| (*pair).to_owned()).collect::<Vec<_>>(), &[]).unwrap()
    }

    #[test]
    fn aliases_are_found_and_the_preferred_name_wins() {
        let selection = names(&[]).select(&["public_key", "Signature", "digest", "pubkey"], Job::Verify).unwrap();
        assert_eq!(selection.at[Role::PublicKey as usize], Some(3));
        assert_eq!(selection.at[Role::Signature as usize], Some(1));
        assert_eq!(selection.at[Role::Digest as usize], Some(2));
        assert_eq!(selection.project(Job::Verify).0, [1, 2, 3]);
    }

    #[test]
    fn a_mapped_role_forgets_its_aliases() {
        let names = names(&["sig=other"]);
        assert_eq!(names.role_of("signature"), None);
        assert_eq!(names.role_of("other"), Some((Role::Signature, 0)));
        let missing = names.select(&["msg_hash", "pubkey", "sig"], Job::Verify).unwrap_err();
        assert!(missing.to_string().contains("`other`"));
    }

    #[test]
    fn each_job_names_what_it_lacks() {
        for (columns, job, lack) in [
            (&["pubkey", "sig"][..], Job::Verify, "msg_hash"),
            (&["msg_hash", "sig"], Job::Verify, "pubkey"),
            (&["msg_hash", "pubkey", "r"], Job::Verify, "sig"),
            (&["message", "sig"], Job::Recover, "msg_hash"),
            (&["msg_hash", "r", "s"], Job::Recover, "`v`"),
            (&["point", "sig"], Job::Msm, "`scalar`"),
            (&["scalar", "pubkey"], Job::Msm, "`point`"),
        ] {
            let failure = names(&[]).select(columns, job).unwrap_err();
            assert!(failure.to_string().contains(lack), "{failure}");
        }
    }

    #[test]
    fn bad_pairs_are_refused() {
        for pair in ["sig", "=x", "sig=", "nonsense=x"] {
            assert!(Names::new(&[pair.to_owned()], &[]).is_err(), "{pair}");
        }
        assert!(Names::new(&["sig=a".to_owned(), "signature=b".to_owned()], &[]).is_err());
    }
}
