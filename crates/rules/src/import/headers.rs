//! Assigns columns to fields by their headers.

use serde::{Deserialize, Serialize};

use crate::search::folded;

macro_rules! fields {
    ($(#[$about:meta])* $fields:ident: $($(#[$meta:meta])* $field:ident = $name:literal, [$($header:literal),*];)+) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $fields {
            $($(#[$meta])* $field,)+
        }

        impl $fields {
            /// Every field, in the order of a list to choose from.
            pub const ALL: &'static [Self] = &[$(Self::$field),+];

            /// Name in JSON, and header of an export.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$field => $name),+ }
            }

            /// Headers of other programs in English, German, French and Spanish: letters and digits in lower case, without
            /// accents.
            const fn headers(self) -> &'static [&'static str] {
                match self { $(Self::$field => &[$($header),*]),+ }
            }
        }

        impl $crate::import::headers::Column for $fields {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn headers(self) -> &'static [&'static str] {
                self.headers()
            }
        }
    };
}
pub(crate) use fields;

/// A field that is found by the header of its column.
pub(crate) trait Column: Copy + 'static {
    const ALL: &'static [Self];
    fn name(self) -> &'static str;
    fn headers(self) -> &'static [&'static str];
}

fields! {
    /// A field that a column can hold.
    Field:
    /// Id from an export.
    Id = "id", [];
    /// Draft, scheduled or out.
    State = "state", [];
    /// Instant when a scheduled release is published.
    GoesOutAt = "goes_out_at", [];
    /// Title.
    Title = "title",
        ["title", "releasetitle", "albumtitle", "album", "release", "name", "itemname", "titel", "albumtitel", "titre", "titulo"];
    /// Artist name.
    Artist = "artist",
        ["artist", "artistname", "albumartist", "artists", "performer", "by", "kunstler", "kunstlername", "interpret", "artiste",
            "interprete", "artista"];
    /// Catalogue number.
    Catalog = "catalog",
        ["catalog", "catalogue", "catalognumber", "cataloguenumber", "catalogno", "catalogueno", "catalognum", "cataloguenum", "catno",
            "cat", "katalognummer", "katalognr", "katalog", "numerodecatalogue", "nodecatalogue", "ndecatalogue", "numerodecatalogo", "nodecatalogo",
            "catalogo"];
    /// Release date.
    ReleaseDate = "release_date",
        ["releasedate", "dateofrelease", "released", "releaseyear", "veroffentlichungsdatum", "erscheinungsdatum", "veroffentlicht",
            "erschienen", "datedesortie", "datedeparution", "fechadelanzamiento", "fechadepublicacion", "date", "datum", "fecha", "year",
            "jahr", "annee", "ano"];
    /// Description.
    Description = "description",
        ["description", "notes", "about", "info", "text", "beschreibung", "anmerkungen", "notizen", "remarques", "descripcion", "notas"];
    /// URL of the cover.
    CoverImageUrl = "cover_image_url",
        ["coverimageurl", "coverurl", "artworkurl", "imageurl", "cover", "artwork", "image", "coverbild", "pochette", "portada"];
    /// Spotify URL.
    SpotifyUrl = "spotify_url", ["spotifyurl", "spotifylink", "spotify"];
    /// `SoundCloud` URL.
    SoundcloudUrl = "soundcloud_url", ["soundcloudurl", "soundcloudlink", "soundcloud"];
    /// Apple Music URL.
    AppleMusicUrl = "apple_music_url", ["applemusicurl", "applemusiclink", "applemusic", "itunes"];
    /// `YouTube` URL.
    YoutubeUrl = "youtube_url", ["youtubeurl", "youtubelink", "youtube"];
    /// Bandcamp URL.
    BandcampUrl = "bandcamp_url", ["bandcampurl", "bandcamplink", "bandcamp"];
    /// Marked in the dashboard.
    Featured = "featured", ["featured", "hervorgehoben", "misenavant", "destacado"];
    /// Format, such as vinyl.
    Format = "format", ["format", "formats", "medium", "media", "formate", "tontrager", "support", "formato"];
    /// Tracks, one per line.
    Tracks = "tracks",
        ["tracks", "tracklist", "tracklisting", "titelliste", "trackliste", "listedestitres", "pistes", "listadecanciones", "pistas"];
    /// Credits, one per line.
    Credits = "credits", ["credits", "personnel", "mitwirkende", "creditos"];
}

/// The field of each column; `None` for ignored columns. Each field is assigned once: to the column with its own name as
/// header, else to the best match, the first of equals.
///
/// ```
/// use rules::import::{Field, columns};
/// assert_eq!(columns(&["Catalog#", "Artist", "Year", "Released"]),
///     [Some(Field::Catalog), Some(Field::Artist), None, Some(Field::ReleaseDate)]);
/// ```
pub fn columns<T: AsRef<str>>(headers: &[T]) -> Vec<Option<Field>> {
    assigned(headers)
}

/// Assigns columns to the fields of any table.
pub(crate) fn assigned<F: Column, T: AsRef<str>>(headers: &[T]) -> Vec<Option<F>> {
    let mut columns = vec![None; headers.len()];
    for field in F::ALL {
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

/// How well a header matches a field; 0 is best.
fn rank<F: Column>(field: F, header: &str) -> Option<usize> {
    if header.trim() == field.name() {
        return Some(0);
    }
    // Headers are shorter.
    let header: String = header.chars().take(64).collect();
    let letters: String = folded(&header).chars().filter(|c| c.is_alphanumeric()).collect();
    field.headers().iter().position(|known| *known == letters).map(|place| place + 1)
}
