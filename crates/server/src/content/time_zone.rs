//! The label's time zone: that of its schedules, its backups, and the times in its mails.

use deadwax_store::{clock::Micros, db::Source, statements};
use jiff::{
    Timestamp, Zoned,
    tz::{TimeZone, TimeZoneDatabase},
};
use rules::{checked::Refusal, content::LABEL_TIME_ZONE, label::LabelError};

statements! {
    FIND = "SELECT value FROM site_content WHERE key = 'label_time_zone'";
}

/// The zone of this name, as the system's database has it, which may be newer; `None` if the program's own does not have it, so that
/// every machine knows the same names.
pub fn find(name: &str) -> Option<TimeZone> {
    let own = TimeZoneDatabase::bundled().get(name.trim()).ok().filter(|zone| !zone.is_unknown())?;
    let newest = own.iana_name().and_then(|name| TimeZone::get(name).ok());
    Some(newest.unwrap_or(own))
}

/// The zone of the text; UTC if it is blank, or of another version of the program.
pub fn effective(text: &str) -> TimeZone {
    find(text).unwrap_or(TimeZone::UTC)
}

pub fn check(key: &str, value: &str) -> Result<(), Refusal> {
    if key == LABEL_TIME_ZONE && !value.trim().is_empty() && find(value).is_none() {
        return Err(LabelError::TimeZone.into());
    }
    Ok(())
}

/// The zone as it is stored now, for programs without an `App`, and where another instance may have changed it.
pub async fn stored(source: impl Into<Source<'_>>) -> sqlx::Result<TimeZone> {
    let text = source.into().query(FIND).maybe::<String>().await?;
    Ok(text.map_or(TimeZone::UTC, |text| effective(&text)))
}

/// The name that browsers know too.
pub fn name(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("UTC")
}

/// An instant as the label's clock shows it; for formatting.
pub fn local(at: Micros, zone: &TimeZone) -> Zoned {
    Timestamp::from_microsecond(at).unwrap_or_default().to_zoned(zone.clone())
}
