//! The letters that visitors read, from the moment they begin to go out.

use axum::{extract::Path, response::Response};
use deadwax_http::{
    cached_response::CachedResponse,
    error::{AppError, AppResult},
};
use deadwax_store::{
    clock::Micros, columns::Timestamp, db::Db, ids::LetterId, statements, tables::Tables, text_column,
};
use jiff::tz::TimeZone;
use rules::slug::is_slug;
use serde::Serialize;
use utoipa::ToSchema;

use super::parts::ShownPart;
use crate::{
    app::{AppState, PublicRead},
    content::time_zone,
    editing::lists::Page,
};

macro_rules! select {
    ($more:literal) => {
        concat!(
            "SELECT id, slug, subject, preheader, began_at, updated_at, state = 'stopped' AS is_stopped",
            $more,
            " FROM public_letters"
        )
    };
}

statements! {
    LIST = concat!(select!(""), " ORDER BY began_at DESC, id DESC LIMIT $1");
    FIND = concat!(select!(", shown"), " WHERE slug = $1");
}

/// The second for the label's time zone.
pub const TABLES: Tables = Tables::PUBLIC_LETTERS.and(Tables::SITE_CONTENT);

/// Letters listed at once, as in the dashboard.
const LISTED_MAX: i64 = 500;

/// A letter in the archive's list.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ArchivedLetter {
    /// The last part of its address, `/letters/{slug}`.
    pub slug: String,
    pub subject: String,
    /// The line that mail programs show beside the subject.
    pub preheader: String,
    /// When it began to go out.
    #[sqlx(rename = "began_at")]
    pub sent_at: Timestamp,
    /// The same day as shown: YYYY.MM.DD, in the label's time zone.
    #[sqlx(skip)]
    pub date_label: String,
    /// Whether it was stopped before it reached everyone.
    pub is_stopped: bool,
    #[serde(skip)]
    pub id: LetterId,
    #[serde(skip)]
    pub updated_at: Micros,
}

/// A letter in the archive.
#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct ArchivedLetterDetail {
    /// Its line in the list.
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub letter: ArchivedLetter,
    /// Its parts, as they were when it went out.
    #[sqlx(rename = "shown")]
    #[schema(value_type = Vec<ShownPart>)]
    pub parts: ShownColumn,
}

/// The parts as a row holds them.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct ShownColumn(pub Vec<ShownPart>);

text_column!(ShownColumn, |text: &str| serde_json::from_str(text).map(ShownColumn));

impl ArchivedLetter {
    pub fn path(&self) -> String {
        path(&self.slug)
    }

    fn completed(mut self, zone: &TimeZone) -> Self {
        self.date_label = time_zone::local(self.sent_at.0, zone).strftime("%Y.%m.%d").to_string();
        self
    }
}

impl ArchivedLetterDetail {
    /// The words of the letter, for descriptions and the feed.
    pub fn words(&self) -> String {
        let paragraphs = |spans: &[Vec<rules::letters::Span>]| -> Vec<String> {
            spans.iter().map(|spans| spans.iter().map(|span| span.text.as_str()).collect()).collect()
        };
        let words = self.parts.0.iter().flat_map(|part| match part {
            ShownPart::Heading { text } => vec![text.clone()],
            ShownPart::Text { paragraphs: spans } => paragraphs(spans),
            ShownPart::Release { release, paragraphs: spans } => {
                let title = release.as_ref().map(|release| format!("{}: {}", release.artist, release.title));
                title.into_iter().chain(paragraphs(spans)).collect()
            }
            _ => Vec::new(),
        });
        words.collect::<Vec<_>>().join("\n\n")
    }
}

pub fn path(slug: &str) -> String {
    format!("/letters/{slug}")
}

/// The newest letters first.
pub async fn list(db: &Db, zone: &TimeZone, most: i64) -> sqlx::Result<Vec<ArchivedLetter>> {
    let letters = db.query(LIST).bind(most).all::<ArchivedLetter>().await?;
    Ok(letters.into_iter().map(|letter| letter.completed(zone)).collect())
}

pub async fn list_all(db: &Db, zone: &TimeZone) -> sqlx::Result<Page<ArchivedLetter>> {
    Ok(Page { items: list(db, zone, LISTED_MAX).await?, next_cursor: None })
}

pub async fn find(db: &Db, zone: &TimeZone, slug: &str) -> sqlx::Result<Option<ArchivedLetterDetail>> {
    if !is_slug(slug) {
        return Ok(None);
    }
    let found = db.query(FIND).bind(slug).optional::<ArchivedLetterDetail>().await?;
    Ok(found.map(|detail| ArchivedLetterDetail { letter: detail.letter.completed(zone), ..detail }))
}

/// The letters of the archive, newest first, 500 at most.
#[utoipa::path(get, path = "/api/letters", tag = "newsletter", responses(
    (status = 200, description = "The letters", body = Page<ArchivedLetter>),
))]
pub async fn list_archive(app: AppState, read: PublicRead) -> AppResult<Response> {
    read.answer(&app, TABLES, || async {
        let label = app.known_label.current(&app.db).await?;
        CachedResponse::json(&list_all(&app.db, &label.time_zone).await?)
    })
    .await
}

/// One letter of the archive.
#[utoipa::path(get, path = "/api/letters/{slug}", tag = "newsletter",
    params(("slug" = String, Path, description = "The last part of the letter's address")),
    responses(
        (status = 200, description = "The letter", body = ArchivedLetterDetail),
        (status = 404, description = "There is no such letter, or it is not in the archive"),
    ))]
pub async fn show_archived(
    app: AppState,
    read: PublicRead,
    slug: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> AppResult<Response> {
    let Ok(Path(slug)) = slug else { return Err(AppError::not_found()) };
    read.answer(&app, TABLES, || async {
        let label = app.known_label.current(&app.db).await?;
        let found = find(&app.db, &label.time_zone, &slug).await?;
        let letter = found.ok_or_else(AppError::not_found)?;
        CachedResponse::json(&letter)
    })
    .await
}
