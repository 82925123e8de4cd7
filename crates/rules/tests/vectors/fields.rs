//! Calls fields and forms by the names of the JavaScript bindings.

#![expect(clippy::expect_used, reason = "a vector that does not fit its function stops the run")]

use rules::checked::{Checked, Problem, Refusal, check_field};
use rules::{
    archive, artist, avatar, codes, contact, content_value, demo, demo_desk, email, email_change, forgot,
    hero, image, letter_template, letters, login, mark, media, newsletter, password, product, release,
    signup, site_image, terminal, text, upload, url, username,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The result of a function in this module; `None` for another name.
pub(crate) fn call(function: &str, args: &[Value]) -> Option<Value> {
    Some(match function {
        "check_login" => checked(login::check_login(form(args))),
        "check_admin_login" => checked(login::check_admin_login(form(args))),
        "check_signup_dialog" => checked(signup::check_signup_dialog(form(args))),
        "check_signup" => checked(signup::check_signup(form(args))),
        "check_contact" => checked(contact::check_contact(form(args))),
        "check_demo" => checked(demo::check_demo(form(args))),
        "check_artist" => checked(artist::check_artist(form(args))),
        "check_release" => checked(release::check_release(form(args))),
        "check_product" => checked(product::check_product(form(args))),
        "complete_url" => plain(url::complete_url(typed(args))),
        "price_label" => field("price", product::price_label(typed(args))),
        "stock_label" => field("stock_quantity", product::stock_label(typed(args))),
        "check_password_change" => checked(password::check_password_change(form(args))),
        "check_username" => field("username", username::Username::parse(typed(args))),
        "default_username" => plain(username::default_username(typed(args), whole(&args[1]))),
        "check_email" => field("email", email::Email::parse(typed(args))),
        "masked_email" => plain(email::masked(typed(args))),
        "check_email_change" => {
            field("email", email_change::check_email_change(typed(args), typed(&args[1..])))
        }
        "check_forgot" => field("identifier", forgot::check_forgot(typed(args))),
        "read_subscription" => plain(newsletter::read_subscription(typed(args))),
        "totp_code" => field("code", codes::totp_code(typed(args))),
        "totp_input" => plain(codes::totp_input(typed(args))),
        "recovery_code" => field("code", codes::recovery_code(typed(args))),
        "check_terminal_message" => field("message", terminal::check_terminal_message(typed(args))),
        "can_submit" => plain(terminal::can_submit(typed(args), args[1].as_bool().expect("a boolean"))),
        "check_content_text" => {
            let value = args[1].as_str().expect("a text");
            problem("value", content_value::check_content_text(typed(args), value))
        }
        "check_overdue_days" => problem("overdue_days", demo_desk::check_overdue_days(typed(args))),
        "check_letter_template" => checked(letter_template::check_letter_template(form(args))),
        "check_letter" => checked(letter_template::check_letter(form(args))),
        "fill_letter" => {
            let values =
                serde_json::from_value(args[1].clone()).expect("the second argument is what is filled in");
            plain(letter_template::fill_letter(&form(args), &values))
        }
        "check_letter_draft" => checked(letters::check_letter_draft(form(args))),
        "check_letter_ready" => {
            let ready = letters::check_letter_ready(&form(args));
            plain(ready.err().map_or_else(Vec::new, Vec::<Problem>::from))
        }
        "letter_paragraphs" => plain(letters::letter_paragraphs(typed(args))),
        "plain_part" => {
            let release = serde_json::from_value::<Option<letters::LetterRelease>>(args[1].clone());
            plain(letters::plain_part(&form(args), release.expect("a release or null").as_ref()))
        }
        "check_media" => problem("file", media::check_media(&form(args))),
        "check_mark" => problem("file", mark::check_mark(&form(args))),
        "check_hero" => problem("file", hero::check_hero(&form(args))),
        "check_avatar" => problem("file", avatar::check_avatar(&form(args))),
        "check_image" => problem("file", image::check_image(&form(args))),
        "check_demo_file" => problem("file", demo::check_demo_file(&form(args))),
        "check_demo_end" => {
            let hex = args[1].as_str().expect("bytes in hex");
            let byte = |from: usize| u8::from_str_radix(&hex[from..from + 2], 16).expect("two hex digits");
            let end: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
            problem("file", archive::check_demo_end(typed(args), &end))
        }
        // The functions below are used by other rules and the server only.
        "check_site_image_text" => field("text", site_image::check_site_image_text(typed(args))),
        "clean_name" => plain(upload::clean_name(typed(args))),
        "name_or_file" => plain(upload::name_or_file(typed(args), args[1].as_str().expect("a media type"))),
        "strip_tags" => plain(text::strip_tags(typed(args))),
        "sanitize_url" => {
            url::sanitize_url(typed(args)).map_or(json!("invalid"), |url| json!({ "url": url }))
        }
        "identify" => plain(login::identify(typed(args))),
        "parse_price" => field("price", product::parse_price(typed(args))),
        "parse_stock" => field("stock_quantity", product::parse_stock(typed(args))),
        "offline_code" => plain(codes::offline_code(args[0].as_u64().expect("a whole number"))),
        "check_signup_password" => problem("password", password::check_signup_password(typed(args))),
        "check_admin_password" => problem("password", password::check_admin_password(typed(args))),
        _ => return None,
    })
}

fn form<T: DeserializeOwned>(args: &[Value]) -> T {
    serde_json::from_value(args[0].clone()).expect("the first argument is the form")
}

fn typed(args: &[Value]) -> &str {
    args[0].as_str().expect("the first argument is text")
}

fn whole(arg: &Value) -> u32 {
    arg.as_u64().and_then(|number| u32::try_from(number).ok()).expect("a whole number")
}

fn field<T: Serialize, E: Into<Refusal>>(name: &'static str, outcome: Result<T, E>) -> Value {
    checked(check_field(name, outcome))
}

/// In the form of the JavaScript bindings.
fn checked<T: Serialize>(outcome: Checked<T>) -> Value {
    match outcome {
        Ok(value) => json!({ "value": value }),
        Err(problems) => json!({ "problems": problems }),
    }
}

fn problem<E: Into<Refusal>>(name: &'static str, outcome: Result<(), E>) -> Value {
    plain(outcome.err().map(|refusal| Problem::new(name, refusal)))
}

fn plain(answer: impl Serialize) -> Value {
    serde_json::to_value(answer).expect("a plain value")
}
