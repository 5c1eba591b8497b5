//! Runs one command: what it says goes to a file and to standard output, and it can be ended by time.

use crate::invocation::Invocation;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often the file is read.
const INTERVAL: Duration = Duration::from_millis(50);

/// How a command ended.
#[derive(Debug, PartialEq)]
pub(crate) enum Ended {
    With(ExitStatus),
    /// It took longer than it might, and was killed.
    ByTime,
}

/// Runs it to its end, or for so long.
///
/// It writes to the file by itself, and what is new there is copied. Through a pipe, a process that a test left behind
/// would keep this one waiting.
pub(crate) fn run(invocation: &Invocation, log: &Path, limit: Option<Duration>) -> io::Result<Ended> {
    let output = File::options().create(true).append(true).open(log)?;
    let mut reader = File::open(log)?;
    io::Seek::seek(&mut reader, io::SeekFrom::End(0))?;
    let mut command = invocation.command();
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    if limit.is_some() {
        // A group of its own can be killed with all that it started. Without a limit it stays in this group, which
        // Ctrl-C ends as a whole.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    let begin = Instant::now();
    let mut child = command.spawn()?;
    loop {
        // Before what is new is read, so that nothing is left unread at the end.
        let status = child.try_wait()?;
        copy(&mut reader)?;
        if let Some(status) = status {
            return Ok(Ended::With(status));
        }
        if limit.is_some_and(|limit| begin.elapsed() >= limit) {
            kill_group(&mut child)?;
            return Ok(Ended::ByTime);
        }
        std::thread::sleep(INTERVAL);
    }
}

fn copy(reader: &mut File) -> io::Result<()> {
    let mut new = Vec::new();
    reader.read_to_end(&mut new)?;
    print!("{}", String::from_utf8_lossy(&new));
    io::stdout().flush()
}

fn kill_group(child: &mut Child) -> io::Result<()> {
    // The standard library kills one process only. Every shell can kill a group.
    let kill = format!("kill -s KILL -- -{}", child.id());
    Command::new("sh").args(["-c", &kill]).status()?;
    child.wait()?;
    Ok(())
}

/// Seconds of CPU of all processes that this one has started and that have ended. Zero where the system does not tell.
pub(crate) fn cpu_seconds() -> f64 {
    // Of Linux's proc(5): times of children in user and kernel mode, the 16th and 17th field; the second one is in
    // parentheses and may hold spaces. A program sees 100 ticks a second.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = fields.split(' ').skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Temporary;

    #[test]
    fn what_it_says_is_in_the_file() {
        let folder = Temporary::new("said");
        let log = folder.path().join("log");
        for text in ["one", "two"] {
            let ended = run(&Invocation::parse(&format!("echo {text}")), &log, None).expect("it starts");
            assert!(matches!(ended, Ended::With(status) if status.success()));
        }
        assert_eq!(std::fs::read_to_string(log).expect("text"), "one\ntwo\n");
    }

    #[test]
    fn a_group_is_killed_with_all_that_it_started() {
        let folder = Temporary::new("killed");
        let (script, log) = (folder.path().join("script"), folder.path().join("log"));
        std::fs::write(&script, "sleep 60 &\necho $!\nwait\n").expect("it can be written");
        let begin = Instant::now();
        let limit = Some(Duration::from_millis(500));
        let ended = run(&Invocation::parse(&format!("sh {}", script.display())), &log, limit).expect("it starts");
        assert_eq!(ended, Ended::ByTime);
        let child = std::fs::read_to_string(log).expect("text");
        // It ends soon after it was killed, and may stay as a zombie that nobody has asked for its status.
        let stat = || std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        while !stat().is_empty() && !stat().contains(") Z ") {
            assert!(begin.elapsed() < Duration::from_secs(30), "it still runs: {}", stat());
            std::thread::sleep(INTERVAL);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_cpu_of_children_counts_when_they_have_ended() {
        let before = cpu_seconds();
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";
        assert!(Command::new("sh").args(["-c", busy]).status().expect("a shell").success());
        assert!(cpu_seconds() > before);
    }
}
