//! Which pages there are, by what distinguishes them.

use std::borrow::Cow;

use deadwax_store::{columns::Named as _, ids::ArtistId};

/// There only if the label has one.
pub(super) const IMPRINT_PATH: &str = "/imprint";

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

deadwax_store::names! {
    /// The content of a page behind a link of the newsletter.
    #[derive(PartialOrd, Ord)]
    ListStep;
    Confirm = "confirm";
    Confirmed = "confirmed";
    Expired = "expired";
    Leave = "leave";
    Left = "left";
    Back = "back";
    Late = "late";
}

impl ListStep {
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
            Self::Newsletter(step) => format!("newsletter/{}", step.as_str()).into(),
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
