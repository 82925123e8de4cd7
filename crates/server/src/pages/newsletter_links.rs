//! Pages behind the links of newsletters and their confirmations: `/newsletter/confirm/{token}` and `/newsletter/leave/{token}`. A GET
//! changes nothing; the button of the page posts to the same address, without scripts too, and is answered by the next page. A page is
//! the same for every token.

use axum::{
    Router,
    body::Bytes,
    extract::{Path, RawQuery, rejection::PathRejection},
    response::{IntoResponse as _, Response},
    routing::get,
};
use deadwax_http::error::AppResult;
use deadwax_store::ids::LetterId;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use uuid::Uuid;

use super::{
    address::{ListStep, PageAddress},
    routes::answer,
};
use crate::{
    app::AppState,
    newsletter::{consent, leaving},
};

/// Below it other origins may post: mail programs do, and a token is all that counts.
pub(crate) const FOLDER: &str = "/newsletter/";

type Token = Result<Path<String>, PathRejection>;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/newsletter/confirm/{token}", get(show_confirmation).post(confirm))
        .route("/newsletter/leave/{token}", get(show_way_out).post(leave))
}

async fn show_confirmation(app: AppState, token: Token, headers: HeaderMap) -> AppResult<Response> {
    let step = match consent::is_confirmed(&app, &text(token)).await? {
        Some(false) => ListStep::Confirm,
        Some(true) => ListStep::Confirmed,
        None => ListStep::Expired,
    };
    page(&app, step, &headers).await
}

async fn confirm(app: AppState, token: Token, headers: HeaderMap) -> AppResult<Response> {
    let is_good = consent::confirm(&app, &text(token)).await?;
    page(&app, if is_good { ListStep::Confirmed } else { ListStep::Expired }, &headers).await
}

async fn show_way_out(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    page(&app, ListStep::Leave, &headers).await
}

/// Takes an address off the list. A mail program (RFC 8058) gets an empty answer, a person the next page.
async fn leave(
    app: AppState,
    token: Token,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> AppResult<Response> {
    let token = text(token);
    if url::form_urlencoded::parse(&body).any(|(name, _)| name == "come_back") {
        let is_back = leaving::come_back(&app, &token).await?;
        return page(&app, if is_back { ListStep::Back } else { ListStep::Late }, &headers).await;
    }
    leaving::leave(&app.db, app.clock.now(), &token, letter(query.as_deref())).await?;
    if is_one_click(&body) {
        return Ok((StatusCode::OK, [(header::CACHE_CONTROL, "no-store")]).into_response());
    }
    page(&app, ListStep::Left, &headers).await
}

/// A token that cannot be read is unknown.
fn text(token: Token) -> String {
    token.map_or_else(|_| String::new(), |Path(token)| token)
}

/// The letter that the link was in.
fn letter(query: Option<&str>) -> Option<LetterId> {
    let mut fields = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    fields.find(|(name, _)| name == "letter").and_then(|(_, id)| Uuid::try_parse(&id).ok()).map(LetterId)
}

/// Whether the body has the field of RFC 8058, in either form that it allows.
fn is_one_click(body: &[u8]) -> bool {
    let body = String::from_utf8_lossy(body);
    body.contains("List-Unsubscribe=One-Click")
        || (body.contains("name=\"List-Unsubscribe\"") && body.contains("One-Click"))
}

async fn page(app: &AppState, step: ListStep, headers: &HeaderMap) -> AppResult<Response> {
    let mut response = answer(app, PageAddress::Newsletter(step), headers).await?;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_one_click_body_are_known() {
        assert!(is_one_click(b"List-Unsubscribe=One-Click"));
        assert!(is_one_click(
            b"--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n"
        ));
        for other in [&b""[..], b"come_back=1", b"List-Unsubscribe=Later", b"\xff\xfe"] {
            assert!(!is_one_click(other));
        }
    }
}
