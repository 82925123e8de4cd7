//! Tracks and credits of a release as text, one per line, as pasted by people and stored in tables.
//!
//! A backslash escapes `/`, `:`, `[` and itself, so that every list can be written and parsed again.

use crate::release_details::{Credit, ROWS_MAX, Track, duration_label, is_position, seconds};

/// Separates the title of a track from its artist.
const BY: &str = " / ";

/// Parses `[A1] Title / Artist 6:12`, where position, artist and duration are optional; blank lines are ignored. `None` if a
/// line has no title, or there are more than [`ROWS_MAX`].
///
/// ```
/// use rules::track_list::tracks;
/// let tracks = tracks("Dead Air 6:12\nLocked / Kesto Vann").unwrap();
/// assert_eq!((tracks[0].duration_seconds, tracks[1].artist.as_deref()), (Some(372), Some("Kesto Vann")));
/// ```
pub fn tracks(list: &str) -> Option<Vec<Track>> {
    lines(list).map(track).collect::<Option<Vec<_>>>().filter(|tracks| tracks.len() <= ROWS_MAX)
}

fn track(line: &str) -> Option<Track> {
    let (position, line) = positioned(line).map_or((None, line), |(position, line)| (Some(position), line));
    let (line, duration_seconds) = match line.rsplit_once(char::is_whitespace) {
        Some((before, end)) => seconds(end).map_or((line, None), |length| (before.trim_end(), Some(length))),
        None => (line, None),
    };
    let (title, artist) = match line.rsplit_once(BY) {
        Some((title, artist)) => (title.trim(), Some(artist.trim()).filter(|artist| !artist.is_empty())),
        None => (line, None),
    };
    (!title.is_empty() && title != "/" && !title.starts_with("/ ")).then(|| Track {
        position: position.map(str::to_ascii_uppercase),
        title: read(title),
        artist: artist.map(read),
        duration_seconds,
    })
}

/// Splits the position from the rest of the line.
fn positioned(line: &str) -> Option<(&str, &str)> {
    let (position, track) = line.strip_prefix('[')?.split_once(']')?;
    let track = track.trim_start();
    (is_position(position) && !track.is_empty()).then_some((position, track))
}

/// Parses `Role: Name`; blank lines are ignored. `None` if a line has another form, or there are more than [`ROWS_MAX`].
pub fn credits(list: &str) -> Option<Vec<Credit>> {
    lines(list).map(credit).collect::<Option<Vec<_>>>().filter(|credits| credits.len() <= ROWS_MAX)
}

fn credit(line: &str) -> Option<Credit> {
    let mut is_escaped = false;
    let colon = line.find(|c| {
        let is_end = c == ':' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    })?;
    let (role, name) = (line.get(..colon)?.trim(), line.get(colon + 1..)?.trim());
    (!role.is_empty() && !name.is_empty()).then(|| Credit { role: read(role), name: read(name) })
}

/// Formats tracks for [`tracks`].
pub fn tracks_text(tracks: &[Track]) -> String {
    tracks.iter().map(track_text).collect::<Vec<_>>().join("\n")
}

fn track_text(track: &Track) -> String {
    let mut line = parted(&track.title);
    if let Some(artist) = &track.artist {
        line = [&line, BY, &parted(artist)].concat();
    }
    let line = match (track.duration_seconds, line.rsplit_once(char::is_whitespace)) {
        (Some(seconds), _) => [&line, " ", &duration_label(seconds)].concat(),
        // The name itself ends like a duration.
        (None, Some((before, end))) if seconds(end).is_some() => {
            let space = line.get(before.len()..line.len() - end.len()).unwrap_or(" ");
            [before, space, &end.replacen(':', "\\:", 1)].concat()
        }
        (None, _) => line,
    };
    match &track.position {
        Some(position) => ["[", position, "] ", &line].concat(),
        // The name itself begins like one.
        None if positioned(&line).is_some() => ["\\", &line].concat(),
        None => line,
    }
}

/// Escapes a name's slashes that would separate.
fn parted(name: &str) -> String {
    let mut line = String::new();
    let mut before = ' ';
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let is_parting =
            c == '/' && before.is_whitespace() && rest.peek().is_none_or(|after| after.is_whitespace());
        if c == '\\' || is_parting {
            line.push('\\');
        }
        line.push(c);
        before = c;
    }
    line
}

/// Formats credits for [`credits`].
pub fn credits_text(credits: &[Credit]) -> String {
    let escaped = |text: &str| text.replace('\\', r"\\");
    let line =
        |credit: &Credit| [&escaped(&credit.role).replace(':', r"\:"), ": ", &escaped(&credit.name)].concat();
    credits.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Removes the escapes from a text.
fn read(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut plain = String::new();
    while let Some(c) = chars.next() {
        let escaped =
            (c == '\\').then(|| chars.next_if(|next| matches!(next, '\\' | '/' | ':' | '['))).flatten();
        plain.push(escaped.unwrap_or(c));
    }
    plain
}

fn lines(list: &str) -> impl Iterator<Item = &str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty())
}
