//! Control characters in the heads of a form's parts: a file's name may have them, browsers send them as they are, and the reader
//! of forms refuses a head that has any. They are taken out before it sees them; the bytes of files pass untouched.

use axum::{body::Body, extract::Request, middleware::Next, response::Response};
use bytes::Bytes;
use futures_util::StreamExt as _;
use http::header;

pub async fn clean(request: Request, next: Next) -> Response {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let Some(boundary) = content_type.and_then(boundary) else { return next.run(request).await };
    let mut heads = Heads::new(&boundary);
    let request = request.map(|body| {
        let pieces = body.into_data_stream();
        Body::from_stream(pieces.map(move |piece| piece.map(|piece| heads.clean(piece))))
    });
    next.run(request).await
}

fn boundary(content_type: &str) -> Option<String> {
    let (essence, parameters) = content_type.split_once(';')?;
    if !essence.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (name.trim().eq_ignore_ascii_case("boundary") && !value.is_empty()).then(|| value.to_owned())
    })
}

#[derive(Debug)]
struct Heads {
    before_head: Vec<u8>,
    is_in_head: bool,
    /// Bytes of the sign that ends this stretch that have been seen in a row.
    seen: usize,
}

const AFTER_HEAD: &[u8] = b"\r\n\r\n";

impl Heads {
    fn new(boundary: &str) -> Self {
        // The first boundary has no line break before it.
        Self { before_head: format!("\r\n--{boundary}").into_bytes(), is_in_head: false, seen: 2 }
    }

    fn clean(&mut self, piece: Bytes) -> Bytes {
        let mut kept: Option<Vec<u8>> = None;
        let mut at = 0;
        while at < piece.len() {
            // Between parts' heads, every sign begins with a carriage return: what lies before the next one is a file's.
            if !self.is_in_head && self.seen == 0 {
                let run = piece[at..].iter().position(|byte| *byte == b'\r').unwrap_or(piece.len() - at);
                if let Some(kept) = &mut kept {
                    kept.extend_from_slice(&piece[at..at + run]);
                }
                at += run;
                if at == piece.len() {
                    break;
                }
            }
            let byte = piece[at];
            if self.is_in_head && byte.is_ascii_control() && !matches!(byte, b'\r' | b'\n' | b'\t') {
                kept.get_or_insert_with(|| piece[..at].to_vec());
            } else {
                self.see(byte);
                if let Some(kept) = &mut kept {
                    kept.push(byte);
                }
            }
            at += 1;
        }
        kept.map_or(piece, Bytes::from)
    }

    fn see(&mut self, byte: u8) {
        let sign = if self.is_in_head { AFTER_HEAD } else { &self.before_head };
        // A carriage return can only begin a sign anew, or be the one in the middle of the end of a head.
        self.seen = if sign[self.seen] == byte { self.seen + 1 } else { usize::from(byte == b'\r') };
        if self.seen == sign.len() {
            self.is_in_head = !self.is_in_head;
            self.seen = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(form: &[u8], size: usize) -> Vec<u8> {
        let mut heads = Heads::new("b-7");
        form.chunks(size).flat_map(|piece| heads.clean(Bytes::copy_from_slice(piece))).collect()
    }

    #[test]
    fn control_characters_go_from_heads_and_stay_in_files() {
        let form = |name: &[u8]| {
            [
                b"--b-7\r\nContent-Disposition: form-data; name=\"file\"; filename=\"".as_slice(),
                name,
                b"\"\r\nContent-Type: image/gif\r\n\r\nGIF\x00\x01\r\r\n\r\n\x7f--b-\r\n--b-\x02\r\n--b-7\r\n",
                b"Content-Disposition: form-data; name=\"a\x1b\"\r\n\r\n\x00\r\n--b-7--\r\n",
            ]
            .concat()
        };
        let expected: Vec<u8> =
            String::from_utf8(form(b"a\tb.gif")).unwrap().replace("a\u{1b}\"", "a\"").into_bytes();
        for size in 1..form(b"").len() + 8 {
            assert_eq!(cleaned(&form(b"\x01a\tb\x00.g\x7fif\x1f"), size), expected, "pieces of {size}");
        }
    }

    #[test]
    fn the_boundary_is_read_as_it_may_be_written() {
        for (content_type, expected) in [
            ("multipart/form-data; boundary=b-7", Some("b-7")),
            ("Multipart/Form-Data;charset=utf-8; Boundary=\"b-7\"", Some("b-7")),
            ("multipart/form-data", None),
            ("multipart/form-data; boundary=", None),
            ("multipart/mixed; boundary=b-7", None),
            ("application/json", None),
        ] {
            assert_eq!(boundary(content_type).as_deref(), expected, "{content_type}");
        }
    }
}
