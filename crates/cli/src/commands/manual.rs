//! What other programs know of the command line: `completions` for shells, `man` for readers of manuals.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Cli;
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

/// Appends a section for each subcommand that does something itself.
fn sections(command: &Command, page: &mut Vec<u8>) -> Result<(), RunError> {
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        if command.has_subcommands() {
            sections(command, page)?;
            continue;
        }
        let man = Man::new(command.clone());
        let mut text = Vec::new();
        man.render_synopsis_section(&mut text).map_err(RunError::of)?;
        man.render_description_section(&mut text).map_err(RunError::of)?;
        man.render_options_section(&mut text).map_err(RunError::of)?;
        man.render_extra_section(&mut text).map_err(RunError::of)?;
        let name = command.get_bin_name().unwrap_or(command.get_name());
        page.extend(format!(".SH \"{}\"\n", name.to_uppercase()).into_bytes());
        // Its sections are parts of its section.
        let text = String::from_utf8(text).map_err(RunError::of)?;
        page.extend(format!("\n{text}").replace("\n.SH ", "\n.SS ").into_bytes());
    }
    Ok(())
}

fn print(text: Vec<u8>) -> Result<u8, RunError> {
    standard::explain(&String::from_utf8(text).map_err(RunError::of)?)?;
    Ok(ALL_VALID)
}
