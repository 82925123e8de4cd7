//! Questions to the DNS, each answered within three seconds or not at all.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use anyhow::Context as _;
use hickory_resolver::{
    TokioResolver,
    config::{ConnectionConfig, NameServerConfig, ResolverConfig},
    net::{DnsError, NetError, runtime::TokioRuntimeProvider},
    proto::{
        op::ResponseCode,
        rr::{Name, RData, RecordType},
    },
};
use rules::letter_arrival::LOOKUP_MS;

/// Longest text of a name that is read, in bytes.
const TEXT_MAX: usize = 4_096;
/// Records of a name that are read.
const RECORDS_MAX: usize = 100;

/// Without a resolver it has no answers.
pub(super) struct Dns(Option<TokioResolver>);

impl Dns {
    /// Asks `server`, or the system's.
    pub(super) fn new(server: Option<SocketAddr>) -> Self {
        let resolver = Self::resolver(server)
            .inspect_err(|error| tracing::warn!(cause = format!("{error:#}"), "asking the DNS"));
        Self(resolver.ok())
    }

    fn resolver(server: Option<SocketAddr>) -> anyhow::Result<TokioResolver> {
        let mut builder = match server {
            None => TokioResolver::builder_tokio().context("reading the system's DNS servers")?,
            Some(server) => {
                let mut connections = vec![ConnectionConfig::udp(), ConnectionConfig::tcp()];
                for connection in &mut connections {
                    connection.port = server.port();
                }
                let server = NameServerConfig::new(server.ip(), true, connections);
                let config = ResolverConfig::from_name_servers(vec![server]);
                TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
            }
        };
        builder.options_mut().timeout = Duration::from_millis(LOOKUP_MS / 2);
        builder.options_mut().attempts = 1;
        Ok(builder.build()?)
    }

    /// The texts of a name. None if there was no answer; empty if there is no such record.
    pub(super) async fn texts(&self, name: &str) -> Option<Vec<String>> {
        let found = self.look_up(name, RecordType::TXT).await?;
        let texts = found.into_iter().filter_map(|data| match data {
            RData::TXT(text) => {
                let bytes: Vec<u8> = text.txt_data.iter().flatten().copied().take(TEXT_MAX + 1).collect();
                (bytes.len() <= TEXT_MAX)
                    .then(|| String::from_utf8_lossy(&bytes).replace(char::is_control, " "))
            }
            _ => None,
        });
        Some(texts.collect())
    }

    /// The names of the servers that take mail for a domain, the preferred first.
    pub(super) async fn mail_servers(&self, domain: &str) -> Option<Vec<String>> {
        let found = self.look_up(domain, RecordType::MX).await?;
        let mut servers: Vec<_> = found
            .into_iter()
            .filter_map(|data| match data {
                RData::MX(mx) => Some((mx.preference, mx.exchange.to_ascii())),
                _ => None,
            })
            .collect();
        servers.sort();
        Some(servers.into_iter().map(|(_, name)| name).collect())
    }

    /// The addresses of a name, of both kinds.
    pub(super) async fn addresses(&self, name: &str) -> Option<Vec<IpAddr>> {
        let (four, six) =
            tokio::join!(self.look_up(name, RecordType::A), self.look_up(name, RecordType::AAAA));
        let addresses = |found: Vec<RData>| {
            found.into_iter().filter_map(|data| match data {
                RData::A(address) => Some(IpAddr::from(address.0)),
                RData::AAAA(address) => Some(IpAddr::from(address.0)),
                _ => None,
            })
        };
        // One kind is enough.
        match (four, six) {
            (None, None) => None,
            (four, six) => {
                Some(addresses(four.unwrap_or_default()).chain(addresses(six.unwrap_or_default())).collect())
            }
        }
    }

    async fn look_up(&self, name: &str, kind: RecordType) -> Option<Vec<RData>> {
        // With its final dot the name is whole, and no search list is tried.
        let name = Name::from_ascii(format!("{}.", name.trim_end_matches('.'))).ok()?;
        let look_up = self.0.as_ref()?.lookup(name.clone(), kind);
        match tokio::time::timeout(Duration::from_millis(LOOKUP_MS), look_up).await {
            Ok(Ok(found)) => {
                Some(found.answers().iter().take(RECORDS_MAX).map(|record| record.data.clone()).collect())
            }
            Ok(Err(NetError::Dns(DnsError::NoRecordsFound(none))))
                if matches!(none.response_code, ResponseCode::NoError | ResponseCode::NXDomain) =>
            {
                Some(Vec::new())
            }
            Ok(Err(error)) => {
                tracing::info!(%name, %kind, cause = %error, "looking up the sender's domain");
                None
            }
            Err(_) => {
                tracing::info!(%name, %kind, "looking up the sender's domain takes too long");
                None
            }
        }
    }
}
