//! Gives an account back to the owner of its mailbox, who reports by a mailed link that a change was not theirs:
//! nothing a thief may have set works any more.

use deadwax_http::error::AppResult;
use deadwax_mail::letters;
use deadwax_store::{
    clock::{Micros, micros},
    db::Tx,
};
use rules::mailed_link;
use uuid::Uuid;

use super::{
    account_mail,
    links::{self, NewLink, Purpose},
    password,
};
use crate::{
    app::AppState,
    audit::{self, Entry},
    auth::session,
    requests::caller::Caller,
    two_factor,
};

/// Ends all sessions of a locked account, voids its password, removes a second factor set up later than three days
/// before `mailed_at`, when the link was mailed, and mails a link to a new password. The three days cover what a thief
/// did before asking for the change.
pub(super) async fn take_back(
    app: &AppState,
    tx: &mut Tx,
    caller: &Caller,
    (user_id, email): (Uuid, &str),
    mailed_at: Micros,
) -> AppResult<()> {
    let now = app.clock.now();
    session::end_others(tx, user_id, None).await?;
    password::void(tx, user_id, &app.hasher, now).await?;
    let since = mailed_at - micros(mailed_link::EMAIL_UNDO_MS);
    let factor = two_factor::reset_since(tx, user_id, since, now).await?;
    let by_link = |event, target| Entry::visitor(event, Some(user_id), "taken_back", caller).on(target);
    audit::record(tx, now, &by_link("authn_password_change", "password")).await?;
    if factor == letters::FactorLeft::Removed {
        audit::record(tx, now, &by_link("mfa_disabled", "two_factor")).await?;
    }
    let token = links::create(tx, now, NewLink::new(Purpose::Reset, user_id)).await?;
    let letter = letters::taken_back(&app.label(), token.expose(), factor);
    let not_after = Some(now + Purpose::Reset.life());
    account_mail::enqueue(&app.keys, tx, now, "account_taken_back", email, letter, not_after).await?;
    Ok(())
}
