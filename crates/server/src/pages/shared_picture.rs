//! The preview picture of a shared address. Messengers skip large ones, and cannot read AVIF.

use deadwax_store::objects;
use rules::image::{SHARED_EDGE_MAX, SHARED_MAX_BYTES, SMALL_WIDTH};

use super::first_picture::Stored;
use crate::app::App;

#[derive(Debug)]
pub(super) struct Measured {
    pub(super) url: String,
    pub(super) width: i64,
    pub(super) height: i64,
}

#[derive(Debug)]
pub(super) struct SharedPicture {
    pub(super) url: String,
    pub(super) measures: Option<(i64, i64)>,
}

/// The largest size within the requested bounds.
pub(super) async fn fitting(
    app: &App,
    stored: Stored<'_>,
    widest: i64,
    highest: i64,
) -> sqlx::Result<Option<Measured>> {
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
        if object
            .is_some_and(|object| u64::try_from(object.size_bytes).is_ok_and(|size| size <= SHARED_MAX_BYTES))
        {
            let url = app.origin.full_address(&url);
            return Ok(Some(Measured { url, width: form, height: form_height }));
        }
    }
    Ok(None)
}

/// All sizes but AVIF, each with its width.
fn forms(url: &str, width: i64, stored: Stored<'_>) -> Vec<(i64, String)> {
    let mut forms = Vec::new();
    if rules::media_name::content_type(url) != Some("image/avif") {
        forms.push((width, url.to_owned()));
    }
    forms.extend(stored.small_url.map(|small| (i64::from(SMALL_WIDTH).min(width), small.to_owned())));
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
pub(super) async fn of(app: &App, stored: Stored<'_>) -> sqlx::Result<Option<SharedPicture>> {
    if let Some(Measured { url, width, height }) = fitting(app, stored, i64::MAX, i64::MAX).await? {
        return Ok(Some(SharedPicture { url, measures: Some((width, height)) }));
    }
    let url = stored.small_url.or(stored.url);
    Ok(url.map(|url| SharedPicture { url: app.origin.full_address(url), measures: None }))
}
