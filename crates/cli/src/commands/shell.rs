//! `raceproof completions` and `raceproof man`: both come from the one definition of the command line.

use anyhow::{Context, Result, bail};
use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::output;

/// Prints completions for a shell.
pub fn completions(args: &CompletionsArgs) -> Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "raceproof", &mut text);
    output::print(&String::from_utf8(text).context("completions are text")?)?;
    Ok(0)
}

/// Prints one manual page, or writes all of them.
pub fn man(args: &ManArgs) -> Result<u8> {
    let mut root = Args::command();
    if let Some(folder) = &args.output {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        clap_mangen::generate_to(root, folder)
            .with_context(|| format!("cannot write manual pages into `{}`", folder.display()))?;
        return Ok(0);
    }
    root.build();
    let command = match &args.command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(command) => command.clone(),
            None => bail!("there is no command `{name}`; `raceproof --help` lists them"),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text).context("cannot make the manual page")?;
    output::print(&String::from_utf8(text).context("manual pages are text")?)?;
    Ok(0)
}
