//! The numbers of the last seconds, in memory: bounded, and gone with the process.

use std::{
    collections::{BTreeMap, HashMap},
    mem::take,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::civil::Date;
use rules::numbers::{
    COUNTED_RELEASES, SOURCES_A_DAY, SOURCES_OF_A_VISITOR, SUBJECTS_A_DAY, VIEWS_A_DAY, VIEWS_A_MINUTE,
};
use uuid::Uuid;

use super::{kind::Kind, sketch::Sketch};

/// Visitors whose views are bounded; the table begins anew when it is full. Just below the number for which it would double.
const VISITORS_MAX: usize = 28_000;

/// The thing that is counted. Those that browsers name are looked up later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Subject {
    /// The website.
    Site,
    /// One of the pages that are always there, by its path.
    Page(&'static str),
    /// The host of another website.
    Host(String),
    /// An id, as a browser gave it.
    Id(Uuid),
    /// A release or a letter, by its slug.
    Slug(String),
    /// Any subject beyond the bounds.
    Other,
}

/// One number: what happened, to what, and more about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key {
    pub(super) day: Date,
    pub(super) kind: Kind,
    pub(super) subject: Subject,
    pub(super) value: &'static str,
}

/// The latest views of one visitor.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    minute: i32,
    views_in_minute: u8,
    acts_in_minute: u8,
    sources_in_day: u8,
    views_in_day: u16,
    acts_in_day: u16,
}

/// A hash of a visitor at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visitor {
    pub(super) hash: u64,
    pub(super) day: Date,
    /// Since 1970.
    pub(super) minute: i32,
}

/// Numbers that are not in rows yet.
#[derive(Debug, Default)]
pub(super) struct Drained {
    pub(super) counts: BTreeMap<Key, i64>,
    /// Visitors of what is looked up later, and of everything else of the website.
    pub(super) sketches: BTreeMap<(Date, Kind, Subject), Sketch>,
}

impl Drained {
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.sketches.is_empty()
    }

    fn add(&mut self, mut key: Key, n: i64) {
        // Pages are few, and must not be lost among names that browsers invent.
        let is_named = matches!(key.subject, Subject::Host(_) | Subject::Id(_) | Subject::Slug(_));
        let is_full = self.counts.len() >= SOURCES_A_DAY + SUBJECTS_A_DAY;
        if is_named && is_full && !self.counts.contains_key(&key) {
            key.subject = Subject::Other;
        }
        *self.counts.entry(key).or_default() += n;
    }

    /// The sketch of a place: that of the website for its fixed pages, and beyond the bound.
    fn sketch(&mut self, mut place: (Date, Kind, Subject)) -> &mut Sketch {
        let is_full = self.sketches.len() >= COUNTED_RELEASES && !self.sketches.contains_key(&place);
        if is_full || matches!(place.2, Subject::Page(_)) {
            place = (place.0, Kind::View, Subject::Site);
        }
        self.sketches.entry(place).or_default()
    }
}

/// The numbers of this process that are not in rows yet.
#[derive(Debug)]
pub struct Numbers {
    /// Whether visits are counted.
    pub(super) is_on: bool,
    held: Mutex<Held>,
    pub(super) key: tokio::sync::Mutex<Option<(Date, [u8; 32])>>,
}

impl Numbers {
    /// Numbers of visits that are counted, or not.
    pub fn new(is_on: bool) -> Self {
        Self { is_on, held: Mutex::default(), key: tokio::sync::Mutex::default() }
    }

    pub(super) fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Default)]
pub(super) struct Held {
    numbers: Drained,
    visits: HashMap<u64, Visit>,
    visits_of: Option<Date>,
}

impl Held {
    /// Counts a view of `key`, which is counted as left out if this visitor had too many. True if it counts.
    pub(super) fn view(&mut self, visitor: Visitor, key: Key) -> bool {
        let visit = self.visit(visitor);
        if u32::from(visit.views_in_minute) >= VIEWS_A_MINUTE || u32::from(visit.views_in_day) >= VIEWS_A_DAY
        {
            self.leave_out(visitor.day);
            return false;
        }
        visit.views_in_minute += 1;
        visit.views_in_day += 1;
        self.numbers.sketch((visitor.day, key.kind, key.subject.clone())).add(visitor.hash);
        self.numbers.add(key, 1);
        true
    }

    /// Counts anything but a view, within the same bounds.
    pub(super) fn act(&mut self, visitor: Visitor, key: Key) {
        let visit = self.visit(visitor);
        if u32::from(visit.acts_in_minute) < VIEWS_A_MINUTE && u32::from(visit.acts_in_day) < VIEWS_A_DAY {
            visit.acts_in_minute += 1;
            visit.acts_in_day += 1;
            self.numbers.add(key, 1);
        }
    }

    /// Counts where a view that counts came from.
    pub(super) fn come_from(&mut self, visitor: Visitor, mut key: Key) {
        if matches!(key.subject, Subject::Host(_)) {
            let visit = self.visit(visitor);
            if u32::from(visit.sources_in_day) < SOURCES_OF_A_VISITOR {
                visit.sources_in_day += 1;
            } else {
                key.subject = Subject::Other;
            }
        }
        self.numbers.add(key, 1);
    }

    pub(super) fn leave_out(&mut self, day: Date) {
        self.numbers.add(Key { day, kind: Kind::LeftOut, subject: Subject::Site, value: "" }, 1);
    }

    pub(super) fn drain(&mut self) -> Drained {
        take(&mut self.numbers)
    }

    /// Takes back what could not be written.
    pub(super) fn put_back(&mut self, drained: Drained) {
        for (key, n) in drained.counts {
            self.numbers.add(key, n);
        }
        for (place, sketch) in drained.sketches {
            self.numbers.sketch(place).merge(&sketch);
        }
    }

    fn visit(&mut self, visitor: Visitor) -> &mut Visit {
        // Hashes of another day mean nothing.
        if self.visits_of != Some(visitor.day) || self.visits.len() >= VISITORS_MAX {
            self.visits.clear();
            self.visits_of = Some(visitor.day);
        }
        let visit = self.visits.entry(visitor.hash).or_default();
        if visit.minute != visitor.minute {
            *visit = Visit { minute: visitor.minute, views_in_minute: 0, acts_in_minute: 0, ..*visit };
        }
        visit
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    const DAY: Date = date(2026, 11, 27);

    fn home(path: &'static str) -> Key {
        Key { day: DAY, kind: Kind::View, subject: Subject::Page(path), value: "" }
    }

    fn left_out(held: &Held) -> i64 {
        held.numbers.counts.iter().filter(|(key, _)| key.kind == Kind::LeftOut).map(|(_, n)| n).sum()
    }

    #[test]
    fn a_visitor_counts_thirty_times_a_minute_and_three_hundred_a_day() {
        let mut held = Held::default();
        for minute in 0..20 {
            for _ in 0..40 {
                held.view(Visitor { hash: 1, day: DAY, minute }, home("/"));
            }
        }
        assert_eq!((held.numbers.counts[&home("/")], left_out(&held)), (300, 500));
        assert!(held.view(Visitor { hash: 2, day: DAY, minute: 0 }, home("/")));
        assert!(held.view(Visitor { hash: 1, day: DAY.tomorrow().unwrap(), minute: 1_440 }, home("/")));
    }

    #[test]
    fn names_that_browsers_invent_hide_no_page() {
        let mut held = Held::default();
        for number in 0..3_000 {
            let subject = Subject::Slug(format!("release-{number}"));
            let visitor = Visitor { hash: number, day: DAY, minute: 0 };
            held.view(visitor, Key { kind: Kind::Release, subject, ..home("/") });
        }
        held.view(Visitor { hash: 1, day: DAY, minute: 1 }, home("/"));
        held.leave_out(DAY);
        assert_eq!((held.numbers.counts[&home("/")], left_out(&held)), (1, 1));
    }

    #[test]
    fn plays_do_not_use_up_views() {
        let mut held = Held::default();
        let visitor = Visitor { hash: 1, day: DAY, minute: 0 };
        let played = Key { kind: Kind::Play, subject: Subject::Id(Uuid::nil()), ..home("/") };
        for _ in 0..40 {
            held.act(visitor, played.clone());
        }
        assert!(held.view(visitor, home("/")));
        assert_eq!((held.numbers.counts[&played], left_out(&held)), (30, 0));
    }

    #[test]
    fn memory_is_bounded_and_no_view_is_lost() {
        let mut held = Held::default();
        let many = 100_000;
        for number in 0..many {
            let subject = Subject::Slug(format!("release-{number}"));
            let visitor = Visitor { hash: number, day: DAY, minute: 0 };
            assert!(held.view(visitor, Key { kind: Kind::Release, subject, ..home("/") }));
        }
        assert!(held.visits.len() <= VISITORS_MAX && held.numbers.counts.len() <= 2_201);
        assert!(held.numbers.sketches.len() <= COUNTED_RELEASES + 1);
        assert_eq!(held.numbers.counts.values().sum::<i64>(), i64::try_from(many).unwrap());
    }

    #[test]
    fn numbers_that_could_not_be_written_are_kept() {
        let mut held = Held::default();
        let visitor = Visitor { hash: 1, day: DAY, minute: 0 };
        held.view(visitor, home("/"));
        let drained = held.drain();
        held.view(visitor, home("/"));
        held.put_back(drained);
        let drained = held.drain();
        assert_eq!((drained.counts[&home("/")], held.drain().is_empty()), (2, true));
        assert_eq!(drained.sketches[&(DAY, Kind::View, Subject::Site)].estimate(), 1);
    }

    #[test]
    fn memory_is_bounded_while_nothing_can_be_written() {
        let mut held = Held::default();
        for round in 0..5 {
            let drained = held.drain();
            for number in round * 200..(round + 1) * 200 {
                let subject = Subject::Slug(format!("release-{number}"));
                let visitor = Visitor { hash: number, day: DAY, minute: 0 };
                held.view(visitor, Key { kind: Kind::Release, subject, ..home("/") });
            }
            held.put_back(drained);
            let sketches = &held.numbers.sketches;
            assert!(sketches.len() <= COUNTED_RELEASES + 1, "{}", sketches.len());
        }
        assert!(held.numbers.sketches.contains_key(&(DAY, Kind::View, Subject::Site)));
        assert_eq!(held.numbers.counts.values().sum::<i64>(), 1000);
    }
}
