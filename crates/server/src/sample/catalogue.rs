//! The sample catalogue: a label that could exist, with people, records and gaps. Pure data; how it gets into
//! the database is the loader's matter, and its pictures come from [`sample_art`].
//!
//! Names and addresses are invented. Every identifier in a link says so by its spelling.

mod artists;
mod early;
mod late;
mod sheets;

pub use sheets::SampleSheet;

/// Somebody on the label.
#[derive(Clone, Copy, Debug)]
pub struct SampleArtist {
    /// As they write it.
    pub name: &'static str,
    /// One to four sentences.
    pub bio: Option<&'static str>,
    /// Whether there is a portrait.
    pub portrait: bool,
    /// Whether the label puts them forward.
    pub featured: bool,
    /// Address on Spotify.
    pub spotify_url: Option<&'static str>,
    /// Address on SoundCloud.
    pub soundcloud_url: Option<&'static str>,
    /// Address on Instagram.
    pub instagram_url: Option<&'static str>,
    /// Address on YouTube.
    pub youtube_url: Option<&'static str>,
    /// Address on Apple Music.
    pub apple_music_url: Option<&'static str>,
    /// Their own site.
    pub website: Option<&'static str>,
    /// Address on Twitter.
    pub twitter: Option<&'static str>,
}

/// A record.
#[derive(Clone, Copy, Debug)]
pub struct SampleRelease {
    /// As printed on the spine.
    pub title: &'static str,
    /// Catalogue number, `404-0NN`.
    pub catalog: Option<&'static str>,
    /// The name of a [`SampleArtist`].
    pub artist: Option<&'static str>,
    /// `YYYY-MM-DD`.
    pub release_date: Option<&'static str>,
    /// One to three sentences, most with a last line `CATALOG: 404-0NN`.
    pub description: Option<&'static str>,
    /// Whether there is a sleeve.
    pub artwork: bool,
    /// Whether the label puts it forward.
    pub featured: bool,
    /// Address on Spotify.
    pub spotify_url: Option<&'static str>,
    /// Address on SoundCloud.
    pub soundcloud_url: Option<&'static str>,
    /// Address on Apple Music.
    pub apple_music_url: Option<&'static str>,
    /// Address on YouTube.
    pub youtube_url: Option<&'static str>,
    /// Address on Bandcamp.
    pub bandcamp_url: Option<&'static str>,
}

/// Everybody on the label, in no order.
pub fn artists() -> &'static [SampleArtist] {
    artists::ARTISTS
}

/// Every record, oldest number first.
pub fn releases() -> Vec<SampleRelease> {
    [early::RELEASES, late::RELEASES].concat()
}

/// The inner sleeve of the record with that catalogue number.
pub fn sheet(catalog: Option<&str>) -> Option<&'static SampleSheet> {
    sheets::SHEETS.iter().find(|sheet| Some(sheet.catalog) == catalog)
}

/// Somebody with a portrait and nothing else yet.
const fn artist(name: &'static str) -> SampleArtist {
    SampleArtist {
        name,
        bio: None,
        portrait: true,
        featured: false,
        spotify_url: None,
        soundcloud_url: None,
        instagram_url: None,
        youtube_url: None,
        apple_music_url: None,
        website: None,
        twitter: None,
    }
}

/// A record with a sleeve and nothing else yet.
const fn release(catalog: &'static str, title: &'static str) -> SampleRelease {
    SampleRelease {
        title,
        catalog: Some(catalog),
        artist: None,
        release_date: None,
        description: None,
        artwork: true,
        featured: false,
        spotify_url: None,
        soundcloud_url: None,
        apple_music_url: None,
        youtube_url: None,
        bandcamp_url: None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rules::catalog::catalog_label;
    use rules::embed::embed_url;

    use super::{artists, releases, sheet, sheets::SHEETS};

    #[test]
    fn it_is_a_label_of_the_promised_size() {
        assert!(artists().len() >= 14, "{}", artists().len());
        assert!(releases().len() >= 44, "{}", releases().len());
        assert!(artists().iter().filter(|artist| artist.portrait).count() >= 12);
        assert!(releases().iter().filter(|release| release.artwork).count() >= 40);
    }

    #[test]
    fn names_and_numbers_are_given_once() {
        let names: HashSet<_> = artists().iter().map(|artist| artist.name).collect();
        assert_eq!(names.len(), artists().len());
        let mut seen = HashSet::new();
        for release in releases() {
            assert!(release.catalog.is_none_or(|catalog| seen.insert(catalog)), "{:?}", release.catalog);
        }
    }

    #[test]
    fn every_record_is_by_somebody_on_the_label_or_by_nobody() {
        for release in releases() {
            let known = release.artist.is_none_or(|name| artists().iter().any(|artist| artist.name == name));
            assert!(known, "{:?}", release.artist);
        }
    }

    #[test]
    fn every_streaming_link_gives_a_player_unless_it_is_none() {
        let (mut spotify, mut soundcloud, mut neither) = (0, 0, 0);
        for release in releases() {
            let player = embed_url(release.spotify_url, release.soundcloud_url);
            match (release.spotify_url, release.soundcloud_url) {
                (None, None) => {
                    assert_eq!(player, None, "{}", release.title);
                    neither += 1;
                }
                (Some(_), _) => {
                    assert!(
                        player.is_some_and(|url| url.contains("open.spotify.com/embed/")),
                        "{}",
                        release.title
                    );
                    assert!(
                        release.soundcloud_url.is_none_or(|link| embed_url(None, Some(link)).is_some()),
                        "{}",
                        release.title
                    );
                    spotify += 1;
                }
                (None, Some(_)) => {
                    assert!(
                        player.is_some_and(|url| url.contains("w.soundcloud.com/player")),
                        "{}",
                        release.title
                    );
                    soundcloud += 1;
                }
            }
        }
        assert!(spotify >= 20 && soundcloud >= 8 && neither >= 3, "{spotify} {soundcloud} {neither}");
    }

    #[test]
    fn the_links_take_every_form_the_players_know() {
        let all = releases();
        let spotify: Vec<_> = all.iter().filter_map(|release| release.spotify_url).collect();
        for form in ["/album/", "/track/", "/playlist/", "/episode/", "/intl-de/", "?si="] {
            assert!(spotify.iter().any(|link| link.contains(form)), "{form}");
        }
        let soundcloud: Vec<_> = all.iter().filter_map(|release| release.soundcloud_url).collect();
        for form in ["/sets/", "?utm_", "//m.soundcloud", "//www.soundcloud"] {
            assert!(soundcloud.iter().any(|link| link.contains(form)), "{form}");
        }
    }

    #[test]
    fn most_texts_end_with_their_number_and_some_do_not() {
        let (mut with, mut without) = (0, 0);
        for release in releases() {
            let label = catalog_label(release.description);
            if label == "N/A" {
                without += 1;
            } else {
                assert_eq!(Some(label.as_str()), release.catalog, "{}", release.title);
                with += 1;
            }
        }
        assert!(with >= 30 && without >= 4, "{with} {without}");
    }

    #[test]
    fn every_sheet_is_of_a_record_and_reads_as_pasted() {
        for one in SHEETS {
            let of = releases().into_iter().find(|release| release.catalog == Some(one.catalog));
            assert!(of.is_some(), "{}", one.catalog);
            assert!(!rules::track_list::tracks(one.tracks).unwrap().is_empty());
            assert!(rules::track_list::credits(one.credits).is_some(), "{}", one.catalog);
        }
    }

    #[test]
    fn there_are_gaps_of_every_kind() {
        let all = releases();
        assert!(all.iter().any(|release| release.release_date.is_none()));
        assert!(all.iter().any(|release| release.artist.is_none()));
        assert!(all.iter().any(|release| !release.artwork));
        assert!(all.iter().any(|release| release.description.is_none()));
        assert!(artists().iter().any(|artist| artist.bio.is_none()));
        assert!(artists().iter().any(|artist| !artist.portrait));
        for count in [0, 1] {
            let has = |name| all.iter().filter(|release| release.artist == Some(name)).count() == count;
            assert!(artists().iter().any(|artist| has(artist.name)), "nobody has {count} records");
        }
    }

    #[test]
    fn dates_are_dates_between_2019_and_2026() {
        for date in releases().iter().filter_map(|release| release.release_date) {
            assert!(("2019-01-01".."2027-01-01").contains(&date), "{date}");
            assert!(date.parse::<jiff::civil::Date>().is_ok(), "{date}");
        }
    }

    #[test]
    fn the_label_could_have_typed_all_of_it_into_its_own_forms() {
        let own = |text: Option<&str>| text.map(str::to_owned);
        for artist in artists() {
            let form = rules::artist::ArtistForm {
                name: artist.name.to_owned(),
                bio: own(artist.bio),
                image_url: None,
                spotify_url: own(artist.spotify_url),
                soundcloud_url: own(artist.soundcloud_url),
                apple_music_url: own(artist.apple_music_url),
                youtube_url: own(artist.youtube_url),
                instagram_url: own(artist.instagram_url),
                website: own(artist.website),
                twitter: own(artist.twitter),
                featured: artist.featured,
            };
            let checked = rules::artist::check_artist(form.clone());
            assert_eq!(checked, Ok(form));
        }
        for release in releases() {
            let form = rules::release::ReleaseForm {
                title: release.title.to_owned(),
                // An import may leave the date out; the form asks for one.
                release_date: release.release_date.unwrap_or("2026-01-01").to_owned(),
                catalog: own(release.catalog),
                description: own(release.description),
                spotify_url: own(release.spotify_url),
                soundcloud_url: own(release.soundcloud_url),
                apple_music_url: own(release.apple_music_url),
                youtube_url: own(release.youtube_url),
                bandcamp_url: own(release.bandcamp_url),
                featured: release.featured,
                format: sheet(release.catalog).map(|sheet| sheet.format.to_owned()),
                tracks: sheet(release.catalog)
                    .map_or_else(Vec::new, |sheet| rules::track_list::tracks(sheet.tracks).unwrap()),
                credits: sheet(release.catalog)
                    .map_or_else(Vec::new, |sheet| rules::track_list::credits(sheet.credits).unwrap()),
                ..rules::release::ReleaseForm::default()
            };
            let checked = rules::release::check_release(form.clone());
            assert_eq!(checked, Ok(form));
        }
    }
}
