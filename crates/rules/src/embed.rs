//! URL of the streaming player for a release's link.
//!
//! The player's URL is built from the recognised parts of the link, so that nothing else (host, user name, port, query,
//! fragment) reaches the frame. Unrecognised links have no player.

/// The origins of both players, for a content security policy.
#[macro_export]
macro_rules! player_origins {
    () => {
        "https://open.spotify.com https://w.soundcloud.com"
    };
}

/// The same in quotation marks, for a permissions policy.
#[macro_export]
macro_rules! quoted_player_origins {
    () => {
        "\"https://open.spotify.com\" \"https://w.soundcloud.com\""
    };
}

/// Height of both players in pixels.
pub const PLAYER_HEIGHT: u32 = 152;

/// Longer links have no player.
const LONGEST_LINK: usize = 2048;

const SPOTIFY_TYPES: [&str; 6] = ["track", "album", "artist", "playlist", "episode", "show"];
const SOUNDCLOUD_HOSTS: [&str; 3] = ["soundcloud.com", "www.soundcloud.com", "m.soundcloud.com"];

/// Player of a release: Spotify's, else SoundCloud's, else `None` (without a PLAY button).
///
/// ```
/// use rules::embed::embed_url;
/// assert_eq!(
///     embed_url(Some("https://open.spotify.com/intl-de/track/4uLU6hMCjMI75M1A2tKUQC?si=1"), None).as_deref(),
///     Some("https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC"),
/// );
/// assert_eq!(embed_url(Some("https://open.spotify.com.evil.org/track/4uLU6hMCjMI75M1A2tKUQC"), None), None);
/// ```
pub fn embed_url(spotify: Option<&str>, soundcloud: Option<&str>) -> Option<String> {
    spotify.and_then(spotify_player).or_else(|| soundcloud.and_then(soundcloud_player))
}

fn spotify_player(link: &str) -> Option<String> {
    let (host, path) = host_and_path(link)?;
    if !host.eq_ignore_ascii_case("open.spotify.com") {
        return None;
    }
    let path = path.strip_prefix('/')?;
    let mut parts = path.strip_suffix('/').unwrap_or(path).split('/').peekable();
    if parts.peek().is_some_and(|part| is_locale(part)) {
        parts.next();
    }
    if parts.peek() == Some(&"embed") {
        parts.next();
    }
    let kind = SPOTIFY_TYPES.into_iter().find(|kind| parts.peek() == Some(kind))?;
    parts.next();
    let id = parts.next().filter(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric()))?;
    parts.next().is_none().then(|| format!("https://open.spotify.com/embed/{kind}/{id}"))
}

/// Whether a path segment is a Spotify locale, such as `intl-de` or `intl-zh-tw`.
fn is_locale(part: &str) -> bool {
    part.strip_prefix("intl-").is_some_and(|locale| {
        (2..=5).contains(&locale.len()) && locale.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
    })
}

fn soundcloud_player(link: &str) -> Option<String> {
    let (host, path) = host_and_path(link)?;
    let host = SOUNDCLOUD_HOSTS.into_iter().find(|known| host.eq_ignore_ascii_case(known))?;
    let path = path.strip_prefix('/')?;
    let mut parts = path.strip_suffix('/').unwrap_or(path).split('/');
    if !parts.all(is_plain_segment) {
        return None;
    }
    // The allowed characters leave only slashes, and the scheme's colon, to encode.
    Some(format!("https://w.soundcloud.com/player/?url=https%3A%2F%2F{host}%2F{}", path.replace('/', "%2F")))
}

fn is_plain_segment(part: &str) -> bool {
    !part.is_empty()
        && part.bytes().any(|b| b != b'.')
        && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~'))
}

/// Host and path of an absolute http or https link. The host includes a user name or port, so that it then matches no known
/// host.
fn host_and_path(link: &str) -> Option<(&str, &str)> {
    let link = link.trim_ascii();
    if link.len() > LONGEST_LINK {
        return None;
    }
    let (scheme, rest) = link.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let rest = rest.strip_prefix("//")?;
    let rest = rest.split(['?', '#']).next()?;
    let slash = rest.find('/')?;
    rest.split_at_checked(slash)
}
