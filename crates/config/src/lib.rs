//! The settings: the only reader of the environment.
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

use std::{ffi::OsString, net::SocketAddr, path::PathBuf};

use clap::Args;
use ipnet::IpNet;
use secrecy::SecretString;
use url::{Host, Url};

pub use hosts::{Hosts, is_this_machine};
pub use values::ConfigError;

pub mod file_modes;
mod hosts;
mod values;

const LISTEN: &str = "127.0.0.1:8080";
const PORT: u16 = 8080;
const DATA_DIR: &str = "./data";
/// The label's name where neither the settings nor the dashboard have one.
pub const LABEL_NAME: &str = "404 COLLECTIVE";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdminMfa {
    /// They may set one up; the security checklist warns about admins without one.
    #[default]
    Offered,
    /// The admin area stays closed until they have set one up.
    Required,
}

/// Every setting, parsed.
#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    /// The website's address, unless it is that of `listen`.
    pub public_url: Option<Url>,
    /// Holds the database, the files and the spool.
    pub data_dir: PathBuf,
    pub label_name: String,
    /// The key file, unless it is in the data folder.
    pub key_file: Option<PathBuf>,
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    pub admin_mfa: AdminMfa,
    /// Whether pages are served with their text, for readers that do not run the web app.
    pub paints: bool,
    pub counts_visits: bool,
    /// The address that serves the metrics.
    pub admin_listen: Option<SocketAddr>,
    /// A PostgreSQL database.
    pub database_url: Option<SecretString>,
    /// A bucket.
    pub storage_url: Option<SecretString>,
    /// Where backups are kept: a folder or a bucket.
    pub backup_url: Option<SecretString>,
    /// The owner's public age key, which backups are encrypted to.
    pub backup_recipient: Option<String>,
    /// An http or https address, fetched after each proven backup.
    pub backup_ping: Option<SecretString>,
    /// A mail server.
    pub smtp_url: Option<SecretString>,
    pub mail_from: Option<String>,
    pub contact_to: Option<String>,
    pub bounce_address: Option<String>,
    pub bounce_url: Option<SecretString>,
    /// Looks up the sender's domain in place of the system's DNS server.
    pub dns_server: Option<SocketAddr>,
    /// A language model for the terminal.
    pub ai_url: Option<SecretString>,
    pub ai_key: Option<SecretString>,
    pub ai_model: Option<String>,
    /// Reverse proxies whose X-Forwarded-For is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// The filter of the log; empty for the default.
    pub log: String,
}

impl Settings {
    /// Parses the given settings. An error names the setting, its value unless that may be secret, and a value that
    /// works.
    pub fn read(given: Given) -> Result<Self, ConfigError> {
        use values::{choice, path, secret, text};
        let parsed = |setting, given| text(setting, given).map(|text| (setting, text));
        let (setting, listen) = parsed("DEADWAX_LISTEN", given.listen)?;
        let listen = values::listen(setting, listen.as_deref().unwrap_or(LISTEN), Some(PORT))?;
        let (setting, admin_listen) = parsed("DEADWAX_ADMIN_LISTEN", given.admin_listen)?;
        let admin_listen = admin_listen.map(|text| values::listen(setting, &text, None)).transpose()?;
        let (setting, public_url) = parsed("DEADWAX_PUBLIC_URL", given.public_url)?;
        let public_url = public_url.map(|text| values::website(setting, &text)).transpose()?;
        let (setting, label_name) = parsed("DEADWAX_LABEL_NAME", given.label_name)?;
        let label_name = values::one_line(setting, label_name.unwrap_or_else(|| LABEL_NAME.to_owned()))?;
        let (setting, admin_mfa) = parsed("DEADWAX_ADMIN_MFA", given.admin_mfa)?;
        let words = [("offered", AdminMfa::Offered), ("required", AdminMfa::Required)];
        let admin_mfa = admin_mfa.map_or(Ok(AdminMfa::default()), |text| choice(setting, &text, words))?;
        let (setting, paint) = parsed("DEADWAX_PAINT", given.paint)?;
        let words = [("on", true), ("off", false)];
        let paints = paint.map_or(Ok(true), |text| choice(setting, &text, words))?;
        let (setting, numbers) = parsed("DEADWAX_NUMBERS", given.numbers)?;
        let counts_visits = numbers.map_or(Ok(true), |text| choice(setting, &text, words))?;
        let (setting, trusted_proxies) = parsed("TRUSTED_PROXIES", given.trusted_proxies)?;
        let trusted_proxies = values::networks(setting, &trusted_proxies.unwrap_or_default())?;
        let (setting, dns_server) = parsed("DNS_SERVER", given.dns_server)?;
        let dns_server = dns_server.map(|text| values::dns_server(setting, &text)).transpose()?;
        Ok(Self {
            listen,
            public_url,
            data_dir: path(given.data_dir).unwrap_or_else(|| DATA_DIR.into()),
            label_name,
            key_file: path(given.key_file),
            tls_cert: path(given.tls_cert),
            tls_key: path(given.tls_key),
            admin_mfa,
            paints,
            counts_visits,
            admin_listen,
            database_url: secret("DATABASE_URL", given.database_url)?,
            storage_url: secret("STORAGE_URL", given.storage_url)?,
            backup_url: secret("BACKUP_URL", given.backup_url)?,
            backup_recipient: text("BACKUP_RECIPIENT", given.backup_recipient)?,
            backup_ping: values::secret_address("BACKUP_PING", given.backup_ping)?,
            smtp_url: secret("SMTP_URL", given.smtp_url)?,
            mail_from: text("MAIL_FROM", given.mail_from)?,
            contact_to: text("CONTACT_TO", given.contact_to)?,
            bounce_address: text("BOUNCE_ADDRESS", given.bounce_address)?,
            bounce_url: secret("BOUNCE_URL", given.bounce_url)?,
            dns_server,
            ai_url: secret("AI_URL", given.ai_url)?,
            ai_key: secret("AI_KEY", given.ai_key)?,
            ai_model: text("AI_MODEL", given.ai_model)?,
            trusted_proxies,
            log: text("DEADWAX_LOG", given.log)?.unwrap_or_default(),
        })
    }

    pub fn key_path(&self) -> PathBuf {
        self.key_file.clone().unwrap_or_else(|| self.data_dir.join("key"))
    }

    /// The website's origin, unless these settings make a website that cannot work or is not safe. The settings of
    /// mail and the language model are checked elsewhere.
    pub fn check(&self) -> Result<Origin, ConfigError> {
        if self.tls_cert.is_some() != self.tls_key.is_some() {
            return Err(ConfigError("DEADWAX_TLS_CERT and DEADWAX_TLS_KEY must be set together".to_owned()));
        }
        let scheme = if self.tls_cert.is_some() { "https" } else { "http" };
        let mut listen = self.listen;
        if listen.ip().is_unspecified() {
            listen.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        let text = self.public_url.as_ref().map_or_else(|| format!("{scheme}://{listen}"), without_password);
        let refused = |why| ConfigError(format!("DEADWAX_PUBLIC_URL: {text} {why}"));
        let not_an_origin =
            "must be an http or https address without path, query and user, such as https://label.example";
        if self.public_url.as_ref().is_some_and(|url| url.password().is_some()) {
            return Err(refused(not_an_origin));
        }
        let origin = Origin::parse(&text).ok_or_else(|| refused(not_an_origin))?;
        // Cookies and two-factor need an encrypted connection, except on the machine itself.
        if !origin.is_https() && !origin.is_loopback() {
            return Err(ConfigError(format!(
                "DEADWAX_PUBLIC_URL: {origin} is plain http on a host that is not this machine; use https"
            )));
        }
        Ok(origin)
    }
}

/// An address without its password, for the log.
fn without_password(url: &Url) -> String {
    let mut url = url.clone();
    // Fails for an address that cannot have a password.
    let _ = url.set_password(None);
    url.into()
}

/// Scheme, host and port of the website.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    url: Url,
}

impl Origin {
    /// Parses an origin; `None` if the text holds more than one.
    pub fn parse(text: &str) -> Option<Self> {
        let mut url = Url::parse(text).ok()?;
        if let Some(name) = url.domain().and_then(|name| name.strip_suffix('.')).map(str::to_owned) {
            url.set_host(Some(&name)).ok()?;
        }
        let is_origin = matches!(url.scheme(), "http" | "https")
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
            && url.host().is_some();
        is_origin.then_some(Self { url })
    }

    /// The host as a name, for message ids and greetings of mail servers; `localhost` for an IP address.
    pub fn host_name(&self) -> String {
        match self.url.host() {
            Some(Host::Domain(name)) => name.to_owned(),
            _ => "localhost".to_owned(),
        }
    }

    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Whether it names this machine, where plain http is safe.
    pub fn is_loopback(&self) -> bool {
        is_this_machine(self.url.host().as_ref())
    }

    /// The address of a path on this website; `path` starts with a slash.
    pub fn link(&self, path: &str) -> String {
        format!("{self}{path}")
    }

    /// Makes a stored address, which may be a path of this website, absolute.
    pub fn full_address(&self, stored: &str) -> String {
        if stored.starts_with('/') { self.link(stored) } else { stored.to_owned() }
    }

    /// Whether an `Origin` header names this website, by any of its hosts.
    pub fn is_named_by(&self, origin: &str) -> bool {
        let host = origin.split_once("://").filter(|(scheme, _)| *scheme == self.url.scheme());
        host.is_some_and(|(_, host)| self.hosts().find(host.as_bytes()).is_some())
    }

    /// The hosts this website answers to: its own, and on loopback the names of this machine.
    pub fn hosts(&self) -> Hosts {
        let with_port = |host: &str| match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        let mut hosts = vec![with_port(self.url.host_str().unwrap_or_default())];
        if self.is_loopback() {
            hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(with_port));
        }
        Hosts::new(hosts, if self.is_https() { 443 } else { 80 })
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.url.as_str().trim_end_matches('/'))
    }
}

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
    /// Whether visits are counted (`on`), or browsers tell nothing of them (`off`). Default: on.
    #[arg(long, env = "DEADWAX_NUMBERS", global = true)]
    pub numbers: Option<OsString>,
    /// Address and port that serve /metrics; off unless set.
    #[arg(long, env = "DEADWAX_ADMIN_LISTEN", global = true)]
    pub admin_listen: Option<OsString>,
    /// `postgres://user:password@host/name`; without it, SQLite in the data folder.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<OsString>,
    /// `s3://KEY:SECRET@BUCKET?endpoint=https://…&region=…`; without it, files in the data folder.
    #[arg(long, env = "STORAGE_URL", hide_env_values = true, global = true)]
    pub storage_url: Option<OsString>,
    /// Where backups are written to: a folder on another disk, or a bucket as `s3://KEY:SECRET@BUCKET?endpoint=https://…&region=…`.
    #[arg(long, env = "BACKUP_URL", hide_env_values = true, global = true)]
    pub backup_url: Option<OsString>,
    /// The public key that backups are encrypted to, `age1…`, from `deadwax backup-key`.
    #[arg(long, env = "BACKUP_RECIPIENT", global = true)]
    pub backup_recipient: Option<OsString>,
    /// An address that is fetched after each proven backup: `https://…`.
    #[arg(long, env = "BACKUP_PING", hide_env_values = true, global = true)]
    pub backup_ping: Option<OsString>,
    /// `smtps://user:password@host` or `smtp://…` (by STARTTLS); without it, mail is captured in the data folder.
    #[arg(long, env = "SMTP_URL", hide_env_values = true, global = true)]
    pub smtp_url: Option<OsString>,
    /// The sender of mail, as `mail@label.example` or `The Label <mail@label.example>`.
    #[arg(long, env = "MAIL_FROM", global = true)]
    pub mail_from: Option<OsString>,
    /// Where messages to the label go.
    #[arg(long, env = "CONTACT_TO", global = true)]
    pub contact_to: Option<OsString>,
    /// Where letters to the subscribers come back to if they cannot be delivered, also with `+` and more before the `@`.
    #[arg(long, env = "BOUNCE_ADDRESS", global = true)]
    pub bounce_address: Option<OsString>,
    /// The mailbox of `BOUNCE_ADDRESS`, which is read every five minutes: `imaps://user:password@host/Folder`.
    #[arg(long, env = "BOUNCE_URL", hide_env_values = true, global = true)]
    pub bounce_url: Option<OsString>,
    /// The DNS server that looks up the domain of `MAIL_FROM`: an address, with a port unless it is 53. Default: the system's.
    #[arg(long, env = "DNS_SERVER", global = true)]
    pub dns_server: Option<OsString>,
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
