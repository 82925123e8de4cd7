//! The label's own name, links, ribbon, copyright line and time zone.
//!
//! All are editable texts; a blank one means its preset. The colour is in [`signal`](crate::signal).

use serde::Serialize;

use crate::checked::{Refusal, refusals};
use crate::url::{UrlError, sanitize_url};

/// Longest name, in characters.
pub const LABEL_NAME_MAX_CHARS: usize = 60;
/// Longest ribbon and copyright line, in characters.
pub const LABEL_LINE_MAX_CHARS: usize = 200;
/// Maximum number of the label's links.
pub const LABEL_LINKS_MAX: usize = 12;

refusals! {
    /// Refusals of the label's texts.
    pub enum LabelError {
        NameTooLong = "label_name_too_long", "Name must be at most 60 characters";
        NameLines = "label_name_lines", "Name must be one line";
        LineTooLong = "label_line_too_long", "Text must be at most 200 characters";
        LineLines = "label_line_lines", "Text must be one line";
        LinksTooMany = "label_links_too_many", "At most 12 links, one to a line";
        TimeZone = "label_time_zone_unknown", "Unknown time zone: use a name such as Europe/Berlin, or leave it empty for UTC";
        Header = "label_header_unknown", "Header must be empty or mark and name";
        SignalFormat = "label_signal_format", "Colour must be # and six hexadecimal digits";
        SignalContrast = "label_signal_contrast", "Colour is too dark on black";
    }
}

/// Checks the name; blank is the preset.
pub fn check_label_name(value: &str) -> Result<(), LabelError> {
    check_line(value, LABEL_NAME_MAX_CHARS, LabelError::NameTooLong, LabelError::NameLines)
}

/// Checks the ribbon or the copyright line; blank is the preset.
pub fn check_label_line(value: &str) -> Result<(), LabelError> {
    check_line(value, LABEL_LINE_MAX_CHARS, LabelError::LineTooLong, LabelError::LineLines)
}

/// Checks the form of a time zone's name; blank is UTC. The server knows which zones there are.
///
/// ```
/// use rules::label::check_label_time_zone;
/// assert!(check_label_time_zone("America/Port-au-Prince").is_ok() && check_label_time_zone("Berlin time").is_err());
/// ```
pub fn check_label_time_zone(value: &str) -> Result<(), LabelError> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "/_+-".contains(c);
    if value.trim().chars().all(is_name) { Ok(()) } else { Err(LabelError::TimeZone) }
}

/// The header that shows the mark beside the name; blank is the mark alone.
pub const MARK_AND_NAME: &str = "mark and name";

/// Checks how the header shows the mark.
pub fn check_label_header(value: &str) -> Result<(), LabelError> {
    if is_mark_beside_name(value) || value.trim().is_empty() { Ok(()) } else { Err(LabelError::Header) }
}

/// Whether the header shows the name beside the mark.
pub fn is_mark_beside_name(value: &str) -> bool {
    value.trim() == MARK_AND_NAME
}

fn check_line(value: &str, most: usize, too_long: LabelError, lines: LabelError) -> Result<(), LabelError> {
    let line = value.trim();
    if line.chars().count() > most {
        Err(too_long)
    } else if line.contains(char::is_control) {
        Err(lines)
    } else {
        Ok(())
    }
}

/// One of the label's links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LabelLink {
    /// The platform, or the host of another website.
    pub name: String,
    /// An absolute `http` or `https` URL.
    pub url: String,
}

/// Checks the links: a URL to a line, each as valid as that of an artist's website. A refusal names the line.
///
/// ```
/// use rules::label::check_label_links;
/// assert_eq!(check_label_links("https://label.bandcamp.com\n\nhttps://soundcloud.com/label"), Ok(()));
/// let refusal = check_label_links("https://soundcloud.com/label\nsoundcloud").unwrap_err();
/// assert_eq!(refusal.message, "Invalid Website URL in line 2");
/// ```
pub fn check_label_links(value: &str) -> Result<(), Refusal> {
    if value.lines().filter(|line| !line.trim().is_empty()).count() > LABEL_LINKS_MAX {
        return Err(LabelError::LinksTooMany.into());
    }
    match value.lines().position(|line| !line.trim().is_empty() && absolute(line).is_none()) {
        None => Ok(()),
        Some(index) => {
            let mut refusal = Refusal::from(UrlError::Website);
            refusal.message = format!("{} in line {}", refusal.message, index + 1).into();
            Err(refusal)
        }
    }
}

/// The links of the text, in its order, each once; lines that are no URL are left out.
///
/// ```
/// use rules::label::label_links;
/// let links = label_links("https://www.youtube.com/@label\nhttps://shop.label.example/");
/// assert_eq!((links[0].name.as_str(), links[1].name.as_str()), ("YouTube", "shop.label.example"));
/// ```
pub fn label_links(value: &str) -> Vec<LabelLink> {
    let mut links: Vec<LabelLink> = Vec::new();
    for url in value.lines().filter_map(absolute) {
        if !links.iter().any(|link| link.url == url) {
            links.push(LabelLink { name: platform(&url), url });
        }
    }
    links.truncate(LABEL_LINKS_MAX);
    links
}

fn absolute(line: &str) -> Option<String> {
    sanitize_url(line).ok().filter(|url| !url.is_empty() && !url.starts_with('/'))
}

/// Hosts of the artists' platforms; those below them count too.
const PLATFORMS: [(&str, &str); 10] = [
    ("spotify.com", "Spotify"),
    ("soundcloud.com", "SoundCloud"),
    ("music.apple.com", "Apple Music"),
    ("youtube.com", "YouTube"),
    ("youtu.be", "YouTube"),
    ("instagram.com", "Instagram"),
    ("bandcamp.com", "Bandcamp"),
    ("twitter.com", "Twitter"),
    ("x.com", "Twitter"),
    ("beatport.com", "Beatport"),
];

fn platform(url: &str) -> String {
    let rest = url.split_once("//").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host).to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let is_of = |domain: &str| {
        host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    PLATFORMS.iter().find(|(domain, _)| is_of(domain)).map_or(host, |(_, name)| name).to_owned()
}

/// The copyright line: the text, or `© 2024` and the name.
///
/// ```
/// assert_eq!(rules::label::copyright(" ", "Mira"), "© 2024 Mira");
/// ```
pub fn copyright(value: &str, label_name: &str) -> String {
    match value.trim() {
        "" => format!("© 2024 {label_name}"),
        own => own.to_owned(),
    }
}
