//! Content codings: which one a client prefers, and the two compressors for cached responses.

use std::io::Write as _;

use bytes::Bytes;
use http::{HeaderMap, header};

/// A content coding (RFC 9110 §8.4.1) in which answers are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    Brotli,
    Gzip,
}

impl Encoding {
    pub const COUNT: usize = 3;

    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
        }
    }

    /// The coding that the client prefers (RFC 9110 §12.5.3); of equal ones the smallest: brotli, else gzip, else as it is.
    pub fn preferred(request: &HeaderMap) -> Self {
        let mut named: [Option<f32>; Self::COUNT] = [None; Self::COUNT];
        let mut others = None;
        for value in request.get_all(header::ACCEPT_ENCODING) {
            for item in value.to_str().unwrap_or_default().split(',') {
                let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
                let weight = Some(weight(parameters));
                match name.trim().to_ascii_lowercase().as_str() {
                    "br" => named[Self::Brotli as usize] = weight,
                    "gzip" | "x-gzip" => named[Self::Gzip as usize] = weight,
                    "identity" => named[Self::Identity as usize] = weight,
                    "*" => others = weight,
                    _ => {}
                }
            }
        }
        let weight = |coding: Self| named[coding as usize].or(others).unwrap_or(0.0);
        // An answer as it is serves every client, whatever it prefers.
        let as_it_is = named[Self::Identity as usize].unwrap_or(0.0);
        let best = if weight(Self::Brotli) >= weight(Self::Gzip) { Self::Brotli } else { Self::Gzip };
        if weight(best) > 0.0 && weight(best) >= as_it_is { best } else { Self::Identity }
    }
}

/// The weight among an item's parameters: 1 without one, 0 for one that is no number.
fn weight(parameters: &str) -> f32 {
    let named = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let mut weights = named.filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
    weights.next().map_or(1.0, |(_, weight)| weight.trim().parse().unwrap_or(0.0))
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

    #[test]
    fn the_smallest_accepted_coding_wins_unless_weights_decide_however_they_are_written() {
        for (accepted, coding) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip;q=1.0, br;q=0", Encoding::Gzip),
            ("br;q=0.000", Encoding::Identity),
            ("brotli", Encoding::Identity),
            ("", Encoding::Identity),
            ("br;Q=0", Encoding::Identity),
            ("br;Q=0, gzip", Encoding::Gzip),
            ("br; q=0, gzip", Encoding::Gzip),
            ("br ; q = 0.0 , GZIP", Encoding::Gzip),
            ("br;q=0.5, gzip;q=0.8", Encoding::Gzip),
            ("gzip;q=0.5, br;q=0.8", Encoding::Brotli),
            ("gzip;q=0.5, br;q=0.5", Encoding::Brotli),
            ("BR;q=0.001", Encoding::Brotli),
            ("br;x=1;q=0", Encoding::Identity),
            ("br;q=none, gzip", Encoding::Gzip),
            ("br;q=NaN", Encoding::Identity),
            ("identity, gzip;q=0.5, br;q=0.5", Encoding::Identity),
            ("identity;q=0.5, gzip", Encoding::Gzip),
            ("identity;q=0, gzip;q=0.1", Encoding::Gzip),
            ("*", Encoding::Brotli),
            ("*;q=0", Encoding::Identity),
            ("br;q=0, *", Encoding::Gzip),
            ("gzip, *;q=0", Encoding::Gzip),
            ("x-gzip", Encoding::Gzip),
            ("deflate, zstd", Encoding::Identity),
        ] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(Encoding::preferred(&headers), coding, "{accepted}");
        }
    }
}
