//! The label's mark: the site image of this key, accepted as an SVG cleaned to shapes or a PNG.

use bytes::Bytes;
use deadwax_pictures::{MarkFormat, Sheet};
use deadwax_store::{
    columns::PublicUrl,
    db::Db,
    objects, statements,
    storage::{Storage, StorageError},
};
use rules::label::is_mark_beside_name;
use serde::Serialize;
use utoipa::ToSchema;

pub const MARK_KEY: &str = "label_mark";

statements! {
    FIND = "SELECT s.image_url, o.width, o.height \
        FROM public_site_images s JOIN objects o ON o.key = substr(s.image_url, 8) WHERE s.key = 'label_mark'";
}

/// The label's mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MarkView {
    /// Its file, an SVG or a PNG.
    pub url: String,
    /// Width in pixels; of an SVG, in proportion to its height.
    pub width: i64,
    /// Height in pixels.
    pub height: i64,
    /// Whether the header shows the name beside it.
    pub has_name: bool,
}

impl MarkView {
    /// Another for each file: what it is drawn on is kept by browsers and messengers.
    pub fn version(&self) -> &str {
        let name = self.url.rsplit('/').next().unwrap_or_default();
        name.split('-').next().unwrap_or_default()
    }

    /// Its size in a room, of which it fills the width or the height.
    pub fn fitted(&self, (width, height): (u32, u32)) -> (u32, u32) {
        let (across, down) = (self.width.max(1), self.height.max(1));
        let edge = |edge: i64| u32::try_from(edge).unwrap_or(1).max(1);
        if across * i64::from(height) > down * i64::from(width) {
            (width, edge(down * i64::from(width) / across))
        } else {
            (edge(across * i64::from(height) / down), height)
        }
    }

    /// The path of the mark of now, drawn for mail.
    pub fn mail_path(&self) -> String {
        format!("/mark.png?v={}", self.version())
    }

    /// The mark on the ground with a margin, twice as large as a mail shows it.
    pub fn mail_sheet(&self) -> Sheet {
        let inner = self.fitted((480, 96));
        Sheet { size: (inner.0 + 48, inner.1 + 48), inner }
    }

    pub async fn read(&self, storage: &Storage) -> Result<(Bytes, MarkFormat), StorageError> {
        let key = self.url.strip_prefix(&objects::url("")).unwrap_or(&self.url);
        let bytes = storage.read_whole(key).await?;
        let is_svg = rules::media_name::content_type(key) == Some("image/svg+xml");
        Ok((bytes, if is_svg { MarkFormat::Svg } else { MarkFormat::Png }))
    }
}

/// The mark, as `header`, a text of that key, shows it.
pub(super) async fn find(db: &Db, header: &str) -> sqlx::Result<Option<MarkView>> {
    let found = db.query(FIND).optional::<(PublicUrl, Option<i64>, Option<i64>)>().await?;
    Ok(found.and_then(|(url, width, height)| {
        let has_name = is_mark_beside_name(header);
        Some(MarkView { url: url.0?, width: width?, height: height?, has_name })
    }))
}
