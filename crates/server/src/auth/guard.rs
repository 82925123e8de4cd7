//! The extractors that grant rights to a handler, and the only ones.

use std::ops::Deref;

use axum::extract::FromRequestParts;
use deadwax_config::{AdminMfa, Origin};
use deadwax_http::error::{AppError, AppResult};
use deadwax_mail::{Letter, letters};
use deadwax_store::{
    clock::{Micros, js_millis, micros, millis},
    crypto::Token,
    db::Tx,
};
use http::{HeaderMap, StatusCode, header, request::Parts};
use rules::{
    auth_stage::{AdminRecord, AuthStage, auth_stage},
    messages::Code,
};

use super::{
    cookies,
    session::{self, Outcome, SessionRecord, TokenTransport},
};
use crate::{
    accounts::account_mail::{AccountMail, Notice},
    app::AppState,
    audit::{self, Entry, Role, refusals::target_of},
    requests::caller::Caller,
};

/// A person with a live session.
#[derive(Debug)]
pub struct SignedIn {
    /// Whether the account is an admin's without the second factor that admins need.
    pub must_set_up_factor: bool,
    pub via: TokenTransport,
    pub found: SessionRecord,
}

impl Deref for SignedIn {
    type Target = SessionRecord;

    fn deref(&self) -> &SessionRecord {
        &self.found
    }
}

impl SignedIn {
    pub fn of(admin_mfa: AdminMfa, found: SessionRecord, via: TokenTransport) -> Self {
        let needs_factor = found.is_admin && admin_mfa == AdminMfa::Required;
        Self { must_set_up_factor: needs_factor && !found.factor_enabled, via, found }
    }

    /// Whether the account's second factor does not count in this session (any more).
    pub fn factor_pending(&self, now: Micros) -> bool {
        self.factor_enabled && self.mfa_verified_until.is_none_or(|until| until <= now)
    }

    /// How far the person has come towards the admin area.
    pub fn stage(&self, now: Micros) -> AuthStage {
        let record = self.is_admin.then_some(AdminRecord {
            active: true,
            // A required factor that is missing counts as not given.
            mfa_enabled: self.factor_enabled || self.must_set_up_factor,
            mfa_verified_until_ms: self.mfa_verified_until.map(js_millis),
        });
        auth_stage(true, record, js_millis(now))
    }

    /// Until when this person's rights last at most: as long as the session, and as the second factor counts in it.
    /// For streams that outlive the request.
    pub fn rights_end_at(&self, now: Micros) -> Micros {
        let session_ends = micros(self.latest_end_ms(now));
        let factor_ends = self.mfa_verified_until.filter(|until| self.factor_enabled && *until > now);
        factor_ends.map_or(session_ends, |until| until.min(session_ends))
    }

    fn role(&self) -> Role {
        if self.is_admin { Role::Admin } else { Role::Member }
    }

    /// An audit entry for an action of this person.
    pub fn entry<'a>(&self, event: &'static str, outcome: &'a str, caller: &'a Caller) -> Entry<'a> {
        Entry {
            event,
            actor: Some(self.user_id),
            role: self.role(),
            session: Some(self.session_id),
            target: None,
            outcome,
            caller,
        }
    }

    /// Why this person may not enter the back office, if so.
    fn refused_as_admin(&self, now: Micros) -> Option<AppError> {
        if self.factor_pending(now) {
            return Some(mfa_required());
        }
        if self.stage(now) == AuthStage::Authenticated {
            return None;
        }
        let code = if self.must_set_up_factor { Code::MfaSetupRequired } else { Code::Forbidden };
        Some(AppError::from_code(StatusCode::FORBIDDEN, code))
    }

    /// Rechecks, in the transaction that writes for this person, the rights they had when the request began: it may
    /// have taken minutes to arrive. 401 if the session or its token has ended, 403 if the person is no longer an
    /// admin or now has a second factor to give.
    ///
    /// On PostgreSQL a session may still end between this and the commit. A write that such an end must remove, such
    /// as a link, locks the account first.
    pub async fn require_still(&self, tx: &mut Tx, now: Micros) -> AppResult<()> {
        let found = session::find_again(tx, &self.found).await?.ok_or_else(not_authenticated)?;
        // The extractor has checked the factor that admins must set up.
        let present = Self::of(AdminMfa::Offered, found, self.via);
        if present.factor_pending(now) && !self.factor_pending(now) {
            return Err(mfa_required());
        }
        if self.is_admin && !present.is_admin {
            return Err(AppError::from_code(StatusCode::FORBIDDEN, Code::Forbidden));
        }
        Ok(())
    }

    /// Refuses with 403 `reauthentication_needed` unless the person authenticated within ten minutes.
    pub fn require_recent_authentication(&self, now: Micros) -> AppResult<()> {
        if rules::session::stamp_counts(self.stamped_at.map(millis), millis(now)) {
            return Ok(());
        }
        Err(AppError::from_code(StatusCode::FORBIDDEN, Code::ReauthenticationNeeded))
    }
}

/// A person who acts in a request, with everything an action depends on.
#[derive(Clone, Copy, Debug)]
pub struct Actor<'a> {
    pub app: &'a AppState,
    pub me: &'a SignedIn,
    pub caller: &'a Caller,
    pub now: Micros,
}

impl<'a> Actor<'a> {
    pub fn new(app: &'a AppState, me: &'a SignedIn, caller: &'a Caller) -> Self {
        Self { app, me, caller, now: app.clock.now() }
    }

    /// Records what this person did, on what if that is not the session, such as `password`. The caller has called
    /// [`SignedIn::require_still`], or the session is the subject, or it is a refusal.
    pub async fn record_unchecked(
        &self,
        tx: &mut Tx,
        event: &'static str,
        outcome: &str,
        on: Option<&str>,
    ) -> AppResult<()> {
        let entry = Entry { target: on, ..self.me.entry(event, outcome, self.caller) };
        Ok(audit::record(tx, self.now, &entry).await?)
    }

    /// Records a refusal about `target` in a transaction that does nothing else.
    pub async fn record_refusal(&self, event: &'static str, refusal: &AppError, on: &str) -> AppResult<()> {
        let mut tx = self.app.db.begin().await?;
        self.record_unchecked(&mut tx, event, refusal.code(), Some(on)).await?;
        Ok(tx.commit().await?)
    }

    pub fn mail(&self) -> AccountMail<'a> {
        AccountMail { app: self.app, now: self.now }
    }

    pub async fn notify(&self, tx: &mut Tx, notice: Notice, letter: Letter) -> AppResult<()> {
        Ok(self.mail().notify(tx, notice, (self.me.user_id, &self.me.email), letter).await?)
    }

    /// Records what this person did to `target`, such as `demo:{id}`, after [`SignedIn::require_still`] once a transaction.
    pub async fn check_and_record(&self, tx: &mut Tx, event: &'static str, target: &str) -> AppResult<()> {
        if tx.session_checked != Some(self.me.session_id) {
            self.me.require_still(tx, self.now).await?;
            tx.session_checked = Some(self.me.session_id);
        }
        Ok(audit::record(tx, self.now, &self.me.entry(event, "ok", self.caller).on(target)).await?)
    }
}

pub fn not_authenticated() -> AppError {
    AppError::from_code(StatusCode::UNAUTHORIZED, Code::NotAuthenticated)
}

pub fn session_expired() -> AppError {
    AppError::from_code(StatusCode::UNAUTHORIZED, Code::SessionExpired)
}

pub fn mfa_required() -> AppError {
    AppError::from_code(StatusCode::FORBIDDEN, Code::MfaRequired)
}

/// The token of a request: `Authorization: Bearer` with a token of this website's form, else the cookie. Any other
/// `Authorization` is for a proxy in front.
pub fn token_of(origin: &Origin, headers: &HeaderMap) -> Option<(Token, TokenTransport)> {
    let bearer = headers.get_all(header::AUTHORIZATION).iter().find_map(|value| {
        let (scheme, token) = value.to_str().ok()?.trim().split_once([' ', '\t'])?;
        scheme.eq_ignore_ascii_case("bearer").then(|| Token::parse(token.trim()))?
    });
    if let Some(token) = bearer {
        return Some((token, TokenTransport::Bearer));
    }
    let cookie = cookies::read(origin, headers, cookies::Name::Session)?;
    Token::parse(&cookie).map(|token| (token, TokenTransport::Cookie))
}

async fn find_session(parts: &mut Parts, app: &AppState) -> AppResult<Option<(Outcome, TokenTransport)>> {
    let Some((token, via)) = token_of(&app.origin, &parts.headers) else { return Ok(None) };
    let outcome = session::authenticate(&app.db, &token, app.clock.now()).await?;
    if let Outcome::Reused(found) = &outcome {
        end_copied(app, found, &Caller::from_request_parts(parts, app).await?).await?;
    }
    Ok(Some((outcome, via)))
}

/// Ends a session whose token came back after its successor was used, before the request is answered.
async fn end_copied(app: &AppState, found: &SessionRecord, caller: &Caller) -> AppResult<()> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    if !session::end(&mut tx, found.session_id).await? {
        return Ok(());
    }
    let entry = Entry::visitor("authn_token_reuse", Some(found.user_id), "session_ended", caller);
    let entry = Entry { session: Some(found.session_id), ..entry };
    audit::record(&mut tx, now, &entry).await?;
    let owner = (found.user_id, found.email.as_str());
    let mail = AccountMail { app, now };
    mail.notify(&mut tx, Notice::TokenReuse, owner, letters::token_reuse(&mail.label())).await?;
    tx.commit().await?;
    Ok(())
}

/// Anyone, with the signed-in person if there is one.
#[derive(Debug)]
pub struct Visitor(pub Option<SignedIn>);

/// Anyone, for requests that a page makes by itself while another call may change rights: as [`Visitor`], and whether
/// the token was just retired by such a change. The page then retries, because the next token is under way.
#[derive(Debug, Default)]
pub struct SessionStatus {
    pub signed_in: Option<SignedIn>,
    /// The session of a retired token while the answer that brings the next one may still be under way.
    pub retired: Option<SignedIn>,
}

/// A live session, with or without its second factor. Else 401.
#[derive(Debug)]
pub struct Member(pub SignedIn);

/// A live session whose second factor was given, if the account has one. Else 401, or 403 `mfa_required`.
#[derive(Debug)]
pub struct VerifiedMember(pub SignedIn);

/// An active admin at stage `authenticated`. Else 401, 403 `mfa_required`, 403 `mfa_setup_required`, or 403 `forbidden`.
#[derive(Debug)]
pub struct Admin(pub SignedIn);

/// A live session, or one whose token was retired by a verification. Only for the verification itself, which may
/// repeat a lost answer.
#[derive(Debug)]
pub struct Verifying {
    pub signed_in: SignedIn,
    /// Whether the token was retired: only a repetition may be answered.
    pub is_retired: bool,
}

impl AsRef<SignedIn> for Member {
    fn as_ref(&self) -> &SignedIn {
        &self.0
    }
}

impl AsRef<SignedIn> for VerifiedMember {
    fn as_ref(&self) -> &SignedIn {
        &self.0
    }
}

impl AsRef<SignedIn> for Admin {
    fn as_ref(&self) -> &SignedIn {
        &self.0
    }
}

impl AsRef<SignedIn> for Verifying {
    fn as_ref(&self) -> &SignedIn {
        &self.signed_in
    }
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> AppResult<Self> {
        Ok(Self(match find_session(parts, app).await? {
            Some((Outcome::Active(found), via)) => Some(SignedIn::of(app.admin_mfa, *found, via)),
            _ => None,
        }))
    }
}

impl FromRequestParts<AppState> for SessionStatus {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> AppResult<Self> {
        let mut status = Self::default();
        match find_session(parts, app).await? {
            Some((Outcome::Active(found), via)) => {
                status.signed_in = Some(SignedIn::of(app.admin_mfa, *found, via));
            }
            Some((Outcome::Retired(found), via)) if found.next_token_is_under_way(app.clock.now()) => {
                status.retired = Some(SignedIn::of(app.admin_mfa, *found, via));
            }
            _ => {}
        }
        Ok(status)
    }
}

impl FromRequestParts<AppState> for Member {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> AppResult<Self> {
        match find_session(parts, app).await? {
            Some((Outcome::Active(found), via)) => Ok(Self(SignedIn::of(app.admin_mfa, *found, via))),
            Some((Outcome::Expired, _)) => Err(session_expired()),
            _ => Err(not_authenticated()),
        }
    }
}

impl FromRequestParts<AppState> for VerifiedMember {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> AppResult<Self> {
        let Member(signed_in) = Member::from_request_parts(parts, app).await?;
        if signed_in.factor_pending(app.clock.now()) {
            return Err(mfa_required());
        }
        Ok(Self(signed_in))
    }
}

impl FromRequestParts<AppState> for Admin {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> AppResult<Self> {
        let (whose, refused) = match Member::from_request_parts(parts, app).await {
            Ok(Member(me)) => match me.refused_as_admin(app.clock.now()) {
                None => return Ok(Self(me)),
                Some(refused) => (Some(me), refused),
            },
            Err(refused) => (None, refused),
        };
        // A request without an address comes from the program itself.
        let caller = Caller::from_request_parts(parts, app).await;
        if let (Ok(caller), true) = (caller, refused.status().is_client_error()) {
            let (event, target, outcome) =
                ("authz_fail", target_of(&parts.method, parts.extensions.get()), refused.code());
            let entry = match &whose {
                Some(me) => me.entry(event, outcome, &caller),
                None => Entry::visitor(event, None, outcome, &caller),
            };
            app.refusals.note(&app.background, &app.db, app.clock.now(), &entry.on(&target));
        }
        Err(refused)
    }
}

impl FromRequestParts<AppState> for Verifying {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> AppResult<Self> {
        match find_session(parts, app).await? {
            Some((Outcome::Active(found), via)) => {
                Ok(Self { signed_in: SignedIn::of(app.admin_mfa, *found, via), is_retired: false })
            }
            Some((Outcome::Retired(found), via)) => {
                Ok(Self { signed_in: SignedIn::of(app.admin_mfa, *found, via), is_retired: true })
            }
            Some((Outcome::Expired, _)) => Err(session_expired()),
            _ => Err(not_authenticated()),
        }
    }
}
