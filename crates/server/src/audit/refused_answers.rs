//! The middleware that notes refused requests in the audit log.

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use deadwax_http::error::AppResult;
use http::{Method, StatusCode, header};

use super::{Entry, refusals::target_of};
use crate::{
    app::{AppState, Client},
    requests::caller::Caller,
};

/// Marks the answer to a request that another website made a browser send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign;

pub(crate) async fn note_refused(
    State(app): State<AppState>,
    client: AppResult<Client>,
    method: Method,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let agent = request.headers().get(header::USER_AGENT).cloned();
    let answer = next.run(request).await;
    let refused = if answer.extensions().get::<Foreign>().is_some() {
        Some(("malicious_csrf", "csrf"))
    } else if answer.status() == StatusCode::TOO_MANY_REQUESTS {
        Some(("excess_rate_limit_exceeded", "rate_limited"))
    } else {
        None
    };
    if let (Some((event, outcome)), Ok(Client(address))) = (refused, client) {
        let (caller, target) = (Caller::new(address, agent.as_ref()), target_of(&method, path.as_ref()));
        let entry = Entry::visitor(event, None, outcome, &caller).on(&target);
        app.refusals.note(&app.background, &app.db, app.clock.now(), &entry);
    }
    answer
}
