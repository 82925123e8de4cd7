//! Pages that were served without their text, until the engine has time for them.

use deadwax_store::ids::ArtistId;
use std::{
    borrow::Cow,
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use tokio::sync::Notify;

/// There only if the label has one.
pub(super) const IMPRINT_PATH: &str = "/imprint";

/// More than the response cache keeps of pages; one more stays as it is until its next change.
const MOST: usize = 256;

/// One page of the website, as far as it is made for all visitors alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageAddress {
    Home,
    Releases(Option<String>),
    ReleaseSearch(String, Option<String>),
    Release(String),
    Artists(Option<String>),
    Artist(ArtistId),
    Letters,
    Letter(String),
    Plain(&'static str),
    Newsletter(ListStep),
    NotFound(Absent),
    /// The notice in place of every such page in maintenance.
    Closed(Absent),
}

/// The content of a page behind a link of the newsletter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListStep {
    Confirm,
    Confirmed,
    Expired,
    Leave,
    Left,
    Back,
    Late,
}

impl ListStep {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Confirmed => "confirmed",
            Self::Expired => "expired",
            Self::Leave => "leave",
            Self::Left => "left",
            Self::Back => "back",
            Self::Late => "late",
        }
    }

    /// An address of the page.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Confirm | Self::Confirmed | Self::Expired => "/newsletter/confirm/-",
            Self::Leave | Self::Left | Self::Back | Self::Late => "/newsletter/leave/-",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absent {
    Page,
    Imprint,
    Artist,
    Release,
    Letter,
}

impl Absent {
    /// An address where none is.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Page => "/404",
            Self::Imprint => IMPRINT_PATH,
            Self::Artist => "/artists/404",
            Self::Release => "/releases/-",
            Self::Letter => "/letters/-",
        }
    }

    /// The read that such a page makes, and whose refusal it shows.
    pub const fn read(self) -> Option<&'static str> {
        match self {
            Self::Page => None,
            Self::Imprint => Some("/api/content/imprint"),
            Self::Artist => Some("/api/artists/404"),
            Self::Release => Some("/api/releases/-"),
            Self::Letter => Some("/api/letters/-"),
        }
    }
}

impl PageAddress {
    /// Its path and query, which is also what its answer is kept under. No request can ask for those of 404 pages, notices and
    /// the newsletter.
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Home => "/".into(),
            Self::Releases(None) => "/releases".into(),
            Self::Releases(Some(cursor)) => format!("/releases?cursor={cursor}").into(),
            Self::ReleaseSearch(q, cursor) => {
                let mut query = url::form_urlencoded::Serializer::new(String::new());
                query.append_pair("q", q).extend_pairs(cursor.iter().map(|cursor| ("cursor", cursor)));
                format!("/releases?{}", query.finish()).into()
            }
            Self::Release(slug) => format!("/releases/{slug}").into(),
            Self::Artists(None) => "/artists".into(),
            Self::Artists(Some(cursor)) => format!("/artists?cursor={cursor}").into(),
            Self::Artist(id) => format!("/artists/{id}").into(),
            Self::Letters => "/letters".into(),
            Self::Letter(slug) => format!("/letters/{slug}").into(),
            Self::Plain(path) => (*path).into(),
            Self::Newsletter(step) => format!("newsletter/{}", step.name()).into(),
            Self::NotFound(absent) => format!("404{}", absent.path()).into(),
            Self::Closed(absent) => format!("503{}", absent.path()).into(),
        }
    }

    /// The notice of a page of which visitors can type as many addresses as they like: in maintenance none is looked up.
    pub fn notice(&self) -> Option<Self> {
        match self {
            Self::Release(_) => Some(Self::Closed(Absent::Release)),
            Self::Artist(_) => Some(Self::Closed(Absent::Artist)),
            _ => None,
        }
    }

    pub fn is_part(&self) -> bool {
        matches!(self, Self::Releases(Some(_)) | Self::Artists(Some(_)) | Self::ReleaseSearch(..))
    }

    /// Whether it is one of as many as visitors can type: painted while the engine has nothing else to do, and never kept.
    pub fn is_search(&self) -> bool {
        matches!(self, Self::ReleaseSearch(..))
    }
}

#[derive(Debug, Default)]
pub struct Unpainted {
    waiting: Mutex<BTreeSet<PageAddress>>,
    added: Notify,
}

impl Unpainted {
    /// Adds a page, if there is room; parts of lists leave half of it to the others.
    pub fn add(&self, page: PageAddress) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < if page.is_part() { MOST / 2 } else { MOST } {
            waiting.insert(page);
            self.added.notify_one();
        }
    }

    /// Takes a page, parts of lists last; waits if the queue is empty. For one caller at a time.
    pub async fn next(&self) -> PageAddress {
        loop {
            match self.take() {
                Some(page) => return page,
                None => self.added.notified().await,
            }
        }
    }

    fn take(&self) -> Option<PageAddress> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = waiting.iter().find(|page| !page.is_part()).cloned();
        match whole {
            Some(page) => waiting.take(&page),
            None => waiting.pop_first(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_waits_once_and_not_without_bound() {
        let unpainted = Unpainted::default();
        for _ in 0..3 {
            unpainted.add(PageAddress::Home);
        }
        for number in 0..1000 {
            unpainted.add(PageAddress::Releases(Some(number.to_string())));
        }
        unpainted.add(PageAddress::Artists(None));
        assert_eq!(unpainted.next().await, PageAddress::Home);
        assert_eq!(unpainted.next().await, PageAddress::Artists(None), "before what a visitor thought of");
        for _ in 1..MOST / 2 {
            unpainted.next().await;
        }
        let wait = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(wait, unpainted.next()).await.is_err());
    }
}
