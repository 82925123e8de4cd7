//! What the back office shares: the version an edit is based on, its note in the audit log, removal, and lists that can be
//! searched.

use axum::extract::FromRequestParts;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::{Cursor, cut_to, page_limit},
};
use deadwax_store::{
    clock::Micros,
    db::{Db, Statement, Tx},
};
use http::{StatusCode, header, request::Parts};
use rules::{messages::Code, search::folded};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{audit, auth::guard::SignedIn, caller::Caller};

/// The version of the row that the editor saw: `If-Match: "3"` (RFC 9110 §13.1.1). 428 without it.
#[derive(Clone, Copy, Debug)]
pub struct IfMatch(pub i64);

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> AppResult<Self> {
        let seen = parts
            .headers
            .get(header::IF_MATCH)
            .ok_or_else(|| AppError::from_code(StatusCode::PRECONDITION_REQUIRED, Code::VersionRequired))?;
        // What is no version of ours can be the version of no row.
        seen.to_str()
            .ok()
            .and_then(|text| text.strip_prefix('"')?.strip_suffix('"')?.parse().ok())
            .map(Self)
            .ok_or_else(stale)
    }
}

/// 412: the row is no longer the one that the editor saw.
pub fn stale() -> AppError {
    AppError::from_code(StatusCode::PRECONDITION_FAILED, Code::StaleVersion)
}

/// Why an edit changed no row: the row is gone, or it is another version by now.
pub fn not_updated(is_there: bool) -> AppError {
    if is_there { stale() } else { AppError::not_found() }
}

/// Where in a list of the back office, how much of it, and what to look for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Rows at once.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<i64>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
    /// Only rows whose name contains this, whatever its case and accents.
    #[param(max_length = 200)]
    pub q: Option<String>,
}

/// A search, ready for SQL: newest rows first.
#[derive(Debug)]
pub struct Search {
    limit: i64,
    /// For `sort_key LIKE … ESCAPE '\'`; `%` finds everything.
    pub pattern: String,
    /// The same as it was typed, in lower case: for numbers and addresses.
    pub typed: String,
    /// The same without its case and accents, signs and blanks as they are ([`folded`]): for search keys.
    pub folded: String,
    /// The instant of the row before the page.
    pub before: Micros,
    /// The id of the row before the page.
    pub before_id: Uuid,
}

impl SearchQuery {
    /// Reads the query for a list of names, which are looked for by their sort keys; what it cannot mean is refused with 422.
    pub fn read(&self) -> AppResult<Search> {
        self.place(self.pattern()?)
    }

    /// Reads the query for a list of mail addresses, which are stored in lower case.
    pub fn read_as_typed(&self) -> AppResult<Search> {
        let typed = self.typed()?.to_lowercase();
        self.place(containing(&typed))
    }

    fn place(&self, pattern: String) -> AppResult<Search> {
        let limit = page_limit(self.limit)?;
        let (before, before_id) = match &self.cursor {
            None => (Micros::MAX, Uuid::max()),
            Some(text) => {
                let cursor = Cursor::decode(text, 1)?;
                let before = cursor.columns[0].parse().map_err(|_| Cursor::refused())?;
                (before, cursor.id)
            }
        };
        let typed = self.typed()?;
        let (typed, folded) = (containing(&typed.to_lowercase()), containing(&folded(typed)));
        Ok(Search { limit, pattern, typed, folded, before, before_id })
    }

    /// What to look for alone, for lists in another order.
    pub fn pattern(&self) -> AppResult<String> {
        let q = self.typed()?;
        // The key of nothing is a sign of its own.
        Ok(containing(&if q.is_empty() { String::new() } else { rules::sort_key::sort_key(q) }))
    }

    /// What was typed, without blanks around it; one that is too long is refused with 422.
    pub(crate) fn typed(&self) -> AppResult<&str> {
        rules::search::typed(self.q.as_deref().unwrap_or_default())
            .map_err(|code| AppError::invalid("q", code))
    }
}

impl Search {
    /// Rows to read: one more than the page has tells whether there is another page.
    pub fn rows(&self) -> i64 {
        self.limit + 1
    }

    /// Cuts what was read to a page, and answers the cursor of the next one. `place` is what the list is ordered by.
    pub fn cut<T>(&self, rows: &mut Vec<T>, place: impl Fn(&T) -> (Micros, Uuid)) -> Option<String> {
        let has_more = cut_to(rows, self.limit);
        let (at, id) = rows.last().filter(|_| has_more).map(place)?;
        Some(Cursor { columns: vec![at.to_string()], id }.encode())
    }
}

/// Notes in the audit log what an admin did to `target`, such as `artist:{id}`. Refuses as [`SignedIn::require_still`] does:
/// nothing is done in the name of somebody whose session has ended while their request arrived. The rights are read once in a
/// transaction, however many rows it notes.
pub async fn note(
    tx: &mut Tx,
    me: &SignedIn,
    caller: &Caller,
    event: &'static str,
    target: &str,
    now: Micros,
) -> AppResult<()> {
    if tx.session_checked != Some(me.session_id) {
        me.require_still(tx, now).await?;
        tx.session_checked = Some(me.session_id);
    }
    Ok(audit::record(tx, now, &me.entry(event, "ok", caller).on(target)).await?)
}

/// Removes the row of that id by `delete`, and notes it. 404 where there is none, so that a second click changes nothing.
pub async fn remove(
    db: &Db,
    now: Micros,
    me: &SignedIn,
    caller: &Caller,
    delete: Statement,
    kind: &str,
    id: Uuid,
) -> AppResult<StatusCode> {
    let mut tx = db.begin().await?;
    if tx.query(delete).bind(id).execute().await? == 0 {
        return Err(AppError::not_found());
    }
    note(&mut tx, me, caller, "data_delete", &format!("{kind}:{id}"), now).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// For `LIKE … ESCAPE '\'`: whatever contains `text`.
pub(crate) fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars().filter(|c| *c != '\0') {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    if !text.is_empty() {
        pattern.push('%');
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(value: Option<&'static str>) -> Result<i64, u16> {
        let mut request = http::Request::builder();
        if let Some(value) = value {
            request = request.header(header::IF_MATCH, value);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        futures_util::FutureExt::now_or_never(IfMatch::from_request_parts(&mut parts, &()))
            .unwrap()
            .map(|seen| seen.0)
            .map_err(|error| error.status().as_u16())
    }

    #[test]
    fn an_edit_names_the_version_it_is_based_on() {
        assert_eq!(version(Some("\"3\"")), Ok(3));
        assert_eq!(version(None), Err(428));
        for other in ["3", "W/\"3\"", "\"x\"", "*", "\"3\", \"4\"", "\"\""] {
            assert_eq!(version(Some(other)), Err(412), "{other}");
        }
    }

    #[test]
    fn a_search_ignores_case_and_accents_and_knows_no_wildcards() {
        let by_name =
            |q: &str| SearchQuery { q: Some(q.to_owned()), ..SearchQuery::default() }.pattern().unwrap();
        assert_eq!(by_name(" "), "%");
        assert_eq!(by_name("ÄRZTE im"), "%arzte im%");
        assert_eq!(by_name("50%_\\"), "%50%");
        assert_eq!(containing("a_b%"), "%a\\_b\\%%");
    }
}
