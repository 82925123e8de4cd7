//! Artists as a table.

use bytes::Bytes;
use deadwax_store::{db::Db, statements};
use uuid::Uuid;

use super::{BATCH, ExportError, table::Lines};
use crate::catalogue::artists::SocialLinks;

statements! {
    AFTER = "SELECT id, name, bio, image_url, spotify_url, soundcloud_url, apple_music_url, youtube_url, instagram_url, \
            social_links, featured \
        FROM artists WHERE id > $2 AND deleted_at IS NULL ORDER BY id LIMIT $1";
}

/// The columns.
pub(super) const HEADER: [&str; 12] = [
    "id",
    "name",
    "bio",
    "image_url",
    "spotify_url",
    "soundcloud_url",
    "apple_music_url",
    "youtube_url",
    "instagram_url",
    "website",
    "twitter",
    "featured",
];

#[derive(sqlx::FromRow)]
struct ArtistRow {
    id: Uuid,
    name: String,
    bio: Option<String>,
    image_url: Option<String>,
    spotify_url: Option<String>,
    soundcloud_url: Option<String>,
    apple_music_url: Option<String>,
    youtube_url: Option<String>,
    instagram_url: Option<String>,
    social_links: String,
    featured: bool,
}

pub(super) async fn batch(db: &Db, after: Uuid) -> Result<Option<(Bytes, Uuid)>, ExportError> {
    let rows = db.query(AFTER).bind(BATCH).bind(after).all::<ArtistRow>().await?;
    let Some(last) = rows.last().map(|row| row.id) else { return Ok(None) };
    let mut lines = Lines::more();
    for row in rows {
        let beside: SocialLinks = serde_json::from_str(&row.social_links).unwrap_or_default();
        let optional = [
            row.bio,
            row.image_url,
            row.spotify_url,
            row.soundcloud_url,
            row.apple_music_url,
            row.youtube_url,
            row.instagram_url,
            beside.website,
            beside.twitter,
        ];
        let cells = [row.id.to_string(), row.name].into_iter().chain(optional.map(Option::unwrap_or_default));
        lines.add(cells.chain([row.featured.to_string()]))?;
    }
    Ok(Some((lines.finish()?, last)))
}
