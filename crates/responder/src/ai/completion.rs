//! A model's answer: a chat completion as `OpenAI` defines it.

use serde::Deserialize;

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Said,
}

#[derive(Deserialize)]
struct Said {
    content: Option<String>,
}

/// The answer's text; none if the body is malformed or incomplete.
pub(super) fn text(body: &[u8]) -> Option<String> {
    let completion: Completion = serde_json::from_slice(body).ok()?;
    completion.choices.into_iter().next()?.message.content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_whole() {
        let body = br#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"LOW SUN"},"finish_reason":"stop"}]}"#;
        assert_eq!(text(body).as_deref(), Some("LOW SUN"));
        for broken in [
            &b"{}"[..],
            b"",
            b"not json",
            br#"{"choices":[]}"#,
            br#"{"choices":[{"message":{"content":null}}]}"#,
            br#"{"choices":[{"message":{"content":7}}]}"#,
            br#"{"choices":[{"message":{"content":"cut o"#,
            b"\xff\xfe",
        ] {
            assert_eq!(text(broken), None, "{}", String::from_utf8_lossy(broken));
        }
    }
}
