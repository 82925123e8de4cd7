//! The settings as given by flags or environment variables.

use std::ffi::OsString;

use clap::Args;

/// Every setting as typed. An empty one is not set.
#[derive(Args, Clone)]
pub struct Given {
    /// Address and port the website listens on. A port alone is on this machine, `:PORT` on all its addresses. Default: 127.0.0.1:8080.
    #[arg(long, env = "DEADWAX_LISTEN", global = true)]
    pub listen: Option<OsString>,
    /// The website's address as visitors type it; links in mails and pages are made from it. Default: the listen address.
    #[arg(long, env = "DEADWAX_PUBLIC_URL", global = true)]
    pub public_url: Option<OsString>,
    /// Folder of the database, the files and the spool. Default: ./data.
    #[arg(long, env = "DEADWAX_DATA_DIR", global = true)]
    pub data_dir: Option<OsString>,
    /// The label's name, one line. Default: 404 COLLECTIVE.
    #[arg(long, env = "DEADWAX_LABEL_NAME", global = true)]
    pub label_name: Option<OsString>,
    /// The key that encrypts two-factor secrets and queued mail and signs cookies; made at the first start. Every instance
    /// needs the same, and backups leave it out. Default: `key` in the data folder.
    #[arg(long, env = "DEADWAX_KEY_FILE", global = true)]
    pub key_file: Option<OsString>,
    /// PEM file with the certificate chain; serves https itself.
    #[arg(long, env = "DEADWAX_TLS_CERT", global = true)]
    pub tls_cert: Option<OsString>,
    /// PEM file with the certificate's key.
    #[arg(long, env = "DEADWAX_TLS_KEY", global = true)]
    pub tls_key: Option<OsString>,
    /// Whether admins may work without a second factor: `offered` warns of it, `required` asks for its set-up first. Default: offered.
    #[arg(long, env = "DEADWAX_ADMIN_MFA", global = true)]
    pub admin_mfa: Option<OsString>,
    /// Whether public pages carry their text when they arrive (`on`), or browsers make it all (`off`). Default: on.
    #[arg(long, env = "DEADWAX_PAINT", global = true)]
    pub paint: Option<OsString>,
    /// Address and port that serve /metrics; off unless set.
    #[arg(long, env = "DEADWAX_ADMIN_LISTEN", global = true)]
    pub admin_listen: Option<OsString>,
    /// `postgres://user:password@host/name`; without it, SQLite in the data folder.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<OsString>,
    /// `s3://KEY:SECRET@BUCKET?endpoint=https://…&region=…`; without it, files in the data folder.
    #[arg(long, env = "STORAGE_URL", hide_env_values = true, global = true)]
    pub storage_url: Option<OsString>,
    /// `smtps://user:password@host` or `smtp://…` (by STARTTLS); without it, mail is captured in the data folder.
    #[arg(long, env = "SMTP_URL", hide_env_values = true, global = true)]
    pub smtp_url: Option<OsString>,
    /// The sender of mail, as `mail@label.example` or `The Label <mail@label.example>`.
    #[arg(long, env = "MAIL_FROM", global = true)]
    pub mail_from: Option<OsString>,
    /// Where messages to the label go.
    #[arg(long, env = "CONTACT_TO", global = true)]
    pub contact_to: Option<OsString>,
    /// A language model that answers in the terminal: `https://host/v1` or the whole address of its chat completions; without
    /// it, the program answers from the catalogue.
    #[arg(long, env = "AI_URL", hide_env_values = true, global = true)]
    pub ai_url: Option<OsString>,
    /// The key that the language model asks for.
    #[arg(long, env = "AI_KEY", hide_env_values = true, global = true)]
    pub ai_key: Option<OsString>,
    /// The name of the language model. Default: gpt-4o-mini.
    #[arg(long, env = "AI_MODEL", global = true)]
    pub ai_model: Option<OsString>,
    /// Reverse proxies whose X-Forwarded-For is believed, separated by commas: addresses or networks, as `10.0.0.1` or `fd00::/8`.
    #[arg(long, env = "TRUSTED_PROXIES", global = true)]
    pub trusted_proxies: Option<OsString>,
    /// The log level: `error`, `warn`, `info`, `debug` or per module as `deadwax=debug,info`. Default: info.
    #[arg(long, env = "DEADWAX_LOG", global = true)]
    pub log: Option<OsString>,
}

impl std::fmt::Debug for Given {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Given(…)")
    }
}
