//! Sessions as rows: who is signed in where, by which token, and until when (`docs/reference.md`, Sessions).
//!
//! A renewal gives a session a token of the next generation. The old ones stay known while a session may be idle, so
//! that a copied one is noticed when it is used after its successor. After a change of rights the old ones are
//! retired: they get 401 at once.

use deadwax_store::{
    clock::{Micros, micros, millis},
    crypto::Token,
    db::{Db, Tx},
    ids::{SessionId, UserId},
    limits, statements,
};
use rules::{
    rate_limit,
    session::{self, Moments, PreviousToken},
};
use uuid::Uuid;

use crate::{
    audit::{self, Entry},
    requests::caller::Caller,
};

macro_rules! found_by {
    ($condition:literal) => {
        concat!(
            "SELECT t.generation AS token_generation, t.first_used_at, t.retired_at, t.superseded_at, \
                 s.id AS session_id, s.user_id, s.generation, s.created_at, s.used_at, s.renewed_at, s.expires_at, s.stamped_at, \
                 s.mfa_verified_at, s.mfa_verified_until, s.recovered_at, \
                 u.email, u.full_name, u.confirmed_at, u.reset_by_mail_at, u.created_at AS user_created_at, \
                 p.username, p.avatar_url, p.created_at AS profile_created_at, \
                 a.user_id IS NOT NULL AS is_admin, f.enabled_at IS NOT NULL AS factor_enabled \
             FROM session_tokens t JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id \
                 LEFT JOIN profiles p ON p.id = u.id LEFT JOIN admin_users a ON a.user_id = u.id AND a.active \
                 LEFT JOIN two_factor f ON f.user_id = u.id ",
            $condition
        )
    };
}

statements! {
    FIND = found_by!("WHERE t.token_hash = $1");
    FIND_AGAIN = found_by!("WHERE s.id = $1 AND t.generation = $2 AND t.retired_at IS NULL");
    FIND_BY_ID = found_by!("WHERE s.id = $1 AND t.generation = s.generation");
    INSERT = "INSERT INTO sessions (id, user_id, generation, user_agent, network, created_at, used_at, expires_at, \
            stamped_at) \
        VALUES ($1, $2, 0, $3, $4, $5, $5, $6, $5)";
    INSERT_TOKEN = "INSERT INTO session_tokens (token_hash, session_id, generation, created_at) \
        VALUES ($1, $2, $3, $4)";
    OLDEST = "SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET $2";
    RENEW = "UPDATE sessions SET generation = generation + 1, used_at = $2, renewed_at = $2, expires_at = $3 \
        WHERE id = $1 AND (renewed_at IS NULL OR renewed_at <= $4 OR renewed_at > $2) \
        RETURNING generation";
    NEXT_GENERATION = "UPDATE sessions SET generation = generation + 1, used_at = $2, expires_at = $3 \
        WHERE id = $1 \
        RETURNING generation";
    RETIRE = "UPDATE session_tokens SET retired_at = $3 \
        WHERE session_id = $1 AND generation < $2 AND retired_at IS NULL";
    FIRST_USE = "UPDATE session_tokens SET first_used_at = $2 \
        WHERE token_hash = $1 AND first_used_at IS NULL \
        RETURNING generation";
    SUPERSEDE = "UPDATE session_tokens SET superseded_at = $3 \
        WHERE session_id = $1 AND generation < $2 AND superseded_at IS NULL";
    PRUNE_TOKENS = "DELETE FROM session_tokens WHERE superseded_at < $1 OR retired_at < $1";
    USE = "UPDATE sessions SET used_at = $2 WHERE id = $1 AND used_at < $2";
    STAMP = "UPDATE sessions SET stamped_at = $2 WHERE id = $1";
    VERIFY = "UPDATE sessions SET mfa_verified_at = $2, mfa_verified_until = $3, recovered_at = $4 WHERE id = $1";
    END = "DELETE FROM sessions WHERE id = $1";
    END_OTHERS = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
    PRUNE = "DELETE FROM sessions WHERE used_at < $1 OR created_at < $2";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenTransport {
    /// A browser.
    Cookie,
    /// A program, by `Authorization: Bearer`.
    Bearer,
}

/// A session as found, with everything that rights and answers depend on.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct SessionRecord {
    token_generation: i64,
    first_used_at: Option<Micros>,
    retired_at: Option<Micros>,
    superseded_at: Option<Micros>,
    pub session_id: SessionId,
    pub(crate) user_id: UserId,
    generation: i64,
    pub(crate) created_at: Micros,
    used_at: Micros,
    renewed_at: Option<Micros>,
    pub(crate) expires_at: Micros,
    /// When the person last authenticated.
    pub(crate) stamped_at: Option<Micros>,
    /// When the second factor was last given in this session.
    pub(crate) mfa_verified_at: Option<Micros>,
    /// Until when it counts.
    pub(crate) mfa_verified_until: Option<Micros>,
    /// When a recovery code replaced the authenticator in this session.
    pub recovered_at: Option<Micros>,
    pub(crate) email: String,
    pub(crate) full_name: Option<String>,
    pub(crate) confirmed_at: Option<Micros>,
    /// When the account's password was last reset by a mailed link.
    pub(crate) reset_by_mail_at: Option<Micros>,
    pub(crate) user_created_at: Micros,
    pub(crate) username: Option<String>,
    pub(crate) avatar_url: Option<String>,
    pub(crate) profile_created_at: Option<Micros>,
    /// Whether the account is an active admin's, with or without a second factor.
    pub is_admin: bool,
    pub factor_enabled: bool,
}

impl SessionRecord {
    /// Whether its token was retired so recently that the answer with the next one may still be under way.
    pub fn next_token_is_under_way(&self, now: Micros) -> bool {
        self.retired_at.is_some_and(|at| session::next_token_is_under_way(millis(at), millis(now)))
    }

    /// Whether it was renewed so recently that another token would be useless.
    pub fn was_renewed_lately(&self, now: Micros) -> bool {
        self.renewed_at.is_some_and(|at| at <= now && now - at < micros(session::RENEWED_LATELY_MS))
    }

    fn moments(&self) -> Moments {
        moments(self.created_at, self.used_at, self.factor_enabled && self.mfa_verified_at.is_none())
    }

    /// The latest end of the session, in milliseconds, however often it is used.
    pub fn ends_at_ms(&self) -> u64 {
        session::ends_at_ms(Moments { factor_pending: false, ..self.moments() })
    }

    /// When the session, used at `now`, ends unless it is used again, in milliseconds.
    pub fn latest_end_ms(&self, now: Micros) -> u64 {
        session::ends_at_ms(Moments { used_at_ms: millis(now), ..self.moments() })
    }
}

pub(crate) fn moments(created_at: Micros, used_at: Micros, factor_pending: bool) -> Moments {
    Moments { created_at_ms: millis(created_at), used_at_ms: millis(used_at), factor_pending }
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Active(Box<SessionRecord>),
    /// Its session changed rights and has another token. Only a repeated verification may still get its answer.
    Retired(Box<SessionRecord>),
    /// A token that came back long after its successor was used: one of the two was copied. The caller ends the
    /// session.
    Reused(Box<SessionRecord>),
    Expired,
    /// Not a token of this website, or one of an ended session.
    Unknown,
}

/// Finds the session of a token, and records its use.
pub async fn authenticate(db: &Db, token: &Token, now: Micros) -> sqlx::Result<Outcome> {
    let hash = token.hash();
    let Some(found) = db.query(FIND).bind(&hash).optional::<SessionRecord>().await? else {
        return Ok(Outcome::Unknown);
    };
    if found.retired_at.is_some() {
        return Ok(Outcome::Retired(Box::new(found)));
    }
    if session::previous_token(found.superseded_at.map(millis), millis(now)) == PreviousToken::Reused {
        return Ok(Outcome::Reused(Box::new(found)));
    }
    if !session::is_alive(found.moments(), millis(now)) {
        return Ok(Outcome::Expired);
    }
    let is_first_use = found.first_used_at.is_none() && found.token_generation == found.generation;
    if is_first_use || now - found.used_at > micros(session::USE_NOTED_MS) {
        // A database that cannot write must not sign people out.
        if let Err(error) = touch(db, &hash, found.session_id, now).await {
            tracing::warn!(cause = %error, "noting the use of a session");
        }
    }
    Ok(Outcome::Active(Box::new(found)))
}

async fn touch(db: &Db, hash: &[u8], session_id: SessionId, now: Micros) -> sqlx::Result<()> {
    let mut tx = db.begin().await?;
    // The session before its tokens, as a renewal does, so that two never wait for each other.
    tx.query(USE).bind(session_id).bind(now).execute().await?;
    if let Some(generation) = tx.query(FIRST_USE).bind(hash).bind(now).maybe::<i64>().await? {
        tx.query(SUPERSEDE).bind(session_id).bind(generation).bind(now).execute().await?;
    }
    tx.commit().await
}

pub async fn find_by_id(db: &Db, session_id: SessionId) -> sqlx::Result<Option<SessionRecord>> {
    db.query(FIND_BY_ID).bind(session_id).optional::<SessionRecord>().await
}

/// The session again in a transaction, by the token it was found by; none if it has ended or the token was retired.
pub async fn find_again(tx: &mut Tx, found: &SessionRecord) -> sqlx::Result<Option<SessionRecord>> {
    tx.query(FIND_AGAIN).bind(found.session_id).bind(found.token_generation).optional::<SessionRecord>().await
}

/// Creates a session, freshly authenticated. Only the ten latest of an account stay.
pub async fn create(
    tx: &mut Tx,
    now: Micros,
    user_id: UserId,
    caller: &Caller,
) -> sqlx::Result<(SessionId, Token)> {
    let (id, token) = (SessionId::generate(), Token::random());
    tx.query(INSERT)
        .bind(id)
        .bind(user_id)
        .bind(&caller.user_agent)
        .bind(caller.network())
        .bind(now)
        .bind(renewed_until(now))
        .execute()
        .await?;
    tx.query(INSERT_TOKEN).bind(token.hash()).bind(id).bind(0_i64).bind(now).execute().await?;
    let most = i64::try_from(session::MAX_PER_ACCOUNT).unwrap_or(i64::MAX);
    for oldest in tx.query(OLDEST).bind(user_id).bind(most).values::<SessionId>().await? {
        tx.query(END).bind(oldest).execute().await?;
    }
    let entry = Entry::new_session("session_created", user_id, id, caller);
    audit::record(tx, now, &entry).await?;
    Ok((id, token))
}

/// As [`renew`], unless the session was renewed within the last minute or too often: then none, and its tokens stay as
/// they are.
pub async fn renew_if_due(tx: &mut Tx, session_id: SessionId, now: Micros) -> sqlx::Result<Option<Token>> {
    let (until, lately) = (renewed_until(now), now - micros(session::RENEWED_LATELY_MS));
    let renewed = tx.query(RENEW).bind(session_id).bind(now).bind(until).bind(lately).maybe::<i64>().await?;
    let Some(generation) = renewed else { return Ok(None) };
    let key = format!("renewal:{session_id}");
    if limits::take_in(tx, &key, rate_limit::RENEWAL, now).await?.is_err() {
        return Ok(None);
    }
    Ok(Some(insert_token(tx, session_id, generation, now).await?))
}

/// Gives a session its next token; the earlier ones still count for a while. None for an ended session.
pub async fn renew(tx: &mut Tx, session_id: SessionId, now: Micros) -> sqlx::Result<Option<Token>> {
    Ok(next_token(tx, session_id, now).await?.map(|(_, token)| token))
}

/// Gives a session its next token after a change of rights: the earlier ones get 401 from the commit on.
pub async fn rotate(tx: &mut Tx, session_id: SessionId, now: Micros) -> sqlx::Result<Option<Token>> {
    let Some((generation, token)) = next_token(tx, session_id, now).await? else { return Ok(None) };
    tx.query(RETIRE).bind(session_id).bind(generation).bind(now).execute().await?;
    Ok(Some(token))
}

async fn next_token(tx: &mut Tx, session_id: SessionId, now: Micros) -> sqlx::Result<Option<(i64, Token)>> {
    let next =
        tx.query(NEXT_GENERATION).bind(session_id).bind(now).bind(renewed_until(now)).maybe::<i64>().await?;
    let Some(generation) = next else { return Ok(None) };
    Ok(Some((generation, insert_token(tx, session_id, generation, now).await?)))
}

async fn insert_token(
    tx: &mut Tx,
    session_id: SessionId,
    generation: i64,
    now: Micros,
) -> sqlx::Result<Token> {
    let token = Token::random();
    tx.query(INSERT_TOKEN).bind(token.hash()).bind(session_id).bind(generation).bind(now).execute().await?;
    Ok(token)
}

pub async fn mark_reauthenticated(tx: &mut Tx, session_id: SessionId, now: Micros) -> sqlx::Result<()> {
    tx.query(STAMP).bind(session_id).bind(now).execute().await?;
    Ok(())
}

/// Records that the second factor was given in this session, or a recovery code in its place.
pub async fn verify(tx: &mut Tx, found: &SessionRecord, now: Micros, is_recovery: bool) -> sqlx::Result<()> {
    let until = micros(rules::mfa::verified_until_ms(millis(now), found.ends_at_ms()));
    tx.query(VERIFY)
        .bind(found.session_id)
        .bind(now)
        .bind(until)
        .bind(is_recovery.then_some(now))
        .execute()
        .await
        .map(drop)
}

/// Ends a session; whether there was one.
pub async fn end(tx: &mut Tx, session_id: SessionId) -> sqlx::Result<bool> {
    Ok(tx.query(END).bind(session_id).execute().await? > 0)
}

/// Ends the sessions of an account, except the one to keep.
pub async fn end_others(tx: &mut Tx, user_id: UserId, keep: Option<SessionId>) -> sqlx::Result<()> {
    // No session has the nil id.
    let keep = keep.map_or(Uuid::nil(), |keep| keep.0);
    tx.query(END_OTHERS).bind(user_id).bind(keep).execute().await.map(drop)
}

/// Deletes sessions that expired long ago, and tokens replaced so long ago that no honest client holds them.
pub async fn prune(db: &Db, now: Micros) -> sqlx::Result<()> {
    let before = |life_ms: u64| now - micros(life_ms + session::ENDED_KEPT_MS);
    let mut tx = db.begin().await?;
    tx.query(PRUNE).bind(before(session::IDLE_MS)).bind(before(session::ABSOLUTE_MS)).execute().await?;
    tx.query(PRUNE_TOKENS).bind(now - micros(session::REPLACED_KEPT_MS)).execute().await?;
    tx.commit().await
}

fn renewed_until(now: Micros) -> Micros {
    now + micros(session::EXPIRES_MS)
}
