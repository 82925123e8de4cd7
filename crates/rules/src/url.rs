//! URLs typed by admins for artists, releases and products, and the fixed paths of the site's pages.
//!
//! Embeds have a stricter rule in `embed`; hosts are not checked here.

use crate::checked::refusals;
use crate::media_name;
use crate::text;

/// Maximum length of a stored URL in bytes: browsers and crawlers cut longer ones, and an index of PostgreSQL holds no text of
/// more than 2704 bytes.
pub const URL_MAX: usize = 2048;

/// The URL is not empty, absolute http(s) or a media file of this site. The field provides the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidUrl;

refusals! {
    /// Refusals of URL fields, by field.
    pub enum UrlError {
        Image = "invalid_image_url", "Invalid image URL";
        Spotify = "invalid_spotify_url", "Invalid Spotify URL";
        SoundCloud = "invalid_soundcloud_url", "Invalid SoundCloud URL";
        AppleMusic = "invalid_apple_music_url", "Invalid Apple Music URL";
        YouTube = "invalid_youtube_url", "Invalid YouTube URL";
        Instagram = "invalid_instagram_url", "Invalid Instagram URL";
        Bandcamp = "invalid_bandcamp_url", "Invalid Bandcamp URL";
        Website = "invalid_website_url", "Invalid Website URL";
        Twitter = "invalid_twitter_url", "Invalid Twitter URL";
    }
}

/// The trimmed URL as stored; empty if it was blank or has a scheme that is dropped silently: anything ending in `script`,
/// `data`, `file` and `ftp`.
///
/// Valid are absolute `http` and `https` URLs of at most [`URL_MAX`] bytes without user name or password (which only
/// disguise the host), and `/media/{key}` of this site. White space, control characters, backslashes, quotes and angle brackets
/// are not allowed.
///
/// ```
/// use rules::url::{InvalidUrl, sanitize_url};
///
/// assert_eq!(sanitize_url(" https://deadwax.example "), Ok("https://deadwax.example".into()));
/// assert_eq!(sanitize_url("JaVa\tscript:alert(1)"), Ok(String::new()));
/// assert_eq!(sanitize_url("//deadwax.example"), Err(InvalidUrl));
/// ```
pub fn sanitize_url(input: &str) -> Result<String, InvalidUrl> {
    let url = pasted(input);
    let url = url.as_str();
    if url.contains('\0') {
        return Err(InvalidUrl);
    }
    if url.is_empty() || has_dropped_scheme(url) {
        return Ok(String::new());
    }
    let own_media = url.strip_prefix("/media/").is_some_and(media_name::is_media_key);
    if url.len() <= URL_MAX && (own_media || is_absolute(url)) { Ok(url.to_owned()) } else { Err(InvalidUrl) }
}

/// Removes angle brackets and invisible characters from a pasted URL, except joiners and emoji selectors, which may be part of
/// a path.
fn pasted(input: &str) -> String {
    let url = text::trim(input);
    let url = url.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).map_or(url, text::trim);
    let is_part =
        |c: &char| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}');
    url.chars().filter(|c| !text::is_ignorable(*c) || is_part(c)).collect()
}

/// The public form of a stored URL: `None` if [`sanitize_url`] would not accept it.
///
/// ```
/// use rules::url::public_url;
///
/// assert_eq!(public_url(Some("https://deadwax.example".into())), Some("https://deadwax.example".into()));
/// assert_eq!(public_url(Some("javascript:alert(1)".into())), None);
/// assert_eq!(public_url(Some("deadwax".into())), None);
/// assert_eq!(public_url(None), None);
/// ```
pub fn public_url(stored: Option<String>) -> Option<String> {
    sanitize_url(&stored?).ok().filter(|url| !url.is_empty())
}

/// Completes a typed URL in a form: text that begins like a host name, without a scheme, gets `https://`; everything else is
/// unchanged. Only forms do this, visibly; the server refuses URLs without a scheme.
///
/// ```
/// use rules::url::complete_url;
///
/// assert_eq!(complete_url(" instagram.com/name "), "https://instagram.com/name");
/// assert_eq!(complete_url("javascript:alert(1)"), "javascript:alert(1)");
/// assert_eq!(complete_url("name"), "name");
/// ```
pub fn complete_url(input: &str) -> String {
    let url = pasted(input);
    let url = url.as_str();
    let host = url.split(['/', '?', '#']).next().unwrap_or_default();
    // A colon could begin a port, a password or follow a scheme, so the host must not contain one.
    let is_name = host.rsplit_once('.').is_some_and(|(_, last)| {
        last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_alphabetic() || byte >= 0x80)
    });
    if is_name && is_host(host) {
        let mut completed = String::from("https://");
        completed.push_str(url);
        if is_absolute(&completed) {
            return completed;
        }
    }
    input.to_owned()
}

/// Reads the scheme like a browser, which ignores leading control characters and spaces, and tabs and line breaks anywhere.
fn has_dropped_scheme(url: &str) -> bool {
    // Longer schemes are never dropped.
    let mut scheme = [0_u8; 32];
    let seen = url
        .trim_start_matches(|c: char| c <= ' ')
        .bytes()
        .filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
    for (length, byte) in seen.enumerate() {
        if byte == b':' {
            let name = scheme.get(..length).unwrap_or_default();
            return name.ends_with(b"script") || matches!(name, b"data" | b"file" | b"ftp");
        }
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')) {
            return false;
        }
        let Some(place) = scheme.get_mut(length) else { return false };
        *place = byte.to_ascii_lowercase();
    }
    false
}

fn is_absolute(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once(':') else { return false };
    let Some(rest) = rest.strip_prefix("//") else { return false };
    if !(scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")) {
        return false;
    }
    if rest.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '\\' | '<' | '>' | '"')) {
        return false;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.strip_prefix('[') {
        Some(address) => match address.split_once(']') {
            Some((address, port)) if is_ipv6_literal(address) => {
                (address, port.strip_prefix(':').or(no_port(port)))
            }
            _ => return false,
        },
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, Some("")),
        },
    };
    port.is_some_and(is_port) && (authority.starts_with('[') || is_host(host))
}

fn no_port(port: &str) -> Option<&str> {
    port.is_empty().then_some("")
}

fn is_port(port: &str) -> bool {
    port.len() <= 5
        && port.bytes().all(|b| b.is_ascii_digit())
        && (port.is_empty() || port.parse::<u16>().is_ok())
}

fn is_ipv6_literal(address: &str) -> bool {
    address.contains(':') && address.bytes().all(|b| b.is_ascii_hexdigit() || matches!(b, b':' | b'.'))
}

/// Labels of letters, digits, `-` and `_` in any script; a final dot (the root) is allowed.
fn is_host(host: &str) -> bool {
    host.strip_suffix('.').unwrap_or(host).split('.').all(|label| {
        !label.is_empty()
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b >= 0x80 || matches!(b, b'-' | b'_'))
    })
}

/// Fixed paths of the site's pages; the others are `/artists/{id}`, `/releases/{slug}` and `/letters/{slug}`.
pub const ROUTES: [&str; 17] = [
    "/",
    "/releases",
    "/artists",
    "/store",
    "/terminal",
    "/contact",
    "/privacy-policy",
    "/imprint",
    "/letters",
    "/profile",
    "/signup",
    "/auth/callback",
    "/auth/welcome",
    "/auth/signup-success",
    "/admin/login",
    "/admin",
    "/admin/demos",
];

/// An optional URL field before the check: `None` if it is empty or dropped, trimmed if valid, else as typed.
pub(crate) fn tidied(input: Option<String>) -> Option<String> {
    let input = input?;
    match sanitize_url(&input) {
        Ok(url) => Some(url).filter(|url| !url.is_empty()),
        Err(InvalidUrl) => Some(input),
    }
}

/// Validators of the URL fields, each with its field's text.
pub(crate) mod predicate {
    use validator::ValidationError;

    use super::{InvalidUrl, UrlError, sanitize_url};

    macro_rules! predicates {
        ($($function:ident: $error:ident;)+) => {$(
            pub(crate) fn $function(url: &str) -> Result<(), ValidationError> {
                judge(url, UrlError::$error)
            }
        )+};
    }

    predicates! {
        image: Image;
        spotify: Spotify;
        soundcloud: SoundCloud;
        apple_music: AppleMusic;
        youtube: YouTube;
        instagram: Instagram;
        bandcamp: Bandcamp;
        website: Website;
        twitter: Twitter;
    }

    fn judge(url: &str, error: UrlError) -> Result<(), ValidationError> {
        sanitize_url(url).map(drop).map_err(|InvalidUrl| error.into())
    }
}
