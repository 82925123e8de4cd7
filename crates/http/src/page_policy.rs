//! The content security policy of the website's pages: what headers allow every page, and what stands in the document itself.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use http::HeaderValue;
use sha2::{Digest as _, Sha256};

use crate::headers::{PAGE_CSP, PAGE_CSP_HTTPS};

/// The policy of pages made from `document`: its own `<style>` elements are allowed by the hash of what is in them, and no others.
/// Scripts have files of their own. Made once; a document without a style has the policy of every page.
pub fn page_policy(document: &str, https: bool) -> HeaderValue {
    let policy = if https { PAGE_CSP_HTTPS } else { PAGE_CSP };
    let unchanged = HeaderValue::from_static(policy);
    let styles = hashes(&styles_in(document));
    if styles.is_empty() {
        return unchanged;
    }
    let named = policy.replace("style-src 'self'", &format!("style-src 'self'{styles}"));
    HeaderValue::try_from(named).unwrap_or(unchanged)
}

/// What stands in each `<style>` element, as browsers read it.
fn styles_in(document: &str) -> Vec<String> {
    const OPEN: &str = "<style";
    const CLOSE: &str = "</style";
    let lower = document.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) =
        lower.get(from..).and_then(|rest| rest.find(OPEN)).map(|at| from + at + OPEN.len())
    {
        from = start;
        let Some(content) = lower.get(start..).and_then(|rest| rest.find('>')).map(|at| start + at + 1)
        else {
            break;
        };
        let attributes = lower.get(start..content - 1).unwrap_or_default();
        if !attributes.is_empty() && !attributes.starts_with(|c: char| c.is_ascii_whitespace() || c == '/') {
            continue;
        }
        let Some(end) = lower.get(content..).and_then(|rest| rest.find(CLOSE)).map(|at| content + at) else {
            break;
        };
        // HTML has one kind of line end, whatever the file has.
        let text = document.get(content..end).unwrap_or_default();
        found.push(text.replace("\r\n", "\n").replace('\r', "\n"));
        from = end;
    }
    found
}

fn hashes(contents: &[String]) -> String {
    contents.iter().fold(String::new(), |named, content| {
        named + &format!(" 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(content)))
    })
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
        let document = "<style>p{color:red}</style><noscript><STYLE media=\"all\">a\r\nb</STYLE></noscript>";
        let crlf = hashes(&["a\nb".to_owned()]);
        let wanted = PAGE_CSP.replace("style-src 'self'", &format!("style-src 'self' {red}{crlf}"));
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
