//! The middleware that notes refused requests in the audit log.

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use deadwax_http::error::AppResult;
use http::{Method, StatusCode};

use super::{Entry, refusals::target_of};
use crate::{app::AppState, requests::caller::Caller};

/// Marks the answer to a request that another website made a browser send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign;

pub(crate) async fn note_refused(
    State(app): State<AppState>,
    caller: AppResult<Caller>,
    method: Method,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let answer = next.run(request).await;
    let refused = if answer.extensions().get::<Foreign>().is_some() {
        Some(("malicious_csrf", "csrf"))
    } else if answer.status() == StatusCode::TOO_MANY_REQUESTS {
        Some(("excess_rate_limit_exceeded", "rate_limited"))
    } else {
        None
    };
    if let (Some((event, outcome)), Ok(caller)) = (refused, caller) {
        let target = target_of(&method, path.as_ref());
        let entry = Entry::visitor(event, None, outcome, &caller).on(&target);
        app.refusals.note(&app.background, &app.db, app.clock.now(), &entry);
    }
    answer
}
