//! What other programs know of the command line: `completions` for shells, `man` for readers of manuals.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Cli;
use crate::exit::{ALL_VALID, RunError};
use crate::process::standard;

/// `phalanx completions`.
pub(super) fn completions(shell: Shell) -> Result<u8, RunError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "phalanx", &mut script);
    print(script)
}

/// `phalanx man`: one page for all subcommands.
pub(super) fn man() -> Result<u8, RunError> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(RunError::of)?;
    // They are sections of this page, and have none of their own.
    let page = command.get_subcommands().fold(String::from_utf8(page).map_err(RunError::of)?, |page, command| {
        let name = command.get_name().replace('-', "\\-");
        page.replace(&format!("phalanx\\-{name}(1)"), &format!("phalanx {name}"))
    });
    let mut page = page.into_bytes();
    sections(&command, &mut page)?;
    print(page)
}

/// Appends a section for each subcommand.
fn sections(command: &Command, page: &mut Vec<u8>) -> Result<(), RunError> {
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let man = Man::new(command.clone());
        let mut text = Vec::new();
        man.render_synopsis_section(&mut text).map_err(RunError::of)?;
        man.render_description_section(&mut text).map_err(RunError::of)?;
        man.render_options_section(&mut text).map_err(RunError::of)?;
        text.extend(further(command).into_bytes());
        let name = command.get_bin_name().unwrap_or(command.get_name());
        page.extend(format!(".SH \"{}\"\n", name.to_uppercase()).into_bytes());
        // Its sections are parts of its section.
        let text = String::from_utf8(text).map_err(RunError::of)?;
        page.extend(format!("\n{text}").replace("\n.SH ", "\n.SS ").into_bytes());
    }
    Ok(())
}

/// What help says behind the options: tables and examples line by line, the rest as paragraphs.
fn further(command: &Command) -> String {
    let Some(help) = command.get_after_long_help().or(command.get_after_help()) else { return String::new() };
    let mut text = ".SH \"MORE\"\n.nh\n.ad l\n".to_owned();
    let mut in_table = false;
    for line in help.to_string().lines() {
        let table = line.starts_with(' ');
        if table != in_table {
            text += if table { ".nf\n" } else { ".fi\n" };
            in_table = table;
        }
        // A dot or an apostrophe at the beginning of a line would be a command.
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        text += &if line.is_empty() { ".PP\n".to_owned() } else { format!("\\&{line}\n") };
    }
    text + if in_table { ".fi\n" } else { "" }
}

fn print(text: Vec<u8>) -> Result<u8, RunError> {
    standard::explain(&String::from_utf8(text).map_err(RunError::of)?)?;
    Ok(ALL_VALID)
}
