//! DMARC (RFC 7489): what servers do with mail in a domain's name that is neither signed by it nor sent by its servers.

use super::{ArrivalCheck, DnsRecord, Finding, Grade, unanswered};

const NAMES_MAX: usize = 5;

/// Where the record of a domain is looked for, in order: at the domain, then at those above it.
///
/// ```
/// use rules::letter_arrival::dmarc::names;
///
/// assert_eq!(names("news.label.example"), ["_dmarc.news.label.example", "_dmarc.label.example"]);
/// ```
pub fn names(domain: &str) -> Vec<String> {
    let parts: Vec<_> = domain.split('.').collect();
    let last = parts.len().saturating_sub(1).max(1);
    let above = (0..last).map(|from| format!("_dmarc.{}", parts.get(from..).unwrap_or_default().join(".")));
    above.take(NAMES_MAX).collect()
}

/// The DMARC records among the texts of a name.
pub fn records(texts: &[String]) -> Vec<String> {
    let is_one = |text: &&String| {
        let (first, _) = text.split_once(';').unwrap_or((text, ""));
        first.split_once('=').is_some_and(|(tag, value)| {
            tag.trim().eq_ignore_ascii_case("v") && value.trim().eq_ignore_ascii_case("DMARC1")
        })
    };
    texts.iter().filter(is_one).cloned().collect()
}

/// Judges the records found for a domain, at the domain itself or above it. None if they could not be looked up.
pub fn finding(domain: &str, records: Option<&[String]>, is_above: bool) -> Finding {
    let Some(records) = records else { return unanswered(ArrivalCheck::Dmarc, "DMARC record", domain) };
    let entry = Some(DnsRecord::txt(&format!("_dmarc.{domain}"), "v=DMARC1; p=none"));
    let found = |grade, text: String| Finding::new(ArrivalCheck::Dmarc, grade, text);
    let record = match records {
        [] => {
            let text = format!(
                "{domain} has no DMARC record, which Gmail, Yahoo and Outlook ask of those who write to many."
            );
            return found(Grade::Fail, text).with(entry);
        }
        [record] => record,
        _ => {
            let text =
                format!("{domain} has {} DMARC records, which count as none: leave only one.", records.len());
            return found(Grade::Fail, text);
        }
    };
    let policy = tag(record, "sp").filter(|_| is_above).or_else(|| tag(record, "p")).unwrap_or_default();
    match policy.to_ascii_lowercase().as_str() {
        "none" => found(
            Grade::Pass,
            format!("{domain} has a DMARC record; its policy none is enough to arrive, and leaves forged mail alone."),
        ),
        "quarantine" | "reject" => found(
            Grade::Pass,
            format!("{domain} has a DMARC record; its policy for mail that is not signed is {policy}."),
        ),
        _ => found(
            Grade::Fail,
            format!("The DMARC record of {domain} names no policy (p=none, quarantine or reject), so it counts as none."),
        )
        .with(entry),
    }
}

fn tag<'a>(record: &'a str, name: &str) -> Option<&'a str> {
    record.split(';').find_map(|part| {
        let (tag, value) = part.split_once('=')?;
        tag.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}
