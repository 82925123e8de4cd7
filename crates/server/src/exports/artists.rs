use std::iter::once;

use bytes::Bytes;
use deadwax_store::{db::Db, statements};
use rules::artist::ArtistForm;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{BATCH, ExportError, Lines};
use crate::{catalogue::artists::SocialLinks, editing::form_fields::fields_of};

macro_rules! select_artist_rows {
    () => {
        "SELECT id, name, bio, image_url, spotify_url, soundcloud_url, apple_music_url, youtube_url, instagram_url, \
            social_links, featured FROM artists WHERE deleted_at IS NULL"
    };
}
pub(crate) use select_artist_rows;

statements! {
    AFTER = concat!(select_artist_rows!(), " AND id > $2 ORDER BY id LIMIT $1");
}

#[derive(sqlx_macros::FromRow)]
pub(crate) struct ArtistTableRow {
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

impl ArtistTableRow {
    pub(crate) fn form(&self) -> ArtistForm {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let SocialLinks { website, twitter } = serde_json::from_str(&self.social_links).unwrap_or_default();
        ArtistForm {
            name: self.name.clone(),
            bio: said(&self.bio),
            image_url: said(&self.image_url),
            spotify_url: said(&self.spotify_url),
            soundcloud_url: said(&self.soundcloud_url),
            apple_music_url: said(&self.apple_music_url),
            youtube_url: said(&self.youtube_url),
            instagram_url: said(&self.instagram_url),
            website: said(&website),
            twitter: said(&twitter),
            featured: self.featured,
        }
    }
}

pub(super) fn header() -> impl Iterator<Item = &'static str> {
    once("id").chain(fields_of::<ArtistForm>().iter().copied())
}

pub(super) async fn batch(db: &Db, after: Uuid) -> Result<Option<(Bytes, Uuid)>, ExportError> {
    let rows = db.query(AFTER).bind(BATCH).bind(after).all::<ArtistTableRow>().await?;
    let Some(last) = rows.last().map(|row| row.id) else { return Ok(None) };
    let mut lines = Lines::more();
    for row in rows {
        let id = row.id.to_string();
        let form = json!(row.form());
        let cell = |field: &&str| match &form[*field] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        lines.add(once(id).chain(fields_of::<ArtistForm>().iter().map(cell)))?;
    }
    Ok(Some((lines.finish()?, last)))
}
