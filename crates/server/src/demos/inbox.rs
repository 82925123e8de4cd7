//! Demos for admins: listed, played, downloaded and removed.

use axum::{Json, response::Response};
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{ApiQuery, PathId},
};
use deadwax_store::{columns::Timestamp, ids::DemoId, limits, names, objects, statements, text_column};
use http::{HeaderValue, StatusCode, request::Parts};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rules::{demo_name::artist_label, rate_limit::DEMO_READ_NOTE};
use serde::{Deserialize, Serialize};
use sqlx::error::BoxDynError;
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::AppState,
    auth::guard::{Actor, Admin},
    editing::Editor,
    editing::lists::{ListPage, ListQuery, orders},
    files::media::{self, FileResponse},
    trash::{self, kinds::TrashKind},
};

macro_rules! select {
    ($more:expr) => {
        concat!(
            "SELECT d.id, d.file_key AS artist_label, substr(d.file_key, 7) AS name, substr(d.file_key, 7) AS file_name, d.artist_name, d.email, \
                 d.message, d.original_name, d.submitted_at, d.submitted_at AS last_modified, o.size_bytes, o.size_bytes AS size, o.content_type",
            $more,
            " FROM demos d JOIN objects o ON o.key = d.file_key"
        )
    };
}

names! {
    /// The kind of a demo's file.
    DemoKind;
    /// It can be played in place.
    Sound = "sound";
    /// Several files in one.
    Archive = "archive";
}

orders! {
    /// The orders of the list of demos.
    DemoOrder: select select,
        found "d.deleted_at IS NULL AND (d.search_key LIKE $1 ESCAPE '\\' OR LOWER(substr(d.file_key, 7)) LIKE $2 ESCAPE '\\') \
            AND ($3 = '' OR ($3 = 'sound') = (o.content_type LIKE 'audio/%'))",
        count "SELECT COUNT(*) FROM demos d JOIN objects o ON o.key = d.file_key", id "d.id",
        binds [search.folded, search.lower, state] then "$4" "$5" "$6";
    /// The newest first.
    newest Newest = "-submitted", number "d.submitted_at" down;
    /// The oldest first.
    oldest Oldest = "submitted", number "d.submitted_at" up;
    /// By artist.
    by_artist ByArtist = "artist", text "d.sort_key" up;
    /// By artist, from the end of the alphabet.
    by_artist_back ByArtistBack = "-artist", text "d.sort_key" down;
    /// By the name on the artist's disk.
    by_file ByFile = "file", text "LOWER(d.original_name)", postgres "LOWER(d.original_name) COLLATE \"C\"" up;
    /// The same from the end of the alphabet.
    by_file_back ByFileBack = "-file", text "LOWER(d.original_name)", postgres "LOWER(d.original_name) COLLATE \"C\"" down;
    /// The smallest first.
    by_size BySize = "size", number "o.size_bytes" up;
    /// The largest first.
    by_size_back BySizeBack = "-size", number "o.size_bytes" down;
}

statements! {
    and orders;
    KEY = "SELECT file_key FROM demos WHERE id = $1 AND deleted_at IS NULL";
}

/// The artist in the stored name of a demo, of whose key a row has it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ArtistLabel(String);

text_column!(ArtistLabel, |key: &str| Ok::<_, BoxDynError>(ArtistLabel(artist_label(file_name(key)))));

#[derive(Debug, Clone, Serialize, ToSchema, sqlx_macros::FromRow)]
pub struct SubmittedDemo {
    pub id: DemoId,
    /// The stored name, as in a listing of stored files.
    pub name: String,
    /// In bytes, as in such a listing.
    pub size: i64,
    /// When it was complete, as in such a listing.
    pub last_modified: Timestamp,
    /// The stored name.
    pub file_name: String,
    /// The artist, as in the stored name.
    pub artist_label: ArtistLabel,
    /// The artist, as typed.
    pub artist_name: String,
    /// Where to answer.
    pub email: String,
    /// The artist's message, if any.
    pub message: Option<String>,
    /// The name on the artist's disk.
    pub original_name: String,
    pub size_bytes: i64,
    /// As sent to browsers; sound can be played in place.
    pub content_type: String,
    /// When it was complete.
    pub submitted_at: Timestamp,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DemoUse {
    /// True to play it in place instead of downloading it; for sound only.
    pub inline: Option<bool>,
}

fn file_name(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

/// The demos, newest first unless another order is requested.
#[utoipa::path(get, path = "/api/admin/demos", tag = "admin", params(ListQuery<DemoOrder, DemoKind>), responses(
    (status = 200, description = "A page of demos", body = ListPage<SubmittedDemo>),
))]
pub async fn list_demos(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<ListQuery<DemoOrder, DemoKind>>,
) -> AppResult<Json<ListPage<SubmittedDemo>>> {
    Ok(Json(query.page(&app.db).await?))
}

/// A demo's file, or a part of it. Noted in the audit log, once an hour for each admin.
#[utoipa::path(get, path = "/api/admin/demos/{id}/file", tag = "admin", params(PathId, DemoUse), responses(
    (status = 200, description = "The file", content_type = "*/*", body = Vec<u8>),
    (status = 206, description = "A part of the file", content_type = "*/*", body = Vec<u8>),
    (status = 304, description = "The caller has it already"),
    (status = 416, description = "The file has no such part"),
))]
pub async fn download_demo(
    editor: Editor,
    PathId(id): PathId<DemoId>,
    ApiQuery(wanted): ApiQuery<DemoUse>,
    request: Parts,
) -> AppResult<Response> {
    let key = editor.app.db.query(KEY).bind(id).maybe::<String>().await?.ok_or_else(AppError::not_found)?;
    let object = objects::find(&editor.app.db, &key).await?.ok_or_else(AppError::not_found)?;
    note_read(editor.act(), id).await?;
    let is_heard = wanted.inline == Some(true) && object.content_type.starts_with("audio/");
    let disposition = disposition(if is_heard { "inline" } else { "attachment" }, file_name(&key))?;
    // The label must not leave copies in caches.
    let answering =
        FileResponse { disposition: Some(disposition), cache: HeaderValue::from_static("no-store") };
    media::answer(&editor.app.storage, &key, &object, &request, answering).await
}

/// Records that an admin reads a demo, once an hour, because a player asks for many parts.
pub(super) async fn note_read(by: Actor<'_>, id: DemoId) -> AppResult<()> {
    let mut tx = by.app.db.begin().await?;
    let key = format!("demo-read:{}:{id}", by.me.user_id);
    if limits::take_in(&mut tx, &key, DEMO_READ_NOTE, by.now).await?.is_ok() {
        by.check_and_record(&mut tx, "sensitive_read", &format!("demo:{id}")).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Characters of a header's extended value that need no escape (RFC 8187 §3.2.1).
const ATTR_CHAR: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'!').remove(b'+');

/// RFC 6266: the name in ASCII for old programs, and in full for all others.
pub(super) fn disposition(kind: &str, name: &str) -> AppResult<HeaderValue> {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' })
        .collect();
    let full = utf8_percent_encode(name, ATTR_CHAR);
    HeaderValue::try_from(format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{full}"))
        .map_err(AppError::internal)
}

/// Removes a demo with its file; for a minute it can be brought back from the trash.
#[utoipa::path(delete, path = "/api/admin/demos/{id}", tag = "admin", params(PathId), responses(
    (status = 204, description = "Removed"),
))]
pub async fn remove_demo(editor: Editor, PathId(id): PathId<DemoId>) -> AppResult<StatusCode> {
    trash::delete_one(&editor, TrashKind::Demo, id.0).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_any_script_is_sent_in_two_ways() {
        let header = |name| disposition("attachment", name).unwrap().to_str().unwrap().to_owned();
        assert_eq!(header("1_ab_A.wav"), "attachment; filename=\"1_ab_A.wav\"; filename*=UTF-8''1_ab_A.wav");
        assert_eq!(
            header("1_ab_Mü\"r.wav"),
            "attachment; filename=\"1_ab_M__r.wav\"; filename*=UTF-8''1_ab_M%C3%BC%22r.wav"
        );
    }
}
