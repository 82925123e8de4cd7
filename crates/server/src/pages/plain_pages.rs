//! The documents of pages without catalogue data.

use deadwax_http::error::{AppError, AppResult};
use rules::content::IMPRINT;

use super::{
    address::IMPRINT_PATH,
    document::FirstView,
    head::{Head, Site},
    painting::{Made, PageRequest, paint_into_document},
    plain::Plain,
};
use crate::content::texts;

pub(super) async fn make(request: PageRequest<'_>, path: &str, mut view: FirstView) -> AppResult<Made> {
    let app = request.app;
    let page = Plain::at(path).ok_or_else(AppError::not_found)?;
    if page.path == "/privacy-policy"
        && let Some(policy) = texts::find(&app.db, "privacy_policy", &app.label_name()).await?
    {
        view.push("/api/content/privacy_policy", &policy)?;
    }
    if page.path == IMPRINT_PATH {
        let imprint =
            texts::find(&app.db, IMPRINT, &app.label_name()).await?.ok_or_else(AppError::not_found)?;
        view.push("/api/content/imprint", &imprint)?;
    }
    let head =
        Head::new(&Site::of(app), page.path, page.name, &page.sentence.replace("{label}", &app.label_name()));
    let head = if page.indexed { head } else { head.unlisted() };
    paint_into_document(request, &head, &view).await
}
