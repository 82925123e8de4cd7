//! A demo as the desk shows it to an admin.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::{Micros, rfc3339},
    db::{Db, Tx, known},
    statements,
};
use rules::demo_state::DemoState;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::demos::{inbox::file_name, sounds::SoundSummary};

/// Selects a [`DeskRow`] and more columns; `$1` is the admin. Tags, scores and sounds are one text each, with a line
/// for each: no tag and no name contains a line break, and no JSON aggregate has one name on both engines. Details
/// come from subqueries, which run for the rows of a page only; a join would be planned for the whole table.
macro_rules! select_demos {
    () => {
        $crate::desk::view::select_demos!("")
    };
    ($more:expr) => {
        concat!(
            "SELECT d.id, d.artist_name, d.email, d.message, d.file_key, d.original_name, d.submitted_at, d.state, d.heard_at, \
                 COALESCE(d.state_at, d.submitted_at) AS state_at, \
                 (SELECT o.size_bytes FROM objects o WHERE o.key = d.file_key) AS size_bytes, \
                 (SELECT o.content_type FROM objects o WHERE o.key = d.file_key) AS content_type, \
                 (SELECT string_agg(t.tag, '\n' ORDER BY t.tag) FROM demo_tags t WHERE t.demo_id = d.id) AS tags, \
                 (SELECT s.score FROM demo_scores s WHERE s.demo_id = d.id AND s.user_id = $1) AS my_score, \
                 CASE WHEN EXISTS (SELECT 1 FROM demo_scores s WHERE s.demo_id = d.id AND s.user_id = $1) THEN \
                     (SELECT string_agg(CAST(s.score AS TEXT) || ' ' || COALESCE(p.username, ''), '\n' ORDER BY s.scored_at, s.user_id) \
                      FROM demo_scores s LEFT JOIN profiles p ON p.id = s.user_id WHERE s.demo_id = d.id) END AS scores, \
                 (SELECT COUNT(*) FROM demo_notes n WHERE n.demo_id = d.id) AS note_count, \
                 (SELECT MAX(a.sent_at) FROM demo_answers a WHERE a.demo_id = d.id AND a.kind = d.state) AS answered_at, \
                 (SELECT string_agg(m.state || ' ' || COALESCE(m.failure, '') || ' ' || COALESCE(CAST(m.duration_ms AS TEXT), ''), \
                     '\n' ORDER BY m.track) FROM demo_sounds m WHERE m.demo_id = d.id) AS sounds",
            $more,
            " FROM demos d"
        )
    };
}
pub(super) use select_demos;

statements! {
    FIND = concat!(select_demos!(), " WHERE d.id = $2 AND d.deleted_at IS NULL");
    // Held until the commit, so that the demo still exists when a row refers to it.
    HOLD = "SELECT id FROM demos WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR SHARE";
    LOCK = "SELECT id FROM demos WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
}

#[derive(sqlx_macros::FromRow)]
pub(super) struct DeskRow {
    id: Uuid,
    artist_name: String,
    email: String,
    message: Option<String>,
    file_key: String,
    original_name: String,
    submitted_at: Micros,
    state: String,
    heard_at: Option<Micros>,
    state_at: Micros,
    size_bytes: i64,
    content_type: String,
    tags: Option<String>,
    my_score: Option<i64>,
    scores: Option<String>,
    note_count: i64,
    answered_at: Option<Micros>,
    sounds: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeskState {
    New,
    Heard,
    Shortlisted,
    Accepted,
    Declined,
}

impl From<DemoState> for DeskState {
    fn from(state: DemoState) -> Self {
        match state {
            DemoState::New => Self::New,
            DemoState::Heard => Self::Heard,
            DemoState::Shortlisted => Self::Shortlisted,
            DemoState::Accepted => Self::Accepted,
            DemoState::Declined => Self::Declined,
        }
    }
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DemoScore {
    /// The admin's name.
    pub person: String,
    /// 1 to 5.
    pub score: i64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskDemo {
    pub id: Uuid,
    /// The artist, as typed.
    pub artist_name: String,
    /// Where to answer.
    pub email: String,
    /// The artist's message, if any.
    pub message: Option<String>,
    /// The stored name, which changes when the file is replaced.
    pub file_name: String,
    /// The name on the artist's disk.
    pub original_name: String,
    pub size_bytes: i64,
    pub content_type: String,
    /// When it was complete.
    pub submitted_at: String,
    pub state: DeskState,
    /// When it was heard; null while it is new.
    pub heard_at: Option<String>,
    /// When it entered its state.
    pub state_at: String,
    /// In lower case, sorted.
    pub tags: Vec<String>,
    /// The caller's score, 1 to 5, if any.
    pub my_score: Option<i64>,
    /// All scores in the order they were given; null before the caller has scored.
    pub scores: Option<Vec<DemoScore>>,
    pub note_count: i64,
    /// When the letter about its state was sent, if there is one.
    pub answered_at: Option<String>,
    pub sound: SoundSummary,
}

impl DeskRow {
    pub(super) fn into_view(self) -> sqlx::Result<DeskDemo> {
        let lines = |text: Option<String>| -> Vec<String> {
            text.map(|text| text.split('\n').map(str::to_owned).collect()).unwrap_or_default()
        };
        let scores =
            self.scores.map(|scores| lines(Some(scores)).iter().map(|line| score(self.id, line)).collect());
        Ok(DeskDemo {
            id: self.id,
            artist_name: self.artist_name,
            email: self.email,
            message: self.message,
            file_name: file_name(&self.file_key).to_owned(),
            original_name: self.original_name,
            size_bytes: self.size_bytes,
            content_type: self.content_type,
            submitted_at: rfc3339(self.submitted_at),
            state: known(DemoState::named, &self.state, ("demos", "state", &self.id))?.into(),
            heard_at: self.heard_at.map(rfc3339),
            state_at: rfc3339(self.state_at),
            tags: lines(self.tags),
            my_score: self.my_score,
            scores: scores.transpose()?,
            note_count: self.note_count,
            answered_at: self.answered_at.map(rfc3339),
            sound: SoundSummary::of_lines(self.id, &lines(self.sounds))?,
        })
    }
}

/// A score, and the name behind it.
fn score(demo: Uuid, line: &str) -> sqlx::Result<DemoScore> {
    let read = |line: &str| {
        let (score, person) = line.split_once(' ')?;
        Some(DemoScore { score: score.parse().ok()?, person: person.to_owned() })
    };
    known(read, line, ("demo_scores", "score", &demo))
}

/// The demo for one admin; 404 if it does not exist.
pub async fn read(db: &Db, me: Uuid, id: Uuid) -> AppResult<DeskDemo> {
    let row = db.query(FIND).bind(me).bind(id).optional::<DeskRow>().await?;
    Ok(row.ok_or_else(AppError::not_found)?.into_view()?)
}

/// 404 unless the demo is on the desk, where it then stays until the transaction ends.
pub async fn require(tx: &mut Tx, id: Uuid) -> AppResult<()> {
    tx.query(HOLD).bind(id).optional::<(Uuid,)>().await?.map(drop).ok_or_else(AppError::not_found)
}

/// The same with an exclusive lock.
pub async fn lock(tx: &mut Tx, id: Uuid) -> AppResult<()> {
    tx.query(LOCK).bind(id).optional::<(Uuid,)>().await?.map(drop).ok_or_else(AppError::not_found)
}

/// The demo in this transaction, for one admin; 404 if it does not exist.
pub async fn find(tx: &mut Tx, me: Uuid, id: Uuid) -> AppResult<DeskDemo> {
    let row = tx.query(FIND).bind(me).bind(id).optional::<DeskRow>().await?;
    Ok(row.ok_or_else(AppError::not_found)?.into_view()?)
}
