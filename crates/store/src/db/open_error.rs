//! Why a database cannot be opened; of PostgreSQL in one line that says what to do.

use std::{fmt::Display, io};

use sqlx::{error::DatabaseError, migrate::MigrateError, postgres::PgConnectOptions};

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address belongs to neither engine.
    #[error("DATABASE_URL must start with postgres:// (without it, SQLite in the data directory is used)")]
    UnknownScheme,
    #[error("it must look like postgres://user:password@host:5432/name ({0})")]
    Address(String),
    /// PostgreSQL does not answer, or takes no connection just now.
    #[error("{0}")]
    Away(String),
    /// PostgreSQL refuses these settings.
    #[error("{0}")]
    Refused(String),
    /// The encoding cannot hold names in every script.
    #[error(
        "the database is encoded as {0}; make one in UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)"
    )]
    Encoding(String),
    /// The database was migrated by a newer program.
    #[error(
        "the database has a newer schema than this program ({0}); start the newer program, or restore a backup"
    )]
    NewerSchema(i64),
    /// The bundled library is too old to be trusted with data.
    #[error("SQLite {0} is older than 3.51.3, which fixed a corruption of the write-ahead log")]
    SqliteTooOld(String),
    /// Anything the driver reports.
    #[error(transparent)]
    Driver(#[from] sqlx::Error),
    #[error(
        "bringing the database up to date failed and changed nothing; start the version before again ({0})"
    )]
    Migration(MigrateError),
}

impl OpenError {
    /// Whether another setting would help, and waiting would not.
    pub fn is_of_a_setting(&self) -> bool {
        matches!(
            self,
            Self::UnknownScheme
                | Self::Address(_)
                | Self::Refused(_)
                | Self::Encoding(_)
                | Self::NewerSchema(_)
                | Self::Migration(_)
        )
    }
}

impl From<MigrateError> for OpenError {
    fn from(error: MigrateError) -> Self {
        unmigrated(error)
    }
}

pub(super) fn unconnected(options: &PgConnectOptions, error: sqlx::Error) -> OpenError {
    let user = options.get_username();
    let database = options.get_database().unwrap_or(user);
    match error {
        sqlx::Error::Database(error) => refused(user, database, error.as_ref()),
        sqlx::Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => OpenError::Away(format!(
            "{} ended the connection; look into the log of PostgreSQL",
            place(options)
        )),
        sqlx::Error::Io(error) => OpenError::Away(format!(
            "nothing answers at {} ({error}); start PostgreSQL there, or correct the address",
            place(options)
        )),
        sqlx::Error::Tls(error) if error.to_string().contains("does not support TLS") => OpenError::Refused(
            format!("{} does not encrypt, and sslmode asks for it; write ?sslmode=prefer", place(options)),
        ),
        sqlx::Error::Tls(error) => OpenError::Refused(format!(
            "the encrypted connection to {} failed ({error}); correct sslmode, sslrootcert, sslcert and sslkey",
            place(options)
        )),
        sqlx::Error::Protocol(_) => OpenError::Refused(format!(
            "what answers at {} is not PostgreSQL; correct the address",
            place(options)
        )),
        error => OpenError::Driver(error),
    }
}

/// By the code of the error (PostgreSQL, appendix A).
fn refused(user: &str, database: &str, error: &dyn DatabaseError) -> OpenError {
    let (code, message) = (error.code().unwrap_or_default(), error.message());
    let why = match code.as_ref() {
        "28P01" => format!("the password of the user {user} is wrong"),
        "28000" if message.contains("does not exist") => {
            format!("there is no user {user}; make it with CREATE ROLE … LOGIN PASSWORD …")
        }
        "28000" if message.contains("no encryption") || message.contains("SSL off") => {
            format!("the server asks {user} for an encrypted connection ({message}); write ?sslmode=require")
        }
        "28000" if message.contains("pg_hba.conf") => {
            format!("the server lets {user} not in ({message}); add a line for it to pg_hba.conf")
        }
        "3D000" => format!(
            "there is no database {database}; make it with CREATE DATABASE … OWNER {user} ENCODING 'UTF8' TEMPLATE template0"
        ),
        "42501" => not_allowed(message),
        "53300" => {
            return OpenError::Away(format!(
                "the server has no connection left ({message}); raise max_connections, or end other programs"
            ));
        }
        // Lack of resources, a start or an end, an error of the system: they pass.
        code if ["53", "57", "58", "XX"].iter().any(|class| code.starts_with(class)) => {
            return OpenError::Away(format!("the server does not take connections yet ({message})"));
        }
        _ => message.to_owned(),
    };
    OpenError::Refused(why)
}

fn not_allowed(message: &str) -> String {
    format!(
        "the user may not do what is needed ({message}); make it the owner with ALTER DATABASE … OWNER TO …"
    )
}

fn unmigrated(error: MigrateError) -> OpenError {
    let away = |why: &dyn Display| {
        OpenError::Away(format!(
            "the server did not finish it ({why}), and nothing was changed; it may be tried again"
        ))
    };
    let refused = match &error {
        MigrateError::VersionMissing(version) => return OpenError::NewerSchema(*version),
        MigrateError::Execute(sqlx::Error::Io(error))
        | MigrateError::ExecuteMigration(sqlx::Error::Io(error), _) => return away(error),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.as_database_error(),
        _ => None,
    };
    match refused.map(|error| (error.code().unwrap_or_default(), error.message())) {
        Some((code, message)) if code == "42501" => OpenError::Refused(not_allowed(message)),
        Some((code, _)) if code == "40P01" => OpenError::Away(
            "another program was using the tables, and nothing was changed; stop the other instances or try again"
                .to_owned(),
        ),
        Some((code, message)) if code == "25006" => OpenError::Refused(format!(
            "the database cannot be written to ({message}); name the primary server, not a standby"
        )),
        Some((code, message)) if code.starts_with("08") || code.starts_with("57") || code == "53300" => {
            away(&message)
        }
        _ => OpenError::Migration(error),
    }
}

/// Where PostgreSQL was looked for.
fn place(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(folder) => format!("{}/.s.PGSQL.{}", folder.display(), options.get_port()),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}
