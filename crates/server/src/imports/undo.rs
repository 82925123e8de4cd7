//! Undoes an import as one: what it made is deleted, what it changed is restored. Rows edited since are named and left alone.

use deadwax_config::Origin;
use deadwax_http::error::{AppError, AppResult};
use deadwax_store::{
    clock::{Micros, micros},
    db::Tx,
    ids::UserId,
    statements,
};
use http::StatusCode;
use rules::import::{ImportError, UNDO_MS};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::write;
use crate::{
    catalogue::{
        publication,
        release_edits::{bind_content, update_releases},
    },
    editing::versions::{self, VersionKind},
    exports::TableRow,
    files::library::uses,
};

macro_rules! made {
    ($kind:literal) => {
        concat!(
            " IN (SELECT i.row_id FROM import_rows i WHERE i.import_id = $1 AND i.kind = '",
            $kind,
            "' AND i.before IS NULL)"
        )
    };
}
macro_rules! is_as_made {
    ($table:literal, $kind:literal) => {
        concat!(
            $table,
            ".deleted_at IS NULL AND ",
            $table,
            ".version = (SELECT i.version FROM import_rows i WHERE i.import_id = $1 AND i.kind = '",
            $kind,
            "' AND i.row_id = ",
            $table,
            ".id)"
        )
    };
}

statements! {
    CLAIM = "UPDATE imports SET undone_at = $2 WHERE id = $1 AND undone_at IS NULL AND created_at > $3";
    FIND = "SELECT undone_at FROM imports WHERE id = $1";
    // Releases before their artists, each in order, as in `catalogue::publication`. An edit that gives a release to one of these artists has
    // committed before artists are examined.
    LOCK_RELEASES = "SELECT id FROM releases WHERE id IN (SELECT row_id FROM import_rows WHERE import_id = $1 AND kind = 'release') \
        ORDER BY id", postgres + " FOR UPDATE";
    LOCK_ARTISTS = concat!("SELECT id FROM artists WHERE id", made!("artist"), " ORDER BY id"), postgres + " FOR UPDATE";
    // The corrected table gets the same slugs again; no release had them before.
    FREE_SLUGS = concat!(
        "DELETE FROM slugs WHERE release_id IN (SELECT id FROM releases WHERE id",
        made!("release"),
        " AND ",
        is_as_made!("releases", "release"),
        ")"
    );
    // Of a changed release: the one that the import gave it, if it is not the present one.
    FREE_GIVEN_SLUG = "DELETE FROM slugs WHERE release_id = $2 AND created_at = (SELECT created_at FROM imports WHERE id = $1) \
        AND slug <> (SELECT r.slug FROM releases r WHERE r.id = $2)";
    DELETE_RELEASES = concat!(
        "DELETE FROM releases WHERE id",
        made!("release"),
        " AND ",
        is_as_made!("releases", "release"),
        " RETURNING id"
    );
    DELETE_ARTISTS = concat!(
        "DELETE FROM artists WHERE id",
        made!("artist"),
        " AND ",
        is_as_made!("artists", "artist"),
        " AND NOT EXISTS (SELECT 1 FROM releases r WHERE r.artist_id = artists.id) RETURNING id"
    );
    CHANGED = "SELECT row_id, version, before FROM import_rows WHERE import_id = $1 AND kind = 'release' AND before IS NOT NULL";
    PUT_BACK = concat!(
        update_releases!("(SELECT a.id FROM artists a WHERE a.id = $4)"),
        ", updated_at = $18 WHERE id = $1 AND version = $19 AND deleted_at IS NULL"
    );
    // Rows it made that could not be deleted.
    LEFT_RELEASES = concat!("SELECT id, title FROM releases WHERE id", made!("release"), " ORDER BY sort_key, id");
    LEFT_ARTISTS = concat!("SELECT id, name FROM artists WHERE id", made!("artist"), " ORDER BY sort_key, id");
    TITLE = "SELECT title FROM releases WHERE id = $1";
}

/// How an import was undone.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Undone {
    /// How many releases and artists are as they were before the import.
    pub undone: u64,
    /// Rows left as they are, because they were edited since.
    pub left: Vec<LeftRow>,
}

/// A row that an undo has left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LeftRow {
    /// `release` or `artist`.
    pub kind: String,
    pub id: Uuid,
    /// Its title or name.
    pub name: String,
}

/// Undoes an import, once, within 24 hours. Restored releases get a new version.
///
/// A cover that is deleted or in the trash is not restored.
pub async fn undo(tx: &mut Tx, origin: &Origin, id: Uuid, by: UserId, now: Micros) -> AppResult<Undone> {
    if tx.query(CLAIM).bind(id).bind(now).bind(now - micros(UNDO_MS)).execute().await? == 0 {
        let undone_at =
            tx.query(FIND).bind(id).maybe::<Option<Micros>>().await?.ok_or_else(AppError::not_found)?;
        let error = if undone_at.is_some() { ImportError::AlreadyUndone } else { ImportError::UndoTooLate };
        return Err(AppError::from_code(StatusCode::CONFLICT, error));
    }
    let mut changed = Vec::new();
    for (release_id, version, before) in tx.query(CHANGED).bind(id).all::<(Uuid, i64, String)>().await? {
        let before: TableRow = serde_json::from_str(&before).map_err(AppError::internal)?;
        changed.push((release_id, version, before));
    }
    let covers = changed.iter().filter_map(|(_, _, before)| before.cover_image_url.as_deref());
    write::lock_covers(tx, covers).await?;
    for (_, _, before) in &mut changed {
        if let Some(url) = &before.cover_image_url
            && uses::is_missing_in(tx, origin, url).await?
        {
            before.cover_image_url = None;
        }
    }
    tx.query(LOCK_RELEASES).bind(id).execute().await?;
    let mut left = Vec::new();
    let mut undone = 0;
    let mut saved = Vec::new();
    // Changes first: a release given to a new artist may be given back.
    for (release_id, version, before) in changed {
        if put_back(tx, &before, version, now).await? {
            undone += 1;
            tx.query(FREE_GIVEN_SLUG).bind(id).bind(release_id).execute().await?;
            saved.push(write::as_stored(&before, version + 1, now));
        } else if let Some(name) = tx.query(TITLE).bind(release_id).maybe::<String>().await? {
            left.push(LeftRow { kind: "release".to_owned(), id: release_id, name });
        }
    }
    versions::keep_many(tx, VersionKind::Release, Some(by), &[], &saved).await?;
    tx.query(LOCK_ARTISTS).bind(id).execute().await?;
    tx.query(FREE_SLUGS).bind(id).execute().await?;
    for (kind, statement) in [(VersionKind::Release, DELETE_RELEASES), (VersionKind::Artist, DELETE_ARTISTS)]
    {
        let gone = tx.query(statement).bind(id).values::<Uuid>().await?;
        versions::forget_many(tx, kind, &gone).await?;
        undone += gone.len() as u64;
    }
    for (kind, statement) in [("release", LEFT_RELEASES), ("artist", LEFT_ARTISTS)] {
        let rows = tx.query(statement).bind(id).all::<(Uuid, String)>().await?;
        left.extend(rows.into_iter().map(|(id, name)| LeftRow { kind: kind.to_owned(), id, name }));
    }
    Ok(Undone { undone, left })
}

async fn put_back(tx: &mut Tx, before: &TableRow, version: i64, now: Micros) -> AppResult<bool> {
    let put_back = bind_content(tx.query(PUT_BACK).bind(before.id), &before.form(), before.artist_id);
    let touched = put_back.bind(now).bind(version).execute().await?;
    if touched > 0 && before.state == "out" {
        publication::give_slug(tx, before.id, before.catalog.as_deref(), &before.title, now).await?;
    }
    Ok(touched > 0)
}
