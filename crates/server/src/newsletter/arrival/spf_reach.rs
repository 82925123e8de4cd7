//! Follows the names in an SPF record, as a server does that receives mail.

use std::net::IpAddr;

use rules::letter_arrival::spf::{Reach, Rest, SPF_LOOKUPS_MAX, Term, is_within, parse, records};

use super::dns::Dns;

/// Servers of one name that are looked up.
const MAIL_SERVERS_MAX: usize = 10;

/// Where the record of `domain` leads, and whether it allows one of `senders`.
pub(super) async fn reach(dns: &Dns, domain: &str, record: &str, senders: &[IpAddr]) -> Reach {
    let mut reach = Reach::default();
    let mut open = vec![(domain.to_owned(), record.to_owned(), true)];
    while let Some((name, record, is_the_end)) = open.pop() {
        let Some(spf) = parse(&record) else {
            reach.is_broken = true;
            continue;
        };
        if is_the_end {
            reach.rest = Some(spf.rest);
        }
        let redirect = spf.redirect.map(Term::Include);
        let terms = spf.terms.into_iter().map(|term| (term, false));
        for (term, is_redirect) in terms.chain(redirect.map(|term| (term, true))) {
            if !matches!(term, Term::Network(..)) {
                reach.lookups += 1;
                if reach.lookups > SPF_LOOKUPS_MAX {
                    return reach;
                }
            }
            match term {
                Term::Network(network, bits) => {
                    reach.covers |= senders.iter().any(|sender| is_within(*sender, network, bits));
                }
                Term::Addresses(of, four, six) => {
                    allow(dns, &mut reach, of.as_deref().unwrap_or(&name), (four, six), senders).await;
                }
                Term::MailServers(of, four, six) if !senders.is_empty() => {
                    let of = of.as_deref().unwrap_or(&name);
                    match dns.mail_servers(of).await {
                        None => reach.is_partial = true,
                        Some(servers) => {
                            for server in servers.iter().take(MAIL_SERVERS_MAX) {
                                allow(dns, &mut reach, server, (four, six), senders).await;
                            }
                        }
                    }
                }
                Term::Opaque | Term::MailServers(..) => {}
                Term::Include(other) => match dns.texts(&other).await.map(|texts| records(&texts)) {
                    None => reach.is_partial = true,
                    Some(found) => match <[String; 1]>::try_from(found) {
                        Ok([record]) => {
                            reach.names.push(other.clone());
                            open.push((other, record, is_the_end && is_redirect));
                        }
                        Err(_) => reach.is_broken = true,
                    },
                },
            }
        }
    }
    if reach.is_partial && reach.rest == Some(Rest::Open) {
        reach.rest = None;
    }
    reach
}

async fn allow(dns: &Dns, reach: &mut Reach, name: &str, (four, six): (u8, u8), senders: &[IpAddr]) {
    if senders.is_empty() || reach.covers {
        return;
    }
    let Some(addresses) = dns.addresses(name).await else {
        reach.is_partial = true;
        return;
    };
    reach.covers |= addresses.iter().any(|address| {
        let bits = if address.is_ipv4() { four } else { six };
        senders.iter().any(|sender| is_within(*sender, *address, bits))
    });
}
