//! A draft that announces a release, filled in from it.

use deadwax_http::error::AppResult;
use deadwax_store::ids::ReleaseId;
use rules::{
    catalog::without_number,
    letters::{HEADING_MAX, LetterDraft, LetterPart, LetterPartKind, PREHEADER_MAX, SUBJECT_MAX, TEXT_MAX},
};

use super::parts::{artist_name, clean};
use crate::{
    app::App,
    catalogue::release_detail::{self, ReleaseDetail, Track},
};

/// The draft; none without the release.
pub async fn draft(app: &App, release: ReleaseId) -> AppResult<Option<LetterDraft>> {
    let Some(detail) = release_detail::find_kept(&app.db, release).await? else { return Ok(None) };
    let is_out = release_detail::is_out(&app.db, release).await?.is_some_and(|(is_out, _)| is_out);
    let (title, artist) = (clean(&detail.release.title), clean(artist_name(&detail)));
    let number = detail.release.catalog.as_deref().map_or_else(String::new, |number| format!("{number}: "));
    let when = match detail.release.release_date.as_deref() {
        Some(day) if !is_out || day > app.today().as_str() => format!("Out {}", detail.release.date_label),
        None if !is_out => "Out soon".to_owned(),
        _ => "Out now".to_owned(),
    };
    let mut parts = vec![
        LetterPart { text: cut(&when, HEADING_MAX), ..LetterPart::new(LetterPartKind::Heading) },
        LetterPart {
            release_id: release.to_string(),
            // The letter shows the number anyway.
            text: cut(&clean(&without_number(detail.release.description.as_deref())), TEXT_MAX),
            ..LetterPart::new(LetterPartKind::Release)
        },
    ];
    if !detail.tracks.is_empty() {
        let tracks = detail.tracks.iter().map(track_line).collect::<Vec<_>>().join("\n");
        parts.push(LetterPart { text: cut(&tracks, TEXT_MAX), ..LetterPart::new(LetterPartKind::Text) });
    }
    parts.push(LetterPart {
        text: if is_out { "Listen" } else { "See the release" }.to_owned(),
        link: app.origin.link(&detail.release.path()),
        ..LetterPart::new(LetterPartKind::Button)
    });
    Ok(Some(LetterDraft {
        subject: cut(&format!("{number}{artist}, {title}"), SUBJECT_MAX),
        preheader: cut(&preheader(&detail, &when), PREHEADER_MAX),
        parts,
    }))
}

fn preheader(detail: &ReleaseDetail, when: &str) -> String {
    let format = detail.format.as_deref().map_or_else(String::new, |format| format!(" as {}", clean(format)));
    format!("{when}{format}: {} by {}", clean(&detail.release.title), clean(artist_name(detail)))
}

fn track_line(track: &Track) -> String {
    let position = track.position.as_deref().map_or_else(String::new, |position| format!("{position} "));
    let artist = track.artist.as_deref().map_or_else(String::new, |artist| format!("{artist}: "));
    let length = track.duration_label.as_deref().map_or_else(String::new, |label| format!(" ({label})"));
    clean(&format!("{position}{artist}{}{length}", track.title)).replace('\n', " ")
}

fn cut(text: &str, most: usize) -> String {
    text.trim().chars().take(most).collect::<String>().trim_end().to_owned()
}
