//! The head of a page: for search engines, link previews and preloading.

use std::sync::Arc;

use askama::Template;
use deadwax_http::error::{AppError, AppResult};

use super::{
    icons::{CARD, CARD_SIZE},
    pictures::{FirstPicture, SharedPicture},
};
use crate::{app::App, content::label::LabelView};

#[derive(Debug, Template)]
#[template(path = "head.html")]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) label: Arc<LabelView>,
    pub(super) canonical: String,
    pub(super) next: Option<String>,
    pub(super) indexed: bool,
    pub(super) og_type: &'static str,
    pub(super) properties: Vec<(&'static str, String)>,
    pub(super) oembed: Option<String>,
    /// Whether the feed of letters is named too.
    pub(super) has_letters: bool,
    pub(super) image: Option<String>,
    pub(super) image_facts: Vec<(&'static str, String)>,
    pub(super) first_picture: Option<FirstPicture>,
    /// JSON-LD, safe inside a script element.
    pub(super) structured_data: Option<String>,
}

impl Head {
    pub(super) fn new(app: &App, path: &str, name: &str, description: &str) -> Self {
        let label = app.known_label.last();
        let title = if name.is_empty() { label.name.clone() } else { format!("{name} — {}", label.name) };
        let card = label.mark.as_ref().map(|mark| SharedPicture {
            url: app.origin.link(&format!("{CARD}?v={}", mark.version())),
            measures: Some((CARD_SIZE.0.into(), CARD_SIZE.1.into())),
        });
        let head = Self {
            title,
            description: one_line(description),
            label,
            canonical: app.origin.link(path),
            next: None,
            indexed: true,
            og_type: "website",
            properties: Vec::new(),
            oembed: None,
            has_letters: false,
            image: None,
            image_facts: Vec::new(),
            first_picture: None,
            structured_data: None,
        };
        head.picture(card)
    }

    #[must_use]
    pub(super) fn picture(mut self, picture: Option<SharedPicture>) -> Self {
        let Some(SharedPicture { url, measures }) = picture else { return self };
        self.image = Some(url);
        self.image_facts.clear();
        if let Some((width, height)) = measures {
            self.image_facts.push(("og:image:width", width.to_string()));
            self.image_facts.push(("og:image:height", height.to_string()));
        }
        self
    }

    #[must_use]
    pub(super) fn next(mut self, app: &App, path: &str, cursor: Option<&str>) -> Self {
        self.next = cursor.map(|cursor| app.origin.link(&format!("{path}?cursor={cursor}")));
        self
    }

    #[must_use]
    pub(super) fn unlisted(mut self) -> Self {
        self.indexed = false;
        self
    }

    /// The colour of the label for the first paint, unless it is that of the design; checked when it was read.
    pub(super) fn signal_style(&self) -> Option<String> {
        self.label.own_signal().map(|signal| format!(":root{{--color-signal:{signal}}}"))
    }

    pub(super) fn render_html(&self) -> AppResult<String> {
        self.render().map_err(AppError::internal)
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
