//! The settings: the only reader of the environment. A setting that is not here does not exist.

pub mod file_modes;
mod hosts;
mod values;

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};
use ipnet::IpNet;
use secrecy::SecretString;
use url::{Host, Url};
pub use hosts::Hosts;

/// Why a start was refused. Each is one line for the person who set it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    /// Cookies and two-factor need a connection nobody can read along, except on the machine itself.
    #[error("DEADWAX_PUBLIC_URL: {0} is plain http on a host that is not this machine; use https")]
    PublicUrlNotHttps(String),
    /// The address cannot be the root of a website.
    #[error("DEADWAX_PUBLIC_URL: {0} must be an http or https address without path, query and user")]
    PublicUrlNotAnOrigin(String),
    /// The filter of the log is not one.
    #[error("DEADWAX_LOG: {0}")]
    Log(String),
    /// A certificate without its key, or the reverse.
    #[error("DEADWAX_TLS_CERT and DEADWAX_TLS_KEY must be set together")]
    HalfTls,
}

/// Whether admins need a second factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AdminMfa {
    /// They may set one up; the security checklist warns while one has none.
    #[default]
    Offered,
    /// The admin area stays closed to them until they have set one up.
    Required,
}

/// Whether pages are painted: served with their text in them, for whoever has not run the web app.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Paint {
    /// Public pages are, where the engine keeps up.
    #[default]
    On,
    /// Browsers make the whole page.
    Off,
}

/// Every setting, from the environment or a flag of the same name.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Address the website listens on.
    #[arg(long, env = "DEADWAX_LISTEN", default_value = "127.0.0.1:8080", global = true)]
    pub listen: SocketAddr,
    /// The website's address as visitors type it; links in mails and pages are made from it. Default: the listen address.
    #[arg(long, env = "DEADWAX_PUBLIC_URL", global = true)]
    pub public_url: Option<Url>,
    /// Folder of the database, the files and the spool.
    #[arg(long, env = "DEADWAX_DATA_DIR", default_value = "./data", global = true)]
    pub data_dir: PathBuf,
    /// The label's name, one line.
    #[arg(long, env = "DEADWAX_LABEL_NAME", default_value = "404 COLLECTIVE", value_parser = values::one_line, global = true)]
    pub label_name: String,
    /// The key that encrypts two-factor secrets and queued mail and signs cookies; made at the first start. Every instance
    /// needs the same, and backups leave it out. Default: `key` in the data folder.
    #[arg(long, env = "DEADWAX_KEY_FILE", global = true)]
    pub key_file: Option<PathBuf>,
    /// PEM file with the certificate chain; serves https itself.
    #[arg(long, env = "DEADWAX_TLS_CERT", global = true)]
    pub tls_cert: Option<PathBuf>,
    /// PEM file with the certificate's key.
    #[arg(long, env = "DEADWAX_TLS_KEY", global = true)]
    pub tls_key: Option<PathBuf>,
    /// Whether admins may work without a second factor: `offered` warns of it, `required` asks for its set-up first.
    #[arg(long, env = "DEADWAX_ADMIN_MFA", value_enum, default_value_t, global = true)]
    pub admin_mfa: AdminMfa,
    /// Whether public pages carry their text when they arrive (`on`), or browsers make it all (`off`).
    #[arg(long, env = "DEADWAX_PAINT", value_enum, default_value_t, global = true)]
    pub paint: Paint,
    /// Address that serves /metrics; off unless set.
    #[arg(long, env = "DEADWAX_ADMIN_LISTEN", global = true)]
    pub admin_listen: Option<SocketAddr>,
    /// `postgres://user:password@host/name`; without it, SQLite in the data folder.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<SecretString>,
    /// `s3://KEY:SECRET@BUCKET?endpoint=https://…&region=…`; without it, files in the data folder.
    #[arg(long, env = "STORAGE_URL", hide_env_values = true, global = true)]
    pub storage_url: Option<SecretString>,
    /// `smtps://user:password@host` or `smtp://…` (by STARTTLS); without it, mail is captured in the data folder.
    #[arg(long, env = "SMTP_URL", hide_env_values = true, global = true)]
    pub smtp_url: Option<SecretString>,
    /// Who mail is from, as `mail@label.example` or `The Label <mail@label.example>`.
    #[arg(long, env = "MAIL_FROM", global = true)]
    pub mail_from: Option<String>,
    /// Where messages to the label go.
    #[arg(long, env = "CONTACT_TO", global = true)]
    pub contact_to: Option<String>,
    /// A language model that answers in the terminal: `https://host/v1` or the whole address of its chat completions; without
    /// it, the program answers from the catalogue.
    #[arg(long, env = "AI_URL", hide_env_values = true, global = true)]
    pub ai_url: Option<SecretString>,
    /// The key that the language model asks for.
    #[arg(long, env = "AI_KEY", hide_env_values = true, global = true)]
    pub ai_key: Option<SecretString>,
    /// The name of the language model. Default: gpt-4o-mini.
    #[arg(long, env = "AI_MODEL", global = true)]
    pub ai_model: Option<String>,
    /// Reverse proxies whose X-Forwarded-For is believed, separated by commas: addresses or networks, as `10.0.0.1` or `fd00::/8`.
    #[arg(
        long,
        env = "TRUSTED_PROXIES",
        default_value = "",
        hide_default_value = true,
        value_parser = values::networks,
        global = true
    )]
    // Written out, it is one value to clap, and not one of several.
    pub trusted_proxies: std::vec::Vec<IpNet>,
    /// What is logged: `error`, `warn`, `info`, `debug` or per module as `deadwax=debug,info`; empty is `info`.
    #[arg(long, env = "DEADWAX_LOG", default_value = "info", global = true)]
    pub log: String,
}

impl Settings {
    /// Where the key file is.
    pub fn key_path(&self) -> PathBuf {
        self.key_file.clone().unwrap_or_else(|| self.data_dir.join("key"))
    }

    /// The website's origin, unless these settings would start a website that cannot work or is not safe. What mail and the
    /// language model are set to, they read themselves.
    pub fn check(&self) -> Result<Origin, ConfigError> {
        if self.tls_cert.is_some() != self.tls_key.is_some() {
            return Err(ConfigError::HalfTls);
        }
        let scheme = if self.tls_cert.is_some() { "https" } else { "http" };
        let mut listen = self.listen;
        if listen.ip().is_unspecified() {
            listen.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        let text = self.public_url.as_ref().map_or_else(|| format!("{scheme}://{listen}"), without_password);
        let not_an_origin = || ConfigError::PublicUrlNotAnOrigin(text.clone());
        if self.public_url.as_ref().is_some_and(|url| url.password().is_some()) {
            return Err(not_an_origin());
        }
        let origin = Origin::parse(&text).ok_or_else(not_an_origin)?;
        if !origin.is_https() && !origin.is_loopback() {
            return Err(ConfigError::PublicUrlNotHttps(origin.to_string()));
        }
        Ok(origin)
    }
}

/// An address that may be shown to whoever reads the log.
fn without_password(url: &Url) -> String {
    let mut url = url.clone();
    // Refused where an address can have none.
    let _ = url.set_password(None);
    url.into()
}

/// Scheme, host and port of the website.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    url: Url,
}

impl Origin {
    /// The origin that `text` is, unless it has more than that.
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

    /// The host as a name, for message ids and for greeting mail servers; `localhost` where it is only a number.
    pub fn host_name(&self) -> String {
        match self.url.host() {
            Some(Host::Domain(name)) => name.to_owned(),
            _ => "localhost".to_owned(),
        }
    }

    /// Whether connections to it are encrypted.
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

    /// Whether the value of an `Origin` header names this website, by any of its hosts.
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

/// Whether a host is this machine, where plain http is safe.
pub fn is_this_machine(host: Option<&Host<&str>>) -> bool {
    match host {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
