//! The address of the streaming player that a release's link is shown in.
//!
//! A link is taken apart and the player's address is built anew from the parts that were recognised, so nothing else
//! of the link (host, user name, port, query, fragment) can reach the frame. What is not recognised gives no player.

/// Height of both players in pixels.
pub const PLAYER_HEIGHT: u32 = 152;

/// No streaming link is longer; what is gets no player.
const LONGEST_LINK: usize = 2048;

const SPOTIFY_TYPES: [&str; 6] = ["track", "album", "artist", "playlist", "episode", "show"];
const SOUNDCLOUD_HOSTS: [&str; 3] = ["soundcloud.com", "www.soundcloud.com", "m.soundcloud.com"];

/// The player of a release: Spotify's when that link gives one, else SoundCloud's, else none (and no PLAY toggle).
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

/// `intl-de`, `intl-pt`, `intl-zh-tw`: the language segment that Spotify puts before the type.
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
    // The allowed characters leave the slash (and the colon of the scheme) as the only ones to encode.
    Some(format!("https://w.soundcloud.com/player/?url=https%3A%2F%2F{host}%2F{}", path.replace('/', "%2F")))
}

fn is_plain_segment(part: &str) -> bool {
    !part.is_empty()
        && part.bytes().any(|b| b != b'.')
        && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~'))
}

/// Host and path of an absolute http or https link without its query and fragment. The host carries a user name or
/// port if there is one, so that it then equals no known host.
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
