//! The lists of the dashboard: searched by what they show, in one of a closed set of orders, narrowed to a state, page by page. Each list
//! declares its orders with `orders!` and its states with `states!`.

use deadwax_config::Origin;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{Cursor, cut_to, page_limit},
};
use deadwax_store::{
    clock::Micros,
    db::{Db, Query, Record, Statement},
};
use rules::search::folded;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::edits::{SearchQuery, containing};

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
    /// Only rows that show this, whatever its case; names, demos and notes also whatever their accents.
    #[param(max_length = 200)]
    pub q: Option<String>,
    /// The order; the newest first where nothing is said.
    #[param(inline)]
    pub sort: Option<O>,
    /// Only rows in this state.
    #[param(inline)]
    pub state: Option<S>,
}

/// What has a name in addresses.
pub trait Named: Copy + PartialEq + 'static {
    /// As addresses call it.
    fn name(self) -> &'static str;
}

/// The orders of a list. Made only by `orders!`.
pub trait Order: Named {
    /// The one that needs no name.
    const DEFAULT: Self;
    /// How many rows there are on all pages.
    const COUNT: Statement;
    /// What `COUNT` is told, and what the pages are told before the number of rows and the place.
    const BINDS: &'static [Bind];
    /// Its pages.
    fn pages(self) -> Pages;
}

/// What a statement of a list is told.
#[derive(Clone, Copy, Debug)]
pub enum Bind {
    /// For `LIKE … ESCAPE '\'` on a sort key: names, whatever their case and accents.
    Key,
    /// For `LIKE … ESCAPE '\'` on a search key: texts, whatever their case and accents.
    Folded,
    /// The same on a text in lower case.
    Lower,
    /// The same on a text as it was typed.
    Typed,
    /// The state's name, or nothing for all of them.
    State,
    /// The address of this website.
    Origin,
    /// Who asks.
    Me,
    /// The tag that rows have, or nothing for all of them.
    Tag,
    /// The score that whoever asks has given; 0 for none yet, less for any.
    Score,
    /// Who sent it, in lower case, or nothing for anybody.
    Sender,
    /// `yes` or `no`: whether the sender was told where the demo stands; or nothing for either.
    Answered,
    /// Only unheard demos that came in before this; the farthest future for all.
    UnheardBefore,
}

/// The statements of an order.
#[derive(Clone, Copy, Debug)]
pub struct Pages {
    /// The first page.
    pub first: Statement,
    /// The page after a place: what the list is ordered by, and the id.
    pub after: Statement,
    /// Whether it is ordered by a number; else by a text.
    pub is_number: bool,
}

/// One page of a list.
#[derive(Debug)]
pub struct ListPage<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The next page; none on the last.
    pub next_cursor: Option<String>,
    /// How many rows there are on all pages.
    pub total: i64,
}

/// What else some lists are narrowed by.
#[derive(Debug, Default)]
pub struct Narrowed {
    /// For [`Bind::Me`].
    pub me: Uuid,
    /// For [`Bind::Tag`].
    pub tag: String,
    /// For [`Bind::Score`].
    pub score: i64,
    /// For [`Bind::Sender`].
    pub sender: String,
    /// For [`Bind::Answered`].
    pub answered: &'static str,
    /// For [`Bind::UnheardBefore`].
    pub unheard_before: Option<Micros>,
}

/// A row, and its place in the order.
#[derive(sqlx::FromRow)]
struct Placed<T> {
    #[sqlx(flatten)]
    row: T,
    place: String,
    place_id: Uuid,
}

impl<O: Order + ToSchema, S: Named + ToSchema> ListQuery<O, S> {
    /// Reads the page that is asked for; what the query cannot mean is refused with 422.
    pub async fn page<T: Record>(self, db: &Db, origin: &Origin) -> AppResult<ListPage<T>> {
        self.narrowed_page(db, origin, Narrowed::default()).await
    }

    /// The same of a list that is narrowed by more than a state.
    pub async fn narrowed_page<T: Record>(
        self,
        db: &Db,
        origin: &Origin,
        narrowed: Narrowed,
    ) -> AppResult<ListPage<T>> {
        let Self { limit, cursor, q, sort, state } = self;
        let limit = page_limit(limit)?;
        let order = sort.unwrap_or(O::DEFAULT);
        let pages = order.pages();
        let after = cursor.as_deref().map(|text| place(order, pages, text)).transpose()?;
        let search = SearchQuery { q, ..SearchQuery::default() };
        let typed = search.typed()?;
        let told = Told {
            key: search.pattern()?,
            folded: containing(&folded(typed)),
            lower: containing(&typed.to_lowercase()),
            typed: containing(typed),
            state: state.map(Named::name).unwrap_or_default(),
            origin: origin.to_string(),
            narrowed,
        };
        let (total,) = told.bind_to(db.query(O::COUNT), O::BINDS).one::<(i64,)>().await?;
        let statement = if after.is_some() { pages.after } else { pages.first };
        let mut query = told.bind_to(db.query(statement), O::BINDS).bind(limit + 1);
        query = match after {
            None => query,
            Some((Place::Number(number), id)) => query.bind(number).bind(id),
            Some((Place::Text(text), id)) => query.bind(text).bind(id),
        };
        let mut rows = query.all::<Placed<T>>().await?;
        let has_more = cut_to(&mut rows, limit);
        let next_cursor = rows.last().filter(|_| has_more).map(|row| {
            Cursor { columns: vec![order.name().to_owned(), row.place.clone()], id: row.place_id }.encode()
        });
        Ok(ListPage { rows: rows.into_iter().map(|row| row.row).collect(), next_cursor, total })
    }
}

/// What the statements of a list are told of a query.
struct Told {
    key: String,
    folded: String,
    lower: String,
    typed: String,
    state: &'static str,
    origin: String,
    narrowed: Narrowed,
}

impl Told {
    fn bind_to<'c>(&self, query: Query<'c>, binds: &[Bind]) -> Query<'c> {
        binds.iter().fold(query, |query, bind| match bind {
            Bind::Key => query.bind(&self.key),
            Bind::Folded => query.bind(&self.folded),
            Bind::Lower => query.bind(&self.lower),
            Bind::Typed => query.bind(&self.typed),
            Bind::State => query.bind(self.state),
            Bind::Origin => query.bind(&self.origin),
            Bind::Me => query.bind(self.narrowed.me),
            Bind::Tag => query.bind(&self.narrowed.tag),
            Bind::Score => query.bind(self.narrowed.score),
            Bind::Sender => query.bind(&self.narrowed.sender),
            Bind::Answered => query.bind(self.narrowed.answered),
            Bind::UnheardBefore => query.bind(self.narrowed.unheard_before.unwrap_or(Micros::MAX)),
        })
    }
}

/// What a list is ordered by, of the last row of a page.
enum Place {
    Number(i64),
    Text(String),
}

/// The place that a cursor names; one of another order is refused as one of another list is.
fn place<O: Order>(order: O, pages: Pages, text: &str) -> AppResult<(Place, Uuid)> {
    let Cursor { columns, id } = Cursor::decode(text, 2)?;
    let [name, place] = <[String; 2]>::try_from(columns).map_err(|_| Cursor::refused())?;
    if name != order.name() {
        return Err(Cursor::refused());
    }
    let place = if pages.is_number {
        Place::Number(place.parse().map_err(|_| -> AppError { Cursor::refused() })?)
    } else {
        Place::Text(place)
    };
    Ok((place, id))
}

/// Declares the states that a list can be narrowed to.
macro_rules! states {
    ($(#[$meta:meta])* $State:ident; $($(#[$state_meta:meta])* $Variant:ident = $name:tt;)+) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
        pub enum $State {
            $($(#[$state_meta])* #[serde(rename = $name)] $Variant,)+
        }

        impl $crate::lists::Named for $State {
            fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name,)+ }
            }
        }
    };
}
pub(crate) use states;

/// Declares the orders of a list, the first of them the default.
///
/// `select` is a macro that makes the list's `SELECT … FROM …` with some columns more, which begin with a comma; `found` is the condition
/// on its rows, and `binds` says what its `$1…` are told; `then` are the three numbers after them. Each order has a module for its
/// statements, a name, and a column or an expression that is never null, under which no two rows with one id stand.
macro_rules! orders {
    (
        $(#[$meta:meta])*
        $Order:ident: select $select:ident, found $found:expr, count $count:literal, id $id:literal,
            binds [$($bind:ident),+] then $limit:literal $place:literal $place_id:literal;
        $($(#[$order_meta:meta])* $module:ident $Variant:ident = $name:tt, $kind:ident $key:literal
            $(, postgres $postgres:literal)? $way:ident;)+
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
        pub enum $Order {
            $($(#[$order_meta])* #[serde(rename = $name)] $Variant,)+
        }

        impl $crate::lists::Named for $Order {
            fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name,)+ }
            }
        }

        impl $crate::lists::Order for $Order {
            const DEFAULT: Self = [$(Self::$Variant),+][0];
            const COUNT: deadwax_store::db::Statement = orders::COUNT_ALL;
            const BINDS: &'static [$crate::lists::Bind] = &[$($crate::lists::Bind::$bind),+];

            fn pages(self) -> $crate::lists::Pages {
                match self { $(Self::$Variant => orders::$module::PAGES,)+ }
            }
        }

        /// The statements of the orders.
        mod orders {
            deadwax_store::statements! {
                COUNT = concat!($count, " WHERE ", $found);
            }
            pub(super) const COUNT_ALL: deadwax_store::db::Statement = COUNT;

            $(pub(super) mod $module {
                deadwax_store::statements! {
                    FIRST = $crate::lists::orders!(@first $select $found, $id, $limit, $key, $way),
                        postgres $crate::lists::orders!(@first $select $found, $id, $limit, $crate::lists::orders!(@key $key $($postgres)?), $way);
                    AFTER = $crate::lists::orders!(@after $select $found, $id, $limit, $key, $way, $place, $place_id),
                        postgres $crate::lists::orders!(
                            @after $select $found, $id, $limit, $crate::lists::orders!(@key $key $($postgres)?), $way, $place, $place_id
                        );
                }
                pub(in super::super) const PAGES: $crate::lists::Pages = $crate::lists::Pages {
                    first: FIRST,
                    after: AFTER,
                    is_number: $crate::lists::orders!(@is_number $kind),
                };
            })+

            /// Every SQL text of the orders.
            pub(super) fn statements() -> Vec<(&'static str, deadwax_store::db::Statement)> {
                [STATEMENTS, $($module::STATEMENTS),+].concat()
            }
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
            " ORDER BY ", $key, $crate::lists::orders!(@way $way), ", ", $id, $crate::lists::orders!(@way $way), " LIMIT ", $limit
        )
    };
    (@first $select:ident $found:expr, $id:literal, $limit:literal, $key:expr, $way:ident) => {
        concat!(
            $crate::lists::orders!(@from $select $found, $id, $key),
            $crate::lists::orders!(@in_order $id, $limit, $key, $way)
        )
    };
    // The first comparison alone lets an index find the place; the rest settles ties.
    (@after $select:ident $found:expr, $id:literal, $limit:literal, $key:expr, $way:ident, $place:literal, $place_id:literal) => {
        concat!(
            $crate::lists::orders!(@from $select $found, $id, $key),
            " AND ", $key, " ", $crate::lists::orders!(@beyond $way), "= ", $place,
            " AND (", $key, " ", $crate::lists::orders!(@beyond $way), " ", $place,
            " OR ", $id, " ", $crate::lists::orders!(@beyond $way), " ", $place_id, ")",
            $crate::lists::orders!(@in_order $id, $limit, $key, $way)
        )
    };
}
pub(crate) use orders;
