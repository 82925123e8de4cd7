//! The pictures of a page: the first visible one, which is preloaded, and the preview of its shared address.
//!
//! A preload must match the `<img>` of the web app exactly, or a browser loads both. Messengers skip large previews, and cannot read AVIF.

use deadwax_store::{columns::unsigned, objects};
use rules::image::{SHARED_EDGE_MAX, SHARED_MAX_BYTES};

use crate::{
    app::App, catalogue::releases::ReleaseView, files::picture::PictureSizes,
    newsletter::letters::parts::ShownPicture,
};

const SMALL_WIDTH: i64 = rules::image::SMALL_WIDTH as i64;

/// The width of the home page's background, including what a phone cuts off.
pub(super) const HERO_SIZES: &str = "max(100vw, min(103vh, 71rem))";
pub(super) const COVER_SIZES: &str = "(width >= 106rem) calc(25vw - 3rem), (width >= 64rem) calc(33.3vw - 3rem), (width >= 40rem) calc(50vw - 2rem), calc(100vw - 3rem)";
pub(super) const PORTRAIT_SIZES: &str = "(width >= 64rem) 42vw, (width >= 40rem) 100vw, calc(100vw - 3rem)";
pub(super) const SLEEVE_SIZES: &str = "(width >= 64rem) 42vw, (width >= 40rem) 100vw, calc(100vw - 3rem)";

#[derive(Clone, Copy, Debug)]
pub(super) struct Stored<'a> {
    pub(super) url: Option<&'a str>,
    pub(super) small_url: Option<&'a str>,
    pub(super) width: Option<i64>,
    pub(super) height: Option<i64>,
    pub(super) sizes: Option<&'a PictureSizes>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct FirstPicture {
    /// Its type, if only some browsers can show it.
    pub(super) kind: Option<&'static str>,
    pub(super) href: String,
    pub(super) srcset: Option<String>,
    pub(super) sizes: &'static str,
}

impl<'a> Stored<'a> {
    pub(super) fn cover(release: &'a ReleaseView) -> Self {
        Self {
            url: release.cover_image_url.as_deref(),
            small_url: release.image_small_url.as_deref(),
            width: release.image_width,
            height: release.image_height,
            sizes: release.image_sizes.as_ref(),
        }
    }
}

impl FirstPicture {
    /// A picture in its available sizes. Animated ones stand still only in lists.
    pub(super) fn new(stored: Stored<'_>, sizes: &'static str, is_still: bool) -> Option<Self> {
        let url = stored.url.filter(|url| !url.is_empty())?;
        let width = stored.width.unwrap_or(SMALL_WIDTH * 2);
        let Some(made) = stored.sizes else {
            let small = stored.small_url;
            let srcset = small.map(|small| format!("{small} {}w, {url} {width}w", SMALL_WIDTH.min(width)));
            return Some(Self { kind: None, href: small.unwrap_or(url).to_owned(), srcset, sizes });
        };
        if made.moving && !is_still {
            return Some(Self { kind: None, href: url.to_owned(), srcset: None, sizes });
        }
        let widest = made.widths.last().copied().unwrap_or(0);
        let href = made.widths.iter().rfind(|size| i64::from(**size) <= SMALL_WIDTH).unwrap_or(&widest);
        let mut srcset = made.srcset("avif");
        if rules::media_name::content_type(url) == Some("image/avif")
            && !made.moving
            && width > i64::from(widest)
        {
            srcset = format!("{srcset}, {url} {width}w");
        }
        let href = format!("{}-{href}.avif", made.base);
        Some(Self { kind: Some("image/avif"), href, srcset: Some(srcset), sizes })
    }
}

#[derive(Debug)]
pub(super) struct SharedPicture {
    pub(super) url: String,
    pub(super) measures: Option<(i64, i64)>,
}

pub(super) async fn fitting(
    app: &App,
    stored: Stored<'_>,
    widest: i64,
    highest: i64,
) -> sqlx::Result<Option<SharedPicture>> {
    let (Some(url), Some(width), Some(height)) = (stored.url, stored.width, stored.height) else {
        return Ok(None);
    };
    let most = i64::from(SHARED_EDGE_MAX);
    let mut forms = forms(url, width, stored);
    forms.sort_by_key(|(width, _)| std::cmp::Reverse(*width));
    for (form, url) in forms {
        let form_height = (height * form + width / 2) / width.max(1);
        if form > widest.min(most) || form_height > highest.min(most) {
            continue;
        }
        let Some(key) = url.strip_prefix(&objects::url("")) else { continue };
        let object = objects::find(&app.db, key).await?;
        if object.is_some_and(|object| unsigned(object.size_bytes) <= SHARED_MAX_BYTES) {
            let url = app.origin.full_address(&url);
            return Ok(Some(SharedPicture { url, measures: Some((form, form_height)) }));
        }
    }
    Ok(None)
}

fn forms(url: &str, width: i64, stored: Stored<'_>) -> Vec<(i64, String)> {
    let mut forms = Vec::new();
    if rules::media_name::content_type(url) != Some("image/avif") {
        forms.push((width, url.to_owned()));
    }
    forms.extend(stored.small_url.map(|small| (SMALL_WIDTH.min(width), small.to_owned())));
    if let Some(sizes) = stored.sizes {
        forms.extend(
            sizes
                .widths
                .iter()
                .map(|size| (i64::from(*size), format!("{}-{size}.{}", sizes.base, sizes.fallback))),
        );
    }
    forms
}

/// The preview of a stored picture. Of external ones nothing is known.
pub(super) async fn shared(app: &App, stored: Stored<'_>) -> sqlx::Result<Option<SharedPicture>> {
    let fitting = fitting(app, stored, i64::MAX, i64::MAX).await?;
    if fitting.is_some() {
        return Ok(fitting);
    }
    let url = stored.small_url.or(stored.url);
    Ok(url.map(|url| SharedPicture { url: app.origin.full_address(url), measures: None }))
}

/// The preview of a letter's copy of a picture.
pub(super) fn copied(app: &App, picture: &ShownPicture) -> SharedPicture {
    SharedPicture { url: app.origin.full_address(&picture.url), measures: picture.width.zip(picture.height) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str) -> String {
        let path = format!("{}/../../web/src/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn first(url: Option<&str>, small_url: Option<&str>, width: Option<i64>) -> Option<FirstPicture> {
        FirstPicture::new(Stored { url, small_url, width, height: None, sizes: None }, "100vw", false)
    }

    #[test]
    fn a_picture_comes_in_the_sizes_there_are() {
        let picture = first(Some("/media/a.avif"), Some("/media/b.jpg"), Some(1600)).unwrap();
        assert_eq!((picture.kind, picture.href.as_str()), (None, "/media/b.jpg"));
        assert_eq!(picture.srcset.as_deref(), Some("/media/b.jpg 640w, /media/a.avif 1600w"));
        let narrow = first(Some("/a"), Some("/b"), Some(500)).unwrap();
        assert_eq!(narrow.srcset.as_deref(), Some("/b 500w, /a 500w"));
        let unknown = first(Some("/a"), Some("/b"), None).unwrap();
        assert_eq!(unknown.srcset.as_deref(), Some("/b 640w, /a 1280w"));
        let alone = first(Some("https://a.example/x.jpg"), None, None).unwrap();
        assert_eq!((alone.href.as_str(), alone.srcset), ("https://a.example/x.jpg", None));
        assert_eq!(first(None, Some("/b"), None), None);
    }

    fn of_made(url: &str, width: i64, made: &PictureSizes, is_still: bool) -> FirstPicture {
        let stored =
            Stored { url: Some(url), small_url: None, width: Some(width), height: None, sizes: Some(made) };
        FirstPicture::new(stored, "100vw", is_still).unwrap()
    }

    /// The same as in `web/src/ui/pictureSources.test.ts`.
    #[test]
    fn sizes_that_are_made_are_asked_for_as_avif() {
        let mut made = PictureSizes {
            base: "/media/a-png-1".to_owned(),
            widths: vec![320, 640],
            fallback: "jpg".to_owned(),
            moving: false,
        };
        let srcset = "/media/a-png-1-320.avif 320w, /media/a-png-1-640.avif 640w";
        let picture = of_made("/media/a.png", 700, &made, false);
        assert_eq!((picture.kind, picture.href.as_str()), (Some("image/avif"), "/media/a-png-1-640.avif"));
        assert_eq!(picture.srcset.as_deref(), Some(srcset));
        let avif = of_made("/media/a.avif", 1600, &made, false);
        assert_eq!(avif.srcset, Some(format!("{srcset}, /media/a.avif 1600w")));
        made.widths = vec![300];
        made.moving = true;
        assert_eq!(of_made("/media/a.png", 700, &made, true).href, "/media/a-png-1-300.avif");
        let moving = of_made("/media/a.png", 700, &made, false);
        assert_eq!((moving.kind, moving.href.as_str(), moving.srcset), (None, "/media/a.png", None));
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
                ["sizes=", "SIZES =\n  "].iter().any(|name| source.contains(&format!("{name}\"{sizes}\"")));
            assert!(is_there, "{path}");
        }
        let catalogue = source("features/catalogue/ReleasesPage.tsx");
        assert!(catalogue.contains("isFirst={index === 0}"), "the first cover alone");
    }
}
