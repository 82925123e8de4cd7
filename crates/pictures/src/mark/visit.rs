//! The size of an SVG as it will be drawn: references are followed before `usvg` does, so that none multiplies.

use std::collections::HashMap;

use rules::mark::{MARK_DEPTH_MAX, MARK_NODES_MAX, MarkError};
use usvg::roxmltree::{Document, Node};

/// Longest style sheet in bytes: each of its rules is compared with each element.
const STYLE_MAX_BYTES: usize = 32 * 1024;

/// Counts the elements, those of a `use` or a clip again each time.
pub(super) struct Visit<'a> {
    ids: HashMap<&'a str, Node<'a, 'a>>,
    /// Of the classes that the style sheet clips.
    clips: HashMap<&'a str, &'a str>,
    visited: u32,
}

impl<'a> Visit<'a> {
    pub(super) fn of(document: &'a Document<'a>) -> Result<(), MarkError> {
        let ids = document.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
        let mut visit = Self { ids, clips: HashMap::new(), visited: 0 };
        let styles = document.descendants().filter(|node| node.tag_name().name() == "style");
        let mut length = 0;
        for text in styles.flat_map(|style| style.children()).filter_map(|node| node.text()) {
            length += text.len();
            if length > STYLE_MAX_BYTES {
                return Err(MarkError::TooComplex);
            }
            visit.read_clips(text)?;
        }
        visit.element(document.root_element(), 0, false)
    }

    /// Rules that clip must select single classes, as drawing programs write them.
    fn read_clips(&mut self, sheet: &'a str) -> Result<(), MarkError> {
        for rule in sheet.split('}').filter(|rule| rule.contains("clip-path") || rule.contains('\\')) {
            let (selectors, body) = rule.split_once('{').ok_or(MarkError::TooComplex)?;
            let target = clip_in(body)?.ok_or(MarkError::TooComplex)?;
            for selector in selectors.split(',') {
                let class = selector.trim().strip_prefix('.').ok_or(MarkError::TooComplex)?;
                if !class.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
                    return Err(MarkError::TooComplex);
                }
                self.clips.insert(class, target);
            }
        }
        Ok(())
    }

    /// Every clip that may be meant, as the style sheet decides which one is.
    fn clips_of(&self, node: Node<'a, 'a>) -> Result<Vec<&'a str>, MarkError> {
        let mut clips = Vec::new();
        clips.extend(node.attribute("clip-path").and_then(local));
        clips.extend(node.attribute("style").map(clip_in).transpose()?.flatten());
        let classes = node.attribute("class").unwrap_or_default().split_whitespace();
        clips.extend(classes.filter_map(|class| self.clips.get(class).copied()));
        Ok(clips)
    }

    fn element(&mut self, node: Node<'a, 'a>, depth: u32, in_clip: bool) -> Result<(), MarkError> {
        self.visited += 1;
        if depth > MARK_DEPTH_MAX || self.visited > MARK_NODES_MAX {
            return Err(MarkError::TooComplex);
        }
        match node.tag_name().name() {
            // Of another program, for another program.
            "foreignObject" => return Ok(()),
            "text" => return Err(MarkError::Text),
            "image" | "feImage" | "mask" | "pattern" | "marker" => return Err(MarkError::Effects),
            "use" => {
                let href = node.attributes().find(|attribute| attribute.name() == "href");
                let target = href.and_then(|href| self.ids.get(href.value().strip_prefix('#')?)).copied();
                if let Some(target) = target {
                    self.element(target, depth + 1, in_clip)?;
                }
            }
            _ => {}
        }
        let in_clip = in_clip || node.tag_name().name() == "clipPath";
        for id in self.clips_of(node)? {
            // Clips that are clipped themselves are drawn again and again.
            if in_clip {
                return Err(MarkError::TooComplex);
            }
            if let Some(target) = self.ids.get(id).copied() {
                self.element(target, depth + 1, true)?;
            }
        }
        for child in node.children().filter(Node::is_element) {
            self.element(child, depth + 1, in_clip)?;
        }
        Ok(())
    }
}

/// The clip that declarations name, if any.
fn clip_in(declarations: &str) -> Result<Option<&str>, MarkError> {
    if declarations.contains('\\') {
        return Err(MarkError::TooComplex);
    }
    let value = declarations.split(';').rev().find_map(|declaration| {
        let (property, value) = declaration.split_once(':')?;
        property.contains("clip-path").then_some(value)
    });
    Ok(value.and_then(local))
}

fn local(value: &str) -> Option<&str> {
    let inside = value.trim().strip_prefix("url(")?.split(')').next()?;
    inside.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')).strip_prefix('#')
}
