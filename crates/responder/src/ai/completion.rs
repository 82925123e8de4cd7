//! A model's answer (chat completions as `OpenAI` defines them): one JSON document, or server-sent events from servers that always stream.
//! Read as it arrives, up to a bound.

use http::HeaderValue;
use rules::terminal::AI_READ_MAX_BYTES;
use serde::Deserialize;

/// An answer being read.
#[derive(Debug)]
pub(super) struct Reading {
    body: Vec<u8>,
    is_stream: bool,
    /// Start of the current, unfinished line.
    line_start: usize,
    state: State,
    streamed: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// The answer says that it is complete.
    Said,
    Ended,
    Full,
    /// The answer is malformed.
    Broken,
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
struct Event {
    #[serde(default)]
    choices: Vec<EventChoice>,
}

#[derive(Deserialize)]
struct EventChoice {
    #[serde(default)]
    delta: Said,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Said {
    #[serde(default)]
    content: Option<String>,
}

impl Reading {
    pub(super) fn of(content_type: Option<&HeaderValue>) -> Self {
        let essence = content_type.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let essence = essence.split(';').next().unwrap_or_default().trim();
        Self {
            body: Vec::new(),
            is_stream: essence.eq_ignore_ascii_case("text/event-stream"),
            line_start: 0,
            state: State::Open,
            streamed: String::new(),
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.state != State::Open
    }

    pub(super) fn feed(&mut self, piece: &[u8]) {
        let room = AI_READ_MAX_BYTES - self.body.len();
        self.body.extend_from_slice(&piece[..piece.len().min(room)]);
        if self.is_stream {
            self.read_lines();
        }
        if self.state == State::Open && piece.len() > room {
            self.state = State::Full;
        }
    }

    pub(super) fn end(&mut self) {
        if self.state == State::Open {
            self.state = State::Ended;
        }
    }

    /// The answer's text; none if it is malformed or incomplete.
    pub(super) fn text(self) -> Option<String> {
        match (self.is_stream, self.state) {
            // A stream that ends without saying so was cut off.
            (_, State::Open | State::Broken) | (true, State::Ended) => None,
            (true, State::Said | State::Full) => Some(self.streamed),
            (false, State::Full) => first(&serde_json::from_str(&closed(&self.body)).ok()?),
            (false, State::Said | State::Ended) => first(&serde_json::from_slice(&self.body).ok()?),
        }
    }

    /// Reads the lines that are complete. Every event of this format is one line of data.
    fn read_lines(&mut self) {
        while self.state == State::Open
            && let Some(length) = self.body[self.line_start..].iter().position(|byte| *byte == b'\n')
        {
            let line = &self.body[self.line_start..self.line_start + length];
            self.line_start += length + 1;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let Some(data) = line.strip_prefix(b"data:").map(<[u8]>::trim_ascii) else { continue };
            if data == b"[DONE]" {
                self.state = State::Said;
                return;
            }
            let Ok(event) = serde_json::from_slice::<Event>(data) else {
                self.state = State::Broken;
                return;
            };
            if let Some(choice) = event.choices.into_iter().next() {
                self.streamed.push_str(&choice.delta.content.unwrap_or_default());
                if choice.finish_reason.is_some() {
                    self.state = State::Said;
                }
            }
        }
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

    fn read(kind: &'static str, pieces: &[&[u8]]) -> Option<String> {
        let mut reading = Reading::of(Some(&HeaderValue::from_static(kind)));
        for piece in pieces {
            assert!(!reading.is_complete(), "read on although it was complete");
            reading.feed(piece);
        }
        if !reading.is_complete() {
            reading.end();
        }
        reading.text()
    }

    const JSON: &str = "application/json";
    const STREAM: &str = "text/event-stream; charset=utf-8";

    #[test]
    fn a_document_is_read_whole() {
        let body = br#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"LOW SUN"},"finish_reason":"stop"}]}"#;
        assert_eq!(read(JSON, &[&body[..20], &body[20..]]).as_deref(), Some("LOW SUN"));
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
            assert_eq!(read(JSON, &[broken]), None, "{}", String::from_utf8_lossy(broken));
        }
    }

    #[test]
    fn a_stream_is_put_together_until_it_says_that_it_ends() {
        let events = "\u{feff}: hello\r\n\r\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\r\n\r\n\
             data:{\"choices\":[{\"delta\":{\"content\":\"LOW \"}}]}\n\nevent: x\n\
             data: {\"choices\":[{\"delta\":{\"content\":\"SÜN\"},\"finish_reason\":null}]}\n\ndata: {\"choices\":[]}\n\n";
        let done = format!("{events}data: [DONE]\n\n");
        let bytes: Vec<&[u8]> =
            done.trim_end_matches('\n').as_bytes().chunks(1).chain([&b"\n"[..]]).collect();
        assert_eq!(read(STREAM, &bytes).as_deref(), Some("LOW SÜN"));
        let finished =
            format!("{events}data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"stop\"}}]}}\n\n");
        assert_eq!(read(STREAM, &[finished.as_bytes()]).as_deref(), Some("LOW SÜN"));
        assert_eq!(read(STREAM, &[events.as_bytes()]), None, "cut off");
        assert_eq!(read(STREAM, &[b"data: {oops\n\n"]), None);
        assert_eq!(read(STREAM, &[b"data: {\"error\":{\"message\":\"no\"}}\n\n"]), None);
    }

    #[test]
    fn of_a_body_without_end_the_beginning_counts() {
        let json = format!(
            r#"{{"choices":[{{"message":{{"role":"assistant","content":"{}"}}}}]}}"#,
            "é\\n".repeat(100_000)
        );
        let text = read(JSON, &[json.as_bytes()]).unwrap();
        assert!(
            text.starts_with("é\né\n") && text.len() > 40_000 && text.len() < AI_READ_MAX_BYTES,
            "{}",
            text.len()
        );
        let event = "data: {\"choices\":[{\"delta\":{\"content\":\"word \"}}]}\n\n";
        let text = read(STREAM, &[event.repeat(20_000).as_bytes()]).unwrap();
        assert!(text.starts_with("word word ") && text.len() > 4_000);
        assert_eq!(read(JSON, &[" ".repeat(100_000).as_bytes()]), None);
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
