//! What a page says about itself to search engines and to whoever shares its address.

use askama::Template;

use crate::{
    app::AppState,
    error::{AppError, AppResult},
};

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
    /// Whether search engines should keep it.
    pub(super) indexed: bool,
    /// Open Graph's kind of thing.
    pub(super) og_type: &'static str,
    /// A picture to share, as a full address.
    pub(super) image: Option<String>,
}

impl<'a> Head<'a> {
    /// The head of a page at `path`, under the label's name.
    pub(super) fn new(app: &'a AppState, path: &str, name: &str, description: impl Into<String>) -> Self {
        let title = if name.is_empty() {
            app.label_name.to_string()
        } else {
            format!("{name} — {}", app.label_name)
        };
        Self {
            title,
            description: description.into(),
            label_name: &app.label_name,
            canonical: app.origin.link(path),
            indexed: true,
            og_type: "website",
            image: None,
        }
    }

    /// With a picture, given as it is stored: a path of this website or a full address.
    #[must_use]
    pub(super) fn image(mut self, app: &AppState, stored: Option<&str>) -> Self {
        self.image =
            stored.map(|url| if url.starts_with('/') { app.origin.link(url) } else { url.to_owned() });
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
        self.render().map_err(|error| AppError::internal(anyhow::Error::new(error)))
    }
}
