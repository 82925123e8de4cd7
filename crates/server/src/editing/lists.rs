//! The lists of the back office: searched by their visible columns, in one of a closed set of orders, narrowed to a state, page by page.
//! Each list declares its orders with `orders!`, and its states with `names!`.

use deadwax_http::{
    error::{AppError, AppResult},
    extract::{Cursor, page_limit},
};
use deadwax_store::{
    clock::Micros,
    columns::Named,
    db::{Db, Query, Record, Statement},
    ids::UserId,
};
use rules::search::folded;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Where in a list, how much of it, what to look for, in which order, and in which state.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery<O: ToSchema, S: ToSchema> {
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<i64>,
    /// `next_cursor` of the page before, in the same order.
    pub cursor: Option<String>,
    /// Only rows that show this, whatever its case (in catalogue numbers, that of A to Z); names, demos and notes also whatever their accents.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// The order; the newest first where nothing is said.
    #[param(inline)]
    pub sort: Option<O>,
    /// Only rows in this state.
    #[param(inline)]
    pub state: Option<S>,
}

/// The orders of a list, the first being the default. Made only by `orders!`.
pub trait Order: Named {
    const COUNT: Statement;
    fn pages(self) -> Pages;
    /// Binds the parameters of `COUNT`, and of the pages before the number of rows and the place.
    fn bind<'c>(query: Query<'c>, given: &Given) -> Query<'c>;
}

/// The values that a list query can bind.
#[derive(Debug)]
pub struct Given {
    pub search: Search,
    /// Empty for all.
    pub state: &'static str,
    pub narrowed: Narrowed,
}

#[derive(Clone, Copy, Debug)]
pub struct Pages {
    pub first: Statement,
    pub after: Statement,
    /// Whether the sort column is a number; else it is text.
    pub is_number: bool,
}

/// One page of a list that does not count its rows.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Page<T> {
    /// The rows, in the order of the list.
    pub items: Vec<T>,
    /// The `cursor` of the next page; null on the last one.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// The page of at most `limit` of the rows, of which one more was read; `place` is the cursor behind a row.
    pub fn cut(mut items: Vec<T>, limit: i64, place: impl FnOnce(&T) -> String) -> Self {
        let limit = usize::try_from(limit).unwrap_or(0);
        let has_more = items.len() > limit;
        items.truncate(limit);
        let next_cursor = items.last().filter(|_| has_more).map(place);
        Self { items, next_cursor }
    }
}

/// Where in a list of short pages, and how much of it.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ShortPageQuery {
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<i64>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl ShortPageQuery {
    pub fn limit(&self) -> Option<i64> {
        self.limit.or(Some(20))
    }
}

/// One page of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ListPage<T> {
    /// The rows, in the requested order.
    pub items: Vec<T>,
    /// The `cursor` of the next page; null on the last one.
    pub next_cursor: Option<String>,
    /// How many rows there are on all pages.
    pub total: i64,
}

impl<T> ListPage<T> {
    /// The same page with other rows.
    pub fn try_map<U>(self, change: impl FnMut(T) -> AppResult<U>) -> AppResult<ListPage<U>> {
        let items = self.items.into_iter().map(change).collect::<AppResult<_>>()?;
        Ok(ListPage { items, next_cursor: self.next_cursor, total: self.total })
    }
}

#[derive(Debug, Default)]
pub struct Narrowed {
    pub me: Option<UserId>,
    pub tag: String,
    /// The requester's score; 0 for none yet, negative for any.
    pub score: i64,
    /// In lower case; empty for all.
    pub sender: String,
    /// `yes` or `no`: whether the sender was answered; empty for either.
    pub answered: &'static str,
    /// Only unheard demos from before this instant; the farthest future for all.
    pub unheard_before: Micros,
    pub origin: String,
}

#[derive(sqlx_macros::FromRow)]
struct Placed<T> {
    #[sqlx(flatten)]
    row: T,
    place: String,
    place_id: Uuid,
}

impl<O: Order + ToSchema, S: Named + ToSchema> ListQuery<O, S> {
    pub async fn page<T: Record>(self, db: &Db) -> AppResult<ListPage<T>> {
        self.narrowed_page(db, Narrowed::default()).await
    }

    pub async fn narrowed_page<T: Record>(self, db: &Db, narrowed: Narrowed) -> AppResult<ListPage<T>> {
        let Self { limit, cursor, q, sort, state } = self;
        let limit = page_limit(limit)?;
        let order = sort.unwrap_or(O::ALL[0]);
        let pages = order.pages();
        let after = cursor.as_deref().map(|text| place(order, pages, text)).transpose()?;
        let search = Search::of(q.as_deref())?;
        let given = Given { search, state: state.map(Named::as_str).unwrap_or_default(), narrowed };
        let narrow = |statement| O::bind(db.query(statement), &given);
        let total = narrow(O::COUNT).value::<i64>().await?;
        let query = match after {
            None => narrow(pages.first).bind(limit + 1),
            Some((Place::Number(number), id)) => narrow(pages.after).bind(limit + 1).bind(number).bind(id),
            Some((Place::Text(text), id)) => narrow(pages.after).bind(limit + 1).bind(text).bind(id),
        };
        let page = Page::cut(query.all::<Placed<T>>().await?, limit, |row| {
            Cursor { columns: vec![order.as_str().to_owned(), row.place.clone()], id: row.place_id }.encode()
        });
        let items = page.items.into_iter().map(|row| row.row).collect();
        Ok(ListPage { items, next_cursor: page.next_cursor, total })
    }
}

enum Place {
    Number(i64),
    Text(String),
}

/// The position of a cursor; one of another order is refused.
fn place<O: Order>(order: O, pages: Pages, text: &str) -> AppResult<(Place, Uuid)> {
    let Cursor { columns, id } = Cursor::decode(text, 2)?;
    let [name, place] = <[String; 2]>::try_from(columns).map_err(|_| Cursor::refused())?;
    if name != order.as_str() {
        return Err(Cursor::refused());
    }
    let place = if pages.is_number {
        Place::Number(place.parse().map_err(|_| -> AppError { Cursor::refused() })?)
    } else {
        Place::Text(place)
    };
    Ok((place, id))
}

/// A search text as patterns for `LIKE … ESCAPE '\'`; all of them match everything if it is blank.
#[derive(Debug)]
pub struct Search {
    /// For sort keys: names, ignoring case and accents.
    pub key: String,
    /// For search keys: texts, ignoring case and accents ([`folded`]).
    pub folded: String,
    pub lower: String,
    /// For the whole text in lower case.
    pub exact: String,
    pub typed: String,
    pub is_blank: bool,
}

impl Search {
    pub fn of(q: Option<&str>) -> AppResult<Self> {
        let typed =
            rules::search::typed(q.unwrap_or_default()).map_err(|code| AppError::invalid("q", code))?;
        // The sort key of an empty text is not empty.
        let key = if typed.is_empty() { String::new() } else { rules::sort_key::sort_key(typed) };
        Ok(Self {
            key: containing(&key),
            folded: containing(&folded(typed)),
            lower: containing(&typed.to_lowercase()),
            exact: if typed.is_empty() { containing(typed) } else { escaped(&typed.to_lowercase()) },
            typed: containing(typed),
            is_blank: typed.is_empty(),
        })
    }
}

pub(crate) fn containing(text: &str) -> String {
    if text.is_empty() { "%".to_owned() } else { format!("%{}%", escaped(text)) }
}

fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars().filter(|c| *c != '\0') {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// Declares the orders of a list, the first being the default.
///
/// `select` is a macro that makes the list's `SELECT … FROM …` with additional columns, which begin with a comma; `found` is the condition
/// on its rows, `binds` names the fields of [`Given`] that are its parameters, and `then` the three parameters after them. Each order has a
/// module for its statements, a name, and a sort column or expression that is never null.
macro_rules! orders {
    (
        $(#[$meta:meta])*
        $Order:ident: select $select:ident, found $found:expr, count $count:literal, id $id:literal,
            binds [$($($field:ident).+),+] then $limit:literal $place:literal $place_id:literal;
        $($(#[$order_meta:meta])* $module:ident $Variant:ident = $name:tt, $kind:ident $key:literal
            $(, postgres $postgres:literal)? $way:ident;)+
    ) => {
        deadwax_store::names! { $(#[$meta])* $Order; $($(#[$order_meta])* $Variant = $name;)+ }

        impl $crate::editing::lists::Order for $Order {
            const COUNT: deadwax_store::db::Statement = orders::COUNT_ALL;

            fn pages(self) -> $crate::editing::lists::Pages {
                match self { $(Self::$Variant => orders::$module::PAGES,)+ }
            }

            fn bind<'c>(
                query: deadwax_store::db::Query<'c>,
                given: &$crate::editing::lists::Given,
            ) -> deadwax_store::db::Query<'c> {
                query$(.bind(&given.$($field).+))+
            }
        }

        mod orders {
            deadwax_store::statements! {
                and $($module),+;
                COUNT = concat!($count, " WHERE ", $found);
            }
            pub(super) const COUNT_ALL: deadwax_store::db::Statement = COUNT;

            $(pub(super) mod $module {
                deadwax_store::statements! {
                    FIRST = $crate::editing::lists::orders!(@first $select $found, $id, $limit, $key, $way),
                        postgres $crate::editing::lists::orders!(@first $select $found, $id, $limit, $crate::editing::lists::orders!(@key $key $($postgres)?), $way);
                    AFTER = $crate::editing::lists::orders!(@after $select $found, $id, $limit, $key, $way, $place, $place_id),
                        postgres $crate::editing::lists::orders!(
                            @after $select $found, $id, $limit, $crate::editing::lists::orders!(@key $key $($postgres)?), $way, $place, $place_id
                        );
                }
                pub(in super::super) const PAGES: $crate::editing::lists::Pages = $crate::editing::lists::Pages {
                    first: FIRST,
                    after: AFTER,
                    is_number: $crate::editing::lists::orders!(@is_number $kind),
                };
            })+
        }
    };
    (@key $key:literal) => { $key };
    (@key $key:literal $postgres:literal) => { $postgres };
    (@is_number number) => { true };
    (@is_number text) => { false };
    (@way up) => { "" };
    (@way down) => { " DESC" };
    (@beyond up) => { ">" };
    (@beyond down) => { "<" };
    (@from $select:ident $found:expr, $id:literal, $key:expr) => {
        concat!($select!(concat!(", CAST(", $key, " AS TEXT) AS place, ", $id, " AS place_id")), " WHERE ", $found)
    };
    (@in_order $id:literal, $limit:literal, $key:expr, $way:ident) => {
        concat!(
            " ORDER BY ", $key, $crate::editing::lists::orders!(@way $way), ", ", $id, $crate::editing::lists::orders!(@way $way), " LIMIT ", $limit
        )
    };
    (@first $select:ident $found:expr, $id:literal, $limit:literal, $key:expr, $way:ident) => {
        concat!(
            $crate::editing::lists::orders!(@from $select $found, $id, $key),
            $crate::editing::lists::orders!(@in_order $id, $limit, $key, $way)
        )
    };
    // The first comparison alone lets an index find the place; the rest settles ties.
    (@after $select:ident $found:expr, $id:literal, $limit:literal, $key:expr, $way:ident, $place:literal, $place_id:literal) => {
        concat!(
            $crate::editing::lists::orders!(@from $select $found, $id, $key),
            " AND ", $key, " ", $crate::editing::lists::orders!(@beyond $way), "= ", $place,
            " AND (", $key, " ", $crate::editing::lists::orders!(@beyond $way), " ", $place,
            " OR ", $id, " ", $crate::editing::lists::orders!(@beyond $way), " ", $place_id, ")",
            $crate::editing::lists::orders!(@in_order $id, $limit, $key, $way)
        )
    };
}
pub(crate) use orders;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ignores_case_and_accents_and_knows_no_wildcards() {
        let by_name = |q: &str| Search::of(Some(q)).unwrap().key;
        assert_eq!(by_name(" "), "%");
        assert_eq!(by_name("ÄRZTE im"), "%arzte im%");
        assert_eq!(by_name("50%_\\"), "%50%");
        assert_eq!(containing("a_b%"), "%a\\_b\\%%");
    }
}
