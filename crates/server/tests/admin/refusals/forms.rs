//! Forms that break a rule: each field in turn, and whole bodies.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Case, Office};

/// A form: its addresses, an accepted body, and the refused values of each field with their messages.
pub(super) struct Form {
    pub(super) add: &'static str,
    pub(super) change: String,
    pub(super) accepted: Value,
    refused: Vec<(&'static str, Value, &'static str)>,
}

fn letters(count: usize) -> Value {
    json!("x".repeat(count))
}

/// Addresses every field refuses. Script addresses are cleared instead, and have their own tests.
fn addresses() -> Vec<Value> {
    [
        "//label.example",
        "label.example",
        "/media/../key",
        "/media/demos/1_00000000_x.zip",
        "https:label.example",
        "https://",
        "https://user@label.example/",
        "https://user:word@label.example/",
        "https://label.example@evil.example/",
        "https://label.example/a b",
        "https://label.example/\"onerror=alert(1)",
        "https://label.example/<script>x",
        "https://label.example\\@evil.example",
        "https://label.example/\u{0}",
        "https://label.example/\u{202e}\u{7}x",
        "mailto:a@label.example",
        "gopher://label.example",
    ]
    .into_iter()
    .map(|address| json!(address))
    .chain([json!(format!("https://label.example/{}", "x".repeat(2048)))])
    .collect()
}

/// A single line of text: required, bounded, without markup and control characters.
fn title(
    field: &'static str,
    max: usize,
    texts: [&'static str; 3],
) -> Vec<(&'static str, Value, &'static str)> {
    let [required, too_long, characters] = texts;
    let mut refused = vec![(field, letters(max + 1), too_long)];
    refused.extend(["", " \t\n ", "<b></b>", "<script>"].map(|text| (field, json!(text), required)));
    let strange = ["a\u{0}", "a\nb", "a\u{1b}[31m", "a < b", "a <img src=x", "a\u{9c}b"];
    refused.extend(strange.map(|text| (field, json!(text), characters)));
    refused
}

fn urls(fields: &[(&'static str, &'static str)]) -> Vec<(&'static str, Value, &'static str)> {
    fields
        .iter()
        .flat_map(|(field, text)| addresses().into_iter().map(move |address| (*field, address, *text)))
        .collect()
}

fn artist(office: &Office) -> Form {
    let mut refused = title(
        "name",
        100,
        ["Name is required", "Name must be less than 100 characters", "Invalid characters in name"],
    );
    refused.push(("bio", letters(1001), "Bio must be less than 1000 characters"));
    refused.push(("bio", json!("a\u{0}"), "Invalid characters in bio"));
    refused.extend(urls(&[
        ("image_url", "Invalid image URL"),
        ("spotify_url", "Invalid Spotify URL"),
        ("soundcloud_url", "Invalid SoundCloud URL"),
        ("apple_music_url", "Invalid Apple Music URL"),
        ("youtube_url", "Invalid YouTube URL"),
        ("instagram_url", "Invalid Instagram URL"),
        ("website", "Invalid Website URL"),
        ("twitter", "Invalid Twitter URL"),
    ]));
    Form {
        add: "/api/admin/artists",
        change: format!("/api/admin/artists/{}", office.artist),
        accepted: json!({"name": "x"}),
        refused,
    }
}

fn release(office: &Office) -> Form {
    let mut refused = title(
        "title",
        200,
        ["Title is required", "Title must be less than 200 characters", "Invalid characters in title"],
    );
    refused.push(("description", letters(1001), "Description must be less than 1000 characters"));
    refused.push(("description", json!("a\u{0}"), "Invalid characters in description"));
    refused.push(("catalog", letters(51), "Catalog must be less than 50 characters"));
    refused.push(("catalog", json!("404\u{0}"), "Invalid characters in catalog"));
    refused.push(("release_date", json!(" "), "Release date is required"));
    for date in
        ["2026-02-30", "2026-13-01", "2026-1-1", "01.02.2026", "2026-01-01T00:00:00Z", "2026-01-01\u{0}"]
    {
        refused.push(("release_date", json!(date), "Please enter a valid release date"));
    }
    for id in ["nobody".to_owned(), Uuid::now_v7().to_string(), Uuid::nil().to_string(), "\u{0}".to_owned()] {
        refused.push(("artist_id", json!(id), "Please choose an artist from the list"));
    }
    refused.extend(urls(&[
        ("cover_image_url", "Invalid image URL"),
        ("spotify_url", "Invalid Spotify URL"),
        ("soundcloud_url", "Invalid SoundCloud URL"),
        ("apple_music_url", "Invalid Apple Music URL"),
        ("youtube_url", "Invalid YouTube URL"),
        ("bandcamp_url", "Invalid Bandcamp URL"),
    ]));
    Form {
        add: "/api/admin/releases",
        change: format!("/api/admin/releases/{}", office.release),
        accepted: json!({"title": "x", "release_date": "2026-01-01"}),
        refused,
    }
}

fn product(office: &Office) -> Form {
    let mut refused = title(
        "title",
        200,
        ["Title is required", "Title must be less than 200 characters", "Invalid characters in title"],
    );
    refused.push(("description", letters(1001), "Description must be less than 1000 characters"));
    refused.push(("description", json!("a\u{0}"), "Invalid characters in description"));
    refused.push(("category", letters(51), "Category must be less than 50 characters"));
    refused.push(("category", json!("a < b"), "Invalid characters in category"));
    refused.push(("category", json!("a\u{0}"), "Invalid characters in category"));
    refused.push(("price", json!(null), "Price is required"));
    for price in [json!(-0.01), json!(-1e-9), json!(-1e300)] {
        refused.push(("price", price, "Price must be positive"));
    }
    for price in [json!(999_999.001), json!(999_999.01), json!(1_000_000), json!(1e300)] {
        refused.push(("price", price, "Price too high"));
    }
    refused.push(("stock_quantity", json!(null), "Stock is required"));
    refused.push(("stock_quantity", json!(0.5), "Stock must be a whole number"));
    refused.push(("stock_quantity", json!(-1), "Stock cannot be negative"));
    refused.push(("stock_quantity", json!(2_147_483_648_i64), "Stock too high"));
    refused.push(("stock_quantity", json!(1e300), "Stock too high"));
    refused.extend(urls(&[("image_url", "Invalid image URL")]));
    Form {
        add: "/api/admin/products",
        change: format!("/api/admin/products/{}", office.product),
        accepted: json!({"title": "x", "price": 1, "stock_quantity": 1}),
        refused,
    }
}

pub(super) fn forms(office: &Office) -> [Form; 3] {
    [artist(office), release(office), product(office)]
}

/// Every refused value, in a new row and in a change, and the site's texts.
pub fn broken_fields(office: &Office) -> Vec<Case> {
    let mut cases = Vec::new();
    for form in forms(office) {
        for (field, value, text) in &form.refused {
            let mut body = form.accepted.clone();
            body[field] = value.clone();
            cases.push(Case::new(Method::POST, form.add, &body).refused(field, text));
            cases.push(Case::new(Method::PUT, &form.change, &body).refused(field, text));
        }
    }
    let content =
        |value: Value| Case::new(Method::PUT, "/api/admin/content/hero_subtitle", &json!({"value": value}));
    cases.push(content(letters(64 * 1024 + 1)).refused("value", "Text must be at most 64 KB"));
    cases.push(content(json!("é".repeat(32 * 1024 + 1))).refused("value", "Text must be at most 64 KB"));
    cases.push(content(json!("a\u{0}")).refused("value", "Invalid characters in text"));
    cases.extend(broken_letters());
    cases
}

/// Templates, and answers to an unknown demo: the rules are checked before the demo is looked up.
fn broken_letters() -> Vec<Case> {
    const PLACES: &str = "In braces there can be {artist}, {file} and {label} alone";
    let both = [
        ("subject", json!(" \n "), "Please write a subject"),
        ("subject", letters(121), "Subject must be less than 120 characters"),
        ("subject", json!("a\r\nBcc: b@c.example"), "Invalid characters in subject"),
        ("subject", json!("a\u{202e}b"), "Invalid characters in subject"),
        ("text", json!("\u{200b}"), "Please write a text"),
        ("text", json!("a\u{0}"), "Invalid characters in text"),
    ];
    let of_templates = [
        ("subject", json!("{name}"), PLACES),
        ("text", json!("Dear {Artist}"), PLACES),
        ("text", letters(5001), "Text must be less than 5000 characters"),
    ];
    let of_answers = [("text", letters(10_001), "Text must be less than 10000 characters")];
    let template = json!({"subject": "x", "text": "x"});
    let answer = json!({"kind": "declined", "subject": "x", "text": "x"});
    let (change, add) = ("/api/admin/desk/templates/declined".to_owned(), answers(&Uuid::nil().to_string()));
    let mut cases = Vec::new();
    for (method, path, accepted, own) in
        [(Method::PUT, change, template, &of_templates[..]), (Method::POST, add, answer, &of_answers[..])]
    {
        for (field, value, text) in both.iter().chain(own) {
            let mut body = accepted.clone();
            body[field] = value.clone();
            cases.push(Case::new(method.clone(), &path, &body).refused(field, text));
        }
    }
    cases
}

pub(super) fn answers(demo: &str) -> String {
    format!("/api/admin/desk/demos/{demo}/answers")
}

/// The smallest and largest accepted value of each field.
pub fn at_their_bounds(office: &Office) -> Vec<Case> {
    let address = json!(format!("https://label.example/{}", "x".repeat(2048 - 22)));
    let mut cases = Vec::new();
    for (form, bounds) in forms(office).into_iter().zip([
        vec![
            ("name", letters(1)),
            ("name", letters(100)),
            ("bio", letters(1000)),
            ("bio", json!("two\nlines")),
            ("website", address.clone()),
        ],
        vec![
            ("title", letters(200)),
            ("description", letters(1000)),
            ("catalog", letters(50)),
            ("artist_id", json!(office.artist)),
            ("bandcamp_url", address.clone()),
        ],
        vec![
            ("title", letters(200)),
            ("description", letters(1000)),
            ("category", letters(50)),
            ("price", json!(999_999)),
            ("price", json!(-0.0)),
            ("price", json!(0.004)),
            ("stock_quantity", json!(0)),
            ("stock_quantity", json!(2_147_483_647)),
            ("image_url", address),
        ],
    ]) {
        for (field, value) in bounds {
            let mut body = form.accepted.clone();
            body[field] = value;
            cases.push(Case::new(Method::POST, form.add, &body));
        }
    }
    cases
}

/// Bodies that are not a form, or the wrong one.
pub fn broken_bodies(office: &Office) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut of = |method: Method, path: &str, accepted: &Value, required: &[&str], flags: &[&str]| {
        let case = |body: &Value| Case::new(method.clone(), path, body);
        for raw in ["", "{", "{\"", "nonsense", "NaN", "\u{feff}{}", &format!("{accepted}{{}}")] {
            cases.push(case(accepted).raw(raw).answers(400, "invalid_json"));
        }
        cases.push(case(accepted).raw(&b"{\"\xff\": 1}"[..]).answers(400, "invalid_json"));
        for body in [json!(null), json!([]), json!("x"), json!(7)] {
            cases.push(case(&body).answers(422, "invalid_body"));
        }
        for (field, value) in [
            ("id", json!(Uuid::now_v7())),
            ("version", json!(9)),
            ("__proto__", json!({})),
            ("NAME", json!("x")),
        ] {
            let mut body = accepted.clone();
            body[field] = value;
            cases.push(case(&body).answers(422, "unknown_field"));
        }
        for field in required {
            let mut body = accepted.clone();
            body.as_object_mut().unwrap().remove(*field);
            cases.push(case(&body).answers(422, "invalid_body"));
            for value in [json!(null), json!(["x"]), json!({"x": 1})] {
                body[*field] = value;
                cases.push(case(&body).answers(422, "invalid_body"));
            }
        }
        for field in flags {
            for value in [json!("true"), json!(1), json!(null)] {
                let mut body = accepted.clone();
                body[*field] = value;
                cases.push(case(&body).answers(422, "invalid_body"));
            }
        }
        for content_type in ["", "text/plain", "application/x-www-form-urlencoded", "application/xml"] {
            cases.push(Case { content_type, ..case(accepted).answers(415, "unsupported_media_type") });
        }
        // Larger than any form except the site's texts.
        let long = json!({"name": "x".repeat(1024 * 1024)});
        cases.push(case(&long).answers(413, "payload_too_large"));
    };
    let required: [(&[&str], &[&str]); 3] = [
        (&["name"], &["featured"]),
        (&["title", "release_date"], &["featured"]),
        (&["title"], &["featured", "active"]),
    ];
    for (form, (required, flags)) in forms(office).into_iter().zip(required) {
        of(Method::POST, form.add, &form.accepted, required, flags);
        of(Method::PUT, &form.change, &form.accepted, required, flags);
    }
    of(Method::PUT, "/api/admin/content/hero_subtitle", &json!({"value": "x"}), &["value"], &[]);
    let active = json!({"active": false});
    of(Method::PATCH, &format!("/api/admin/products/{}", office.product), &active, &["active"], &["active"]);
    let switch = json!({"is_maintenance_mode": true});
    of(
        Method::PATCH,
        "/api/admin/maintenance/home",
        &switch,
        &["is_maintenance_mode"],
        &["is_maintenance_mode"],
    );
    let template = json!({"subject": "x", "text": "x"});
    of(Method::PUT, "/api/admin/desk/templates/declined", &template, &["subject", "text"], &[]);
    let add = answers(&Uuid::nil().to_string());
    let answer = json!({"kind": "declined", "subject": "x", "text": "x"});
    of(Method::POST, &add, &answer, &["kind", "subject", "text"], &["again"]);
    of(Method::POST, &format!("{add}/preview"), &json!({"kind": "declined"}), &["kind"], &[]);
    let rows = json!({"kind": "artist", "ids": [Uuid::now_v7()]});
    of(Method::POST, "/api/admin/trash", &rows, &["kind", "ids"], &[]);
    of(Method::POST, "/api/admin/trash/restore", &rows, &["kind", "ids"], &[]);
    // Numbers that are not JSON, or are out of range.
    for number in ["NaN", "Infinity", "1e400", "-1e400", "0x10", "01", ".5", "1e", "+1"] {
        for (method, path) in [(Method::POST, "/api/admin/products"), (Method::PUT, &product(office).change)]
        {
            for body in [
                format!("{{\"title\": \"x\", \"price\": {number}, \"stock_quantity\": 1}}"),
                format!("{{\"title\": \"x\", \"price\": 1, \"stock_quantity\": {number}}}"),
            ] {
                let case = Case::new(method.clone(), path, &json!(null));
                cases.push(case.raw(body).answers(400, "invalid_json"));
            }
        }
    }
    cases
}
