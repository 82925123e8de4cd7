//! The label as it calls itself: its name, colour, links, lines and time zone, from the texts of these keys, else the presets, and its mark.

use std::sync::{
    Arc, PoisonError, RwLock,
    atomic::{AtomicU64, Ordering},
};

use deadwax_config::{Origin, Settings};
use deadwax_mail::letter::{Label, LabelName};
use deadwax_store::{clock::Micros, db::Db, statements, tables::Tables};
use jiff::tz::TimeZone;
use rules::{
    content::{
        IMPRINT, LABEL_COPYRIGHT, LABEL_HEADER, LABEL_LINKS, LABEL_NAME, LABEL_RIBBON, LABEL_SIGNAL,
        LABEL_TIME_ZONE,
    },
    label::{LabelLink, copyright, label_links},
    signal::{SIGNAL, signal_colour},
};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::{
    mark::{self, MarkView},
    time_zone,
};

statements! {
    FIND = "SELECT key, value FROM site_content \
        WHERE key IN ('label_name', 'label_header', 'label_signal', 'label_links', 'label_ribbon', 'label_copyright', 'label_time_zone', \
            'imprint')";
}

/// The label's name, colour, links, lines and time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LabelView {
    pub name: String,
    /// Its colour, as `#rrggbb` in lower case.
    pub signal: String,
    pub has_imprint: bool,
    /// Where else it is.
    pub links: Vec<LabelLink>,
    /// The line on the strip under the navigation; null is the preset.
    pub ribbon: Option<String>,
    pub copyright: String,
    pub mark: Option<MarkView>,
    /// The name of its time zone in the IANA database.
    #[serde(serialize_with = "by_name")]
    #[schema(value_type = String)]
    pub time_zone: TimeZone,
    pub counts_visits: bool,
}

/// Tables that it is read from.
pub const TABLES: Tables = Tables::SITE_CONTENT.and(Tables::SITE_IMAGES);

impl LabelView {
    /// The colour, unless it is that of the design.
    pub fn own_signal(&self) -> Option<&str> {
        Some(&*self.signal).filter(|signal| *signal != SIGNAL)
    }

    /// As a letter names it whose cause happened at `at`.
    pub fn in_letter<'a>(&self, origin: &'a Origin, at: Micros) -> Label<'a> {
        Label {
            name: self.name.clone(),
            origin,
            at,
            has_imprint: self.has_imprint,
            signal: self.signal.clone(),
            zone: self.time_zone.clone(),
        }
    }
}

fn by_name<S: Serializer>(zone: &TimeZone, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(time_zone::name(zone))
}

/// The label as the settings have it.
#[derive(Clone, Debug)]
pub struct Presets {
    /// The name, unless a text has another.
    name: String,
    counts_visits: bool,
}

impl Presets {
    pub fn of(settings: &Settings) -> Self {
        Self { name: settings.label_name.clone(), counts_visits: settings.counts_visits }
    }
}

/// The label as it was read last. Pages read it anew; what is written beside them, such as mail, uses this.
#[derive(Debug)]
pub struct KnownLabel {
    presets: Presets,
    sender: LabelName,
    reads: AtomicU64,
    /// With the number of its read, so that an older read never takes the place of a newer.
    last: RwLock<(u64, Arc<LabelView>)>,
}

impl KnownLabel {
    /// `sender` is the name in mail, which follows.
    pub async fn open(db: &Db, presets: Presets, sender: LabelName) -> sqlx::Result<Self> {
        let last = Arc::new(read(db, &presets).await?);
        sender.set(&last.name);
        Ok(Self { presets, sender, reads: AtomicU64::new(1), last: RwLock::new((0, last)) })
    }

    /// Reads the label, and keeps it as [`Self::last`].
    pub async fn current(&self, db: &Db) -> sqlx::Result<Arc<LabelView>> {
        let number = self.reads.fetch_add(1, Ordering::SeqCst);
        let read = Arc::new(read(db, &self.presets).await?);
        let mut last = self.last.write().unwrap_or_else(PoisonError::into_inner);
        if number > last.0 {
            *last = (number, Arc::clone(&read));
            self.sender.set(&read.name);
        }
        Ok(read)
    }

    pub fn last(&self) -> Arc<LabelView> {
        Arc::clone(&self.last.read().unwrap_or_else(PoisonError::into_inner).1)
    }
}

/// The label's texts, else the presets.
pub async fn read(db: &Db, presets: &Presets) -> sqlx::Result<LabelView> {
    let texts = db.query(FIND).all::<(String, String)>().await?;
    let text = |name: &str| texts.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim());
    let name = Some(text(LABEL_NAME)).filter(|name| !name.is_empty()).unwrap_or(&presets.name);
    Ok(LabelView {
        name: name.to_owned(),
        signal: signal_colour(text(LABEL_SIGNAL)),
        has_imprint: !text(IMPRINT).is_empty(),
        links: label_links(text(LABEL_LINKS)),
        ribbon: Some(text(LABEL_RIBBON)).filter(|line| !line.is_empty()).map(str::to_owned),
        copyright: copyright(text(LABEL_COPYRIGHT), name),
        mark: mark::find(db, text(LABEL_HEADER)).await?,
        time_zone: time_zone::effective(text(LABEL_TIME_ZONE)),
        counts_visits: presets.counts_visits,
    })
}
