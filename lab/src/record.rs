//! Lists of comparisons, and the records that they leave.
//!
//! A list is a file of `lab/lists/`, one comparison a line in the words of `lab compare`; `#` starts a comment. Its
//! record is `lab/record/<date>-<cpu>/<list>.jsonl`, in place of an earlier one of the same list and CPU. A comparison
//! whose peer is absent is in the record with its reason.

use crate::{
    Failure, compare, machine,
    outcome::{Absent, Outcome, say},
    revision::lab,
};
use clap::{Args, Parser};
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// What to record.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// The list's name
    list: String,
    /// How long to sample each comparison, where the list does not say
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Puts another library in our place in every row, for instance `phalanx@COMMIT`; wants --into, since such a record is
    /// for `lab diff` alone
    #[arg(long, requires = "into")]
    ours: Option<String>,
    /// Keeps the record in this folder, not in `lab/record/<date>-<cpu>`
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// A line of a list.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Line {
    #[command(flatten)]
    settings: compare::Settings,
}

/// A row of a list.
#[derive(Debug)]
struct Row {
    /// Its words, but for the peer.
    words: String,
    settings: compare::Settings,
}

/// The rows of a list.
fn read(text: &str, seconds: f64) -> Result<Vec<Row>, String> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let parse = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let mut asked = words.clone();
        if let Some(place) = asked.iter().position(|word| *word == "--peer") {
            asked.drain(place..asked.len().min(place + 2));
        }
        let asked = asked.join(" ");
        let seconds = seconds.to_string();
        if !words.contains(&"--seconds") {
            words.extend(["--seconds", &seconds]);
        }
        Line::try_parse_from(words)
            .map(|line| Row { words: asked, settings: line.settings })
            .map_err(|error| format!("{line}: {error}"))
    };
    lines.filter(|line| !line.is_empty()).map(parse).collect()
}

/// The settings of one line.
pub(crate) fn settings(words: &str, seconds: f64) -> Result<compare::Settings, String> {
    let row = read(words, seconds)?.pop().ok_or("a line without words")?;
    Ok(row.settings)
}

/// Why a file cannot be written.
pub(crate) fn not_written(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::NotThere(format!("{}: {error}", path.display()))
}

/// The folder of today's records of this machine: year-month-day in universal time, and the CPU.
fn todays() -> Result<PathBuf, Failure> {
    let date = Command::new("date").args(["-u", "+%F"]).output().map_err(not_written(Path::new("date")))?;
    let date = String::from_utf8_lossy(&date.stdout);
    Ok(lab().join("record").join(format!("{}-{}", date.trim(), machine::slug())))
}

/// Runs a list and writes its record.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let path = lab().join("lists").join(&settings.list).with_extension("txt");
    let text = fs::read_to_string(&path)
        .map_err(|error| Failure::NotThere(format!("no list named {}: {error}", settings.list)))?;
    let mut rows = read(&text, settings.seconds).map_err(Failure::NotThere)?;
    if let Some(ours) = &settings.ours {
        rows.iter_mut().for_each(|row| row.settings.ours.clone_from(ours));
    }

    // A folder that cannot be made is known before the measurements, which may take long.
    if let Some(folder) = &settings.into {
        fs::create_dir_all(folder).map_err(not_written(folder))?;
    }

    say(&Outcome::heading())?;
    let (mut outcomes, mut absent) = (Vec::new(), Vec::new());
    for row in &rows {
        match compare::compare(&row.settings) {
            Ok(outcome) => {
                say(&outcome.row())?;
                outcomes.push(outcome);
            }
            Err(Failure::NotThere(reason)) => {
                say(&format!("{}: {reason}", row.words))?;
                absent.push(Absent { absent: row.words.clone(), reason, cpu: machine::cpu() });
            }
            Err(broken) => return Err(broken),
        }
    }
    if settings.ours.is_some() && outcomes.is_empty() {
        let list = &settings.list;
        return Err(Failure::NotThere(format!("no row of {list} could be measured, and no record is written")));
    }
    let lines = outcomes.iter().map(Outcome::json).chain(absent.iter().map(Absent::json));
    keep(&format!("{}.jsonl", settings.list), settings.into.as_deref(), lines)
}

/// Writes a file of a record, in a folder or among today's. There it takes the place of the one of earlier days and the same CPU.
pub(crate) fn keep(file: &str, into: Option<&Path>, lines: impl IntoIterator<Item = String>) -> Result<(), Failure> {
    let folder = into.map_or_else(todays, |folder| Ok(folder.to_path_buf()))?;
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    let write = || -> io::Result<()> {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(file), &text)?;
        if into.is_none() {
            for earlier in others_of_cpu(&folder)?.iter().map(|other| other.join(file)).filter(|path| path.exists()) {
                fs::remove_file(earlier)?;
            }
        }
        Ok(())
    };
    write().map_err(not_written(&folder.join(file)))
}

/// The folders beside this one with records of the same CPU. A name is the day and then the CPU.
fn others_of_cpu(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let cpu = |path: &Path| Some(path.file_name()?.to_str()?.get(11..)?.to_owned());
    let Some(kept) = folder.parent() else { return Ok(Vec::new()) };
    let folders = fs::read_dir(kept)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    Ok(folders.into_iter().filter(|other| other != folder && cpu(other) == cpu(folder)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_list_is_lines_of_compare() {
        let list = "# all of it\n--op recover --single --peer k256\n\n--op msm --n 64 --peer x --seconds 9 # long\n";
        let read = read(list, 2.5).unwrap();
        assert_eq!((read.len(), read[0].settings.seconds, read[1].settings.seconds), (2, 2.5, 9.0));
        assert!(read[0].settings.single && read[1].settings.n == Some(64));
        assert_eq!([&*read[0].words, &*read[1].words], ["--op recover --single", "--op msm --n 64 --seconds 9"]);
        assert!(super::read("--peer k256", 1.0).is_err());
    }

    #[test]
    fn earlier_records_are_those_of_the_same_cpu_on_other_days() {
        let kept = std::env::temp_dir().join(format!("lab-earlier-{}", std::process::id()));
        for name in ["2026-01-01-a", "2026-01-02-a", "2026-01-02-b", "2026-01-02-a-b"] {
            fs::create_dir_all(kept.join(name)).unwrap();
        }
        let found = others_of_cpu(&kept.join("2026-01-02-a")).unwrap();
        fs::remove_dir_all(&kept).unwrap();
        assert_eq!(found, [kept.join("2026-01-01-a")]);
    }

    #[test]
    fn of_each_list_and_cpu_one_record_is_committed() {
        let mut seen = BTreeSet::new();
        for folder in fs::read_dir(lab().join("record")).unwrap().map(|folder| folder.unwrap().path()) {
            let cpu = folder.file_name().unwrap().to_str().unwrap()[11..].to_owned();
            for file in fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()) {
                assert!(seen.insert((cpu.clone(), file.clone())), "{cpu} has two of {}", file.display());
            }
        }
        assert!(!seen.is_empty());
    }

    #[test]
    fn every_committed_list_reads_and_names_known_operations() {
        for file in fs::read_dir(lab().join("lists")).unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            for row in read(&text, 1.0).unwrap() {
                assert!(lab_abi::Op::from_name(&row.settings.op).is_some(), "{}", row.words);
            }
        }
    }
}
