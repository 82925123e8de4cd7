//! The numbers as the Analytics tab and a release's editor show them.

use std::{cmp::Reverse, collections::HashMap};

use axum::Json;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiQuery,
};
use deadwax_store::{
    clock::Micros,
    db::{Db, Query, Statement},
    ids::{LetterId, ReleaseId},
    statements,
};
use jiff::{ToSpan as _, civil::Date, tz::TimeZone};
use rules::{messages::Code, numbers::SPANS};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{
    keep,
    kind::{Kind, day_of},
    names,
};
use crate::{
    app::{App, AppState},
    auth::guard::Admin,
};

/// Rows of a table that are shown.
const ROWS: usize = 50;

statements! {
    BY_DAY = "SELECT day, kind, CAST(SUM(n) AS BIGINT) FROM numbers \
        WHERE day >= $1 AND day <= $2 \
            AND ($3 = '' AND kind IN ('view', 'release', 'artist', 'letter') \
                OR subject = $3 AND kind IN ('release', 'visitors')) \
        GROUP BY day, kind";
    BY_SUBJECT = "SELECT kind, subject, value, CAST(SUM(n) AS BIGINT) FROM numbers \
        WHERE day >= $1 AND day <= $2 AND ($3 = '' OR subject = $3) GROUP BY kind, subject, value";
    OPEN_SKETCHES = "SELECT day, subject, registers FROM number_sketches \
        WHERE day >= $1 AND ($2 = '' OR subject = $2)";
    FIRST = "SELECT MIN(day) FROM numbers";
    LETTERS = "SELECT id, subject, began_at FROM letters WHERE began_at >= $1 ORDER BY began_at, id";
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct NumbersQuery {
    /// 7, 30, 90 or 365: today and the days before.
    #[param(minimum = 7, maximum = 365, default = 30)]
    days: Option<u32>,
    /// Only the numbers of this release.
    release: Option<ReleaseId>,
}

/// The numbers of some days.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct NumbersView {
    /// Whether visits are counted; not with `DEADWAX_NUMBERS=off`.
    pub is_on: bool,
    /// The first day of which there are numbers, YYYY-MM-DD.
    pub first_day: Option<String>,
    /// Every day, the last one is today so far.
    #[schema(max_items = 365)]
    pub days: Vec<DayNumbers>,
    /// All days together.
    pub totals: NumberTotals,
    /// The pages seen most.
    #[schema(max_items = 50)]
    pub places: Vec<NamedNumber>,
    /// Websites and letters that led here most.
    #[schema(max_items = 50)]
    pub sources: Vec<NamedNumber>,
    /// The buttons of platforms, the one pressed most first.
    #[schema(max_items = 6)]
    pub platforms: Vec<NamedNumber>,
    /// The releases seen, heard, shared or left for a platform most.
    #[schema(max_items = 50)]
    pub releases: Vec<ReleaseNumbers>,
    /// Letters that began to go out on these days.
    pub letters: Vec<LetterMark>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct DayNumbers {
    /// YYYY-MM-DD.
    pub day: String,
    pub views: i64,
    /// About how many different visitors there were.
    pub visitors: i64,
}

/// Several days together.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub(super) struct NumberTotals {
    pub views: i64,
    /// The visitors of each day, added up.
    pub visitors: i64,
    /// Releases heard for ten seconds.
    pub plays: i64,
    /// SHARE pressed.
    pub shares: i64,
    /// Buttons of platforms pressed.
    pub buttons: i64,
    /// Searches that found nothing.
    pub searches_without_results: i64,
    /// The demo dialog was opened.
    pub demos_opened: i64,
    /// Demos that arrived.
    pub demos_sent: i64,
    /// Subscriptions confirmed.
    pub confirmed: i64,
    /// Subscribers who left.
    pub left: i64,
    /// Views not counted, as those of robots.
    pub left_out: i64,
}

/// How often something was.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct NamedNumber {
    /// A page, a host, the title of a release or letter, an artist, a platform, or `other`.
    pub name: String,
    /// Its page, if visitors can open one.
    pub path: Option<String>,
    /// How often.
    pub count: i64,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ReleaseNumbers {
    pub id: ReleaseId,
    /// Its title.
    pub name: String,
    /// Its page, if it is out.
    pub path: Option<String>,
    /// Views of its page.
    pub views: i64,
    /// The visitors of each day, added up; 0 on days with more releases than are counted.
    pub visitors: i64,
    /// Heard for ten seconds.
    pub plays: i64,
    /// SHARE pressed.
    pub shares: i64,
    /// Buttons of platforms pressed.
    pub buttons: i64,
}

/// A letter that went out.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct LetterMark {
    pub id: LetterId,
    /// The day, YYYY-MM-DD.
    pub day: String,
    pub subject: String,
}

/// The numbers of the last days, today included.
#[utoipa::path(get, path = "/api/admin/numbers", tag = "admin", params(NumbersQuery), responses(
    (status = 200, description = "The numbers", body = NumbersView),
))]
pub(super) async fn show_numbers(
    app: AppState,
    _: Admin,
    ApiQuery(query): ApiQuery<NumbersQuery>,
) -> AppResult<Json<NumbersView>> {
    let days = query.days.unwrap_or(30);
    if !SPANS.contains(&days) {
        return Err(AppError::invalid("query", Code::InvalidQuery));
    }
    let zone = app.known_label.last().time_zone.clone();
    let today = day_of(app.clock.now(), &zone);
    let first = today.checked_sub(i64::from(days - 1).days()).map_err(AppError::internal)?;
    let shown = query.release.map_or_else(String::new, |id| id.to_string());
    let span = Span { first, today, zone, shown };
    let (sums, by_day) = tokio::try_join!(span.sums(&app.db), span.by_day(&app.db))?;
    let first_day = app.db.query(FIRST).value::<Option<String>>().await?;
    Ok(Json(NumbersView {
        is_on: app.numbers.is_on,
        // A month that is no longer kept by day has no first day.
        first_day: first_day.map(|day| if day.len() == 7 { format!("{day}-01") } else { day }),
        days: span.days(by_day, &sums.open),
        totals: sums.totals(&span.shown),
        places: if query.release.is_some() { Vec::new() } else { sums.named(&app.db, Kind::is_view).await? },
        sources: sums.named(&app.db, |kind| matches!(kind, Kind::Source | Kind::FromLetter)).await?,
        platforms: sums.platforms(),
        releases: if query.release.is_some() { Vec::new() } else { sums.releases(&app.db).await? },
        letters: span.letters(&app).await?,
    }))
}

/// The days of the question.
struct Span {
    first: Date,
    today: Date,
    zone: TimeZone,
    /// The id of its release; empty for the whole website.
    shown: String,
}

/// Sums over the days, with the visitors of days that have not ended.
struct Sums {
    rows: Vec<(Kind, String, String, i64)>,
    open: Vec<(String, String, i64)>,
}

impl Span {
    async fn sums(&self, db: &Db) -> AppResult<Sums> {
        let mut rows = self.query(db, BY_SUBJECT).all::<(Kind, String, String, i64)>().await?;
        let open = self.open_days(db).await?;
        rows.extend(open.iter().map(|(_, subject, n)| (Kind::Visitors, subject.clone(), String::new(), *n)));
        Ok(Sums { rows, open })
    }

    async fn by_day(&self, db: &Db) -> AppResult<Vec<(String, Kind, i64)>> {
        Ok(self.query(db, BY_DAY).all().await?)
    }

    fn query<'a>(&self, db: &'a Db, statement: Statement) -> Query<'a> {
        let (first, today) = (self.first.to_string(), self.today.to_string());
        db.query(statement).bind(first).bind(today).bind(&self.shown)
    }

    /// Day, subject and number of the visitors of days that have not ended.
    async fn open_days(&self, db: &Db) -> AppResult<Vec<(String, String, i64)>> {
        let query = db.query(OPEN_SKETCHES).bind(self.first.to_string()).bind(&self.shown);
        let found = query.all::<(String, String, Vec<u8>)>().await?;
        let estimated = found.into_iter().map(|(day, subject, registers)| {
            let visitors = keep::stored(registers, &day, &subject)?.estimate();
            Ok((day, subject, visitors))
        });
        estimated.collect::<anyhow::Result<_>>().map_err(AppError::internal)
    }

    fn days(&self, by_day: Vec<(String, Kind, i64)>, open: &[(String, String, i64)]) -> Vec<DayNumbers> {
        let mut found: HashMap<String, (i64, i64)> = HashMap::new();
        for (day, kind, n) in by_day {
            let (views, visitors) = found.entry(day).or_default();
            *(if kind == Kind::Visitors { visitors } else { views }) += n;
        }
        for (day, _, n) in open.iter().filter(|(_, subject, _)| *subject == self.shown) {
            found.entry(day.clone()).or_default().1 += n;
        }
        let days = self.first.series(1.day()).take_while(|day| *day <= self.today);
        let of_day = |day: Date| {
            let day = day.to_string();
            let (views, visitors) = found.get(&day).copied().unwrap_or_default();
            DayNumbers { day, views, visitors }
        };
        days.map(of_day).collect()
    }

    async fn letters(&self, app: &App) -> AppResult<Vec<LetterMark>> {
        let since = self.first.to_zoned(self.zone.clone()).map_err(AppError::internal)?;
        let since = since.timestamp().as_microsecond();
        let found = app.db.query(LETTERS).bind(since).all::<(LetterId, String, Micros)>().await?;
        let mark = |(id, subject, at)| LetterMark { id, subject, day: day_of(at, &self.zone).to_string() };
        Ok(found.into_iter().map(mark).collect())
    }
}

impl Sums {
    fn sum(&self, is_meant: impl Fn(Kind, &str) -> bool) -> i64 {
        self.rows.iter().filter(|(kind, subject, ..)| is_meant(*kind, subject)).map(|(.., n)| n).sum()
    }

    fn of(&self, kind: Kind) -> i64 {
        self.sum(|of, _| of == kind)
    }

    fn totals(&self, shown: &str) -> NumberTotals {
        NumberTotals {
            views: self.sum(|kind, _| kind.is_view()),
            visitors: self.sum(|kind, subject| kind == Kind::Visitors && subject == shown),
            plays: self.of(Kind::Play),
            shares: self.of(Kind::Share),
            buttons: self.of(Kind::Button),
            searches_without_results: self.of(Kind::Search),
            demos_opened: self.of(Kind::DemoOpened),
            demos_sent: self.of(Kind::DemoSent),
            confirmed: self.of(Kind::Confirmed),
            left: self.of(Kind::Left),
            left_out: self.of(Kind::LeftOut),
        }
    }

    /// The subjects of these kinds by name, the most frequent first.
    async fn named(&self, db: &Db, is_meant: impl Fn(Kind) -> bool) -> AppResult<Vec<NamedNumber>> {
        let mut found: Vec<_> = self.rows.iter().filter(|(kind, ..)| is_meant(*kind)).collect();
        found.sort_unstable_by_key(|(_, subject, _, n)| (Reverse(*n), subject));
        found.truncate(ROWS);
        let mut named = Vec::with_capacity(found.len());
        for (kind, subject, _, count) in found {
            let (name, path) = names::name_of(db, *kind, subject).await?;
            named.push(NamedNumber { name, path, count: *count });
        }
        Ok(named)
    }

    fn platforms(&self) -> Vec<NamedNumber> {
        let mut sums: HashMap<&str, i64> = HashMap::new();
        for (.., platform, n) in self.rows.iter().filter(|(kind, ..)| *kind == Kind::Button) {
            *sums.entry(platform).or_default() += n;
        }
        let named = |(name, count): (&str, i64)| NamedNumber { name: name.to_owned(), path: None, count };
        let mut platforms: Vec<_> = sums.into_iter().map(named).collect();
        platforms.sort_unstable_by_key(|platform| (Reverse(platform.count), platform.name.clone()));
        platforms
    }

    async fn releases(&self, db: &Db) -> AppResult<Vec<ReleaseNumbers>> {
        let mut found: HashMap<ReleaseId, ReleaseNumbers> = HashMap::new();
        for (kind, subject, _, n) in &self.rows {
            let Ok(id) = Uuid::try_parse(subject).map(ReleaseId) else { continue };
            let (name, path) = (String::new(), None);
            let none =
                ReleaseNumbers { id, name, path, views: 0, visitors: 0, plays: 0, shares: 0, buttons: 0 };
            match kind {
                Kind::Release => found.entry(id).or_insert(none).views += n,
                Kind::Visitors => found.entry(id).or_insert(none).visitors += n,
                Kind::Play => found.entry(id).or_insert(none).plays += n,
                Kind::Share => found.entry(id).or_insert(none).shares += n,
                Kind::Button => found.entry(id).or_insert(none).buttons += n,
                _ => {}
            }
        }
        let mut releases: Vec<_> = found.into_values().collect();
        let weight = |of: &ReleaseNumbers| of.views + of.plays + of.shares + of.buttons;
        releases.sort_unstable_by_key(|release| (Reverse(weight(release)), release.id));
        releases.truncate(ROWS);
        for release in &mut releases {
            (release.name, release.path) = names::name_of(db, Kind::Release, &release.id.to_string()).await?;
        }
        Ok(releases)
    }
}
