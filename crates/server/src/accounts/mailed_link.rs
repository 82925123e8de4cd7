//! Looking at a mailed link without redeeming it, so that programs that open links and run their page change nothing;
//! and whether the browser's sign-up was confirmed anywhere.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_store::{crypto::Token, limits, statements};
use http::HeaderMap;
use rules::{email, rate_limit};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    confirm::otp_expired,
    links::{self, Purpose},
    reset::reset_link_invalid,
};
use crate::{
    app::AppState,
    auth::{
        cookies::{self, Name},
        guard::Visitor,
    },
    requests::caller::Caller,
};

statements! {
    // Whether the link of a browser's newest sign-up was used. Confirmations of other attempts are not reported.
    SIGNED_UP = "SELECT EXISTS (SELECT 1 FROM one_time_tokens t \
            WHERE t.purpose = 'confirm' AND t.used_at IS NOT NULL \
                AND t.attempt_id = (SELECT a.id FROM signup_attempts a WHERE a.browser_hash = $1 \
                    ORDER BY a.created_at DESC, a.id DESC LIMIT 1)) AS is_confirmed";
}

/// The links that a page looks at before it redeems them, by the names in their addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkType {
    Signup,
    Recovery,
    EmailChange,
}

impl LinkType {
    const fn purpose(self) -> Purpose {
        match self {
            Self::Signup => Purpose::Confirm,
            Self::Recovery => Purpose::Reset,
            Self::EmailChange => Purpose::EmailChange,
        }
    }

    fn refusal(self) -> AppError {
        match self {
            Self::Signup | Self::EmailChange => otp_expired(),
            Self::Recovery => reset_link_invalid(),
        }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkBody {
    /// The `type=` in the link's fragment.
    #[serde(rename = "type")]
    kind: LinkType,
    /// The `token=` in the link's fragment.
    token: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LinkView {
    #[serde(rename = "type")]
    kind: LinkType,
    /// Whether it was used; only reported for a confirmed sign-up.
    used: bool,
    /// The address it is about, masked: the first character, and the domain.
    email: String,
    /// Whether this browser asked for it: then the page continues without a question.
    asked_here: bool,
    /// Whether this browser is signed in to another account.
    signed_in_as_other: bool,
}

/// Looks at a mailed link, which stays valid.
#[utoipa::path(post, path = "/api/auth/link", tag = "auth", request_body = LinkBody, responses(
    (status = 200, description = "What the link is about", body = LinkView),
    (status = 422, description = "The link is unknown, spent, void or too old"),
    (status = 429, description = "Too many looks"),
))]
pub async fn look_at_link(
    app: AppState,
    Visitor(me): Visitor,
    caller: Caller,
    headers: HeaderMap,
    ApiJson(body): ApiJson<LinkBody>,
) -> AppResult<Json<LinkView>> {
    limits::take_by_network(&app.db, "link", caller.address, rate_limit::REDEEM, app.clock.now()).await?;
    let LinkBody { kind, token } = body;
    let token = Token::parse(&token).ok_or_else(|| kind.refusal())?;
    let found = links::find(&app.db, app.clock.now(), kind.purpose(), &token)
        .await?
        .filter(|found| !found.is_used || kind == LinkType::Signup)
        .ok_or_else(|| kind.refusal())?;
    let name = if kind == LinkType::Signup { Name::SignUp } else { Name::Asked };
    let asked_here = found
        .browser_hash
        .as_deref()
        .is_some_and(|hash| cookies::is_browser(&app.origin, &headers, name, hash));
    Ok(Json(LinkView {
        kind,
        used: found.is_used,
        email: email::masked(&found.email).unwrap_or_default(),
        asked_here,
        signed_in_as_other: me.is_some_and(|me| me.user_id != found.user_id),
    }))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignUpState {
    /// This browser has no sign-up, or its link has expired.
    None,
    Waiting,
    /// Confirmed, in any browser.
    Confirmed,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SignUpStatus {
    status: SignUpState,
}

/// Whether the sign-up of this browser was confirmed. A cancelled one looks like a waiting one.
#[utoipa::path(get, path = "/api/auth/sign-up", tag = "auth", responses(
    (status = 200, description = "How it stands", body = SignUpStatus),
))]
pub async fn show_sign_up(app: AppState, headers: HeaderMap) -> AppResult<Response> {
    let mut set = HeaderMap::new();
    let cookie = cookies::read(&app.origin, &headers, Name::SignUp).and_then(|cookie| Token::parse(&cookie));
    let status = match cookie {
        None => SignUpState::None,
        Some(browser) => {
            let (is_confirmed,) = app.db.query(SIGNED_UP).bind(browser.hash()).one::<(bool,)>().await?;
            if is_confirmed { SignUpState::Confirmed } else { SignUpState::Waiting }
        }
    };
    if status == SignUpState::Confirmed {
        // Reported once.
        cookies::clear(&app.origin, &mut set, Name::SignUp);
    }
    Ok((set, Json(SignUpStatus { status })).into_response())
}
