//! The headers every answer carries, by kind of answer: what browsers may load, embed, keep and guess.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use sha2::{Digest as _, Sha256};

/// Allows own scripts and WebAssembly, pictures from anywhere over https, and the two players.
macro_rules! page_csp {
    ($more:literal) => {
        concat!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob: https:; \
            media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'none'; frame-src ",
            rules::player_origins!(),
            "; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'; report-uri /api/csp-report",
            $more
        )
    };
}
const PAGE_CSP: &str = page_csp!("");

/// The same under https, where nothing may fall back to http.
const PAGE_CSP_HTTPS: &str = page_csp!("; upgrade-insecure-requests");

const API_CSP: &str = "default-src 'none'; frame-ancestors 'none'";
const MEDIA_CSP: &str = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/// Everything off that Chromium knows (of others it complains on every page), except what the two players need.
const PERMISSIONS: &str = concat!(
    "accelerometer=(), autoplay=(",
    rules::quoted_player_origins!(),
    "), browsing-topics=(), camera=(), display-capture=(), encrypted-media=(",
    rules::quoted_player_origins!(),
    "), fullscreen=(",
    rules::quoted_player_origins!(),
    "), gamepad=(), geolocation=(), gyroscope=(), hid=(), identity-credentials-get=(), idle-detection=(), local-fonts=(), \
    magnetometer=(), microphone=(), midi=(), otp-credentials=(), payment=(), picture-in-picture=(), \
    publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), storage-access=(), usb=(), \
    window-management=(), xr-spatial-tracking=()"
);

/// The one type of JSON answers; handlers' answers come without the charset.
const JSON: &str = "application/json; charset=utf-8";

/// Two years, as browsers' preload lists ask for.
const HSTS: &str = "max-age=63072000; includeSubDomains";

const CROSS_ORIGIN_OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// The kinds of answers that differ in what a browser may do with them. A response carries its kind as an extension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Api,
    Page,
    Asset,
    Media,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Api, Self::Page, Self::Asset, Self::Media];

    pub fn apply(self, headers: &mut HeaderMap, https: bool) {
        let csp = match self {
            Self::Page if https => PAGE_CSP_HTTPS,
            Self::Page => PAGE_CSP,
            Self::Api | Self::Asset => API_CSP,
            Self::Media => MEDIA_CSP,
        };
        let embeddable = if self == Self::Media { "cross-origin" } else { "same-origin" };
        for (name, value) in [
            (header::CONTENT_SECURITY_POLICY, csp),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (CROSS_ORIGIN_OPENER_POLICY, "same-origin"),
            (CROSS_ORIGIN_RESOURCE_POLICY, embeddable),
            (PERMISSIONS_POLICY, PERMISSIONS),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if https {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
        }
    }
}

/// Gives every answer its kind's headers and JSON its charset, and forbids keeping those that said nothing about it. The state is whether the website
/// is reached by https.
pub async fn set_headers(State(https): State<bool>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let kind = response.extensions().get::<Kind>().copied().unwrap_or_default();
    let headers = response.headers_mut();
    if headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json") {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        kind.apply(headers, https);
    }
    response
}

/// The policy of pages made from `document`, which allows its own `<style>` elements by their hashes. Made once; without a style it
/// is the policy of every page.
pub fn page_policy(document: &str, https: bool) -> HeaderValue {
    let policy = if https { PAGE_CSP_HTTPS } else { PAGE_CSP };
    let unchanged = HeaderValue::from_static(policy);
    let ended = document.split("<style>").skip(1).filter_map(|rest| rest.split_once("</style>"));
    let styles: String = ended.map(|(style, _)| hash_of(style)).collect();
    if styles.is_empty() {
        return unchanged;
    }
    let named = policy.replace("style-src 'self'", &format!("style-src 'self'{styles}"));
    HeaderValue::try_from(named).unwrap_or(unchanged)
}

fn hash_of(style: &str) -> String {
    format!(" 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(style)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(document: &str) -> String {
        page_policy(document, false).to_str().unwrap().to_owned()
    }

    #[test]
    fn a_document_without_a_style_has_the_policy_of_every_page() {
        let document = "<title>x</title><script type=\"module\" src=\"/a.js\"></script><styles></styles>\
            <script>1</script><link rel=\"stylesheet\" href=\"/a.css\">";
        assert_eq!(policy(document), PAGE_CSP);
        assert_eq!(page_policy(document, true), PAGE_CSP_HTTPS);
    }

    #[test]
    fn styles_are_allowed_by_their_hash() {
        // printf 'p{color:red}' | openssl dgst -sha256 -binary | base64
        let red = "'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='";
        let document = "<style>p{color:red}</style><noscript><style>a\nb</style></noscript>";
        let wanted =
            PAGE_CSP.replace("style-src 'self'", &format!("style-src 'self' {red}{}", hash_of("a\nb")));
        assert_eq!(policy(document), wanted);
        assert!(page_policy(document, true).to_str().unwrap().ends_with("upgrade-insecure-requests"));
    }

    #[test]
    fn an_element_that_does_not_end_allows_nothing() {
        for document in ["<style>p{}", "<style", "<style >", "<style/", ""] {
            assert_eq!(policy(document), PAGE_CSP, "{document}");
        }
    }
}
