//! Releases that contain what is searched for in their title, their artist's name or their catalogue number, in the order of the list.

use deadwax_http::extract::Cursor;
use deadwax_store::{db::Db, statements};
use rules::search::Search;
use uuid::Uuid;

use super::release_rows::{PublicRow, is_among, select};
use crate::edits::containing;

// Narrow rows are looked through in the order of the list, until there are enough; only what is shown is read and joined.
macro_rules! search {
    ($engine:ident, $more:expr) => {
        concat!(
            select!(),
            " WHERE",
            is_among!(
                $engine,
                concat!(
                    "SELECT s.release_id FROM release_search s WHERE (s.sort_key LIKE $2",
                    escape!($engine),
                    " OR s.artist_key LIKE $2",
                    escape!($engine),
                    " OR s.catalog LIKE $3",
                    escape!($engine),
                    ")",
                    $more,
                    " ORDER BY s.release_date DESC, s.sort_key, s.release_id LIMIT $1"
                )
            ),
            " ORDER BY COALESCE(r.release_date, '') DESC, r.sort_key, r.id"
        )
    };
}
// On PostgreSQL it is the default, and naming it costs a third of the search: the pattern is then escaped anew for each row.
macro_rules! escape {
    (sqlite) => {
        " ESCAPE '\\'"
    };
    (postgres) => {
        ""
    };
}
macro_rules! after {
    () => {
        " AND s.release_date <= $4 \
             AND (s.release_date < $4 OR s.sort_key > $5 OR (s.sort_key = $5 AND s.release_id > $6))"
    };
}

macro_rules! of_artist {
    ($artist:literal) => {
        concat!(" AND s.release_id IN (SELECT p.id FROM public_releases p WHERE p.artist_id = ", $artist, ")")
    };
}

statements! {
    FIND = search!(sqlite, ""), postgres search!(postgres, "");
    FIND_AFTER = search!(sqlite, after!()), postgres search!(postgres, after!());
    FIND_OF = search!(sqlite, of_artist!("$4")), postgres search!(postgres, of_artist!("$4"));
    FIND_OF_AFTER = search!(sqlite, concat!(after!(), of_artist!("$7"))),
        postgres search!(postgres, concat!(after!(), of_artist!("$7")));
}

/// The first `rows` releases that are found, of all or of one artist's, from a position in the list on.
pub(super) async fn find(
    db: &Db,
    search: &Search,
    artist: Option<Uuid>,
    cursor: Option<Cursor>,
    rows: i64,
) -> sqlx::Result<Vec<PublicRow>> {
    let statement = match (artist, &cursor) {
        (None, None) => FIND,
        (None, Some(_)) => FIND_AFTER,
        (Some(_), None) => FIND_OF,
        (Some(_), Some(_)) => FIND_OF_AFTER,
    };
    let mut query =
        db.query(statement).bind(rows).bind(containing(&search.name)).bind(containing(&search.catalog));
    if let Some(at) = cursor {
        query = query.bind(at.columns[0].clone()).bind(at.columns[1].clone()).bind(at.id);
    }
    if let Some(artist) = artist {
        query = query.bind(artist);
    }
    query.all::<PublicRow>().await
}
