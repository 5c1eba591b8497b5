//! Where output goes: a file that gets its name when it is complete, or something that is no regular file.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::pending::Pending;
use crate::process::standard;

/// Takes the bytes of the output.
pub(super) enum Target {
    /// A new file.
    Pending(Pending),
    /// A device or a pipe, which cannot be replaced.
    Direct(File),
    /// Standard output, opened for the first bytes.
    Standard(Option<File>),
}

impl Target {
    /// Begins a file that will replace the one at the path, or opens what is there and no regular file.
    ///
    /// A symbolic link is followed, also to a file that is yet to come. A file that is replaced hands on its
    /// permissions.
    pub(super) fn create(path: &Path) -> io::Result<Target> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if metadata.as_ref().map_or_else(|| ends_as_directory(path), Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        let Some(metadata) = metadata else {
            return Ok(Target::Pending(Pending::create(&followed(path)?, 0o666)?));
        };
        if is_standard_output(&metadata)? {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "is standard output, which is called `-`"));
        }
        if !metadata.is_file() {
            return Ok(Target::Direct(File::options().write(true).open(path)?));
        }
        // Until it has its permissions, nobody else may read it.
        let pending = Pending::create(&followed(path)?, 0o600)?;
        hand_on_permissions(&metadata, pending.file());
        Ok(Target::Pending(pending))
    }

    pub(super) fn standard() -> Target {
        Target::Standard(None)
    }

    /// Waits until the bytes are where a loss of power cannot reach them.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Target::Pending(pending) => pending.file().sync_all(),
            Target::Direct(_) | Target::Standard(_) => Ok(()),
        }
    }

    /// Gives the file its name.
    pub(super) fn commit(self) -> io::Result<()> {
        match self {
            Target::Pending(pending) => pending.replace(),
            Target::Direct(_) | Target::Standard(_) => Ok(()),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Pending(pending) => pending.file().write(bytes),
            Target::Direct(file) | Target::Standard(Some(file)) => file.write(bytes),
            Target::Standard(closed) => closed.insert(standard::output()?).write(bytes),
        }
    }

    /// Files have no buffer of their own.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a path that leads to nothing can only be a directory's, or is no path at all.
fn ends_as_directory(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(std::path::is_separator) || path.file_name().is_none()
}

/// What a chain of symbolic links leads to, whether or not it is there.
pub(super) fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // As many links as Linux follows; see path_resolution(7).
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether this is the file or the pipe that standard output goes to, by whatever name: the summary goes there too.
#[cfg(unix)]
fn is_standard_output(metadata: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let standard = standard::output()?.metadata()?;
    let same = (metadata.dev(), metadata.ino()) == (standard.dev(), standard.ino());
    // To mix both is no loss on a terminal, nor on /dev/null.
    Ok(same && !metadata.file_type().is_char_device())
}

#[cfg(not(unix))]
fn is_standard_output(_: &Metadata) -> io::Result<bool> {
    Ok(false)
}

/// Gives a new file the owner, the group and the permissions of an old one, as far as the system allows it. Nobody may
/// do more with it than before: without the group, its members have the rights of all others.
#[cfg(unix)]
fn hand_on_permissions(old: &Metadata, new: &File) {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let kept_group = fchown(new, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(new, None, Some(old.gid())));
    let mode = old.mode() & 0o777;
    let mode = if kept_group.is_ok() { mode } else { (mode & 0o707) | (mode & (mode & 0o007) << 3) };
    // Without it the file stays its owner's alone.
    let _ = new.set_permissions(fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn hand_on_permissions(_: &Metadata, _: &File) {}
