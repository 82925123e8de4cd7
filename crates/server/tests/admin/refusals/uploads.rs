//! Multipart forms that break a rule: of the form, of the file, and of its fields.

use image::ImageFormat;
use reqwest::Method;
use serde_json::json;

use crate::support::files::{picture, video};

use super::{Case, Office};

const BOUNDARY: &str = "multipart/form-data; boundary=cut";

/// A part of a form: its name, its file name if any, and its bytes.
type Part<'a> = (&'a str, Option<&'a str>, &'a [u8]);

fn form(parts: &[Part<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, file_name, bytes) in parts {
        let file_name = file_name.map(|name| format!("; filename=\"{name}\"")).unwrap_or_default();
        body.extend(
            format!("--cut\r\nContent-Disposition: form-data; name=\"{name}\"{file_name}\r\n\r\n").bytes(),
        );
        body.extend(*bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--cut--\r\n");
    body
}

/// Every endpoint that takes a file, with files it refuses.
pub fn broken(_: &Office) -> Vec<Case> {
    let png = picture(ImageFormat::Png, 8, 8);
    let images = (Method::POST, "/api/admin/images?folder=artists");
    let media = (Method::POST, "/api/admin/media");
    let imports = (Method::POST, "/api/admin/imports");
    let preview = (Method::POST, "/api/admin/imports/preview");
    let hero = (Method::PUT, "/api/admin/site-images/hero_background");
    let case = |(method, path): &(Method, &str), parts: &[Part<'_>]| Case {
        content_type: BOUNDARY,
        version: None,
        ..Case::new(method.clone(), path, &json!(null)).raw(form(parts))
    };
    let mut cases = Vec::new();
    let subscribers = (Method::POST, "/api/admin/newsletter/imports");
    let check = (Method::POST, "/api/admin/newsletter/imports/check");
    for place in [&images, &media, &hero, &imports, &preview, &subscribers, &check] {
        let file: Part<'_> = ("file", Some("a.png"), &png);
        for parts in [
            &[] as &[Part<'_>],
            &[("file", None, &png)],
            &[("other", Some("a.png"), &png)],
            &[file, file],
            &[file, ("other", Some("b.png"), &png)],
        ] {
            cases
                .push(case(place, parts).answers(422, "one_file").refused("file", "Please choose one file."));
        }
        let many = [file; 1].into_iter().chain([("x", None, &b"x"[..]); 10]).collect::<Vec<_>>();
        cases.push(
            case(place, &many).answers(422, "one_file").refused("file", "An upload has at most 10 parts."),
        );
        let whole = form(&[file]);
        cases.push(case(place, &[]).raw(&whole[..whole.len() - 20]).answers(422, "invalid_form"));
        cases.push(case(place, &[]).raw("nonsense").answers(422, "invalid_form"));
        for content_type in ["", "application/json", "multipart/form-data"] {
            cases.push(Case { content_type, ..case(place, &[file]).answers(415, "unsupported_media_type") });
        }
    }
    let files: [(&str, &[u8]); 6] = [
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
        ("a.png", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
        ("a.html", b"<!doctype html><script>alert(1)</script>"),
        ("a.gif", b"GIF89a/*<script>alert(1)</script>*/=1;"),
        ("a.jpg", &png),
        ("a.png", b""),
    ];
    for (name, bytes) in files {
        let file: [Part<'_>; 1] = [("file", Some(name), bytes)];
        let refused =
            |place, text| case(place, &file).answers(422, "invalid_file_type").refused("file", text);
        cases.push(refused(&images, "Please upload a JPEG, PNG, WebP, or GIF image"));
        cases.push(refused(&hero, "Please select an image file (JPG, PNG, etc.)"));
        cases.push(refused(
            &media,
            "File type or extension not allowed. Upload images (JPEG, PNG, GIF, WebP) or videos (MP4, WebM, OGG)",
        ));
    }
    let clip = video(100);
    cases.push(case(&images, &[("file", Some("a.mp4"), &clip)]).answers(422, "invalid_file_type"));
    for name in [
        "a.exe",
        "a.EXE.png",
        "a.bat.png",
        "a.cmd.png",
        "a.scr.png",
        "a.pif.png",
        "example.com.png",
        "a.jar.png",
    ] {
        let file: [Part<'_>; 1] = [("file", Some(name), &png)];
        cases.push(
            case(&media, &file)
                .answers(422, "suspicious_name")
                .refused("file", "File contains suspicious content"),
        );
    }
    for query in
        ["", "?folder=", "?folder=assets", "?folder=avatars", "?folder=../artists", "?folder=artists&x=1"]
    {
        let place = (Method::POST, &*format!("/api/admin/images{query}"));
        cases.push(case(&place, &[("file", Some("a.png"), &png)]).answers(422, "invalid_query"));
    }
    for key in ["logo", "HERO_BACKGROUND", "hero_background%00"] {
        let place = (Method::PUT, &*format!("/api/admin/site-images/{key}"));
        cases.push(case(&place, &[("file", Some("a.png"), &png)]).answers(404, "not_found"));
    }
    let long = "x".repeat(501);
    for field in ["alt_text", "description"] {
        for text in [long.as_str(), "two\nlines", "a\u{0}"] {
            let parts: [Part<'_>; 2] = [("file", Some("a.png"), &png), (field, None, text.as_bytes())];
            cases.push(case(&hero, &parts).answers(422, "invalid_text"));
        }
    }
    cases
}
