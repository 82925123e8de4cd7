//! A model's answer: a chat completion as `OpenAI` defines it. Read as it arrives, up to a bound.

use rules::terminal::AI_READ_MAX_BYTES;
use serde::Deserialize;

/// An answer being read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    body: Vec<u8>,
    pub(super) is_full: bool,
}

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

impl Reading {
    pub(super) fn feed(&mut self, piece: &[u8]) {
        let room = AI_READ_MAX_BYTES - self.body.len();
        self.body.extend_from_slice(&piece[..piece.len().min(room)]);
        self.is_full = piece.len() > room;
    }

    /// The answer's text; none if it is malformed or incomplete.
    pub(super) fn text(self) -> Option<String> {
        let body = if self.is_full { closed(&self.body).into_bytes() } else { self.body };
        first(&serde_json::from_slice(&body).ok()?)
    }
}

fn first(completion: &Completion) -> Option<String> {
    completion.choices.first()?.message.content.clone()
}

/// A truncated JSON document with its open parts closed. A cut inside the answer's text keeps its beginning; a cut anywhere else leaves no
/// valid answer.
fn closed(cut: &[u8]) -> String {
    let valid = match std::str::from_utf8(cut) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&cut[..error.valid_up_to()]).unwrap_or_default(),
    };
    let bytes = valid.as_bytes();
    let (mut at, mut open, mut in_string) = (0, Vec::new(), false);
    while at < bytes.len() {
        let length = if in_string && bytes[at] == b'\\' { escape_length(&bytes[at..]) } else { 1 };
        if at + length > bytes.len() {
            break;
        }
        match (in_string, bytes[at]) {
            (_, b'"') => in_string = !in_string,
            (false, b'{') => open.push('}'),
            (false, b'[') => open.push(']'),
            (false, b'}' | b']') => drop(open.pop()),
            _ => {}
        }
        at += length;
    }
    let mut text = valid[..at].to_owned();
    if in_string {
        text.push('"');
    }
    text.extend(open.into_iter().rev());
    text
}

/// Bytes of the escape at the beginning, as far as they are there: two, six for a number, twelve for both halves of a pair.
fn escape_length(bytes: &[u8]) -> usize {
    match bytes {
        [_, b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] => 12,
        [_, b'u', ..] => 6,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Option<String> {
        let mut reading = Reading::default();
        for piece in pieces {
            assert!(!reading.is_full, "read on although it was full");
            reading.feed(piece);
        }
        reading.text()
    }

    #[test]
    fn a_document_is_read_whole() {
        let body = br#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"LOW SUN"},"finish_reason":"stop"}]}"#;
        assert_eq!(read(&[&body[..20], &body[20..]]).as_deref(), Some("LOW SUN"));
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
            assert_eq!(read(&[broken]), None, "{}", String::from_utf8_lossy(broken));
        }
    }

    #[test]
    fn of_a_body_without_end_the_beginning_counts() {
        let json = format!(
            r#"{{"choices":[{{"message":{{"role":"assistant","content":"{}"}}}}]}}"#,
            "é\\n".repeat(100_000)
        );
        let text = read(&[json.as_bytes()]).unwrap();
        assert!(
            text.starts_with("é\né\n") && text.len() > 40_000 && text.len() < AI_READ_MAX_BYTES,
            "{}",
            text.len()
        );
        assert_eq!(read(&[" ".repeat(100_000).as_bytes()]), None);
    }

    #[test]
    fn a_cut_document_is_closed_wherever_it_is_cut() {
        let whole = r#"{"choices":[{"message":{"content":"a\"b\\\\\u00e9\ud83d\ude00 é"}}]}"#;
        let start = whole.find(r#"a\""#).unwrap();
        let end = whole.rfind(r#""}}"#).unwrap();
        for at in start..=end {
            let text = closed(&whole.as_bytes()[..at]);
            let completion: Completion =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{at}: {text}: {error}"));
            let said = first(&completion).unwrap();
            assert!("a\"b\\\\é😀 é".starts_with(&said), "{at}: {said}");
        }
    }
}
