//! The parts of a letter with everything they show: pictures in a form that mail programs read, releases, paragraphs.

use deadwax_store::{db::Db, ids::ReleaseId, objects, statements, text_column};
use rules::{
    checked::Problem,
    image::PictureError,
    letters::{
        LetterDraft, LetterDraftError, LetterPart, LetterPartKind, LetterRelease, Span, letter_paragraphs,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    app::App,
    catalogue::{release_detail, release_detail::ReleaseDetail},
    files::{library::uses, picture::PictureSizes},
};

statements! {
    PICTURE = "SELECT width, height, small_key, sizes FROM objects WHERE key = $1 \
        AND NOT EXISTS (SELECT 1 FROM media_files WHERE file_path = $1 AND deleted_at IS NOT NULL)";
    NOT_OUT = "SELECT title FROM releases WHERE id = $1 AND deleted_at IS NULL AND state <> 'out'";
}

/// Ends links to pages of this website, until the letter has a slug. Then they tell where a visitor comes from.
pub(super) const FROM_HOLE: &str = "?from=-";

/// The parts as a row holds them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PartsColumn(pub Vec<LetterPart>);

text_column!(PartsColumn, |text: &str| serde_json::from_str(text).map(PartsColumn));

/// A part of a letter as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ShownPart {
    /// A line in large type.
    Heading { text: String },
    /// A picture; null if it is gone, and then its alternative text stands for it.
    Picture { picture: Option<ShownPicture>, alt: String, link: Option<String> },
    /// Paragraphs.
    Text { paragraphs: Vec<Vec<Span>> },
    /// A button.
    Button { text: String, link: String },
    /// A release; null if it is gone.
    Release { release: Option<ShownRelease>, paragraphs: Vec<Vec<Span>> },
    /// A line across the letter.
    Divider,
}

/// A stored picture that mail programs can show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShownPicture {
    /// Its address, `/media/…`.
    pub url: String,
    /// Width in pixels, where known.
    pub width: Option<i64>,
    /// Height in pixels, where known.
    pub height: Option<i64>,
}

/// A release in a letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShownRelease {
    pub title: String,
    pub artist: String,
    /// The catalogue number.
    pub number: Option<String>,
    /// The path of its page; it exists once the release is out.
    pub page: String,
    pub sleeve: Option<ShownPicture>,
    /// The release on platforms.
    pub links: Vec<ShownLink>,
}

/// A release on a platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShownLink {
    pub name: String,
    pub url: String,
}

/// Widest content of a letter in pixels, between its margins.
const CONTENT_WIDTH: i64 = 552;

impl ShownPicture {
    /// Its width in a letter as HTML.
    pub(super) fn mailed_width(&self) -> i64 {
        self.width.unwrap_or(CONTENT_WIDTH).clamp(1, CONTENT_WIDTH)
    }
}

impl ShownPart {
    /// The pictures of this part.
    pub fn picture_mut(&mut self) -> Option<&mut ShownPicture> {
        match self {
            Self::Picture { picture, .. } => picture.as_mut(),
            Self::Release { release: Some(release), .. } => release.sleeve.as_mut(),
            _ => None,
        }
    }

    /// The same to be read.
    pub fn picture(&self) -> Option<&ShownPicture> {
        match self {
            Self::Picture { picture, .. } => picture.as_ref(),
            Self::Release { release: Some(release), .. } => release.sleeve.as_ref(),
            _ => None,
        }
    }

    /// The release of this part, for the plain text.
    pub(super) fn plain_release(&self, app: &App) -> Option<LetterRelease> {
        let Self::Release { release: Some(release), .. } = self else { return None };
        Some(LetterRelease {
            title: release.title.clone(),
            artist: release.artist.clone(),
            number: release.number.clone(),
            page: app.origin.link(&release.page) + FROM_HOLE,
            links: release.links.iter().map(|link| (link.name.clone(), link.url.clone())).collect(),
        })
    }
}

/// The parts of a letter, and the problems of those whose picture or release is gone.
pub async fn resolve(app: &App, draft: &LetterDraft) -> sqlx::Result<(Vec<ShownPart>, Vec<Problem>)> {
    let (mut shown, mut problems) = (Vec::new(), Vec::new());
    for (place, part) in draft.parts.iter().enumerate() {
        let resolved = resolve_part(app, part).await?;
        match &resolved {
            ShownPart::Picture { picture: None, .. } => {
                problems.push(Problem::new(format!("parts[{place}].picture"), PictureError::Gone));
            }
            ShownPart::Release { release: None, .. } => {
                problems.push(Problem::new(
                    format!("parts[{place}].release_id"),
                    LetterDraftError::ReleaseMissing,
                ));
            }
            _ => {}
        }
        shown.push(resolved);
    }
    Ok((shown, problems))
}

/// The titles of the releases of these parts that are not out.
pub async fn not_out(db: &Db, parts: &[LetterPart]) -> sqlx::Result<Vec<String>> {
    let mut titles = Vec::new();
    for id in parts.iter().filter_map(|part| deadwax_http::extract::id(&part.release_id)) {
        titles.extend(db.query(NOT_OUT).bind(ReleaseId::from(id)).maybe::<String>().await?);
    }
    Ok(titles)
}

async fn resolve_part(app: &App, part: &LetterPart) -> sqlx::Result<ShownPart> {
    let link = Some(part.link.clone()).filter(|link| !link.is_empty());
    Ok(match part.kind {
        LetterPartKind::Heading => ShownPart::Heading { text: part.text.clone() },
        LetterPartKind::Picture => ShownPart::Picture {
            picture: find_picture(app, &part.picture).await?,
            alt: part.alt.clone(),
            link,
        },
        LetterPartKind::Text => ShownPart::Text { paragraphs: letter_paragraphs(&part.text) },
        LetterPartKind::Button => ShownPart::Button { text: part.text.clone(), link: part.link.clone() },
        LetterPartKind::Release => ShownPart::Release {
            release: find_release(app, &part.release_id).await?,
            paragraphs: letter_paragraphs(&part.text),
        },
        LetterPartKind::Divider => ShownPart::Divider,
    })
}

async fn find_release(app: &App, id: &str) -> sqlx::Result<Option<ShownRelease>> {
    let Some(id) = deadwax_http::extract::id(id) else { return Ok(None) };
    let Some(detail) = release_detail::find_kept(&app.db, id.into()).await? else { return Ok(None) };
    let sleeve = match detail.release.cover_image_url.as_deref() {
        Some(url) => find_picture(app, url).await?,
        None => None,
    };
    Ok(Some(ShownRelease {
        page: detail.release.path(),
        links: platforms(&detail),
        title: clean(&detail.release.title),
        artist: clean(artist_name(&detail)),
        number: detail.release.catalog.as_deref().map(clean),
        sleeve,
    }))
}

pub(super) fn artist_name(detail: &ReleaseDetail) -> &str {
    detail.release.artist.as_ref().map_or("Unknown Artist", |artist| artist.name.as_str())
}

/// A text without control characters but line breaks, with which holes are written.
pub(super) fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').collect()
}

fn platforms(detail: &ReleaseDetail) -> Vec<ShownLink> {
    let release = &detail.release;
    let all = [
        ("Bandcamp", &detail.bandcamp_url),
        ("Spotify", &release.spotify_url),
        ("SoundCloud", &release.soundcloud_url),
        ("Apple Music", &detail.apple_music_url),
        ("YouTube", &detail.youtube_url),
    ];
    let named = all.into_iter().filter_map(|(name, url)| Some((name, url.as_deref()?)));
    named.map(|(name, url)| ShownLink { name: name.to_owned(), url: url.to_owned() }).collect()
}

#[derive(sqlx_macros::FromRow)]
struct PictureRow {
    width: Option<i64>,
    height: Option<i64>,
    small_key: Option<String>,
    sizes: Option<PictureSizes>,
}

/// The widest form of a stored picture that every mail program reads: a JPEG, which each upload has.
async fn find_picture(app: &App, url: &str) -> sqlx::Result<Option<ShownPicture>> {
    let Some(key) = uses::key_of(&app.origin, url) else { return Ok(None) };
    let Some(row) = app.db.query(PICTURE).bind(key).optional::<PictureRow>().await? else { return Ok(None) };
    let jpeg_sizes = row.sizes.as_ref().filter(|sizes| sizes.fallback == "jpg");
    let scaled = |width: i64| match (row.width, row.height) {
        (Some(full), Some(height)) if full > 0 => Some((height * width + full / 2) / full),
        _ => None,
    };
    if let Some((sizes, widest)) = jpeg_sizes.and_then(|sizes| Some((sizes, *sizes.widths.last()?))) {
        let width = i64::from(widest);
        let url = format!("{}-{widest}.jpg", sizes.base);
        return Ok(Some(ShownPicture { url, width: Some(width), height: scaled(width) }));
    }
    if let Some(small) = row.small_key {
        let width = row.width.map(|width| width.min(i64::from(rules::image::SMALL_WIDTH)));
        return Ok(Some(ShownPicture { url: objects::url(&small), width, height: width.and_then(scaled) }));
    }
    let is_readable =
        matches!(rules::media_name::content_type(key), Some("image/jpeg" | "image/png" | "image/gif"));
    Ok(is_readable.then(|| ShownPicture { url: objects::url(key), width: row.width, height: row.height }))
}
