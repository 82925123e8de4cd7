//! The letter that was sent to the bounce mailbox to be read back: one row, for all instances.

use deadwax_http::error::AppResult;
use deadwax_mail::returned::What;
use deadwax_store::{
    clock::Micros,
    columns::Timestamp,
    db::{Db, Source, Statement, Tx},
    statements,
};
use rules::letter_arrival::headers::{self, HEADERS_MAX_BYTES, HeaderFindings};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

statements! {
    LATEST = "SELECT checked_at, found FROM letter_checks WHERE name = 'read_back'";
    LOCK = "SELECT checked_at, found FROM letter_checks WHERE name = 'read_back'", postgres + " FOR UPDATE";
    BEGIN = "INSERT INTO letter_checks (name, checked_at, found) VALUES ('read_back', $1, $2) \
        ON CONFLICT (name) DO UPDATE SET checked_at = excluded.checked_at, found = excluded.found";
    END = "UPDATE letter_checks SET found = $1 WHERE name = 'read_back'";
}

const EARLIER_MAX: usize = 10;

/// A letter that is read back.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReadBack {
    pub sent_at: Timestamp,
    /// Why it will not arrive, for a person.
    pub failure: Option<String>,
    /// The findings of the server that received it; null until it arrives.
    pub found: Option<HeaderFindings>,
}

/// As stored.
#[derive(Debug, Deserialize, Serialize)]
struct Stored {
    id: Uuid,
    /// The ids of those before, whose reports may come hours later.
    #[serde(default)]
    earlier: Vec<Uuid>,
    failure: Option<String>,
    found: Option<HeaderFindings>,
}

async fn find(source: impl Into<Source<'_>>, statement: Statement) -> sqlx::Result<Option<(Micros, Stored)>> {
    let latest = source.into().query(statement).optional::<(Micros, String)>().await?;
    Ok(latest.and_then(|(sent_at, stored)| Some((sent_at, serde_json::from_str(&stored).ok()?))))
}

pub(super) async fn latest(db: &Db) -> sqlx::Result<Option<ReadBack>> {
    let latest = find(db, LATEST).await?;
    Ok(latest.map(|(at, Stored { failure, found, .. })| ReadBack { sent_at: Timestamp(at), failure, found }))
}

/// When the latest was sent, and its id, if it has neither arrived nor failed.
pub(super) async fn waiting(source: impl Into<Source<'_>>) -> sqlx::Result<Option<(Micros, Uuid)>> {
    let latest =
        find(source, LATEST).await?.filter(|(_, stored)| stored.failure.is_none() && stored.found.is_none());
    Ok(latest.map(|(at, stored)| (at, stored.id)))
}

/// Begins another one.
pub(super) async fn begin(tx: &mut Tx, id: Uuid, now: Micros) -> AppResult<()> {
    let before = find(&mut *tx, LATEST).await?;
    let mut earlier = before.map_or_else(Vec::new, |(_, before)| [vec![before.id], before.earlier].concat());
    earlier.truncate(EARLIER_MAX);
    let stored = serde_json::to_string(&Stored { id, earlier, failure: None, found: None })?;
    tx.query(BEGIN).bind(now).bind(stored).execute().await?;
    Ok(())
}

/// Notes why the letter will not arrive, unless it is not the latest.
pub(super) async fn fail(db: &Db, id: Uuid, why: String) -> AppResult<()> {
    end(db, id, |stored| stored.failure = Some(why)).await.map(drop)
}

/// Notes what the headers of a letter tell that arrived. An earlier one changes nothing.
pub(in crate::newsletter) async fn arrived(db: &Db, id: Uuid, raw: &[u8]) -> AppResult<()> {
    let head = raw.iter().take(HEADERS_MAX_BYTES);
    let head: String = head.map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect();
    let found = headers::read(&head);
    let change = |stored: &mut Stored| match found {
        Ok(found) => (stored.failure, stored.found) = (None, Some(found)),
        Err(_) => stored.failure = Some("The letter arrived without readable headers.".to_owned()),
    };
    end(db, id, change).await.map(drop)
}

/// Whether a mail is about the letter; one that says that it could not be delivered is noted.
pub(in crate::newsletter) async fn came_back(db: &Db, id: Uuid, what: &What) -> AppResult<bool> {
    end(db, id, |stored| {
        if let What::Bounced(_, code) = what {
            stored.failure = Some(format!("The letter came back undelivered ({code})."));
        }
    })
    .await
}

/// Whether the letter is the latest or one before; the latest is changed.
async fn end(db: &Db, id: Uuid, change: impl FnOnce(&mut Stored)) -> AppResult<bool> {
    let mut tx = db.begin().await?;
    let Some((_, mut stored)) = find(&mut tx, LOCK).await? else { return Ok(false) };
    if stored.id != id {
        return Ok(stored.earlier.contains(&id));
    }
    change(&mut stored);
    tx.query(END).bind(serde_json::to_string(&stored)?).execute().await?;
    tx.commit().await?;
    Ok(true)
}
