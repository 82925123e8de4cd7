//! A demo as the desk shows it to an admin, in a list and with everything the desk knows about it.

use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    columns::Timestamp,
    db::{Source, Tx, known},
    ids::{DemoId, UserId},
    statements, text_column,
};
use rules::demo_state::DemoState;
use serde::Serialize;
use sqlx::{ColumnIndex, Decode, FromRow, Row, Type, error::BoxDynError};
use utoipa::ToSchema;

use crate::demos::sounds::SoundSummary;

/// Selects a [`DeskDemo`] and more columns; `$1` is the admin. Tags, scores and sounds are one text each, with a line
/// for each: no tag and no name contains a line break, and no JSON aggregate has one name on both engines. Details
/// come from subqueries, which run for the rows of a page only; a join would be planned for the whole table.
macro_rules! select_demos {
    () => {
        $crate::desk::view::select_demos!("")
    };
    ($more:expr) => {
        concat!(
            "SELECT d.id, d.artist_name, d.email, d.message, substr(d.file_key, 7) AS file_name, d.original_name, d.submitted_at, d.state, d.heard_at, \
                 COALESCE(d.state_at, d.submitted_at) AS state_at, \
                 (SELECT o.size_bytes FROM objects o WHERE o.key = d.file_key) AS size_bytes, \
                 (SELECT o.content_type FROM objects o WHERE o.key = d.file_key) AS content_type, \
                 COALESCE((SELECT string_agg(t.tag, '\n' ORDER BY t.tag) FROM demo_tags t WHERE t.demo_id = d.id), '') AS tags, \
                 (SELECT s.score FROM demo_scores s WHERE s.demo_id = d.id AND s.user_id = $1) AS my_score, \
                 CASE WHEN EXISTS (SELECT 1 FROM demo_scores s WHERE s.demo_id = d.id AND s.user_id = $1) THEN \
                     (SELECT string_agg(CAST(s.score AS TEXT) || ' ' || COALESCE(p.username, ''), '\n' ORDER BY s.scored_at, s.user_id) \
                      FROM demo_scores s LEFT JOIN profiles p ON p.id = s.user_id WHERE s.demo_id = d.id) END AS scores, \
                 (SELECT COUNT(*) FROM demo_notes n WHERE n.demo_id = d.id) AS note_count, \
                 (SELECT MAX(a.sent_at) FROM demo_answers a WHERE a.demo_id = d.id AND a.kind = d.state) AS answered_at, \
                 COALESCE((SELECT string_agg(m.state || ' ' || COALESCE(m.failure, '') || ' ' || COALESCE(CAST(m.duration_ms AS TEXT), ''), \
                     '\n' ORDER BY m.track) FROM demo_sounds m WHERE m.demo_id = d.id), '') AS sound",
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

/// The state in a row, read with the row's id, which an unknown state's error names.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(transparent)]
pub struct DeskState(pub DemoState);

impl<'r, R: Row> FromRow<'r, R> for DeskState
where
    &'static str: ColumnIndex<R>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    DemoId: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        let (id, state): (DemoId, String) = (row.try_get("id")?, row.try_get("state")?);
        known(DemoState::named, &state, ("demos", "state", &id)).map(Self)
    }
}

/// Tags of a demo, a line for each in a row.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DemoTags(Vec<String>);

text_column!(DemoTags, |text: &str| Ok::<_, BoxDynError>(DemoTags(
    text.lines().map(str::to_owned).collect()
)));

/// Scores of a demo, a line with score and name for each in a row.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DemoScores(Vec<DemoScore>);

text_column!(DemoScores, |text: &str| text
    .split('\n')
    .map(DemoScore::read)
    .collect::<Result<_, BoxDynError>>()
    .map(DemoScores));

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DemoScore {
    /// The admin's name.
    pub person: String,
    /// 1 to 5.
    pub score: i64,
}

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct DeskDemo {
    pub id: DemoId,
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
    pub submitted_at: Timestamp,
    #[sqlx(flatten)]
    #[schema(value_type = DemoState)]
    pub state: DeskState,
    /// When it was heard; null while it is new.
    pub heard_at: Option<Timestamp>,
    /// When it entered its state.
    pub state_at: Timestamp,
    /// In lower case, sorted.
    pub tags: DemoTags,
    /// The caller's score, 1 to 5, if any.
    pub my_score: Option<i64>,
    /// All scores in the order they were given; null before the caller has scored.
    pub scores: Option<DemoScores>,
    pub note_count: i64,
    /// When the letter about its state was sent, if there is one.
    pub answered_at: Option<Timestamp>,
    pub sound: SoundSummary,
}

impl DemoScore {
    fn read(line: &str) -> Result<Self, BoxDynError> {
        let (score, person) = line.split_once(' ').ok_or("a score without a name")?;
        Ok(Self { score: score.parse()?, person: person.to_owned() })
    }
}

/// The demo for one admin; 404 if it does not exist.
pub async fn read(source: impl Into<Source<'_>>, me: UserId, id: DemoId) -> AppResult<DeskDemo> {
    let row = source.into().query(FIND).bind(me).bind(id).optional().await?;
    row.ok_or_else(AppError::not_found)
}

/// 404 unless the demo is on the desk, where it then stays until the transaction ends.
pub async fn require(tx: &mut Tx, id: DemoId) -> AppResult<()> {
    tx.query(HOLD).bind(id).exists().await?.then_some(()).ok_or_else(AppError::not_found)
}

/// The same with an exclusive lock.
pub async fn lock(tx: &mut Tx, id: DemoId) -> AppResult<()> {
    tx.query(LOCK).bind(id).exists().await?.then_some(()).ok_or_else(AppError::not_found)
}
