//! Content codings: which one a client prefers, and the two compressors for cached responses.

use std::io::Write as _;

use bytes::Bytes;
use http::{HeaderMap, header};

/// The codings this server answers in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Identity,
    /// RFC 7932.
    Brotli,
    /// RFC 1952.
    Gzip,
}

impl Encoding {
    /// How many there are.
    pub const COUNT: usize = 3;

    /// The name in `Content-Encoding`; none for identity.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
        }
    }

    /// The smallest coding the client accepts (RFC 9110 §12.5.3): brotli, else gzip, else as it is.
    pub fn preferred(request: &HeaderMap) -> Self {
        let mut gzip = false;
        for value in request.get_all(header::ACCEPT_ENCODING) {
            for item in value.to_str().unwrap_or_default().split(',') {
                let (name, weight) = item.split_once(';').unwrap_or((item, ""));
                if is_zero(weight) {
                    continue;
                }
                let name = name.trim();
                if name.eq_ignore_ascii_case("br") {
                    return Self::Brotli;
                }
                gzip |= name.eq_ignore_ascii_case("gzip");
            }
        }
        if gzip { Self::Gzip } else { Self::Identity }
    }
}

/// Whether a weight such as `q=0.0` forbids the coding it follows.
fn is_zero(weight: &str) -> bool {
    weight.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse::<f32>().is_ok_and(|q| q <= 0.0))
}

/// Compressed at a quality that is quick enough to be done for a waiting visitor.
pub fn brotli(bytes: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(bytes.len() / 3);
    let parameters =
        brotli::enc::BrotliEncoderParams { quality: 5, size_hint: bytes.len(), ..Default::default() };
    match brotli::BrotliCompress(&mut &bytes[..], &mut out, &parameters) {
        Ok(_) => out.into(),
        Err(error) => unreachable!("writing to memory cannot fail: {error}"),
    }
}

/// As [`brotli()`], for clients without it.
pub fn gzip(bytes: &[u8]) -> Bytes {
    let mut encoder =
        flate2::write::GzEncoder::new(Vec::with_capacity(bytes.len() / 3), flate2::Compression::new(6));
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(out) => out.into(),
        Err(error) => unreachable!("writing to memory cannot fail: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn preferred(value: &'static str) -> Encoding {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
        Encoding::preferred(&headers)
    }

    #[test]
    fn the_smallest_accepted_coding_wins() {
        assert_eq!(preferred("gzip, deflate, br, zstd"), Encoding::Brotli);
        assert_eq!(preferred("gzip;q=1.0, br;q=0"), Encoding::Gzip);
        assert_eq!(preferred("br;q=0.000"), Encoding::Identity);
        assert_eq!(preferred("brotli"), Encoding::Identity);
        assert_eq!(preferred(""), Encoding::Identity);
    }
}
