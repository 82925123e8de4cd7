//! The picture that is seen first on a page, asked for before the app is here.
//!
//! What is asked for must be what the app's `<img>` asks for later, in the same words: a browser loads both otherwise.

/// Width of the small form that the server makes of every picture.
const SMALL_WIDTH: i64 = rules::image::SMALL_WIDTH as i64;

/// How wide the home page shows its background.
pub(super) const HERO_SIZES: &str = "100vw";
/// How wide the catalogue shows a cover.
pub(super) const COVER_SIZES: &str =
    "(width >= 106rem) 25vw, (width >= 64rem) 33vw, (width >= 40rem) 50vw, 58vw";
/// How wide an artist's page shows the portrait.
pub(super) const PORTRAIT_SIZES: &str = "(width >= 64rem) 42vw, 100vw";

/// A picture as an `<img>` names it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FirstPicture {
    pub(super) href: String,
    pub(super) srcset: Option<String>,
    pub(super) sizes: &'static str,
}

impl FirstPicture {
    /// A stored picture with its small form, if there is a picture.
    pub(super) fn new(
        url: Option<&str>,
        small_url: Option<&str>,
        width: Option<i64>,
        sizes: &'static str,
    ) -> Option<Self> {
        let url = url.filter(|url| !url.is_empty())?;
        let width = width.unwrap_or(SMALL_WIDTH * 2);
        let srcset = small_url.map(|small| format!("{small} {}w, {url} {width}w", SMALL_WIDTH.min(width)));
        Some(Self { href: small_url.unwrap_or(url).to_owned(), srcset, sizes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str) -> String {
        let path = format!("{}/../../web/src/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    #[test]
    fn a_picture_comes_in_the_sizes_there_are() {
        let picture = FirstPicture::new(Some("/media/a.avif"), Some("/media/b.jpg"), Some(1600), "100vw");
        let picture = picture.unwrap();
        assert_eq!(picture.href, "/media/b.jpg");
        assert_eq!(picture.srcset.as_deref(), Some("/media/b.jpg 640w, /media/a.avif 1600w"));
        let narrow = FirstPicture::new(Some("/a"), Some("/b"), Some(500), "100vw").unwrap();
        assert_eq!(narrow.srcset.as_deref(), Some("/b 500w, /a 500w"));
        let unknown = FirstPicture::new(Some("/a"), Some("/b"), None, "100vw").unwrap();
        assert_eq!(unknown.srcset.as_deref(), Some("/b 640w, /a 1280w"));
        let alone = FirstPicture::new(Some("https://a.example/x.jpg"), None, None, "100vw").unwrap();
        assert_eq!((alone.href.as_str(), alone.srcset), ("https://a.example/x.jpg", None));
        assert_eq!(FirstPicture::new(None, Some("/b"), None, "100vw"), None);
    }

    #[test]
    fn the_app_shows_pictures_in_the_same_sizes() {
        for (path, sizes) in [
            ("features/content/HomeHero.tsx", HERO_SIZES),
            ("features/catalogue/ReleaseCard.tsx", COVER_SIZES),
            ("features/catalogue/ArtistPage.tsx", PORTRAIT_SIZES),
        ] {
            let source = source(path);
            let is_there =
                ["sizes=", "SIZES = "].iter().any(|name| source.contains(&format!("{name}\"{sizes}\"")));
            assert!(is_there, "{path}");
        }
        let catalogue = source("features/catalogue/ReleasesPage.tsx");
        assert!(catalogue.contains("isFirst={index === 0}"), "the first cover alone");
    }
}
