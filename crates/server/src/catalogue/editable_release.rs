//! A release as an admin edits one: what is read, what is shown, what is sent.

use deadwax_store::{
    clock::{Micros, rfc3339},
    crypto::Keys,
    db::known,
    objects,
};
use rules::publish::ReleaseState;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    private_links,
    release_detail::{Credit, Track, read_credits, read_tracks},
    releases::{ReleaseArtist, ReleaseRow},
};
use crate::picture::PictureSizes;

/// With what only admins are shown.
#[derive(sqlx::FromRow)]
pub(super) struct EditableRow {
    #[sqlx(flatten)]
    pub(super) release: ReleaseRow,
    apple_music_url: Option<String>,
    youtube_url: Option<String>,
    bandcamp_url: Option<String>,
    featured: bool,
    version: i64,
    state: String,
    goes_out_at: Option<Micros>,
    format: Option<String>,
    tracks: String,
    credits: String,
    sealed: Option<Vec<u8>>,
}

/// A release as an admin edits one: every field as stored.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditableRelease {
    /// The release's id.
    pub id: Uuid,
    /// The title.
    pub title: String,
    /// Who made it; null shows as Unknown Artist.
    pub artist_id: Option<Uuid>,
    /// The same with a name.
    pub artist: Option<ReleaseArtist>,
    /// The catalogue number.
    pub catalog: Option<String>,
    /// `YYYY-MM-DD`; null on rows that are older than this rule.
    pub release_date: Option<String>,
    /// What there is to say.
    pub description: Option<String>,
    /// The cover.
    pub cover_image_url: Option<String>,
    /// The cover at most 640 pixels wide, where this website stores it.
    pub image_small_url: Option<String>,
    /// The cover in several widths, where this website stores it and has made them.
    pub image_sizes: Option<PictureSizes>,
    /// The release on Spotify.
    pub spotify_url: Option<String>,
    /// The release on SoundCloud.
    pub soundcloud_url: Option<String>,
    /// The release on Apple Music.
    pub apple_music_url: Option<String>,
    /// The release on YouTube.
    pub youtube_url: Option<String>,
    /// The release on Bandcamp.
    pub bandcamp_url: Option<String>,
    /// What it comes as.
    pub format: Option<String>,
    /// Its tracks, in their order.
    pub tracks: Vec<Track>,
    /// Who did what for it.
    pub credits: Vec<Credit>,
    /// `draft`, `scheduled` or `out`.
    #[schema(value_type = String)]
    pub state: ReleaseState,
    /// When it goes out, while it is scheduled.
    pub goes_out_at: Option<String>,
    /// The last part of its public address, `/releases/{slug}`; null before it was out.
    pub slug: Option<String>,
    /// Where whoever has the link sees it while it is not out: `/p/{token}`.
    pub private_link: Option<String>,
    /// Marked for attention; changes nothing on the public pages.
    pub featured: bool,
    /// When it was entered.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// What the next edit names in `If-Match`.
    pub version: i64,
}

/// What is sent to add or to change a release: all fields, as the form has them. An absent address is an empty one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body for the contract; the rules' own type is what is read")]
pub struct ReleaseBody {
    /// 1 to 200 characters, no markup.
    title: String,
    /// An artist of the label.
    artist_id: Option<String>,
    /// At most 50 characters.
    catalog: Option<String>,
    /// `YYYY-MM-DD`, a real date.
    release_date: String,
    /// At most 1000 characters.
    description: Option<String>,
    /// Absolute http or https, or `/media/…` of this website.
    cover_image_url: Option<String>,
    /// Absolute http or https.
    spotify_url: Option<String>,
    /// Absolute http or https.
    soundcloud_url: Option<String>,
    /// Absolute http or https.
    apple_music_url: Option<String>,
    /// Absolute http or https.
    youtube_url: Option<String>,
    /// Absolute http or https.
    bandcamp_url: Option<String>,
    /// At most 100 characters.
    format: Option<String>,
    /// In their order, at most 200; none when absent.
    #[schema(max_items = 200)]
    tracks: Option<Vec<TrackBody>>,
    /// At most 200; none when absent.
    #[schema(max_items = 200)]
    credits: Option<Vec<CreditBody>>,
    /// `now`, `on_date` or `not_yet`; when absent, a new release is out at once, and another stays as it is.
    publish: Option<String>,
    /// RFC 3339; with `on_date`.
    goes_out_at: Option<String>,
    /// False when absent.
    featured: Option<bool>,
}

/// A track as it is sent; one whose fields are all blank is none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body for the contract; the rules' own type is what is read")]
pub struct TrackBody {
    /// Its place on a record with sides, such as `A1`: up to two letters, then up to two digits.
    position: Option<String>,
    /// At most 200 characters, no markup.
    title: String,
    /// Who made it, where that is not the artist of the release; at most 200 characters.
    artist: Option<String>,
    /// How long it is, less than 100 hours.
    duration_seconds: Option<DurationBody>,
}

/// A length as it is sent: whole seconds, or a text such as `6:12`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum DurationBody {
    /// Whole seconds.
    Seconds(u32),
    /// `6:12` or `1:06:12`; blank for none.
    Label(String),
}

/// A credit as it is sent; one whose fields are both blank is none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body for the contract; the rules' own type is what is read")]
pub struct CreditBody {
    /// What was done; at most 200 characters.
    role: String,
    /// Who did it; at most 200 characters.
    name: String,
}

impl EditableRow {
    /// As admins are shown it; `keys` open its private link.
    pub(super) fn into_view(self, keys: &Keys) -> sqlx::Result<EditableRelease> {
        let state = known(ReleaseState::named, &self.state, ("releases", "state", &self.release.id))?;
        let private_link = self.sealed.and_then(|sealed| private_links::path(keys, &sealed));
        let release = self.release;
        Ok(EditableRelease {
            id: release.id,
            artist: release.artist(),
            title: release.title,
            artist_id: release.artist_id,
            catalog: release.catalog,
            release_date: release.release_date,
            description: release.description,
            cover_image_url: release.cover_image_url,
            image_small_url: release.small_key.as_deref().map(objects::url),
            image_sizes: PictureSizes::read(release.sizes.as_deref()),
            spotify_url: release.spotify_url,
            soundcloud_url: release.soundcloud_url,
            apple_music_url: self.apple_music_url,
            youtube_url: self.youtube_url,
            bandcamp_url: self.bandcamp_url,
            format: self.format,
            tracks: read_tracks(&self.tracks).into_iter().map(Track::from).collect(),
            credits: read_credits(&self.credits).into_iter().map(Credit::from).collect(),
            state,
            goes_out_at: self.goes_out_at.map(rfc3339),
            slug: release.slug,
            private_link,
            featured: self.featured,
            created_at: rfc3339(release.created_at),
            updated_at: rfc3339(release.updated_at),
            version: self.version,
        })
    }
}
