//! What an answer says of its request: past a limit, or sent by another website. Noted by [`Refusals`](crate::refusals::Refusals).

use axum::{
    extract::{FromRequestParts as _, Request, State},
    middleware::Next,
    response::Response,
};
use http::StatusCode;

use crate::{app::AppState, audit::Entry, caller::Caller, refusals::target_of};

/// Marks an answer: another website made a browser send the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foreign;

/// Notes what the answer of a request says of it: past a limit, or sent by another website.
pub(crate) async fn note_refused(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let caller = Caller::from_request_parts(&mut parts, &app).await;
    let target = target_of(&parts);
    let answer = next.run(Request::from_parts(parts, body)).await;
    let refused = if answer.extensions().get::<Foreign>().is_some() {
        Some(("malicious_csrf", "csrf"))
    } else if answer.status() == StatusCode::TOO_MANY_REQUESTS {
        Some(("excess_rate_limit_exceeded", "rate_limited"))
    } else {
        None
    };
    if let (Some((event, outcome)), Ok(caller)) = (refused, caller) {
        let entry = Entry::visitor(event, None, outcome, &caller).on(&target);
        app.refusals.note(&app.db, app.clock.now(), &entry);
    }
    answer
}
