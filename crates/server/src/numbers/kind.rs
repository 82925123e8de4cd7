//! The kinds of counts, and the day of each.

use deadwax_store::{clock::Micros, names};
use jiff::{civil::Date, tz::TimeZone};

use crate::content::time_zone::local;

names! {
    /// The kinds of events that are counted.
    #[derive(PartialOrd, Ord, Hash)]
    Kind;
    /// Views of a page that is always there.
    View = "view";
    /// Views of a release.
    Release = "release";
    /// Views of an artist.
    Artist = "artist";
    /// Views of a letter.
    Letter = "letter";
    /// Visitors of the website, or of a release, in a day.
    Visitors = "visitors";
    /// Views that another website led to.
    Source = "source";
    /// Views that a letter led to.
    FromLetter = "from_letter";
    /// A release was heard.
    Play = "play";
    /// SHARE was pressed.
    Share = "share";
    /// The button of a platform was pressed.
    Button = "button";
    /// A search found nothing.
    Search = "search";
    /// The demo dialog was opened.
    DemoOpened = "demo_opened";
    /// A demo arrived.
    DemoSent = "demo_sent";
    /// A subscription was confirmed.
    Confirmed = "confirmed";
    /// A subscriber left.
    Left = "left";
    /// Views that were not counted, as those of robots.
    LeftOut = "left_out";
}

impl Kind {
    /// Whether it is a view of a page.
    pub const fn is_view(self) -> bool {
        matches!(self, Self::View | Self::Release | Self::Artist | Self::Letter)
    }
}

/// The label's day of an instant.
pub fn day_of(at: Micros, zone: &TimeZone) -> Date {
    local(at, zone).date()
}
