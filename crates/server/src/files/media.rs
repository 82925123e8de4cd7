//! `/media/{key}`, where a key is a folder and a name: stored files as visitors read them, whole or in part, in a sandbox.

use std::ops::Range;

use axum::{
    body::Body,
    extract::{FromRequestParts as _, Path},
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    cached_response::is_known,
    error::{AppError, AppResult},
    headers::Kind,
};
use deadwax_store::{
    columns::unsigned,
    objects::{self, Object},
    statements,
    storage::{Storage, StorageError},
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use http_range_header::{RangeUnsatisfiableError::FileSuffixOutOfBounds, parse_range_header};
use rules::{auth_stage::AuthStage, messages::Code};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{app::AppState, auth::guard::Visitor};

statements! {
    ORIGINAL_OF_SMALL = "SELECT key FROM objects WHERE small_key = $1";
    // Whether it is not in the trash, and whether a row shows it that visitors see.
    IS_SHOWN = "SELECT NOT EXISTS (SELECT 1 FROM media_files WHERE file_path = $1 AND deleted_at IS NOT NULL), \
        EXISTS (SELECT 1 FROM public_artists WHERE image_url IN ($2, $3)) \
            OR EXISTS (SELECT 1 FROM public_releases WHERE cover_image_url IN ($2, $3)) \
            OR EXISTS (SELECT 1 FROM public_site_images WHERE image_url IN ($2, $3))";
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_object)).routes(routes!(show_letter_picture))
}

/// A stored file.
#[utoipa::path(get, path = "/media/{folder}/{name}", tag = "media", params(("folder" = String, Path, description = "Which kind of file"), ("name" = String, Path, description = "Its name")), responses(
    (status = 200, description = "The file", content_type = "*/*", body = Vec<u8>),
    (status = 206, description = "A part of the file", content_type = "*/*", body = Vec<u8>),
    (status = 304, description = "The caller has it already"),
    (status = 404, description = "There is no such file"),
    (status = 416, description = "The file has no such part"),
))]
async fn show_object(
    app: AppState,
    Path((folder, name)): Path<(String, String)>,
    parts: Parts,
) -> AppResult<Response> {
    show(&app, format!("{folder}/{name}"), parts).await
}

/// A picture of a letter that went out.
#[utoipa::path(get, path = "/media/letters/{letter}/{name}", tag = "media", params(("letter" = String, Path, description = "The letter's id"), ("name" = String, Path, description = "Its name")), responses(
    (status = 200, description = "The file", content_type = "*/*", body = Vec<u8>),
    (status = 206, description = "A part of the file", content_type = "*/*", body = Vec<u8>),
    (status = 304, description = "The caller has it already"),
    (status = 404, description = "There is no such file"),
    (status = 416, description = "The file has no such part"),
))]
async fn show_letter_picture(
    app: AppState,
    Path((letter, name)): Path<(String, String)>,
    parts: Parts,
) -> AppResult<Response> {
    show(&app, format!("letters/{letter}/{name}"), parts).await
}

async fn show(app: &AppState, key: String, mut parts: Parts) -> AppResult<Response> {
    if !rules::media_name::is_media_key(&key) {
        return Err(AppError::not_found());
    }
    let object = objects::find(&app.db, &key).await?.ok_or_else(AppError::not_found)?;
    let is_public = is_public(app, &key, &object).await?;
    if !is_public {
        let Visitor(who) = Visitor::from_request_parts(&mut parts, app).await?;
        let is_admin = who.is_some_and(|who| who.stage(app.clock.now()) == AuthStage::Authenticated);
        if !is_admin {
            return Err(AppError::not_found());
        }
    }
    let is_inline = rules::media_name::is_inline(&key);
    let answering = FileResponse {
        disposition: (!is_inline).then(|| HeaderValue::from_static("attachment")),
        cache: HeaderValue::from_static(if is_public { "public, max-age=3600" } else { "no-store" }),
    };
    let mut response = answer(&app.storage, &key, &object, &parts, answering).await?;
    if response.status() != StatusCode::RANGE_NOT_SATISFIABLE {
        response.extensions_mut().insert(Kind::Media);
    }
    Ok(response)
}

/// Folders of what belongs to a row: visitors open it while they see one that shows it. Everything else is for everybody.
const OF_ROWS: [&str; 3] = ["artists/", "releases/", "assets/"];

/// Whether visitors can open the file of that key whatever shows it, as long as it is not in the trash.
pub(crate) fn is_always_public(key: &str) -> bool {
    !OF_ROWS.iter().any(|folder| key.starts_with(folder))
}

pub(crate) async fn original_of(app: &AppState, key: &str, object: &Object) -> sqlx::Result<String> {
    if let Some(original) = &object.original_key {
        return Ok(original.clone());
    }
    Ok(app.db.query(ORIGINAL_OF_SMALL).bind(key).maybe().await?.unwrap_or_else(|| key.to_owned()))
}

/// Whether visitors can open a stored file: what was made of a picture follows it.
async fn is_public(app: &AppState, key: &str, object: &Object) -> sqlx::Result<bool> {
    let key = &original_of(app, key, object).await?;
    let url = objects::url(key);
    let full = format!("{}{url}", app.origin);
    let (is_kept, is_shown) =
        app.db.query(IS_SHOWN).bind(key).bind(&url).bind(full).one::<(bool, bool)>().await?;
    Ok(is_kept && (is_shown || is_always_public(key)))
}

#[derive(Debug)]
pub struct FileResponse {
    pub disposition: Option<HeaderValue>,
    pub cache: HeaderValue,
}

#[derive(Debug)]
pub struct FileFacts<'a> {
    pub tag: &'a str,
    pub content_type: &'a str,
    pub size_bytes: u64,
}

pub async fn answer(
    storage: &Storage,
    key: &str,
    object: &Object,
    request: &Parts,
    answering: FileResponse,
) -> AppResult<Response> {
    let size = unsigned(object.size_bytes);
    let facts = FileFacts { tag: &object.sha256, content_type: &object.content_type, size_bytes: size };
    let (mut response, part) = answer_of(&facts, request, answering)?;
    if let Some(part) = part {
        let stored = storage.size(key).await.map_err(missing_bytes)?;
        if stored != size {
            return Err(AppError::unavailable(anyhow::anyhow!(
                "object {key} has {stored} bytes instead of {size}"
            )));
        }
        *response.body_mut() = Body::from_stream(storage.read_slowly(key.to_owned(), part));
    }
    Ok(response)
}

/// The head of an answer with a file, and which of its bytes are to follow; none where it has no body.
pub fn answer_of(
    facts: &FileFacts<'_>,
    request: &Parts,
    answering: FileResponse,
) -> AppResult<(Response, Option<Range<u64>>)> {
    let etag = format!("\"{}\"", facts.tag);
    let size = facts.size_bytes;
    let mut response = Response::new(Body::empty());
    let is_known = is_known(&request.headers, &header_value(&etag)?);
    let headers = response.headers_mut();
    headers.insert(header::ETAG, header_value(&etag)?);
    headers.insert(header::CACHE_CONTROL, answering.cache);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok((response, None));
    }
    headers.insert(header::CONTENT_TYPE, header_value(facts.content_type)?);
    if let Some(disposition) = answering.disposition {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    let Ok(part) = asked_range(&request.headers, &etag, size) else { return Ok((no_such_part(size)?, None)) };
    let length = part.as_ref().map_or(size, |part| part.end - part.start);
    if let Some(part) = &part {
        headers.insert(
            header::CONTENT_RANGE,
            header_value(&format!("bytes {}-{}/{size}", part.start, part.end - 1))?,
        );
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    let has_body = length > 0 && request.method != Method::HEAD;
    Ok((response, has_body.then(|| part.unwrap_or(0..size))))
}

/// The row says there is a file: that its bytes cannot be read is this server's failure, not a wrong address.
pub(crate) fn missing_bytes(error: StorageError) -> AppError {
    AppError::unavailable(error)
}

fn header_value(text: &str) -> AppResult<HeaderValue> {
    HeaderValue::try_from(text).map_err(AppError::internal)
}

struct NoSuchPart;

fn no_such_part(size: u64) -> AppResult<Response> {
    let refusal = AppError::from_code(StatusCode::RANGE_NOT_SATISFIABLE, Code::RangeNotSatisfiable);
    let mut response = refusal.into_response();
    response.headers_mut().insert(header::CONTENT_RANGE, header_value(&format!("bytes */{size}"))?);
    Ok(response)
}

/// The one requested range. Several ranges, other units and malformed ranges get the whole file, as does a range of an older version
/// or of an empty file, which has no part that an answer could name (RFC 9110 §13.1.5, §14.2).
fn asked_range(request: &HeaderMap, etag: &str, size: u64) -> Result<Option<Range<u64>>, NoSuchPart> {
    let Some(range) = request.get(header::RANGE).and_then(|range| range.to_str().ok()) else {
        return Ok(None);
    };
    if size == 0 || request.get(header::IF_RANGE).is_some_and(|known| known.as_bytes() != etag.as_bytes()) {
        return Ok(None);
    }
    let Ok(parsed) = parse_range_header(range) else { return Ok(None) };
    match parsed.validate(size).as_deref() {
        Ok([part]) => Ok(Some(*part.start()..*part.end() + 1)),
        Ok(_) => Ok(None),
        Err(_) if range.contains(',') => Ok(None),
        // The last bytes of a file that has fewer are all of it (RFC 9110 §14.1.2).
        Err(FileSuffixOutOfBounds) => Ok(Some(0..size)),
        Err(_) => Err(NoSuchPart),
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    #[expect(clippy::option_option, reason = "no such part, the whole file, or a part of it")]
    fn range_of(size: u64, value: &'static str) -> Option<Option<Range<u64>>> {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static(value));
        asked_range(&headers, "\"x\"", size).ok()
    }

    #[test]
    fn one_part_is_cut_out_and_anything_unclear_is_the_whole_file() {
        let range = |value| range_of(100, value);
        assert_eq!(range("bytes=0-9"), Some(Some(0..10)));
        assert_eq!(range("bytes=90-"), Some(Some(90..100)));
        assert_eq!(range("bytes=-5"), Some(Some(95..100)));
        assert_eq!(range("bytes=-100"), Some(Some(0..100)));
        assert_eq!(range("bytes=-101"), Some(Some(0..100)));
        assert_eq!(range("bytes=-101,5-6"), Some(None));
        assert_eq!(range("bytes=0-1,5-6"), Some(None));
        assert_eq!(range("lines=0-1"), Some(None));
        assert_eq!(range("bytes=a-b"), Some(None));
        assert_eq!(range("bytes=100-"), None);
    }

    #[test]
    fn an_empty_file_is_answered_whole() {
        for value in ["bytes=0-", "bytes=0-0", "bytes=-5"] {
            assert_eq!(range_of(0, value), Some(None), "{value}");
            let facts = FileFacts { tag: "x", content_type: "text/plain", size_bytes: 0 };
            let (request, ()) =
                Request::builder().header(header::RANGE, value).body(()).unwrap().into_parts();
            let answering = FileResponse { disposition: None, cache: HeaderValue::from_static("no-store") };
            let (response, part) = answer_of(&facts, &request, answering).unwrap();
            assert_eq!((response.status(), part), (StatusCode::OK, None), "{value}");
            assert_eq!(response.headers()[header::CONTENT_LENGTH], "0", "{value}");
        }
    }
}
