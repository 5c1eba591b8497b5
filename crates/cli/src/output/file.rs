//! Where output goes: a temporary file that takes its name when it is complete, or something that is no regular file.

use std::fs::{self, File};
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use crate::interrupt;

/// Takes the bytes of the output.
pub(super) enum Target {
    /// A new file in the directory of the one it will become.
    Pending { file: File, temporary: TempPath, path: PathBuf },
    /// A device or a pipe, which cannot be renamed to.
    Direct(File),
    /// Standard output.
    Standard(Stdout),
}

impl Target {
    /// Begins a file beside the path, or opens the path if it is there and no regular file.
    pub(super) fn create(path: &Path) -> io::Result<Target> {
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            return Ok(Target::Direct(File::options().write(true).open(path)?));
        }
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        let directory = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        // Fails here, if it does, without the temporary file's name, which nobody has asked for.
        fs::metadata(directory)?;
        let mut builder = Builder::new();
        builder.prefix(".phalanx-").suffix(".tmp");
        // The permissions that a file made under its own name would get; tempfile's default lets nobody else read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let (file, temporary) = interrupt::removed_on_interrupt(|| builder.tempfile_in(directory))?.into_parts();
        Ok(Target::Pending { file, temporary, path: path.to_owned() })
    }

    pub(super) fn standard() -> Target {
        Target::Standard(io::stdout())
    }

    /// Waits until the bytes are where a loss of power cannot reach them.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Target::Pending { file, .. } => file.sync_all(),
            Target::Direct(_) | Target::Standard(_) => Ok(()),
        }
    }

    /// Gives the file its name.
    pub(super) fn commit(self) -> io::Result<()> {
        match self {
            Target::Pending { temporary, path, .. } => {
                interrupt::settle(|| temporary.persist(path).map_err(|error| error.error))
            }
            Target::Direct(_) | Target::Standard(_) => Ok(()),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Pending { file, .. } | Target::Direct(file) => file.write(bytes),
            Target::Standard(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Pending { file, .. } | Target::Direct(file) => file.flush(),
            Target::Standard(stdout) => stdout.flush(),
        }
    }
}
