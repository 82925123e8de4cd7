//! A letter as it stays once it goes out: rendered, with an address in the archive and its own copies of its pictures.
//!
//! Files are copied before the transaction that freezes the letter; should that fail, they are removed again. Until a letter goes out, the
//! copies are those of its latest test.

use bytes::Bytes;
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    Failure,
    clock::Micros,
    db::Tx,
    deletions,
    ids::LetterId,
    objects::{self, Fingerprint, NewObject},
    statements,
};
use rules::{
    letters::{LetterDraft, check_letter_ready, check_letter_size},
    slug,
};
use uuid::Uuid;

use super::{
    parts::{FROM_HOLE, PartsColumn, ShownPicture},
    render::{self, PAGE_HOLE, Rendered, escaped},
};
use crate::{app::App, content::mark::MarkView, editing, files::picture};

statements! {
    WRITTEN = "SELECT subject, preheader, parts, in_archive FROM letters WHERE id = $1 AND html IS NULL",
        postgres + " FOR UPDATE";
    SLUG_IS_TAKEN = "SELECT EXISTS (SELECT 1 FROM letters WHERE slug = $1)";
    FREEZE = "UPDATE letters SET slug = $2, html = $3, text = $4, shown = $5 WHERE id = $1";
    PICTURES = "SELECT key FROM letter_pictures WHERE letter_id = $1";
    KEEP_PICTURE = "INSERT INTO letter_pictures (key, letter_id) VALUES ($1, $2)";
    DROP_PICTURES = "DELETE FROM letter_pictures WHERE letter_id = $1";
}

/// A frozen letter, but for the holes of `render`.
#[derive(Debug, Clone)]
pub struct Frozen {
    pub html: String,
    pub text: String,
    pub slug: String,
}

/// A rendered letter whose pictures are in storage, not yet named by a row.
#[derive(Debug)]
pub struct Prepared {
    id: LetterId,
    written: Written,
    pub rendered: Rendered,
    pictures: Vec<Copied>,
}

#[derive(Debug)]
struct Copied {
    key: String,
    fingerprint: Fingerprint,
    dimensions: Option<(u32, u32)>,
}

#[derive(Debug, PartialEq, Eq, sqlx_macros::FromRow)]
struct Written {
    subject: String,
    preheader: String,
    parts: PartsColumn,
    in_archive: bool,
}

/// Renders a letter that was not frozen yet, and copies its pictures. Reads and writes no row that a transaction of the caller holds.
///
/// 404 without such a letter, 422 if it has no subject or part, or is too large.
pub async fn prepare(app: &App, id: LetterId) -> AppResult<Prepared> {
    let draft = app.db.query(WRITTEN).bind(id).optional::<Written>().await?;
    let written = draft.ok_or_else(AppError::not_found)?;
    let mut rendered = render_ready(app, &written.draft(), written.in_archive).await?;
    let mut pictures = Vec::new();
    // An address ends at its quote, so none is the beginning of another.
    let full = |url: &str| format!("\"{}\"", escaped(&app.origin.full_address(url)));
    for (place, part) in rendered.shown.iter_mut().enumerate() {
        let Some(picture) = part.picture_mut() else { continue };
        let from = picture.url.clone();
        let copied = copy(app, id, place, picture).await?;
        picture.url = objects::url(&copied.key);
        rendered.html = rendered.html.replace(&full(&from), &full(&picture.url));
        pictures.push(copied);
    }
    if let Some(mark) = &rendered.mark {
        let copied = copy_mark(app, id, mark).await?;
        rendered.html = rendered.html.replace(&full(&mark.mail_path()), &full(&objects::url(&copied.key)));
        pictures.push(copied);
    }
    Ok(Prepared { id, written, rendered, pictures })
}

/// Refuses a letter that could not go out now, as [`prepare`] does.
pub async fn require_ready(app: &App, id: LetterId) -> AppResult<()> {
    let written = app.db.query(WRITTEN).bind(id).optional::<Written>().await?;
    let written = written.ok_or_else(AppError::not_found)?;
    render_ready(app, &written.draft(), written.in_archive).await.map(drop)
}

/// Renders a letter as it would go out now. 422 if it has no subject or part, shows something that is gone, or is too large.
async fn render_ready(app: &App, draft: &LetterDraft, in_archive: bool) -> AppResult<Rendered> {
    check_letter_ready(draft).map_err(AppError::validation)?;
    render_whole(app, draft, in_archive).await
}

/// Renders a letter. 422 if it shows something that is gone, or is too large.
pub(super) async fn render_whole(app: &App, draft: &LetterDraft, in_archive: bool) -> AppResult<Rendered> {
    let mut rendered = render::render(app, draft, in_archive).await?;
    if !rendered.problems.is_empty() {
        return Err(AppError::validation(std::mem::take(&mut rendered.problems).into()));
    }
    check_letter_size(render::size_bytes(app, &rendered.html))
        .map_err(|refusal| AppError::invalid("parts", refusal))?;
    Ok(rendered)
}

async fn copy(app: &App, id: LetterId, place: usize, picture: &ShownPicture) -> AppResult<Copied> {
    let from = picture.url.strip_prefix(&objects::url("")).unwrap_or(&picture.url);
    let side = |pixels: Option<i64>| pixels.and_then(|pixels| u32::try_from(pixels).ok());
    let mut dimensions = side(picture.width).zip(side(picture.height));
    let mut bytes = app.storage.read_whole(from).await.map_err(AppError::unavailable)?;
    let mut extension = rules::media_name::extension(from).unwrap_or("jpg");
    // Not every mail program reads WebP.
    if rules::media_name::content_type(from) != Some("image/jpeg")
        && let Some((jpeg, measured)) =
            app.pictures.jpeg(bytes.clone()).await.map_err(AppError::unavailable)?
    {
        (bytes, extension, dimensions) = (jpeg.into(), "jpg", Some(measured));
    }
    store(app, id, &(place + 1).to_string(), extension, bytes, dimensions).await
}

/// The mark as mails show it; the file may be an SVG.
async fn copy_mark(app: &App, id: LetterId, mark: &MarkView) -> AppResult<Copied> {
    let (bytes, format) = mark.read(&app.storage).await?;
    let sheet = mark.mail_sheet();
    let size = sheet.size;
    let png = app.pictures.draw_mark(bytes, format, sheet).await.map_err(picture::failure)?;
    store(app, id, "mark", "png", png.into(), Some(size)).await
}

async fn store(
    app: &App,
    id: LetterId,
    name: &str,
    extension: &str,
    bytes: Bytes,
    dimensions: Option<(u32, u32)>,
) -> AppResult<Copied> {
    // The random part keeps a second try from meeting the first.
    let own = Uuid::new_v4().simple().to_string();
    let key = format!("letters/{id}/{name}-{}.{extension}", &own[..8]);
    let now = app.clock.now();
    deletions::reserve(&app.db, &key, now).await?;
    let fingerprint = Fingerprint::of(&bytes);
    app.storage.put_new(&key, bytes).await.map_err(AppError::unavailable)?;
    Ok(Copied { key, fingerprint, dimensions })
}

impl Written {
    fn draft(&self) -> LetterDraft {
        LetterDraft {
            subject: self.subject.clone(),
            preheader: self.preheader.clone(),
            parts: self.parts.0.clone(),
        }
    }
}

impl Prepared {
    /// Freezes the letter in the transaction that lets it go out: gives it its slug, and keeps it with its pictures. 412 if it was edited
    /// since it was prepared, 404 if it is frozen already.
    pub async fn freeze(self, tx: &mut Tx, app: &App) -> AppResult<Frozen> {
        let written = tx.query(WRITTEN).bind(self.id).optional::<Written>().await?;
        if written.ok_or_else(AppError::not_found)? != self.written {
            return Err(editing::stale());
        }
        let slug = free_slug(tx, self.id, &self.written.subject).await?;
        let page = app.origin.link(&format!("/letters/{slug}"));
        let from = format!("?from={slug}");
        let holes = [(PAGE_HOLE, page.as_str()), (FROM_HOLE, from.as_str())];
        let (html, text) = render::filled(&self.rendered.html, &self.rendered.text, &holes);
        let shown = serde_json::to_string(&self.rendered.shown)?;
        tx.query(FREEZE).bind(self.id).bind(&slug).bind(&html).bind(&text).bind(shown).execute().await?;
        self.keep_pictures(tx, app.clock.now()).await?;
        Ok(Frozen { html, text, slug })
    }

    /// Keeps the copied pictures, in place of earlier copies of this letter.
    pub async fn keep_pictures(&self, tx: &mut Tx, now: Micros) -> AppResult<()> {
        remove_pictures(tx, self.id, now).await?;
        for Copied { key, fingerprint, dimensions } in &self.pictures {
            deletions::confirm(tx, key).await.map_err(|failure| match failure {
                Failure::Late => AppError::unavailable(failure),
                other => other.into(),
            })?;
            let object = NewObject { dimensions: *dimensions, ..NewObject::new(key, *fingerprint) };
            objects::insert(tx, &object, now).await?;
            tx.query(KEEP_PICTURE).bind(key).bind(self.id).execute().await?;
        }
        Ok(())
    }

    /// The letter's address in the archive as far as it is known: without the number that tells it from others.
    pub(super) fn likely_page(&self, app: &App) -> String {
        app.origin.link(&format!("/letters/{}", slug::letter_slug(&self.written.subject)))
    }

    pub(super) fn subject(&self) -> &str {
        &self.written.subject
    }
}

/// Removes the copied pictures of a letter, also their files once `tx` is committed.
pub(super) async fn remove_pictures(tx: &mut Tx, id: LetterId, now: Micros) -> AppResult<()> {
    for key in tx.query(PICTURES).bind(id).values::<String>().await? {
        deletions::remove_object(tx, &key, now).await?;
    }
    tx.query(DROP_PICTURES).bind(id).execute().await?;
    Ok(())
}

async fn free_slug(tx: &mut Tx, id: LetterId, subject: &str) -> AppResult<String> {
    for candidate in slug::candidates(&slug::letter_slug(subject), id.0.as_u128()) {
        if !tx.query(SLUG_IS_TAKEN).bind(&candidate).value::<bool>().await? {
            return Ok(candidate);
        }
    }
    Err(AppError::internal(anyhow::anyhow!("no slug is free")))
}
