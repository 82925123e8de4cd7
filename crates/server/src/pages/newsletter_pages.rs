//! The documents of the pages behind the links of newsletters.

use deadwax_http::error::AppResult;
use http::StatusCode;

use super::{
    address::ListStep,
    document::FirstView,
    head::{Head, Site},
    painting::{Made, PageRequest, paint_into_document},
};

/// The read by which the page knows its step; no request answers it.
pub(super) const STEP: &str = "/newsletter/step";

pub(super) async fn make(request: PageRequest<'_>, step: ListStep, mut view: FirstView) -> AppResult<Made> {
    view.push(STEP, &step)?;
    let (title, sentence) = words(step);
    let head = Head::new(&Site::of(request.app), "/", title, sentence).unlisted();
    let made = paint_into_document(request, &head, &view).await?;
    let is_gone = step == ListStep::Expired;
    Ok(made.map(|response| if is_gone { response.status(StatusCode::NOT_FOUND) } else { response }))
}

/// Title and description. They show which step it is where nothing runs the page.
const fn words(step: ListStep) -> (&'static str, &'static str) {
    match step {
        ListStep::Confirm => ("Confirm your address", "One press, and you are on the list."),
        ListStep::Confirmed => ("You are on the list", "Your address is confirmed."),
        ListStep::Expired => ("This link is no longer good", "Subscribe again to get another."),
        ListStep::Leave => ("Leave the list", "One press, and no more letters come."),
        ListStep::Left => ("YOU ARE OFF THE LIST.", "No more letters go to this address."),
        ListStep::Back => ("You are back on the list", "Everything is as it was."),
        ListStep::Late => ("That was too long ago", "Subscribe again to come back."),
    }
}
