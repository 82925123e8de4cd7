//! Leaving the newsletter by the link of a letter, and coming back within a minute.

use deadwax_http::error::AppResult;
use deadwax_store::{
    clock::{Micros, micros},
    db::Db,
    ids::{LetterId, SubscriptionId},
    statements,
};
use rules::newsletter_consent::COME_BACK_MS;

use super::suppressions;
use crate::{
    app::AppState,
    numbers::{keep, kind::Kind},
};

statements! {
    // Also of one that an import has ended, so that its undo does not restore it. Its time stays: there is nothing to come back to.
    LEAVE = "UPDATE newsletter_subscriptions SET active = FALSE, inactive_reason = 'left', \
            inactive_at = CASE WHEN active THEN $2 ELSE inactive_at END, suppressed = TRUE, \
            added_by = NULL, ended_by = NULL, updated_at = $2, version = version + 1 \
        WHERE leave_token = $1 AND (active OR ended_by IS NOT NULL) RETURNING id, email";
    // One that an import had ended left later than it became inactive.
    LEFT = "SELECT id, email, inactive_at FROM newsletter_subscriptions \
        WHERE leave_token = $1 AND NOT active AND inactive_reason = 'left' AND inactive_at > $2 AND inactive_at = updated_at", postgres + " FOR UPDATE";
    IS_ON = "SELECT id FROM newsletter_subscriptions WHERE leave_token = $1 AND active";
    // Letters that wait, and the one whose link was pressed.
    LEAVE_LETTERS = "UPDATE letter_recipients SET state = 'left', ended_at = $2 \
        WHERE subscription_id = $1 AND (state = 'waiting' OR (state = 'sent' AND letter_id = $3))";
    // In a letter that has ended, the row was passed over.
    BACK_TO_LETTERS = "UPDATE letter_recipients SET state = CASE \
                WHEN sent_at IS NOT NULL THEN 'sent' \
                WHEN EXISTS (SELECT 1 FROM letters l WHERE l.id = letter_recipients.letter_id AND l.state IN ('sending', 'paused')) THEN 'waiting' \
                ELSE 'skipped' END, \
            ended_at = CASE WHEN sent_at IS NOT NULL THEN sent_at END \
        WHERE subscription_id = $1 AND state = 'left' AND ended_at = $2";
    COME_BACK = "UPDATE newsletter_subscriptions SET active = TRUE, inactive_reason = NULL, inactive_at = NULL, suppressed = $2, \
            updated_at = $3, version = version + 1 \
        WHERE id = $1";
}

/// Tokens are 32 hex digits; a link may hold anything.
fn parse(token: &str) -> Option<&str> {
    (token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(token)
}

/// Takes the subscription of a link off the list, and out of the letters that are being sent; `letter` is the one whose link it was. An
/// unknown link, and one of a person who has left, change nothing.
pub async fn leave(db: &Db, now: Micros, token: &str, letter: Option<LetterId>) -> AppResult<()> {
    let Some(token) = parse(token) else { return Ok(()) };
    let mut tx = db.begin().await?;
    if let Some((id, email)) =
        tx.query(LEAVE).bind(token).bind(now).optional::<(SubscriptionId, String)>().await?
    {
        suppressions::code_of(&mut tx, &email, now).await?.add(&mut tx, "left", now).await?;
        tx.query(LEAVE_LETTERS).bind(id).bind(now).bind(letter).execute().await?;
        keep::add_in(&mut tx, now, Kind::Left, 1).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Undoes leaving: the subscription is as it was. False if that is too long ago, or never was. Pressed twice, it is
/// true twice.
pub async fn come_back(app: &AppState, token: &str) -> AppResult<bool> {
    let Some(token) = parse(token) else { return Ok(false) };
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let left = tx.query(LEFT).bind(token).bind(now - micros(COME_BACK_MS));
    let Some((id, email, left_at)) = left.optional::<(SubscriptionId, String, Micros)>().await? else {
        return Ok(tx.query(IS_ON).bind(token).exists().await?);
    };
    let was_suppressed =
        !suppressions::code_of(&mut tx, &email, now).await?.take_back(&mut tx, left_at).await?;
    tx.query(COME_BACK).bind(id).bind(was_suppressed).bind(now).execute().await?;
    tx.query(BACK_TO_LETTERS).bind(id).bind(left_at).execute().await?;
    keep::add_in(&mut tx, left_at, Kind::Left, -1).await?;
    tx.commit().await?;
    Ok(true)
}
