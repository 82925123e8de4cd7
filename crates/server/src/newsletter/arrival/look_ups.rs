//! The checks: what the settings tell, what the DNS says about the sender, and how the link to leave answers.

use std::{net::IpAddr, time::Duration};

use http::header;
use rules::letter_arrival::{
    self, ArrivalCheck, Finding, LOOKUP_MS, dmarc, is_own_domain, not_looked_up,
    spf::{self, Reach},
};
use uuid::Uuid;

use super::{dns::Dns, spf_reach::reach};
use crate::app::App;

/// All lookups of one check, one after the other.
const CHECK: Duration = Duration::from_secs(12);

/// The settings that look-ups depend on: with others, what is kept does not hold.
pub(super) fn about(app: &App) -> String {
    let host = app.mail.server_host().unwrap_or_default();
    let dns = app.dns_server.map_or_else(String::new, |server| server.to_string());
    [app.mail.sender_address(), returns_to(app), host, &dns, &app.origin.to_string()].join(" ")
}

/// The address that servers compare with SPF: that of the envelope.
fn returns_to(app: &App) -> &str {
    app.mail.bounce_address().unwrap_or_else(|| app.mail.sender_address())
}

fn domain_of(address: &str) -> &str {
    address.rsplit_once('@').map_or(address, |(_, domain)| domain)
}

/// Checks that need no look-up.
pub(super) fn of_settings(app: &App, postal_address: &str) -> [Finding; 3] {
    let address = app.mail.sender_address();
    let is_set = app.mail.has_server() || address != format!("no-reply@{}", app.origin.host_name());
    [
        letter_arrival::sender(address, is_set),
        letter_arrival::https(&app.origin.to_string(), app.origin.is_https()),
        letter_arrival::postal(postal_address),
    ]
}

/// Checks that need one, all at once.
pub(super) async fn look_up(app: &App) -> Vec<Finding> {
    let dns = &Dns::new(app.dns_server);
    let from = domain_of(app.mail.sender_address());
    let envelope = domain_of(returns_to(app));
    let host = app.mail.server_host().filter(|host| !is_here(host));
    let (spf, dmarc, mx, leave) = tokio::join!(
        look_up_spf(dns, envelope, host),
        look_up_dmarc(dns, from),
        look_up_mx(dns, from),
        leave(app)
    );
    vec![spf, dmarc, mx, leave]
}

/// Whether a mail server is on this machine: then it is not known which server sends.
fn is_here(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

async fn look_up_spf(dns: &Dns, domain: &str, host: Option<&str>) -> Finding {
    if !is_own_domain(domain) {
        return not_looked_up(ArrivalCheck::Spf, domain);
    }
    let look = async {
        let records = spf::records(&dns.texts(domain).await?);
        let reach = match records.as_slice() {
            [record] => {
                let senders = match host.map(|host| (host, host.parse())) {
                    None => Some(Vec::new()),
                    Some((_, Ok(ip))) => Some(vec![ip]),
                    Some((host, Err(_))) => dns.addresses(host).await,
                };
                let is_partial = senders.is_none();
                let mut reach = reach(dns, domain, record, &senders.unwrap_or_default()).await;
                reach.is_partial |= is_partial;
                reach
            }
            _ => Reach::default(),
        };
        Some((records, reach))
    };
    let found = tokio::time::timeout(CHECK, look).await.ok().flatten();
    let (records, reach) = found.unzip();
    spf::finding(domain, records.as_deref(), &reach.unwrap_or_default(), host)
}

async fn look_up_dmarc(dns: &Dns, domain: &str) -> Finding {
    if !is_own_domain(domain) {
        return not_looked_up(ArrivalCheck::Dmarc, domain);
    }
    let look = async {
        for (at, name) in dmarc::names(domain).iter().enumerate() {
            let records = dmarc::records(&dns.texts(name).await?);
            if !records.is_empty() {
                return Some((records, at > 0));
            }
        }
        Some((Vec::new(), false))
    };
    let found = tokio::time::timeout(CHECK, look).await.ok().flatten();
    let (records, is_above) = found.unzip();
    dmarc::finding(domain, records.as_deref(), is_above.unwrap_or_default())
}

async fn look_up_mx(dns: &Dns, domain: &str) -> Finding {
    if !is_own_domain(domain) {
        return not_looked_up(ArrivalCheck::Mx, domain);
    }
    let servers = dns.mail_servers(domain).await;
    let has_address = match &servers {
        Some(servers) if servers.is_empty() => dns.addresses(domain).await.map(|found| !found.is_empty()),
        _ => None,
    };
    letter_arrival::mx(domain, servers.as_deref(), has_address)
}

/// Presses the link to leave as a mail program does, with a token that no subscription has.
async fn leave(app: &App) -> Finding {
    let link = app.origin.link(&format!("/newsletter/leave/{}", Uuid::new_v4().simple()));
    let answer = press(&link).await;
    if let Err(error) = &answer {
        tracing::info!(cause = %error, "pressing the link to leave");
    }
    letter_arrival::leave(answer.ok())
}

async fn press(link: &str) -> reqwest::Result<(u16, bool)> {
    deadwax_store::install_tls_provider();
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_millis(LOOKUP_MS))
        .build()?;
    let request = client.post(link).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let mut answer = request.body("List-Unsubscribe=One-Click").send().await?;
    // The first bytes tell; a page is not read.
    let is_empty = answer.chunk().await?.is_none_or(|chunk| chunk.is_empty());
    Ok((answer.status().as_u16(), is_empty))
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;

    #[tokio::test]
    async fn a_link_that_another_program_answers_is_told_apart() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let link = format!("http://{}/newsletter/leave/x", listener.local_addr().unwrap());
        for (answer, expected) in [
            ("200 OK\r\ncontent-length: 0", Some((200, true))),
            ("200 OK\r\ncontent-length: 5", Some((200, false))),
            ("301 Moved\r\nlocation: /x\r\ncontent-length: 0", Some((301, true))),
            ("403 Forbidden\r\ncontent-length: 0", Some((403, true))),
            ("", None),
        ] {
            let serve = async {
                let (mut socket, _) = listener.accept().await.unwrap();
                let mut request = vec![0; 4096];
                let size = socket.read(&mut request).await.unwrap();
                assert!(request[..size].starts_with(b"POST /newsletter/leave/x HTTP/1.1"));
                if !answer.is_empty() {
                    socket.write_all(format!("HTTP/1.1 {answer}\r\n\r\nhello").as_bytes()).await.unwrap();
                }
            };
            let (pressed, ()) = tokio::join!(press(&link), serve);
            assert_eq!(pressed.ok(), expected, "{answer}");
        }
        drop(listener);
        assert!(press(&link).await.is_err());
    }
}
