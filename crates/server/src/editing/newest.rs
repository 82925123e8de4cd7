//! Lists that have one order: newest first.

use deadwax_http::{
    error::AppResult,
    extract::{Cursor, page_limit},
};
use deadwax_store::{
    clock::Micros,
    db::{Query, Record},
};
use uuid::Uuid;

use super::lists::Page;

/// A position in a list that is ordered by an instant and the id, newest first.
#[derive(Debug)]
pub struct Newest {
    limit: i64,
    before: Micros,
    before_id: Uuid,
}

impl Newest {
    pub fn read(limit: Option<i64>, cursor: Option<&str>) -> AppResult<Self> {
        let limit = page_limit(limit)?;
        let Some(cursor) = cursor else {
            return Ok(Self { limit, before: Micros::MAX, before_id: Uuid::max() });
        };
        let Cursor { columns, id: before_id } = Cursor::decode(cursor, 1)?;
        let before = columns[0].parse().map_err(|_| Cursor::refused())?;
        Ok(Self { limit, before, before_id })
    }

    /// The page that a query reads whose last parameters are the number of rows, and the instant and the id of this place. `order` is
    /// that of the list.
    pub async fn page<T: Record>(
        &self,
        query: Query<'_>,
        order: impl Fn(&T) -> (Micros, Uuid),
    ) -> sqlx::Result<Page<T>> {
        // One more shows whether another page follows.
        let rows = query.bind(self.limit + 1).bind(self.before).bind(self.before_id).all().await?;
        Ok(Page::cut(rows, self.limit, |row| {
            let (at, id) = order(row);
            Cursor { columns: vec![at.to_string()], id }.encode()
        }))
    }
}
