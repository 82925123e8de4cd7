//! Follows the requests of an HTTP/1.1 connection as they arrive, to find one with two lengths, by `Content-Length` and by
//! `Transfer-Encoding`, also behind one that is still being answered.
//!
//! hyper resolves the ambiguity silently (RFC 9112 §6.3: the coding wins), but a proxy in front may have resolved it the other way;
//! such a request is refused and its connection closed. Only the raw header lines still show both. A request that hyper refuses ends
//! the connection, so it need not be followed further.

/// Bytes read of a line: more than the longest name with its number. A longer number counts as a second length, because the rest of
/// the connection could not be parsed.
const LONGEST: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Framing {
    stage: Stage,
    cut: Vec<u8>,
    heads: u64,
    length: Option<Length>,
    is_coded: bool,
    is_http2: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Before,
    Headers,
    Body(u64),
    ChunkSize,
    Chunk(u64),
    ChunkEnd,
    Trailers,
    /// HTTP/2, which tells no length of a message twice.
    Off,
}

/// What `Content-Length` says, where that is a number.
type Length = Option<u64>;

impl Framing {
    /// Whether the connection speaks HTTP/2, as its first line says.
    pub(super) fn is_http2(&self) -> bool {
        self.is_http2
    }

    /// Takes bytes as they came. Answers the number of a request, counted from 1, that tells its length twice.
    pub(super) fn read(&mut self, mut bytes: &[u8]) -> Option<u64> {
        let mut found = None;
        while !bytes.is_empty() && self.stage != Stage::Off {
            let (Stage::Body(left) | Stage::Chunk(left)) = self.stage else {
                let end = bytes.iter().position(|byte| *byte == b'\n').map(|index| index + 1);
                let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
                bytes = rest;
                match end {
                    None => self.keep(part),
                    Some(_) if self.cut.is_empty() => found = found.or(self.line(part)),
                    Some(_) => {
                        self.keep(part);
                        let line = std::mem::take(&mut self.cut);
                        found = found.or(self.line(&line));
                    }
                }
                continue;
            };
            let here = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
            bytes = bytes.get(here..).unwrap_or_default();
            let left = left - here as u64;
            self.stage = match self.stage {
                Stage::Body(_) if left > 0 => Stage::Body(left),
                Stage::Body(_) => Stage::Before,
                _ if left > 0 => Stage::Chunk(left),
                _ => Stage::ChunkEnd,
            };
        }
        found
    }

    fn keep(&mut self, part: &[u8]) {
        let room = LONGEST.saturating_sub(self.cut.len());
        self.cut.extend(part.iter().take(room));
    }

    fn line(&mut self, line: &[u8]) -> Option<u64> {
        // As much of it as where a read has cut it, so that the answer never depends on that.
        let is_whole = line.len() < LONGEST;
        let line = line.get(..LONGEST).unwrap_or_else(|| line.trim_ascii_end());
        match self.stage {
            Stage::Before if line.is_empty() => {}
            Stage::Before if line.starts_with(b"PRI * HTTP/2") => {
                (self.stage, self.is_http2) = (Stage::Off, true);
            }
            Stage::Before => {
                (self.length, self.is_coded) = (None, false);
                self.stage = Stage::Headers;
            }
            Stage::Headers if line.is_empty() => return self.headers_end(),
            Stage::Headers => self.header(line, is_whole),
            Stage::ChunkSize => {
                if !is_whole && !line.contains(&b';') {
                    self.stage = Stage::Off;
                    return Some(self.heads + 1);
                }
                self.stage = match chunk_size(line) {
                    Some(0) => Stage::Trailers,
                    Some(size) => Stage::Chunk(size),
                    None => Stage::Off,
                }
            }
            Stage::ChunkEnd => self.stage = Stage::ChunkSize,
            Stage::Trailers if line.is_empty() => self.stage = Stage::Before,
            Stage::Trailers | Stage::Body(_) | Stage::Chunk(_) | Stage::Off => {}
        }
        None
    }

    fn header(&mut self, line: &[u8], is_whole: bool) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return };
        let (name, value) = line.split_at(colon);
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.is_coded = true;
        } else if name.eq_ignore_ascii_case(b"content-length") {
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            let number = std::str::from_utf8(value).ok().and_then(|number| number.parse().ok());
            self.length = Some(number.filter(|_| is_whole));
        }
    }

    /// A malformed length is refused by hyper; here it counts as a second length, as one that is too long does.
    fn headers_end(&mut self) -> Option<u64> {
        self.heads += 1;
        self.stage = match (self.is_coded, self.length) {
            (true, _) => Stage::ChunkSize,
            (false, Some(Some(length))) if length > 0 => Stage::Body(length),
            (false, _) => Stage::Before,
        };
        let is_ambiguous = (self.is_coded && self.length.is_some()) || self.length == Some(None);
        is_ambiguous.then_some(self.heads)
    }
}

fn chunk_size(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: &[u8] =
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\ncontent-LENGTH: 3\r\n\r\n0\r\n\r\n";
    const CHUNKED: &[u8] = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\
        10;a=b\r\n\r\ncontent-length\r\n3\r\nabc\r\n0\r\nx: y\r\n\r\n";
    const SIZED: &[u8] =
        b"POST / HTTP/1.1\r\nX: content-length: 3 transfer-encoding: chunked\r\nContent-Length: 50\r\n\r\n\
        \ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n";
    const BARE: &[u8] = b"\r\nGET / HTTP/1.1\nHost: a\n\n";

    /// The finding, which must not depend on how reads cut the bytes.
    fn found(requests: &[&[u8]]) -> Option<u64> {
        let bytes = requests.concat();
        let whole = Framing::default().read(&bytes);
        for size in 1..bytes.len() {
            let mut framing = Framing::default();
            assert_eq!(bytes.chunks(size).find_map(|part| framing.read(part)), whole, "{size}");
        }
        whole
    }

    #[test]
    fn both_lengths_are_found_in_whichever_request_they_are() {
        assert_eq!(found(&[BOTH]), Some(1));
        assert_eq!(found(&[BARE, BOTH]), Some(2));
        assert_eq!(found(&[SIZED, CHUNKED, BARE, CHUNKED, SIZED, BOTH]), Some(6));
    }

    #[test]
    fn a_number_too_long_to_be_followed_counts_as_a_second_length() {
        let zeros = "0".repeat(80);
        let sized = format!("POST / HTTP/1.1\r\nContent-Length: {zeros}5\r\n\r\nabcde");
        let spaced = format!("POST / HTTP/1.1\r\nContent-Length:{}5\r\n\r\nabcde", " ".repeat(80));
        let chunked =
            format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{zeros}5\r\nabcde\r\n0\r\n\r\n");
        for (request, number) in [(sized, 2), (spaced, 2), (chunked, 3)] {
            assert_eq!(found(&[BARE, request.as_bytes()]), Some(number), "{request}");
            assert_eq!(found(&[BARE, request.as_bytes(), BOTH]), Some(number), "{request}");
        }
    }

    #[test]
    fn what_follows_a_number_may_be_long() {
        let long = "a".repeat(100);
        let chunked = format!(
            "POST / HTTP/1.1\r\nCookie: {long}\r\nTransfer-Encoding: chunked\r\n\r\n\
             5;{long}\r\nabcde\r\n0\r\nx: {long}\r\n\r\n"
        );
        assert_eq!(found(&[chunked.as_bytes(), BARE]), None);
        assert_eq!(found(&[chunked.as_bytes(), BARE, BOTH]), Some(3));
    }

    #[test]
    fn one_length_and_what_bodies_say_are_no_matter() {
        assert_eq!(found(&[SIZED, CHUNKED, BARE, SIZED]), None);
        assert_eq!(found(&[b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", BOTH]), None);
    }
}
