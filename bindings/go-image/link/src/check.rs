//! Whether the committed images are what their headers say: made again from the commit that each names.

use crate::{build, linked::linked, relocate::Architecture, subject::Subject, write};
use std::{path::Path, process::Command};

/// Compares the committed file with one that is made again in another folder.
pub(crate) fn check(subject: &Subject, architecture: Architecture) -> Result<(), String> {
    let repository = build::repository()?;
    let file = repository.join(build::image_file(subject, architecture));
    let committed = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let said = |what: &str| {
        let line = committed.lines().find_map(|line| line.strip_prefix(&format!("// {what} ")));
        line.map(str::to_owned).ok_or_else(|| format!("{}: no line `// {what}`", file.display()))
    };
    let provenance = build::Provenance { commit: said("commit")?, compiler: said("compiler")? };
    let here = build::compiler()?;
    if here != provenance.compiler {
        return Err(format!("the image was made by {}, and here is {here}", provenance.compiler));
    }
    let folder = std::env::temp_dir().join(format!("phalanx-go-check-{}", std::process::id()));
    git(&repository, &["worktree", "add", "--detach", "--quiet", &folder.to_string_lossy(), &provenance.commit])?;
    let made = linked(&folder, subject, architecture).map(|linked| write::assembly(&linked, architecture, &provenance));
    git(&repository, &["worktree", "remove", "--force", &folder.to_string_lossy()])?;
    if made? != committed {
        return Err(format!(
            "{} is not what commit {} gives",
            build::image_file(subject, architecture),
            provenance.commit
        ));
    }
    println!("{} is what commit {} gives", build::image_file(subject, architecture), provenance.commit);
    Ok(())
}

fn git(repository: &Path, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("git").current_dir(repository).args(arguments).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("git {}: {other:?}", arguments.join(" "))),
    }
}
