//! Consequences of a copied token: its session ends, the audit log says why, and the account's owner is notified.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use deadwax_http::error::AppResult;
use deadwax_mail::letters;
use http::header;

use super::account_mail::{self, Notice};
use crate::{
    app::AppState,
    audit::{self, Entry},
    auth::{
        reuse::{ReuseReport, ReusedToken},
        session,
    },
};

/// The layer around every route that may look at the session: a session whose token was copied ends before the answer
/// is sent.
pub async fn end_reused(app: AppState, mut request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !headers.contains_key(header::COOKIE) && !headers.contains_key(header::AUTHORIZATION) {
        return next.run(request).await;
    }
    let report = ReuseReport::default();
    request.extensions_mut().insert(report.clone());
    let response = next.run(request).await;
    let Some(reused) = report.read() else { return response };
    match end(&app, reused).await {
        Ok(()) => response,
        Err(error) => error.into_response(),
    }
}

async fn end(app: &AppState, reused: &ReusedToken) -> AppResult<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    if !session::end(&mut tx, reused.session_id).await? {
        return Ok(());
    }
    let entry = Entry {
        session: Some(reused.session_id),
        ..Entry::visitor("authn_token_reuse", Some(reused.user_id), "session_ended", &reused.caller)
    };
    audit::record(&mut tx, now, &entry).await?;
    let letter = letters::token_reuse(&app.label());
    let owner = (reused.user_id, reused.email.as_str());
    account_mail::notify(&app.keys, &mut tx, now, Notice::TokenReuse, owner, letter).await?;
    tx.commit().await?;
    Ok(())
}
