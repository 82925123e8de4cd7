//! The sender of a request, as limits, the audit log and the list of sessions need it.

use std::net::IpAddr;

use deadwax_http::observe;
use deadwax_store::limits::network;
use http::HeaderValue;

/// Longest name of a browser that is kept, in characters.
const LONGEST_AGENT: usize = 256;

#[derive(Clone, Debug)]
pub struct Caller {
    /// The client's address, trusted proxies skipped.
    pub address: IpAddr,
    /// The `User-Agent`, without control characters, cut to 256 characters.
    pub user_agent: String,
    /// Names the request in the log.
    pub request_id: Option<String>,
}

impl Caller {
    /// The address of the command line, which has none.
    pub const NO_ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED);

    /// The sender at `address` of the request under way, whose program calls itself `agent`.
    pub fn new(address: IpAddr, agent: Option<&HeaderValue>) -> Self {
        let agent = agent.map(|value| String::from_utf8_lossy(value.as_bytes())).unwrap_or_default();
        let user_agent = agent.chars().filter(|sign| !sign.is_control()).take(LONGEST_AGENT).collect();
        Self { address, user_agent, request_id: observe::current_request_id() }
    }

    /// The network that limits count: the address, or the /64 of an IPv6 one.
    pub fn network(&self) -> String {
        network(self.address).to_string()
    }

    pub fn command_line() -> Self {
        Self { address: Self::NO_ADDRESS, user_agent: "command line".to_owned(), request_id: None }
    }
}
