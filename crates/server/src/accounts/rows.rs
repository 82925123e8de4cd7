//! Shared queries on the rows of an account: its lock, and its username, which is a default one if none was typed.

use deadwax_http::error::AppResult;
use deadwax_store::{
    clock::Micros,
    db::{Db, Tx},
    ids::UserId,
    statements,
};
use rand::RngExt as _;
use rules::username::{Username, default_username};

use crate::auth::guard::{self, Actor};

/// Numbers tried in order before random ones.
const COUNTED: u32 = 20;
/// Random numbers tried then. To block a noticeable part of [`DRAWN_FROM`], an attacker needs hundreds of millions of
/// accounts.
const DRAWN: usize = 20;
const DRAWN_FROM: std::ops::Range<u32> = 1_000..1_000_000_000;

statements! {
    // Does not block the foreign keys of other rows, which only need the account to exist.
    LOCK = "SELECT email FROM users WHERE id = $1", postgres + " FOR NO KEY UPDATE";
    HAS_NAME = "SELECT id FROM profiles WHERE username_key = $1 AND id <> $2";
    HAS_NAME_FOR_GOOD = "SELECT p.id FROM profiles p JOIN users u ON u.id = p.id \
        WHERE p.username_key = $1 AND p.id <> $2 AND u.confirmed_at IS NOT NULL";
    KEEPS_NAME = "SELECT p.id, u.email FROM profiles p JOIN users u ON u.id = p.id \
        WHERE p.username_key = $1 AND p.id <> $2 AND u.confirmed_at IS NULL";
    RENAME = "UPDATE profiles SET username = $2, username_key = $3, updated_at = $4, version = version + 1 \
        WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM profiles other WHERE other.username_key = $3 AND other.id <> $1)";
    GIVE_OTHER = "UPDATE profiles SET username = $3, username_key = $4, updated_at = $5, version = version + 1 \
        WHERE id = $1 AND username_key = $2 \
            AND EXISTS (SELECT 1 FROM users u WHERE u.id = $1 AND u.confirmed_at IS NULL) \
            AND NOT EXISTS (SELECT 1 FROM profiles other WHERE other.username_key = $4)";
}

/// Locks an account until the transaction ends; returns its address, or none if it is deleted.
pub(super) async fn lock(tx: &mut Tx, user_id: UserId) -> sqlx::Result<Option<String>> {
    tx.query(LOCK).bind(user_id).maybe().await
}

/// Locks the caller's account before a row that refers to it is added; 401 if it was just deleted. It comes before the
/// locks of the account's own rows, the order of a deletion.
pub(crate) async fn lock_own(tx: &mut Tx, user_id: UserId) -> AppResult<()> {
    lock(tx, user_id).await?.map(drop).ok_or_else(guard::not_authenticated)
}

/// Begins a transaction that locks the actor's account; 401 if it was just deleted.
pub(crate) async fn begin(by: Actor<'_>) -> AppResult<Tx> {
    let mut tx = by.app.db.begin().await?;
    lock_own(&mut tx, by.me.user_id).await?;
    Ok(tx)
}

/// Whether another account with a confirmed address has the name.
pub(super) async fn is_taken_for_good(db: &Db, name: &Username, user_id: UserId) -> sqlx::Result<bool> {
    db.query(HAS_NAME_FOR_GOOD).bind(name.key()).bind(user_id).exists().await
}

/// Gives an unconfirmed holder of the name a default one, so that an unconfirmed sign-up does not keep it from
/// `user_id`.
pub(super) async fn free_name(
    tx: &mut Tx,
    name: &Username,
    user_id: UserId,
    now: Micros,
) -> sqlx::Result<()> {
    let key = name.key();
    let held = tx.query(KEEPS_NAME).bind(&key).bind(user_id).optional::<(UserId, String)>().await?;
    let Some((holder, email)) = held else { return Ok(()) };
    for other in default_names(&email) {
        let give = tx.query(GIVE_OTHER).bind(holder).bind(&key).bind(other.as_str()).bind(other.key());
        if give.bind(now).execute().await? > 0 {
            break;
        }
    }
    Ok(())
}

/// Gives an account a default name made from its address.
pub(super) async fn give_default_name(tx: &mut Tx, user_id: UserId, now: Micros) -> sqlx::Result<()> {
    let Some(email) = lock(tx, user_id).await? else { return Ok(()) };
    for name in default_names(&email) {
        if rename(tx, user_id, &name, now).await? {
            break;
        }
    }
    Ok(())
}

/// Renames an account unless another has the name; whether it has it now.
pub(super) async fn rename(tx: &mut Tx, user_id: UserId, name: &Username, now: Micros) -> sqlx::Result<bool> {
    let renamed =
        tx.query(RENAME).bind(user_id).bind(name.as_str()).bind(name.key()).bind(now).execute().await?;
    Ok(renamed > 0)
}

/// Whether another account has the name, confirmed or not.
pub(super) async fn is_taken_in(tx: &mut Tx, name: &Username, user_id: UserId) -> sqlx::Result<bool> {
    tx.query(HAS_NAME).bind(name.key()).bind(user_id).exists().await
}

pub(super) fn is_conflict(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(refused) if refused.is_unique_violation())
}

/// The default names of an address, in the order they are tried.
pub(super) fn default_names(email: &str) -> impl Iterator<Item = Username> {
    let drawn = std::iter::repeat_with(|| rand::rng().random_range(DRAWN_FROM)).take(DRAWN);
    (0..COUNTED).chain(drawn).map(move |attempt| default_username(email, attempt))
}
