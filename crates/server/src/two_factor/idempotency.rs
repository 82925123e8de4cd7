//! Attempts remembered for two minutes, so that a request whose answer was lost is answered again and not counted
//! again.

use deadwax_store::{
    clock::{Micros, micros, millis},
    db::Tx,
    statements,
};
use rules::mfa::{self, Repetition};
use uuid::Uuid;

use super::attempt::Attempt;

statements! {
    FIND = "SELECT code_mac, answer, created_at FROM mfa_attempts WHERE session_id = $1 AND request_id = $2";
    FORGET = "DELETE FROM mfa_attempts WHERE session_id = $1 AND created_at < $2";
    REMEMBER = "INSERT INTO mfa_attempts (session_id, request_id, code_mac, answer, created_at) \
        VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (session_id, request_id) DO UPDATE SET code_mac = $3, answer = $4, created_at = $5";
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Replay {
    New,
    /// The same one, with its answer's code.
    Same(String),
    /// The same id with another code.
    Conflict,
}

/// The MAC's input for a code under a request id; the code itself is not stored.
fn parts<'a>(session_id: &'a Uuid, request_id: &'a str, code: &'a str) -> [&'a [u8]; 4] {
    [b"mfa_attempt", session_id.as_bytes(), request_id.as_bytes(), code.as_bytes()]
}

pub(super) async fn find(
    tx: &mut Tx,
    attempt: &Attempt<'_>,
    request_id: &str,
    code: &str,
) -> sqlx::Result<Replay> {
    let session_id = attempt.me.session_id;
    let row =
        tx.query(FIND).bind(session_id).bind(request_id).optional::<(Vec<u8>, String, Micros)>().await?;
    let Some((mac, answer, at)) = row else { return Ok(Replay::New) };
    let is_same = attempt.app.keys.is_mac(&mac, &parts(&session_id, request_id, code));
    Ok(match mfa::repetition(Some(millis(at)), is_same, millis(attempt.now)) {
        Repetition::New => Replay::New,
        Repetition::Same => Replay::Same(answer),
        Repetition::Conflict => Replay::Conflict,
    })
}

pub(super) async fn remember(
    tx: &mut Tx,
    attempt: &Attempt<'_>,
    request_id: Option<&str>,
    code: &str,
    answer: &str,
) -> sqlx::Result<()> {
    let Some(request_id) = request_id else { return Ok(()) };
    let (session_id, now) = (attempt.me.session_id, attempt.now);
    tx.query(FORGET).bind(session_id).bind(now - micros(mfa::SAME_REQUEST_MS)).execute().await?;
    let mac = attempt.app.keys.mac(&parts(&session_id, request_id, code));
    tx.query(REMEMBER).bind(session_id).bind(request_id).bind(mac).bind(answer).bind(now).execute().await?;
    Ok(())
}
