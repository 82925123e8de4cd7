//! The topic of a message by the senses of its words: the first that fits, most specific first.

#[cfg_attr(not(test), expect(clippy::enum_glob_use, reason = "nearly all of them"))]
use super::senses::Sense::{self, *};
use super::senses::Senses;
use super::{Asked, Intent, Period};

/// The parts of a message that decide its topic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Senses of all its words.
    pub(super) all: Senses,
    /// Number of words outside the vocabulary.
    pub(super) unknown: usize,
    /// Number of words.
    pub(super) words: usize,
    /// Span of dates it names.
    pub(super) period: Option<Period>,
}

impl Seen {
    fn has(&self, sense: Sense) -> bool {
        self.all.has(sense)
    }

    fn any(&self, senses: &[Sense]) -> bool {
        self.all.any(senses)
    }

    /// Whether every word is known.
    fn is_clear(&self) -> bool {
        self.unknown == 0
    }

    /// Whether it is about the label and the visitor, apart from a few unknown words.
    fn is_ours(&self) -> bool {
        self.is_clear() || self.unknown <= 3 && self.any(&[You, Mine, Me, Label])
    }
}

/// The topic of a message; `None` if it is about a name or unknown.
pub(super) fn topic(seen: &Seen) -> Option<Intent> {
    account(seen)
        .or_else(|| law(seen))
        .or_else(|| demo(seen))
        .or_else(|| business(seen))
        .or_else(|| shop(seen))
        .or_else(|| about(seen))
        .or_else(|| catalogue(seen))
        .or_else(|| talk(seen))
}

/// The fallback topic of a message whose name is unknown.
pub(super) fn beside_a_name(seen: &Seen) -> Option<Intent> {
    if seen.unknown > 2 {
        return None;
    }
    let ours = [You, Me, Mine];
    if seen.has(Booking) {
        Some(Intent::Booking)
    } else if seen.any(&[Store, Buy]) && seen.any(&ours) {
        Some(Intent::Store)
    } else {
        None
    }
}

fn account(seen: &Seen) -> Option<Intent> {
    if !seen.is_ours() {
        return None;
    }
    if seen.has(Demo) && !seen.any(&[Delete, Password, TwoFactor]) {
        return None;
    }
    let leaves = seen.any(&[Delete, Exit, Logout]);
    Some(if seen.has(TwoFactor) {
        Intent::TwoFactor
    } else if seen.has(Password) {
        Intent::Password
    } else if seen.has(Unsubscribe) || seen.any(&[Newsletter, Subscribe]) && leaves {
        Intent::Unsubscribe
    } else if seen.any(&[Newsletter, Subscribe]) {
        Intent::Newsletter
    } else if seen.has(Delete) && seen.any(&[Account, Profile]) {
        Intent::DeleteAccount
    } else if seen.has(Delete) && seen.any(&[Data, Email, Privacy, Demo, Upload, Message]) {
        Intent::DeleteData
    } else if seen.has(Delete) && seen.any(&[Me, Mine]) {
        Intent::DeleteAccount
    } else if seen.has(Change) && seen.has(Email) {
        Intent::ChangeEmail
    } else if seen.has(Confirm) {
        Intent::Confirmation
    } else if seen.any(&[Change, Forgot, Upload]) && seen.has(Profile) {
        Intent::Account
    } else if seen.has(SignUp) {
        Intent::SignUp
    } else if seen.has(Logout) {
        Intent::Logout
    } else if seen.has(Login) {
        Intent::Login
    } else if seen.has(Account) || seen.has(Profile) && (seen.has(Mine) || seen.words == 1) {
        Intent::Account
    } else {
        return None;
    })
}

fn law(seen: &Seen) -> Option<Intent> {
    if !seen.is_ours() {
        return None;
    }
    Some(if seen.has(Imprint) && !seen.has(Demo) {
        Intent::Imprint
    } else if seen.has(Cookies) {
        Intent::Cookies
    } else if seen.any(&[Privacy, Data]) {
        Intent::Privacy
    } else {
        return None;
    })
}

/// Whether it is about the visitor's own music.
fn is_demo(seen: &Seen) -> bool {
    let work = [Music, Release, Releases, File];
    let own = seen.has(Mine)
        && seen.any(&work)
        && seen.any(&[Send, Upload, Listen, Hear, Out, You, Release, Artists, Label]);
    let sent = seen.any(&[Send, Upload]) && seen.any(&work) && !seen.any(&[Buy, Store, Ship]);
    (seen.has(Demo) || own || sent || seen.has(Join)) && !seen.any(&[Use, Licence])
}

fn demo(seen: &Seen) -> Option<Intent> {
    if is_demo(seen) && (seen.is_ours() || seen.has(Demo) && seen.unknown <= 1) {
        return Some(if seen.has(Format) {
            Intent::DemoFormats
        } else if seen.has(Size) {
            Intent::DemoSize
        } else if seen.has(Status) {
            Intent::DemoStatus
        } else {
            Intent::Demo
        });
    }
    let elsewhere = [Store, Buy, Listen, Release, Releases, Download, Music, Newsletter, Count, Pay];
    if !seen.is_clear() || seen.any(&elsewhere) {
        return None;
    }
    if seen.has(Format) {
        Some(Intent::DemoFormats)
    } else if seen.has(Size) && seen.any(&[File, Upload]) {
        Some(Intent::DemoSize)
    } else if seen.any(&[Upload]) {
        Some(Intent::Demo)
    } else {
        None
    }
}

fn business(seen: &Seen) -> Option<Intent> {
    let ours = seen.is_ours();
    let asks = [You, Me, Mine, Artist, Artists, Event, Label, Contact];
    Some(if ours && (seen.has(Licence) || seen.has(Use) && seen.any(&[Music, Release, Releases, Artist])) {
        Intent::Licence
    } else if ours && seen.has(Press) && !seen.any(&[Store, Buy]) {
        Intent::Press
    } else if ours && seen.has(Job) {
        Intent::Jobs
    } else if seen.has(Booking) && (ours && seen.any(&asks) || seen.is_clear() && seen.words <= 3) {
        Intent::Booking
    } else if seen.has(Event)
        && (seen.is_clear() || seen.unknown <= 2 && seen.any(&[When, Where, Next, You, Which, What]))
        && !seen.any(&[Release, Releases, Listen, Store, Buy])
    {
        Intent::Events
    } else if ours && (seen.any(&[Contact, Phone]) || seen.has(Address) && seen.has(Email))
        || seen.is_clear() && seen.any(&[Email, Message]) && (seen.any(&[You, Label, Me]) || seen.words <= 2)
    {
        Intent::Contact
    } else {
        return None;
    })
}

fn shop(seen: &Seen) -> Option<Intent> {
    let ours = seen.is_ours();
    let goods = [Store, Buy, Ship, Release, Releases, You, Download];
    Some(if ours && seen.has(Returns) && !seen.any(&[Since, Latest]) {
        Intent::Returns
    } else if ours && seen.has(Ship) {
        Intent::Shipping
    } else if ours && seen.has(Download) {
        Intent::Download
    } else if ours && seen.has(Pay)
        || seen.is_clear() && seen.has(Price) && (seen.any(&goods) || seen.words <= 3)
    {
        Intent::Payment
    } else if seen.is_clear() && seen.any(&[Store, Buy]) {
        Intent::Store
    } else {
        return None;
    })
}

/// Topics about the label.
fn about(seen: &Seen) -> Option<Intent> {
    let own = seen.any(&[You, Label]);
    if !(seen.is_clear() || own && seen.unknown <= 2) {
        return None;
    }
    let catalogue = [Release, Releases, Listen, Hear, Service, Social, Artists];
    let clear = seen.is_clear();
    Some(
        if clear
            && (seen.has(Run) || seen.has(Since) && seen.has(Who))
            && (own || seen.has(Who) || seen.words <= 2)
            && !seen.any(&catalogue)
        {
            Intent::Owner
        } else if clear && seen.has(Since) && (own || seen.has(When)) && !seen.any(&catalogue) {
            Intent::Since
        } else if seen.any(&[Located, Address]) && (own || seen.has(Where) || clear) && !seen.any(&catalogue)
        {
            Intent::Place
        } else if seen.has(Genre) && !seen.any(&[Artists, Artist, Buy]) {
            Intent::Genre
        } else if clear && seen.has(Feed) {
            Intent::Feed
        } else if clear && seen.has(Social) {
            Intent::Social
        } else if clear && seen.has(Language) && (seen.any(&[Speak, You, Me]) || seen.words <= 2) {
            Intent::Languages
        } else if clear
            && seen.has(Bot)
            && (seen.any(&[You, Who, Me]) || seen.words <= 6)
            && !seen.any(&catalogue)
        {
            Intent::Bot
        } else {
            return None;
        },
    )
}

fn catalogue(seen: &Seen) -> Option<Intent> {
    if !seen.is_clear() {
        return None;
    }
    let things = [Release, Releases, Out, Music];
    let praises = seen.has(Praise) && !seen.any(&[Who, What, When, Where, Which, Listen, Latest, Count]);
    let content = seen.any(&[Artist, Artists]) && !seen.any(&things);
    Some(if praises {
        Intent::Thanks
    } else if seen.any(&[Listen, Service]) {
        Intent::Listen
    } else if seen.has(Oldest) && seen.any(&things) {
        Intent::Oldest
    } else if seen.has(Next) && (seen.any(&things) || seen.words <= 4) {
        Intent::Upcoming
    } else if seen.has(Count) && content {
        Intent::ArtistCount
    } else if seen.has(Count) && seen.any(&things) {
        Intent::ReleaseCount
    } else if let Some(period) =
        seen.period.filter(|_| seen.any(&[Year, ThisYear, LastYear, ThisMonth]) || seen.any(&things))
    {
        Intent::Dated { period }
    } else if seen.has(Latest)
        && !content
        && (seen.any(&things) || seen.any(&[What, You, All, Artist, Artists]) || seen.words <= 4)
    {
        Intent::Latest
    } else if seen.any(&[Artists, Artist]) && (content || !seen.any(&[Releases])) {
        Intent::Artists { page: 1 }
    } else if seen.has(Releases) || seen.has(What) && seen.any(&[Out, Release]) && seen.any(&[You, Did]) {
        Intent::Releases { page: 1 }
    } else if seen.has(When) && seen.has(Out) {
        Intent::Upcoming
    } else if seen.any(&[Release, All]) && seen.words <= 2 && !seen.any(&[You, Who, What, Hello, Bye]) {
        Intent::Releases { page: 1 }
    } else if seen.any(&[Music, Hear]) && (seen.any(&[You, Label, Where]) || seen.words == 1) {
        Intent::Listen
    } else {
        return None;
    })
}

/// Topics that need no catalogue.
fn talk(seen: &Seen) -> Option<Intent> {
    if !seen.is_clear() {
        return None;
    }
    Some(if seen.has(Thanks) {
        Intent::Thanks
    } else if seen.has(Label) || seen.has(Who) && seen.has(You) {
        Intent::Label
    } else if seen.has(Help) {
        Intent::Help
    } else if seen.has(Status) && seen.any(&[Me, Mine, You]) {
        Intent::DemoStatus
    } else if seen.has(Bye) && seen.words <= 4 {
        Intent::Bye
    } else if seen.has(Hello) {
        Intent::Hello
    } else if seen.has(Clear) && seen.words <= 3 {
        Intent::Clear
    } else if seen.has(Exit) && seen.words <= 2 {
        Intent::Exit
    } else if seen.has(Praise) && !seen.has(What) {
        Intent::Thanks
    } else {
        return None;
    })
}

/// The question about a name.
pub(super) fn asked(all: Senses) -> Asked {
    let heard = [Listen, Hear, Service, Download];
    let work = [Release, Releases, Out, Music, Latest, Oldest, Next];
    if all.any(&[Buy, Store, Price, Ship]) {
        Asked::Buy
    } else if all.any(&heard) {
        Asked::Listen
    } else if all.any(&[When, Date]) {
        Asked::Date
    } else if all.has(Who) && all.any(&[Out, Made, Run]) || all.has(Made) && all.has(By) {
        Asked::Maker
    } else if all.has(What) && all.any(&[Out, Made]) && !all.has(By)
        || all.has(Releases)
        || all.has(Did) && all.has(Release) && all.has(What)
        || all.any(&work) && all.has(By)
    {
        Asked::Works
    } else if all.has(Where) && !all.has(Located) {
        Asked::Listen
    } else {
        Asked::Card
    }
}
