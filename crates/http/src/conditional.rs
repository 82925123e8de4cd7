//! Conditional requests (RFC 9110 §13): whether the client already has what it asks for.

use http::{HeaderMap, HeaderValue, header};

/// Whether `If-None-Match` names `etag`, by weak comparison against each listed tag, or is `*` (RFC 9110 §13.1.2). A field
/// that is not readable text names nothing.
pub fn is_known(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let Ok(etag) = etag.to_str() else { return false };
    request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|tags| tags.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || opaque(tag) == opaque(etag))
}

/// The tag without the mark of weakness.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_known_by(fields: &[&'static str]) -> bool {
        let mut request = HeaderMap::new();
        for field in fields {
            request.append(header::IF_NONE_MATCH, HeaderValue::from_static(field));
        }
        is_known(&request, &HeaderValue::from_static("W/\"abc\""))
    }

    #[test]
    fn a_tag_is_known_where_it_is_listed_whole() {
        assert!(is_known_by(&["\"abc\""]));
        assert!(is_known_by(&["W/\"abc\""]));
        assert!(is_known_by(&["\"x\", W/\"abc\""]));
        assert!(is_known_by(&["\"x\"", "\"abc\""]));
        assert!(is_known_by(&["*"]));
    }

    #[test]
    fn a_part_of_a_tag_is_another_tag() {
        for other in ["\"abcd\"", "\"xabc\"", "abc", "\"ab\"", "", "W/W/\"abc\""] {
            assert!(!is_known_by(&[other]), "{other}");
        }
        assert!(!is_known_by(&[]));
    }
}
