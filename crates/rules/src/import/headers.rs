//! Which column is which field, by what its header says.

use serde::{Deserialize, Serialize};

use crate::search::folded;

macro_rules! fields {
    ($($(#[$meta:meta])* $field:ident = $name:literal, [$($header:literal),*];)+) => {
        /// What a column can hold.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Field {
            $($(#[$meta])* $field,)+
        }

        impl Field {
            /// Every field, in the order of an export.
            pub const ALL: &'static [Self] = &[$(Self::$field),+];

            /// Its name on the wire, and the header of an export.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$field => $name),+ }
            }

            /// What other programs call it, in English, German, French and Spanish: letters and digits in lower case, without
            /// accents.
            const fn headers(self) -> &'static [&'static str] {
                match self { $(Self::$field => &[$($header),*]),+ }
            }
        }
    };
}

fields! {
    /// The id that an export gives.
    Id = "id", [];
    /// Draft, scheduled or out.
    State = "state", [];
    /// When a scheduled one goes out, as an instant.
    GoesOutAt = "goes_out_at", [];
    /// The title.
    Title = "title",
        ["title", "releasetitle", "albumtitle", "album", "release", "name", "itemname", "titel", "albumtitel", "titre", "titulo"];
    /// The artist's name.
    Artist = "artist",
        ["artist", "artistname", "albumartist", "artists", "performer", "by", "kunstler", "kunstlername", "interpret", "artiste",
            "interprete", "artista"];
    /// The catalogue number.
    Catalog = "catalog",
        ["catalog", "catalogue", "catalognumber", "cataloguenumber", "catalogno", "catalogueno", "catalognum", "cataloguenum", "catno",
            "cat", "katalognummer", "katalognr", "katalog", "numerodecatalogue", "nodecatalogue", "ndecatalogue", "numerodecatalogo", "nodecatalogo",
            "catalogo"];
    /// The release date.
    ReleaseDate = "release_date",
        ["releasedate", "dateofrelease", "released", "releaseyear", "veroffentlichungsdatum", "erscheinungsdatum", "veroffentlicht",
            "erschienen", "datedesortie", "datedeparution", "fechadelanzamiento", "fechadepublicacion", "date", "datum", "fecha", "year",
            "jahr", "annee", "ano"];
    /// What there is to say.
    Description = "description",
        ["description", "notes", "about", "info", "text", "beschreibung", "anmerkungen", "notizen", "remarques", "descripcion", "notas"];
    /// The cover's address.
    CoverImageUrl = "cover_image_url",
        ["coverimageurl", "coverurl", "artworkurl", "imageurl", "cover", "artwork", "image", "coverbild", "pochette", "portada"];
    /// The release on Spotify.
    SpotifyUrl = "spotify_url", ["spotifyurl", "spotifylink", "spotify"];
    /// The release on `SoundCloud`.
    SoundcloudUrl = "soundcloud_url", ["soundcloudurl", "soundcloudlink", "soundcloud"];
    /// The release on Apple Music.
    AppleMusicUrl = "apple_music_url", ["applemusicurl", "applemusiclink", "applemusic", "itunes"];
    /// The release on `YouTube`.
    YoutubeUrl = "youtube_url", ["youtubeurl", "youtubelink", "youtube"];
    /// The release on Bandcamp.
    BandcampUrl = "bandcamp_url", ["bandcampurl", "bandcamplink", "bandcamp"];
    /// Marked for attention.
    Featured = "featured", ["featured", "hervorgehoben", "misenavant", "destacado"];
    /// What it comes as.
    Format = "format", ["format", "formats", "medium", "media", "formate", "tontrager", "support", "formato"];
    /// Its tracks, a line for each.
    Tracks = "tracks",
        ["tracks", "tracklist", "tracklisting", "titelliste", "trackliste", "listedestitres", "pistes", "listadecanciones", "pistas"];
    /// Its credits, a line for each.
    Credits = "credits", ["credits", "personnel", "mitwirkende", "creditos"];
}

/// The field of each column; none for those that nothing is taken from. A field is given once: to the column whose header
/// is its own name, else to the one whose header says it best, the first of equals.
///
/// ```
/// use rules::import::{Field, columns};
/// assert_eq!(columns(&["Catalog#", "Artist", "Year", "Released"]),
///     [Some(Field::Catalog), Some(Field::Artist), None, Some(Field::ReleaseDate)]);
/// ```
pub fn columns<T: AsRef<str>>(headers: &[T]) -> Vec<Option<Field>> {
    let mut columns = vec![None; headers.len()];
    for field in Field::ALL {
        let best = headers
            .iter()
            .enumerate()
            .filter(|(place, _)| columns[*place].is_none())
            .filter_map(|(place, header)| Some((rank(*field, header.as_ref())?, place)))
            .min();
        if let Some((_, place)) = best {
            columns[place] = Some(*field);
        }
    }
    columns
}

/// How well a header says a field: 0 is best.
fn rank(field: Field, header: &str) -> Option<usize> {
    if header.trim() == field.name() {
        return Some(0);
    }
    // No header is that long.
    let header: String = header.chars().take(64).collect();
    let letters: String = folded(&header).chars().filter(|c| c.is_alphanumeric()).collect();
    field.headers().iter().position(|known| *known == letters).map(|place| place + 1)
}
