//! The web app's HTML document, with a page's head and first data inserted.

use std::borrow::Cow;

use deadwax_http::error::AppResult;
use serde::Serialize;
use serde_json::value::RawValue;

const HEAD: &str = "<!--deadwax:head-->";
const DATA: &str = "<!--deadwax:data-->";
const ROOT: &str = "<div id=\"root\">";
const FRAME: (&str, &str) = ("<!--deadwax:frame-->", "<!--/deadwax:frame-->");

#[derive(Debug, Serialize)]
pub(super) struct FirstView {
    label_name: String,
    /// The newest change the answers include: the stream of changes resumes from here.
    event_id: u64,
    queries: Vec<Query>,
}

#[derive(Debug, Serialize)]
struct Query {
    url: String,
    body: Box<RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_absent: bool,
}

impl FirstView {
    /// `event_id` must be read before any data.
    pub(super) fn new(label_name: &str, event_id: u64) -> Self {
        Self { label_name: label_name.to_owned(), event_id, queries: Vec::new() }
    }

    pub(super) fn push<T: Serialize>(&mut self, url: impl Into<String>, body: &T) -> AppResult<()> {
        let body = serde_json::value::to_raw_value(body)?;
        self.queries.push(Query { url: url.into(), body, is_absent: false });
        Ok(())
    }

    pub(super) fn push_absent(&mut self, url: &str) -> AppResult<()> {
        let body = serde_json::value::to_raw_value(&())?;
        self.queries.push(Query { url: url.to_owned(), body, is_absent: true });
        Ok(())
    }
}

/// JSON that cannot end its script element: `<` alone could close it or open a comment.
pub(super) fn script_json<T: Serialize>(value: &T) -> AppResult<String> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// The document without the navigation's frame, for pages that have none.
pub(super) fn without_frame(document: &str) -> String {
    let parts =
        document.split_once(FRAME.0).and_then(|(before, rest)| Some((before, rest.split_once(FRAME.1)?.1)));
    parts.map_or_else(|| document.to_owned(), |(before, after)| [before, after].concat())
}

pub(super) fn fill(document: &str, head: &str, data: &str) -> String {
    let (before, rest) = document.split_once(HEAD).unwrap_or(("", document));
    let (middle, after) = rest.split_once(DATA).unwrap_or((rest, ""));
    [before, head, middle, "<script type=\"application/json\" id=\"first-view\">", data, "</script>", after]
        .concat()
}

/// The document with a painted page in its root, instead of the placeholder; unchanged if it has no root.
pub(super) fn with_painted<'a>(document: &'a str, painted: &str) -> Cow<'a, str> {
    let inside = |(before, rest): (&'a str, &'a str)| {
        let data = rest.find(DATA)?;
        let end = rest.get(..data)?.rfind("</div>")?;
        Some((before, rest.get(end..)?))
    };
    match document.split_once(ROOT).and_then(inside) {
        Some((before, after)) => [before, "<div id=\"root\" data-painted>", painted, after].concat().into(),
        None => document.into(),
    }
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
    fn a_painted_page_takes_the_place_of_what_is_shown_until_then() {
        let document =
            "<body><div id=\"root\"><div>frame</div><noscript>x</noscript></div>\n<!--deadwax:data-->";
        assert_eq!(
            with_painted(document, "<p>text</p>"),
            "<body><div id=\"root\" data-painted><p>text</p></div>\n<!--deadwax:data-->"
        );
        for other in
            ["", "<div id=\"root\">", "<div id=\"root\"></div>", "<div id=\"root\"><!--deadwax:data-->"]
        {
            assert_eq!(with_painted(other, "<p>text</p>"), other);
        }
        let index = include_str!("../../../../web/index.html");
        let painted = with_painted(index, "<p>text</p>");
        assert!(painted.contains("<div id=\"root\" data-painted><p>text</p></div>"), "{painted}");
        assert!(!painted.contains("deadwax:frame") && painted.contains(DATA));
    }

    #[test]
    fn data_cannot_end_its_script() {
        let mut view = FirstView::new("404", 3);
        view.push("/api/x", &"</script><script>alert(1)</script><!--").unwrap();
        let html = fill(
            "<head><!--deadwax:head--></head><body><!--deadwax:data--></body>",
            "<title>t</title>",
            &script_json(&view).unwrap(),
        );
        assert_eq!(html.matches("</script>").count(), 1);
        assert!(html.starts_with("<head><title>t</title></head><body><script"));
        assert!(!html.contains("<!--"));
    }
}
