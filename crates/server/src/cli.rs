//! The command line of `deadwax`, and its exit codes.

pub mod admin;
mod backups;
pub mod catalogue;
mod newsletter;

use std::{
    io::{BufRead as _, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use deadwax_config::{ConfigError, Given, Origin, Settings, file_modes};
use deadwax_http::{observe, serve::TlsError};
use deadwax_mail::SettingError;
use deadwax_responder::ai::AiSettingError;
use deadwax_store::{
    clock::Clock,
    crypto::KeyError,
    db::{Db, OpenError},
    storage::{Storage, StorageError},
};
use rules::password::Password;
use tokio_util::sync::CancellationToken;

use crate::{
    content::label::{self, Presets},
    exports::{self, Export},
    numbers,
    operation::{check, health, snapshot::SnapshotError},
    pages::assets::Assets,
    sample, start,
};
use admin::{AdminCommand, Desk};
use backups::{Owner, Source};
use catalogue::ImportCommand;
use newsletter::NewsletterCommand;

/// sysexits.h: the program cannot work with these settings.
const EX_CONFIG: u8 = 78;
/// sysexits.h: try again later.
const EX_TEMPFAIL: u8 = 75;

/// The website and back office of an independent record label.
#[derive(Debug, Parser)]
#[command(name = "deadwax", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    given: Given,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the website (brings the database up to date by itself).
    Serve,
    /// Bring the database up to date, and end.
    Migrate {
        /// Change the database without writing a snapshot of it first.
        #[arg(long)]
        without_snapshot: bool,
    },
    /// Ask the server on this machine whether it is ready; ends with 1 if not.
    Healthy,
    /// Load a made-up label into an empty database (also beside a running server).
    Sample,
    /// Look for damaged or missing data (also beside a running server).
    Check,
    /// Back the label up to `BACKUP_URL` and prove it, or write everything but the key file into a folder (also beside a running server).
    Backup {
        /// Where to; must be new or empty. Default: `BACKUP_URL`.
        folder: Option<PathBuf>,
    },
    /// List the backups of `BACKUP_URL`.
    Backups(Owner),
    /// Print a new pair of keys for `BACKUP_RECIPIENT`. It is stored nowhere.
    BackupKey,
    /// Bring a backup into an empty database and storage, whichever these are. Everybody signs in again.
    Restore(Source),
    /// Bring releases in from a table (also beside a running server).
    #[command(subcommand)]
    Import(ImportCommand),
    /// Write releases, artists or numbers of visits as CSV to standard output (also beside a running server).
    Export {
        /// The table to write.
        what: Table,
    },
    /// Say who may enter the admin area (also beside a running server).
    #[command(subcommand)]
    Admin(AdminCommand),
    /// Take an address off the newsletter (also beside a running server).
    #[command(subcommand)]
    Newsletter(NewsletterCommand),
    /// Read a mail that came back about a letter from standard input (also beside a running server).
    Bounces,
}

/// A table that can be exported.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Table {
    /// Releases in every state.
    Releases,
    /// Artists.
    Artists,
    /// Numbers of visits.
    Numbers,
}

/// Runs the command line; `web_app` is what `serve` shows visitors.
pub async fn run(web_app: fn() -> Assets) -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
        }
    };
    let is_handed_mail = matches!(cli.command, Command::Bounces);
    match work(cli, web_app).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let code = fail(&error);
            // After any other code a mail server throws the mail away.
            if is_handed_mail { ExitCode::from(EX_TEMPFAIL) } else { code }
        }
    }
}

async fn work(cli: Cli, web_app: fn() -> Assets) -> anyhow::Result<bool> {
    file_modes::keep_new_files_private();
    let settings = Settings::read(cli.given)?;
    let origin = start::check(&settings)?;
    observe::start_logging(&settings.log).map_err(|error| ConfigError(format!("DEADWAX_LOG: {error}")))?;
    let done = |()| true;
    match cli.command {
        Command::Serve => {
            let stop = CancellationToken::new();
            tokio::spawn(stop_on_signal(stop.clone()));
            start::run(&settings, origin, stop, web_app()).await.map(done)
        }
        Command::Migrate { without_snapshot } => migrate(&settings, without_snapshot).await.map(done),
        Command::Healthy => health::ask(&settings, &origin).await.map(done),
        Command::Sample => sample(&settings).await.map(done),
        Command::Import(command) => import(&settings, command).await.map(done),
        Command::Export { what } => export(&settings, what).await.map(done),
        Command::Admin(command) => admin(&settings, origin, command).await.map(done),
        Command::Newsletter(NewsletterCommand::Remove { email }) => {
            newsletter::remove(&settings, &email).await.map(done)
        }
        Command::Bounces => newsletter::bounces(&settings).await.map(done),
        Command::Backup { folder } => backups::backup(&settings, folder.as_deref()).await,
        Command::Backups(owner) => backups::list(&settings, &owner).await.map(done),
        Command::BackupKey => backups::new_key().map(done),
        Command::Restore(source) => backups::restore(&settings, source).await.map(done),
        Command::Check => check(&settings, &origin).await,
    }
}

async fn migrate(settings: &Settings, without_snapshot: bool) -> anyhow::Result<()> {
    let _lock = start::DataLock::take(settings)?;
    let db = start::open_database(settings).await?;
    let snapshots = (!without_snapshot).then_some(settings.data_dir.as_path());
    start::migrate(&db, &Clock::System, snapshots).await?;
    db.close().await;
    Ok(())
}

/// Opens an existing database. A command that only reads creates none, least of all in a mistyped folder.
async fn open_existing(settings: &Settings) -> anyhow::Result<Db> {
    let place = match settings.database_url {
        Some(_) => "the database of DATABASE_URL".to_owned(),
        None => format!("{} (DEADWAX_DATA_DIR)", settings.data_dir.display()),
    };
    let may_be_there = settings.database_url.is_some() || start::database_file(settings).exists();
    anyhow::ensure!(may_be_there, "no label in {place}");
    let db = start::open_database(settings).await?;
    anyhow::ensure!(db.has_schema().await?, "no label in {place}");
    Ok(db)
}

async fn open_label(settings: &Settings) -> anyhow::Result<Db> {
    brought_up_to_date(open_existing(settings).await?, settings).await
}

async fn open_or_make(settings: &Settings) -> anyhow::Result<Db> {
    brought_up_to_date(start::open_database(settings).await?, settings).await
}

/// Updates the schema, or waits half a minute for a server that does.
async fn brought_up_to_date(db: Db, settings: &Settings) -> anyhow::Result<Db> {
    // Without the lock, at which a server that starts now would end.
    if db.is_current().await? {
        return Ok(db);
    }
    match start::DataLock::take(settings) {
        Ok(_lock) => start::migrate(&db, &Clock::System, Some(&settings.data_dir)).await?,
        Err(error) if error.is::<start::Locked>() => {
            let deadline = tokio::time::Instant::now() + start::DATABASE_WAIT;
            while !db.is_current().await? {
                let is_late = tokio::time::Instant::now() >= deadline;
                anyhow::ensure!(!is_late, "the server is still bringing the database up to date");
                tokio::time::sleep(start::DATABASE_PAUSE).await;
            }
        }
        Err(error) => return Err(error),
    }
    Ok(db)
}

async fn admin(settings: &Settings, origin: Origin, command: AdminCommand) -> anyhow::Result<()> {
    let password = match command {
        AdminCommand::Create { password_stdin: true, .. } => Some(read_line()?.into()),
        _ => None,
    };
    let db = if matches!(command, AdminCommand::Create { .. }) {
        open_or_make(settings).await?
    } else {
        open_label(settings).await?
    };
    let desk = Desk {
        db: db.clone(),
        clock: Clock::System,
        origin,
        label: label::read(&db, &Presets::of(settings)).await?,
        key_path: settings.key_path(),
        captures_mail: settings.smtp_url.is_none(),
    };
    let done = match command {
        AdminCommand::Create { email, .. } => create_admin(&desk, &email, password).await,
        command => desk.run(command, password).await.and_then(|said| say(&said)),
    };
    db.close().await;
    done
}

/// Creates an admin only if the password can be printed.
async fn create_admin(desk: &Desk, email: &str, password: Option<Password>) -> anyhow::Result<()> {
    let (tx, said) = desk.begin_to_create(email, password).await?;
    say(&said)?;
    Ok(tx.commit().await?)
}

async fn import(settings: &Settings, command: ImportCommand) -> anyhow::Result<()> {
    let db = open_label(settings).await?;
    let said = catalogue::import(&db, &Clock::System, command).await;
    db.close().await;
    say(&said?)
}

async fn export(settings: &Settings, what: Table) -> anyhow::Result<()> {
    let db = open_label(settings).await?;
    let out = &mut std::io::stdout();
    let written = match what {
        Table::Releases => exports::write(exports::pieces(db.clone(), Export::Releases), out).await,
        Table::Artists => exports::write(exports::pieces(db.clone(), Export::Artists), out).await,
        Table::Numbers => exports::write(numbers::export::pieces(db.clone()), out).await,
    };
    db.close().await;
    written
}

fn read_line() -> anyhow::Result<String> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).context("reading standard input")?;
    let end = line.trim_end_matches(['\r', '\n']).len();
    line.truncate(end);
    Ok(line)
}

async fn working_storage(settings: &Settings) -> anyhow::Result<Storage> {
    let storage = start::open_storage(settings)?;
    start::try_storage(&storage).await?;
    Ok(storage)
}

async fn sample(settings: &Settings) -> anyhow::Result<()> {
    let db = open_or_make(settings).await?;
    let outcome = sample::load::load(&db, &working_storage(settings).await?, &Clock::System).await?;
    db.close().await;
    say(&outcome.to_string())
}

async fn check(settings: &Settings, origin: &Origin) -> anyhow::Result<bool> {
    let db = open_existing(settings).await?;
    anyhow::ensure!(
        db.is_current().await?,
        "the database has an older schema than this program; start the server or run `deadwax migrate` first"
    );
    let storage = start::open_storage(settings)?;
    let findings = check::findings(&db, &storage, origin, Clock::System.now()).await?;
    db.close().await;
    let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
    say(if lines.is_empty() { "nothing to report".to_owned() } else { lines.join("\n") }.as_str())?;
    Ok(findings.is_empty())
}

/// Prints a command's answer; an error if it cannot be written, as silence would look like an empty answer.
fn say(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).context("writing the answer")
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // If standard error is closed, the code must do.
    let _ = writeln!(std::io::stderr(), "deadwax: {}", one_line(error));
    if error.downcast_ref::<start::Locked>().is_some() {
        return ExitCode::from(EX_TEMPFAIL);
    }
    if is_of_a_setting(error) { ExitCode::from(EX_CONFIG) } else { ExitCode::FAILURE }
}

fn one_line(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if cause.starts_with(&said) {
            said = cause;
        } else if !said.contains(&cause) {
            said = format!("{said}: {cause}");
        }
    }
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_of_a_setting(error: &anyhow::Error) -> bool {
    error.is::<ConfigError>()
        || error.is::<SettingError>()
        || error.is::<AiSettingError>()
        || error.is::<KeyError>()
        || error.is::<TlsError>()
        || error.downcast_ref().is_some_and(SnapshotError::is_of_the_disk)
        || error.downcast_ref().is_some_and(OpenError::is_of_a_setting)
        || matches!(error.downcast_ref(), Some(StorageError::Setting(..) | StorageError::Unusable(..)))
}

async fn stop_on_signal(stop: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            stop.cancel();
        }
        Err(error) => tracing::error!(cause = %error, "listening for signals"),
    }
}
