//! A demo as the desk shows it to one admin.

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

/// Reads a [`DeskRow`] and some columns more; `$1` is the admin who asks.
///
/// Tags, scores and sounds come as one text each, a line for each of them: neither a tag nor a name of a person has several. What is
/// shown of a row is looked up for the rows of a page alone, once these are known: a join would be planned for as many as the table has.
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
                     (SELECT string_agg(CAST(s.score AS TEXT) || COALESCE(p.username, ''), '\n' ORDER BY s.scored_at, s.user_id) \
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
    // Held until the commit, so that the demo is still there when a row names it.
    HOLD = "SELECT id FROM demos WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR SHARE";
    LOCK = "SELECT id FROM demos WHERE id = $1 AND deleted_at IS NULL", postgres + " FOR UPDATE";
}

/// What is read of a demo.
#[derive(sqlx::FromRow)]
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

/// Where a demo stands.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeskState {
    /// Nobody has heard it.
    New,
    /// Somebody has.
    Heard,
    /// It may become a release.
    Shortlisted,
    /// The label wants it.
    Accepted,
    /// The label does not.
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

/// What somebody thinks of a demo.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DemoScore {
    /// Who, by name.
    pub person: String,
    /// 1 to 5.
    pub score: i64,
}

/// A demo on the desk.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskDemo {
    /// The row's id.
    pub id: Uuid,
    /// The artist, as typed.
    pub artist_name: String,
    /// Where to answer.
    pub email: String,
    /// What the artist wrote; null when nothing.
    pub message: Option<String>,
    /// The stored name: another file in its place has another one.
    pub file_name: String,
    /// The name on the artist's disk.
    pub original_name: String,
    /// In bytes.
    pub size_bytes: i64,
    /// What browsers are told it is.
    pub content_type: String,
    /// When it was complete.
    pub submitted_at: String,
    /// Where it stands.
    pub state: DeskState,
    /// When it was heard; null while it is new.
    pub heard_at: Option<String>,
    /// When it came to its state.
    pub state_at: String,
    /// In lower case, in their order.
    pub tags: Vec<String>,
    /// What the admin who asks thinks of it, 1 to 5; null before they have said.
    pub my_score: Option<i64>,
    /// What everybody thinks of it, in the order in which they said it; null before the admin who asks has said.
    pub scores: Option<Vec<DemoScore>>,
    /// How many notes there are.
    pub note_count: i64,
    /// When the letter left that tells of its state; null before, and where no letter does, as of one that was only heard.
    pub answered_at: Option<String>,
    /// How far measuring it has come.
    pub sound: SoundSummary,
}

impl DeskRow {
    /// What the admin is shown.
    pub(super) fn into_view(self) -> sqlx::Result<DeskDemo> {
        let lines = |text: Option<String>| -> Vec<String> {
            text.map(|text| text.split('\n').map(str::to_owned).collect()).unwrap_or_default()
        };
        let scores =
            self.scores.map(|scores| lines(Some(scores)).iter().filter_map(|line| score(line)).collect());
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
            scores,
            note_count: self.note_count,
            answered_at: self.answered_at.map(rfc3339),
            sound: SoundSummary::of_lines(self.id, &lines(self.sounds))?,
        })
    }
}

/// A digit, and the name behind it.
fn score(line: &str) -> Option<DemoScore> {
    let (score, person) = line.split_at_checked(1)?;
    Some(DemoScore { score: score.parse().ok()?, person: person.to_owned() })
}

/// The demo for one admin; 404 where there is none.
pub async fn read(db: &Db, me: Uuid, id: Uuid) -> AppResult<DeskDemo> {
    let row = db.query(FIND).bind(me).bind(id).optional::<DeskRow>().await?;
    Ok(row.ok_or_else(AppError::not_found)?.into_view()?)
}

/// Refuses with 404 what is no demo on the desk; one that is stays there until the transaction ends.
pub async fn require(tx: &mut Tx, id: Uuid) -> AppResult<()> {
    tx.query(HOLD).bind(id).optional::<(Uuid,)>().await?.map(drop).ok_or_else(AppError::not_found)
}

/// The same; of two who lock it at once, the second waits for the first.
pub async fn lock(tx: &mut Tx, id: Uuid) -> AppResult<()> {
    tx.query(LOCK).bind(id).optional::<(Uuid,)>().await?.map(drop).ok_or_else(AppError::not_found)
}

/// The demo as this transaction leaves it, for one admin; 404 where there is none.
pub async fn find(tx: &mut Tx, me: Uuid, id: Uuid) -> AppResult<DeskDemo> {
    let row = tx.query(FIND).bind(me).bind(id).optional::<DeskRow>().await?;
    Ok(row.ok_or_else(AppError::not_found)?.into_view()?)
}
