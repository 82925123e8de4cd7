use std::time::{Duration, Instant};

use image::{ImageBuffer, ImageFormat, Luma, LumaA};
use moxcms::ColorProfile;

use super::*;
use crate::made::labelled;

const HEAD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 50">"#;
const SHAPE: &str = r##"<path fill="#ffffff" d="M10 10h80v30H10z"/>"##;

fn svg(content: &str) -> Vec<u8> {
    format!("{HEAD}{content}</svg>").into_bytes()
}

fn cleaned(content: &str) -> String {
    let mark = clean(&svg(content)).unwrap_or_else(|error| panic!("{error:?}: {content}"));
    String::from_utf8(mark.bytes).unwrap()
}

/// Never part of a stored mark.
const FORBIDDEN: [&str; 14] = [
    "script",
    "onload",
    "onclick",
    "foreignObject",
    "href",
    "http://evil",
    "https://",
    "<image",
    "<style",
    "style=",
    "<text",
    "<use",
    "ENTITY",
    "javascript",
];

#[test]
fn what_is_not_a_shape_is_left_out() {
    for hostile in [
        "<script>alert(1)</script>",
        r#"<script xlink:href="https://evil.example/x.js"/>"#,
        r#"<g onload="alert(1)" onclick="alert(2)"><title>x</title></g>"#,
        r#"<a href="javascript:alert(1)"><path fill="red" d="M1 1h9v9z" onmouseover="alert(1)"/></a>"#,
        "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><script>alert(1)</script></body></foreignObject>",
        "<style>@import url(https://evil.example/a.css); path { fill: red; background: url(https://evil.example) }</style>",
        r#"<path style="fill:red;behavior:url(https://evil.example)" d="M1 1h9v9z"/>"#,
        r#"<use href="https://evil.example/a.svg#b"/><use xlink:href="file:///etc/passwd#a"/>"#,
        r#"<animate attributeName="href" to="javascript:alert(1)"/><set attributeName="onload" to="alert(1)"/>"#,
        r#"<path fill="url(https://evil.example/a.svg#b) #f00" d="M1 1h9v9z"/>"#,
        r#"<metadata><x:y xmlns:x="http://evil.example">z</x:y></metadata><iframe src="https://evil.example"/>"#,
        "<!-- <script>alert(1)</script> --><?xml-stylesheet href='https://evil.example/a.css'?>",
    ] {
        let text = cleaned(&format!("{SHAPE}{hostile}"));
        for forbidden in FORBIDDEN {
            assert!(!text.contains(forbidden), "{forbidden} in {text}");
        }
        assert!(text.contains("<path"), "{text}");
    }
}

#[test]
fn what_would_look_different_or_take_too_long_is_refused_with_its_reason() {
    let nested = |depth: usize| format!("{}{SHAPE}{}", "<g>".repeat(depth), "</g>".repeat(depth));
    let bomb = |level: usize| {
        format!("<g id='a{}'>{}</g>", level + 1, format!("<use href='#a{level}'/>").repeat(10))
    };
    let bomb = (0..12).map(bomb).collect::<Vec<_>>().concat();
    let clip = |level: usize| {
        let shapes = format!("<path clip-path='url(#c{})' d='M0 0h100v50H0z'/>", level - 1).repeat(10);
        format!("<clipPath id='c{level}'>{shapes}</clipPath>")
    };
    let clips = (1..40).map(clip).collect::<Vec<_>>().concat();
    let long_path = format!("<path d='M0 0{}'/>", "l1 1 0 1".repeat(100_000));
    let rules = format!("<style>{}</style>{SHAPE}", "path{fill:red}".repeat(4000));
    let before =
        r#"<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>"#;
    for (content, refusal) in [
        ("<text x='1' y='9'>404</text>".to_owned(), MarkError::Text),
        ("<image href='https://evil.example/a.png' width='9' height='9'/>".to_owned(), MarkError::Effects),
        ("<image href='data:image/png;base64,AAAA' width='9' height='9'/>".to_owned(), MarkError::Effects),
        (format!("<mask id='m'>{SHAPE}</mask><g mask='url(#m)'>{SHAPE}</g>"), MarkError::Effects),
        (
            format!(
                "<filter id='f'><feGaussianBlur stdDeviation='9'/></filter><g filter='url(#f)'>{SHAPE}</g>"
            ),
            MarkError::Effects,
        ),
        (
            format!(
                "<pattern id='p' width='1' height='1'>{SHAPE}</pattern><path fill='url(#p)' d='M0 0h9v9z'/>"
            ),
            MarkError::Effects,
        ),
        (format!("<g style='mix-blend-mode:difference'>{SHAPE}</g>"), MarkError::Effects),
        ("<path stroke='red' stroke-dasharray='0.0001' d='M0 0h100'/>".to_owned(), MarkError::Effects),
        (nested(10_000), MarkError::TooComplex),
        (nested(60), MarkError::TooComplex),
        (format!("<g id='a0'>{SHAPE}</g>{bomb}<use href='#a12'/>"), MarkError::TooComplex),
        ("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>".to_owned(), MarkError::TooComplex),
        (SHAPE.repeat(2001), MarkError::TooComplex),
        ("<g/>".repeat(20_000), MarkError::TooComplex),
        (
            format!("<clipPath id='c0'>{SHAPE}</clipPath>{clips}<g clip-path='url(#c39)'>{SHAPE}</g>"),
            MarkError::TooComplex,
        ),
        (
            clips.replace("clip-path='url(#c", "class='c").replace(")'", "'")
                + "<style>.c1,.c2{clip-path:url(#c1)}</style>",
            MarkError::TooComplex,
        ),
        (format!("<style>path{{clip-path:url(#c)}}</style>{SHAPE}"), MarkError::TooComplex),
        (format!("<style>.a{{cl\\69p-path:url(#c)}}</style>{SHAPE}"), MarkError::TooComplex),
        (
            format!("<marker id='m'>{SHAPE}</marker><path marker-mid='url(#m)' d='M0 0h9v9z'/>"),
            MarkError::Effects,
        ),
        (
            format!("<g opacity='0.9'>{SHAPE}</g>").repeat(60).replace("</g>", "<path d='M0 0h9v9z'/></g>"),
            MarkError::TooComplex,
        ),
        (long_path, MarkError::TooComplex),
        (rules, MarkError::TooComplex),
        (String::new(), MarkError::Empty),
        ("<path fill='none' d='M0 0h9v9z'/>".to_owned(), MarkError::Empty),
        (format!("<g display='none'>{SHAPE}</g>"), MarkError::Empty),
        ("<path d='M0 0h100v1H0z'/>".to_owned(), MarkError::Proportions),
        ("<circle cx='50' cy='50' r='400000000'/>".to_owned(), MarkError::Broken),
        (
            format!(
                "<clipPath id='c'><path d='M-1e8-1e8h3e8v3e8h-3e8z'/></clipPath><g clip-path='url(#c)'>{SHAPE}</g>"
            ),
            MarkError::Broken,
        ),
        ("<path stroke='red' stroke-width='1e9' d='M0 0h9v9z'/>".to_owned(), MarkError::Broken),
    ] {
        let started = Instant::now();
        let shown: String = content.chars().take(80).collect();
        assert_eq!(clean(&svg(&content)).err(), Some(refusal), "{shown}");
        assert!(started.elapsed() < Duration::from_secs(5), "{shown}");
    }
    let entities = [before.as_bytes(), &svg("<g>&b;</g>")].concat();
    assert_eq!(clean(&entities).err(), Some(MarkError::Entities));
    for broken in [
        &b""[..],
        b"<svg",
        b"<html></html>",
        b"\x1f\x8b\x08\0",
        b"\xff\xfe<\0s\0v\0g\0",
        b"GIF89a",
        b"\x89PNG\r\n\x1a\n",
    ] {
        assert_eq!(clean(broken).err(), Some(MarkError::Broken), "{broken:?}");
    }
    let huge = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e30 1e30">{SHAPE}</svg>"#);
    assert_eq!(clean(huge.as_bytes()).unwrap().dimensions, (512, 192), "all of it margin");
    let vast =
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e9 1e9"><path d="M0 0h1e9v1e9z"/></svg>"#;
    assert_eq!(clean(vast.as_bytes()).err(), Some(MarkError::Broken));
}

#[test]
fn gradients_styles_clips_and_uses_are_kept_as_shapes() {
    let text = cleaned(
        "<defs><linearGradient id='evil\"&lt;' xlink:href='#b'/><linearGradient id='b'><stop stop-color='#f00'/>\
         <stop offset='1' stop-color='#0f0'/></linearGradient><clipPath id='c'><circle cx='50' cy='25' r='20'/></clipPath>\
         <path id='s' d='M0 0h40v40H0z'/></defs><style>.a{fill:#00f}</style>\
         <rect fill='url(#b)' width='100' height='50'/><g clip-path='url(#c)'><use href='#s' class='a' x='30'/></g>",
    );
    for kept in
        ["<linearGradient id=\"m", "<clipPath id=\"m", "fill=\"url(#m", "#0000ff", "clip-path=\"url(#m"]
    {
        assert!(text.contains(kept), "{kept} in {text}");
    }
    let again = clean(text.as_bytes()).unwrap();
    assert_eq!(again.dimensions, (512, 256), "a cleaned mark stays clean");
}

#[test]
fn margins_are_cut_off_and_a_dark_mark_is_drawn_in_the_ink() {
    let doctype = r#"<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">"#;
    let mark = clean(&[doctype.as_bytes(), &svg("<path d='M40 10h20v30H50z'/>")].concat()).unwrap();
    assert_eq!((mark.format, mark.dimensions), (MarkFormat::Svg, (341, 512)));
    let text = String::from_utf8(mark.bytes).unwrap();
    assert!(text.contains(r#"viewBox="40 10 20 30""#) && text.contains("#edebe6"), "{text}");
    assert!(!text.contains("#000000"));

    let picture = RgbaImage::from_fn(300, 200, |x, y| match (x, y) {
        (100..200, 50..150) if x > y => Rgba([20, 20, 20, 255]),
        _ => Rgba([0, 0, 0, 0]),
    });
    let mut png = std::io::Cursor::new(Vec::new());
    DynamicImage::ImageRgba8(picture).write_to(&mut png, ImageFormat::Png).unwrap();
    let mark = clean(png.get_ref()).unwrap();
    assert_eq!((mark.format, mark.dimensions), (MarkFormat::Png, (100, 100)));
    let kept = image::load_from_memory(&mark.bytes).unwrap().into_rgba8();
    assert_eq!(kept.get_pixel(90, 10).0, [0xed, 0xeb, 0xe6, 255]);
    assert_eq!(kept.get_pixel(10, 90).0[3], 0);
}

#[test]
fn a_mark_has_the_colours_that_its_profile_means() {
    let deep = Rgba([150, 110, 70, 255].map(|channel| channel * 257_u16));
    for (picture, profile, shown) in [
        (
            DynamicImage::ImageRgba16(ImageBuffer::from_pixel(300, 200, deep)),
            ColorProfile::new_pro_photo_rgb(),
            [202, 119, 78],
        ),
        (
            DynamicImage::ImageLuma8(ImageBuffer::from_pixel(300, 200, Luma([100]))),
            ColorProfile::new_gray_with_gamma(1.8),
            [119; 3],
        ),
        (
            DynamicImage::ImageLumaA8(ImageBuffer::from_pixel(300, 200, LumaA([100, 255]))),
            ColorProfile::new_gray_with_gamma(1.8),
            [119; 3],
        ),
    ] {
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).unwrap();
        let mark = clean(&labelled(png.get_ref(), ImageFormat::Png, &profile.encode().unwrap())).unwrap();
        let kept = image::load_from_memory(&mark.bytes).unwrap().into_rgb8();
        let pixel = kept.get_pixel(150, 100).0;
        let off = pixel.iter().zip(shown).map(|(one, other): (&u8, u8)| one.abs_diff(other)).max().unwrap();
        assert!(off <= 6, "{:?}: {pixel:?} instead of {shown:?}", picture.color());
    }
}

#[test]
fn icons_and_cards_have_the_mark_in_their_middle() {
    let svg_mark = clean(&svg(SHAPE)).unwrap();
    let picture = RgbaImage::from_fn(400, 150, |x, _| Rgba([255, 255, 255, if x < 399 { 255 } else { 30 }]));
    let png = packed(picture.as_raw(), (400, 150), ExtendedColorType::Rgba8).unwrap();
    let png_mark = clean(&png).unwrap();
    for mark in [svg_mark, png_mark] {
        for (size, inner) in [((32, 32), (28, 28)), ((180, 180), (140, 140)), ((1200, 630), (720, 300))] {
            let drawn = draw(&mark.bytes, mark.format, Sheet { size, inner }).unwrap();
            let drawn = image::load_from_memory_with_format(&drawn, ImageFormat::Png).unwrap();
            assert_eq!(drawn.dimensions(), size);
            let drawn = drawn.into_rgb8();
            assert_eq!(drawn.get_pixel(0, 0).0, GROUND);
            assert_eq!(drawn.get_pixel(size.0 / 2, size.1 / 2).0, [255; 3], "{:?} {size:?}", mark.format);
        }
    }
}
