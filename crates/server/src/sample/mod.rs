//! A made-up label to look at before there is a real one: `deadwax sample`.
//!
//! `crates/server/sample` holds its catalogue as JSON and its pictures as files: each in full and, beside it,
//! in the width of a list (`-small.webp`).

pub mod load;

use rules::{artist::ArtistForm, release::ReleaseForm};
use rust_embed::RustEmbed;
use serde::Deserialize;

#[derive(RustEmbed)]
#[folder = "sample"]
struct Files;

/// The catalogue, as its label would have typed it. Pictures are named by their path in the folder.
#[derive(Clone, Debug, Deserialize)]
pub struct Catalogue {
    pub artists: Vec<ArtistForm>,
    pub releases: Vec<SampleRelease>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SampleRelease {
    pub artist: Option<String>,
    /// Everything else. A release may have no date, which the form would ask for.
    pub release: ReleaseForm,
}

/// The sample catalogue.
///
/// # Panics
///
/// Never: a test reads the file that is built in.
#[expect(clippy::expect_used, reason = "the file is part of the program")]
pub fn catalogue() -> Catalogue {
    let file = Files::get("catalogue.json").expect("the sample catalogue is built in");
    serde_json::from_slice(&file.data).expect("the sample catalogue is valid")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rules::{artist::check_artist, catalog::catalog_label, embed::embed_url, release::check_release};

    use super::{Files, catalogue};

    #[test]
    fn it_is_a_label_of_the_promised_size() {
        let label = catalogue();
        assert!(label.artists.len() >= 14, "{}", label.artists.len());
        assert!(label.releases.len() >= 44, "{}", label.releases.len());
        assert!(label.artists.iter().filter(|artist| artist.image_url.is_some()).count() >= 12);
        assert!(label.releases.iter().filter(|one| one.release.cover_image_url.is_some()).count() >= 40);
    }

    #[test]
    fn names_and_numbers_are_given_once() {
        let label = catalogue();
        let names: HashSet<_> = label.artists.iter().map(|artist| &artist.name).collect();
        assert_eq!(names.len(), label.artists.len());
        let mut seen = HashSet::new();
        for one in &label.releases {
            assert!(one.release.catalog.as_ref().is_none_or(|number| seen.insert(number)), "{one:?}");
            assert!(one.artist.as_ref().is_none_or(|name| names.contains(name)), "{one:?}");
        }
    }

    #[test]
    fn every_picture_is_a_light_file_with_a_small_version_and_no_file_is_left_over() {
        let label = catalogue();
        let pictures = label.artists.iter().filter_map(|artist| artist.image_url.as_ref());
        let pictures =
            pictures.chain(label.releases.iter().filter_map(|one| one.release.cover_image_url.as_ref()));
        let mut named = HashSet::from(["catalogue.json".to_owned()]);
        for path in pictures {
            let small = format!("{}-small.webp", path.strip_suffix(".png").unwrap());
            assert!(Files::get(path).unwrap().data.len() <= 250_000, "{path}");
            assert!(Files::get(&small).unwrap().data.len() <= 80_000, "{small}");
            named.extend([path.clone(), small]);
        }
        assert_eq!(Files::iter().map(|path| path.to_string()).collect::<HashSet<_>>(), named);
    }

    #[test]
    fn every_streaming_link_gives_a_player() {
        let (mut spotify, mut soundcloud, mut neither) = (0, 0, 0);
        for one in catalogue().releases {
            let form = one.release;
            let player =
                embed_url(form.spotify_url.as_deref(), form.soundcloud_url.as_deref()).unwrap_or_default();
            match (form.spotify_url, form.soundcloud_url) {
                (None, None) => {
                    assert_eq!(player, "", "{}", form.title);
                    neither += 1;
                }
                (Some(_), other) => {
                    assert!(player.contains("open.spotify.com/embed/"), "{}", form.title);
                    assert!(
                        other.is_none_or(|link| embed_url(None, Some(&link)).is_some()),
                        "{}",
                        form.title
                    );
                    spotify += 1;
                }
                (None, Some(_)) => {
                    assert!(player.contains("w.soundcloud.com/player"), "{}", form.title);
                    soundcloud += 1;
                }
            }
        }
        assert!(spotify >= 20 && soundcloud >= 8 && neither >= 3, "{spotify} {soundcloud} {neither}");
    }

    #[test]
    fn the_links_take_every_form_the_players_know() {
        let releases = catalogue().releases;
        let spotify: Vec<_> = releases.iter().filter_map(|one| one.release.spotify_url.as_ref()).collect();
        for form in ["/album/", "/track/", "/playlist/", "/episode/", "/intl-de/", "?si="] {
            assert!(spotify.iter().any(|link| link.contains(form)), "{form}");
        }
        let soundcloud: Vec<_> =
            releases.iter().filter_map(|one| one.release.soundcloud_url.as_ref()).collect();
        for form in ["/sets/", "?utm_", "//m.soundcloud", "//www.soundcloud"] {
            assert!(soundcloud.iter().any(|link| link.contains(form)), "{form}");
        }
    }

    #[test]
    fn most_texts_end_with_their_number_and_some_do_not() {
        let (mut with, mut without) = (0, 0);
        for one in catalogue().releases {
            let label = catalog_label(one.release.description.as_deref());
            if label == "N/A" {
                without += 1;
            } else {
                assert_eq!(Some(label), one.release.catalog);
                with += 1;
            }
        }
        assert!(with >= 30 && without >= 4, "{with} {without}");
    }

    #[test]
    fn there_are_gaps_of_every_kind() {
        let label = catalogue();
        let releases: Vec<_> = label.releases.iter().map(|one| &one.release).collect();
        assert!(releases.iter().any(|release| release.release_date.is_empty()));
        assert!(label.releases.iter().any(|one| one.artist.is_none()));
        assert!(releases.iter().any(|release| release.cover_image_url.is_none()));
        assert!(releases.iter().any(|release| release.description.is_none()));
        assert!(label.artists.iter().any(|artist| artist.bio.is_none()));
        assert!(label.artists.iter().any(|artist| artist.image_url.is_none()));
        for count in [0, 1] {
            let records =
                |name: &String| label.releases.iter().filter(|one| one.artist.as_ref() == Some(name)).count();
            assert!(
                label.artists.iter().any(|artist| records(&artist.name) == count),
                "no artist has {count}"
            );
        }
    }

    #[test]
    fn the_label_could_have_typed_all_of_it_into_its_own_forms() {
        let label = catalogue();
        for artist in label.artists {
            let form = rules::artist::ArtistForm { image_url: None, ..artist };
            assert_eq!(check_artist(form.clone()), Ok(form));
        }
        for one in label.releases {
            let mut form = rules::release::ReleaseForm { cover_image_url: None, ..one.release };
            if form.release_date.is_empty() {
                // An import may leave the date out; the form asks for one.
                "2026-01-01".clone_into(&mut form.release_date);
            }
            assert!(
                ("2019-01-01".."2027-01-01").contains(&form.release_date.as_str()),
                "{}",
                form.release_date
            );
            assert_eq!(check_release(form.clone()), Ok(form));
        }
    }
}
