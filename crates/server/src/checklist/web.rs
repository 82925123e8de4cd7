//! Entries about the way to the browser: the connection, the cookies and the headers, as they are really sent.

use deadwax_config::Origin;
use deadwax_http::headers::Kind;
use http::{HeaderMap, HeaderValue, header};
use ipnet::IpNet;
use rules::session;

use super::{Finding, Status, span};
use crate::auth::cookies;

pub(super) fn transport(origin: &Origin, trusted_proxies: &[IpNet]) -> Finding {
    let https = origin.is_https();
    let mut answer = HeaderMap::new();
    cookies::set(origin, &mut answer, cookies::Name::Session, "token");
    let cookie = answer.get(header::SET_COOKIE).and_then(|cookie| cookie.to_str().ok()).unwrap_or_default();
    let trusts_all = trusted_proxies.iter().any(|net| net.prefix_len() == 0);
    let connection = if https {
        (Status::Pass, format!("{origin} is reached over https alone."))
    } else {
        (
            Status::Warning,
            format!(
                "{origin} is plain http, which is safe on this machine only: for visitors, set DEADWAX_PUBLIC_URL to an https address."
            ),
        )
    };
    let mut parts = vec![connection, judge_cookie(cookie, https)];
    parts.push((
        Status::Pass,
        format!(
            "A session ends after {} without use and after {} in any case.",
            span(session::IDLE_MS),
            span(session::ABSOLUTE_MS)
        ),
    ));
    if trusts_all {
        parts.push((
            Status::Warning,
            "TRUSTED_PROXIES includes every address: anybody can choose the address that limits count."
                .to_owned(),
        ));
    }
    Finding::of(parts)
}

/// Judges a session cookie; `Secure` and the `__Host-` prefix are required over TLS.
fn judge_cookie(cookie: &str, https: bool) -> (Status, String) {
    let attributes: Vec<&str> = cookie.split(';').skip(1).map(str::trim).collect();
    let mut asked = vec!["HttpOnly", "SameSite=Lax"];
    if https {
        asked.push("Secure");
    }
    let mut missing: Vec<&str> = asked.iter().copied().filter(|name| !attributes.contains(name)).collect();
    if https && !cookie.starts_with("__Host-") {
        missing.push("__Host-");
    }
    if missing.is_empty() {
        (Status::Pass, format!("The session's cookie is {}.", asked.join(", ")))
    } else {
        (Status::Fail, format!("The session's cookie lacks {}.", missing.join(", ")))
    }
}

/// Judges the headers of every kind of answer, made as answers get them; pages have their own policy.
pub(super) fn headers(https: bool, page_policy: &HeaderValue) -> Finding {
    let sets = Kind::ALL.map(|kind| {
        let mut headers = HeaderMap::new();
        kind.apply(&mut headers, https);
        if kind == Kind::Page {
            headers.insert(header::CONTENT_SECURITY_POLICY, page_policy.clone());
        }
        (kind, headers)
    });
    judge_headers(&sets, https)
}

fn judge_headers(sets: &[(Kind, HeaderMap)], https: bool) -> Finding {
    let mut wrong = Vec::new();
    for (kind, headers) in sets {
        let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let policy = value("content-security-policy");
        let expected = [
            ("what is not named", sources(policy, "default-src") == ["'none'"]),
            (
                "inline or foreign scripts",
                sources(policy, "script-src").iter().all(|from| SCRIPTS.contains(from)),
            ),
            // A stored picture may style itself in its sandbox.
            (
                "inline styles",
                *kind == Kind::Media || sources(policy, "style-src").iter().all(|from| is_known_style(from)),
            ),
            ("guessing of types", value("x-content-type-options") == "nosniff"),
            ("framing", value("x-frame-options") == "DENY"),
            ("referrers", value("referrer-policy") == "no-referrer"),
            ("windows of other websites", value("cross-origin-opener-policy") == "same-origin"),
            ("cameras and the like", value("permissions-policy").contains("camera=()")),
            ("a way back to http", !https || value("strict-transport-security").starts_with("max-age=")),
        ];
        wrong.extend(
            expected.iter().filter(|(_, is_right)| !is_right).map(|(what, _)| format!("{kind:?}: {what}")),
        );
    }
    let mut parts = vec![if wrong.is_empty() {
        (
            Status::Pass,
            format!(
                "All {} kinds of answers forbid foreign and inline scripts, framing, guessing of types and referrers.",
                sets.len()
            ),
        )
    } else {
        (Status::Fail, format!("Not forbidden: {}.", wrong.join("; ")))
    }];
    parts.push((
        Status::Pass,
        if https {
            "Strict-Transport-Security is sent.".to_owned()
        } else {
            "Strict-Transport-Security is sent under https only, so not here.".to_owned()
        },
    ));
    Finding::of(parts)
}

const SCRIPTS: [&str; 3] = ["'none'", "'self'", "'wasm-unsafe-eval'"];
fn is_known_style(from: &str) -> bool {
    matches!(from, "'none'" | "'self'") || from.starts_with("'sha256-")
}

/// The sources of a directive; falls back to `default-src`, and without that to anything.
fn sources<'a>(policy: &'a str, directive: &str) -> Vec<&'a str> {
    let named = |name: &str| {
        policy.split(';').find_map(|part| {
            let mut words = part.split_ascii_whitespace();
            (words.next() == Some(name)).then(|| words.collect::<Vec<_>>())
        })
    };
    named(directive).or_else(|| named("default-src")).unwrap_or_else(|| vec!["*"])
}

#[cfg(test)]
mod tests {
    use deadwax_http::headers::page_policy;

    use super::*;

    #[test]
    fn cookies_are_judged_by_what_they_say() {
        let whole = "__Host-sid=x; HttpOnly; SameSite=Lax; Secure; Path=/";
        assert_eq!(judge_cookie(whole, true).0, Status::Pass);
        for lacking in ["HttpOnly; ", "SameSite=Lax; ", "Secure; ", "__Host-"] {
            assert_eq!(judge_cookie(&whole.replace(lacking, ""), true).0, Status::Fail, "{lacking}");
        }
        assert_eq!(judge_cookie("sid=x; HttpOnly; SameSite=Lax; Path=/", false).0, Status::Pass);
    }

    #[test]
    fn a_header_that_is_missing_or_weak_is_named() {
        for https in [false, true] {
            let policy = page_policy("<style>p{}</style>", https);
            assert_eq!(headers(https, &policy).status, Status::Pass);
            let named = "script-src 'self' 'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='";
            let policy = policy.to_str().unwrap().replace("script-src 'self'", named);
            assert_eq!(headers(https, &HeaderValue::try_from(policy).unwrap()).status, Status::Fail);
        }
        let judge = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            Kind::Page.apply(&mut headers, true);
            headers.insert(name, HeaderValue::from_static(value));
            judge_headers(&[(Kind::Page, headers)], true)
        };
        for (name, value) in [
            ("content-security-policy", ""),
            (
                "content-security-policy",
                "default-src 'none'; script-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
            ),
            ("content-security-policy", "default-src 'none'; script-src *; frame-ancestors 'none'"),
            ("content-security-policy", "script-src 'self'; frame-ancestors 'none'"),
            (
                "content-security-policy",
                "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
            ),
            ("x-content-type-options", ""),
            ("x-frame-options", "SAMEORIGIN"),
            ("referrer-policy", "unsafe-url"),
            ("cross-origin-opener-policy", "unsafe-none"),
            ("permissions-policy", "camera=*"),
            ("strict-transport-security", ""),
        ] {
            let found = judge(name, value);
            assert_eq!(found.status, Status::Fail, "{name}: {value}");
        }
    }
}
