//! Finds requests whose length is told twice, by `Content-Length` and by `Transfer-Encoding`.
//!
//! hyper settles the ambiguity silently (RFC 9112 §6.3: the coding wins), but a proxy in front may have settled it the other
//! way; such a request is refused and its connection closed. Only the raw header lines still show both.

/// More than the longest name.
const LONGEST: usize = 32;

const NAMES: [&[u8]; 2] = [b"content-length:", b"transfer-encoding:"];

/// Watches the header lines of one connection, as they arrive.
#[derive(Debug, Default)]
pub(super) struct HeaderLines {
    /// The beginning of a line that the last read cut, as far as a name reaches.
    cut: Vec<u8>,
    seen: [bool; 2],
}

impl HeaderLines {
    /// A new request begins.
    pub(super) fn reset(&mut self) {
        self.cut.clear();
        self.seen = [false; 2];
    }

    /// Takes bytes of the headers; answers whether both names have now been seen.
    pub(super) fn read(&mut self, bytes: &[u8]) -> bool {
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        if !self.cut.is_empty()
            && let Some(rest) = lines.next()
        {
            let mut line = std::mem::take(&mut self.cut);
            line.extend_from_slice(rest.get(..rest.len().min(LONGEST)).unwrap_or_default());
            self.line(&line, rest.ends_with(b"\n"));
        }
        for line in lines {
            self.line(line, line.ends_with(b"\n"));
        }
        self.seen == [true; 2]
    }

    fn line(&mut self, line: &[u8], is_whole: bool) {
        for (name, seen) in NAMES.iter().zip(&mut self.seen) {
            *seen |= line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        }
        if !is_whole {
            self.cut = line.get(..line.len().min(LONGEST)).unwrap_or_default().to_vec();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: &[u8] =
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\ncontent-LENGTH: 3\r\n\r\n";
    const ONE: &[u8] =
        b"POST / HTTP/1.1\r\nX: content-length: 3 transfer-encoding: chunked\r\nContent-Length: 3\r\n\r\n";

    #[test]
    fn both_lengths_are_found_however_the_reads_cut_them() {
        for size in 1..BOTH.len() {
            let mut lines = HeaderLines::default();
            assert!(BOTH.chunks(size).any(|part| lines.read(part)), "{size}");
            let mut lines = HeaderLines::default();
            assert!(!ONE.chunks(size).any(|part| lines.read(part)), "{size}");
        }
    }
}
