//! The headers of tus 1.0.

use axum::{
    body::Bytes,
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
};
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::clock::Micros;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use rules::{demo::DEMO_MAX_BYTES, messages::Code};

const VERSION: &str = "1.0.0";
const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
const UPLOAD_CHECKSUM: HeaderName = HeaderName::from_static("upload-checksum");
const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");
const BYTES: &str = "application/offset+octet-stream";

/// Some clients omit the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Puts the version into every answer, and refuses requests of another one with 412. OPTIONS needs none.
pub async fn speak(request: Request, next: Next) -> Response {
    let is_spoken = *request.method() == Method::OPTIONS
        || request.headers().get(TUS_RESUMABLE).is_some_and(|version| version == VERSION);
    let mut response = if is_spoken {
        next.run(request).await
    } else {
        let refusal = AppError::from_code(StatusCode::PRECONDITION_FAILED, Code::TusVersion);
        let mut response = refusal.into_response();
        response.headers_mut().insert(TUS_VERSION, HeaderValue::from_static(VERSION));
        response
    };
    response.headers_mut().insert(TUS_RESUMABLE, HeaderValue::from_static(VERSION));
    response
}

/// The headers that describe the server's abilities.
pub fn abilities() -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        (TUS_VERSION, VERSION),
        (
            HeaderName::from_static("tus-extension"),
            "creation,creation-with-upload,termination,expiration,checksum",
        ),
        (HeaderName::from_static("tus-checksum-algorithm"), "sha1,sha256"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(HeaderName::from_static("tus-max-size"), HeaderValue::from(DEMO_MAX_BYTES));
    headers
}

/// The method that a POST asks for, from clients that can only send POST.
pub fn method_override(headers: &HeaderMap) -> Option<Method> {
    headers.get(METHOD_OVERRIDE).and_then(|method| Method::from_bytes(method.as_bytes()).ok())
}

fn number(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    // `parse` would accept a plus sign.
    let text = headers.get(name)?.to_str().ok()?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// 422: a header that is missing or unreadable.
fn unreadable(code: Code) -> AppError {
    AppError::from_code(StatusCode::UNPROCESSABLE_ENTITY, code)
}

/// The length of the announced file. It cannot be deferred, because a file that is too large is refused before it is
/// sent.
pub fn length(headers: &HeaderMap) -> AppResult<u64> {
    number(headers, &UPLOAD_LENGTH).ok_or_else(|| unreadable(Code::LengthMissing))
}

/// The content of an announcement, as it was sent.
pub fn announcement(headers: &HeaderMap) -> Bytes {
    let said =
        [UPLOAD_LENGTH, UPLOAD_METADATA].map(|name| headers.get(name).map_or(&[][..], HeaderValue::as_bytes));
    said.join(&b'\n').into()
}

/// The position of a request's bytes.
pub fn offset(headers: &HeaderMap) -> AppResult<u64> {
    number(headers, &UPLOAD_OFFSET).ok_or_else(|| unreadable(Code::OffsetMissing))
}

pub fn brings_bytes(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case(BYTES))
}

pub fn content_length(headers: &HeaderMap) -> Option<u64> {
    number(headers, &header::CONTENT_LENGTH)
}

/// The announced metadata, unchecked.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    pub artist_name: String,
    pub email: String,
    pub message: Option<String>,
    pub filename: Option<String>,
    /// The token of the demo to replace: then only the file's name is used.
    pub replaces: Option<String>,
}

/// Parses `Upload-Metadata`: pairs of a name and a base64 text. Unknown names are ignored.
pub fn metadata(headers: &HeaderMap) -> AppResult<Metadata> {
    let malformed = || unreadable(Code::InvalidMetadata);
    let mut metadata = Metadata::default();
    let Some(line) = headers.get(UPLOAD_METADATA) else { return Ok(metadata) };
    let mut seen = Vec::new();
    for pair in line.to_str().map_err(|_| malformed())?.split(',').map(str::trim) {
        let (name, value) = pair.split_once(' ').unwrap_or((pair, ""));
        if name.is_empty() || seen.contains(&name) {
            return Err(malformed());
        }
        seen.push(name);
        if !matches!(name, "artist_name" | "email" | "message" | "filename" | "replaces") {
            continue;
        }
        let bytes = BASE64.decode(value.trim()).map_err(|_| malformed())?;
        let text = String::from_utf8(bytes).map_err(|_| malformed())?;
        match name {
            "artist_name" => metadata.artist_name = text,
            "email" => metadata.email = text,
            "message" => metadata.message = Some(text),
            "replaces" => metadata.replaces = Some(text),
            _ => metadata.filename = Some(text),
        }
    }
    Ok(metadata)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checksum {
    Sha1(Vec<u8>),
    Sha256(Vec<u8>),
}

/// Parses `Upload-Checksum`; 400 for an unsupported algorithm, as the protocol demands.
pub fn checksum(headers: &HeaderMap) -> AppResult<Option<Checksum>> {
    let Some(line) = headers.get(UPLOAD_CHECKSUM) else { return Ok(None) };
    let read = || {
        let (algorithm, value) = line.to_str().ok()?.trim().split_once(' ')?;
        let sum = BASE64.decode(value.trim()).ok()?;
        match algorithm.to_ascii_lowercase().as_str() {
            "sha1" => Some(Checksum::Sha1(sum)),
            "sha256" => Some(Checksum::Sha256(sum)),
            _ => None,
        }
    };
    read().map(Some).ok_or_else(|| AppError::from_code(StatusCode::BAD_REQUEST, Code::ChecksumAlgorithm))
}

/// 460 of the checksum extension: the bytes do not match.
pub fn checksum_mismatch() -> AppError {
    let status = StatusCode::from_u16(460).unwrap_or(StatusCode::BAD_REQUEST);
    AppError::from_code(status, Code::ChecksumMismatch)
}

/// The headers that tell the progress of an upload.
pub fn progress(offset: i64, expires_at: Micros) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(UPLOAD_OFFSET, HeaderValue::from(offset));
    if let Some(date) = http_date(expires_at) {
        headers.insert(UPLOAD_EXPIRES, date);
    }
    headers
}

/// As [`progress`], with the file's length and metadata.
pub fn description(offset: i64, length: i64, expires_at: Micros, said: &[(&str, &str)]) -> HeaderMap {
    let mut headers = progress(offset, expires_at);
    headers.insert(UPLOAD_LENGTH, HeaderValue::from(length));
    if !said.is_empty() {
        let pairs: Vec<String> =
            said.iter().map(|(name, text)| format!("{name} {}", STANDARD.encode(text))).collect();
        headers.extend(HeaderValue::try_from(pairs.join(",")).ok().map(|value| (UPLOAD_METADATA, value)));
    }
    headers
}

fn http_date(at: Micros) -> Option<HeaderValue> {
    let at = jiff::Timestamp::from_microsecond(at).ok()?;
    let text = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at).ok()?;
    HeaderValue::try_from(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_description_is_read_whatever_else_it_says() {
        let read = metadata(&with(
            UPLOAD_METADATA,
            "artist_name Tm92YSA0MDQ=,email YUBiLm9yZw, filename c2V0LndhdgA,is_confidential,filetype /",
        ));
        let expected = Metadata {
            artist_name: "Nova 404".into(),
            email: "a@b.org".into(),
            message: None,
            filename: Some("set.wav\0".into()),
            replaces: None,
        };
        assert_eq!(read.unwrap(), expected);
        assert_eq!(metadata(&HeaderMap::new()).unwrap(), Metadata::default());
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for line in
            ["email ", "email YQ==,email YQ==", "email Y*==", "email /w==", ",", "email YQ==,", "\u{e9} YQ"]
        {
            let Ok(value) = HeaderValue::from_bytes(line.as_bytes()) else { continue };
            let read = metadata(&HeaderMap::from_iter([(UPLOAD_METADATA, value)]));
            if line == "email " {
                assert_eq!(read.unwrap().email, "");
            } else {
                assert_eq!(read.unwrap_err().code(), "invalid_metadata", "{line}");
            }
        }
    }

    #[test]
    fn numbers_are_digits() {
        for text in ["", "-1", "+1", "1.0", "0x1", " 1", "18446744073709551616"] {
            assert_eq!(offset(&with(UPLOAD_OFFSET, text)).unwrap_err().code(), "offset_missing", "{text}");
        }
        assert_eq!(offset(&with(UPLOAD_OFFSET, "73400320")).unwrap(), 73_400_320);
    }

    #[test]
    fn checksums_are_of_the_two_kinds_that_are_offered() {
        assert_eq!(checksum(&HeaderMap::new()).unwrap(), None);
        assert_eq!(
            checksum(&with(UPLOAD_CHECKSUM, "SHA1 AAAA")).unwrap(),
            Some(Checksum::Sha1(vec![0, 0, 0]))
        );
        for line in ["md5 AAAA", "sha256", "sha256 *", ""] {
            assert_eq!(checksum(&with(UPLOAD_CHECKSUM, line)).unwrap_err().status(), 400, "{line}");
        }
    }

    #[test]
    fn dates_are_those_of_http() {
        assert_eq!(http_date(1_795_176_000_000_000).unwrap(), "Fri, 20 Nov 2026 12:00:00 GMT");
    }
}
