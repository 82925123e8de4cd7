//! Lists that have one order: newest first.

use deadwax_http::{
    error::AppResult,
    extract::{Cursor, cut_to, page_limit},
};
use deadwax_store::clock::Micros;
use uuid::Uuid;

/// A position in a list that is ordered by an instant and the id, newest first.
#[derive(Debug)]
pub struct Newest {
    limit: i64,
    pub before: Micros,
    pub before_id: Uuid,
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

    /// Rows to read: one more than the page shows whether another follows.
    pub fn rows(&self) -> i64 {
        self.limit + 1
    }

    /// Cuts the rows to a page; returns the next cursor. `place` is the order of the list.
    pub fn cut<T>(&self, rows: &mut Vec<T>, place: impl Fn(&T) -> (Micros, Uuid)) -> Option<String> {
        let has_more = cut_to(rows, self.limit);
        let (at, id) = rows.last().filter(|_| has_more).map(place)?;
        Some(Cursor { columns: vec![at.to_string()], id }.encode())
    }
}
