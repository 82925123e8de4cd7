//! Writes the man page and the completions of shells into a folder (`scripts/generate`).

use std::path::PathBuf;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::{Shell, generate_to};
use deadwax::cli::Cli;

fn main() -> anyhow::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).context("name a folder")?);
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        generate_to(shell, &mut command(), "deadwax", &folder)?;
    }
    clap_mangen::Man::new(command()).render(&mut std::fs::File::create(folder.join("deadwax.1"))?)?;
    Ok(())
}

/// Settings are offered once, not by each subcommand; and no version, which would change the files with every release.
fn command() -> clap::Command {
    Cli::command().version(None::<&str>).mut_args(|argument| argument.global(false))
}
