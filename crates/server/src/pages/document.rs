//! One HTML document: the web app's, with a page's head and first data put in.

use deadwax_http::error::AppResult;
use serde::Serialize;
use serde_json::value::RawValue;

const HEAD: &str = "<!--deadwax:head-->";
const DATA: &str = "<!--deadwax:data-->";
const FRAME: (&str, &str) = ("<!--deadwax:frame-->", "<!--/deadwax:frame-->");

/// What the web app would ask for first, answered within the document.
#[derive(Debug, Serialize)]
pub(super) struct FirstView {
    /// What the label is called.
    label_name: String,
    /// The newest change these answers include: the stream of changes resumes from here.
    event_id: i64,
    queries: Vec<Query>,
}

#[derive(Debug, Serialize)]
struct Query {
    url: String,
    body: Box<RawValue>,
}

impl FirstView {
    /// Nothing yet; `event_id` is read before any data is.
    pub(super) fn new(label_name: &str, event_id: i64) -> Self {
        Self { label_name: label_name.to_owned(), event_id, queries: Vec::new() }
    }

    /// Adds the answer of an API address.
    pub(super) fn push<T: Serialize>(&mut self, url: impl Into<String>, body: &T) -> AppResult<()> {
        self.queries.push(Query { url: url.into(), body: serde_json::value::to_raw_value(body)? });
        Ok(())
    }
}

/// A value as JSON that cannot leave its script element: `<` alone could end it early or open a comment in it.
pub(super) fn script_json<T: Serialize>(value: &T) -> AppResult<String> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// The web app's document without the navigation's frame, for the pages that have none.
pub(super) fn without_frame(document: &str) -> String {
    let parts =
        document.split_once(FRAME.0).and_then(|(before, rest)| Some((before, rest.split_once(FRAME.1)?.1)));
    parts.map_or_else(|| document.to_owned(), |(before, after)| [before, after].concat())
}

/// Puts head and data into the web app's document.
pub(super) fn fill(document: &str, head: &str, first_view: &FirstView) -> AppResult<String> {
    let data = script_json(first_view)?;
    let data = format!("<script type=\"application/json\" id=\"first-view\">{data}</script>");
    let (before, rest) = document.split_once(HEAD).unwrap_or(("", document));
    let (middle, after) = rest.split_once(DATA).unwrap_or((rest, ""));
    Ok([before, head, middle, &data, after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_loses_its_frame_and_nothing_else() {
        let document = "<div><!--deadwax:frame--><hr><!--/deadwax:frame--><p></div>";
        assert_eq!(without_frame(document), "<div><p></div>");
        assert_eq!(without_frame("<div><hr></div>"), "<div><hr></div>");
    }

    #[test]
    fn data_cannot_end_its_script() {
        let mut view = FirstView::new("404", 3);
        view.push("/api/x", &"</script><script>alert(1)</script><!--").unwrap();
        let html = fill(
            "<head><!--deadwax:head--></head><body><!--deadwax:data--></body>",
            "<title>t</title>",
            &view,
        )
        .unwrap();
        assert_eq!(html.matches("</script>").count(), 1);
        assert!(html.starts_with("<head><title>t</title></head><body><script"));
        assert!(!html.contains("<!--"));
    }
}
