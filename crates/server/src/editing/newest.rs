//! Lists that have one order: newest first.

use deadwax_http::{
    error::AppResult,
    extract::{Cursor, page_limit},
};
use deadwax_store::clock::Micros;
use uuid::Uuid;

use super::lists::Page;

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

    /// The page of these rows; `place` is the order of the list.
    pub fn page<T>(&self, rows: Vec<T>, place: impl Fn(&T) -> (Micros, Uuid)) -> Page<T> {
        Page::cut(rows, self.limit, |row| {
            let (at, id) = place(row);
            Cursor { columns: vec![at.to_string()], id }.encode()
        })
    }
}
