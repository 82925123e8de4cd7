//! What is said where the command line or the environment cannot be read: of a setting one line, of anything else clap's help.

use std::{error::Error as _, io::Write as _, process::ExitCode};

use clap::{
    CommandFactory as _,
    error::{ContextKind, ContextValue, Error},
};

use super::{Cli, EX_CONFIG};

/// Answers, and says how the program ends: 78 where a setting is wrong, 2 where the command is, 0 where help was asked for.
pub(super) fn answer(error: &Error) -> ExitCode {
    if let Some(line) = of_a_setting(error) {
        let _ = writeln!(std::io::stderr(), "deadwax: {line}");
        return ExitCode::from(EX_CONFIG);
    }
    let _ = error.print();
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Names the setting as the environment does, its value unless it may hold a password, and what is wrong with it.
fn of_a_setting(error: &Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let named = text(ContextKind::InvalidArg)?;
    let value = text(ContextKind::InvalidValue)?;
    let mut command = Cli::command();
    // Its arguments are complete only then.
    command.build();
    let argument = command.get_arguments().find(|argument| argument.to_string() == named)?;
    let variable = argument.get_env()?.to_string_lossy();
    let why = match (error.source(), error.get(ContextKind::ValidValue)) {
        _ if value.is_empty() => "must not be empty".to_owned(),
        (_, Some(ContextValue::Strings(values))) if !values.is_empty() => {
            format!("must be {}", values.join(" or "))
        }
        (Some(source), _) => source.to_string(),
        _ => "is not a value of it".to_owned(),
    };
    let is_secret = value.is_empty() || value.contains('@') || argument.is_hide_env_values_set();
    let value = if is_secret { String::new() } else { format!("{}: ", value.escape_debug()) };
    Some(format!("{variable}: {value}{why}"))
}
