//! The kinds of counts, and the day of each.

use deadwax_store::clock::Micros;
use jiff::{civil::Date, tz::TimeZone};

use crate::content::time_zone::local;

/// The kinds of events that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Views of a page that is always there.
    View,
    /// Views of a release.
    Release,
    /// Views of an artist.
    Artist,
    /// Views of a letter.
    Letter,
    /// Visitors of the website, or of a release, in a day.
    Visitors,
    /// Views that another website led to.
    Source,
    /// Views that a letter led to.
    FromLetter,
    /// A release was heard.
    Play,
    /// SHARE was pressed.
    Share,
    /// The button of a platform was pressed.
    Button,
    /// A search found nothing.
    Search,
    /// The demo dialog was opened.
    DemoOpened,
    /// A demo arrived.
    DemoSent,
    /// A subscription was confirmed.
    Confirmed,
    /// A subscriber left.
    Left,
    /// Views that were not counted, as those of robots.
    LeftOut,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 16] = [
        Self::View,
        Self::Release,
        Self::Artist,
        Self::Letter,
        Self::Visitors,
        Self::Source,
        Self::FromLetter,
        Self::Play,
        Self::Share,
        Self::Button,
        Self::Search,
        Self::DemoOpened,
        Self::DemoSent,
        Self::Confirmed,
        Self::Left,
        Self::LeftOut,
    ];

    /// Its name in rows and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Release => "release",
            Self::Artist => "artist",
            Self::Letter => "letter",
            Self::Visitors => "visitors",
            Self::Source => "source",
            Self::FromLetter => "from_letter",
            Self::Play => "play",
            Self::Share => "share",
            Self::Button => "button",
            Self::Search => "search",
            Self::DemoOpened => "demo_opened",
            Self::DemoSent => "demo_sent",
            Self::Confirmed => "confirmed",
            Self::Left => "left",
            Self::LeftOut => "left_out",
        }
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it is a view of a page.
    pub const fn is_view(self) -> bool {
        matches!(self, Self::View | Self::Release | Self::Artist | Self::Letter)
    }
}

/// The label's day of an instant.
pub fn day_of(at: Micros, zone: &TimeZone) -> Date {
    local(at, zone).date()
}
