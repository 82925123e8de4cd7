//! What a page says about itself to search engines and to whoever shares its address, and what it loads first.

use askama::Template;
use deadwax_config::Origin;
use deadwax_http::error::{AppError, AppResult};

use super::{first_picture::FirstPicture, shared_picture::SharedPicture};
use crate::app::App;

/// Whose pages these are, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    /// The website's own address.
    pub(super) origin: &'a Origin,
    /// The label's name.
    pub(super) label_name: &'a str,
}

impl<'a> Site<'a> {
    /// The website of this program.
    pub(super) fn of(app: &'a App) -> Self {
        Self { origin: &app.origin, label_name: &app.label_name }
    }
}

/// The lines of a page's head.
#[derive(Debug, Template)]
#[template(path = "head.html")]
pub(super) struct Head<'a> {
    /// What the tab says.
    pub(super) title: String,
    /// One sentence on the page.
    pub(super) description: String,
    /// The label's name.
    pub(super) label_name: &'a str,
    /// The page's one address.
    pub(super) canonical: String,
    /// The next part of the list that the page shows.
    pub(super) next: Option<String>,
    /// Whether search engines should keep it.
    pub(super) indexed: bool,
    /// Open Graph's kind of thing.
    pub(super) og_type: &'static str,
    /// What Open Graph calls this kind's own properties, with their values.
    pub(super) properties: Vec<(&'static str, String)>,
    /// Where programs learn how to show the page within another.
    pub(super) oembed: Option<String>,
    /// A picture to share, as a full address.
    pub(super) image: Option<String>,
    /// What is known of that picture, by Open Graph's names.
    pub(super) image_facts: Vec<(&'static str, String)>,
    /// The picture that is seen first.
    pub(super) first_picture: Option<FirstPicture>,
    /// What the page is about, as JSON that cannot end its script element.
    pub(super) structured_data: Option<String>,
}

impl<'a> Head<'a> {
    /// The head of a page at `path`, under the label's name.
    pub(super) fn new(site: Site<'a>, path: &str, name: &str, description: &str) -> Self {
        let label_name = site.label_name;
        let title = if name.is_empty() { label_name.to_owned() } else { format!("{name} — {label_name}") };
        Self {
            title,
            description: one_line(description),
            label_name,
            canonical: site.origin.link(path),
            next: None,
            indexed: true,
            og_type: "website",
            properties: Vec::new(),
            oembed: None,
            image: None,
            image_facts: Vec::new(),
            first_picture: None,
            structured_data: None,
        }
    }

    /// With a picture to share.
    #[must_use]
    pub(super) fn picture(mut self, picture: Option<SharedPicture>) -> Self {
        let Some(SharedPicture { url, measures }) = picture else { return self };
        self.image = Some(url);
        if let Some((width, height)) = measures {
            self.image_facts.push(("og:image:width", width.to_string()));
            self.image_facts.push(("og:image:height", height.to_string()));
        }
        self
    }

    /// With what follows in the list at `path`, if anything does.
    #[must_use]
    pub(super) fn next(mut self, site: Site<'_>, path: &str, cursor: Option<&str>) -> Self {
        self.next = cursor.map(|cursor| site.origin.link(&format!("{path}?cursor={cursor}")));
        self
    }

    /// For a page that search engines should not keep.
    #[must_use]
    pub(super) fn unlisted(mut self) -> Self {
        self.indexed = false;
        self
    }

    /// The lines as HTML.
    pub(super) fn render_html(&self) -> AppResult<String> {
        self.render().map_err(AppError::internal)
    }
}

/// A text whose lines and runs of spaces are none in an attribute.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
