//! Files without a name, which Linux has on most file systems (`O_TMPFILE`, `linkat`; see open(2)).
//!
//! The system removes such a file when the process ends before the file got its name, however it ends.

use std::fs::File;
use std::io;
use std::path::Path;

#[cfg(target_os = "linux")]
use {
    rustix::fs::{AtFlags, CWD, Mode, OFlags},
    std::os::fd::AsRawFd,
};

/// A file without a name in a directory, with the permissions of a mode less the umask; none where the file system has
/// no such files, or where it could not be given a name later.
#[cfg(target_os = "linux")]
pub(crate) fn create(directory: &Path, mode: u32) -> Option<File> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(directory, flags, Mode::from_raw_mode(mode)).ok()?);
    // Without the file system /proc there is no way to say which file to name.
    std::fs::metadata(descriptor(&file)).ok()?;
    Some(file)
}

/// Gives the file a name. Fails when something has it already.
#[cfg(target_os = "linux")]
pub(crate) fn link(file: &File, path: &Path) -> io::Result<()> {
    Ok(rustix::fs::linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// The link to an open file.
#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn create(_: &Path, _: u32) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
