//! Who sent a request, as far as limits, the audit log and the list of sessions need to know.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use http::{header, request::Parts};

use crate::{
    app::{AppState, Client},
    client_addr::network,
    error::AppError,
    observe,
};

/// Longest name of a browser that is kept, in characters.
const LONGEST_AGENT: usize = 256;

/// The sender of a request.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The client's address, trusted proxies skipped.
    pub address: IpAddr,
    /// What the browser calls itself, without control characters, cut to 256 characters.
    pub user_agent: String,
    /// Names the request in the log.
    pub request_id: Option<String>,
}

impl Caller {
    /// What limits count by: the address, or the /64 of an IPv6 one.
    pub fn network(&self) -> String {
        network(self.address).to_string()
    }

    /// The command line.
    pub fn command_line() -> Self {
        Self {
            address: std::net::Ipv4Addr::UNSPECIFIED.into(),
            user_agent: "command line".to_owned(),
            request_id: None,
        }
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let Client(address) = Client::from_request_parts(parts, app).await?;
        let user_agent = parts
            .headers
            .get(header::USER_AGENT)
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
            .unwrap_or_default()
            .chars()
            .filter(|character| !character.is_control())
            .take(LONGEST_AGENT)
            .collect();
        Ok(Self { address, user_agent, request_id: observe::current_request_id() })
    }
}
