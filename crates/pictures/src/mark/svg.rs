//! An SVG reduced to shapes: read within bounds, flattened by `usvg`, and written anew from a list of elements and attributes.
//! Nothing in it is fetched, run or styled.

use std::{collections::HashMap, fmt::Write as _, panic};

use image::RgbaImage;
use resvg::tiny_skia::{Pixmap, Transform};
use rules::mark::{
    MARK_DEPTH_MAX, MARK_NODES_MAX, MARK_SEGMENTS_MAX, MARK_SHAPES_MAX, MarkError, check_mark_proportions,
};
use usvg::{
    BlendMode, Group, ImageHrefResolver, Indent, Node, Options, Paint, Tree, WriteOptions,
    roxmltree::{self, Document, ParsingOptions},
};

use super::{INK, JUDGED_EDGE, Mark, MarkFormat, is_dark, visit::Visit};

/// Groups drawn apart from what is below them; each takes a layer.
const LAYERS_MAX: usize = 48;
/// Edges of a drawing in its own units.
const EDGES: std::ops::RangeInclusive<f32> = 1e-3..=1e6;
/// Width or height in pixels that an SVG says of itself.
const STATED_EDGE: f32 = 512.0;

pub(super) fn clean(bytes: &[u8]) -> Result<Mark, MarkError> {
    let tree = parse(bytes)?;
    weigh(tree.root(), 0, &mut Weight::default())?;
    let frame = Frame::of(&tree)?;
    let mut text = written(&tree, frame, false)?;
    let judged = |text: &str| {
        let tree = parse(text.as_bytes())?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive constant")]
        draw(&tree, (JUDGED_EDGE as u32, JUDGED_EDGE as u32))
    };
    // The drawing library panics at shapes that reach hundreds of millions of pixels beyond the page.
    let drawn = panic::catch_unwind(|| judged(&text)).unwrap_or(Err(MarkError::Broken))?;
    if super::drawn_part(&drawn).is_none() {
        return Err(MarkError::Empty);
    }
    if is_dark(&drawn) {
        text = written(&tree, frame, true)?;
    }
    Ok(Mark { bytes: text.into_bytes(), format: MarkFormat::Svg, dimensions: frame.dimensions() })
}

/// Reads an SVG that is not larger than it may be.
pub(super) fn parse(bytes: &[u8]) -> Result<Tree, MarkError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| MarkError::Broken)?;
    if text.contains("<!ENTITY") {
        return Err(MarkError::Entities);
    }
    // Programs write a document type without entities, which is never fetched.
    let options =
        ParsingOptions { allow_dtd: true, nodes_limit: MARK_NODES_MAX, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => MarkError::TooComplex,
        _ => MarkError::Broken,
    })?;
    Visit::of(&document)?;
    let nothing =
        ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let options = Options { image_href_resolver: nothing, ..Options::default() };
    Tree::from_xmltree(&document, &options).map_err(|_| MarkError::Broken)
}

#[derive(Default)]
struct Weight {
    shapes: usize,
    segments: usize,
    layers: usize,
}

/// Refuses more than can be drawn at once, and what would look different without an effect that is not kept.
fn weigh(group: &Group, depth: u32, weight: &mut Weight) -> Result<(), MarkError> {
    if !group.filters().is_empty() || group.mask().is_some() || group.blend_mode() != BlendMode::Normal {
        return Err(MarkError::Effects);
    }
    weight.layers += usize::from(group.should_isolate());
    if depth > MARK_DEPTH_MAX || weight.layers > LAYERS_MAX {
        return Err(MarkError::TooComplex);
    }
    let mut clip = group.clip_path();
    while let Some(path) = clip {
        // Each is drawn again for each group that it clips.
        weigh(path.root(), depth + 1, weight)?;
        weight.layers += 1;
        if weight.layers > LAYERS_MAX {
            return Err(MarkError::TooComplex);
        }
        clip = path.clip_path();
    }
    for node in group.children() {
        match node {
            Node::Group(group) => weigh(group, depth + 1, weight)?,
            Node::Path(path) => {
                let paints = [path.fill().map(usvg::Fill::paint), path.stroke().map(usvg::Stroke::paint)];
                let is_pattern = paints.into_iter().flatten().any(|paint| matches!(paint, Paint::Pattern(_)));
                if is_pattern || path.stroke().is_some_and(|stroke| stroke.dasharray().is_some()) {
                    return Err(MarkError::Effects);
                }
                weight.shapes += 1;
                weight.segments += path.data().len();
                if weight.shapes > MARK_SHAPES_MAX || weight.segments > MARK_SEGMENTS_MAX {
                    return Err(MarkError::TooComplex);
                }
            }
            Node::Image(_) | Node::Text(_) => return Err(MarkError::Effects),
        }
    }
    Ok(())
}

/// The part of a drawing's plane that is shown.
#[derive(Clone, Copy)]
struct Frame {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
}

impl Frame {
    /// The drawn part of the page, without the margins around it.
    fn of(tree: &Tree) -> Result<Self, MarkError> {
        let drawn = tree.root().abs_stroke_bounding_box();
        let (left, top) = (drawn.left().max(0.0), drawn.top().max(0.0));
        let width = drawn.right().min(tree.size().width()) - left;
        let height = drawn.bottom().min(tree.size().height()) - top;
        if !(width > 0.0 && height > 0.0) {
            return Err(MarkError::Empty);
        }
        if !EDGES.contains(&width) || !EDGES.contains(&height) {
            return Err(MarkError::Broken);
        }
        check_mark_proportions(width, height)?;
        Ok(Self { left, top, width, height })
    }

    fn dimensions(self) -> (u32, u32) {
        let scale = STATED_EDGE / self.width.max(self.height);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 512")]
        let edge = |edge: f32| ((edge * scale).round() as u32).max(1);
        (edge(self.width), edge(self.height))
    }
}

const ELEMENTS: [&str; 7] = ["defs", "g", "path", "linearGradient", "radialGradient", "stop", "clipPath"];
const ATTRIBUTES: [&str; 32] = [
    "clip-path",
    "clip-rule",
    "cx",
    "cy",
    "d",
    "fill",
    "fill-opacity",
    "fill-rule",
    "fr",
    "fx",
    "fy",
    "gradientTransform",
    "gradientUnits",
    "offset",
    "opacity",
    "paint-order",
    "r",
    "spreadMethod",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "transform",
    "x1",
    "x2",
    "y1",
    "y2",
    "visibility",
];

/// The drawing written anew, in one colour if `in_ink`.
fn written(tree: &Tree, frame: Frame, in_ink: bool) -> Result<String, MarkError> {
    let options = WriteOptions { indent: Indent::None, coordinates_precision: 6, ..WriteOptions::default() };
    let flat = tree.to_string(&options);
    let document = Document::parse(&flat).map_err(|_| MarkError::Broken)?;
    let targets = document.descendants().filter_map(|node| node.attribute("id"));
    // Names of its author's are replaced.
    let names: HashMap<&str, usize> = targets.zip(0..).collect();
    let (width, height) = frame.dimensions();
    let Frame { left, top, width: across, height: down } = frame;
    let mut text = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{left} {top} {across} {down}">"#
    );
    let writer = Writer { names, in_ink };
    for node in document.root_element().children().filter(roxmltree::Node::is_element) {
        writer.write(node, &mut text)?;
    }
    text.push_str("</svg>");
    Ok(text)
}

struct Writer<'a> {
    names: HashMap<&'a str, usize>,
    in_ink: bool,
}

impl Writer<'_> {
    fn write(&self, node: roxmltree::Node<'_, '_>, text: &mut String) -> Result<(), MarkError> {
        let name = node.tag_name().name();
        if !ELEMENTS.contains(&name) {
            return Err(MarkError::Broken);
        }
        let _ = write!(text, "<{name}");
        if let Some(number) = node.attribute("id").and_then(|id| self.names.get(id)) {
            let _ = write!(text, r#" id="m{number}""#);
        }
        for attribute in node.attributes().filter(|attribute| ATTRIBUTES.contains(&attribute.name())) {
            let (name, value) = (attribute.name(), self.value(attribute.value())?);
            let _ = write!(text, r#" {name}="{value}""#);
        }
        let mut children = node.children().filter(roxmltree::Node::is_element).peekable();
        if children.peek().is_none() {
            text.push_str("/>");
            return Ok(());
        }
        text.push('>');
        for child in children {
            self.write(child, text)?;
        }
        let _ = write!(text, "</{name}>");
        Ok(())
    }

    /// A number, a path, a colour or a word, or a reference within the drawing.
    fn value(&self, value: &str) -> Result<String, MarkError> {
        if let Some(id) = value.strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')')) {
            let number = self.names.get(id).ok_or(MarkError::Broken)?;
            return Ok(format!("url(#m{number})"));
        }
        if value.contains("url") || value.contains(['<', '>', '&', '"', '\'', ':', ';', '\\']) {
            return Err(MarkError::Broken);
        }
        if self.in_ink && value.starts_with('#') {
            let [red, green, blue] = INK;
            return Ok(format!("#{red:02x}{green:02x}{blue:02x}"));
        }
        Ok(value.to_owned())
    }
}

/// The drawing as large as fits into `inner`, on nothing.
pub(super) fn draw(tree: &Tree, inner: (u32, u32)) -> Result<RgbaImage, MarkError> {
    let size = tree.size();
    #[expect(clippy::cast_precision_loss, reason = "edges of an icon or a card")]
    let scale = (inner.0 as f32 / size.width()).min(inner.1 as f32 / size.height());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most `inner`")]
    let edge = |edge: f32| ((edge * scale).round() as u32).max(1);
    let (width, height) = (edge(size.width()), edge(size.height()));
    let mut pixmap = Pixmap::new(width, height).ok_or(MarkError::Broken)?;
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let pixels = pixmap.pixels().iter().flat_map(|pixel| {
        let plain = pixel.demultiply();
        [plain.red(), plain.green(), plain.blue(), plain.alpha()]
    });
    RgbaImage::from_raw(width, height, pixels.collect()).ok_or(MarkError::Broken)
}
