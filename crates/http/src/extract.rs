//! Reading requests: bodies, queries, ids and positions in lists, with refusals in this program's own words.

use std::error::Error as _;

use axum::{
    Json,
    extract::{
        FromRequest, FromRequestParts, Path, Query, Request,
        rejection::{JsonDataError, JsonRejection},
    },
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use http::{StatusCode, header, request::Parts};
use rules::{
    listing::{PAGE, PAGE_MAX},
    messages::Code,
    request::JSON_DEPTH_MAX,
};
use serde::de::DeserializeOwned;
use utoipa::{
    IntoParams,
    openapi::{
        KnownFormat, Object, Required, SchemaFormat, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
    },
};
use uuid::Uuid;

use crate::error::{AppError, AppResult};

/// The query string as `T`; unknown or malformed parameters are refused with 422.
#[derive(Debug)]
pub struct ApiQuery<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(query)) => Ok(Self(query)),
            Err(_) => Err(AppError::invalid("query", Code::InvalidQuery)),
        }
    }
}

/// A JSON object as `T`. 415 for another type, 413 if it is too large, 400 if it is not JSON, and 422 for JSON of another form or
/// nested too deep. Types deny unknown fields, so that misspelt or forbidden ones are noticed.
#[derive(Debug)]
pub struct ApiJson<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ApiJson<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        Ok(Self(json_and_bytes(request, state).await?.0))
    }
}

pub async fn json_and_bytes<T: DeserializeOwned, S: Send + Sync>(
    request: Request,
    state: &S,
) -> Result<(T, Bytes), AppError> {
    if !is_json(&request) {
        return Err(AppError::of_status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    let bytes = match Bytes::from_request(request, state).await {
        Ok(bytes) => bytes,
        Err(refused) => return Err(AppError::of_status(refused.status())),
    };
    if is_too_deep(&bytes) {
        return Err(AppError::invalid("body", Code::InvalidBody));
    }
    match Json::<T>::from_bytes(&bytes) {
        // An array would be read as the fields of a struct, in their order.
        Ok(_) if bytes.trim_ascii_start().starts_with(b"[") => {
            Err(AppError::invalid("body", Code::InvalidBody))
        }
        Ok(Json(body)) => Ok((body, bytes)),
        Err(JsonRejection::JsonDataError(error)) => {
            let code = if names_an_unknown_field(&error) {
                tracing::info!(event = "malicious_extraneous", "audit");
                Code::UnknownField
            } else {
                Code::InvalidBody
            };
            Err(AppError::invalid("body", code))
        }
        Err(JsonRejection::JsonSyntaxError(_)) => {
            Err(AppError::from_code(StatusCode::BAD_REQUEST, Code::InvalidJson))
        }
        Err(other) => Err(AppError::of_status(other.status())),
    }
}

fn is_json(request: &Request) -> bool {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Whether a JSON text nests arrays and objects more than [`JSON_DEPTH_MAX`] deep. Malformed JSON is left to its parser.
pub fn is_too_deep(json: &[u8]) -> bool {
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > JSON_DEPTH_MAX {
            return true;
        }
    }
    false
}

/// Whether the body had a field that its type does not have. Asked of the reader's own message: what stands around it, the place
/// in the body, and what it quotes of a value are the client's words.
fn names_an_unknown_field(error: &JsonDataError) -> bool {
    std::iter::successors(error.source(), |&source| source.source())
        .find_map(|source| source.downcast_ref::<serde_path_to_error::Error<serde_json::Error>>())
        .is_some_and(|refused| refused.inner().to_string().starts_with("unknown field `"))
}

/// The `limit` of a list request: 1 to 100, 50 when absent.
pub fn page_limit(limit: Option<i64>) -> AppResult<i64> {
    let limit = limit.unwrap_or(PAGE.into());
    if (1..=PAGE_MAX.into()).contains(&limit) {
        Ok(limit)
    } else {
        Err(AppError::invalid("limit", Code::InvalidLimit))
    }
}

/// An id in the one spelling that is handed out: lower case, with hyphens. The others that UUIDs have would be other addresses
/// of the same thing.
pub fn id(text: &str) -> Option<Uuid> {
    let id = Uuid::try_parse(text).ok()?;
    (id.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == text).then_some(id)
}

/// The id in a path with one parameter. 404 for a malformed [`id`], as for an unknown one.
#[derive(Clone, Copy, Debug)]
pub struct PathId<T = Uuid>(pub T);

impl<T> IntoParams for PathId<T> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let id = ParameterBuilder::new().name("id").parameter_in(ParameterIn::Path);
        let uuid = Object::builder()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
        let id = id.required(Required::True).schema(Some(uuid));
        vec![id.description(Some("The row's id")).build()]
    }
}

impl<T: From<Uuid>, S: Send + Sync> FromRequestParts<S> for PathId<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|undecodable| AppError::of_status(undecodable.status()))?;
        id(&text).map(|id| Self(id.into())).ok_or_else(AppError::not_found)
    }
}

/// A position in a list: the sort columns of the last row seen. Opaque to callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub columns: Vec<String>,
    pub id: Uuid,
}

const LONGEST_CURSOR: usize = 4096;

impl Cursor {
    pub fn encode(&self) -> String {
        let json = serde_json::json!([self.columns, self.id]).to_string();
        URL_SAFE_NO_PAD.encode(json)
    }

    /// 422: the position belongs to another list, or to none.
    pub fn refused() -> AppError {
        AppError::invalid("cursor", Code::InvalidCursor)
    }

    pub fn decode(text: &str, columns: usize) -> AppResult<Self> {
        if text.len() > LONGEST_CURSOR {
            return Err(Self::refused());
        }
        let json = URL_SAFE_NO_PAD.decode(text).map_err(|_| Self::refused())?;
        let (values, id): (Vec<String>, Uuid) = serde_json::from_slice(&json).map_err(|_| Self::refused())?;
        // PostgreSQL cannot store NUL in text, so no row sorts by it.
        if values.len() != columns || values.iter().any(|value| value.contains('\0')) {
            return Err(Self::refused());
        }
        Ok(Self { columns: values, id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_outside_of_texts() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(!is_too_deep(nested(32).as_bytes()));
        assert!(is_too_deep(nested(33).as_bytes()));
        assert!(!is_too_deep(format!("[{}]", "[],".repeat(100)).as_bytes()));
        assert!(!is_too_deep(format!("{{\"a\\\"\": \"{}\"}}", "[".repeat(100)).as_bytes()));
    }

    #[test]
    fn an_id_has_one_spelling() {
        let known = "01975a00-0000-7000-8000-00000000abcd";
        assert_eq!(id(known).unwrap().to_string(), known);
        for other in [
            "",
            "01975A00-0000-7000-8000-00000000ABCD",
            "01975a000000700080000000000",
            "01975a0000007000800000000000abcd",
            "{01975a00-0000-7000-8000-00000000abcd}",
            "urn:uuid:01975a00-0000-7000-8000-00000000abcd",
            " 01975a00-0000-7000-8000-00000000abcd",
        ] {
            assert_eq!(id(other), None, "{other}");
        }
    }

    #[tokio::test]
    async fn a_path_names_an_id_or_nothing() {
        let shown = async |PathId(id): PathId| id.to_string();
        let routes = axum::Router::new().route("/things/{thing}", axum::routing::get(shown));
        for (path, status) in [
            ("/things/01975a00-0000-7000-8000-00000000abcd", 200),
            ("/things/01975a00-0000-7000-8000-00000000abc%64", 200),
            ("/things/01975A00-0000-7000-8000-00000000ABCD", 404),
            ("/things/7", 404),
            ("/things/%ff", 400),
        ] {
            let request = Request::get(path).body(axum::body::Body::empty()).unwrap();
            let response = tower::ServiceExt::oneshot(routes.clone(), request).await.unwrap();
            assert_eq!(response.status(), status, "{path}");
        }
    }

    #[test]
    fn a_cursor_survives_the_way_to_the_caller_and_back() {
        let cursor = Cursor {
            columns: vec!["2024-01-01".to_owned(), "ärger & co".to_owned()],
            id: Uuid::from_u128(7),
        };
        assert_eq!(Cursor::decode(&cursor.encode(), 2).unwrap(), cursor);
    }

    #[test]
    fn a_cursor_of_another_list_or_of_nobody_is_refused() {
        let cursor = Cursor { columns: vec!["a".to_owned()], id: Uuid::nil() };
        let with_nul = Cursor { columns: vec!["a\0".to_owned()], id: Uuid::nil() };
        for text in [cursor.encode(), with_nul.encode(), String::new(), "!!".to_owned(), "A".repeat(5000)] {
            assert!(Cursor::decode(&text, 2).is_err(), "{text}");
        }
        assert!(Cursor::decode(&with_nul.encode(), 1).is_err());
    }
}
