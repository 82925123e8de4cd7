//! Searches releases by title, artist and catalogue number, in the order of the list.

use deadwax_http::extract::Cursor;
use deadwax_store::{
    db::{Db, Query},
    statements,
};
use rules::search::Search;
use uuid::Uuid;

use super::release_rows::{is_among, select};
use crate::editing::lists::containing;

// Scans narrow rows in list order until there are enough; joins only the rows shown.
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
// The default on PostgreSQL, where naming it costs a third of the search: the pattern is escaped again for each row.
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

/// A query for the first `rows` matches behind a cursor, of all artists or one.
pub(super) fn query<'c>(
    db: &'c Db,
    search: &Search,
    artist: Option<Uuid>,
    cursor: Option<Cursor>,
    rows: i64,
) -> Query<'c> {
    let statement = match (artist, &cursor) {
        (None, None) => FIND,
        (None, Some(_)) => FIND_AFTER,
        (Some(_), None) => FIND_OF,
        (Some(_), Some(_)) => FIND_OF_AFTER,
    };
    let mut query =
        db.query(statement).bind(rows).bind(containing(&search.name)).bind(containing(&search.catalog));
    if let Some(at) = cursor {
        query = query.bind(&at.columns[0]).bind(&at.columns[1]).bind(at.id);
    }
    match artist {
        Some(artist) => query.bind(artist),
        None => query,
    }
}
