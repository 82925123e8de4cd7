//! Entries about input: files, and text that others read. Rules are tried on samples they must refuse, and the newest rows are checked
//! against today's rules.

use std::time::Duration;

use deadwax_store::{db::Db, spool::Spool, statements, storage::Storage};
use rules::{
    artist::{ArtistForm, check_artist},
    avatar::AVATAR_MAX_BYTES,
    demo::{DEMO_MAX_BYTES, FREE_BYTES},
    format::bytes_label,
    hero::HERO_MAX_BYTES,
    image::IMAGE_MAX_BYTES,
    media::{LIBRARY_MAX_BYTES, LIBRARY_MAX_FILES, MEDIA_MAX_BYTES, MediaError, check_media},
    product::{ProductForm, check_product},
    release::{ReleaseForm, check_release},
    upload::{FileInfo, MEGABYTE},
};

use serde_json::json;

use super::{Finding, Status, counted, people::Recent};
use crate::{
    catalogue::artist_edits::{self, EditableArtist},
    editing::versions::VersionKind,
    exports::{TableRow, select_table_rows},
    files::library::{images, store},
};

statements! {
    RELEASES = concat!(select_table_rows!(), " WHERE r.deleted_at IS NULL ORDER BY r.created_at DESC, r.id DESC LIMIT $1");
    PRODUCTS = "SELECT title, description, image_url, category FROM store_products WHERE deleted_at IS NULL \
        ORDER BY created_at DESC, id DESC LIMIT $1";
}

const ROWS: i64 = 200;
const NEARLY_FULL: u64 = 90;
/// How long the storage may take to store a file, give it back and remove it.
const STORAGE_WAIT: Duration = Duration::from_secs(5);
const SOME_DAY: &str = "2000-01-01";

pub(super) async fn uploads(
    db: &Db,
    spool: &Spool,
    storage: &Storage,
    recent: &Recent,
) -> sqlx::Result<Finding> {
    let taken = store::taken(db).await?;
    let free = spool.free_bytes().await.unwrap_or(0);
    let place = match storage {
        Storage::Local { .. } => "a folder of this machine",
        Storage::Bucket(_) => "a bucket",
    };
    let fault = match tokio::time::timeout(STORAGE_WAIT, storage.probe()).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some(format!("{place} does not answer")),
    };
    let let_in = let_in();
    let mut parts = vec![if let_in.is_empty() {
        (
            Status::Pass,
            format!(
                "Names, types and first bytes are judged: files that only claim to be pictures or videos were refused just now. At \
                 most {} MB for an image, {} MB for the home page's, {} MB for media, {} MB for an avatar, {} MB for a demo.",
                IMAGE_MAX_BYTES / MEGABYTE,
                HERO_MAX_BYTES / MEGABYTE,
                MEDIA_MAX_BYTES / MEGABYTE,
                AVATAR_MAX_BYTES / MEGABYTE,
                DEMO_MAX_BYTES / MEGABYTE
            ),
        )
    } else {
        (Status::Fail, format!("Let in just now: {}.", let_in.join(", ")))
    }];
    parts.extend(fault.map(|fault| (Status::Fail, format!("Files cannot be stored: {fault}."))));
    parts.push((
        Status::Warning.when(taken.percent() >= NEARLY_FULL),
        format!(
            "The library, in {place}, holds {} of {} files and {} of {}.",
            taken.files,
            LIBRARY_MAX_FILES,
            bytes_label(taken.bytes),
            bytes_label(LIBRARY_MAX_BYTES)
        ),
    ));
    parts.push((
        Status::Warning.when(free < FREE_BYTES),
        format!("{} of this machine's disk are free.", bytes_label(free)),
    ));
    let refused = counted(recent.uploads_refused, "upload");
    parts.push((Status::Pass, format!("{} {refused} refused.", recent.since)));
    Ok(Finding::of(parts))
}

fn let_in() -> Vec<&'static str> {
    let of_name =
        [("flyer.exe.png", "image/png"), ("flyer.svg", "image/svg+xml"), ("flyer.html", "text/html")];
    let by_name = of_name.into_iter().filter_map(|(name, media_type)| {
        let file = FileInfo { name: name.to_owned(), media_type: media_type.to_owned(), size_bytes: 1.0 };
        check_media(&file).is_ok().then_some(name)
    });
    let of_bytes: [(&str, &[u8]); 3] = [
        ("a page", b"<!doctype html><script>alert(1)</script>"),
        ("a drawing with a script", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
        ("a program", b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0"),
    ];
    let by_bytes =
        of_bytes.into_iter().filter(|(_, head)| images::media_type(head).is_some()).map(|(what, _)| what);
    let too_large = FileInfo {
        name: "video.mp4".to_owned(),
        media_type: "video/mp4".to_owned(),
        size_bytes: f64::from(u32::MAX),
    };
    let by_size = (check_media(&too_large) != Err(MediaError::TooLarge)).then_some("a video of 4 GB");
    by_name.chain(by_bytes).chain(by_size).collect()
}

pub(super) async fn sanitising(db: &Db) -> sqlx::Result<Finding> {
    let kept = kept();
    let (read, broken) = rows(db).await?;
    Ok(Finding::of([
        if kept.is_empty() {
            (
                Status::Pass,
                "Markup is taken out, addresses that run something are emptied, control characters are refused: tried just now."
                    .to_owned(),
            )
        } else {
            (Status::Fail, format!("Not cleaned just now: {}.", kept.join(", ")))
        },
        (
            Status::Warning.when(broken > 0),
            format!(
                "Of the newest artists, releases and products ({}) {broken} hold what the rules take out or refuse today.",
                counted(read, "row")
            ),
        ),
    ]))
}

/// Samples that should have been stripped or refused, but were not.
fn kept() -> Vec<&'static str> {
    let form = |name: &str, url: &str| ArtistForm {
        name: name.to_owned(),
        image_url: Some(url.to_owned()),
        ..ArtistForm::default()
    };
    let stored = |name: &str, url: &str| check_artist(form(name, url)).ok();
    [
        ("markup", stored("<img src=x onerror=alert(1)>A", "").is_none_or(|artist| artist.name != "A")),
        ("javascript:", stored("A", "JaVa\tscript:alert(1)").is_none_or(|artist| artist.image_url.is_some())),
        ("a half tag", stored("A <img", "").is_some()),
        ("a NUL character", stored("A\0", "").is_some()),
        ("an address with a hidden host", stored("A", "https://label.example@evil.example/").is_some()),
    ]
    .into_iter()
    .filter_map(|(what, is_kept)| is_kept.then_some(what))
    .collect()
}

type Text = Option<String>;
type ProductRow = (String, Text, Text, Text);

async fn rows(db: &Db) -> sqlx::Result<(usize, usize)> {
    let artists = artist_edits::list_newest(db, ROWS).await?;
    let releases = db.query(RELEASES).bind(ROWS).all::<TableRow>().await?;
    let products = db.query(PRODUCTS).bind(ROWS).all::<ProductRow>().await?;
    let read = artists.len() + releases.len() + products.len();
    let broken =
        artists.into_iter().filter(|row| !form_of(row).is_some_and(|form| is_clean_artist(&form))).count()
            + releases.into_iter().filter(|row| !is_clean_release(row.form())).count()
            + products.into_iter().filter(|row| !is_clean_product(row)).count();
    Ok((read, broken))
}

fn said(text: &Text) -> Text {
    text.clone().filter(|text| !text.is_empty())
}

/// The form an edit of the artist would begin with, without blank fields.
fn form_of(artist: &EditableArtist) -> Option<ArtistForm> {
    let mut form = VersionKind::Artist.of(&json!(artist));
    form.retain(|_, value| !value.is_null() && value != "");
    serde_json::from_value(form.into()).ok()
}

fn is_clean_artist(form: &ArtistForm) -> bool {
    check_artist(form.clone()).is_ok_and(|checked| checked == *form)
}

fn is_clean_release(mut form: ReleaseForm) -> bool {
    if form.release_date.is_empty() {
        SOME_DAY.clone_into(&mut form.release_date);
    }
    check_release(form.clone()) == Ok(form)
}

fn is_clean_product((title, description, image, category): &ProductRow) -> bool {
    let form = ProductForm {
        title: title.clone(),
        description: said(description),
        price: Some("0".to_owned()),
        image_url: said(image),
        stock_quantity: Some("0".to_owned()),
        category: said(category),
        featured: false,
        active: true,
    };
    check_product(form.clone()).is_ok_and(|product| {
        (product.title, product.description, product.image_url, product.category)
            == (form.title, form.description, form.image_url, form.category)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_hold_today() {
        assert_eq!((let_in(), kept()), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_row_that_the_rules_would_change_or_refuse_is_not_clean() {
        let artist = |name: &str, bio: &str, url: &str| {
            let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let form = ArtistForm { name: name.to_owned(), bio: said(bio), ..ArtistForm::default() };
            is_clean_artist(&ArtistForm { image_url: said(url), ..form })
        };
        assert!(artist("D'Angelo & co", "", "/media/artists/artist-1.png"));
        assert!(!artist("<b>D</b>", "", ""));
        assert!(!artist("D", "<script>", ""));
        assert!(!artist("D", "", "javascript:alert(1)"));
        let website = Some("javascript:alert(1)".to_owned());
        assert!(!is_clean_artist(&ArtistForm { name: "D".to_owned(), website, ..ArtistForm::default() }));
        let release = |release_date: &str| {
            let (title, release_date) = ("T".to_owned(), release_date.to_owned());
            is_clean_release(ReleaseForm { title, release_date, ..ReleaseForm::default() })
        };
        assert!(release("") && release("2026-02-28") && !release("2026-02-30"));
        let product =
            |category: &str| is_clean_product(&("T".to_owned(), None, None, Some(category.to_owned())));
        assert!(product("Vinyl") && !product("<i>Vinyl</i>"));
    }
}
