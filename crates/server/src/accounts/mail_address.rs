//! Mail addresses as they are stored and compared: tidied, in lower case, the domain in ASCII (IDNA, UTS #46).

use deadwax_store::crypto::Keys;

/// The address with its domain in ASCII. One that cannot be converted is left for the rules to refuse.
pub fn to_ascii(input: &str) -> String {
    let typed = rules::email::tidied(input);
    match typed.rsplit_once('@') {
        Some((local, domain)) if !domain.is_ascii() => match idna::domain_to_ascii_strict(domain) {
            Ok(domain) => format!("{local}@{domain}"),
            Err(_) => typed,
        },
        _ => typed,
    }
}

/// The mailbox of an address for counting mail: without its tag behind a plus sign.
pub fn mailbox(email: &str) -> String {
    match email.split_once('@') {
        Some((local, domain)) => format!("{}@{domain}", local.split('+').next().unwrap_or(local)),
        None => email.to_owned(),
    }
}

/// The key of a mailbox in counters of `kind`, without its address.
pub fn counter(keys: &Keys, kind: &str, email: &str) -> String {
    let mac = keys.mac(&[b"mailbox", mailbox(email).as_bytes()]);
    format!("{kind}:{}", hex::encode(&mac[..16]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_becomes_ascii_and_the_rest_stays_as_typed() {
        for (typed, expected) in [
            (" Max@Example.org ", "Max@Example.org"),
            ("max@bücher.example", "max@xn--bcher-kva.example"),
            ("Max <max＠bücher。example>", "max@xn--bcher-kva.example"),
            ("mıke@example.org", "mıke@example.org"),
            ("max@", "max@"),
            ("max@a b.é", "max@a b.é"),
            ("nobody", "nobody"),
        ] {
            assert_eq!(to_ascii(typed), expected);
        }
    }

    #[test]
    fn tags_share_a_mailbox() {
        assert_eq!(mailbox("max+news@example.org"), "max@example.org");
        assert_eq!(mailbox("max@example.org"), "max@example.org");
    }
}
