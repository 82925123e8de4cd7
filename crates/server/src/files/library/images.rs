//! Uploaded pictures: recognised by their first bytes, decoded, and stored by `POST /api/admin/images` for a form that is not yet saved.

use axum::response::Response;
use deadwax_http::{
    error::{AppError, AppResult},
    extract::ApiQuery,
};
use deadwax_pictures as pictures;
use http::{HeaderMap, StatusCode, Uri};
use rules::image::{IMAGE_MAX_BYTES, ImageError, PIXELS_MAX, PictureError, check_image};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::store::{self, Accepted, Folder};
use crate::{
    app::App,
    editing::Editor,
    files::file_form::{self, Form, SentFile},
    files::picture,
    requests::idempotency::{self, ClaimedRequest, IdempotencyKey, Repeatable},
};

/// Where the picture belongs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImagePlace {
    /// `artists`, `releases` or `uploads`.
    #[param(inline)]
    pub folder: Folder,
}

/// An upload.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form for the contract; the form is read as a stream")]
pub struct ImageForm {
    /// A JPEG, PNG, WebP or GIF picture of at most 5 MB.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// A stored picture.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StoredImage {
    /// Its address, for the field of a form.
    pub url: String,
    /// The same picture at most 640 pixels wide.
    pub small_url: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

/// Stores a picture. Sent again with the same key it is stored once.
#[utoipa::path(post, path = "/api/admin/images", tag = "admin", params(ImagePlace, IdempotencyKey),
    request_body(content = ImageForm, content_type = "multipart/form-data"),
    responses(
    (status = 200, description = "The stored picture", body = StoredImage),
    (status = 422, description = "Not a picture, not one file, or no such folder"),
))]
pub async fn add_image(
    editor: Editor,
    ApiQuery(place): ApiQuery<ImagePlace>,
    uri: Uri,
    headers: HeaderMap,
    form: Form,
) -> AppResult<Response> {
    let permit = file_form::permit(&editor.app.forms, editor.me().user_id, editor.caller.address).await?;
    let sent = file_form::read(&editor.app.spool, form, IMAGE_MAX_BYTES, permit).await;
    let content = sent.as_ref().map(|sent| sent.code(&editor.app.keys)).unwrap_or_default();
    let request = Repeatable::named(&headers, &uri.to_string(), content)?;
    let accepted = async { Ok((accept(&editor.app, sent?.file).await?, ())) };
    let (placed, ()) = store::receive(&editor, place.folder, accepted).await?;
    let (width, height) = placed.dimensions().unwrap_or_default();
    let stored =
        StoredImage { url: placed.url(), small_url: placed.small_url().unwrap_or_default(), width, height };
    let kept = async {
        let (mut tx, claim) = match editor.act().begin(request.as_ref()).await? {
            ClaimedRequest::New(tx, claim) => (tx, claim),
            ClaimedRequest::Repeated(answer) => {
                placed.abandon(&editor.app).await;
                return Ok(answer);
            }
        };
        placed.keep(&mut tx, &editor, None).await?;
        idempotency::finish(tx, claim, &editor.app.keys, &stored).await
    };
    let kept = kept.await;
    let mut answer = placed.settle(&editor.app, kept).await?;
    *answer.status_mut() = StatusCode::OK;
    Ok(answer)
}

async fn accept(app: &App, sent: SentFile) -> AppResult<Accepted> {
    let refused = |error| file_form::refused(error, &ImageError::TooLarge);
    let media_type = media_type(&sent.head);
    let sent = sent.judged(media_type, check_image).map_err(refused)?;
    opened(app, sent).await?.ok_or_else(|| refused(ImageError::Type))
}

/// Decodes a picture; none if that fails. 422 if it has too many pixels or frames.
pub(crate) async fn opened(app: &App, sent: SentFile) -> AppResult<Option<Accepted>> {
    let Some(file) = &sent.spooled else { return Ok(None) };
    match app.pictures.publish(file.path()).await.map_err(picture::failure)? {
        Ok(picture) => Ok(Some(Accepted::picture(&app.spool, sent.name, picture).await?)),
        Err(refused) if refused.is_too_large() => Err(AppError::invalid("file", PictureError::TooLarge)),
        Err(_) => Ok(None),
    }
}

/// Brands of MP4 videos (ISO/IEC 14496-12 §4.3).
const MP4_BRANDS: [&[u8; 4]; 10] =
    [b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V "];
const AVIF_BRANDS: [&[u8; 4]; 2] = [b"avif", b"avis"];

pub fn media_type(head: &[u8]) -> Option<&'static str> {
    if let Some(known) = pictures::media_type(head) {
        return Some(known);
    }
    match brand(head) {
        Some(brand) if AVIF_BRANDS.contains(&brand) => Some("image/avif"),
        Some(brand) if MP4_BRANDS.contains(&brand) => Some("video/mp4"),
        _ if head.starts_with(b"OggS\0") => Some("video/ogg"),
        _ if is_webm(head) => Some("video/webm"),
        _ => None,
    }
}

fn brand(head: &[u8]) -> Option<&[u8; 4]> {
    (head.get(4..8)? == b"ftyp").then(|| head.get(8..12)?.first_chunk()).flatten()
}

/// EBML (RFC 8794) whose header says `webm`.
fn is_webm(head: &[u8]) -> bool {
    head.starts_with(b"\x1a\x45\xdf\xa3") && head.windows(7).take(64).any(|part| part == b"\x42\x82\x84webm")
}

/// The size of an AVIF picture by its header (property `ispe`); none if missing or too large.
pub fn avif_dimensions(head: &[u8]) -> Option<(u32, u32)> {
    let at = head.windows(4).position(|part| part == b"ispe")?;
    let number = |at: usize| Some(u32::from_be_bytes(*head.get(at..at + 4)?.first_chunk()?));
    let (width, height) = (number(at + 8)?, number(at + 12)?);
    let pixels = u64::from(width) * u64::from(height);
    (head.windows(4).any(|part| part == b"meta") && (1..=PIXELS_MAX).contains(&pixels))
        .then_some((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_by_the_first_bytes() {
        let webm = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm";
        for (head, known) in [
            (&b"\0\0\0\x20ftypisom"[..], Some("video/mp4")),
            (b"\0\0\0\x20ftypM4V ", Some("video/mp4")),
            (b"\0\0\0\x20ftypM4A ", None),
            (b"\0\0\0\x20ftypqt  ", None),
            (b"\0\0\0\x20ftypavif", Some("image/avif")),
            (b"OggS\0\x02", Some("video/ogg")),
            (webm, Some("video/webm")),
            (b"\x1a\x45\xdf\xa3\x42\x82\x88matroska", None),
            (b"<svg xmlns", None),
            (b"<!doctype html>", None),
            (b"MZ\x90", None),
            (b"", None),
        ] {
            assert_eq!(media_type(head), known, "{head:?}");
        }
    }

    #[test]
    fn the_default_background_has_its_size_in_its_header() {
        let hero = include_bytes!("../../../assets/hero-default.avif");
        assert_eq!(media_type(hero), Some("image/avif"));
        assert_eq!(avif_dimensions(&hero[..4096]), Some((1600, 1000)));
        assert_eq!(avif_dimensions(b"\0\0\0\x20ftypavif"), None);
    }
}
