//! Addresses with credentials, `scheme://user:password@host`. Secrets of services contain any character, so the address is split
//! here before a URL parser reads it.

use std::fmt::Write as _;

#[derive(PartialEq, Eq)]
pub struct SecretAddress<'a> {
    scheme: &'a str,
    userinfo: Option<&'a str>,
    rest: &'a str,
}

impl std::fmt::Debug for SecretAddress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretAddress(…)")
    }
}

impl<'a> SecretAddress<'a> {
    /// Takes an address apart at the last `@` before its query, which begins with one of `parameters`. None without a scheme.
    pub fn read(text: &'a str, parameters: &[&str]) -> Option<Self> {
        let (scheme, after) = text.split_once("://")?;
        let is_known = |(at, _): &(usize, &str)| {
            let query = &after[at + 1..];
            parameters
                .iter()
                .any(|name| query.strip_prefix(name).is_some_and(|value| value.starts_with(['=', '['])))
        };
        let known = after.match_indices('?').find(is_known);
        let query =
            known.or_else(|| after.rmatch_indices('?').next().filter(|(at, _)| !after[*at..].contains('@')));
        let before = &after[..query.map_or(after.len(), |(at, _)| at)];
        let at = before.rfind('@');
        Some(Self {
            scheme,
            userinfo: at.map(|at| &after[..at]),
            rest: at.map_or(after, |at| &after[at + 1..]),
        })
    }

    pub fn has_scheme(&self, schemes: &[&str]) -> bool {
        schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case(self.scheme))
    }

    /// The same address with reserved characters in user and password escaped; valid escapes stay.
    pub fn escaped(&self) -> String {
        let mut escaped = format!("{}://", self.scheme);
        if let Some(userinfo) = self.userinfo {
            let (user, password) =
                userinfo.split_once(':').map_or((userinfo, None), |(user, rest)| (user, Some(rest)));
            escape(user, &mut escaped);
            if let Some(password) = password {
                escaped.push(':');
                escape(password, &mut escaped);
            }
            escaped.push('@');
        }
        escaped + self.rest
    }

    /// The first character of user or password that ends this part of an address for those who read addresses to the letter.
    pub(crate) fn misplaced(&self) -> Option<char> {
        self.userinfo?.chars().find(|sign| matches!(sign, '/' | '?' | '#'))
    }
}

fn escape(part: &str, escaped: &mut String) {
    let bytes = part.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let is_hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
        let stays = byte.is_ascii_alphanumeric()
            || b"-._~".contains(byte)
            || *byte == b'%' && is_hex(at + 1) && is_hex(at + 2);
        if stays {
            escaped.push(char::from(*byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: [&str; 5] = ["endpoint", "region", "tls", "user", "sslmode"];

    #[test]
    fn user_and_password_are_what_stands_before_the_last_at_sign() {
        for (text, escaped) in [
            ("s3://id:abc/def+ghi=@bucket?region=eu", "s3://id:abc%2Fdef%2Bghi%3D@bucket?region=eu"),
            ("s3://id:a@b#c?d%e@bucket", "s3://id:a%40b%23c%3Fd%25e@bucket"),
            ("s3://id:a%2Fb%zz%4@bucket", "s3://id:a%2Fb%25zz%254@bucket"),
            (
                "smtp://me@label.example:p:w@mail.example:2525?tls=required",
                "smtp://me%40label.example:p%3Aw@mail.example:2525?tls=required",
            ),
            ("s3://id:a?b=c@bucket", "s3://id:a%3Fb%3Dc@bucket"),
            ("s3://id:a?b=c@bucket?region=eu", "s3://id:a%3Fb%3Dc@bucket?region=eu"),
            ("s3://id:x@b?endpoint=https://u:p@host", "s3://id:x@b?endpoint=https://u:p@host"),
            ("postgres:///db?user=a@b&host=/run", "postgres:///db?user=a@b&host=/run"),
            ("smtp://relay?tls=none", "smtp://relay?tls=none"),
            ("s3://id:ü \\@bucket", "s3://id:%C3%BC%20%5C@bucket"),
            ("s3://id:x@b?colour=red", "s3://id:x@b?colour=red"),
            ("s3://", "s3://"),
        ] {
            assert_eq!(SecretAddress::read(text, &PARAMETERS).unwrap().escaped(), escaped, "{text}");
        }
        assert_eq!(SecretAddress::read("label.example", &PARAMETERS), None);
    }

    #[test]
    fn what_ends_an_address_too_early_is_named() {
        for (text, sign) in [
            ("postgres://u:p@ss/w#rd@host/db", Some('/')),
            ("postgres://u:p#w@host/db", Some('#')),
            ("postgres://u:p?w@host/db", Some('?')),
            ("postgres://u:p@ss@host/db?sslmode=require", None),
            ("postgres:///db?user=a@b", None),
            ("postgres://host/db", None),
        ] {
            assert_eq!(SecretAddress::read(text, &PARAMETERS).unwrap().misplaced(), sign, "{text}");
        }
    }
}
