//! A file that gets its name when it is complete.
//!
//! Where the system can do that, it has none before, so that a killed run leaves nothing; see `unnamed`. Elsewhere it
//! is called `.phalanx-*.tmp` until then, beside the name to come.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use super::unnamed;
use crate::process::interrupt;

/// A new file and the name that it will get.
pub(crate) struct Pending {
    file: File,
    path: PathBuf,
    /// The name that it has until then; without one it is gone when it is closed.
    temporary: Option<TempPath>,
}

impl Pending {
    /// Begins a file in the directory of a path, with the permissions of a mode less the umask. Outside Unix the mode
    /// has no meaning.
    pub(crate) fn create(path: &Path, mode: u32) -> io::Result<Pending> {
        // Fails here, if it does, without the temporary file's name, which nobody has asked for.
        fs::metadata(directory(path))?;
        match unnamed::create(directory(path), mode) {
            Some(file) => Ok(Pending { file, path: path.to_owned(), temporary: None }),
            None => Pending::named(path, mode),
        }
    }

    /// The same under a temporary name. The file is removed if the run fails or is interrupted.
    fn named(path: &Path, mode: u32) -> io::Result<Pending> {
        let mut builder = temporary_name();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        let create = || builder.tempfile_in(directory(path));
        let (file, temporary) = interrupt::removed_on_interrupt(create)?.into_parts();
        Ok(Pending { file, path: path.to_owned(), temporary: Some(temporary) })
    }

    /// What is to be written to.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file its name, in the place of what has it now.
    pub(crate) fn replace(self) -> io::Result<()> {
        interrupt::settle(|| {
            match self.temporary {
                Some(temporary) => temporary.persist(&self.path)?,
                None => replace_by_unnamed(&self.file, &self.path)?,
            }
            sync_directory(&self.path)
        })
    }

    /// Gives the file its name. Fails when something has it already, even a symbolic link to nothing.
    pub(crate) fn claim(self) -> io::Result<()> {
        interrupt::settle(|| {
            match self.temporary {
                Some(temporary) => temporary.persist_noclobber(&self.path)?,
                None => unnamed::link(&self.file, &self.path)?,
            }
            sync_directory(&self.path)
        })
    }
}

/// A file without a name can be given a free one only, so it gets a temporary one first where its name is taken.
fn replace_by_unnamed(file: &File, path: &Path) -> io::Result<()> {
    match unnamed::link(file, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let named = temporary_name().make_in(directory(path), |name| unnamed::link(file, name))?;
            Ok(named.into_temp_path().persist(path)?)
        }
        linked => linked,
    }
}

fn temporary_name() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".phalanx-").suffix(".tmp");
    builder
}

/// The directory that a name stands in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Waits until the name is where a loss of power cannot reach it.
fn sync_directory(path: &Path) -> io::Result<()> {
    // A directory that may be written to but not read cannot be opened, and only Unix opens directories as files.
    match File::open(directory(path)) {
        Ok(directory) if cfg!(unix) => match directory.sync_all() {
            // The file system has no such thing.
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("is in place, but its directory cannot be synced: {error}")))
            }
            Ok(()) => Ok(()),
        },
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    type Begin = fn(&Path, u32) -> io::Result<Pending>;

    /// With and without a temporary name.
    const BEGINNINGS: [Begin; 2] = [Pending::create, Pending::named];

    fn names(directory: &Path) -> Vec<String> {
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_name_is_replaced_or_claimed() {
        for begin in BEGINNINGS {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("out");
            let begin = |text: &str| {
                let pending = begin(&path, 0o600).unwrap();
                pending.file().write_all(text.as_bytes()).unwrap();
                pending
            };
            begin("one").claim().unwrap();
            assert_eq!(begin("two").claim().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            assert_eq!(fs::read_to_string(&path).unwrap(), "one");
            begin("three").replace().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "three");
            fs::remove_file(&path).unwrap();
            begin("four").replace().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "four");
            drop(begin("five"));
            assert_eq!(names(directory.path()), ["out"]);
        }
    }

    #[test]
    fn a_file_in_no_directory_is_not_found() {
        for begin in BEGINNINGS {
            let error = begin(Path::new("/no/such/directory/out"), 0o600).map(drop).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_unnamed_file_has_no_name() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        let pending = Pending::create(&path, 0o600).unwrap();
        if pending.temporary.is_none() {
            assert!(names(directory.path()).is_empty());
        }
        assert!(Pending::named(&path, 0o600).unwrap().temporary.is_some());
    }
}
