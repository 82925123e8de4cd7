//! Mailed links: 256 random bits in the fragment of an address, stored as a hash, redeemed once by POST. A page looks at
//! one before it redeems it, so that programs that open links change nothing.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiJson,
};
use deadwax_mail::{OutboxError, letters};
use deadwax_store::{
    clock::{Micros, micros},
    columns::Named as _,
    crypto::Token,
    db::{Db, Tx},
    ids::UserId,
    names, statements,
};
use http::HeaderMap;
use rules::{email, mailed_link, messages::Code, rate_limit};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{account_mail::AccountMail, rows};
use crate::{
    app::AppState,
    auth::{
        By,
        cookies::{self, Name},
        guard::Visitor,
    },
};

statements! {
    INSERT = "INSERT INTO one_time_tokens (token_hash, purpose, user_id, attempt_id, email, browser_hash, created_at, \
            expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    OWNER = "SELECT user_id FROM one_time_tokens WHERE token_hash = $1 AND purpose = $2";
    USE = "UPDATE one_time_tokens SET used_at = $3 \
        WHERE token_hash = $1 AND purpose = $2 AND used_at IS NULL AND voided_at IS NULL AND expires_at > $3 \
        RETURNING user_id, attempt_id, email, created_at";
    FIND = "SELECT t.user_id, t.used_at IS NOT NULL AS is_used, \
            COALESCE(t.browser_hash, a.browser_hash) AS browser_hash, COALESCE(t.email, u.email) AS email \
        FROM one_time_tokens t JOIN users u ON u.id = t.user_id LEFT JOIN signup_attempts a ON a.id = t.attempt_id \
        WHERE t.token_hash = $1 AND t.purpose = $2 AND t.voided_at IS NULL AND t.expires_at > $3";
    IS_SPENT = "SELECT user_id FROM one_time_tokens \
        WHERE token_hash = $1 AND purpose = $2 AND used_at IS NOT NULL AND expires_at > $3";
    VOID = "UPDATE one_time_tokens SET voided_at = $3 \
        WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL AND voided_at IS NULL \
            AND (purpose <> 'email_change_cancel' OR email IS NULL)";
    VOID_ALL = "UPDATE one_time_tokens SET voided_at = $2 \
        WHERE user_id = $1 AND used_at IS NULL AND voided_at IS NULL";
    VOID_LATER_UNDOS = "UPDATE one_time_tokens SET voided_at = $3 \
        WHERE user_id = $1 AND purpose = 'email_change_cancel' AND used_at IS NULL AND voided_at IS NULL \
            AND created_at > (SELECT t.created_at FROM one_time_tokens t WHERE t.token_hash = $2)";
    PRUNE = "DELETE FROM one_time_tokens WHERE expires_at < $1";
    // Whether the link of a browser's newest sign-up was used. Confirmations of other attempts are not reported.
    SIGNED_UP = "SELECT EXISTS (SELECT 1 FROM one_time_tokens t \
            WHERE t.purpose = 'confirm' AND t.used_at IS NOT NULL \
                AND t.attempt_id = (SELECT a.id FROM signup_attempts a WHERE a.browser_hash = $1 \
                    ORDER BY a.created_at DESC, a.id DESC LIMIT 1)) AS is_confirmed";
}

names! {
    /// The purpose of a link.
    Purpose;
    Confirm = "confirm";
    NotMe = "not_me";
    Reset = "reset";
    EmailChange = "email_change";
    /// Cancels that change from the old address; if the link names an address, it restores that one.
    EmailChangeCancel = "email_change_cancel";
}

/// 422: an unknown, void or expired link.
pub fn otp_expired() -> AppError {
    AppError::invalid("token", Code::OtpExpired)
}

/// 422: a reset link that is unknown, spent, void or expired.
pub fn reset_link_invalid() -> AppError {
    otp_expired().with_detail(Code::ResetLinkInvalid.text())
}

impl Purpose {
    pub fn life(self) -> Micros {
        micros(match self {
            Self::Confirm | Self::NotMe => mailed_link::CONFIRM_MS,
            Self::Reset => mailed_link::RESET_MS,
            Self::EmailChange | Self::EmailChangeCancel => mailed_link::EMAIL_CHANGE_MS,
        })
    }
}

/// A link that was redeemed.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Redeemed {
    pub user_id: UserId,
    /// The sign-up that it confirms or voids.
    pub attempt_id: Option<Uuid>,
    /// The address that it confirms or restores.
    pub email: Option<String>,
    /// When it was mailed.
    pub created_at: Micros,
    /// The account's present address.
    #[sqlx(skip)]
    pub current: String,
}

#[derive(Clone, Copy, Debug)]
pub struct NewLink<'a> {
    pub purpose: Purpose,
    pub user_id: UserId,
    pub attempt_id: Option<Uuid>,
    /// The new address.
    pub email: Option<&'a str>,
    /// The browser that asked. Sign-ups store theirs with the attempt.
    pub browser: Option<&'a Token>,
}

impl<'a> NewLink<'a> {
    pub fn new(purpose: Purpose, user_id: UserId) -> Self {
        Self { purpose, user_id, attempt_id: None, email: None, browser: None }
    }

    /// A link that restores `email` after a change.
    pub fn undo(user_id: UserId, email: &'a str) -> Self {
        Self { email: Some(email), ..Self::new(Purpose::EmailChangeCancel, user_id) }
    }
}

/// Creates a link; returns the token for its mail.
pub async fn create(tx: &mut Tx, now: Micros, link: NewLink<'_>) -> sqlx::Result<Token> {
    let token = Token::random();
    let is_undo = link.purpose == Purpose::EmailChangeCancel && link.email.is_some();
    let life = if is_undo { micros(mailed_link::EMAIL_UNDO_MS) } else { link.purpose.life() };
    let insert = tx.query(INSERT).bind(token.hash()).bind(link.purpose.as_str()).bind(link.user_id);
    let insert = insert.bind(link.attempt_id).bind(link.email).bind(link.browser.map(Token::hash));
    insert.bind(now).bind(now + life).execute().await?;
    Ok(token)
}

/// A valid link, looked up without redeeming it.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Found {
    pub user_id: UserId,
    pub is_used: bool,
    /// The hash of the cookie of the browser that asked for it.
    pub browser_hash: Option<Vec<u8>>,
    /// The new address of a change, else the account's.
    pub email: String,
}

/// Redeems a link once; none if spent, void, expired or unknown. Locks its account first: links of one account void
/// each other, and must not wait for each other.
pub async fn redeem(
    tx: &mut Tx,
    now: Micros,
    purpose: Purpose,
    token: &Token,
) -> AppResult<Option<Redeemed>> {
    let owner = tx.query(OWNER).bind(token.hash()).bind(purpose.as_str()).maybe::<UserId>().await?;
    let Some(owner) = owner else { return Ok(None) };
    let Some(current) = rows::lock(tx, owner).await? else { return Ok(None) };
    let used =
        tx.query(USE).bind(token.hash()).bind(purpose.as_str()).bind(now).optional::<Redeemed>().await?;
    Ok(used.map(|redeemed| Redeemed { current, ..redeemed }))
}

/// The account of a link that was redeemed and has not expired.
pub async fn spent(
    tx: &mut Tx,
    now: Micros,
    purpose: Purpose,
    token: &Token,
) -> sqlx::Result<Option<UserId>> {
    tx.query(IS_SPENT).bind(token.hash()).bind(purpose.as_str()).bind(now).maybe().await
}

/// Voids the links that undo a later change of address than the one `token` undoes.
pub async fn void_later_undos(tx: &mut Tx, now: Micros, user_id: UserId, token: &Token) -> sqlx::Result<()> {
    tx.query(VOID_LATER_UNDOS).bind(user_id).bind(token.hash()).bind(now).execute().await?;
    Ok(())
}

/// Voids an account's unused links of one purpose, except those that undo a change of address.
pub async fn void(tx: &mut Tx, now: Micros, user_id: UserId, purpose: Purpose) -> sqlx::Result<()> {
    tx.query(VOID).bind(user_id).bind(purpose.as_str()).bind(now).execute().await?;
    Ok(())
}

/// Voids the links that change an account's password or address.
pub async fn void_each(tx: &mut Tx, now: Micros, user_id: UserId) -> sqlx::Result<()> {
    for purpose in [Purpose::Reset, Purpose::EmailChange, Purpose::EmailChangeCancel] {
        void(tx, now, user_id, purpose).await?;
    }
    Ok(())
}

/// Voids every unused link of an account, including those that undo a change of address.
pub async fn void_all(tx: &mut Tx, now: Micros, user_id: UserId) -> sqlx::Result<()> {
    tx.query(VOID_ALL).bind(user_id).bind(now).execute().await?;
    Ok(())
}

/// Mails the links that confirm and void a sign-up.
pub async fn mail_confirmation(
    mail: AccountMail<'_>,
    tx: &mut Tx,
    user_id: UserId,
    attempt_id: Uuid,
    email: &str,
) -> Result<(), OutboxError> {
    let link = |purpose| NewLink { attempt_id: Some(attempt_id), ..NewLink::new(purpose, user_id) };
    let confirm = create(tx, mail.now, link(Purpose::Confirm)).await?;
    let not_me = create(tx, mail.now, link(Purpose::NotMe)).await?;
    let letter = letters::confirm(&mail.label(), confirm.expose(), not_me.expose());
    mail.enqueue(tx, "confirm", email, letter, Some(Purpose::Confirm.life())).await
}

pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    db.write(PRUNE).bind(now - micros(mailed_link::KEPT_MS)).execute().await.map(drop)
}

names! {
    /// The links that a page looks at before it redeems them, by the names in their addresses.
    LinkType;
    Signup = "signup";
    Recovery = "recovery";
    EmailChange = "email_change";
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
))]
pub async fn look_at_link(by: By<Visitor>, ApiJson(body): ApiJson<LinkBody>) -> AppResult<Json<LinkView>> {
    by.take("link", rate_limit::REDEEM).await?;
    let LinkBody { kind, token } = body;
    let token = Token::parse(&token).ok_or_else(|| kind.refusal())?;
    let find = by.app.db.query(FIND).bind(token.hash()).bind(kind.purpose().as_str()).bind(by.now());
    let found = find
        .optional::<Found>()
        .await?
        .filter(|found| !found.is_used || kind == LinkType::Signup)
        .ok_or_else(|| kind.refusal())?;
    let name = if kind == LinkType::Signup { Name::SignUp } else { Name::Asked };
    let is_browser = |hash: &[u8]| cookies::is_browser(&by.app.origin, &by.headers, name, hash);
    let asked_here = found.browser_hash.as_deref().is_some_and(is_browser);
    Ok(Json(LinkView {
        kind,
        used: found.is_used,
        email: email::masked(&found.email).unwrap_or_default(),
        asked_here,
        signed_in_as_other: by.who.0.is_some_and(|me| me.user_id != found.user_id),
    }))
}

names! {
    /// The sign-up of a browser.
    SignUpState;
    /// This browser has no sign-up, or its link has expired.
    None = "none";
    Waiting = "waiting";
    /// Confirmed, in any browser.
    Confirmed = "confirmed";
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
    let status = match cookies::browser(&app.origin, &headers, Name::SignUp) {
        None => SignUpState::None,
        Some(browser) => {
            let is_confirmed = app.db.query(SIGNED_UP).bind(browser.hash()).value::<bool>().await?;
            if is_confirmed { SignUpState::Confirmed } else { SignUpState::Waiting }
        }
    };
    if status == SignUpState::Confirmed {
        // Reported once.
        cookies::clear(&app.origin, &mut set, Name::SignUp);
    }
    Ok((set, Json(SignUpStatus { status })).into_response())
}
