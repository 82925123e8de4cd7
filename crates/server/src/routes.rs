//! The map of all routes, and the layers around them.

use std::time::Duration;

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, OriginalUri, Request, State},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::get,
};
use deadwax_config::Origin;
use deadwax_http::{
    body_timeout,
    cached_response::CachedResponse,
    error::{self, AppError, AppResult},
    headers, observe, part_heads,
};
use deadwax_store::tables::Tables;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use rules::{
    messages::Code,
    upload::{FORM_READ_BESIDE_BYTES, MEGABYTE},
};
use tokio_util::task::TaskTracker;
use tower_http::{catch_panic::CatchPanicLayer, timeout::TimeoutLayer};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::{
    accounts,
    app::AppState,
    audit::activity,
    audit::refused_answers::{self, Foreign},
    catalogue,
    checklist::{self, AllRoutes},
    contact, content, contract, demos, desk,
    editing::history,
    exports,
    files::library,
    files::media,
    imports, live_stream, newsletter, numbers,
    operation::backups::card as backups,
    operation::health,
    operation::mail_viewer,
    operation::reports,
    pages, products,
    requests::finish_detached::FinishDetached,
    terminal, trash, two_factor,
};

/// JSON bodies are small; routes for larger ones set their own limit.
const BODY_BYTES: usize = rules::request::BODY_MAX_BYTES;

/// From the last header to the answer; routes for files have a deadline for their body instead.
const ANSWER: Duration = Duration::from_millis(rules::request::ANSWER_MS);

#[derive(OpenApi)]
#[openapi(
    info(title = "Deadwax", description = "The public interface of an independent record label's website."),
    components(schemas(deadwax_http::error::Problem, numbers::seen::Seen))
)]
struct Contract;

fn form_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Contract::openapi())
        .merge(accounts::routes())
        .merge(activity::routes())
        .merge(catalogue::routes())
        .merge(contact::routes())
        .merge(demos::inbox_routes())
        .merge(demos::sender_routes())
        .merge(desk::routes())
        .merge(exports::routes())
        .merge(content::routes())
        .merge(live_stream::routes())
        .merge(health::routes())
        .merge(reports::routes())
        .merge(media::routes())
        .merge(newsletter::routes())
        .merge(numbers::routes())
        .merge(pages::oembed_routes())
        .merge(terminal::routes())
        .merge(backups::routes())
        .merge(checklist::routes())
        .merge(products::routes())
        .merge(trash::routes())
        .merge(two_factor::routes())
        .merge(history::routes())
}

/// Routes for files. They limit the files themselves; the whole form is limited here.
fn file_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(content::upload_routes())
        .merge(library::routes())
        .merge(imports::routes())
        .merge(newsletter::imports::routes())
        .layer(DefaultBodyLimit::max(form_bytes(rules::media::MEDIA_MAX_BYTES)))
        .merge(
            accounts::upload_routes()
                .layer(DefaultBodyLimit::max(form_bytes(rules::avatar::AVATAR_MAX_BYTES))),
        )
        .merge(demos::routes().layer(DefaultBodyLimit::disable()))
}

/// The limit of a form with a file of `most` bytes, multipart framing included.
fn form_bytes(most: u64) -> usize {
    usize::try_from(most + FORM_READ_BESIDE_BYTES + MEGABYTE).unwrap_or(usize::MAX)
}

fn all_routes() -> OpenApiRouter<AppState> {
    form_routes().merge(file_routes())
}

pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = all_routes().into_openapi();
    env!("CARGO_PKG_VERSION").clone_into(&mut document.info.version);
    contract::complete(&mut document);
    document
}

pub fn router(app: AppState) -> Router {
    let forms = Router::from(form_routes())
        .route("/api/openapi.json", get(show_contract))
        .route("/api/{*path}", axum::routing::any(async || AppError::not_found()))
        .route("/api", axum::routing::any(async || AppError::not_found()))
        .route("/api/", axum::routing::any(async || AppError::not_found()))
        .merge(pages::routes())
        .merge(mail_viewer::routes())
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(middleware::from_fn_with_state(body_timeout::FORM, body_timeout::bound))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, ANSWER));
    let files = Router::from(file_routes())
        .layer(middleware::from_fn(part_heads::clean))
        .layer(middleware::from_fn_with_state(body_timeout::FILE, body_timeout::bound));
    forms
        .merge(files)
        .method_not_allowed_fallback(async || AppError::of_status(StatusCode::METHOD_NOT_ALLOWED))
        .layer(Extension(AllRoutes(all_routes)))
        .layer(middleware::from_fn_with_state(app.origin.clone(), refuse_foreign_forms))
        .layer(middleware::from_fn(error::as_problems))
        .layer(middleware::from_fn_with_state(app.clone(), refused_answers::note_refused))
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(middleware::from_fn_with_state(app.clone(), pages::show_failures))
        .layer(middleware::from_fn_with_state(app.origin.is_https(), headers::set_headers))
        .layer(middleware::from_fn(pages::mark_unindexed))
        .layer(middleware::from_fn(observe::observe))
        .layer(middleware::from_fn_with_state(app.background.clone(), finish_writes))
        .with_state(app)
}

async fn show_contract(
    app: AppState,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> AppResult<Response> {
    app.answer_as(uri.path(), &headers, Tables::NONE, || async { CachedResponse::json(&openapi()) }).await
}

fn foreign() -> Response {
    let mut refused = AppError::from_code(StatusCode::FORBIDDEN, Code::Csrf).into_response();
    refused.extensions_mut().insert(Foreign);
    refused
}

/// Content types of changing requests. HTML forms of other websites cannot send these without a preflight, except
/// `multipart/form-data`, which only the check of the origin keeps out.
const BODY_TYPES: [&str; 4] =
    ["application/json", "multipart/form-data", "application/csp-report", "application/offset+octet-stream"];

/// Refuses changing requests that a browser attributes to another website or to none, by `Sec-Fetch-Site` or, in older browsers, by
/// `Origin`; odd or repeated headers count as foreign. Also refuses bodies of other types, even for routes without a body.
async fn refuse_foreign_forms(State(own): State<Origin>, request: Request, next: Next) -> Response {
    // Mail programs post to the newsletter's links with any origin and type; no cookie counts there.
    if request.method().is_safe() || request.uri().path().starts_with(pages::NEWSLETTER_LINKS) {
        return next.run(request).await;
    }
    let headers = request.headers();
    let is_ours = if request.uri().path() == reports::PATH {
        // Reports of policy violations come from no page.
        true
    } else if headers.contains_key("sec-fetch-site") {
        headers.get_all("sec-fetch-site").iter().all(|site| site == "same-origin")
    } else {
        let is_own = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| own.is_named_by(origin));
        headers.get_all(header::ORIGIN).iter().all(is_own)
    };
    if !is_ours {
        return foreign();
    }
    let is_taken = request.headers().get(header::CONTENT_TYPE).is_none_or(|kind| {
        let essence = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        BODY_TYPES.iter().any(|known| essence.eq_ignore_ascii_case(known))
    });
    if is_taken {
        next.run(request).await
    } else {
        AppError::of_status(StatusCode::UNSUPPORTED_MEDIA_TYPE).into_response()
    }
}

/// A disconnecting client drops its request's future; writes are finished regardless.
async fn finish_writes(State(background): State<TaskTracker>, mut request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        next.run(request).await
    } else {
        let share = request.extensions_mut().remove();
        FinishDetached::new(background, share, next.run(request)).await
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the layer's signature")]
fn answer_panic(panic: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    AppError::internal(anyhow::anyhow!("panic: {message}")).into_response()
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;

    #[test]
    fn the_checklist_asks_every_operation_of_the_back_office() {
        let (_, asked) = AllRoutes(all_routes).split();
        assert!(asked.len() > 30, "{asked:?}");
        assert!(asked.contains(&(Method::DELETE, "/api/admin/artists/nothing".to_owned())));
        assert!(asked.iter().all(|(_, path)| path.starts_with("/api/admin/") && !path.contains('{')));
    }
}
